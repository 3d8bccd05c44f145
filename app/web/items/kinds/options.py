"""Kinds with options: single, multiple, true_false."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.course.items.kinds import Multiple, Single, TrueFalse
from app.web.items.kinds.base import ItemMoment, Parts
from app.web.site.responses import markup


@dataclass(frozen=True)
class OptionView:
    """An option; `right` is None while it is not told."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    feedback: Markup | None = None
    right: bool | None = None


@dataclass(frozen=True)
class OptionParts(Parts):
    """What is to be chosen from."""

    options: Sequence[OptionView] = ()


def single(moment: ItemMoment[Single]) -> OptionParts:
    """What was tried is struck out; once closed, the right option and the chosen one are named."""
    options = []
    for option in moment.item.options:
        view = OptionView(option.id, markup(moment.course.line(option.text)), option.id in moment.last)
        if moment.open and option.id in moment.tried:
            view = replace(view, chosen=False, tried=True)
        elif not moment.open and (option.right or view.chosen):
            view = replace(view, right=option.right)
        options.append(view)
    return OptionParts(options=options)


def multiple(moment: ItemMoment[Multiple]) -> OptionParts:
    """Feedback for what was chosen; for everything once closed."""
    judged = moment.answers[-1].raw if moment.answers else ()
    options = []
    for option in moment.item.options:
        view = OptionView(option.id, markup(moment.course.line(option.text)), option.id in moment.last)
        if not moment.open or option.id in judged:
            view = replace(view, feedback=markup(moment.course.line(option.feedback)), right=option.right)
        options.append(view)
    return OptionParts(options=options)


TRUE_FALSE = {"true": Markup("这句话对"), "false": Markup("这句话不对")}


def true_false(moment: ItemMoment[TrueFalse]) -> OptionParts:
    """Two options: the statement holds, or it does not."""
    truth = "true" if moment.item.answer else "false"
    options = []
    for name, text in TRUE_FALSE.items():
        right = None if moment.open else name == truth
        options.append(OptionView(name, text, name in moment.last, right=right))
    return OptionParts(options=options)
