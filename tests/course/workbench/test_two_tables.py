"""Grades and scores in a table each, below one another."""

from app.course.workbench.documents import LineFault
from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

QRELS = "query_id,doc_id,relevance\nq1,d1,3\nq1,d2,0\nq1,d3,2"
RUN = "query_id,doc_id,score\nq1,d1,0.1\nq1,d2,0.8"


@each("text", [f"{QRELS}\n\n{RUN}", f"{RUN}\n{QRELS}", f"{QRELS}\n{RUN}".replace(",", "\t")])
def test_scores_of_a_second_table_are_no_grades(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.unique_titles == ["d1", "d2"]
    assert reading.grades == [3, 0]
    assert (reading.scores, reading.unlisted_grades, reading.faults) == ([0.1, 0.8], (2,), ())


def test_tables_without_queries_are_of_one() -> None:
    reading = pasted_list_of("文档,甜度\n1,3\n2,0\n文档,分数\n2,0.8\n1,0.1")
    assert reading.unique_titles == ["2", "1"]
    assert reading.grades == [0, 3]


def test_a_run_without_queries_is_of_the_first_query_of_the_qrels() -> None:
    reading = pasted_list_of(f"{QRELS}\nq2,d1,1\ndocid,score\nd1,0.1\nd2,0.8")
    assert reading.grades == [3, 0]
    assert [fault.line_number for fault in reading.faults] == [5]


def test_a_third_table_is_named() -> None:
    reading = pasted_list_of(f"{QRELS}\n{RUN}\ndoc_id,score\nd3,0.9")
    assert reading.grades == [3, 0]
    assert reading.faults == (LineFault(8, "从这里起是另一张表，没有读：一次只看一份标注和一个系统"),)


def test_a_row_that_cannot_be_read_is_named() -> None:
    reading = pasted_list_of(f"{QRELS}\n{RUN}\nq1,d3,很高")
    assert reading.grades == [3, 0]
    assert [fault.line_number for fault in reading.faults] == [8]


@each("text", [QRELS, f"{QRELS}\n{QRELS}", "doc,grade,score\nd1,3,0.9\nd2,0,0.8"])
def test_one_kind_of_table_is_read_as_it_was(text: str) -> None:
    assert pasted_list_of(text).grades[:2] == [3, 0]
