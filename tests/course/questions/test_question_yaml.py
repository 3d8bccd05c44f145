"""Pasted questions in the YAML of own content: each kind as it was meant, the rest of a text untouched."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.course import Course
from app.course.authoring.own_content import parse_own
from app.course.authoring.own_skills import ChosenSkill, chosen_skill
from app.course.authoring.yaml_edits import UnfitText
from app.course.items.kinds import FillInBlanks, MultipleChoice, ShortAnswer, SingleChoice, TrueFalse
from app.course.questions import question_text
from app.course.questions.plain_markdown import as_markdown, as_plain, plain_lines
from app.course.questions.question_exports import export_items
from app.course.questions.question_signs import with_blanks
from app.course.questions.question_yaml import fill_text, new_text
from tests.published import published
from tests.tables import each

PUBLISHED = published()
DCG = ChosenSkill("dcg")
FIVE = """\
1. 第3位打几折？
A. 3.50
B. 五折*
答案：B
B的反馈：名次加1。
2. 【多选】只有一个对的多选。
A. 对
B. true
答案：A
3. 越甜越靠前。答案：√
答错的反馈：再想想。
4. {{ 名次 }}加____，取[[log]]的底是____。
答案：1±0.5；2 / 二
解析：第一行
- 第二行
5. 为什么？
答案：看得见；翻不到
提示：想想屏幕。
"""


def own(text: str) -> Course:
    course = parse_own(text, 7, PUBLISHED)
    assert isinstance(course, Course), course
    return course


def test_each_kind_becomes_the_item_that_was_meant() -> None:
    course = own(new_text("小测", DCG, question_text.read(FIVE).questions).text)
    single, multiple, judged, gaps, why = (course.items[f"q{number}"] for number in range(1, 6))
    assert isinstance(single, SingleChoice)
    assert [(option.text, option.right, option.feedback) for option in single.options] == [
        ("3.50", False, "不是这一项。"),
        (r"五折\*", True, "名次加1。"),
    ]
    assert isinstance(multiple, MultipleChoice)
    assert [option.text for option in multiple.right_options] == ["对"]
    assert isinstance(judged, TrueFalse)
    assert (judged.answer, judged.feedback.wrong) == (True, "再想想。")
    assert isinstance(gaps, FillInBlanks)
    assert [(blank.accept, blank.tolerance) for blank in gaps.blanks] == [(["1"], 0.5), (["2", "二"], None)]
    assert course.html(gaps.stem) == "<p>{{ 名次 }}加＿＿＿＿，取[[log]]的底是＿＿＿＿。</p>\n"
    assert course.html(gaps.explanation or "") == "<p>第一行</p>\n<p>- 第二行</p>\n"
    assert isinstance(why, ShortAnswer)
    assert (why.checkpoints, why.hints) == (["看得见", "翻不到"], ["想想屏幕。"])
    assert course.items["q1"].skill == "dcg"


def test_points_in_brackets_are_what_a_teacher_marks_by() -> None:
    read = question_text.read(
        "1. 为什么？\n答案：看得见（2分）；翻不到(1.5 分)。\n\n2. 怎么办？\n答案：先排（2分）；再看\n"
    )
    course = own(new_text("小测", DCG, read.questions).text)
    why, how = course.items["q1"], course.items["q2"]
    assert isinstance(why, ShortAnswer)
    assert [(line.text, line.points) for line in why.rubric] == [("看得见", 2.0), ("翻不到", 1.5)]
    assert isinstance(how, ShortAnswer)
    assert (how.checkpoints, how.rubric) == (["先排（2分）", "再看"], []), "not all of them have points"
    [again, _] = question_text.read(
        question_text.text_of_questions(export_items(course, "txt").questions)
    ).questions
    assert again.checkpoints == ("看得见（2分）", "翻不到（1.5分）")


WRITTEN = """\
# 我的说明
title: 已有的
skill: bm25
skills:
  bm25: BM25

items:
    q2:          # 别动
        stem: 老题。
        answer: true
    # 末尾的话

