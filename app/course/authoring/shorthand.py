"""What a teacher may leave out of an item, an example or a card; with it put in, they are as everywhere.

Nothing is judged here: what has another shape than expected stays as it is, for the check that comes after.
"""

from collections.abc import Callable, Collection
from typing import Any

from app.course.items.kinds.base import (
    CHOICE_FEEDBACK,
    CORRECTION_BY_TRUTH,
    JUDGEMENT_PRAISE,
    LINE_FEEDBACK,
    made_option_id,
)
from app.course.text.yaml12 import Key, YamlDocument

KeyPath = tuple[Key, ...]
YamlMapping = dict[Any, Any]
ITEM_KIND_BY_FIELD = {
    "options": "single",
    "lines": "spot",
    "documents": "order",
    "blanks": "fill",
    "checkpoints": "short",
    "rubric": "short",
    "exercise": "generated",
    "question": "numeric",
    "answer": "true_false",
}
"""The kind of an item that names none, by a field that it has."""


def complete_items(yaml_document: YamlDocument, skill_id: str | None) -> Any:
    """The items with kinds, ids of options and feedback; `skill_id` is that of the whole file."""
    return _complete_all(
        yaml_document,
        "items",
        lambda name, item: _complete_item(yaml_document, ("items", name), item, skill_id),
    )


def complete_examples(yaml_document: YamlDocument) -> Any:
    """The examples with grades written behind their documents."""
    return _complete_all(
        yaml_document, "examples", lambda _, example: _with_graded_documents(example, "documents")
    )


def complete_new_skills(yaml_document: YamlDocument, course_skill_ids: Collection[str]) -> Any:
    """The knowledge points of one's own by id, but for those that the course has; in short, one is its
    name."""
    written_skills = yaml_document.data.get("skills", {})
    if not isinstance(written_skills, dict):
        return written_skills
    skill_by_id = {}
    for skill_id, skill in written_skills.items():
        if str(skill_id) in course_skill_ids:
            continue
        skill_by_id[str(skill_id)] = skill
        if isinstance(skill, str):
            skill_by_id[str(skill_id)] = {"name": skill}
    return skill_by_id


def complete_cards(yaml_document: YamlDocument, skill_id: str | None) -> Any:
    """The cards, which ask for a fact where they do not say; `skill_id` is that of the whole file."""
    default_fields = {"asks": "fact"}
    if skill_id:
        default_fields["skill"] = skill_id
    return _complete_all(yaml_document, "cards", lambda _, card: {**default_fields, **card})


def _complete_all(
    yaml_document: YamlDocument, field_name: str, complete_piece: Callable[[Any, YamlMapping], YamlMapping]
) -> Any:
    """The pieces of a kind by id, each completed."""
    written_piece_by_id = yaml_document.data.get(field_name, {})
    if not isinstance(written_piece_by_id, dict):
        return written_piece_by_id
    completed_piece_by_id = {}
    for piece_id, written_piece in written_piece_by_id.items():
        completed_piece_by_id[str(piece_id)] = written_piece
        if isinstance(written_piece, dict):
            completed_piece_by_id[str(piece_id)] = complete_piece(piece_id, written_piece)
    return completed_piece_by_id


def _complete_item(
    yaml_document: YamlDocument, key_path: KeyPath, written_item: YamlMapping, skill_id: str | None
) -> YamlMapping:
    """An item with all that its author may leave out; `skill_id`: of the file, for items without one."""
    completed_item: YamlMapping = {}
    if skill_id and "exercise" not in written_item:
        completed_item["skill"] = skill_id
    item_kind = kind_of(written_item)
    if item_kind:
        completed_item["kind"] = item_kind
    completed_item |= written_item
    if completed_item.get("kind", "") is None:
        del completed_item["kind"]
    _complete_blanks(yaml_document, (*key_path, "blanks"), completed_item)
    _complete_choices(yaml_document, (*key_path, "options"), completed_item, "right", CHOICE_FEEDBACK)
    _complete_choices(yaml_document, (*key_path, "lines"), completed_item, "wrong", LINE_FEEDBACK)
    if completed_item.get("kind") == "order" and isinstance(completed_item.get("documents"), list):
        completed_item["documents"] = [
            _with_id(_graded_document(document, "text")) for document in completed_item["documents"]
        ]
    if isinstance(completed_item.get("ranking"), dict):
        completed_item["ranking"] = _with_graded_documents(completed_item["ranking"], "documents", "unseen")
    if completed_item.get("kind") == "true_false":
        completed_item["feedback"] = _true_false_feedback(
            completed_item.get("feedback"), completed_item.get("answer")
        )
    return completed_item


