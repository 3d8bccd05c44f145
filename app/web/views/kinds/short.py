"""A few words of one's own."""

from app.course.items import Short
from app.web.pages import markup
from app.web.views.kinds.base import Moment, Parts


def short(moment: Moment) -> Parts:
    """What was written; once it is sent, what to hold it against."""
    item = moment.item
    assert isinstance(item, Short)
    typed = "\n".join(moment.last)
    if moment.open or not typed:
        return Parts(typed=typed, show_label="看参考回答", answer_label="写好了", end="看过参考回答")
    checkpoints = [markup(moment.course.line(one)) for one in item.checkpoints]
    model = markup(moment.course.html(item.model))
    return Parts(typed=typed, checkpoints=checkpoints, model=model, end="写下来了")
