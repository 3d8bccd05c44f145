"""One box for whatever is pasted: a key apart from its questions, GIFT and cells beside plain text."""

import pytest

from app.course.questions import question_text
from app.course.questions.answer_keys import AMBIGUOUS_NUMBER_WORDS
from app.course.questions.draft_questions import QuestionList
from app.course.questions.pasted_text import read

QUESTIONS = """\
一、单选题
1. 第3位打几折？
A. 五折    B. 七折
2. 分母是哪个？
A. DCG
B. CG
C. IDCG
二、判断题
3. 越甜越靠前。
4. NDCG可以大于1。
三、填空题
5. 从词找到文档的表叫____。
"""
SECTIONS = QUESTIONS.replace("3. 越", "1. 越").replace("4. N", "2. N").replace("5. 从", "1. 从")
ANSWERS = ["A", "C", "对", "错", "倒排索引"]
KEYS = {
    "a run and a line": (QUESTIONS, "参考答案\n1-4 AC√×\n5. 倒排索引"),
    "with spaces": (QUESTIONS, "答案：\n1～2：A C 3~4：√ ×\n5、倒排索引"),
    "one by one": (QUESTIONS, "【参考答案】\n1.A 2.C 3.√ 4.×\n5.倒排索引"),
    "a line each": (QUESTIONS, "答案\n1. A\n2. C\n3. T\n4. F\n5. 倒排索引"),
    "behind the word": (QUESTIONS, "答案：1.A 2.C 3.对 4.错\n5. 倒排索引"),
    "without the word": (QUESTIONS, "1-4 ACTF\n5. 倒排索引"),
    "part by part": (SECTIONS, "参考答案\n一、单选题\n1-2 AC\n二、判断题\n1-2 √×\n三、填空题\n1. 倒排索引"),
    "parts in a line each": (SECTIONS, "答案\n一、1．A 2．C\n二、1．√ 2．×\n三、1．倒排索引"),
    "parts with their kinds": (
        SECTIONS,
        "一、单选题：1.A 2.C\n二、判断题（每题2分） 1-2 √×\n三、填空题：1. 倒排索引",
    ),
    "with reasons": (QUESTIONS, "答案与解析\n1. A 解析：加1\n2. C\n【解析】分母\n3. 对\n4. 错\n5. 倒排索引"),
}


def answers(reading: QuestionList) -> list[str]:
    return [draft_question.answer_words for draft_question in reading.questions]


def problems(reading: QuestionList) -> list[tuple[int, str]]:
    return [(unread.line_number, unread.problem) for unread in reading.unread_questions]


@pytest.mark.parametrize("name", KEYS)
def test_a_key_apart_answers_its_questions(name: str) -> None:
    text, key = KEYS[name]
    reading = read(f"{text}\n{key}\n")
    assert problems(reading) == []
    assert answers(reading) == ANSWERS
    if name == "with reasons":
        assert [draft_question.explanation for draft_question in reading.questions[:2]] == ["加1", "分母"]


def test_what_of_a_key_has_no_place_is_told_and_an_unread_question_keeps_its_answer() -> None:
    reading = read(QUESTIONS + "答案\n1-2 ACB\n3-4 √×\n5. 倒排索引\n7. A\n")
    assert (14, "第1到2题是2道，这里有3个答案") in problems(reading)
    assert (17, "答案表里有第7题，上面没有这一题") in problems(reading)
    reading = read(QUESTIONS.replace("B. 七折", "C. 七折") + "1-4 AC√×\n5. 倒排索引")
    [unread] = reading.unread_questions
    assert unread.source_text.endswith("A. 五折    C. 七折\n答案：A")
    *_, unread, last = read(SECTIONS + "1-2 AC").unread_questions
    assert "分不清是哪一部分" in unread.problem
    assert (unread.source_text, last.source_text) == ("1. A", "2. C")
    reading = read("1. 甲？\nA. 一\nB. 二\n答案：B\n2. 乙。\n3. 丙。\n参考答案：\n1-3 A√×")
    assert problems(reading) == [(8, "第1题下面已经写了答案，答案表里又是“A”：留一个")]
    assert answers(reading) == ["B", "对", "错"]


def test_a_key_in_another_order_gives_no_part_the_answers_of_another() -> None:
    choices = "1. 甲？\nA. 一\nB. 二\n2. 乙？\nA. 一\nB. 二\n"
    text = f"一、单选题\n{choices}二、多选题\n{choices}答案\n二、多选题\n1-2 BA\n一、单选题\n1-2 AB"
    reading = read(text)
    assert reading.questions == ()
    assert [problem for _, problem in problems(reading) if "分不清是哪一部分" in problem] == [
        AMBIGUOUS_NUMBER_WORDS
    ] * 4


