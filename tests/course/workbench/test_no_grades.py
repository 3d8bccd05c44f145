"""Scores, ranks and titles without a grade: never read as grades, whatever shape they come in."""

import json

from app.course.workbench.layouts import NO_GRADE_COLUMN_WORDS, RUN_WITHOUT_GRADES_WORDS
from app.course.workbench.pasting import pasted_list_of
from tests.tables import each


@each(
    "text",
    [
        "qid,docno,rank,score\n1,a,1,14.2\n1,b,2,13.1\n1,c,3,9",
        "qid,docid,docno,rank,score,query\n1,1001,a,0,22.1,hello\n1,1002,b,1,20,hello",
        "title,score\nA,0.9\nB,0.5\nC,0.2",
        "文档\t分数\n甲\t0.9\n乙\t0.5",
        "| doc | score |\n|---|---|\n| a | 0.9 |",
        "   doc  score\n0   a   0.9\n1   b   0.5",
        "doc,rank\na,1\nb,2",
        "score\n0.9\n0.8",
        json.dumps([{"doc": "a", "score": 0.9}, {"doc": "b", "score": 0.5}]),
    ],
)
def test_a_header_without_a_grade_gives_no_documents(text: str) -> None:
    """The ranks of a run were read as grades, and an NDCG was printed."""
    reading = pasted_list_of(text)
    assert reading.documents == ()
    [fault] = reading.faults
    assert (fault.line_number, fault.fault_words) == (1, NO_GRADE_COLUMN_WORDS)


@each("text", ["1,a,0,22.1\n1,b,1,20", "q7\ta\t1\t9\nq7\tb\t2\t8\nq7\tc\t3\t7"])
def test_a_run_without_its_header_gives_no_documents(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.documents == ()
    [fault] = reading.faults
    assert fault.fault_words == RUN_WITHOUT_GRADES_WORDS


@each("text", ["scores = [0.9, 0.5, 0.1]", "y_pred = np.array([\n    0.9,\n    0.5])\nprint(y_pred)"])
def test_scores_of_a_program_alone_are_no_list(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.documents == ()
    assert "是分数，不是甜度" in reading.faults[0].fault_words


@each(
    ("text", "grades"),
    [
        ("店1 甲 0 22.1\n店1 乙 2 20", [0, 2]),
        ("火锅 甲 0 22.1\n火锅 乙 1 20", [0, 1]),
        ("查询 成都美食\n火锅 3\n串串 2", [3, 2]),
        ("编号\n3\n2", [3, 2]),
        ("标题\t甜度（0-3）\n火锅\t3\n串串\t2", [3, 2]),
        ("3 2 0\nscores = [0.9, 0.5, 0.1]", [3, 2, 0]),
        ("target = [3, 2, 0]\nscores = [0.9, 0.5, 0.1]", [3, 2, 0]),
    ],
)
def test_grades_beside_other_words_are_still_read(text: str, grades: list[float]) -> None:
    assert pasted_list_of(text).grades == grades


@each("text", ["80% 1/2 3", "80%, 1/2, 3", "８０％　３", "1/2 1/3", "3 2 80%"])
def test_percents_and_fractions_in_a_row_are_no_title(text: str) -> None:
    """All of them but the last were read as the title of one document, whose NDCG is 1 by every library."""
    reading = pasted_list_of(text)
    assert reading.documents == ()
    [fault] = reading.faults
    assert "80%、1/2这样的不是甜度" in fault.fault_words


@each(
    ("text", "title"),
    [("80%\t3", "80%"), ("3/4寸屏 3", "3/4寸屏"), ("7/24便利店 3", "7/24便利店"), ("80%折扣 3", "80%折扣")],
)
def test_a_title_with_a_percent_or_a_stroke_stays_one(text: str, title: str) -> None:
    assert [document.title for document in pasted_list_of(text).documents] == [title]
