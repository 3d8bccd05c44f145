"""A calculation with one wrong line."""

from dataclasses import replace

from app.course.items.kinds import Spot
from app.web.items.kinds.base import ItemMoment, LineView, Parts
from app.web.site.responses import markup


def spot(moment: ItemMoment) -> Parts:
    """The calculation; what was tried is greyed. Once closed: the wrong line, what it should be, whose."""
    item = moment.item
    assert isinstance(item, Spot)
    tried = {raw for answer in moment.answers if answer.verdict == "wrong" for raw in answer.raw}
    views = []
    for line in item.lines:
        chosen, again = line.id in moment.last, moment.open and line.id in tried
        view = LineView(line.id, markup(moment.course.line(line.text)), chosen and not again, again)
        if not moment.open and line.wrong:
            view = replace(view, wrong=True, correction=markup(moment.course.html(item.correction)))
        elif not moment.open and chosen:
            view = replace(view, wrong=False)
        views.append(view)
    if moment.open:
        return Parts(lines=views, answer_label="就是这一行")
    return Parts(lines=views, source=item.source or "", published=item.published)
