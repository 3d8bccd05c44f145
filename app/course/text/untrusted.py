"""What a text of a stranger may not hold, found before anything is built of it: quickly, with its line.

The limits are far beyond what a lesson needs, and far below what would keep a server busy.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from app.course.text.faults import Fault, Faults
from app.course.text.yaml12 import unreadable

LARGEST = 100_000
"""Bytes of a file."""
LONGEST = 4000
"""Characters of one text, and of one line."""
DEEPEST, MOST_NODES, LONGEST_NUMBER = 12, 8000, 12
MOST_IN_LIST, MOST_KEYS = 24, 120
MOST_FAULTS = 20

_UNSEEN = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufeff\uff00-\ufffd\U00010000-\U0010ffff]")
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")
_WIDE_COLON = re.compile(r"[ \t]*(?:- )?[A-Za-z_][A-Za-z0-9_-]*[ \t]*：")
_BARE = re.compile(r"[ \t]*(?:- )?(?:[A-Za-z_-]+:[ \t]+)?(?:\[\[|\{\{)")
TOO_LARGE = f"太大了，最多{LARGEST // 1000}KB：分成几份来写"

Scanner: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def decoded(data: bytes) -> str:
    """A file as Chinese editors write it: UTF-8 with or without its mark, UTF-16 with it, GB18030.

    >>> decoded("title: 甜".encode("gb18030")) == decoded(b"\\xef\\xbb\\xbf" + "title: 甜".encode())
    True
    """
    if len(data) > LARGEST:
        raise Faults([Fault("", 0, "", TOO_LARGE)])
    encodings = ["utf-8-sig", "gb18030"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Faults([Fault("", 0, "", "看不懂这个文件的编码：另存为UTF-8的文本文件再传")])


def tidy(text: str) -> str:
    """A text with the line ends that we count by, and without a mark at its begin."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def check(text: str) -> None:
    """Raises `Faults` for what must not even be read."""
    if len(text.encode("utf-8", "replace")) > LARGEST:
        raise Faults([Fault("", 0, "", TOO_LARGE)])
    if faults := [*_of_lines(text)]:
        raise Faults(faults[:MOST_FAULTS])
    try:
        faults = [*_of_events(text)]
    except yaml.YAMLError as error:
        raise Faults([unreadable("", error)]) from error
    if faults:
        raise Faults(faults[:MOST_FAULTS])


def _of_lines(text: str) -> Iterator[Fault]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST:
            yield Fault("", number, "", f"这一行太长了，最多{LONGEST}个字")
        if unseen := _UNSEEN.search(line):
            yield Fault("", number, "", f"有一个看不见的字符（U+{ord(unseen[0]):04X}），删掉它")


def _of_events(text: str) -> Iterator[Fault]:
    """Aliases, tags and masses, from the parser's events: nothing has been built yet."""
    scanner = Scanner(text)
    masses = Masses()
    try:
        while scanner.check_event():
            event = scanner.get_event()
            line = event.start_mark.line + 1
            for message in _flaws(event):
                yield Fault("", line, "", message)
            masses.add(event)
            excess = masses.excess()
            if excess:
                yield Fault("", line, "", excess)
                return
    finally:
        scanner.dispose()


def _flaws(event: Any) -> Iterator[str]:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        yield "这里不能用“&”起名、“*”引用：把内容直接写出来；文字以它们开头，就用引号括起来"
    if getattr(event, "tag", None):
        yield "不能用“!”开头的标签；文字以!开头，就用引号括起来"
    if isinstance(event, yaml.ScalarEvent):
        if len(event.value) > LONGEST:
            yield f"这一段太长了，最多{LONGEST}个字：拆成几段"
        if event.implicit[0] and _is_huge(event.value):
            yield f"“{event.value[:20]}”这个数太大或太长了"


def _is_huge(text: str) -> bool:
    """Whether a number has more digits than any figure here needs.

    >>> _is_huge("1e999"), _is_huge("0.25"), _is_huge("1" * 13)
    (True, False, True)
    """
    if not _NUMBER.fullmatch(text):
        return False
    if len(text) > LONGEST_NUMBER:
        return True
    try:
        return abs(float(text)) > 1e9
    except ValueError:
        return False


@dataclass
class Masses:
    """How much has been read. `room`: how many more nodes each list or mapping that is open may hold."""

    nodes: int = 0
    documents: int = 0
    room: list[int] = field(default_factory=list)

    def add(self, event: Any) -> None:
        self.nodes += 1
        if self.room and isinstance(event, yaml.NodeEvent):
            self.room[-1] -= 1
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
            case yaml.SequenceStartEvent():
                self.room.append(MOST_IN_LIST)
            case yaml.MappingStartEvent():
                self.room.append(2 * MOST_KEYS)
            case yaml.CollectionEndEvent():
                self.room.pop()

    def excess(self) -> str:
        """What there is too much of; nothing while all is within the limits."""
        if self.documents > 1:
            return "一个文件里只写一份，不要有单独一行的“---”"
        if len(self.room) > DEEPEST:
            return f"一层套一层，套得太深了：最多{DEEPEST}层"
        if self.nodes > MOST_NODES:
            return "内容太多了：分成几份来写"
        if self.room and self.room[-1] < 0:
            return f"这里太多了：一个列表最多{MOST_IN_LIST}项，一组最多{MOST_KEYS}个"
        return ""


def by_its_name(text: str, fault: Fault) -> Fault:
    """What the parser could not read, if it is one of the slips that Chinese writers make."""
    lines = text.split("\n")
    for number in (fault.line, fault.line - 1):
        if not 0 < number <= len(lines):
            continue
        if _WIDE_COLON.match(lines[number - 1]):
            return Fault("", number, "", "这里的冒号是中文的“：”，换成英文的“: ”，后面空一格")
        if _BARE.match(lines[number - 1]):
            return Fault("", number, "", "以[[或者{{开头的文字，要用引号把整句括起来")
    return fault
