"""Questions as people paste them: what each is read as, and what is said of those that cannot be taken."""

import pytest

from app.course.questions import question_text
from tests.tables import each

UNFIT = {
    "0.5±1.2.3": ("1. 折损？\n答案：0.5±1.2.3", 2, "误差“1.2.3”不是一个数"),
    "±.": ("1. 折损？\n答案：0.5±.", 2, "误差“.”不是一个数"),
    "f(x) is no judgement": ("1. 写出f(x)的导数", 1, "没有答案"),
    "DCG(n) is none": ("1. 说出DCG(n)", 1, "没有答案"),
    "words within are none": ("1. 说法对（是）的有几个？", 1, "没有答案"),
    "percent of no percentage": (
        "1. 折损？\n答案：0.63（误差不超过1%）",
        2,
        "误差“1%”旁边没有百分数：写成“0.5±0.01”这样",
    ),
    "percent in a line of its own": (
        "1. 折损？\n答案：0.63\n误差：1个百分点",
        3,
        "误差“1个百分点”旁边没有百分数",
    ),
    "a word has no tolerance": (
        "1. 是____。\n答案：一半（误差不超过0.1）",
        2,
        "误差只能跟数写在一起，“一半”不是数",
    ),
    "no blank has a number": (
        "1. 是____。\n答案：一半\n误差：0.1",
        3,
        "误差只能跟数写在一起，这一题的空里没有数",
    ),
    "feedback to no option": ("1. ？\nA. 甲\nB. 乙\n答案：A\nC的反馈：没有", 5, "这一句反馈没有地方放"),
    "feedback of a choice to a judgement": ("1. 甲。\n答案：对\nA的反馈：没有", 3, "这一句反馈没有地方放"),
    "feedback of a judgement to a choice": ("1. ？\nA. 甲\nB. 乙\n答案：A\n答对的反馈：好", 5, "这一句反馈"),
    "a tolerance in words": ("1. 是____。\n答案：0.5\n误差：很小", 3, "误差“很小”不是一个数"),
    "a tolerance that is not read": (
        "1. 是____。\n答案：0.5（误差很小）",
        2,
        "没看懂“0.5（误差很小）”里的误差",
    ),
    "a tolerance of which only a part is read": (
        "1. 是____。\n答案：0.5（绝对误差大约1/100）",
        2,
        "没看懂“0.5（绝对误差大约1/100）”",
    ),
    "feedback of a judgement to a blank": ("1. 是____。\n答案：甲\n答错的反馈：再看看", 3, "这一句反馈"),
    "feedback of a judgement to a number": ("1. 几折？\n答案：5\n答对的反馈：好", 3, "这一句反馈"),
    "feedback of a judgement to a short one": (
        "1. 【简答】为什么？\n答案：因为。\n答错的反馈：再看看",
        3,
        "这一句反馈没有地方放",
    ),
    "a line of its own": ("1. 折损？\n答案：0.5\n误差：1.2.3", 3, "误差“1.2.3”不是一个数"),
}

