"""Pasted lists: every shape that people paste, every bad line named, nothing that breaks the reader."""

import random

import pytest

from app.course.items.marks import Unreadable
from app.course.workbench.cells import LONGEST_TITLE
from app.course.workbench.documents import text_of
from app.course.workbench.pasting import (
    LARGEST_TEXT,
    MOST_DOCUMENTS,
    MOST_FAULTS,
    MOST_UNLISTED_GRADES,
    pasted_list_of,
    read_pool,
)
from tests.tables import each

TREC = """q1 0 a 3
q1 0 b 1
q1 0 z 2
q1 0 bad -2
q1 Q0 b 1 2.5 bm25
q1 Q0 c 2 2.0 bm25
q1 Q0 a 3 1.5 bm25
"""


@each(
    ("text", "grades"),
    [
        ("3 2 3 0 1 2", [3, 2, 3, 0, 1, 2]),
        ("3, 2, 3, 0", [3, 2, 3, 0]),
        ("３，２。", [3, 2]),
        ("３、２、－", [3, 2, None]),
        ("[3, 2, null, 0.5]", [3, 2, None, 0.5]),
        ("y_true = np.asarray([[10, 0, 0, 1, 5]])", [10, 0, 0, 1, 5]),
        ("3\n2\r\n\n1\r未标注", [3, 2, 1, None]),
        ("\ufeff3\n2", [3, 2]),
        ("3 2 1 0\n1 1", [3, 2, 1, 0, 1, 1]),
        ("5 0 3 2", [5, 0, 3, 2]),
        ("[3 2 3\n 0 1 2]", [3, 2, 3, 0, 1, 2]),
        ("array([[3, 2, 3,\r\n        0, 1, 2]])", [3, 2, 3, 0, 1, 2]),
        ("[\n  3,\n  2,\n  null\n]", [3, 2, None]),
        ('{"grades": [3, 2, 0]}', [3, 2, 0]),
        ("3\t2\t3\t0", [3, 2, 3, 0]),
        ("3\t2\t3", [3, 2, 3]),
        ("3", [3]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_grades_alone(text: str, grades: list[float | None]) -> None:
    reading = pasted_list_of(text)
    assert reading.grades == grades
    assert not reading.is_scored
    assert not reading.is_titled


@each(
    ("text", "documents"),
    [
        ("3 0.9\n2 0.8", [(3, 0.9, ""), (2, 0.8, "")]),
        ("3,－0.5\n-,1e-3", [(3, -0.5, ""), (None, 0.001, "")]),
        ("[3, 2, 0]\n[0.9, 0.8, 0.7]", [(3, 0.9, ""), (2, 0.8, ""), (0, 0.7, "")]),
        ("[[3 2\n  0]]\n[[0.9 0.8\n  0.7]]", [(3, 0.9, ""), (2, 0.8, ""), (0, 0.7, "")]),
        ("ndcg_score([[3, 2, 0]], [[.9, .8, .7]], k=2)", [(3, 0.9, ""), (2, 0.8, ""), (0, 0.7, "")]),
        ('{"y_true": [3, 2, 0], "y_score": [.9, .8, .7]}', [(3, 0.9, ""), (2, 0.8, ""), (0, 0.7, "")]),
        ('{\n"a": [\n3,\n2,\n0\n],\n"b": [9,\n8,\n7]\n}', [(3, 9, ""), (2, 8, ""), (0, 7, "")]),
        ("3\t2\t0\t1\n.9\t.8\t.7\t.6", [(3, 0.9, ""), (2, 0.8, ""), (0, 0.7, ""), (1, 0.6, "")]),
        ("   rel  score\n0    3    0.9\n2    0    0.8", [(3, 0.9, ""), (0, 0.8, "")]),
        (",rel,score\n1,3,0.9\n0,2,0.8", [(3, 0.9, ""), (2, 0.8, "")]),
        ("甜度,分数\n3,0.9,好\n2,0.8,坏", [(3, 0.9, ""), (2, 0.8, "")]),
        ("火锅 3\n串串香 -", [(3, None, "火锅"), (None, None, "串串香")]),
        ("iPhone 15 Pro 3 0.9\n小米 2 0.8", [(3, 0.9, "iPhone 15 Pro"), (2, 0.8, "小米")]),
        ("好吃，不贵 3 0.9\n贵 1 0.8", [(3, 0.9, "好吃，不贵"), (1, 0.8, "贵")]),
        ("标题，甜度，分数\n火锅，3，0.9", [(3, 0.9, "火锅")]),
        ("排名\t标题\t甜度\t备注\n1\t火 锅\t3\t好\n2\t\t0\t", [(3, None, "火 锅"), (0, None, "")]),
        ("title grade score\nhot pot 3 0.9", [(3, 0.9, "hot pot")]),
        ("分数\t甜度\n0.9\t3", [(3, 0.9, "")]),
        ("d1\t3\t0.9\t\nd2\t2\t0.8", [(3, 0.9, "d1"), (2, 0.8, "d2")]),
        ("[精选] 火锅 3 0.9\n[广告] 串串 0 0.8", [(3, 0.9, "[精选] 火锅"), (0, 0.8, "[广告] 串串")]),
        ("101 3 0.9\n102 2 0.8\n103 0 0.7", [(3, 0.9, "101"), (2, 0.8, "102"), (0, 0.7, "103")]),
    ],
)
def test_scores_and_titles(text: str, documents: list[tuple[float | None, float | None, str]]) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == documents
    assert reading.faults == ()


def test_a_query_of_a_run_with_its_qrels() -> None:
    reading = pasted_list_of(TREC)
    assert [(document.title, document.grade) for document in reading.documents] == [
        ("b", 1),
        ("c", None),
        ("a", 3),
    ]
    assert reading.scores == [2.5, 2.0, 1.5]
    assert [*reading.unlisted_grades] == [2.0]
    assert reading.unique_titles == ["b", "c", "a"]
    assert reading.faults == ()


@each(
    ("text", "documents", "beyond"),
    [
        (
            "qrel = {\n  'q1': {\n    'd3': 1,\n  },\n}\nrun = {'q1': {'d1': 1, 'd2': 1.0, 'd3': 1e0}}",
            [(None, 1.0, "d1"), (None, 1.0, "d2"), (1, 1.0, "d3")],
            [],
        ),
        (
            'run = {"q1": {"a": 0.9, "b": -2}}\nqrels = {"q1": {"a": 2, "c": 3}}',
            [(2, 0.9, "a"), (None, -2.0, "b")],
            [3],
        ),
        (
            "Qrels({'q': {'d1': 3}}), Run({'q': {'d1': 0.5, 'd2': 0.4}})",
            [(3, 0.5, "d1"), (None, 0.4, "d2")],
            [],
        ),
        (
            '{"run": {"q1": {"a": 0.9, "b": 0.2}}, "qrels": {"q1": {"a": 2, "c": 3}}}',
            [(2, 0.9, "a"), (None, 0.2, "b")],
            [3],
        ),
        ("mine = {'q1': {'a': 0.9}}\nqrels = {'q1': {'a': 2}}", [(2, 0.9, "a")], []),
        ("{'x': 3, 'y': 0}\n{'y': .9, 'x': .1}", [(0, 0.9, "y"), (3, 0.1, "x")], []),
        ("evaluator({'q1': {'a b': 1}}, {'ndcg'})\n{'q1': {'a b': 5}}", [(1, 5.0, "a b")], []),
    ],
)
def test_dictionaries_out_of_a_program(
    text: str, documents: list[tuple[float | None, float | None, str]], beyond: list[float]
) -> None:
    reading = pasted_list_of(text)
    assert [tuple(document) for document in reading.documents] == documents
    assert [*reading.unlisted_grades] == beyond
    assert reading.faults == ()


def test_of_dictionaries_what_is_no_grade_or_of_another_query_is_named() -> None:
    reading = pasted_list_of(
        "qrel = {'q1': {'a': 1-2, 'b': 1}}\nrun = {'q1': {'a': 1, 'b': 2},\n 'q2': {'c': 1}}"
    )
    assert [document.grade for document in reading.documents] == [None, 1]
    assert [fault.line_number for fault in reading.faults] == [1, 3]
    alone = pasted_list_of("{'a': 3, 'b': 1}")
    assert alone.grades == [3, 1]
    assert "只有qrels" in alone.faults[0].fault_words


@each("text", ["{", "}}}{{{", "{'a': }", "{'a'", "{'a': {'b': {'c': 1", "{'': 3}", "3 2 {1}", "{'a': nan}"])
def test_half_a_dictionary_is_no_error(text: str) -> None:
    pasted_list_of(text)


def test_a_dictionary_without_a_number_is_named() -> None:
    reading = pasted_list_of("{'a': 1.2.3}")
    assert reading.documents == ()
    assert "1.2.3" in reading.faults[0].fault_words


def test_other_queries_and_doubled_documents_are_named() -> None:
    text = TREC + "q2 Q0 x 1 9 bm25\nq1 Q0 a 4 1.0 bm25\nfinis"
    faults = pasted_list_of(text).faults
    assert [fault.line_number for fault in faults] == [8, 9, 10]
    assert "q2" in faults[0].fault_words


def test_qrels_alone_are_a_list_in_their_order() -> None:
    reading = pasted_list_of("q1 0 a 3\nq1 0 b 1")
    assert reading.grades == [3, 1]
    assert "只有qrels" in reading.faults[0].fault_words


def test_a_run_alone_says_what_it_lacks() -> None:
    reading = pasted_list_of("q1 Q0 a 1 2.5 bm25\nq1 Q0 b 2 2.0 bm25")
    assert reading.grades == [None, None]
    assert "没有qrels" in reading.faults[0].fault_words


def test_qrels_of_other_queries_are_named() -> None:
    """They were pasted, and “没有qrels” was said."""
    reading = pasted_list_of("q1 Q0 a 1 2.5 bm25\nq2 0 a 3")
    assert reading.grades == [None]
    [fault, _] = reading.faults
    assert fault.fault_words == (
        "run和qrels没有共同的查询：qrels里没有“q1”，有“q2”。每一篇都算未标注，NDCG是0"
    )


def test_the_first_query_that_has_both_is_looked_at() -> None:
    reading = pasted_list_of("2 Q0 a 1 3 t\n1 Q0 b 1 2 t\n1 Q0 c 2 1 t\n3 0 b 1\n1 0 b 2")
    assert [(document.title, document.grade) for document in reading.documents] == [("b", 2), ("c", None)]
    assert all("这次看“1”" in fault.fault_words for fault in reading.faults)


@each(
    ("text", "lines", "grades"),
    [
        ("3 0.9\n[2\n 0.8]\n甜 0.7", [4], [3, 2]),
        ("3\n很甜\n1", [2], [3, 1]),
        ("3 2 x 0 1", [1], [3, 2, 0, 1]),
        ("101 2 3 5", [1], [2, 3, 5]),
        ("3 0.9\n2\n1 0.7", [2], [3, 1]),
        ("3 0.9\n2 高\n1 0.7", [2], [3, 1]),
        ("3 1e99\n2 1", [1], [2]),
        ("火锅 3\n2\n串串 1", [2], [3, 1]),
        ("甜度\t分数\n3\t0.9\n\t0.8\n2\t", [3, 4], [3]),
        ("火锅\n串串", [1, 2], []),
        ("query,doc,rel\nq1,a,3\nq1,b,0\nq2,c,1\nq1,d,2", [4], [3, 0, 2]),
        ("甜度\t查询\n3\t火锅\n2\t火锅\n1\t串串", [4], [3, 2]),
        ("查询\t文档\t甜度\n火锅\ta\t3\n\tb\t2\n\tc\t0\n奶茶\td\t1\n\te\t2", [5], [3, 2, 0]),
        ("query,doc,rel\nQ1,a,3\nq1,b,2", [], [3, 2]),
        ("query,doc,rel\n,a,3\nq1,b,2\nq2,c,1", [4], [3, 2]),
        ("title grade qid\nhot pot 3 q1\nrice 2 q1\nbig bowl 1 q2", [4], [3, 2]),
        ("3\n" + "9" * 99 + "\n1", [2], [3, 1]),
        ("3\n" + "9 " * 20_000 + "\n1", [2], [3, 1]),
    ],
)
def test_bad_lines_are_named_and_the_others_stay(text: str, lines: list[int], grades: list[float]) -> None:
    reading = pasted_list_of(text)
    assert [fault.line_number for fault in reading.faults] == lines
    assert reading.grades == grades


@each(
    "text",
    [
        "3 -1 2 0",
        "3\n－1\n2\n0",
        "3 0.9\n-1 0.8\n2 0.7\n0 0.6",
        "3 -1 2 0\n0.9 0.8 0.7 0.6",
        "doc,score,rel\na,0.9,3\nb,0.8,-1\nc,0.7,2\nd,0.6,0",
        "q 0 a 3\nq 0 b -1\nq 0 c 2\nq 0 d 0\nq Q0 a 1 4 x\nq Q0 b 2 3 x\nq Q0 c 3 2 x\nq Q0 d 4 1 x",
        "3 qid:1 1:0.3\n-1 qid:1 1:0.3\n2 qid:1 1:0.2\n0 qid:1 1:0.1",
    ],
)
def test_below_zero_is_unjudged_holds_its_place_and_is_kept_for_libraries(text: str) -> None:
    reading = pasted_list_of(text)
    assert reading.grades == [3, None, 2, 0]
    assert reading.written_grades == [3, -1, 2, 0]
    assert pasted_list_of(text_of(reading.documents)).written_grades == [3, -1, 2, 0]
    assert reading.below_zero_words == "小于0的甜度（-1），这里算未标注"
    assert not any("小于0" in fault.fault_words for fault in reading.faults)


def test_what_is_far_below_zero_is_unjudged_for_everybody() -> None:
    assert pasted_list_of("3 -101 2").written_grades == [3, None, 2]


def test_a_row_below_zero_may_be_bad_beside_it() -> None:
    reading = pasted_list_of("3 0.9\n-1 高\n2 0.7")
    assert (reading.grades, len(reading.faults)) == ([3, 2], 1)


@pytest.mark.long
def test_masses_are_cut_with_a_word() -> None:
    reading = pasted_list_of("1\n" * (MOST_DOCUMENTS + 5))
    assert len(reading.documents) == MOST_DOCUMENTS
    assert reading.faults[0].fault_words == f"最多{MOST_DOCUMENTS}篇：后面5篇没有算"
    assert len(pasted_list_of("1\n" * MOST_DOCUMENTS).documents) == MOST_DOCUMENTS
    assert pasted_list_of("1\n" * MOST_DOCUMENTS).faults == ()
    reading = pasted_list_of("甜\n" * 100)
    assert (len(reading.faults), reading.more_fault_count) == (MOST_FAULTS, 100 - MOST_FAULTS)
    reading = pasted_list_of(
        "q1 Q0 a 1 1 x\n" + "".join(f"q1 0 d{i} 1\n" for i in range(MOST_UNLISTED_GRADES + 3))
    )
    assert len(reading.unlisted_grades) == MOST_UNLISTED_GRADES
    assert "太长了" in pasted_list_of("1\n" * LARGEST_TEXT).faults[1].fault_words
    assert len(pasted_list_of("很" * 200 + "\t3").documents[0].title) == LONGEST_TITLE


def test_a_pool() -> None:
    assert read_pool("3 2，1×3 ０") == (3, 2, 1, 1, 1, 0)
    assert read_pool("0.333333333333333333x2") == (0.333333333333333333,) * 2, "however long the grade is"
    assert read_pool(f"1x{MOST_UNLISTED_GRADES}") == (1,) * MOST_UNLISTED_GRADES


@each("text", ["x", "3x", "3x-1", "3x99999", "-", "101", f"1x{MOST_UNLISTED_GRADES} 1", "3x²"])
def test_a_pool_that_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable):
        read_pool(text)


@each("text", ["-", "-1"])
def test_a_pool_holds_nothing_unjudged_and_nobody_is_told_to_write_it(text: str) -> None:
    with pytest.raises(Unreadable, match="评判池里还有的，只写标注过的甜度"):
        read_pool(text)


PIECES = [
    "3", "0", "2.5", "-", "-1", "0.9", "1e308", "1e999", "nan", " ", "  ", "\t", ",", "，", "、", ";", "\n",
    "\r\n", "q1", "Q0", "甜度", "分数", "标题", "doc", "grade", "火锅", "［", "[", "]", "]]", "=", "\x00",
    "\u3000", "\u0301" * 3, "0", "\ud800", "٣", "²", "３", "－", "e", ".", "+", "未标", "'", '"', "{", "<b>",
    "😀", "\u202e", "{'d1': ", '{"q1": {"d2": ', "}", "}}", "run = ", "qrel = ",
]  # fmt: skip


def fuzzed(seed: int) -> str:
    """A text of pieces that mean something, in an order that means nothing."""
    chance = random.Random(seed)
    return "".join(chance.choices(PIECES, k=chance.randrange(60)))


def tried(seeds: range) -> None:
    for seed in seeds:
        reading = pasted_list_of(fuzzed(seed))
        for document in reading.documents:
            assert document.grade is None or -100 <= document.grade <= 100
            assert document.title.isprintable()
            assert (document.score is None) == (reading.documents[0].score is None)
        assert all(fault.fault_words for fault in reading.faults)


def test_no_paste_breaks_the_reader() -> None:
    tried(range(600))


@pytest.mark.long
def test_none_of_ten_thousand_pastes_breaks_the_reader() -> None:
    tried(range(10_000))


LETOR = """# query 1
2 qid:1 1:0.3 2:0.5 # d7
0 qid:1 1:0.2 2:-1e-3 #docid = GX012-66 inc = 1 prob = 0.02
-1 qid:1 1:0.1
3 qid:2 1:0.9 # other
"""


def test_lines_of_letor_are_the_grades_of_their_first_query() -> None:
    reading = pasted_list_of(LETOR)
    assert reading.grades == [2, 0, None]
    assert [document.title for document in reading.documents] == ["d7", "GX012-66", ""]
    assert not reading.is_scored
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults] == [
        (0, "LETOR的行没有分数：照行的先后排成一列，特征没用上"),
        (5, "这一行是查询“2”的：一次只看一个查询，这次看“1”"),
    ]


def test_lines_of_libsvm_need_no_query() -> None:
    reading = pasted_list_of("2 1:0.3 2:0.5\n1.0\t1:0.1\n甜 1:0.2\n101 1:0.2\n3 2 1")
    assert reading.grades == [2, 1]
    assert [(fault.line_number, fault.fault_words) for fault in reading.faults[1:]] == [
        (3, "甜度“甜”不是数"),
        (4, "甜度“101”太甜了：最多100"),
        (5, "“3 2 1”不是LETOR的行：甜度、qid:查询、1:特征"),
    ]
    assert pasted_list_of("2 1:0.3").grades == [2]


@each(("text", "grades"), [("3 2 1", [3, 2, 1]), ("2 # 好", []), ("周一 12:30 3", [3]), ("12:30 3", [3])])
def test_what_only_resembles_letor_is_read_as_before(text: str, grades: list[float]) -> None:
    assert pasted_list_of(text).grades == grades


def test_a_grade_below_zero_stays_beside_a_score_of_the_same_text() -> None:
    """The first cell with that text, the score, was taken for the grade: “分数“-”不是数”."""
    reading = pasted_list_of("score grade\n0.9 3\n-1 -1\n-2 1")
    assert [document[:2] for document in reading.documents] == [(3, 0.9), (-1, -1.0), (1, -2.0)]
    assert reading.faults == ()


@each("text", ["3、2、0，1", "[3、2，0、1]", "3、2, 0; 1。", "3，2、0，1"])
def test_a_row_of_grades_may_have_several_kinds_of_commas(text: str) -> None:
    pasted_list = pasted_list_of(text)
    assert (pasted_list.grades, pasted_list.faults) == ([3, 2, 0, 1], ())


@each(("text", "title"), [("火锅、串串，3", "火锅、串串"), ("iPhone 15、16，3", "iPhone 15、16")])
def test_a_comma_within_a_title_parts_nothing(text: str, title: str) -> None:
    [document] = pasted_list_of(text).documents
    assert (document.title, document.grade) == (title, 3)
