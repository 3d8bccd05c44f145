"""Runs and qrels as programs write them: without a tag, in three columns, with numbers for documents."""

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d9 2"
RUN = "q1 Q0 d2 1 2.5 bm25\nq1 Q0 d1 2 1.5 bm25"


@each(
    ("text", "scores"),
    [
        (f"q1 Q0 d2 1 2.5\nq1 Q0 d1 2 1.5\n{QRELS}", [2.5, 1.5]),
        (f"{QRELS}\nq1\td2\t1\nq1\td1\t2", None),
        (f"q1 d1 2\nq1 d2 1\n{QRELS}", None),
        (f"q1 d2 2.5\nq1 d1 1.5\n{QRELS}", [2.5, 1.5]),
        (f"q1 d1 3\nq1 d2 0\nq1 d9 2\n{RUN}", [2.5, 1.5]),
    ],
)
def test_a_table_of_three_columns_is_what_the_other_is_not(text: str, scores: list[float] | None) -> None:
    reading = pasted_list_of(text)
    assert [(document.title, document.grade) for document in reading.documents] == [("d2", 0), ("d1", 3)]
    assert (reading.scores, reading.unlisted_grades) == (scores, (2,))
    assert reading.faults == ()


def test_a_table_beside_run_and_qrels_is_named() -> None:
    reading = pasted_list_of(f"{QRELS}\n{RUN}\nq1 d1 3")
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (6, "“q1 d1 3”不是run（6格），也不是qrels（4格）")


def test_another_query_of_a_table_is_named() -> None:
    reading = pasted_list_of(f"q1 d2 1\nq1 d1 2\nq2 d1 1\n{QRELS}")
    assert [document.title for document in reading.documents] == ["d2", "d1"]
    assert [fault.line_number for fault in reading.faults] == [3]


def test_documents_may_have_numbers_for_names() -> None:
    reading = pasted_list_of("19335 0 1017759 0\n19335 0 1082489 3")
    assert [(document.title, document.grade) for document in reading.documents] == [
        ("1017759", 0),
        ("1082489", 3),
    ]


def test_titles_and_grades_stay_titles_and_grades() -> None:
    reading = pasted_list_of("q1 d1 3\nq1 d2 2")
    assert reading.grades == [3, 2]


def test_a_row_of_four_grades_stays_one() -> None:
    assert pasted_list_of("1 0 0.75 0.5").grades == [1, 0, 0.75, 0.5]


def test_lines_of_other_queries_are_told_once_and_hide_nothing() -> None:
    """A run as it lies on a disk has hundreds of queries."""
    other_lines = "".join(f"q{number} Q0 d1 1 0.9 x\n" for number in range(2, 900))
    reading = pasted_list_of(f"q1 Q0 d1 1 0.9 x\n{other_lines}q1 0 d1 3\nq1 0 d2 甜")
    assert (reading.grades, reading.more_fault_count) == ([3], 0)
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults] == [
        (2, "从这里起有898行是别的查询的：一次只看一个查询，这次看“q1”"),
        (901, "“q1 0 d2 甜”不是run（6格），也不是qrels（4格）"),
    ]


BEIR = "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t0\nq2\td9\t1"


def test_qrels_of_beir_are_those_of_their_first_query() -> None:
    """All queries were read as one list, and the header as a line of it."""
    reading = pasted_list_of(BEIR)
    assert [(document.title, document.grade) for document in reading.documents] == [("d1", 3), ("d2", 0)]
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults] == [
        (0, "只有qrels，没有run：先按标注的先后排成一列"),
        (4, "这一行是查询“q2”的：一次只看一个查询，这次看“q1”"),
    ]


@each("text", [f"{RUN}\n{BEIR}", f"{BEIR}\n{RUN}"])
def test_qrels_of_beir_may_stand_beside_a_run(text: str) -> None:
    reading = pasted_list_of(text)
    assert [(document.title, document.grade) for document in reading.documents] == [("d2", 0), ("d1", 3)]
    assert len(reading.faults) == 1, "q2"


def test_qrels_of_beir_may_be_below_zero_as_others_may() -> None:
    reading = pasted_list_of("query-id\tcorpus-id\tscore\nq1\td1\t-1\nq1\td2\t2")
    assert [(document.title, document.grade) for document in reading.documents] == [("d1", -1), ("d2", 2)]
    assert [fault.line_number for fault in reading.faults] == [0], "only that a run is missing"


def test_scores_under_such_a_header_are_no_grades() -> None:
    assert pasted_list_of("query-id\tcorpus-id\tscore\nq1\td1\t0.93\nq1\td2\t0.5").faults


def test_documents_are_one_only_by_their_whole_names() -> None:
    """Two addresses that begin alike were one document, with the grade of the second."""
    address = "https://example.org/" + "a" * 90
    run = f"q1 Q0 {address}/1 1 0.9 x\nq1 Q0 {address}/2 2 0.8 x"
    reading = pasted_list_of(f"{run}\nq1 0 {address}/1 3\nq1 0 {address}/2 0\nq1 0 {address}/3 2")
    assert (reading.grades, reading.unlisted_grades, reading.faults) == ([3, 0], (2,), ())
    assert {len(document.title) for document in reading.documents} == {80}


@each(
    "text",
    [
        "q1\tQ0\td2\t1\t2.5\tmy run v2\nq1\tQ0\td1\t2\t1.5\tmy run v2\nq1\t0\td1\t3\nq1\t0\td2\t0",
        "q1 Q0 d2 1 2.5 bm25 v2\nq1 Q0 d1 2 1.5 bm25 v2\nq1 0 d1 3\nq1 0 d2 0",
        "q1\tQ0\td2\t1\t2.5\tbm25\t\nq1\tQ0\td1\t2\t1.5\tbm25\t\nq1\t0\td1\t3\t\nq1\t0\td2\t0\t",
    ],
)
def test_a_run_may_have_spaces_in_its_tag_and_tabs_at_its_end(text: str) -> None:
    """It was thrown away, and the lines of its qrels were read as titles and grades."""
    reading = pasted_list_of(text)
    assert [(document.title, document.grade, document.score) for document in reading.documents] == [
        ("d2", 0, 2.5),
        ("d1", 3, 1.5),
    ]
    assert reading.faults == ()


def test_ranks_alone_stay_a_run() -> None:
    reading = pasted_list_of("q1\tQ0\td2\t1\t\t\nq1\tQ0\td1\t2\t\t\nq1\t0\td1\t3")
    assert (reading.grades, reading.scores) == ([None, 3], None)


def test_a_document_judged_twice_is_named() -> None:
    reading = pasted_list_of("1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n1 0 a 1\n1 0 a 3\n1 0 b 2\n1 0 b 2")
    assert reading.grades == [1, 2]
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (4, "“a”在qrels里标过别的甜度了，只算第一次")
