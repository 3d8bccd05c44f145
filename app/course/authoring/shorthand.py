"""What a teacher may leave out of an item, an example or a lesson; with it put in, they are as everywhere.

Nothing is judged here: what has another shape than expected stays as it is, for the check that comes after.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from app.course.items.kinds import usual_words
from app.course.text.yaml12 import Key, YamlDocument

KeyPath = tuple[Key, ...]
YamlMapping = dict[Any, Any]
FIELD_BY_STEP_WORD = {
    "say": "text",
    "ask": "item",
    "figure": "figure",
    "example": "example",
    "cards": "cards",
    "recap": "points",
    "play": "start",
}
"""The word that begins a step in short, and the field that its value is."""
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
MOST_STEPS_OF_SECTION, MOST_SECTIONS = 6, 20


def complete_items(document: YamlDocument, skill_id: str | None) -> Any:
    """The items with kinds, ids of options and feedback; `skill_id` is that of the whole file."""
    return _complete_all(
        document,
        "items",
        lambda name, item: _complete_item(document, ("items", name), item, skill_id),
    )


def complete_examples(document: YamlDocument) -> Any:
    """The examples with grades written behind their documents."""
    return _complete_all(
        document, "examples", lambda _, example: _with_graded_documents(example, "documents")
    )


def skills_by_id(document: YamlDocument) -> Any:
    """The knowledge points of one's own by id; in short, one is its name."""
    written_skills = document.data.get("skills", {})
    if not isinstance(written_skills, dict):
        return written_skills
    skills_by_id = {}
    for skill_id, skill in written_skills.items():
        skills_by_id[str(skill_id)] = skill
        if isinstance(skill, str):
            skills_by_id[str(skill_id)] = {"name": skill}
    return skills_by_id


def complete_cards(document: YamlDocument, skill_id: str | None) -> Any:
    """The cards, which ask for a fact where they do not say; `skill_id` is that of the whole file."""
    default_fields = {"asks": "fact"}
    if skill_id:
        default_fields["skill"] = skill_id
    return _complete_all(document, "cards", lambda _, card: {**default_fields, **card})


def _complete_all(
    document: YamlDocument, field_name: str, complete_piece: Callable[[Any, YamlMapping], YamlMapping]
) -> Any:
    """The pieces of a kind by id, each completed."""
    written_pieces = document.data.get(field_name, {})
    if not isinstance(written_pieces, dict):
        return written_pieces
    complete_pieces = {}
    for piece_id, piece in written_pieces.items():
        complete_pieces[str(piece_id)] = piece
        if isinstance(piece, dict):
            complete_pieces[str(piece_id)] = complete_piece(piece_id, piece)
    return complete_pieces


def _complete_item(
    document: YamlDocument, path: KeyPath, yaml_value: YamlMapping, skill_id: str | None
) -> YamlMapping:
    complete_item: YamlMapping = {}
    if skill_id and "exercise" not in yaml_value:
        complete_item["skill"] = skill_id
    kind = kind_of(yaml_value)
    if kind:
        complete_item["kind"] = kind
    complete_item |= yaml_value
    if complete_item.get("kind", "") is None:
        del complete_item["kind"]
    _complete_blanks(document, (*path, "blanks"), complete_item)
    _complete_choices(document, (*path, "options"), complete_item, "right", usual_words.CHOICE_FEEDBACK)
    _complete_choices(document, (*path, "lines"), complete_item, "wrong", usual_words.LINE_FEEDBACK)
    if complete_item.get("kind") == "order" and isinstance(complete_item.get("documents"), list):
        complete_item["documents"] = [
            _with_id(_graded_document(entry, "text")) for entry in complete_item["documents"]
        ]
    if isinstance(complete_item.get("ranking"), dict):
        complete_item["ranking"] = _with_graded_documents(complete_item["ranking"], "documents", "unseen")
    if complete_item.get("kind") == "true_false":
        complete_item["feedback"] = _true_false_feedback(
            complete_item.get("feedback"), complete_item.get("answer")
        )
    return complete_item


def kind_of(yaml_value: YamlMapping) -> str | None:
    """The kind of an item that names none, by its fields.

    >>> kind_of({"blanks": ["甲"]}), kind_of({"stem": "?"})
    ('fill', None)
    """
    for field_name, kind in ITEM_KIND_BY_FIELD.items():
        if field_name in yaml_value:
            if kind == "single":
                return _kind_of_options(yaml_value[field_name])
            return kind
    return None


