"""What is chosen from, or put into an order: options, the lines of a calculation, candies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup

from app.course.items.kinds import MultipleChoice, Order, SingleChoice, Spot, TrueFalse
from app.course.items.kinds.options import Option
from app.course.items.kinds.order import Candy
from app.course.items.kinds.spot import SpotLine
from app.web.items.kinds.base import ItemWithAnswers, KindView
from app.web.site.rendering import line_html, text_html


class ChoiceView(NamedTuple):
    """An option or a line. `is_right`: None while untold; the feedback of a wrong line corrects it."""

    id: str
    html: Markup
    is_chosen: bool = False
    is_tried: bool = False
    feedback_html: Markup | None = None
    is_right: bool | None = None


@dataclass(frozen=True)
class OptionsKindView(KindView):
    """What is to be chosen from."""

    options: Sequence[ChoiceView] = ()


@dataclass(frozen=True)
class SpotKindView(KindView):
    """The calculation; once closed, whose it is and which figures were published."""

    lines: Sequence[ChoiceView] = ()
    citation: str = ""
    published_figures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderKindView(KindView):
    """The candies in their present order, and the query they answer."""

    documents: Sequence[Candy] = ()
    query: str | None = None


def single_kind_view(item_with_answers: ItemWithAnswers[SingleChoice]) -> OptionsKindView:
    """What was tried is struck out; once closed, the right option and the chosen one are named."""
    option_views = []
    for option in item_with_answers.item.options:
        option_view = choice_view(item_with_answers, option)
        if not item_with_answers.is_open and (option.right or option_view.is_chosen):
            option_view = option_view._replace(is_right=option.right)
        option_views.append(option_view)
    return OptionsKindView(options=option_views)


def choice_view(item_with_answers: ItemWithAnswers[Any], option: Option | SpotLine) -> ChoiceView:
    """What stands there: chosen, or while it may be chosen again, struck out."""
    option_html = line_html(item_with_answers.course, option.text)
    if item_with_answers.is_open and option.id in item_with_answers.wrong_option_ids:
        return ChoiceView(option.id, option_html, is_tried=True)
    return ChoiceView(option.id, option_html, option.id in item_with_answers.texts_in_form)


def multiple_kind_view(item_with_answers: ItemWithAnswers[MultipleChoice]) -> OptionsKindView:
    """Feedback for what was chosen; for everything once closed."""
    judged_option_ids = item_with_answers.answers[-1].raw if item_with_answers.answers else ()
    option_views = []
    for option in item_with_answers.item.options:
        option_html = line_html(item_with_answers.course, option.text)
        option_view = ChoiceView(option.id, option_html, option.id in item_with_answers.texts_in_form)
        if not item_with_answers.is_open or option.id in judged_option_ids:
            option_view = option_view._replace(
                feedback_html=line_html(item_with_answers.course, option.feedback),
                is_right=option.right,
            )
        option_views.append(option_view)
    return OptionsKindView(options=option_views)


def true_false_kind_view(item_with_answers: ItemWithAnswers[TrueFalse]) -> OptionsKindView:
    """Two options: the statement holds, or it does not."""
    option_views = []
    for choice in item_with_answers.item.choices:
        is_right = None if item_with_answers.is_open else choice.is_right
        is_chosen = choice.id in item_with_answers.texts_in_form
        choice_html = line_html(item_with_answers.course, choice.text)
        option_views.append(ChoiceView(choice.id, choice_html, is_chosen, is_right=is_right))
    return OptionsKindView(options=option_views)


def spot_kind_view(item_with_answers: ItemWithAnswers[Spot]) -> SpotKindView:
    """What was tried is greyed. Once closed: the wrong line, what it should be, and the chosen one."""
    item = item_with_answers.item
    line_views = []
    for spot_line in item.lines:
        line_view = choice_view(item_with_answers, spot_line)
        if not item_with_answers.is_open and spot_line.wrong:
            line_view = line_view._replace(
                is_right=False, feedback_html=text_html(item_with_answers.course, item.correction)
            )
        elif not item_with_answers.is_open and line_view.is_chosen:
            line_view = line_view._replace(is_right=True)
        line_views.append(line_view)
    if item_with_answers.is_open:
        return SpotKindView(lines=line_views, answer_label="就是这一行")
    return SpotKindView(lines=line_views, citation=item.source or "", published_figures=item.published)


def order_kind_view(item_with_answers: ItemWithAnswers[Order]) -> OrderKindView:
    """The candies as they were put last; the sweetest order when it was shown."""
    candies = item_with_answers.item.documents
    candy_by_id = {candy.id: candy for candy in candies}
    placed_candies = [
        candy_by_id[option_id]
        for option_id in dict.fromkeys(item_with_answers.texts_in_form)
        if option_id in candy_by_id
    ]
    if item_with_answers.state == "shown":
        candies = sorted(candies, key=lambda candy: -candy.grade)
    elif len(placed_candies) == len(candy_by_id):
        candies = placed_candies
    return OrderKindView(documents=candies, query=item_with_answers.item.query)