def test_parts_of_one_question_each_have_each_their_own_answer() -> None:
    text = "一、判断题\n1. 甲。\n二、填空题\n1. 记作____。\n答案\n一、1. ×\n二、1. NDCG"
    reading = read(text)
    assert problems(reading) == []
    assert answers(reading) == ["错", "NDCG"]


def test_empty_brackets_behind_a_statement_wait_for_a_judgement() -> None:
    text = "1. 甲（  ）\n2. 乙（ ）。\n3. 先取（ ）\n4. 【填空】记作（ ）\n"
    reading = read(f"{text}答案\n1-2 √F\n3. 对数\n4. T")
    kinds = [(draft_question.kind, draft_question.stem) for draft_question in reading.questions]
    assert kinds[:2] == [("true_false", "甲"), ("true_false", "乙。")]
    assert kinds[2:] == [("fill", "先取____"), ("fill", "记作____")]
    letters = "".join(f"{letter}. {letter.lower()}\n" for letter in "ABCDEF")
    assert read(f"1. 取（ ）\n{letters}答案：F").questions[0].stem == "取____"
    assert read("二、判断题\n1. 丙（ ）\n答案：错").questions[0].stem == "丙"


def test_an_abbreviation_in_brackets_is_no_judgement() -> None:
    reading = read("1. BM25用到了词频（TF）\n2. 乙。（T）\n3. 丙\n答案\n1.√ 3.×")
    assert [draft_question.stem for draft_question in reading.questions] == [
        "BM25用到了词频（TF）",
        "乙。",
        "丙",
    ]
    assert answers(reading) == ["对", "对", "错"]


def test_a_last_answer_in_points_is_no_key() -> None:
    text = "1. 甲。（√）\n2. 为什么只看前5名？\n答案：\n1. 一屏看得见\n2. 没人翻"
    assert [draft_question.kind for draft_question in read(text).questions] == ["true_false", "short"]
    assert read("1. 甲\n2. 乙").questions == ()


@pytest.mark.parametrize("gap", ["", "\n"])
def test_an_answer_may_stand_above_its_options(gap: str) -> None:
    text = f"1. 第3位打几折？\n答案：B\n{gap}A. 七折\n{gap}B. 五折\n解析：加1。\n2. 乙。（T）\n3. （F）丙。\n"
    reading = read(text)
    assert problems(reading) == []
    assert answers(reading) == ["B", "对", "错"]
    assert reading.questions[0].explanation == "加1。"
    unnumbered = read(f"第3位打几折？\n答案：B\n{gap}A. 七折\n{gap}B. 五折\n\n对吗？\n答案：对\n")
    assert answers(unnumbered) == ["B", "对"]


MIXED = """\
小测

1. 越甜越靠前。（√）

// 从Moodle来
::折::第3位打几折？{=五折 ~七折#太多}

配对{=甲 -> 1 =乙 -> 2}

题型\t题干\tA\tB\t答案
单选\t分母？\tIDCG\tDCG\tA
判断\t"甲
乙"\t\t\t也许

2. NDCG可以大于1。答案：错
"""


def test_plain_text_gift_and_cells_stand_in_one_box() -> None:
    reading = read(MIXED)
    assert [draft_question.line_number for draft_question in reading.questions] == [3, 6, 11, 15]
    assert answers(reading) == ["对", "A", "A", "错"]
    assert reading.title == "小测"
    assert problems(reading) == [
        (8, "这是配对题或者别的题型，这里没有：改写成选择题"),
        (14, "判断题的答案写“对”或者“错”，这里是“也许”"),
    ]
    assert reading.unread_questions[0].source_text == "配对{=甲 -> 1 =乙 -> 2}"


def test_a_program_within_a_question_is_no_gift() -> None:
    text = "1. 这一段做什么？\n\nvoid f() {}\n\n答案：什么也不做。"
    assert read(text) == question_text.read(text)
    assert read("1. 求$A^{T}$的秩。\n答案：3").questions[0].kind == "fill"


def test_no_more_questions_than_may_be_taken_at_once() -> None:
    reading = read("\n\n".join(f"第{number}？{{T}}" for number in range(61)))
    assert len(reading.questions) == 60
    assert reading.unread_questions[0].problem.startswith("一次最多60道")