def _kind_of_options(options: Any) -> str:
    if not isinstance(options, list):
        return "single"
    right_options = [option for option in options if isinstance(option, dict) and option.get("right") is True]
    if len(right_options) > 1:
        return "multiple"
    return "single"


def _complete_choices(
    document: YamlDocument,
    path: KeyPath,
    item: YamlMapping,
    flag_field: str,
    feedbacks: tuple[str, str],
) -> None:
    """Options or lines with ids and feedback. `flag_field`: the field of those that are to be found;
    `feedbacks`: to these, and to the others."""
    field_name = path[-1]
    choices = item.get(field_name)
    if not isinstance(choices, list):
        return
    item[field_name] = complete_choices = []
    for index, choice in enumerate(choices):
        complete_choices.append(_complete_choice(document, (*path, index), choice, flag_field, feedbacks))


def _complete_blanks(document: YamlDocument, path: KeyPath, item: YamlMapping) -> None:
    """Blanks with what they accept as it was typed; in short, a blank is the one text or the several."""
    blanks = item.get("blanks")
    if not isinstance(blanks, list):
        return
    item["blanks"] = complete_blanks = []
    for index, blank in enumerate(blanks):
        if isinstance(blank, dict):
            accepted_texts = _accepted_texts(document, (*path, index, "accept"), blank.get("accept"))
            complete_blanks.append({**blank, "accept": accepted_texts})
        else:
            complete_blanks.append({"accept": _accepted_texts(document, (*path, index), blank)})


def _accepted_texts(document: YamlDocument, path: KeyPath, yaml_value: Any) -> Any:
    """Every way to fill a blank, as it was typed: 0.50 stays 0.50."""
    if isinstance(yaml_value, list):
        return [document.written((*path, index)) or text for index, text in enumerate(yaml_value)]
    return [document.written(path) or yaml_value]


def _complete_choice(
    document: YamlDocument,
    path: KeyPath,
    yaml_value: Any,
    flag_field: str,
    feedbacks: tuple[str, str],
) -> Any:
    """An option or a line; a plain text is one without a mark."""
    if isinstance(yaml_value, list):
        return yaml_value
    choice = yaml_value
    if not isinstance(yaml_value, dict):
        choice = {"text": document.written(path) or ""}
    if isinstance(choice.get("text"), int | float):
        choice = {**choice, "text": document.written((*path, "text"))}
    feedback_to_flagged, feedback_to_others = feedbacks
    choice_feedback = feedback_to_others
    if choice.get(flag_field) is True:
        choice_feedback = feedback_to_flagged
    return {"id": _id_of_text(choice.get("text")), "feedback": choice_feedback, **choice}


def _id_of_text(option_text: Any) -> str:
    """An id that stays with the text, wherever it stands in its list.

    >>> _id_of_text("火锅") == _id_of_text("火锅"), _id_of_text("火锅") == _id_of_text("茶馆")
    (True, False)
    """
    return "o" + hashlib.sha256(str(option_text).encode()).hexdigest()[:7]


def _with_id(yaml_value: Any) -> Any:
    if not isinstance(yaml_value, dict):
        return yaml_value
    return {"id": _id_of_text(yaml_value.get("text")), **yaml_value}


def _true_false_feedback(yaml_value: Any, answer: Any) -> Any:
    if isinstance(yaml_value, str):
        return {"right": yaml_value, "wrong": yaml_value}
    if yaml_value is None or isinstance(yaml_value, dict):
        correction = usual_words.CORRECTIONS[answer is True]
        return {"right": usual_words.JUDGEMENT_PRAISE, "wrong": correction, **(yaml_value or {})}
    return yaml_value


def _graded_document(yaml_value: Any, field: str) -> Any:
    """A document with its grade, from `- 火锅店: 3`; `field` is what its name is called."""
    if not isinstance(yaml_value, dict) or len(yaml_value) != 1 or {field, "grade"} & yaml_value.keys():
        return yaml_value
    [(title, grade)] = yaml_value.items()
    return {field: str(title), "grade": grade}


