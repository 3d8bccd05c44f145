"""Questions put into the YAML text of own content: a new text, or more items in one that is there.

What is there stays as it was typed, comments too: lines are only put in.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.course.authoring.own_skills import LONGEST_SKILL_NAME, ChosenSkill, with_skill
from app.course.authoring.yaml_edits import (
    UnfitText,
    dump_yaml,
    readable_document,
    unused_item_ids,
    with_entry,
)
from app.course.questions.draft_questions import (
    DraftBlank,
    DraftOption,
    DraftQuestion,
    rubric_lines_with_points,
)
from app.course.questions.plain_markdown import as_markdown, as_markdown_line

USUAL_TITLE = "贴来的题"


class FilledText(NamedTuple):
    """A text with questions put in. `item_ids`: of each, in their order, also of one that was there already;
    `added_count`: how many are new."""

    text: str
    item_ids: tuple[str, ...]
    added_count: int


def body_of(draft_question: DraftQuestion) -> dict[str, Any]:
    """A question as the fields of an item, in short form."""
    item_body: dict[str, Any] = {"stem": as_markdown(draft_question.stem), **_answer_of(draft_question)}
    if draft_question.hints:
        item_body["hints"] = [as_markdown_line(hint) for hint in draft_question.hints]
    if draft_question.explanation:
        item_body["explanation"] = as_markdown(draft_question.explanation)
    return item_body


def _answer_of(draft_question: DraftQuestion) -> dict[str, Any]:
    """The fields that only its kind has."""
    match draft_question.kind:
        case "single":
            return {"options": list(map(_yaml_of_option, draft_question.options))}
        case "multiple":
            return {"kind": "multiple", "options": list(map(_yaml_of_option, draft_question.options))}
        case "true_false":
            return {"answer": draft_question.is_true, **_feedback_field(draft_question)}
        case "fill":
            return {"blanks": list(map(_yaml_of_blank, draft_question.blanks))}
    if lines_with_points := rubric_lines_with_points(draft_question.checkpoints):
        rubric = [
            {"text": as_markdown_line(line_text), "points": points} for line_text, points in lines_with_points
        ]
        return {"rubric": rubric, "model": as_markdown(draft_question.model_answer)}
    checkpoints = list(map(as_markdown_line, draft_question.checkpoints))
    return {"checkpoints": checkpoints, "model": as_markdown(draft_question.model_answer)}


def _feedback_field(draft_question: DraftQuestion) -> dict[str, Any]:
    """What a judgement hears, where its author wrote something."""
    feedback_by_verdict = {
        "right": as_markdown_line(draft_question.praise),
        "wrong": as_markdown_line(draft_question.correction),
    }
    written_feedback = {
        verdict: feedback_text for verdict, feedback_text in feedback_by_verdict.items() if feedback_text
    }
    if written_feedback:
        return {"feedback": written_feedback}
    return {}


def _yaml_of_option(draft_option: DraftOption) -> Any:
    option_text = as_markdown_line(draft_option.text)
    if not draft_option.is_right and not draft_option.feedback:
        return option_text
    written_option: dict[str, Any] = {"text": option_text}
    if draft_option.is_right:
        written_option["right"] = True
    if draft_option.feedback:
        written_option["feedback"] = as_markdown_line(draft_option.feedback)
    return written_option


def _yaml_of_blank(draft_blank: DraftBlank) -> Any:
    accepted_texts = list(draft_blank.accepted_texts)
    if draft_blank.tolerance_text:
        return {"accept": accepted_texts, "tolerance": float(draft_blank.tolerance_text)}
    if len(accepted_texts) == 1:
        return accepted_texts[0]
    return accepted_texts


def new_text(title: str, chosen_skill: ChosenSkill, draft_questions: Sequence[DraftQuestion]) -> FilledText:
    """A text of its own for these questions.

    >>> questions = [DraftQuestion("true_false", "对吗？")]
    >>> print(new_text("小测", ChosenSkill("bm25", "BM25"), questions).text, end="")
    title: 小测
    skill: bm25
    skills:
      bm25: BM25
    items:
      q1:
        stem: 对吗？
        answer: false
    """
    head_fields: dict[str, Any] = {
        "title": title[:LONGEST_SKILL_NAME] or USUAL_TITLE,
        "skill": chosen_skill.id,
    }
    if chosen_skill.name:
        head_fields["skills"] = {chosen_skill.id: chosen_skill.name}
    return fill_text(dump_yaml(head_fields), chosen_skill, draft_questions)


def fill_text(
    content_text: str,
    chosen_skill: ChosenSkill,
    draft_questions: Sequence[DraftQuestion],
    last_item_number: int = 0,
) -> FilledText:
    """A text with these questions behind its other items. Raises `UnfitText` where it cannot be read.

    A question that stands in it word by word is not put in again. `last_item_number`: of the items that were
    ever stored in it.
    """
    content_data = readable_document(content_text).data
    item_body_by_id = content_data.get("items") or {}
    if not isinstance(item_body_by_id, dict):
        raise UnfitText("那一份的items还没写成一项一行、项名后面一个冒号的样子，先改好再放")
    content_text = with_skill(content_text, content_data, chosen_skill)
    item_id_by_text = {
        _comparable_text(item_body): str(item_id) for item_id, item_body in item_body_by_id.items()
    }
    item_ids: list[str] = []
    new_entries = []
    unused_ids = unused_item_ids(item_body_by_id, last_item_number)
    for draft_question in draft_questions:
        new_item_body = body_of(draft_question)
        comparable_text = _comparable_text(new_item_body)
        if comparable_text not in item_id_by_text:
            item_id_by_text[comparable_text] = next(unused_ids)
            if content_data.get("skill") != chosen_skill.id:
                new_item_body["skill"] = chosen_skill.id
            new_entries.append({item_id_by_text[comparable_text]: new_item_body})
        item_ids.append(item_id_by_text[comparable_text])
    for new_entry in new_entries:
        content_text = with_entry(content_text, "items", new_entry)
    return FilledText(content_text, tuple(item_ids), len(new_entries))


def _comparable_text(item_body: Any) -> str:
    """An item as a text that is the same for the same item, whatever it is filed under."""
    if not isinstance(item_body, dict):
        return repr(item_body)
    return repr(
        sorted(
            (str(field_name), repr(field_value))
            for field_name, field_value in item_body.items()
            if field_name != "skill"
        )
    )
