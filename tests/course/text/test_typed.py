"""What people type is cut before it is put into one spelling."""

import ast

import pytest

from app.course.items import numbers
from app.course.items.marks import Unreadable
from app.course.text import typed
from tests.rationed import ROOT, rationed_fork
from tests.source_tree import modules


def test_only_one_module_puts_letters_into_one_spelling() -> None:
    module_names = [
        path.name
        for path, tree in modules("", ROOT, "normalize")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "normalize"
    ]
    assert module_names == ["typed.py", "typed.py"]


@pytest.mark.parametrize(
    "call",
    [
        "typed.whole_number(text)", "typed.name_key(text)", "typed.single_spaced_name(text)",
        "passwords.normalised_password(text)", "codes.normalise_code(text)",
        "checked_settings.tidy_text(text)",
        "refused(classrooms.checked_class_name, text)",
        "refused(numbers.read, text)", "refused(bands.read_own_list, text, text)",
        "refused(numbers.read, '1' * 79 + 'a')",
    ],
)  # fmt: skip
def test_marks_without_end_take_no_time(call: str) -> None:
    program = (
        "import sys; from app.course.items import numbers; from app.course.reference import bands\n"
        "from app.course.text import typed; from app.records.accounts import passwords\n"
        "from app.records.assignments import checked_settings; from app.records.classes import classrooms\n"
        "from app.records.db import codes\n"
        "def refused(read, *texts):\n"
        "    try: read(*texts)\n    except Exception as error: return str(error)\n    raise AssertionError\n"
        f"text = '1' + sys.stdin.read()\n{call}"
    )
    rationed_fork(program, "\u0301\u0316" * 100_000, seconds=10)


def test_a_number_is_read_to_its_end() -> None:
    assert typed.whole_number("12" + " " * 30) == 12
    assert typed.whole_number("12" + "0" * 30) is None
    with pytest.raises(Unreadable):
        numbers.read("1" * 40 + "a")
