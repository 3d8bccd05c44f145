"""Words of an option are corrected, and what was answered with it is still an answer to it."""

import pytest

from app.course import Course
from app.course.authoring.option_ids import option_ids, with_former_option_ids
from app.course.authoring.own_content import parse_own
from tests.published import published

MAIN_COURSE = published()
CHOICE_TEXT = """\
title: 小测
skill: dcg
items:
  q1:
    stem: 第3位打几折？
    options:
      - {text: 五拆, right: true}  # 先写这个
      - 七折, 也就是0.7
      - text: 三折
        feedback: 再想想。
      - 3.50
"""
ORDER_TEXT = """\
title: 小测
skill: dcg
items:
  q1:
    stem: 排一排
    kind: order
    documents:
      - 火锅店: 3
      - 茶馆: 1
      - {text: 书店, grade: 4}
"""
SPOT_TEXT = """\
title: 小测
skill: dcg
items:
  q1:
    stem: 哪行错了？
    correction: 加起来是4。
    lines:
      - 两颗糖
      - {text: 1+3=5, wrong: true}
      - |-
        完了
        真的
"""


def parsed(content_text: str) -> Course:
    course = parse_own(content_text, 1, MAIN_COURSE)
    assert isinstance(course, Course), course
    return course


def saved_text(former_text: str, new_text: str) -> str:
    return with_former_option_ids(new_text, parsed(former_text), parsed(new_text), ["q1", "gone"])


@pytest.mark.parametrize(
    ("content_text", "words", "new_words"),
    [
        (CHOICE_TEXT, "五拆", "五折"),
        (CHOICE_TEXT, "七折, 也就是0.7", "七折，也就是：0.70"),
        (CHOICE_TEXT, "七折, 也就是0.7", "'七折: # 0.70'"),
        (CHOICE_TEXT, "三折", "4.0"),
        (CHOICE_TEXT, "3.50", "4.50"),
        (ORDER_TEXT, "茶馆", "茶楼"),
        (ORDER_TEXT, "书店", "二手书店"),
        (SPOT_TEXT, "两颗糖", "三颗糖"),
        (SPOT_TEXT, "真的", "真完了"),
    ],
)
def test_an_option_with_other_words_keeps_its_id(content_text: str, words: str, new_words: str) -> None:
    new_text = content_text.replace(words, new_words)
    text = saved_text(content_text, new_text)
    former_item, new_item, item = (parsed(written).items["q1"] for written in (content_text, new_text, text))
    assert option_ids(new_item) != option_ids(former_item)
    assert option_ids(item) == option_ids(former_item)
    shown_texts = [choice.text for choice in item.choices]
    assert shown_texts == [choice.text for choice in new_item.choices]
    assert text.count("#") == new_text.count("#"), "remarks stay"
    assert saved_text(text, text.replace("0.70", "0.71")) == text.replace("0.70", "0.71"), "an id stays"


@pytest.mark.parametrize(
    "new_text",
    [
        CHOICE_TEXT,
        CHOICE_TEXT.replace("五拆", "五折").replace("三折", "六折"),
        CHOICE_TEXT.replace("      - 3.50\n", ""),
        CHOICE_TEXT.replace("      - 3.50\n", "      - 3.50\n      - 九折\n"),
        CHOICE_TEXT.replace("      - 七折, 也就是0.7\n", "").replace(
            "- 3.50", "- 3.50\n      - 七折, 也就是0.7"
        ),
        CHOICE_TEXT.replace("{text: 五拆", "{id: five, text: 五折"),
        CHOICE_TEXT.replace("  q1:", "  q2:").replace("五拆", "五折"),
    ],
)
def test_whatever_else_was_changed_is_written_as_it_is(new_text: str) -> None:
    assert saved_text(CHOICE_TEXT, new_text) == new_text


def test_a_list_in_one_line_is_written_anew() -> None:
    content_text = (
        "title: 小测\nskill: dcg\nitems:\n  q1: {stem: 几折？, options: [{text: 五拆, right: true}, 七折]}\n"
    )
    text = saved_text(content_text, content_text.replace("五拆", "五折"))
    assert option_ids(parsed(text).items["q1"]) == option_ids(parsed(content_text).items["q1"])
    assert "五折" in text
