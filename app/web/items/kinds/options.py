"""Kinds with options: single, multiple, true_false."""

from dataclasses import replace

from app.course.items.kinds import Multiple, Single, TrueFalse
from app.web.items.kinds.base import ItemMoment, OptionView, Parts
from app.web.site.responses import markup


def single(moment: ItemMoment) -> Parts:
    """What was tried is struck out; once closed, the right option and the chosen one are named."""
    item = moment.item
    assert isinstance(item, Single)
    tried = {raw for answer in moment.answers if answer.verdict == "wrong" for raw in answer.raw}
    views = []
    for option in item.options:
        chosen, again = option.id in moment.last, moment.open and option.id in tried
        told = option.right if not moment.open and (option.right or chosen) else None
        text = markup(moment.course.line(option.text))
        views.append(OptionView(option.id, text, chosen and not again, again, right=told))
    return Parts(options=views)


def multiple(moment: ItemMoment) -> Parts:
    """Feedback for what was chosen; for everything once closed."""
    item = moment.item
    assert isinstance(item, Multiple)
    judged = set(moment.answers[-1].raw) if moment.answers else set[str]()
    views = []
    for option in item.options:
        view = OptionView(option.id, markup(moment.course.line(option.text)), option.id in moment.last)
        if not moment.open or option.id in judged:
            view = replace(view, feedback=markup(moment.course.line(option.feedback)), right=option.right)
        views.append(view)
    return Parts(options=views)


def true_false(moment: ItemMoment) -> Parts:
    """Two options: the statement holds, or it does not."""
    item = moment.item
    assert isinstance(item, TrueFalse)
    pair = (("true", "这句话对", item.answer), ("false", "这句话不对", not item.answer))
    views = [
        OptionView(value, markup(text), value in moment.last, right=None if moment.open else right)
        for value, text, right in pair
    ]
    return Parts(options=views)
