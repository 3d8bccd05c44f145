"""YAML as editors read it: the scalars of 1.2, no key twice, and the line of everything."""

import pytest

from app.course.text.faults import Faults
from app.course.text.yaml12 import YamlDocument
from tests.tables import each


@each(
    ("written", "read"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("y", "y"),
        ("1:30", "1:30"),
        ("2024-05-01", "2024-05-01"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("0b1", "0b1"),
        (".inf", ".inf"),
        ("<<", "<<"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("012", 12),
        ("-3", -3),
        ("+3", 3),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.5e-3", 0.0015),
        ('"3"', "3"),
        ("'true'", "true"),
    ],
)
def test_scalars_are_those_of_yaml_1_2(written: str, read: object) -> None:
    data = YamlDocument("f.yaml", f"key: {written}\n").data
    assert data == {"key": read}
    assert type(data["key"]) is type(read)


def fault_text(text: str) -> str:
    with pytest.raises(Faults) as caught:
        YamlDocument("f.yaml", text)
    return str(caught.value)


def test_a_key_twice_is_refused_and_both_lines_are_named() -> None:
    assert fault_text("one: 1\ntwo: 2\none: 3\n") == "f.yaml:3: YAML读不懂：重复的键'one'（第1行已经有了）"


def test_a_key_twice_is_refused_deep_inside_too() -> None:
    assert fault_text("list:\n  - {a: 1}\n  - {b: 1, b: 2}\n").startswith("f.yaml:3: ")


@each(
    ("text", "line"),
    [
        ("a: [1, 2\nb: 3\n", 2),
        ("a: 1\n b: 2\n", 2),
        ("a: 1\n\tb: 2\n", 2),
        ("? [1, 2]\n: 3\n", 1),
        ("a: !!python/object:os.system x\n", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: *nothing\n", 1),
    ],
)
def test_what_is_no_yaml_is_a_fault_with_its_line(text: str, line: int) -> None:
    assert fault_text(text).startswith(f"f.yaml:{line}: YAML读不懂：")


def test_a_number_that_python_does_not_read_is_a_fault_of_the_whole_file() -> None:
    """It has no line: what reads numbers does not know where they stand."""
    with pytest.raises(Faults) as caught:
        YamlDocument("a.yaml", "a: 1\nb: " + "1" * 5000)
    assert [(fault.line_number, fault.message) for fault in caught.value.faults] == [
        (0, "YAML读不懂：这个数太大了")
    ]


def test_a_tag_that_lies_is_a_fault() -> None:
    assert fault_text("a: !!int abc\n").startswith("f.yaml: YAML读不懂：")


def test_an_empty_file_holds_nothing() -> None:
    assert YamlDocument("f.yaml", "# nothing yet\n").data == {}


def test_a_fault_stands_where_its_path_leads() -> None:
    document = YamlDocument("f.yaml", "a:\n  - x: 1\n  - x: 2\n    y: 3\n")
    assert str(document.fault(("a", 1, "y"), "!")) == "f.yaml:4: a.1.y: !"


def test_a_missing_key_is_named_at_the_line_of_its_parent() -> None:
    document = YamlDocument("f.yaml", "a:\n  - x: 1\n  - x: 2\n")
    assert str(document.fault(("a", 1, "y"), "!")) == "f.yaml:3: a.1.y: !"


def test_a_key_that_only_pydantic_knows_is_passed_over() -> None:
    document = YamlDocument("f.yaml", "a:\n  kind: single\n  x: 1\n")
    assert str(document.fault(("a", "single", "x"), "!")) == "f.yaml:3: a.x: !"
    assert document.key_path_in_file(("a", "single", "x", "gone")) == ["a", "x"]
