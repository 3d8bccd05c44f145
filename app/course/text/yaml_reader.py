"""YAML of strangers, read step by step: its parts come out, or what must not be in it, each with its line.

Also a program of its own, run by `app.course.text.sandbox` for long texts: a text comes in, its parts go out
as JSON. Nothing of the project is imported, so that it starts quickly. Nothing is built while it reads, and
the limits are far beyond what a lesson needs, and far below what would keep a server busy.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

LONGEST_TEXT = 4000
"""Characters of one text, and of one line."""
DEEPEST_NESTING, MOST_NODES, LONGEST_NUMBER = 12, 8000, 12
MOST_ELEMENTS, MOST_KEYS = 24, 120
MOST_FLAWS = 20

_UNSEEN_PATTERN = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufeff\uff00-\ufffd\U00010000-\U0010ffff]")
_NUMBER_PATTERN = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")

EventScanner: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LineAndWords = tuple[int, str]
"""A line, 0 where there is none, and what is to be said of it."""


class YamlPart(NamedTuple):
    """What stands in a line: `text`, or where a `list` or `mapping` begins, or the `end` of the innermost.

    `is_plain`: a text without quotes, which may be a number.
    """

    kind: str
    line_number: int
    value: str = ""
    is_plain: bool = False


class YamlReading(NamedTuple):
    """The parts of a text in their order. `flaws`: what must not be in it; `problem`: what the parser says of
    a text that it cannot read. Where there is one of these, the parts are not to be used.
    """

    parts: list[YamlPart]
    flaws: list[LineAndWords]
    problem: LineAndWords | None = None


def read(yaml_text: str) -> YamlReading:
    """A text of a stranger; never raises for what is in it.

    >>> [tuple(part) for part in read("{甜: ['3']}").parts]
    [('mapping', 1, '', False), ('text', 1, '甜', True),
     ('list', 1, '', False), ('text', 1, '3', False), ('end', 1, '', False), ('end', 1, '', False)]
    >>> read("a: !x 1").flaws
    [(1, '不能用“!”开头的标签；文字以!开头，就用引号括起来')]
    >>> read("x" * 4001)
    YamlReading(parts=[], flaws=[(1, '这一行太长了，最多4000个字')], problem=None)
    >>> read("a: [")
    YamlReading(parts=[], flaws=[], problem=(2, 'did not find expected node content'))
    """
    numbered_flaws = [*_numbered_flaws_of_lines(yaml_text)]
    if numbered_flaws:
        return YamlReading([], numbered_flaws[:MOST_FLAWS])
    yaml_reading = YamlReading([], [])
    try:
        _read_events(yaml_text, yaml_reading)
    except yaml.YAMLError as error:
        return YamlReading([], [], problem_of(error))
    del yaml_reading.flaws[MOST_FLAWS:]
    return yaml_reading


def problem_of(error: Exception) -> LineAndWords:
    """What the parser says, in the line where it noticed."""
    problem_mark = getattr(error, "problem_mark", None)
    line_number = 0
    if problem_mark:
        line_number = problem_mark.line + 1
    return line_number, getattr(error, "problem", None) or str(error)


def _numbered_flaws_of_lines(yaml_text: str) -> Iterator[LineAndWords]:
    for line_number, line_text in enumerate(yaml_text.split("\n"), 1):
        if len(line_text) > LONGEST_TEXT:
            yield line_number, f"这一行太长了，最多{LONGEST_TEXT}个字"
        if unseen_sign := _UNSEEN_PATTERN.search(line_text):
            yield line_number, f"有一个看不见的字符（U+{ord(unseen_sign[0]):04X}），删掉它"


def _read_events(yaml_text: str, yaml_reading: YamlReading) -> None:
    """Aliases, tags and masses are flaws by the parser's events; reading ends where there is too much."""
    scanner = EventScanner(yaml_text)
    read_amounts = ReadAmounts()
    try:
        while scanner.check_event():
            event = scanner.get_event()
            line_number = event.start_mark.line + 1
            for flaw_words in _flaw_words_of_event(event):
                yaml_reading.flaws.append((line_number, flaw_words))
            read_amounts.add(event)
            excess_words = read_amounts.excess_words()
            if excess_words:
                yaml_reading.flaws.append((line_number, excess_words))
                return
            yaml_reading.parts.extend(_yaml_parts(event, line_number))
    finally:
        scanner.dispose()


def _yaml_parts(event: Any, line_number: int) -> Iterator[YamlPart]:
    match event:
        case yaml.ScalarEvent():
            yield YamlPart("text", line_number, event.value, event.implicit[0])
        case yaml.SequenceStartEvent():
            yield YamlPart("list", line_number)
        case yaml.MappingStartEvent():
            yield YamlPart("mapping", line_number)
        case yaml.CollectionEndEvent():
            yield YamlPart("end", line_number)


def _flaw_words_of_event(event: Any) -> Iterator[str]:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        yield "这里不能用“&”起名、“*”引用：把内容直接写出来；文字以它们开头，就用引号括起来"
    if getattr(event, "tag", None):
        yield "不能用“!”开头的标签；文字以!开头，就用引号括起来"
    if isinstance(event, yaml.ScalarEvent):
        if len(event.value) > LONGEST_TEXT:
            yield f"这一段太长了，最多{LONGEST_TEXT}个字：拆成几段"
        if event.implicit[0] and _is_huge(event.value):
            yield f"“{event.value[:20]}”这个数太大或太长了"


def _is_huge(number_text: str) -> bool:
    """Whether a number has more digits than any figure here needs.

    >>> _is_huge("1e999"), _is_huge("0.25"), _is_huge("1" * 13)
    (True, False, True)
    """
    if not _NUMBER_PATTERN.fullmatch(number_text):
        return False
    if len(number_text) > LONGEST_NUMBER:
        return True
    try:
        return abs(float(number_text)) > 1e9
    except ValueError:
        return False


class ReadAmounts:
    """How much has been read. `remaining_node_counts`: how many more each open list or mapping may hold."""

    def __init__(self) -> None:
        self.node_count = 0
        self.document_count = 0
        self.remaining_node_counts: list[int] = []

    def add(self, event: Any) -> None:
        self.node_count += 1
        if self.remaining_node_counts and isinstance(event, yaml.NodeEvent):
            self.remaining_node_counts[-1] -= 1
        match event:
            case yaml.DocumentStartEvent():
                self.document_count += 1
            case yaml.SequenceStartEvent():
                self.remaining_node_counts.append(MOST_ELEMENTS)
            case yaml.MappingStartEvent():
                self.remaining_node_counts.append(2 * MOST_KEYS)
            case yaml.CollectionEndEvent():
                self.remaining_node_counts.pop()

    def excess_words(self) -> str:
        """What there is too much of; nothing while all is within the limits."""
        if self.document_count > 1:
            return "一个文件里只写一份，不要有单独一行的“---”"
        if len(self.remaining_node_counts) > DEEPEST_NESTING:
            return f"一层套一层，套得太深了：最多{DEEPEST_NESTING}层"
        if self.node_count > MOST_NODES:
            return "内容太多了：分成几份来写"
        if self.remaining_node_counts and self.remaining_node_counts[-1] < 0:
            return f"这里太多了：一个列表最多{MOST_ELEMENTS}项，一组最多{MOST_KEYS}个"
        return ""


if __name__ == "__main__":
    sys.stdout.write(json.dumps(read(sys.stdin.buffer.read().decode("utf-8", "surrogatepass"))))