def kind_of(written_item: YamlMapping) -> str | None:
    """The kind of an item that names none, by its fields.

    >>> kind_of({"blanks": ["甲"]}), kind_of({"stem": "?"})
    ('fill', None)
    """
    for field_name, item_kind in ITEM_KIND_BY_FIELD.items():
        if field_name in written_item:
            if item_kind == "single":
                return _kind_of_options(written_item[field_name])
            return item_kind
    return None


def _kind_of_options(options: Any) -> str:
    if not isinstance(options, list):
        return "single"
    right_options = [option for option in options if isinstance(option, dict) and option.get("right") is True]
    if len(right_options) > 1:
        return "multiple"
    return "single"


def _complete_choices(
    yaml_document: YamlDocument,
    key_path: KeyPath,
    item_mapping: YamlMapping,
    flag_field: str,
    feedbacks: tuple[str, str],
) -> None:
    """Options or lines with ids and feedback. `flag_field`: the field of those that are to be found;
    `feedbacks`: to these, and to the others."""
    field_name = key_path[-1]
    choices = item_mapping.get(field_name)
    if not isinstance(choices, list):
        return
    item_mapping[field_name] = completed_choices = []
    for choice_index, choice in enumerate(choices):
        completed_choices.append(
            _complete_choice(yaml_document, (*key_path, choice_index), choice, flag_field, feedbacks)
        )


def _complete_blanks(yaml_document: YamlDocument, key_path: KeyPath, item_mapping: YamlMapping) -> None:
    """Blanks with what they accept as it was typed; in short, a blank is the one text or the several."""
    blanks = item_mapping.get("blanks")
    if not isinstance(blanks, list):
        return
    item_mapping["blanks"] = completed_blanks = []
    for blank_index, blank in enumerate(blanks):
        if isinstance(blank, dict):
            accepted_texts = _accepted_texts(
                yaml_document, (*key_path, blank_index, "accept"), blank.get("accept")
            )
            completed_blanks.append({**blank, "accept": accepted_texts})
        else:
            completed_blanks.append(
                {"accept": _accepted_texts(yaml_document, (*key_path, blank_index), blank)}
            )


def _accepted_texts(yaml_document: YamlDocument, key_path: KeyPath, written_texts: Any) -> Any:
    """Every way to fill a blank, as it was typed: 0.50 stays 0.50."""
    if isinstance(written_texts, list):
        return [
            yaml_document.written_value((*key_path, text_index)) or written_text
            for text_index, written_text in enumerate(written_texts)
        ]
    return [yaml_document.written_value(key_path) or written_texts]


def _complete_choice(
    yaml_document: YamlDocument,
    key_path: KeyPath,
    written_choice: Any,
    flag_field: str,
    feedbacks: tuple[str, str],
) -> Any:
    """An option or a line; a plain text is one without a mark."""
    if isinstance(written_choice, list):
        return written_choice
    choice_mapping = written_choice
    if not isinstance(written_choice, dict):
        choice_mapping = {"text": yaml_document.written_value(key_path) or ""}
    if isinstance(choice_mapping.get("text"), int | float):
        choice_mapping = {**choice_mapping, "text": yaml_document.written_value((*key_path, "text"))}
    feedback_of_flagged_choice, feedback_of_other_choices = feedbacks
    choice_feedback = feedback_of_other_choices
    if choice_mapping.get(flag_field) is True:
        choice_feedback = feedback_of_flagged_choice
    return {"id": made_option_id(choice_mapping.get("text")), "feedback": choice_feedback, **choice_mapping}


def _with_id(written_document: Any) -> Any:
    if not isinstance(written_document, dict):
        return written_document
    return {"id": made_option_id(written_document.get("text")), **written_document}


def _true_false_feedback(written_feedback: Any, answer: Any) -> Any:
    if isinstance(written_feedback, str):
        return {"right": written_feedback, "wrong": written_feedback}
    if written_feedback is None or isinstance(written_feedback, dict):
        correction = CORRECTION_BY_TRUTH[answer is True]
        return {"right": JUDGEMENT_PRAISE, "wrong": correction, **(written_feedback or {})}
    return written_feedback


def _graded_document(written_document: Any, name_field: str) -> Any:
    """A document with its grade, from `- 火锅店: 3`; `name_field` is what its name is called."""
    if (
        not isinstance(written_document, dict)
        or len(written_document) != 1
        or {name_field, "grade"} & written_document.keys()
    ):
        return written_document
    [(title, grade)] = written_document.items()
    return {name_field: str(title), "grade": grade}


def _with_graded_documents(written_piece: YamlMapping, *field_names: str) -> YamlMapping:
    """An example or a ranking with the documents in `field_names` graded."""
    graded_piece = dict(written_piece)
    for field_name in field_names:
        documents = written_piece.get(field_name)
        if isinstance(documents, list):
            graded_piece[field_name] = [_graded_document(document, "title") for document in documents]
    return graded_piece
