"""Limits of a text that a stranger wrote: each as a literal, just below it and just above it."""

from pathlib import Path

import pytest

from app.course.text import sandbox, untrusted
from app.course.text.faults import Fault, Faults
from app.course.text.untrusted import fault_of_typing_slip, own_content_text, read, with_plain_line_ends
from app.course.text.yaml12 import YamlDocument
from tests.rationed import rationed
from tests.tables import each


def faults_of(text: str) -> list[tuple[int, str]]:
    """Line and sentence of everything that is wrong."""
    faults: tuple[Fault, ...] = ()
    try:
        read(text)
    except Faults as raised:
        faults = raised.faults
    # Which file it is, and where in it, is for the caller to say.
    assert {(fault.file, fault.path) for fault in faults} <= {("", "")}
    return [(fault.line_number, fault.message) for fault in faults]


def listed(count: int) -> str:
    return "list:\n" + "- 1\n" * count


def keyed(count: int) -> str:
    return "".join(f"k{number}: 1\n" for number in range(count))


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def massed(numbers: int) -> str:
    """8000 of what the parser tells apart, with 14 numbers in the last list: nodes, begins and ends."""
    lists = "".join(f"k{number}: [" + "[1], " * 24 + "]\n" for number in range(106))
    return lists + "x: [" + "1, " * 24 + "]\ny: [" + "1, " * numbers + "]\n"


TOO_LARGE_WORDS = "太大了，最多100KB：分成几份来写"
LINES = ("# " + "x" * 97 + "\n") * 1000
"""100 000 bytes."""


def test_a_file_has_at_most_100_kb() -> None:
    assert len(LINES) == 100_000
    assert faults_of(LINES) == []
    assert faults_of(LINES + "#") == [(0, TOO_LARGE_WORDS)]
    assert own_content_text(b"x" * 100_000) == "x" * 100_000
    with pytest.raises(Faults) as raised:
        own_content_text(b"x" * 100_001)
    assert raised.value.faults == (Fault("", 0, "", TOO_LARGE_WORDS),)


def test_bytes_are_counted_not_characters() -> None:
    text = ("# " + "糖" * 33 + "\n") * 980
    assert len(text.encode()) == 99_960 < 100_000
    assert faults_of(text) == []
    assert faults_of(text + "# 糖糖糖糖糖糖糖糖糖糖糖糖糖\n") == [(0, TOO_LARGE_WORDS)]


def test_a_line_has_at_most_4000_characters() -> None:
    assert faults_of("a: 1\n#" + "x" * 3999) == []
    assert faults_of("a: 1\n#" + "x" * 4000) == [(2, "这一行太长了，最多4000个字")]


def test_a_text_has_at_most_4000_characters() -> None:
    """Over several lines, none of which is too long."""
    lines = "a: |\n" + ("  " + "x" * 99 + "\n") * 40
    assert faults_of(lines) == []
    assert faults_of(lines + "  x\n") == [(1, "这一段太长了，最多4000个字：拆成几段")]


def test_a_list_has_at_most_24_entries_and_a_mapping_120_keys() -> None:
    sentence = "这里太多了：一个列表最多24项，一组最多120个"
    assert faults_of(listed(24)) == []
    assert faults_of(listed(25)) == [(26, sentence)]
    assert faults_of(keyed(120)) == []
    assert faults_of(keyed(121)) == [(121, sentence)]
    assert faults_of("a:\n" + "- [1]\n" * 24) == []
    assert faults_of("a:\n" + "- [1]\n" * 25)[0] == (26, sentence)
    assert faults_of(keyed(119) + "k:\n" + "- 1\n" * 24) == []


def test_nothing_lies_deeper_than_12() -> None:
    assert faults_of(nested(12)) == []
    assert faults_of(nested(13)) == [(1, "一层套一层，套得太深了：最多12层")]


def test_lists_side_by_side_are_not_deep() -> None:
    assert faults_of("a:\n" + "- []\n" * 20) == []


def test_a_text_holds_at_most_8000_nodes() -> None:
    assert faults_of(massed(14)) == []
    assert faults_of(massed(15)) == [(109, "内容太多了：分成几份来写")]


def test_a_text_is_one_document() -> None:
    assert faults_of("---\na: 1\n") == []
    assert faults_of("a: 1\n---\nb: 2\n") == [(2, "一个文件里只写一份，不要有单独一行的“---”")]


@each(
    ("number", "huge"),
    [
        ("123456789012", True),
        ("1000000000", False),
        ("1000000001", True),
        ("-1000000000", False),
        ("-1000000001", True),
        ("0.1234567890", False),
        ("0.12345678901", True),
        ("1e9", False),
        ("1.1e9", True),
        ("1e999", True),
        ("1.2.3", False),
        ("'123456789012345'", False),
        ("x123456789012345", False),
    ],
)
def test_a_number_has_12_characters_and_at_most_nine_zeros(number: str, huge: bool) -> None:
    sentences = [(2, f"“{number[:20]}”这个数太大或太长了")] if huge else []
    assert faults_of(f"\na: {number}") == sentences


