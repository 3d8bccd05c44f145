"""Lines that begin with their number: what a Series prints, ranks in a table, and what only looks like it."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each


@each(
    "text",
    [
        "0    3\n1    2\n2    0\n3    1",
        "1,3\n2,2\n3,0\n4,1",
        "1\t3\n2\t2\n3\t0\n4\t1",
        "rank,gain\n1,3\n2,2\n3,0\n4,1",
    ],
)
def test_the_numbers_of_the_lines_are_no_grades(text: str) -> None:
    reading = pasted_list_of(text)
    assert (reading.grades, reading.scores) == ([3, 2, 0, 1], None)
    assert reading.faults == ()


def test_an_unjudged_document_has_a_number_too() -> None:
    assert pasted_list_of("1 3\n2 -\n3 0\n4 1").grades == [3, None, 0, 1]


@each(
    ("text", "grades", "scores"),
    [
        ("0 9\n1 8\n2 7", [0, 1, 2], [9, 8, 7]),
        ("0 .9\n1 .8\n2 .7\n3 .1", [0, 1, 2, 3], [0.9, 0.8, 0.7, 0.1]),
        ("1 9\n2 8\n3 7\n5 6", [1, 2, 3, 5], [9, 8, 7, 6]),
        ("2 9\n3 8\n4 7\n5 6", [2, 3, 4, 5], [9, 8, 7, 6]),
    ],
)
def test_other_pairs_are_grades_with_their_scores(
    text: str, grades: list[float], scores: list[float]
) -> None:
    reading = pasted_list_of(text)
    assert (reading.grades, reading.scores) == (grades, scores)
