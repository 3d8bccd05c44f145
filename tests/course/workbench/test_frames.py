"""Tables out of data frames: as polars, DuckDB, psql and R print them, and as pandas keeps them in JSON."""

import json
import time
from collections.abc import Callable

from app.course.workbench.pasting import LARGEST_TEXT, pasted_list_of
from app.course.workbench.programs import frames
from tests.tables import each

DOCUMENTS = [(3, 0.9, "d1"), (0, 0.8, "d2"), (1, 0.75, "d3")]
POLARS = """shape: (3, 3)
┌─────┬───────┬───────┐
│ doc ┆ grade ┆ score │
│ --- ┆ ---   ┆ ---   │
│ str ┆ i64   ┆ f64   │
╞═════╪═══════╪═══════╡
│ d1  ┆ 3     ┆ 0.9   │
│ d2  ┆ 0     ┆ 0.8   │
│ d3  ┆ 1     ┆ 0.75  │
└─────┴───────┴───────┘"""
DUCKDB = """┌─────────┬───────┬────────┐
│   doc   │ grade │ score  │
│ varchar │ int32 │ double │
├─────────┼───────┼────────┤
│ d1      │     3 │    0.9 │
│ d2      │     0 │    0.8 │
│ d3      │     1 │   0.75 │
└─────────┴───────┴────────┘"""
PSQL = """ doc | grade | score
-----+-------+-------
 d1  |     3 |   0.9
 d2  |     0 |   0.8
 d3  |     1 |  0.75
(3 rows)"""
TIBBLE = """# A tibble: 3 × 3
  doc   grade score
  <chr> <dbl> <dbl>
1 d1        3  0.9
2 d2        0  0.8
3 d3        1  0.75"""
COLUMNS = {
    "doc": {"0": "d1", "1": "d2", "2": "d3"},
    "grade": {"0": 3, "1": 0, "2": 1},
    "score": {"0": 0.9, "1": 0.8, "2": 0.75},
}
NAMED_INDEX = {"score": {"d1": 0.9, "d2": 0.8, "d3": 0.75}, "rel": {"d1": 3, "d2": 0, "d3": 1}}
SPLIT = {
    "columns": ["doc", "grade", "score"],
    "index": [0, 1, 2],
    "data": [["d1", 3, 0.9], ["d2", 0, 0.8], ["d3", 1, 0.75]],
}
SPLIT_WITH_NAMES = {
    "columns": ["grade", "score"],
    "index": ["d1", "d2", "d3"],
    "data": [[3, 0.9], [0, 0.8], [1, 0.75]],
}
TABLE = {
    "schema": {"fields": [{"name": "doc", "type": "string"}], "pandas_version": "1.4.0"},
    "data": [{"doc": doc, "grade": grade, "score": score} for grade, score, doc in DOCUMENTS],
}
KEPT_TABLES = [COLUMNS, NAMED_INDEX, SPLIT, SPLIT_WITH_NAMES, TABLE]


@each(
    "text",
    [
        *(POLARS, DUCKDB, PSQL, TIBBLE),
        *(json.dumps(table) for table in KEPT_TABLES),
        *(json.dumps(table, indent=1) for table in KEPT_TABLES),
        *(f"{table}" for table in KEPT_TABLES[:4]),
        f"df = {COLUMNS}".replace("'0'", "0").replace("'1'", "1").replace("'2'", "2"),
    ],
)
def test_a_table_of_a_data_frame_is_one(text: str) -> None:
    """By columns it was two queries of qrels, with a complaint; what was drawn was refused line by line."""
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == DOCUMENTS
    assert reading.faults == ()


def test_a_split_table_has_no_grades_in_its_index() -> None:
    """Its index was read as the first document."""
    reading = pasted_list_of('{"columns":["grade","score"],"index":[0,1],"data":[[3,0.9],[0,0.8]]}')
    assert (reading.grades, reading.scores) == ([3, 0], [0.9, 0.8])


