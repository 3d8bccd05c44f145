"""Own content out again: whatever a file holds comes back as it was, and what it cannot hold is told."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.course import Course
from app.course.authoring.own_content import parse_own
from app.course.authoring.own_skills import ChosenSkill
from app.course.questions import gift, question_tables, question_text
from app.course.questions.draft_questions import DraftBlank, DraftOption, DraftQuestion, QuestionList
from app.course.questions.question_exports import draft_of_item, export_items, file_text
from app.course.questions.question_signs import with_blanks
from app.course.questions.question_yaml import new_text
from tests.published import published

PUBLISHED = published()
WORDS = st.text(st.sampled_from("甲乙丙丁一二3x*_{}[]=~#:%$&<>\\/"), min_size=1, max_size=12).map(
    lambda text: with_blanks(f"糖{text}")
)
"""Words as people write them in a question, and signs that mean something to some format."""
LINES = st.lists(WORDS, min_size=1, max_size=2).map("\n".join)
MAYBE = st.one_of(st.just(""), WORDS)
SHARED = {
    "stem": LINES,
    "explanation": st.one_of(st.just(""), LINES),
    "hints": st.lists(WORDS, max_size=2).map(tuple),
}
OPTIONS = st.lists(
    st.builds(DraftOption, WORDS, st.just(False), MAYBE),
    min_size=2,
    max_size=6,
    unique_by=lambda one: one.text,
)


def chosen(options: list[DraftOption], right: int, most: int) -> tuple[DraftOption, ...]:
    """The options with some that are right: by the bits of a number, or a single one."""
    if most == 1:
        return tuple(
            option._replace(is_right=place == right % len(options)) for place, option in enumerate(options)
        )
    bits = right % (2 ** len(options) - 1) + 1
    return tuple(option._replace(is_right=bool(bits >> place & 1)) for place, option in enumerate(options))


SINGLES = st.builds(
    DraftQuestion,
    st.just("single"),
    options=st.builds(chosen, OPTIONS, st.integers(0, 60), st.just(1)),
    **SHARED,
)
SEVERAL = st.builds(
    DraftQuestion,
    st.just("multiple"),
    options=st.builds(chosen, OPTIONS, st.integers(0, 60), st.just(6)),
    **SHARED,
)
JUDGED = st.builds(
    DraftQuestion, st.just("true_false"), is_true=st.booleans(), praise=MAYBE, correction=MAYBE, **SHARED
)
NUMBERS = st.decimals(0, 99, places=2).map(str)
BLANKS = st.one_of(
    st.builds(DraftBlank, st.tuples(NUMBERS), st.sampled_from(["", "0.01", "2"])),
    st.builds(
        DraftBlank,
        st.lists(st.sampled_from(["甲", "乙丙", "BM25"]), min_size=1, max_size=2, unique=True).map(tuple),
        st.just(""),
    ),
)
STATEMENTS = LINES.map(lambda text: text.replace("_", ""))
"""Stems without a blank: the one answer stands behind them."""
FILLED = st.builds(DraftQuestion, st.just("fill"), blanks=st.tuples(BLANKS), **SHARED | {"stem": STATEMENTS})
DRAFTS = st.one_of(SINGLES, SEVERAL, JUDGED, FILLED)


def own(drafts: list[DraftQuestion]) -> Course | None:
    """Own content of the questions; None where one is no question, a formula that nobody can draw."""
    course = parse_own(new_text("小测", ChosenSkill("dcg"), drafts).text, 7, PUBLISHED)
    if isinstance(course, Course):
        return course
    assert all("公式" in fault.message for fault in course.faults), course.lines()
    return None


@example(DraftQuestion("short", "什么是${{$？", model_answer="两个左括号。", checkpoints=("两个左括号。",)))
@given(DRAFTS)
@settings(max_examples=120, deadline=None)
def test_a_question_goes_in_and_comes_out_the_same(draft: DraftQuestion) -> None:
    course = own([draft])
    if course is None:
        return
    out = draft_of_item(course.items["q1"], course)
    assert out == draft
    assert question_text.can_hold(draft), question_text.read(question_text.text_of_question(draft, 1))


@given(st.lists(DRAFTS, min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_a_file_gives_back_what_was_written(drafts: list[DraftQuestion]) -> None:
    text = question_text.text_of_questions(QuestionList(tuple(drafts), title="小测"))
    assert question_text.read(text) == QuestionList(tuple(drafts), title="小测")
    held = tuple(draft for draft in drafts if gift.can_hold(draft))
    assert gift.read(gift.text_of_questions(QuestionList(held))).questions == held
    rows = [(number, row) for number, row in enumerate(question_tables.rows_of(drafts), 1)]
    in_table = question_text.read(question_tables.text_of_rows(rows)).questions
    for draft, out in zip(drafts, in_table, strict=True):
        assert out == draft or not question_tables.can_hold(draft)


def test_plain_questions_fit_every_format() -> None:
    reading = question_text.read(
        "1. 第3位？\nA. 五折\nB. 七折\n答案：A\nB的反馈：多了。\n解析：加1。\n提示：先加1。\n再取对数。\n"
        "2. 甲。答案：对\n答错的反馈：再看看。\n3. 数？答案：0.5±0.01"
    )
    for draft in reading.questions:
        assert gift.can_hold(draft)
        assert question_tables.can_hold(draft)
        assert question_text.can_hold(draft)


LONG_ANSWER = """\
  last:
    stem: 为什么要打折？
    model: 排得越靠后，看见的人越少，所以分数要打折。
    checkpoints: [越靠后看见的人越少, 分数要打折]
