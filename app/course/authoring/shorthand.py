"""What a teacher may leave out of an item, an example or a lesson; with it put in, they are as everywhere.

Nothing here judges: what is not as expected stays as it is, and is told by the check that comes after.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.course.text.yaml12 import Key, YamlDocument

Path = tuple[Key, ...]
STEPS = {
    "say": "text", "ask": "item", "figure": "figure", "example": "example", "cards": "cards",
    "recap": "points",
}  # fmt: skip
"""The word that begins a step in short, and the field that its value is."""
TELLING = {
    "options": "single",
    "lines": "spot",
    "documents": "order",
    "checkpoints": "short",
    "exercise": "generated",
    "question": "numeric",
    "answer": "true_false",
}
"""What tells the kind of an item that names none."""
MOST_STEPS, MOST_SECTIONS = 6, 20


def items(document: YamlDocument, skill: str | None) -> Any:
    """The items with kinds, ids of options and feedback; `skill` is that of the whole file."""
    found = document.data.get("items", {})
    if not isinstance(found, dict):
        return found
    return {str(name): _item(document, ("items", name), one, skill) for name, one in found.items()}


def _item(document: YamlDocument, path: Path, one: Any, skill: str | None) -> Any:
    if not isinstance(one, dict):
        return one
    full = {**({"skill": skill} if skill and "exercise" not in one else {}), "kind": _kind(one), **one}
    if full["kind"] is None:
        del full["kind"]
    for field, right, said in (("options", "right", ("对。", "不是这一项。")),
                               ("lines", "wrong", ("就是这一行。", "这一行没有问题。"))):  # fmt: skip
        if isinstance(full.get(field), list):
            full[field] = [
                _option(document, (*path, field, number), each, right, said)
                for number, each in enumerate(full[field])
            ]
    if full.get("kind") == "order" and isinstance(full.get("documents"), list):
        full["documents"] = [_titled(one, "text", with_id=True) for one in full["documents"]]
    if isinstance(full.get("ranking"), dict):
        full["ranking"] = _listed(full["ranking"], "documents", "unseen")
    if full.get("kind") == "true_false":
        full["feedback"] = _feedback(full.get("feedback"), full.get("answer"))
    return full


def _kind(one: Mapping[Any, Any]) -> str | None:
    kind = next((kind for field, kind in TELLING.items() if field in one), None)
    options = one.get("options")
    if kind == "single" and isinstance(options, list):
        right = [each for each in options if isinstance(each, dict) and each.get("right") is True]
        return "multiple" if len(right) > 1 else "single"
    return kind


def _option(document: YamlDocument, path: Path, one: Any, right: str, said: tuple[str, str]) -> Any:
    """An option or a line: a plain text is one that is nothing special."""
    if not isinstance(one, dict | list):
        one = {"text": document.written(path) or ""}
    elif isinstance(one, dict) and isinstance(one.get("text"), int | float):
        one = {**one, "text": document.written((*path, "text"))}
    if not isinstance(one, dict):
        return one
    told = said[0] if one.get(right) is True else said[1]
    return {"id": _id(one.get("text")), "feedback": told, **one}


def _id(text: Any) -> str:
    """An id that stays with the text, wherever it stands in its list.

    >>> _id("火锅") == _id("火锅"), _id("火锅") == _id("茶馆")
    (True, False)
    """
    return "o" + hashlib.sha256(str(text).encode()).hexdigest()[:7]


def _feedback(one: Any, answer: Any) -> Any:
    if isinstance(one, str):
        return {"right": one, "wrong": one}
    if one is None or isinstance(one, dict):
        truth = "对" if answer is True else "不对"
        return {"right": "判断得对。", "wrong": f"这句话其实{truth}。", **(one or {})}
    return one


def _titled(one: Any, name: str, with_id: bool = False) -> Any:
    """`- 火锅店: 3` is a document with its grade."""
    if isinstance(one, dict) and len(one) == 1 and not {name, "grade"} & one.keys():
        [(title, grade)] = one.items()
        one = {name: str(title), "grade": grade}
    if with_id and isinstance(one, dict):
        return {"id": _id(one.get(name)), **one}
    return one


def _listed(one: Mapping[Any, Any], *fields: str) -> dict[Any, Any]:
    lists = {
        field: [_titled(each, "title") for each in one[field]]
        for field in fields
        if isinstance(one.get(field), list)
    }
    return {**one, **lists}


def examples(document: YamlDocument) -> Any:
    found = document.data.get("examples", {})
    if not isinstance(found, dict):
        return found
    return {
        str(name): _listed(one, "documents") if isinstance(one, dict) else one for name, one in found.items()
    }


def cards(document: YamlDocument, skill: str | None) -> Any:
    found = document.data.get("cards", {})
    if not isinstance(found, dict):
        return found
    usual = {"asks": "fact", **({"skill": skill} if skill else {})}
    return {str(name): {**usual, **one} if isinstance(one, dict) else one for name, one in found.items()}


def sections(document: YamlDocument) -> Any:
    """The sections with ids and minutes; without any, the items and cards in the order they are written."""
    found = document.data.get("sections")
    if found is None:
        return _made(document.data)
    if not isinstance(found, dict):
        return found
    return [_section(str(name), one) for name, one in found.items()]


def _section(name: str, one: Any) -> Any:
    if not isinstance(one, dict):
        return one
    steps = one.get("steps")
    if not isinstance(steps, list):
        return {"id": name, "minutes": 5, **one}
    full = [_step(number, each) for number, each in enumerate(steps, 1)]
    return {"id": name, "minutes": min(10, max(1, 2 * len(full))), **one, "steps": full}


def _step(number: int, one: Any) -> Any:
    if isinstance(one, str):
        one = {"say": one}
    if not isinstance(one, dict):
        return one
    word = next((word for word in STEPS if word in one), None) if "kind" not in one else None
    if word:
        rest = {name: value for name, value in one.items() if name != word}
        one = {"kind": word, STEPS[word]: one[word], **rest}
    return {"id": f"step-{number}", **one}


def _made(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Sections for whoever wrote none: six questions, or six cards, at a time."""
    written, sets = data.get("items"), data.get("cards")
    found = written if isinstance(written, dict) else {}
    twins = {one.get("twin") for one in found.values() if isinstance(one, dict)}
    asked = [{"kind": "ask", "item": name} for name in _ids(found) if name not in twins]
    turned = _ids(sets) if isinstance(sets, dict) else []
    shown = _ids(opened) if isinstance(opened := data.get("examples"), dict) and not asked + turned else []
    steps: list[dict[str, Any]] = [
        *asked,
        *({"kind": "example", "example": name} for name in shown),
        *({"kind": "cards", "cards": list(six)} for six in _sixes(turned)),
    ]
    groups = list(_sixes(steps))[:MOST_SECTIONS] or [[{"kind": "say", "text": "练一练"}]]
    return [
        {
            "id": f"part-{number}",
            "title": "练一练" if len(groups) == 1 else f"第{number}组",
            "minutes": len(group),
            "steps": [{"id": f"step-{place}", **step} for place, step in enumerate(group, 1)],
        }
        for number, group in enumerate(groups, 1)
    ]


def _ids(names: Iterable[Any]) -> list[str]:
    """Those that can be ids; about the others somebody else complains."""
    return [name for name in map(str, names) if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)]


def _sixes(things: Sequence[Any]) -> Sequence[Sequence[Any]]:
    return [things[start : start + MOST_STEPS] for start in range(0, len(things), MOST_STEPS)]
