"""What somebody answered, response by response, as they saw it: for teachers, and for nobody to change."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.authoring.snapshots import course_with_frozen_item
from app.course.items.kinds import (
    Item,
    Order,
    ShortAnswer,
    Steps,
)
from app.course.items.kinds.base import words_without_option
from app.course.items.kinds.steps import CARRIED_CELL_SIGN, LEFT_CELL_SIGN, cell_label
from app.course.items.marks import answer_state
from app.records.learning.values import AttemptData, ResponseRow
from app.web.items.feedback import feedback_remarks, worked_line_htmls
from app.web.items.item_views import seen_answers
from app.web.items.kinds import ItemWithAnswers, KindView, kind_view_of
from app.web.items.printed import PrintedItem
from app.web.site.rendering import line_html, text_html
from app.web.site.slots import NOTHING

WORD_BY_VERDICT = {"right": "对", "wrong": "不对", "shown": "看了答案"}


class AnsweredTry(NamedTuple):
    """One response: what was answered, in words, and what the tutor said to it. `is_judged`: by a program."""

    response: ResponseRow
    answer_htmls: Sequence[Markup]
    feedback_htmls: Sequence[Markup] = ()
    is_judged: bool = True

    @property
    def verdict_word(self) -> str:
        if not self.is_judged:
            return "写了"
        return WORD_BY_VERDICT.get(self.response.verdict, self.response.verdict)


class AnsweredItem(NamedTuple):
    """An item with all tries at it. Without a stem it can no longer be read.

    `right_answer_html`: what was right, and `accepted_words` the numbers that count as it;
    `worked_line_htmls`: how to get there.
    """

    id: str
    stem_html: Markup
    kind: str
    skill_name: str
    kind_view: KindView | None
    tries: Sequence[AnsweredTry]
    right_answer_html: Markup = NOTHING
    accepted_words: str = ""
    worked_line_htmls: Sequence[Markup] = ()
    choice_htmls: Sequence[Markup] = ()


def answered_items(course: Course, attempt_data: AttemptData) -> list[AnsweredItem]:
    """Every item of an attempt, in the order of the answers."""
    responses_by_item_ref: dict[str, list[ResponseRow]] = {}
    for response in attempt_data.responses:
        responses_by_item_ref.setdefault(response.item_ref, []).append(response)
    return [answered_item(course, attempt_data, responses) for responses in responses_by_item_ref.values()]


def answered_item(
    course: Course, attempt_data: AttemptData, responses: Sequence[ResponseRow]
) -> AnsweredItem:
    """An item and its tries, from the body that was frozen when it was answered last."""
    item_id = course.bare_id(responses[0].item_ref)
    frozen_body_json = attempt_data.body_by_hash.get(responses[-1].item_version_hash, "")
    frozen_course = course_with_frozen_item(course, frozen_body_json, attempt_data.attempt.seed)
    if frozen_course is None:
        answered_tries = [
            AnsweredTry(response, [Markup.escape("、".join(response.raw))]) for response in responses
        ]
        return AnsweredItem(item_id, Markup(""), "", "", None, answered_tries)
    [item] = frozen_course.items.values()
    return answered_item_with_key(course, frozen_course, item, responses)


def answered_item_with_key(
    course: Course, item_course: Course, item: Item, responses: Sequence[ResponseRow] = ()
) -> AnsweredItem:
    """An item with its tries and its key. `item_course`: the one that it lives in, frozen or of today."""
    answers = seen_answers(responses)
    skill_name = ""
    if item.skill in course.skills:
        skill_name = course.skills[item.skill].name
    item_with_answers = ItemWithAnswers(item_course, item, answers, answer_state(item, answers), None)
    printed_item = PrintedItem(item_course, item, 0)
    return AnsweredItem(
        item.id,
        stem_html=text_html(item_course, item.stem),
        kind=item.kind,
        skill_name=skill_name,
        kind_view=kind_view_of(item_with_answers),
        tries=tries_at_item(item_course, item, responses),
        right_answer_html=right_answer_html(item_course, item),
        accepted_words=printed_item.accepted_words,
        worked_line_htmls=worked_line_htmls(item_course, item),
        choice_htmls=printed_item.choice_htmls,
    )


def with_corrected_key(
    course: Course, answered_item: AnsweredItem, corrected_body_json: str, seed: int
) -> AnsweredItem:
    """An item as it was answered, with the key that it has had since it was corrected."""
    corrected_course = course_with_frozen_item(course, corrected_body_json, seed)
    if corrected_course is None:
        return answered_item
    [item] = corrected_course.items.values()
    corrected_item = answered_item_with_key(course, corrected_course, item)
    return answered_item._replace(
        right_answer_html=corrected_item.right_answer_html,
        accepted_words=corrected_item.accepted_words,
        worked_line_htmls=corrected_item.worked_line_htmls,
    )


def right_answer_html(course: Course, item: Item) -> Markup:
    """What was right, in a line; nothing for an order and for words, which need more."""
    right_choice_htmls = [line_html(course, choice.text) for choice in item.choices if choice.is_right]
    if right_choice_htmls:
        return Markup("；").join(right_choice_htmls)
    return PrintedItem(course, item, 0).answer_html


def tries_at_item(course: Course, item: Item, responses: Sequence[ResponseRow]) -> list[AnsweredTry]:
    """Each response in the words of the item, and what the tutor said to it."""
    answers = seen_answers(responses)
    answered_tries = []
    for try_number, response in enumerate(responses, 1):
        remarks_of_tutor = feedback_remarks(course, item, answers[:try_number])
        htmls_of_answer = answer_htmls(course, item, response.raw)
        feedback_htmls = [tutor_remark.html for tutor_remark in remarks_of_tutor]
        answered_tries.append(
            AnsweredTry(response, htmls_of_answer, feedback_htmls, not isinstance(item, ShortAnswer))
        )
    return answered_tries


def answer_htmls(course: Course, item: Item, raw_answer: Sequence[str]) -> list[Markup]:
    """What was sent, in the words of the item: ids become the texts that were chosen."""
    if isinstance(item, Steps):
        return cell_htmls(item, raw_answer)
    option_html_by_id = option_html_by_id_of(course, item)
    htmls_of_answer = []
    for typed_text in raw_answer:
        plain_html = Markup.escape(words_without_option(typed_text))
        htmls_of_answer.append(option_html_by_id.get(typed_text, plain_html))
    return htmls_of_answer


def answer_line_html(course: Course, item: Item, raw_answer: Sequence[str]) -> Markup:
    """The same in one line."""
    separator = " → " if isinstance(item, Order) else "、"
    return Markup.escape(separator).join(answer_htmls(course, item, raw_answer))


def plain_line_html(raw_answer: Sequence[str]) -> Markup:
    """The same of an answer whose item is gone, as it was sent."""
    return Markup("、").join(map(words_without_option, raw_answer))


def option_html_by_id_of(course: Course, item: Item) -> Mapping[str, Markup]:
    """The texts of what can be chosen or put into an order, by id; nothing for what is typed."""
    if isinstance(item, Order):
        return {document.id: Markup.escape(document.text) for document in item.documents}
    return {choice.id: line_html(course, choice.text) for choice in item.choices}


def cell_htmls(item: Steps, raw_answer: Sequence[str]) -> list[Markup]:
    """A table as name and number; what was left to the tutor is a dash."""
    cell_html_template = Markup("{}：{}")
    named_number_htmls = []
    for table_cell, typed_text in zip(item.blanks, raw_answer, strict=False):
        value_text = typed_text.strip(LEFT_CELL_SIGN + CARRIED_CELL_SIGN) or "—"
        named_number_htmls.append(cell_html_template.format(cell_label(table_cell), value_text))
    return named_number_htmls