"""
MIXED = """\
title: 混着来
skill: dcg
items:
  choice: {stem: "看**这里**，[[dcg|总分]]呢？", options: [甲, {text: 乙, right: true}]}
  sum: {stem: DCG？, question: {quantity: dcg, grades: [3, 2]}}
  two: {stem: "先____，再____。", blanks: [甲, 乙]}
"""


def test_what_a_file_cannot_hold_is_named_in_it() -> None:
    course = parse_own(MIXED, 7, PUBLISHED)
    assert isinstance(course, Course)
    text = export_items(course, "txt")
    assert [draft_question.stem for draft_question in text.questions.questions] == [
        "看这里，总分呢？",
        "先____，再____。",
    ]
    assert text.left_out_item_ids == ["sum"]
    assert file_text(text, "txt").endswith("# 没放进来：还有1道放不进这种文件，只在原文里：sum\n")
    moodle = export_items(course, "gift")
    assert moodle.left_out_item_ids == ["sum", "two"]
    assert file_text(moodle, "gift").endswith("// 还有2道放不进这种文件，只在原文里：sum、two\n")


@pytest.mark.parametrize("title", ["一、NDCG小测", "（1）班小测", "1. 第一单元", "判断题", "小测"])
def test_a_whole_file_comes_back_whatever_its_title_and_its_tail_are(title: str) -> None:
    course = parse_own(MIXED.replace("混着来", title) + LONG_ANSWER, 7, PUBLISHED)
    assert isinstance(course, Course)
    text = export_items(course, "txt")
    assert text.left_out_item_ids == ["sum"]
    assert question_text.read(file_text(text, "txt")) == text.questions
    assert question_text.read("\ufeff" + file_text(text, "txt")).title == title


@pytest.mark.parametrize("stem", ["| 名次 | 甜度 |\n|---|---|\n| 1 | 3 |", "- 一\n- 二", "`x = 1`", "*斜*体"])
@pytest.mark.parametrize("place", ["stem", "explanation"])
def test_what_only_markdown_shows_is_left_out(stem: str, place: str) -> None:
    item = {"stem": "甲2_3", "answer": True, "explanation": "第一行\n第二行", "skill": "dcg"}
    course = parse_own(
        json.dumps({"title": "小测", "items": {"q1": item | {place: stem}, "q2": item}}), 7, PUBLISHED
    )
    assert isinstance(course, Course)
    for format_name in ("txt", "gift", "xlsx"):
        assert export_items(course, format_name).left_out_item_ids == ["q1"]


def test_a_hint_is_a_comment_of_the_question_below_it() -> None:
    text = "// 题库\n// 提示：先加1。\n::第1题::第3位？{\n=五折\n~七折\n}\n\n// 提示：没有题。\n\n乙。{T}"
    first, last = gift.read(text).questions
    assert (first.stem, first.hints, last.hints) == ("第3位？", ("先加1。",), ())
    assert gift.text_of_question(first, 1).startswith("// 提示：先加1。\n::第1题::第3位？{\n")


def test_only_what_names_an_answer_is_feedback_in_a_table() -> None:
    head = ["题型", "题干", "答案", "反馈"]
    rows = [(1, head), (2, ["判断", "甲。", "对", "难"]), (3, ["判断", "乙。", "对", "答错的反馈：再看看。"])]
    other, ours = question_text.read(question_tables.text_of_rows(rows)).questions
    assert (other.correction, other.explanation, ours.correction) == ("", "", "再看看。")


def test_an_arrow_in_an_option_makes_no_matching_question() -> None:
    options = (DraftOption("甲 -> 乙", is_right=True), DraftOption("乙 -> 甲"))
    draft = DraftQuestion("single", "谁先谁后", options=options)
    assert gift.read(gift.text_of_questions(QuestionList((draft,)))).questions == (draft,)


@pytest.mark.parametrize("tolerance", ["0.1234567", "0.0000001", "1234567", "0.5"])
def test_a_tolerance_goes_out_as_it_was_written(tolerance: str) -> None:
    text = f"1. 【填空】几个？\n答案：3±{tolerance}\n"
    course = own(list(question_text.read(text).questions))
    assert course is not None
    assert file_text(export_items(course, "txt"), "txt").endswith(text)


def test_a_range_of_gift_keeps_all_its_digits() -> None:
    [draft] = gift.read("几个？{#1234567..1234570}").questions
    assert draft.blanks == (DraftBlank(("1234568.5",), "1.5"),)