cards:
  c1: {front: 问, back: 答}
"""


def test_lines_are_put_in_and_nothing_else_changes() -> None:
    questions = question_text.read("新题。答案：错\n\n又一道。答案：对").questions
    text, ids, added = fill_text(WRITTEN, DCG, questions)
    assert (ids, added) == (("q3", "q4"), 2), "a gap was a question once"
    course = own(text)
    assert [item for item in course.items if item.startswith("q")] == ["q2", "q3", "q4"]
    assert (course.items["q2"].skill, course.items["q3"].skill) == ("bm25", "dcg")
    remaining = iter(text.split("\n"))
    assert all(line in remaining for line in WRITTEN.rstrip().split("\n")), "every old line, in its order"
    again = fill_text(text, DCG, questions)
    assert again == (text, ("q3", "q4"), 0), "what is there word by word is not put in twice"


@each(
    ("text", "sentence"),
    [
        ("title: 甲\nitems: {q1: {stem: 问, answer: true}}\n", "第2行把items写在了一行里"),
        ("title: 甲\nitems: [\n", "有错，先改好再放"),
        ("- 甲\n", "先改好再放"),
        ("title: 甲\nitems:\n  - a: 1\n", "items还没写成一项一行"),
        ("title: 甲\nitems: abc\n", "items还没写成一项一行"),
    ],
)
def test_a_text_that_takes_nothing_says_why(text: str, sentence: str) -> None:
    with pytest.raises(UnfitText, match=sentence):
        fill_text(text, DCG, question_text.read("新题。答案：错").questions)


def test_a_knowledge_point_is_found_by_its_name_or_made() -> None:
    name = PUBLISHED.skills["dcg"].name
    assert chosen_skill(f" {name} ", PUBLISHED) == chosen_skill("dcg", PUBLISHED) == DCG
    assert chosen_skill("BM25", PUBLISHED, WRITTEN) == ChosenSkill("bm25")
    assert chosen_skill("BM25", PUBLISHED) == ChosenSkill("bm25", "BM25")
    assert chosen_skill("DCG!", PUBLISHED) == ChosenSkill("own-dcg", "DCG!")
    assert chosen_skill("C#", PUBLISHED) == ChosenSkill("c", "C#")
    taken = WRITTEN.replace("skills:\n", "skills:\n  c: C++\n  own-dcg: DCG?\n", 1)
    assert taken != WRITTEN
    for name, slug in (("C#", "c"), ("DCG!", "own-dcg")):
        other_skill = chosen_skill(name, PUBLISHED, taken)
        assert other_skill.name == name
        assert other_skill.id.startswith(f"{slug}-"), "the id is that of another"
        course = own(fill_text(taken, other_skill, question_text.read("新题。答案：错").questions).text)
        assert (course.skills[other_skill.id].name, course.skills["c"].name) == (name, "C++")
    text = fill_text(
        WRITTEN, chosen_skill("倒排索引", PUBLISHED), question_text.read("新题。答案：错").questions
    ).text
    course = own(text)
    assert course.skills[course.items["q3"].skill].name == "倒排索引"


SIGNS = st.text(st.sampled_from("甲乙 1a$*_\\`[]{}<>&;#-=~|.)\n!+"), max_size=40)


@given(SIGNS)
@settings(max_examples=400, deadline=None)
def test_what_is_typed_is_what_is_seen_and_comes_back(text: str) -> None:
    """A plain text is shown sign by sign, and the Markdown made of it gives it back."""
    plain = with_blanks("\n".join(plain_lines(text)))
    markdown = as_markdown(plain)
    assert as_plain(markdown) == plain
    if "$" not in plain:
        html = own(new_text("小测", DCG, ()).text + "cards: {c: {front: 甲, back: 乙}}\n").html(markdown)
        text_of_page = html.replace("</p>\n<p>", "\n").removeprefix("<p>").removesuffix("</p>\n")
        for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
            text_of_page = text_of_page.replace(entity, sign)
        assert text_of_page.replace("＿＿＿＿", "____") == plain
