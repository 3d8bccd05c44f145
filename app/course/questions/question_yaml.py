"""Questions put into the YAML text of own content: a new text, or more items in one that is there.

What is there stays as it was typed, comments too: lines are only put in.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from app.course.content.course import Course
from app.course.questions.draft_questions import DraftBlank, DraftOption, DraftQuestion, scored_points
from app.course.questions.plain_markdown import as_markdown, as_markdown_line
from app.course.text import untrusted
from app.course.text.faults import Faults

UNTITLED = "贴来的题"
LONGEST_NAME = 60
"""Characters of a title, and of the name of a knowledge point."""
_FIRST_KEY = re.compile(r"^[^\s#]")


class UnfitText(ValueError):
    """Own content into which nothing can be put as it stands."""


class ChosenSkill(NamedTuple):
    """A knowledge point; `name` only where it is new in own content."""

    id: str
    name: str = ""


class FilledText(NamedTuple):
    """A text with questions put in. `ids`: of each, in their order, also of one that was there already;
    `added`: how many are new."""

    text: str
    ids: tuple[str, ...]
    added: int


class _Dumper(yaml.SafeDumper):
    """Texts of several lines stand below a `|`."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _of_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _of_text)


def dumped(data: Mapping[str, Any], indent: str = "") -> str:
    """YAML of some fields, each line behind `indent`.

    >>> print(dumped({"stem": "甲\\n\\n乙", "options": ["3.50", {"text": "丙", "right": True}]}), end="")
    stem: |-
      甲
    <BLANKLINE>
      乙
    options:
      - '3.50'
      - text: 丙
        right: true
    """
    text: str = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**6)
    lines = [f"{indent}{line}".rstrip() for line in text.rstrip("\n").split("\n")]
    return "\n".join(lines) + "\n"


def body_of(question: DraftQuestion) -> dict[str, Any]:
    """A question as the fields of an item, in short form."""
    body: dict[str, Any] = {"stem": as_markdown(question.stem), **_answer_of(question)}
    if question.hints:
        body["hints"] = [as_markdown_line(hint) for hint in question.hints]
    if question.explanation:
        body["explanation"] = as_markdown(question.explanation)
    return body


def _answer_of(question: DraftQuestion) -> dict[str, Any]:
    """The fields that only its kind has."""
    match question.kind:
        case "single":
            return {"options": list(map(_option, question.options))}
        case "multiple":
            return {"kind": "multiple", "options": list(map(_option, question.options))}
        case "true_false":
            return {"answer": question.truth, **_feedback(question)}
        case "fill":
            return {"blanks": list(map(_blank, question.blanks))}
    if scored := scored_points(question.points):
        rubric = [{"text": as_markdown_line(text), "points": points} for text, points in scored]
        return {"rubric": rubric, "model": as_markdown(question.model)}
    points = list(map(as_markdown_line, question.points))
    return {"checkpoints": points, "model": as_markdown(question.model)}


def _feedback(question: DraftQuestion) -> dict[str, Any]:
    """What a judgement hears, where its author wrote something."""
    feedback = {"right": as_markdown_line(question.praise), "wrong": as_markdown_line(question.correction)}
    written = {name: text for name, text in feedback.items() if text}
    if written:
        return {"feedback": written}
    return {}


def _option(option: DraftOption) -> Any:
    text = as_markdown_line(option.text)
    if not option.right and not option.feedback:
        return text
    written: dict[str, Any] = {"text": text}
    if option.right:
        written["right"] = True
    if option.feedback:
        written["feedback"] = as_markdown_line(option.feedback)
    return written


def _blank(blank: DraftBlank) -> Any:
    accept = list(blank.accept)
    if blank.tolerance:
        return {"accept": accept, "tolerance": float(blank.tolerance)}
    if len(accept) == 1:
        return accept[0]
    return accept


def new_text(title: str, skill: ChosenSkill, questions: Sequence[DraftQuestion]) -> FilledText:
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
    head: dict[str, Any] = {"title": title[:LONGEST_NAME] or UNTITLED, "skill": skill.id}
    if skill.name:
        head["skills"] = {skill.id: skill.name}
    return filled(dumped(head), skill, questions)


