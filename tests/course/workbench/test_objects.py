"""Tables as JSON and Python write them: an object a row, and never qrels and a run."""

import json

from app.course.workbench.pasting import pasted_list_of
from tests.tables import each

ROWS = [
    {"doc": "火锅", "grade": 3, "score": 0.9},
    {"doc": "串串 {大份}", "grade": 0, "score": 0.2},
    {"doc": "冒菜", "grade": None, "score": 0.7},
]
DOCUMENTS = [(3, 0.9, "火锅"), (0, 0.2, "串串 {大份}"), (None, 0.7, "冒菜")]


@each(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, ensure_ascii=False, indent=2),
        "\n".join(json.dumps(row) for row in ROWS),
        str(ROWS),
        f"rows = {ROWS}\nprint(ndcg(rows))",
        json.dumps({"hits": ROWS}),
    ],
)
def test_an_object_is_a_row(text: str) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == DOCUMENTS
    assert reading.faults == ()


def test_a_figure_may_stand_in_quotes() -> None:
    assert pasted_list_of('{"docid": "d1", "rel": "3"}\n{"docid": "d2", "rel": "0"}').grades == [3, 0]


def test_other_queries_and_missing_grades_are_named() -> None:
    reading = pasted_list_of('[{"qid": 1, "rel": 3},\n {"qid": 2, "rel": 1},\n {"qid": 1}]')
    assert reading.grades == [3]
    assert [fault.line_number for fault in reading.faults] == [2, 3]


@each("text", ['[{"gain_of": "a", "worth": 3}]', '{"hits": {"hits": [{"_id": "a", "_score": 3.2}]}}'])
def test_objects_without_a_grade_are_no_qrels(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.documents == ()
    assert reading.faults


def test_a_long_line_that_was_read_is_no_fault() -> None:
    rows = [{"doc": f"document-{number:030}", "rel": number % 4} for number in range(400)]
    qrels = {"q1": {row["doc"]: row["rel"] for row in rows}}
    run = {"q1": {row["doc"]: 1000 - number for number, row in enumerate(rows)}}
    for text in (json.dumps(rows), f"qrels = {qrels}\nrun = {run}"):
        reading = pasted_list_of(text)
        assert len(reading.documents) == 400
        assert reading.faults == ()


@each("key", ["火锅", 'a"b', "a\\b", "it's", "u" * 250, "{a}", "a: 3, b"])
@each("is_ascii", [True, False])
def test_a_key_is_read_as_json_writes_it(key: str, is_ascii: bool) -> None:
    """Escapes stayed as they stood, and quotes in a key put the following tokens out of step."""
    qrels = json.dumps({"q1": {key: 3, "b": 1, "unseen": 2}}, ensure_ascii=is_ascii)
    run = json.dumps({"q1": {"b": 0.9, key: 0.5}}, ensure_ascii=is_ascii)
    reading = pasted_list_of(f"qrels = {qrels}\nrun = {run}")
    assert [(document.title, document.grade) for document in reading.documents] == [("b", 1), (key[:80], 3)]
    assert (reading.unlisted_grades, reading.faults) == ((2,), ())