FILLED = {
    "TCP/IP": ("TCP/IP",),
    "m/s": ("m/s",),
    "与或非": ("与或非",),
    "1/3 或 0.333": ("1/3", "0.333"),
    "0.5或1/2或者50%": ("0.5", "1/2", "50%"),
    "0.63（±0.01）": ("0.63±0.01",),
    "倒排索引（或反向索引）": ("倒排索引", "反向索引"),
    "大于（或等于）": ("大于（或等于）",),
    "3或4": ("3或4",),
    "f(x±0.1)": ("f(x±0.1)",),
    "(5±0.1)": ("(5±0.1)",),
    "倒排索引 / inverted index 或者 反向索引": ("倒排索引", "inverted index", "反向索引"),
    "1990—2020": ("1990—2020",),
    "2015至2016": ("2015至2016",),
    "1至30": ("1至30",),
    "1990~2020": ("2005±15",),
    "0.62—0.64": ("0.63±0.01",),
    "1至3": ("2±1",),
    "1000000~3000000": ("2000000±1000000",),
    "63%（误差不超过1）": ("63%±1",),
    "63%±1": ("63%±1",),
    "63%±1%": ("63%±1",),
    "63%（误差不超过1个百分点）": ("63%±1",),
    "63% 或 0.63（允许误差：0.05%）": ("63%", "0.63±0.0005"),
    "63％（误差不超过1个百分点）": ("63％±1",),
    "63％±1％": ("63％±1",),
    "5（相对误差）": ("5（相对误差）",),
    "1/3±0.01": ("1/3±0.01",),
    "x±0.1": ("x±0.1",),
}
"""What an answer of a blank accepts, as its words."""
STATEMENTS = """\
1. 越甜越靠前。（√）
2. 名次从0数起（ × ）。
3. 分母是IDCG（正确）
4. f(x)总在变。(False)
"""


@pytest.mark.parametrize("name", UNFIT)
def test_what_cannot_be_taken_is_told_with_its_line(name: str) -> None:
    text, line, sentence = UNFIT[name]
    reading = question_text.read(text)
    assert not reading.questions
    [unread] = reading.unread_questions
    assert unread.line_number == line
    assert unread.problem.startswith(sentence)


def test_a_sign_or_a_word_in_brackets_behind_a_statement_judges_it() -> None:
    reading = question_text.read(STATEMENTS)
    assert not reading.unread_questions
    assert [(draft_question.stem, draft_question.is_true) for draft_question in reading.questions] == [
        ("越甜越靠前。", True),
        ("名次从0数起。", False),
        ("分母是IDCG", True),
        ("f(x)总在变。", False),
    ]


@each("answer", FILLED)
def test_an_answer_is_several_only_where_it_is_written_so(answer: str) -> None:
    reading = question_text.read(f"1. 【填空】是____。\n答案：{answer}")
    [draft_question] = reading.questions
    assert draft_question.answer_words == " / ".join(FILLED[answer])
    assert question_text.can_hold(draft_question)


@each("field", ["分值：2分", "难度：易", "知识点：折损", "提示：想想名次", "说明：只选一个", "章节："])
@pytest.mark.parametrize("place", [1, 2])
def test_a_field_above_an_option_does_not_swallow_it(field: str, place: int) -> None:
    lines = ["1. 第3位打几折？", "A. 五折", "B. 七折", "答案：A"]
    lines.insert(place, field)
    [draft_question] = question_text.read("\n".join(lines)).questions
    assert (draft_question.kind, draft_question.stem) == ("single", "第3位打几折？")
    assert [(option.text, option.is_right) for option in draft_question.options] == [
        ("五折", True),
        ("七折", False),
    ]


@each("answer", ["(1)加1；(2)2", "①加1 ②2", "1、加1；2. 2", "（1）加1\n（2）2"])
def test_numbers_of_blanks_are_no_part_of_what_fills_them(answer: str) -> None:
    [draft_question] = question_text.read(f"1. 名次先____，再取以____为底的对数。\n答案：{answer}").questions
    assert draft_question.answer_words == "加1；2"


@each("answer", ["①③；②④", "(1)(3)；(2)(4)", "①③、②④"])
def test_numbers_of_statements_may_fill_a_blank(answer: str) -> None:
    reading = question_text.read(f"1. 属于指标的有____，属于算法的有____。①NDCG ②BM25\n答案：{answer}")
    [draft_question] = reading.questions
    assert draft_question.answer_words == answer.replace("、", "；")
    assert question_text.can_hold(draft_question)


def test_lines_of_an_answer_that_are_counted_in_words_stay_in_it() -> None:
    answer_lines = "分三步。\n一、数据收集\n二、误差分析\n三、写报告"
    text = f"1. 简述评测流程。\n参考答案：{answer_lines}\n2. 越甜越靠前。（T）"
    short, statement = question_text.read(text).questions
    assert (short.model_answer, statement.stem) == (answer_lines, "越甜越靠前。")
    assert question_text.can_hold(short)


