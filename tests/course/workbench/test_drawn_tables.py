"""Tables as programs draw them: with lines around the cells, with a named index, with rows left out."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

DOCUMENTS = [(3, 0.9, "d1"), (0, 0.8, "d2"), (1, 0.75, "d3")]
FRAMED = """+----+----------+-------------+---------+
|    | doc_id   |   relevance |   score |
+====+==========+=============+=========+
|  0 | d1       |           3 |    0.9  |
+----+----------+-------------+---------+
|  1 | d2       |           0 |    0.8  |
|----+----------+-------------+---------|
|  2 | d3       |           1 |    0.75 |
+----+----------+-------------+---------+
"""
INDEXED = """        relevance  score
doc_id
d1              3   0.90
d2              0   0.80
d3              1   0.75
"""
SIMPLE = """doc_id      relevance    score
--------  -----------  -------
d1                  3     0.9
d2                  0     0.8
d3                  1     0.75
"""
RESTRUCTURED = f"{'=' * 8}  {'=' * 11}  {'=' * 7}\n{SIMPLE.replace('-', '=')}{'=' * 8}  {'=' * 11}  {'=' * 7}"
WITHOUT_EDGES = """doc_id | relevance | score
:----- | --------: | ---
d1     | 3         | 0.9
d2     | 0         | 0.8
d3     | 1         | 0.75
"""


@each("text", [FRAMED, INDEXED, SIMPLE, RESTRUCTURED, WITHOUT_EDGES])
def test_what_is_drawn_around_documents_is_none(text: str) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == DOCUMENTS
    assert reading.faults == ()


def test_a_series_may_name_its_index() -> None:
    reading = pasted_list_of("doc_id\nd1    3\nd2    0\nName: relevance, dtype: int64")
    assert [(document.title, document.grade) for document in reading.documents] == [("d1", 3), ("d2", 0)]
    assert reading.faults == ()


def test_where_rows_are_left_out_the_others_are_read_and_that_is_said() -> None:
    reading = pasted_list_of(
        "    relevance  score\n0   3  1.0\n1   2  0.9\n..  ...  ...\n63  0  0.1\n64  1  0.05"
    )
    assert [(document.grade, document.score) for document in reading.documents] == [
        (3, 1.0),
        (2, 0.9),
        (0, 0.1),
        (1, 0.05),
    ]
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (4, "这里省略了一段，没有印全：后面的名次都不对")


@each(
    ("text", "grades"),
    [
        ("-\n3\n-", [None, 3, None]),
        ("- - 3", [None, None, 3]),
        ("标题 甜度\n火锅 3\n串串 2", [3, 2]),
    ],
)
def test_what_only_looks_drawn_stays(text: str, grades: list[float | None]) -> None:
    assert pasted_list_of(text).grades == grades


def test_a_title_without_a_grade_is_no_name_of_an_index() -> None:
    reading = pasted_list_of("title grade\nrice\nbig bowl 2\nhot pot 3")
    assert [(document.title, document.grade) for document in reading.documents] == [
        ("big bowl", 2),
        ("hot pot", 3),
    ]
    assert [fault.line_number for fault in reading.faults] == [2]


@each("text", ["[3 2 0 ... 2 0 1]", "array([3, 2, 0, ..., 2, 0, 1], shape=(2000,))"])
def test_an_array_with_a_gap_is_no_list(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.documents == ()
    assert [fault.fault_words for fault in reading.faults] == ["这里省略了一段，没有印全：后面的名次都不对"]
