"""What a teacher may leave out of an item, an example or a lesson; with it put in, they are as everywhere.

Nothing is judged here: what has another shape than expected stays as it is, for the check that comes after.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.course.text.yaml12 import Key, YamlDocument

Path = tuple[Key, ...]
STEPS = {
    "say": "text",
    "ask": "item",
    "figure": "figure",
    "example": "example",
    "cards": "cards",
    "recap": "points",
}
"""The word that begins a step in short, and the field that its value is."""
KIND_BY_FIELD = {
    "options": "single",
    "lines": "spot",
    "documents": "order",
    "checkpoints": "short",
    "exercise": "generated",
    "question": "numeric",
    "answer": "true_false",
}
"""The kind of an item that names none, by a field that it has."""
MOST_STEPS, MOST_SECTIONS = 6, 20


def items(document: YamlDocument, skill: str | None) -> Any:
    """The items with kinds, ids of options and feedback; `skill` is that of the whole file."""
    written = document.data.get("items", {})
    if not isinstance(written, dict):
        return written
    return {str(name): _item(document, ("items", name), item, skill) for name, item in written.items()}


def _item(document: YamlDocument, path: Path, written: Any, skill: str | None) -> Any:
    if not isinstance(written, dict):
        return written
    item: dict[Any, Any] = {}
    if skill and "exercise" not in written:
        item["skill"] = skill
    kind = _kind(written)
    if kind:
        item["kind"] = kind
    item |= written
    if item.get("kind", "") is None:
        del item["kind"]
    _complete_choices(document, (*path, "options"), item, "right", ("对。", "不是这一项。"))
    _complete_choices(document, (*path, "lines"), item, "wrong", ("就是这一行。", "这一行没有问题。"))
    if item.get("kind") == "order" and isinstance(item.get("documents"), list):
        item["documents"] = [_with_id(_graded(entry, "text"), "text") for entry in item["documents"]]
    if isinstance(item.get("ranking"), dict):
        item["ranking"] = _with_graded(item["ranking"], "documents", "unseen")
    if item.get("kind") == "true_false":
        item["feedback"] = _true_false_feedback(item.get("feedback"), item.get("answer"))
    return item


def _kind(written: Mapping[Any, Any]) -> str | None:
    for field, kind in KIND_BY_FIELD.items():
        if field in written:
            if kind == "single":
                return _kind_of_options(written[field])
            return kind
    return None


def _kind_of_options(options: Any) -> str:
    if not isinstance(options, list):
        return "single"
    right = [option for option in options if isinstance(option, dict) and option.get("right") is True]
    if len(right) > 1:
        return "multiple"
    return "single"


def _complete_choices(
    document: YamlDocument, path: Path, item: dict[Any, Any], mark: str, feedback: tuple[str, str]
) -> None:
    """Options or lines with ids and feedback. `mark`: the field of those that are to be found; `feedback`: to
    these, and to the others."""
    field = path[-1]
    choices = item.get(field)
    if isinstance(choices, list):
        item[field] = [
            _choice(document, (*path, number), choice, mark, feedback)
            for number, choice in enumerate(choices)
        ]


def _choice(document: YamlDocument, path: Path, written: Any, mark: str, feedback: tuple[str, str]) -> Any:
    """An option or a line; a plain text is one without a mark."""
    if isinstance(written, list):
        return written
    choice = written if isinstance(written, dict) else {"text": document.written(path) or ""}
    if isinstance(choice.get("text"), int | float):
        choice = {**choice, "text": document.written((*path, "text"))}
    text = feedback[0] if choice.get(mark) is True else feedback[1]
    return {"id": _id(choice.get("text")), "feedback": text, **choice}


def _id(text: Any) -> str:
    """An id that stays with the text, wherever it stands in its list.

    >>> _id("火锅") == _id("火锅"), _id("火锅") == _id("茶馆")
    (True, False)
    """
    return "o" + hashlib.sha256(str(text).encode()).hexdigest()[:7]


def _with_id(written: Any, field: str) -> Any:
    if not isinstance(written, dict):
        return written
    return {"id": _id(written.get(field)), **written}


def _true_false_feedback(written: Any, answer: Any) -> Any:
    if isinstance(written, str):
        return {"right": written, "wrong": written}
    if written is None or isinstance(written, dict):
        truth = "对" if answer is True else "不对"
        return {"right": "判断得对。", "wrong": f"这句话其实{truth}。", **(written or {})}
    return written


def _graded(written: Any, field: str) -> Any:
    """A document with its grade, from `- 火锅店: 3`; `field` is what its name is called."""
    if not isinstance(written, dict) or len(written) != 1 or {field, "grade"} & written.keys():
        return written
    [(name, grade)] = written.items()
    return {field: str(name), "grade": grade}


def _with_graded(written: Mapping[Any, Any], *fields: str) -> dict[Any, Any]:
    """The same with the documents in some fields."""
    complete = dict(written)
    for field in fields:
        documents = written.get(field)
        if isinstance(documents, list):
            complete[field] = [_graded(document, "title") for document in documents]
    return complete


def examples(document: YamlDocument) -> Any:
    written = document.data.get("examples", {})
    if not isinstance(written, dict):
        return written
    complete = {}
    for name, example in written.items():
        complete[str(name)] = _with_graded(example, "documents") if isinstance(example, dict) else example
    return complete


def cards(document: YamlDocument, skill: str | None) -> Any:
    written = document.data.get("cards", {})
    if not isinstance(written, dict):
        return written
    usual = {"asks": "fact"}
    if skill:
        usual["skill"] = skill
    complete = {}
    for name, card in written.items():
        complete[str(name)] = {**usual, **card} if isinstance(card, dict) else card
    return complete


def sections(document: YamlDocument) -> Any:
    """The sections with ids and minutes; without any, the items and cards in the order they are written."""
    written = document.data.get("sections")
    if written is None:
        return _default_sections(document.data)
    if not isinstance(written, dict):
        return written
    return [_section(str(name), section) for name, section in written.items()]


def _section(name: str, written: Any) -> Any:
    if not isinstance(written, dict):
        return written
    steps = written.get("steps")
    if not isinstance(steps, list):
        return {"id": name, "minutes": 5, **written}
    complete = [_step(number, step) for number, step in enumerate(steps, 1)]
    minutes = min(10, max(1, 2 * len(steps)))
    return {"id": name, "minutes": minutes, **written, "steps": complete}


def _step(number: int, written: Any) -> Any:
    if isinstance(written, str):
        written = {"say": written}
    if not isinstance(written, dict):
        return written
    step = dict(written)
    if "kind" not in step:
        for word, field in STEPS.items():
            if word in step:
                value = step.pop(word)
                step = {"kind": word, field: value, **step}
                break
    return {"id": f"step-{number}", **step}


def _default_sections(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Sections for a teacher who wrote none: six questions, or six cards, at a time."""
    groups = [*_in_sixes(_default_steps(data))][:MOST_SECTIONS]
    if not groups:
        groups = [[{"kind": "say", "text": "练一练"}]]
    complete = []
    for number, group in enumerate(groups, 1):
        section = {
            "id": f"part-{number}",
            "title": "练一练" if len(groups) == 1 else f"第{number}组",
            "minutes": len(group),
            "steps": [{"id": f"step-{place}", **step} for place, step in enumerate(group, 1)],
        }
        complete.append(section)
    return complete


def _default_steps(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every item but the twins, and the cards by six; where there are neither, the examples."""
    items = data.get("items")
    twins = set()
    if isinstance(items, dict):
        twins = {item.get("twin") for item in items.values() if isinstance(item, dict)}
    steps: list[dict[str, Any]] = [{"kind": "ask", "item": name} for name in _ids(items) if name not in twins]
    steps += [{"kind": "cards", "cards": [*names]} for names in _in_sixes(_ids(data.get("cards")))]
    if not steps:
        steps = [{"kind": "example", "example": name} for name in _ids(data.get("examples"))]
    return steps


def _ids(names: Any) -> list[str]:
    """The names that can be ids; the check of the course complains of others."""
    if not isinstance(names, dict):
        return []
    return [name for name in map(str, names) if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)]


def _in_sixes(entries: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(entries), MOST_STEPS):
        yield entries[start : start + MOST_STEPS]