def test_of_a_long_number_the_first_20_digits_are_named() -> None:
    assert faults_of("a: " + "1" * 21) == [(1, "“" + "1" * 20 + "”这个数太大或太长了")]


ANCHOR = "这里不能用“&”起名、“*”引用：把内容直接写出来；文字以它们开头，就用引号括起来"
TAG = "不能用“!”开头的标签；文字以!开头，就用引号括起来"


@each(
    ("text", "faults"),
    [
        ("a: &x 1\n", [(1, ANCHOR)]),
        ("a: &x [1]\n", [(1, ANCHOR)]),
        ("a: 1\nb: *x\n", [(2, ANCHOR)]),
        ("a: !!str 1\n", [(1, TAG)]),
        ("a: 1\nb: !x {c: 1}\n", [(2, TAG)]),
        ("a: '&x'\nb: '*x'\nc: '!x'\n", []),
    ],
)
def test_names_references_and_tags_are_refused(text: str, faults: list[tuple[int, str]]) -> None:
    assert faults_of(text) == faults


@each(
    ("character", "code"),
    [
        ("\x00", "0000"),
        ("\x1f", "001F"),
        ("\x7f", "007F"),
        ("\ud800", "D800"),
        ("\ufffe", "FFFE"),
        ("\ufeff", ""),
        ("\t", ""),
        (" ", ""),
        ("~", ""),
        ("\x85", ""),
        ("\xa0", ""),
        ("\ue000", ""),
        ("\uff00", ""),
        ("\ufffd", ""),
        ("\U00010000", ""),
        ("\U0010ffff", ""),
    ],
)
def test_what_nobody_sees_is_named(character: str, code: str) -> None:
    sentences = [(2, f"有一个看不见的字符（U+{code}），删掉它")] if code else []
    assert faults_of(f'a: 1\nb: "x{character}x"\nc: 1') == sentences


def test_at_most_20_faults_are_told() -> None:
    assert [line for line, _ in faults_of("\x00\n" * 30)] == list(range(1, 21))
    assert [line for line, _ in faults_of("".join(f"k{number}: !x 1\n" for number in range(30)))] == list(
        range(1, 21)
    )


def test_what_the_parser_cannot_read_has_its_line() -> None:
    assert faults_of("a: 1\nb: [1\n") == [(3, "YAML读不懂：括号没有成对，或者中间少了逗号")]


# How a file is written.


@each(
    ("data", "text"),
    [
        ("甜: 1".encode(), "甜: 1"),
        (b"\xef\xbb\xbf" + "甜: 1".encode(), "甜: 1"),
        ("甜: 1".encode("gb18030"), "甜: 1"),
        (b"\xff\xfe" + "甜: 1".encode("utf-16-le"), "甜: 1"),
        (b"\xfe\xff" + "甜: 1".encode("utf-16-be"), "甜: 1"),
    ],
)
def test_a_file_is_read_however_an_editor_writes_it(data: bytes, text: str) -> None:
    assert own_content_text(data) == text