@each(
    ("text", "grades"),
    [
        ('{"0": 3, "1": 0, "2": 1}', [3, 0, 1]),
        ("{0: 3, 1: 0, 2: None}", [3, 0, None]),
        ("shape: (3,)\nSeries: 'grade' [i64]\n[\n\t3\n\t0\n\t1\n]", [3, 0, 1]),
        ("c(3, 2)", [3, 2]),
        ("grades <- c(3L, 2L,\n  0L)", [3, 2, 0]),
        ("y_true = (3, 2, 0)", [3, 2, 0]),
        ("3-element Vector{Int64}:\n 3\n 2\n 0", [3, 2, 0]),
    ],
)
def test_grades_alone(text: str, grades: list[float | None]) -> None:
    reading = pasted_list_of(text)
    assert (reading.grades, reading.is_titled, reading.faults) == (grades, False, ())


def test_vectors_of_r_have_names() -> None:
    reading = pasted_list_of("rel <- c(3, 2, 0)\npred <- c(.9, .8, .1)")
    assert (reading.grades, reading.scores) == ([3, 2, 0], [0.9, 0.8, 0.1])


@each("gap", ["│ …   ┆ …     ┆ …     │", "│ ... ┆ ...   ┆ ...   │"])
def test_rows_that_polars_left_out_are_named(gap: str) -> None:
    reading = pasted_list_of(POLARS.replace("│ d2  ┆ 0     ┆ 0.8   │", gap))
    assert reading.grades == [3, 1]
    assert [(fault.line_number, "省略" in fault.fault_words) for fault in reading.faults] == [(8, True)]


def test_a_bad_cell_of_a_kept_table_is_named_by_its_line() -> None:
    text = json.dumps({"grade": {"a": 3, "b": "甜", "c": 1}}, ensure_ascii=False, indent=1)
    reading = pasted_list_of(text)
    assert [(document.title, document.grade) for document in reading.documents] == [("a", 3), ("c", 1)]
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults] == [(4, "甜度“甜”不是数")]


@each(
    "text",
    ['{"q1": {"d1": 3}, "q2": {"d1": 0}}', '{"d1": 3, "d2": 0}', '{"qrels": {"q1": {"d1": 3}}}'],
)
def test_dictionaries_of_documents_stay_qrels(text: str) -> None:
    assert "只有qrels" in pasted_list_of(text).faults[0].fault_words


@each(
    "text", ['{"columns": ["doc", "score"], "data": [["d1", 0.9]]}', '{"score": {"0": 0.9}}', "{0: 3, 2: 1}"]
)
def test_what_names_no_grades_is_no_table(text: str) -> None:
    assert frames.numbered_table_lines_of(text) == []


@each(
    "text",
    [
        '{"rel": {"0": 3, ' * (LARGEST_TEXT // 17),
        '{"rel": {"0":3}, "data": [[1],' * (LARGEST_TEXT // 30),
        '"columns": ["a", ' * (LARGEST_TEXT // 17),
        '"columns": [\'a\'], "data": [' + "[1, 2], " * (LARGEST_TEXT // 8),
        '{"rel": {' + '"1": 3, ' * (LARGEST_TEXT // 8),
        "│ a ┆ b │\n" * (LARGEST_TEXT // 10),
        "c(" * (LARGEST_TEXT // 2),
        "x = (1" * (LARGEST_TEXT // 6),
        "\"'" * (LARGEST_TEXT // 2),
        " " * LARGEST_TEXT,
        ", " * (LARGEST_TEXT // 2),
        "{'a': " * (LARGEST_TEXT // 6),
    ],
)
def test_what_a_long_text_costs_grows_no_faster_than_it(text: str) -> None:
    for read in (frames.numbered_table_lines_of, frames.plain_text):
        tenth_seconds, seconds = seconds_of(read, text[: LARGEST_TEXT // 10]), seconds_of(read, text)
        assert seconds < 40 * tenth_seconds + 0.2


def seconds_of(read: Callable[[str], object], text: str) -> float:
    started_at = time.process_time()
    read(text)
    return time.process_time() - started_at