def filled(text: str, skill: ChosenSkill, questions: Sequence[DraftQuestion]) -> FilledText:
    """A text with these questions behind its other items. Raises `UnfitText` where it cannot be read.

    A question that stands in it word by word is not put in again.
    """
    try:
        data = untrusted.read(text).data
    except Faults as error:
        fault = error.faults[0]
        raise UnfitText(f"那一份里第{fault.line}行有错，先改好再放：{fault.message}") from error
    if not isinstance(data, dict):
        raise UnfitText("那一份还没写成“title: 标题”的样子，先改好再放")
    items = data.get("items") or {}
    if not isinstance(items, dict):
        raise UnfitText("那一份的items还没写成一项一行、项名后面一个冒号的样子，先改好再放")
    text = with_skill(text, data, skill)
    ids_by_body = {_comparable(item): str(item_id) for item_id, item in items.items()}
    ids: list[str] = []
    pieces = []
    new_ids = free_ids(items)
    for question in questions:
        body = body_of(question)
        key = _comparable(body)
        if key not in ids_by_body:
            ids_by_body[key] = next(new_ids)
            if data.get("skill") != skill.id:
                body["skill"] = skill.id
            pieces.append({ids_by_body[key]: body})
        ids.append(ids_by_body[key])
    for piece in pieces:
        text = with_entry(text, "items", piece)
    return FilledText(text, tuple(ids), len(pieces))


def with_skill(text: str, data: Mapping[str, Any], skill: ChosenSkill) -> str:
    """The text with a knowledge point of one's own, where it has none of that id."""
    if not skill.name or skill.id in (data.get("skills") or {}):
        return text
    return with_entry(text, "skills", {skill.id: skill.name})


def _comparable(item: Any) -> str:
    """An item as a text that is the same for the same item, whatever it is filed under."""
    if not isinstance(item, dict):
        return repr(item)
    return repr(sorted((str(name), repr(value)) for name, value in item.items() if name != "skill"))


def free_ids(items: Mapping[Any, Any]) -> Iterator[str]:
    """Ids that no item has: q1, q2, …"""
    number = 0
    while True:
        number += 1
        if f"q{number}" not in items:
            yield f"q{number}"


def with_entry(text: str, field: str, entry: Mapping[str, Any]) -> str:
    """The text with one more entry at the end of an outermost field; the field comes where it is not there.

    >>> print(with_entry("items:\\n    a: 1 # eins\\n\\ncards:\\n  b: 2\\n", "items", {"c": "3"}), end="")
    items:
        a: 1 # eins
        c: '3'
    <BLANKLINE>
    cards:
      b: 2
    """
    lines = text.rstrip("\n").split("\n")
    beginning = re.compile(rf"{field}\s*:(?P<rest>.*)")
    for index, line in enumerate(lines):
        match = beginning.match(line)
        if match is None:
            continue
        value = match["rest"].partition(" #")[0].strip()
        if value and not value.startswith("#"):
            raise UnfitText(f"那一份的第{index + 1}行把{field}写在了一行里，放不进去：换成一项一行，再放")
        end, indent = _extent(lines, index)
        return "\n".join([*lines[:end], dumped(entry, indent).rstrip("\n"), *lines[end:]]) + "\n"
    return "\n".join([*lines, f"{field}:", dumped(entry, "  ").rstrip("\n")]) + "\n"


def _extent(lines: Sequence[str], index: int) -> tuple[int, str]:
    """Where the entries of the field in a line end, and how far they are indented."""
    indent = ""
    end = index + 1
    for place, line in enumerate(lines[index + 1 :], index + 1):
        if _FIRST_KEY.match(line):
            break
        words = line.strip()
        if words and (line[0] == " " or not words.startswith("#")):
            end = place + 1
        if words and not words.startswith("#"):
            indent = indent or line[: len(line) - len(line.lstrip())]
    return end, indent or "  "


def chosen_skill(typed_name: str, main_course: Course, text: str = "") -> ChosenSkill:
    """The knowledge point that somebody names, by name or id: one of the course or the text, or a new one."""
    name = " ".join(typed_name.split())[:LONGEST_NAME]
    for skill_id, skill in main_course.skills.items():
        if name in (skill_id, skill.name):
            return ChosenSkill(skill_id)
    for skill_id, own_name in _own_names(text):
        if name in (skill_id, own_name):
            return ChosenSkill(skill_id)
    skill_id = skill_slug(name)
    if skill_id in main_course.skills:
        skill_id = f"own-{skill_id}"
    return ChosenSkill(skill_id, name)


def _own_names(text: str) -> Iterator[tuple[str, str]]:
    """The knowledge points that a text has of its own: id and name."""
    if not text:
        return
    try:
        data = untrusted.read(text).data
    except Faults:
        return
    skills = data.get("skills") if isinstance(data, dict) else None
    if not isinstance(skills, dict):
        return
    for skill_id, skill in skills.items():
        name = skill.get("name") if isinstance(skill, dict) else skill
        yield str(skill_id), str(name)


def skill_slug(name: str) -> str:
    """An id for a name.

    >>> skill_slug("BM25"), skill_slug("Query expansion"), skill_slug("倒排索引")[:6]
    ('bm25', 'query-expansion', 'point-')
    """
    words = re.findall("[a-z0-9]+", name.lower())
    slug = "-".join(words)[:40].strip("-")
    is_plain = re.fullmatch(r"[\x20-\x7e]+", name) is not None
    if slug and slug[0].isalpha() and is_plain:
        return slug
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f"point-{digest[:6]}"
