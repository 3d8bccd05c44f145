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


@each(
    "text",
    [
        "预测：.1 .8 .9\n系统：3 2 0",
        "预测：.1 .8 .9\n甜度：3 2 0\n系统B：0 3 2",
        "系统B：0 3 2\n预测：.1 .8 .9\n甜度：3 2 0",
    ],
)
def test_scores_are_never_read_as_grades(text: str) -> None:
    """Roles were looked at only in two rows that both had one: predictions were graded, 甜度 was 另一列."""
    reading = pasted_list_of(text)
    assert (reading.grades, reading.scores) == ([3, 2, 0], [0.1, 0.8, 0.9])
    assert all("系统B" in fault.fault_words for fault in reading.faults)


def test_two_documents_have_their_scores_too() -> None:
    reading = pasted_list_of("甜度：3 2\n分数：.1 .8")
    assert (reading.grades, reading.scores) == ([3, 2], [0.1, 0.8])


def test_too_few_scores_are_named_and_not_graded() -> None:
    reading = pasted_list_of("甜度：3 2 0 1\n分数：.9 .8 .1")
    assert (reading.grades, reading.scores) == ([3, 2, 0, 1], None)
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (2, "甜度有4个，分数有3个：对不上，分数没用上")


def test_scores_alone_are_no_list() -> None:
    reading = pasted_list_of("score: 0.9 0.8 0.1")
    assert reading.grades == []
    [fault] = reading.faults
    assert "“score”是分数，不是甜度" in fault.fault_words


def test_beside_two_systems_scores_belong_to_neither() -> None:
    reading = pasted_list_of("系统A：3 2 1\n系统B：0 3 2\n分数：.1 .8 .9")
    assert (reading.grades, reading.scores) == ([3, 2, 1], None)
    assert [fault.line_number for fault in reading.faults] == [2, 3]


def test_of_two_systems_the_first_is_read_and_the_other_named() -> None:
    reading = pasted_list_of("系统A：3、2、1\n系统B：0、3、2")
    assert reading.grades == [3, 2, 1]
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (2, "“系统B”是另一列：一次只看一列")


@each("text", ["火锅 3 0.9", "火锅：特辣 3 0.9", "12:30 发车 3 0.9"])
def test_a_title_stays_a_title(text: str) -> None:
    [document] = pasted_list_of(text).documents
    assert (document.grade, document.score) == (3, 0.9)
    assert document.title


def test_half_labelled_lines_are_read_as_before() -> None:
    assert pasted_list_of("菜谱：1 2 0.5\n冒菜 1 0.4").documents[1].title == "冒菜"
