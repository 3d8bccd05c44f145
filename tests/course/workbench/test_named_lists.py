"""Lists under names among the other lines of a program, as they are copied out of a script or a notebook."""

import time

from app.course.workbench.pasting import LARGEST_TEXT, pasted_list_of
from app.course.workbench.programs.dictionaries import used_and_unused_lists_of
from tests.tables import each

SCORED = [(3, 0.9), (2, 0.8), (0, 0.1)]
SCRIPT = """from sklearn.metrics import ndcg_score
y_true = [[3, 2, 0]]
y_score = [[.9, .8, .1]]
print(ndcg_score(y_true, y_score, k=5))
"""
SESSION = """>>> # we have ground-truth relevance of some answers to a query:
>>> true_relevance = np.asarray([[3, 2, 0]])
>>> # we predict some scores (relevance) for the answers
>>> scores = np.asarray([[.9, .8,
    .1]])
0.99
"""


@each(
    "text",
    [
        SCRIPT,
        SESSION,
        "preds = torch.tensor([.9, .8, .1])\ntarget = torch.tensor([3, 2, 0])",
        "k = 10\na = [.9, .8, .1]\nlabels = [3, 2, 0]",
        '{"y_score": [.9, .8, .1], "y_true": [3, 2, 0]}',
    ],
)
def test_names_say_which_list_holds_the_grades(text: str) -> None:
    reading = pasted_list_of(text)
    assert [(document.grade, document.score) for document in reading.documents] == SCORED
    assert reading.faults == ()


def test_true_is_sweet() -> None:
    reading = pasted_list_of("preds = tensor([.9, .1, .5])\ntarget = tensor([True, False, True])")
    assert (reading.grades, reading.scores) == ([1, 0, 1], [0.9, 0.1, 0.5])


def test_another_query_and_a_third_list_are_named() -> None:
    reading = pasted_list_of("y_true = [[3, 2, 0], [1, 0, 1]]\nbm25 = [4, 5, 6]\ny_score = [[.9, .8, .1]]")
    assert [(document.grade, document.score) for document in reading.documents] == SCORED
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults] == [
        (1, "“y_true”是另一列：一次只看一列"),
        (2, "“bm25”是另一列：一次只看一列"),
    ]


def test_scores_that_are_fewer_are_not_used_and_named() -> None:
    reading = pasted_list_of("y_true = [3, 2, 0]\ny_score = [.9, .8]")
    assert (reading.grades, reading.scores) == ([3, 2, 0], None)
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (2, "甜度有3个，分数有2个：对不上，分数没用上")


@each(
    ("text", "grades"),
    [
        ("import x\ngrades = [3, 2, 0]\nprint(grades)", [3, 2, 0]),
        ("y_true = [3, 2]", [3, 2]),
        ("a = [[3, 2, 0]]", [3, 2, 0]),
    ],
)
def test_grades_alone_are_the_list(text: str, grades: list[float]) -> None:
    reading = pasted_list_of(text)
    assert (reading.grades, reading.scores) == (grades, None)
    assert reading.faults == ()


def test_scores_alone_are_no_grades() -> None:
    assert pasted_list_of("import x\ny_score = [.9, .8, .1]").faults


@each("text", ["a" * LARGEST_TEXT, "a=[" * (LARGEST_TEXT // 3), "x = [1, 2]\n" * (LARGEST_TEXT // 11)])
def test_what_a_long_text_costs_grows_no_faster_than_it(text: str) -> None:
    """Ten times the text is some ten times the work, and not a hundred."""
    tenth_seconds, seconds = seconds_of(text[: LARGEST_TEXT // 10]), seconds_of(text)
    assert seconds < 40 * tenth_seconds + 0.2


def seconds_of(text: str) -> float:
    started_at = time.process_time()
    used_and_unused_lists_of(text)
    return time.process_time() - started_at
