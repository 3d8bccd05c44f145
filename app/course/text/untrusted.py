"""Own content of strangers: how its file may be written, how large it may be, and where it is read.

Short texts are read in place, long ones in a process of their own; by the same reader, with the same limits.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from app.course.text import sandbox, yaml_reader
from app.course.text.faults import Fault, Faults
from app.course.text.yaml12 import YamlDocument, unreadable
from app.course.text.yaml_reader import YamlReading

LARGEST_FILE = 100_000
"""Bytes of a file."""
LARGEST_READ_IN_PLACE = 16_000
"""Bytes of a text that is read in place. Forty usual questions take 8 ms, the worst that the reader lets pass
takes 50; a process takes 80 ms to start, for which nobody shall wait at each look at a few questions."""
YAML_READER = Path(yaml_reader.__file__)
READINGS_CACHED = 4
"""Long texts whose reading is remembered: one request asks for the same text twice, for its faults and for
the list of its questions."""

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
ENCODINGS: tuple[str, ...] = ("utf-8-sig", "gb18030")

_WIDE_COLON_PATTERN = re.compile(r"[ \t]*(?:- )?[A-Za-z_][A-Za-z0-9_-]*[ \t]*：")
_WIDE_SPACE_PATTERN = re.compile(r"[ \t]*\u3000")
_WIDE_KEY_PATTERN = re.compile(r"[ \t]*\u3000[\u3000 ]{0,40}(?:- |[A-Za-z_-]{1,30}[:：])")
_COLON_WITHOUT_SPACE_PATTERN = re.compile(r"[ \t]*(?:- )?(?P<word>[A-Za-z_][A-Za-z0-9_-]*):(?=[^\s:/\\,}\]])")
_DASH_WITHOUT_SPACE_PATTERN = re.compile(r"[ \t]*-(?=[^\s\-\d.])")
_FIELD_WITHOUT_COLON_PATTERN = re.compile(r"(?P<word>items|cards|sections|examples|skills|values)\s*(?:#.*)?")
_UNQUOTED_BRACKETS_PATTERN = re.compile(r"[ \t]*(?:- )?(?:[A-Za-z_-]+:[ \t]+)?(?:\[\[|\{\{)")
TOO_LARGE_WORDS = f"太大了，最多{LARGEST_FILE // 1000}KB：分成几份来写"
READING_STOPPED_WORDS = "读不下去：也许太大，也许写得太密。分成几份来写"


def decode_text(file_bytes: bytes) -> str | None:
    """UTF-8 with or without its mark, UTF-16 with it, or GB18030; None for what is no text.

    >>> decode_text("糖".encode("gb18030")), decode_text("糖".encode("utf-16")), decode_text(b"a\\0b")
    ('糖', '糖', None)
    """
    encodings = ENCODINGS
    if file_bytes.startswith(UTF16_MARKS):
        encodings = ("utf-16",)
    for encoding in encodings:
        try:
            decoded_text = file_bytes.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in decoded_text:
            return decoded_text
    return None


def own_content_text(file_bytes: bytes) -> str:
    """A text file of own content, as Chinese editors write it.

    >>> own_content_text("title: 甜".encode("gb18030"))
    'title: 甜'
    >>> own_content_text("title: 甜".encode("utf-8-sig"))
    'title: 甜'
    """
    if len(file_bytes) > LARGEST_FILE:
        raise Faults([Fault("", 0, "", TOO_LARGE_WORDS)])
    decoded_text = decode_text(file_bytes)
    if decoded_text is None:
        raise Faults([Fault("", 0, "", "看不懂这个文件的编码：另存为UTF-8的文本文件再传")])
    return decoded_text


def with_plain_line_ends(foreign_text: str) -> str:
    """A text with the line ends that we count by, and without a mark at its begin."""
    return foreign_text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read(yaml_text: str) -> YamlDocument:
    """A text of a stranger, without a file's name; raises `Faults` for what is wrong in it, and
    `sandbox.ProgramStopped` where reading it took too much.

    >>> read("title: 甜").data
    {'title': '甜'}
    """
    byte_count = len(yaml_text.encode("utf-8", "replace"))
    if byte_count > LARGEST_FILE:
        raise Faults([Fault("", 0, "", TOO_LARGE_WORDS)])
    yaml_reading = _reading(yaml_text, byte_count)
    if yaml_reading.problem:
        raise Faults([unreadable("", *yaml_reading.problem)])
    if yaml_reading.flaws:
        raise Faults(Fault("", line_number, "", flaw_words) for line_number, flaw_words in yaml_reading.flaws)
    return YamlDocument("", yaml_text, yaml_reading.parts)


def _reading(yaml_text: str, byte_count: int) -> YamlReading:
    if byte_count <= LARGEST_READ_IN_PLACE:
        return yaml_reader.read(yaml_text)
    return _reading_in_sandbox(YAML_READER, yaml_text)


@lru_cache(maxsize=READINGS_CACHED)
def _reading_in_sandbox(reader_path: Path, yaml_text: str) -> YamlReading:
    return YamlReading(*sandbox.json_output(reader_path, yaml_text.encode("utf-8", "surrogatepass")))


def fault_of_typing_slip(yaml_text: str, fault: Fault) -> Fault:
    """What the parser could not read, if it is one of the slips that Chinese writers make; in the line where
    it was made, which is often the one before that where the parser noticed."""
    yaml_lines = yaml_text.split("\n")
    for line_number in line_numbers_before(yaml_lines, fault.line_number):
        slip_words = typing_slip_words(yaml_lines[line_number - 1])
        if slip_words:
            return Fault("", line_number, "", slip_words)
    for line_number, line in enumerate(yaml_lines[: fault.line_number], 1):
        if _WIDE_KEY_PATTERN.match(line):  # read as the end of the text before it, it is noticed much later
            return Fault("", line_number, "", typing_slip_words(line))
    return fault


def line_numbers_before(yaml_lines: Sequence[str], line_number: int) -> Iterator[int]:
    """The line, and the one before it that has something in it."""
    if 0 < line_number <= len(yaml_lines):
        yield line_number
    for earlier_line_number in range(min(line_number - 1, len(yaml_lines)), 0, -1):
        if yaml_lines[earlier_line_number - 1].strip():
            yield earlier_line_number
            return


def typing_slip_words(line: str) -> str:
    """What a Chinese writer mistyped in a line; nothing where nobody can say.

    >>> typing_slip_words("    stem:排在第3位"), typing_slip_words("      -不打折")
    ('冒号后面要空一格：写成“stem: …”', '“-”后面要空一格')
    >>> typing_slip_words("    stem: 排在第3位")
    ''
    """
    if _WIDE_SPACE_PATTERN.match(line):
        return "这一行开头有中文的空格（全角空格），换成英文的空格"
    if _WIDE_COLON_PATTERN.match(line):
        return "这里的冒号是中文的“：”，换成英文的“: ”，后面空一格"
    if _UNQUOTED_BRACKETS_PATTERN.match(line):
        return "以[[或者{{开头的文字，要用引号把整句括起来"
    tight_colon_match = _COLON_WITHOUT_SPACE_PATTERN.match(line)
    if tight_colon_match:
        return f"冒号后面要空一格：写成“{tight_colon_match['word']}: …”"
    if _DASH_WITHOUT_SPACE_PATTERN.match(line):
        return "“-”后面要空一格"
    bare_word_match = _FIELD_WITHOUT_COLON_PATTERN.fullmatch(line)
    if bare_word_match:
        return f"后面少了冒号：写成“{bare_word_match['word']}:”"
    return ""
