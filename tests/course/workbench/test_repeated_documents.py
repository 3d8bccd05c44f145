"""A document stands in a list once: whatever names it by an id says so of its second line."""

from app.course.workbench.documents import LineFault, text_of
from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

REPEATED = "“d1”前面出现过了，只算第一次"


@each(
    ("text", "line_number"),
    [
        ("docno,grade,score\nd1,3,0.9\nd2,0,0.8\nd1,3,0.7\nd3,2,0.6", 4),
        ("doc\trel\tscore\nd1\t3\t0.9\nd2\t0\t0.8\nd1\t3\t0.7\nd3\t2\t0.6", 4),
        ("qid,pid,label,score\nq1,d1,3,0.9\nq2,d1,1,0.9\nq1,d2,0,0.8\nq1,d1,3,0.7\nq1,d3,2,0.6", 5),
        ('[{"id": "d1", "rel":3},\n{"id": "d2", "rel":0},\n{"id": "d1", "rel":3}, {"id": "d3", "rel":2}]', 3),
        ("q 0 d1 3\nq 0 d3 2\nq 0 d2 0\nq Q0 d1 1 3 x\nq Q0 d2 2 2 x\nq Q0 d1 3 1 x\nq Q0 d3 4 0 x", 6),
    ],
)
def test_the_second_line_of_a_document_is_left_out(text: str, line_number: int) -> None:
    pasted_list = pasted_list_of(text)
    assert pasted_list.grades == [3, 0, 2]
    assert LineFault(line_number, REPEATED) in pasted_list.faults


@each(
    "text",
    ["title,grade\n奶茶,3\n火锅,0\n奶茶,2", "奶茶\t3\n火锅\t0\n奶茶\t2", "docno,grade\n,3\n火锅,0\n,2"],
)
def test_two_documents_may_have_one_title_or_none(text: str) -> None:
    pasted_list = pasted_list_of(text)
    assert (pasted_list.grades, pasted_list.faults) == ([3, 0, 2], ())
    assert pasted_list_of(text_of(pasted_list.documents)) == pasted_list, "in an address as well"


def test_a_line_that_was_not_read_is_no_first_one() -> None:
    pasted_list = pasted_list_of("docno,grade\nd1,很甜\nd2,0\nd1,3")
    assert pasted_list.grades == [0, 3]