def test_a_heading_of_a_kind_with_another_name_is_no_part_of_the_answer_above_it() -> None:
    text = "三、填空题\n1. 是____。\n答案：1\n四、应用题（共8分）\n2. 算DCG。\n答案：\n一、先加项\n二、再相除"
    fill, short = question_text.read(text).questions
    assert (fill.kind, fill.answer_words) == ("fill", "1")
    assert (short.kind, short.model_answer) == ("short", "一、先加项\n二、再相除")


def test_what_a_learner_had_chosen_on_another_site_is_left_out() -> None:
    question_text_in_one_line = "1. 第3位打几折？\nA. 五折\nB. 七折\n我的答案：B 正确答案：A\n"
    question_text_in_two_lines = "2. 第3位打几折？\nA. 五折\nB. 七折\n我的答案: B\n正确答案: A\n"
    for draft_question in question_text.read(
        question_text_in_one_line + question_text_in_two_lines
    ).questions:
        assert [(option.text, option.is_right) for option in draft_question.options] == [
            ("五折", True),
            ("七折", False),
        ]


def test_letters_below_an_answer_are_no_options() -> None:
    text = "1. 第3位打几折？\nA. 五折\nB. 七折\n答案：A\n解析：\nA. 加1再取对数。\nC. 没有这一项。"
    [draft_question] = question_text.read(text).questions
    assert draft_question.explanation == "A. 加1再取对数。\nC. 没有这一项。"
    [draft_question] = question_text.read("1. 为什么？\n要点：\nA. 看得见\nB. 翻不到").questions
    assert draft_question.kind == "short"


FROM_A_SURVEY = """\
1.哪一项打五折？[单选题]
A.第1位
B.第3位(正确答案)
C.第4位
2.哪些会变？ [多选题]
A.DCG（正确答案）
B.NDCG （正确答案）
C.IDCG
"""


def test_an_option_that_is_marked_as_right_is_the_answer() -> None:
    """As 问卷星 writes them; also below a heading of another kind."""
    for heading in ("", "一、单选题\n"):
        reading = question_text.read(heading + FROM_A_SURVEY)
        assert not reading.unread_questions
        assert [
            (draft_question.kind, draft_question.stem, draft_question.answer_words)
            for draft_question in reading.questions
        ] == [
            ("single", "哪一项打五折？", "B"),
            ("multiple", "哪些会变？", "AB"),
        ]
        assert [option.text for option in reading.questions[1].options] == ["DCG", "NDCG", "IDCG"]


def test_an_answer_below_counts_before_a_mark_within() -> None:
    [draft_question] = question_text.read("1. 折损？（计算）\nA. 一(正确答案)\nB. 二\n答案：B").questions
    assert draft_question.answer_words == "B"
    assert draft_question.stem == "折损？（计算）", "which names no kind"


@pytest.mark.parametrize("tag", ["（多选题）", "[多选题] ", "【多选】（2分）"])
def test_a_kind_may_stand_before_the_number(tag: str) -> None:
    """And no decimal behind a kind is a number of a question."""
    reading = question_text.read(
        f"{tag}2. 哪些会变？\nA. 甲\nB. 乙\nC. 丙\n答案：AC\n{tag}3、0.5倍的是？\nA. 甲\nB. 乙\n答案：AB"
    )
    assert not reading.unread_questions
    assert [(draft_question.kind, draft_question.stem) for draft_question in reading.questions] == [
        ("multiple", "哪些会变？"),
        ("multiple", "0.5倍的是？"),
    ]
    [draft_question] = question_text.read("（判断题）0.5倍更小。\n答案：对").questions
    assert draft_question.stem == "0.5倍更小。"
