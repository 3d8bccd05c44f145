"""A row of figures with a label before it, as lessons print one and people type one."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each


@each(
    ("text", "grades"),
    [
        ("系统A：3、2、1、0", [3, 2, 1, 0]),
        ("A: 3, 2, 1, 0", [3, 2, 1, 0]),
        ("grades = 3 2 1 0", [3, 2, 1, 0]),
        ("甜度：3 - 0", [3, None, 0]),
        ("甜度 3 2", [3, 2]),
        ("rel\t3\t2\t0", [3, 2, 0]),
        ("DCG@4 = 3 2 0 1", [3, 2, 0, 1]),
    ],
)
def test_a_label_is_no_document(text: str, grades: list[float | None]) -> None:
    reading = pasted_list_of(text)
    assert reading.grades == grades
    assert not reading.is_titled
    assert reading.faults == ()


@each(
    "text",
    [
        "甜度\t3\t2\t0\n分数\t.1\t.8\t.9",
        "y_score: .1 .8 .9\ny_true: 3 2 0",
        "A：3 2 0\n分数：.1 .8 .9",
    ],
)
def test_labels_say_which_row_holds_the_scores(text: str) -> None:
    reading = pasted_list_of(text)
    assert [(document.grade, document.score) for document in reading.documents] == [
        (3, 0.1),
        (2, 0.8),
        (0, 0.9),
    ]
    assert reading.faults == ()


def test_of_two_systems_the_first_is_read_and_the_other_named() -> None:
    reading = pasted_list_of("系统A：3、2、1\n系统B：0、3、2")
    assert reading.grades == [3, 2, 1]
    [fault] = reading.faults
    assert (fault.line_number, fault.words) == (2, "“系统B”是另一列：一次只看一列")


@each("text", ["火锅 3 0.9", "火锅：特辣 3 0.9", "12:30 发车 3 0.9"])
def test_a_title_stays_a_title(text: str) -> None:
    [document] = pasted_list_of(text).documents
    assert (document.grade, document.score) == (3, 0.9)
    assert document.title


def test_half_labelled_lines_are_read_as_before() -> None:
    assert pasted_list_of("菜谱：1 2 0.5\n冒菜 1 0.4").documents[1].title == "冒菜"
