"""A calculation with one wrong line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from app.course.items.kinds import Spot
from app.web.items.kinds.base import ItemMoment, Parts
from app.web.site.responses import markup


@dataclass(frozen=True)
class LineView:
    """A line of a calculation; `wrong` is None while it is not told, `correction` is for the wrong one."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    wrong: bool | None = None
    correction: Markup | None = None


@dataclass(frozen=True)
class SpotParts(Parts):
    """The calculation; once closed, whose it is and which figures were published."""

    lines: Sequence[LineView] = ()
    source: str = ""
    published: Mapping[str, str] = field(default_factory=dict)


def spot(moment: ItemMoment[Spot]) -> SpotParts:
    """What was tried is greyed. Once closed: the wrong line, what it should be, and the chosen one."""
    item = moment.item
    lines = []
    for line in item.lines:
        view = LineView(line.id, markup(moment.course.line(line.text)), line.id in moment.last)
        if moment.open and line.id in moment.tried:
            view = replace(view, chosen=False, tried=True)
        elif not moment.open and line.wrong:
            view = replace(view, wrong=True, correction=markup(moment.course.html(item.correction)))
        elif not moment.open and view.chosen:
            view = replace(view, wrong=False)
        lines.append(view)
    if moment.open:
        return SpotParts(lines=lines, answer_label="就是这一行")
    return SpotParts(lines=lines, source=item.source or "", published=item.published)
