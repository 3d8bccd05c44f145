"""What a teacher may leave out of an item, an example or a lesson; with it put in, they are as everywhere.

Nothing is judged here: what has another shape than expected stays as it is, for the check that comes after.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from app.course.text.yaml12 import Key, YamlDocument

Path = tuple[Key, ...]
YamlMapping = dict[Any, Any]
FIELD_OF_STEP_WORD = {
    "say": "text",
    "ask": "item",
    "figure": "figure",
    "example": "example",
    "cards": "cards",
    "recap": "points",
    "play": "start",
}
"""The word that begins a step in short, and the field that its value is."""
KIND_BY_FIELD = {
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
MOST_STEPS, MOST_SECTIONS = 6, 20


def items(document: YamlDocument, skill: str | None) -> Any:
    """The items with kinds, ids of options and feedback; `skill` is that of the whole file."""
    return _complete_all(document, "items", lambda name, item: _item(document, ("items", name), item, skill))


def examples(document: YamlDocument) -> Any:
    """The examples with grades written behind their documents."""
    return _complete_all(
        document, "examples", lambda _, example: _with_graded_documents(example, "documents")
    )


def skills(document: YamlDocument) -> Any:
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


def cards(document: YamlDocument, skill: str | None) -> Any:
    """The cards, which ask for a fact where they do not say; `skill` is that of the whole file."""
    default_fields = {"asks": "fact"}
    if skill:
        default_fields["skill"] = skill
    return _complete_all(document, "cards", lambda _, card: {**default_fields, **card})


def _complete_all(
    document: YamlDocument, kind: str, completed: Callable[[Any, YamlMapping], YamlMapping]
) -> Any:
    """The pieces of a kind by id, each completed."""
    pieces = document.data.get(kind, {})
    if not isinstance(pieces, dict):
        return pieces
    pieces_by_id = {}
    for piece_id, piece in pieces.items():
        pieces_by_id[str(piece_id)] = piece
        if isinstance(piece, dict):
            pieces_by_id[str(piece_id)] = completed(piece_id, piece)
    return pieces_by_id


def _item(document: YamlDocument, path: Path, yaml_value: YamlMapping, skill: str | None) -> YamlMapping:
    item: YamlMapping = {}
    if skill and "exercise" not in yaml_value:
        item["skill"] = skill
    kind = kind_of(yaml_value)
    if kind:
        item["kind"] = kind
    item |= yaml_value
    if item.get("kind", "") is None:
        del item["kind"]
    _complete_blanks(document, (*path, "blanks"), item)
    _complete_choices(document, (*path, "options"), item, "right", ("对。", "不是这一项。"))
    _complete_choices(document, (*path, "lines"), item, "wrong", ("就是这一行。", "这一行没有问题。"))
    if item.get("kind") == "order" and isinstance(item.get("documents"), list):
        item["documents"] = [_with_id(_graded_document(entry, "text")) for entry in item["documents"]]
    if isinstance(item.get("ranking"), dict):
        item["ranking"] = _with_graded_documents(item["ranking"], "documents", "unseen")
    if item.get("kind") == "true_false":
        item["feedback"] = _true_false_feedback(item.get("feedback"), item.get("answer"))
    return item


def kind_of(yaml_value: YamlMapping) -> str | None:
    """The kind of an item that names none, by its fields.

    >>> kind_of({"blanks": ["甲"]}), kind_of({"stem": "?"})
    ('fill', None)
    """
    for field, kind in KIND_BY_FIELD.items():
        if field in yaml_value:
            if kind == "single":
                return _kind_of_options(yaml_value[field])
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
    document: YamlDocument, path: Path, item: YamlMapping, flag_field: str, feedback: tuple[str, str]
) -> None:
    """Options or lines with ids and feedback. `flag_field`: the field of those that are to be found;
    `feedback`: to these, and to the others."""
    field = path[-1]
    choices = item.get(field)
    if not isinstance(choices, list):
        return
    item[field] = complete_choices = []
    for index, choice in enumerate(choices):
        complete_choices.append(_choice(document, (*path, index), choice, flag_field, feedback))


def _complete_blanks(document: YamlDocument, path: Path, item: YamlMapping) -> None:
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


def _accepted_texts(document: YamlDocument, path: Path, yaml_value: Any) -> Any:
    """Every way to fill a blank, as it was typed: 0.50 stays 0.50."""
    if isinstance(yaml_value, list):
        return [document.written((*path, index)) or text for index, text in enumerate(yaml_value)]
    return [document.written(path) or yaml_value]


def _choice(
    document: YamlDocument, path: Path, yaml_value: Any, flag_field: str, feedback: tuple[str, str]
) -> Any:
    """An option or a line; a plain text is one without a mark."""
    if isinstance(yaml_value, list):
        return yaml_value
    choice = yaml_value
    if not isinstance(yaml_value, dict):
        choice = {"text": document.written(path) or ""}
    if isinstance(choice.get("text"), int | float):
        choice = {**choice, "text": document.written((*path, "text"))}
    feedback_to_flagged, feedback_to_others = feedback
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
        truth = "不对"
        if answer is True:
            truth = "对"
        return {"right": "判断得对。", "wrong": f"这句话其实{truth}。", **(yaml_value or {})}
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


def sections(document: YamlDocument) -> Any:
    """The sections with ids and minutes; without any, the items and cards in the order they are written."""
    written_sections = document.data.get("sections")
    if written_sections is None:
        return _default_sections(document.data)
    if not isinstance(written_sections, dict):
        return written_sections
    return [_section(str(section_id), section) for section_id, section in written_sections.items()]


def toy_paths(document: YamlDocument) -> Iterator[Path]:
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


def _section(section_id: str, yaml_value: Any) -> Any:
    if not isinstance(yaml_value, dict):
        return yaml_value
    steps = yaml_value.get("steps")
    if not isinstance(steps, list):
        return {"id": section_id, "minutes": 5, **yaml_value}
    complete_steps = [_step(step_number, step) for step_number, step in enumerate(steps, 1)]
    minutes = min(10, max(1, 2 * len(steps)))
    return {"id": section_id, "minutes": minutes, **yaml_value, "steps": complete_steps}


def _step(step_number: int, yaml_value: Any) -> Any:
    if isinstance(yaml_value, str):
        yaml_value = {"say": yaml_value}
    if not isinstance(yaml_value, dict):
        return yaml_value
    step = dict(yaml_value)
    if "kind" not in step:
        for word, field in FIELD_OF_STEP_WORD.items():
            if word in step:
                shorthand_value = step.pop(word)
                step = {"kind": word, field: shorthand_value, **step}
                break
    return {"id": f"step-{step_number}", **step}


def _default_sections(data: YamlMapping) -> list[YamlMapping]:
    """Sections for a teacher who wrote none: six questions, or six cards, at a time."""
    groups = [*_in_sixes(_default_steps(data))][:MOST_SECTIONS]
    if not groups:
        groups = [[{"kind": "say", "text": "练一练"}]]
    complete_sections = []
    for section_number, group in enumerate(groups, 1):
        title = f"第{section_number}组"
        if len(groups) == 1:
            title = "练一练"
        steps = [_step(step_number, step) for step_number, step in enumerate(group, 1)]
        complete_sections.append(
            {"id": f"part-{section_number}", "title": title, "minutes": len(group), "steps": steps}
        )
    return complete_sections


def _default_steps(data: YamlMapping) -> list[YamlMapping]:
    """Every item but the twins, and the cards by six; where there are neither, the examples."""
    items = data.get("items")
    twin_ids = set()
    if isinstance(items, dict):
        twin_ids = set(_twins(items.values()))
    steps: list[YamlMapping] = [
        {"kind": "ask", "item": item_id} for item_id in _ids(items) if item_id not in twin_ids
    ]
    steps += [{"kind": "cards", "cards": [*names]} for names in _in_sixes(_ids(data.get("cards")))]
    if not steps:
        steps = [{"kind": "example", "example": example_id} for example_id in _ids(data.get("examples"))]
    return steps


def _twins(items: Iterable[Any]) -> Iterator[str]:
    """The ids of twins; the check of the course complains of what is no id."""
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("twin"), str):
            yield item["twin"]


def _ids(names: Any) -> list[str]:
    """The names that can be ids; the check of the course complains of others."""
    if not isinstance(names, dict):
        return []
    return [id_ for id_ in map(str, names) if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id_)]


def _in_sixes(entries: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(entries), MOST_STEPS):
        yield entries[start : start + MOST_STEPS]
