"""A few words of one's own."""

from app.course.items.kinds import Short
from app.web.items.kinds.base import ItemMoment, Parts
from app.web.site.responses import markup


def short(moment: ItemMoment) -> Parts:
    """What was written; once it is sent, what to hold it against."""
    item = moment.item
    assert isinstance(item, Short)
    typed = "\n".join(moment.last)
    if moment.open or not typed:
        return Parts(typed=typed, show_label="看参考回答", answer_label="写好了", end="看过参考回答")
    checkpoints = [markup(moment.course.line(one)) for one in item.checkpoints]
    model = markup(moment.course.html(item.model))
    return Parts(typed=typed, checkpoints=checkpoints, model=model, end="写下来了")