def _with_graded_documents(yaml_value: YamlMapping, *fields: str) -> YamlMapping:
    """An example or a ranking with the documents in `fields` graded."""
    graded_piece = dict(yaml_value)
    for field in fields:
        documents = yaml_value.get(field)
        if isinstance(documents, list):
            graded_piece[field] = [_graded_document(document, "title") for document in documents]
    return graded_piece


def sections_in_full(document: YamlDocument) -> Any:
    """The sections with ids and minutes; without any, the items and cards in the order they are written."""
    written_sections = document.data.get("sections")
    if written_sections is None:
        return _default_sections(document.data)
    if not isinstance(written_sections, dict):
        return written_sections
    return [_complete_section(str(section_id), section) for section_id, section in written_sections.items()]


def toy_paths(document: YamlDocument) -> Iterator[KeyPath]:
    """Where movable rows of candies stand."""
    sections = document.data.get("sections")
    if not isinstance(sections, dict):
        return
    for section_id, section in sections.items():
        steps = section.get("steps") if isinstance(section, dict) else None
        if not isinstance(steps, list):
            continue
        for index, step in enumerate(steps):
            if isinstance(step, dict) and ("play" in step or step.get("kind") == "play"):
                yield "sections", section_id, "steps", index


def _complete_section(section_id: str, written_section: Any) -> Any:
    if not isinstance(written_section, dict):
        return written_section
    steps = written_section.get("steps")
    if not isinstance(steps, list):
        return {"id": section_id, "minutes": 5, **written_section}
    complete_steps = [_complete_step(step_number, step) for step_number, step in enumerate(steps, 1)]
    minutes = min(10, max(1, 2 * len(steps)))
    return {"id": section_id, "minutes": minutes, **written_section, "steps": complete_steps}


def _complete_step(step_number: int, written_step: Any) -> Any:
    if isinstance(written_step, str):
        written_step = {"say": written_step}
    if not isinstance(written_step, dict):
        return written_step
    step = dict(written_step)
    if "kind" not in step:
        for word, field in FIELD_BY_STEP_WORD.items():
            if word in step:
                shorthand_value = step.pop(word)
                step = {"kind": word, field: shorthand_value, **step}
                break
    return {"id": f"step-{step_number}", **step}


def _default_sections(data: YamlMapping) -> list[YamlMapping]:
    """Sections for a teacher who wrote none: six questions, or six cards, at a time."""
    step_groups = [*_groups_of_six(_default_steps(data))][:MOST_SECTIONS]
    if not step_groups:
        step_groups = [[{"kind": "say", "text": "练一练"}]]
    complete_sections = []
    for section_number, steps_of_group in enumerate(step_groups, 1):
        title = f"第{section_number}组"
        if len(step_groups) == 1:
            title = "练一练"
        steps = [_complete_step(step_number, step) for step_number, step in enumerate(steps_of_group, 1)]
        complete_sections.append(
            {"id": f"part-{section_number}", "title": title, "minutes": len(steps_of_group), "steps": steps}
        )
    return complete_sections


def _default_steps(data: YamlMapping) -> list[YamlMapping]:
    """Every item but the twins, and the cards by six; where there are neither, the examples."""
    items = data.get("items")
    twin_ids = set()
    if isinstance(items, dict):
        twin_ids = set(_twin_ids(items.values()))
    steps: list[YamlMapping] = [
        {"kind": "ask", "item": item_id} for item_id in _possible_ids(items) if item_id not in twin_ids
    ]
    steps += [
        {"kind": "cards", "cards": [*names]} for names in _groups_of_six(_possible_ids(data.get("cards")))
    ]
    if not steps:
        steps = [
            {"kind": "example", "example": example_id} for example_id in _possible_ids(data.get("examples"))
        ]
    return steps


def _twin_ids(items: Iterable[Any]) -> Iterator[str]:
    """The ids of twins; the check of the course complains of what is no id."""
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("twin"), str):
            yield item["twin"]


def _possible_ids(pieces: Any) -> list[str]:
    """The names that can be ids; the check of the course complains of others."""
    if not isinstance(pieces, dict):
        return []
    return [id_ for id_ in map(str, pieces) if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id_)]


def _groups_of_six(entries: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start_index in range(0, len(entries), MOST_STEPS_OF_SECTION):
        yield entries[start_index : start_index + MOST_STEPS_OF_SECTION]
