"""Tables under the headings that programs give them, decimal commas between tabs, and what R prints."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

DOCUMENTS = [(3, 0.9, "d1"), (0, 0.8, "d2"), (1, 0.75, "d3")]


@each(
    "text",
    [
        "docid,sim,qrel\nd1,.9,3\nd2,.8,0\nd3,.75,1",
        "rank\tdocument\tscores\tlabels\n1\td1\t.9\t3\n2\td2\t.8\t0\n3\td3\t.75\t1",
        "编号\t真实相关性\t预测分\nd1\t3\t0,9\nd2\t0\t0,8\nd3\t1\t0,75",
        "d1\t3\t0,9\nd2\t0\t0,8\nd3\t1\t0,75",
        """{"hits": [{"_id": "d1", "_score": 0.9, "rating": 3}, {"_id": "d2", "_score": 0.8, "rating": 0},
        {"_id": "d3", "_score": 0.75, "rating": 1}]}""",
    ],
)
def test_columns_are_found_by_their_headings(text: str) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == DOCUMENTS
    assert reading.faults == ()


def test_a_comma_that_may_part_thousands_is_named() -> None:
    reading = pasted_list_of("d1\t3\t1,900\nd2\t0\t900\nd3\t1\t800")
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (1, "分数“1,900”不是数")


@each(
    ("text", "grades"),
    [
        ("[1] 3 2 3 0 1 2", [3, 2, 3, 0, 1, 2]),
        (" [1] 3 2 3 0\n [5] 1 2", [3, 2, 3, 0, 1, 2]),
        ("[1] 3\n[2] 0", [3, 0]),
    ],
)
def test_where_a_line_of_r_begins_is_no_grade(text: str, grades: list[float]) -> None:
    assert pasted_list_of(text).grades == grades


@each("text", ["[(3, 0.9), (2, 0.8), (0, 0.1)]", "[(3, 0.9),\n (2, 0.8),\n (0, 0.1)]"])
def test_pairs_are_grades_with_their_scores(text: str) -> None:
    reading = pasted_list_of(text)
    assert (reading.grades, reading.scores) == ([3, 2, 0], [0.9, 0.8, 0.1])
    assert reading.faults == ()


def test_pairs_with_names_may_be_results_and_are_no_grades() -> None:
    assert pasted_list_of("[('d1', 12), ('d2', 3)]").faults
