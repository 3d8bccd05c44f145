"""What a teacher writes: one YAML text with a title, items, examples, cards and sections. Ids are `own-42:…`.

It is laid out as the files of a course and read by the same `parse`; knowledge points, terms and examples are
those of the course beside it.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field, ValidationError

from app.course.authoring import shorthand
from app.course.content.checker import parse
from app.course.content.course import Course, turn_id
from app.course.items.kinds import Item
from app.course.learning import figures_in_text
from app.course.text import schema_messages, untrusted
from app.course.text.faults import Fault, Faults
from app.course.text.model_base import ContentPart, Id, Title
from app.course.text.text_fields import mapped
from app.course.text.yaml12 import YamlDocument

STAGE = "own"
"""The one stage of own content: `own-42:own` names its lesson."""
EMPTY = "里面还没有内容：写几道题（items）、几张卡片（cards）或者一节小课（sections）"
_ITEM = (
    "options（选择）、answer（判断）、question（数值）、documents（排序）、lines（找错）、checkpoints（简答）"
)
_STEP = "say（说一段）、ask（问一题）、example（例题）、figure（图）、cards（卡片）、recap（回顾）"
TAKEN = "课程里已经有叫“{}”的例题了，换个名字"


class OwnFile(ContentPart):
    """The whole text, as far as it can be told without looking inside."""

    title: Title
    skill: Id | None = None
    values: dict[Any, Any] = Field(default={}, max_length=40)
    examples: dict[Any, Any] = Field(default={}, max_length=20)
    items: dict[Any, Any] = Field(default={}, max_length=60)
    cards: dict[Any, Any] = Field(default={}, max_length=60)
    sections: dict[Any, Any] | None = Field(default=None, min_length=1, max_length=10)


def prefix_of(own_id: int) -> str:
    """What stands before the ids of an own content.

    >>> prefix_of(42)
    'own-42'
    """
    return f"own-{own_id}"


def id_of(ref: str) -> int | None:
    """The own content that a ref (or a prefix) belongs to; None for one of the course.

    >>> id_of("own-42:q1"), id_of("own-42"), id_of("content:dcg-at-3")
    (42, 42, None)
    """
    found = re.match(r"own-([0-9]{1,15})(?::|$)", ref)
    return int(found[1]) if found else None


def parse_own(text: str, own_id: int, beside: Course) -> Course | Faults:
    """The content in a text that anybody may have written; or all its faults, each with its line."""
    try:
        text = untrusted.tidy(text)
        untrusted.check(text)
        files = laid_out(text, beside)
        found = parse(files, prefix_of(own_id), beside)
        if isinstance(found, Faults):
            raise found
    except Faults as error:
        return Faults(_in_words(text, one) for one in error.faults)
    except RecursionError:
        return Faults([Fault("", 0, "", "一层套一层，套得太深了")])
    return _kept(found, text, own_id, beside)


def _in_words(text: str, fault: Fault) -> Fault:
    """What the check of a course says, with what helps somebody who writes for the first time."""
    said = fault.message
    if said.startswith("YAML读不懂"):
        return untrusted.by_its_name(text, fault)
    if said.startswith("没有知识点"):
        return _where_said(YamlDocument("", text), fault)
    if said.startswith("缺少kind"):
        known = _STEP if fault.path.startswith("sections") else _ITEM
        said = f"看不出这是哪一种，也许有个词拼错了：可以写{known}"
    elif fault.path.endswith(".skill") and said.startswith("缺少"):
        said = "还没说考哪个知识点：写在这道题里，或者写在最上面管整份，比如skill: dcg"
    elif not re.search("[\u4e00-\u9fff]", said):
        said = f"“{said.partition(':')[0]}”不行：看看有没有写错、超出范围"
    return replace(fault, message=said)


def _where_said(document: YamlDocument, fault: Fault) -> Fault:
    """A knowledge point that an item has from the top of the text is at fault there, once."""
    if document.stands(fault.path.split(".")):
        return fault
    return replace(fault, line=document.line(("skill",)), path="skill")


def laid_out(text: str, beside: Course) -> Mapping[str, str | YamlDocument]:
    """The text as the files of a course; raises `Faults` when its outermost shape is wrong."""
    document = YamlDocument("", text)
    whole = _shape(document)
    if taken := [name for name in whole.examples if name in beside.examples]:
        raise Faults([document.fault(("examples", name), TAKEN.format(name)) for name in taken])
    sections = shorthand.sections(document)
    if not (whole.items or whole.cards or whole.examples or whole.sections):
        raise Faults([Fault("", 0, "", EMPTY)])
    stage = {"id": STAGE, "title": whole.title, "summary": whole.title, "folder": STAGE}
    lesson = {"goals": [whole.title], "values": document.data.get("values", {}), "sections": sections}
    files = {
        "course.yaml": document.part("", (), {"title": whole.title, "stages": [stage]}),
        f"{STAGE}/lesson.yaml": document.part("", (), lesson),
        f"{STAGE}/items.yaml": document.part("", ("items",), shorthand.items(document, whole.skill)),
        f"{STAGE}/examples.yaml": document.part("", ("examples",), shorthand.examples(document)),
    }
    if whole.cards:
        cards = shorthand.cards(document, whole.skill)
        files[f"{STAGE}/cards.yaml"] = document.part("", ("cards",), cards)
    return files


def _shape(document: YamlDocument) -> OwnFile:
    try:
        return OwnFile.model_validate(document.data)
    except ValidationError as error:
        faults = [_told(document, one) for one in error.errors()]
        raise Faults(faults) from error


def _told(document: YamlDocument, error: Any) -> Fault:
    if not error["loc"]:
        return Fault("", 1, "", "第一行写“title: 标题”，下面写items、cards或者sections")
    known = "、".join(OwnFile.model_fields)
    said = (
        f"没有这个字段；最外层可以写{known}"
        if error["type"] == "extra_forbidden"
        else schema_messages.of(error)
    )
    return document.fault(error["loc"], said)


def _kept(course: Course, text: str, own_id: int, beside: Course) -> Course:
    """Figures are put into the items, so that what is frozen with an answer needs nothing else."""

    def filled(one: str) -> str:
        return figures_in_text.fill(one, course.examples, course.values)

    items = {item_id: mapped(item, filled) for item_id, item in course.items.items()}
    whole = hashlib.sha256(f"{own_id}\0{text}\0{beside.digest}".encode()).hexdigest()[:16]
    return replace(course, items=items, digest=whole)


def pickable(course: Course) -> Sequence[Item]:
    """The items that a teacher wrote, twins and 换你 aside: what can be put into an assignment."""
    made = {*course.twin_of, *map(turn_id, course.examples)}
    return [item for item in course.items.values() if item.id not in made]