@each("data", [b"\xff\xff\xff", b"\xff\xfea", b"\xfe\xffa"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Faults) as raised:
        own_content_text(data)
    assert raised.value.faults == (Fault("", 0, "", "看不懂这个文件的编码：另存为UTF-8的文本文件再传"),)


def test_line_ends_and_the_mark_at_the_begin_are_tidied() -> None:
    assert with_plain_line_ends("\ufeffa\r\nb\rc\nd\ufeff") == "a\nb\nc\nd\ufeff"


WIDE_COLON = "这里的冒号是中文的“：”，换成英文的“: ”，后面空一格"
BARE = "以[[或者{{开头的文字，要用引号把整句括起来"
WIDE_SPACE = "这一行开头有中文的空格（全角空格），换成英文的空格"
NO_COLON = "后面少了冒号：写成“items:”"


@each(
    ("text", "line", "near", "sentence"),
    [
        ("a: 1\ntitle：糖\nb: 1", 2, 2, WIDE_COLON),
        ("a: 1\n  - title ：糖\nb: 1", 2, 2, WIDE_COLON),
        ("a: 1\ntitle：糖\nb: 1", 3, 2, WIDE_COLON),
        ("a: 1\ntitle：糖\nb: 1", 4, 4, "x"),
        ("title：糖\nb: 1", 1, 1, WIDE_COLON),
        ("a: 1\ntitle：糖", 1, 1, "x"),
        ("a: 1\ntitle：糖", 0, 0, "x"),
        ("a: 1\nb: [[dcg]]是", 2, 2, BARE),
        ("a: 1\n- {{x}}是", 2, 2, BARE),
        ("a: 1\nb: {{x}}是\nc: 1", 3, 2, BARE),
        ("a: 1\nb: '[[dcg]]'", 2, 2, "x"),
        ("a：1\nb：2", 2, 2, WIDE_COLON),
        ("items\n  q: 1", 1, 1, NO_COLON),
        ("items # 题\n  q: 1", 2, 1, NO_COLON),
        ("a: 1\nother\n  q: 1", 2, 2, "x"),
        ("title：糖\n\nb: 1", 3, 1, WIDE_COLON),  # the empty line between them is nobody's slip
        ("a: 糖\n　b: 1\nc: 1\nd: 1", 4, 2, WIDE_SPACE),
        ("a: |\n　　一段话\nc: 1\nd: 1", 4, 4, "x"),
        ("a: 糖\nc: 1\nd: 1\n　b: 1", 3, 3, "x"),
    ],
)
def test_slips_are_called_by_their_name(text: str, line: int, near: int, sentence: str) -> None:
    assert fault_of_typing_slip(text, Fault("", line, "", "x")) == Fault("", near, "", sentence)


# Where a text is read: short ones in place, long ones in a process of their own.

PLAIN = """\
title: 甜 # 这里不是内容
list: [1, '2', 0.5, ~, true, "\\u7cd6", x: 1]
text: |
  一行
  又一行
folded: >-
  一行
  又一行
items:
  a-1:
    - 甲: {}
    - []
    -
"""
READ_ALIKE = [
    PLAIN,
    "",
    "# nothing\n",
    "---\n甜\n...\n",
    "- - - 1\n",
    '{"a": 3, b: "3", ? c : 0x1}',
    "<<: 1\n",
]
REFUSED_ALIKE = [
    "a: [1\n",
    "a: &x 1\n",
    "a: 1\na: 2\n",
    "\x00",
    "a: \ud800\n",
    "? [a]\n: 1\n",
    keyed(121),
    "a:\tb: c",
]
PIECES = [
    "a: 1\n", "- 1\n", "[1],", "[],", "{},", "? a\n", "- - ", "'a'\n", '"\\u0061" ', "|\n a\n", "a\n", "# \n",
    "a: |\n  x\n", "? ", "- ", "-\n", '"\\x41', "%TAG ! a\n", "{a: ", "['", "[a, ", "{a,", "'", "''", "\\",
    "\t", ": ", "? - ", "&a ", "*a ", "!a ", "甜\n", "[", "{", '"', "  ", "\n", "a:\n ", "x: [[],[],[]]\n",
]  # fmt: skip


def document(text: str) -> tuple[object, list[int]]:
    """What a text holds, and the lines where its pieces stand."""
    whole = read(text)
    assert whole.text == text
    return whole.data, lines_of(whole)


def lines_of(whole: YamlDocument) -> list[int]:
    paths: list[list[str | int]] = [
        [],
        ["title"],
        ["list", 1],
        ["list", 6, "x"],
        ["text"],
        ["items", "a-1", 2],
        [0, 0],
    ]
    return [whole.line_number_at(path) for path in paths]


@each("text", READ_ALIKE)
def test_a_text_is_read_alike_wherever_it_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And as the files of the course are."""
    in_place = document(text)
    whole = YamlDocument("", text)
    assert in_place == (whole.data, lines_of(whole))
    assert repr(in_place[0]) == repr(whole.data), "0.5 is no text, and True no 1"
    monkeypatch.setattr(untrusted, "LARGEST_READ_IN_PLACE", -1)
    assert document(text) == in_place


@each("text", REFUSED_ALIKE)
def test_a_text_is_refused_alike_wherever_it_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place = faults_of(text)
    assert in_place
    monkeypatch.setattr(untrusted, "LARGEST_READ_IN_PLACE", -1)
    assert faults_of(text) == in_place


def test_a_long_text_meets_the_limits_of_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that would take all memory is not asked for a short text: it is read in place."""
    reader = tmp_path / "reader.py"
    reader.write_text("b = bytearray(2**31)", encoding="utf-8")
    monkeypatch.setattr(untrusted, "YAML_READER", reader)
    assert faults_of(LINES[: untrusted.LARGEST_READ_IN_PLACE]) == []
    with pytest.raises(sandbox.ProgramStopped):
        read(LINES[: untrusted.LARGEST_READ_IN_PLACE + 1])


def test_what_its_process_has_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = tmp_path / "reader.py"
    answer = '[[["text", 1, "read there", true]], [], null]'
    reader.write_text(f"print({answer!r})", encoding="utf-8")
    monkeypatch.setattr(untrusted, "YAML_READER", reader)
    assert read(LINES).data == "read there"


def test_no_short_text_keeps_a_thread_busy() -> None:
    """Ten of each worst kind within three seconds of processor time, of which they take a fourth."""
    program = f"""
import signal
from app.course.text import untrusted
from app.course.text.faults import Faults
for piece in {[*PIECES, massed(14)]!r}:
    print(repr(piece), flush=True)
    text = piece * (untrusted.LARGEST_READ_IN_PLACE // len(piece.encode()))
    signal.setitimer(signal.ITIMER_VIRTUAL, 3)
    for _ in range(10):
        try:
            untrusted.read(text)
        except Faults:
            pass
"""
    rationed(program)
