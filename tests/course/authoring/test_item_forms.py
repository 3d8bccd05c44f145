"""The form of an item and the text of own content: two views of one thing, and nothing is lost between."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.course import Course, Faults
from app.course.authoring.item_forms import (
    WrittenItem,
    field_place_of,
    listed_items,
    text_and_new_item_id,
    with_typed_fields,
    written_item,
)
from app.course.authoring.own_content import parse_own
from app.course.authoring.yaml_edits import UnfitText
from app.course.items.kinds import KINDS
from app.course.items.kinds.form_fields import FormField, NumberField, RowsField
from tests.published import published

MAIN_COURSE = published()
TEMPLATES = Path(__file__).resolve().parents[3] / "templates/authoring/yaml"
FILLED = {
    "single": {"f-options-0-text": "五折", "f-options-0-right": "yes", "f-options-1-text": "七折"},
    "multiple": {
        "f-options-0-text": "DCG",
        "f-options-0-right": "yes",
        "f-options-1-text": "NDCG",
        "f-options-1-right": "yes",
        "f-options-1-feedback": "会变：分子变了",
    },
    "true_false": {"f-answer": "false", "f-feedback.right": "没错", "f-feedback.wrong": "再想想"},
    "numeric": {"f-question.quantity": "dcg", "f-question.grades": "３，2 未标注", "f-question.k": "2"},
    "steps": {"f-question.quantity": "ndcg", "f-question.grades": "2 3 0", "f-given": "gain discount"},
    "order": {
        "f-documents-0-text": "文具店",
        "f-documents-0-grade": "1",
        "f-documents-1-text": "二手书店",
        "f-documents-1-grade": "3",
        "f-documents-2-text": "奶茶店",
        "f-documents-2-grade": "0",
    },
    "spot": {
        "f-lines-0-text": "两颗糖",
        "f-lines-1-text": "理想是1、3",
        "f-lines-1-wrong": "yes",
        "f-lines-2-text": "加起来",
        "f-correction": "理想是3、1",
    },
    "fill": {"f-blanks-0-accept": "0.50 / 一半", "f-blanks-0-tolerance": "0.01", "f-blanks-1-accept": "1e5"},
    "short": {
        "f-checkpoints-0-text": "一屏",
        "f-checkpoints-1-text": "没人翻",
        "f-model": "一屏看得见。\n\n没人翻。",
    },
    "generated": {"f-level": "2"},
}
"""What is typed into the form of each kind, so that it can be asked."""
COMMENTED = """\
title: 两道  # 标题
skill: dcg
items:
  # 第一道
  first:
    stem: |
      第一段
      # 不是说明
    options:   # 选项
      - {id: a, text: 甲, right: true}
      - text: 3.50   # 三块五
      - 丙
    twin: second

  second:  # 第二道
    blanks: [0.50, [二, 2]]
    stem: "空: ____，____"

# 结尾
cards: {}
"""


def form_texts(item: WrittenItem) -> dict[str, str]:
    """What a browser sends of a form that nobody changed."""
    texts = {"f-skill": item.skill, "f-title": item.title}
    for field in item.form:
        if isinstance(field, RowsField):
            for row in field.rows(item.body):
                texts |= {name: text for column, name, text in row.cells if text or column.widget != "tick"}
        else:
            texts[field.input_name] = field.input_text(item.body)
    return texts


def text_after_typing(text: str, item_id: str, **changed: str) -> str:
    """The text after some inputs of a form were changed."""
    texts = form_texts(written_item(text, item_id, MAIN_COURSE))
    return with_typed_fields(text, item_id, texts | changed, MAIN_COURSE)


def templates() -> Mapping[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.yaml"))}


@pytest.mark.parametrize("text", [*templates().values(), COMMENTED])
def test_a_form_that_nobody_changed_changes_not_a_letter(text: str) -> None:
    for item_id, _ in listed_items(text):
        assert text_after_typing(text, item_id) == text


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_written_by_its_form_alone(kind: str) -> None:
    text, item_id = text_and_new_item_id("title: 甲\nskill: dcg\n", kind)
    assert isinstance(parse_own(text, 1, MAIN_COURSE), Faults) == (kind != "generated"), (
        "it is still to be filled in"
    )
    item = written_item(text, item_id, MAIN_COURSE)
    assert item.form[0].name in ("stem", "exercise")
    filled = text_after_typing(text, item_id, **FILLED[kind])
    own = parse_own(filled, 1, MAIN_COURSE)
    assert isinstance(own, Course), own.lines()
    assert own.items[item_id].kind == kind
    texts = form_texts(written_item(filled, item_id, MAIN_COURSE))
    for name, typed_text in FILLED[kind].items():
        assert texts[name].replace(" ", "") == typed_text.replace("３，2", "3 2").replace(" ", "")


def test_only_the_field_that_was_changed_is_written_anew() -> None:
    changed = text_after_typing(COMMENTED, "first", **{"f-hints-0-text": "想想: 糖"})
    assert changed == COMMENTED.replace("twin: second\n", "twin: second\n    hints:\n      - '想想: 糖'\n")
    changed = text_after_typing(COMMENTED, "first", **{"f-stem": "新的\n\n# 题干"})
    assert changed == COMMENTED.replace("第一段\n      # 不是说明", "新的\n\n      # 题干").replace(
        "stem: |\n", "stem: |-\n"
    )
    assert written_item(COMMENTED, "first", MAIN_COURSE).comment_line_numbers == [8, 9, 11]


def test_an_empty_field_beside_hinders_no_other() -> None:
    text = "title: 甲\nitems:\n  q1:\n    stem: 甲\n    answer: true\n    explanation:\n    hints:\n"
    new_text = with_typed_fields(text, "q1", {"f-stem": "乙", "f-hints-0-text": "想想"}, MAIN_COURSE)
    assert new_text == text.replace("stem: 甲", "stem: 乙").replace("hints:", "hints:\n      - 想想")


def test_numbers_keep_their_places_and_rows_what_the_form_does_not_show() -> None:
    """0.50 is right within 0.005, and 0.5 within 0.05; an option keeps its id."""
    changed = text_after_typing(
        COMMENTED, "first", **{"f-options-2-text": "丁", "f-options-2-feedback": "别的"}
    )
    assert "- id: a\n        text: 甲\n        right: true\n      - text: 3.50\n" in changed
    changed = text_after_typing(COMMENTED, "second", **{"f-blanks-1-accept": "二"})
    assert "second:  # 第二道\n    blanks:\n      - 0.50\n      - 二\n    stem" in changed
    assert text_after_typing(changed, "second", **{"f-blanks-1-accept": ""}).count("0.50\n    stem") == 1


def test_a_single_feedback_is_said_to_both_until_one_is_changed() -> None:
    text = "title: 甲\nskill: dcg\nitems:\n  q1: {stem: 对吗？, answer: true, feedback: 看定义}\n"
    assert text_after_typing(text, "q1") == text
    changed = text_after_typing(text, "q1", **{"f-feedback.right": "对"})
    assert "feedback:\n      right: 对\n      wrong: 看定义\n" in changed


def test_title_and_knowledge_point_are_fields_too() -> None:
    text = templates()["single"]
    changed = text_after_typing(text, "third-place", **{"f-title": "折一折", "f-skill": "BM25"})
    own = parse_own(changed, 1, MAIN_COURSE)
    assert isinstance(own, Course)
    assert (own.title, own.items["third-place"].skill, own.skills["bm25"].name) == ("折一折", "bm25", "BM25")
    assert "skill: discount          # 考哪个知识点，管整份\n" in changed
    again = text_after_typing(changed, "third-place", **{"f-skill": ""})
    assert "    skill:" not in again


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title: 甲\nitems: [", "有错"),
        ("title: 甲\nitems: {q1: {stem: 乙, answer: true}}\n", "写法比较特别"),
        ("title: 甲\nitems:\n  q2: {stem: 乙}\n", "没有“items.q1”"),
        ("title: 甲\nitems:\n  q1: {stem: 乙}\n", "看不出“q1”是哪一种"),
        ("title: 甲\nitems:\n  q1: 5\n", "写法比较特别"),
    ],
)
def test_what_a_form_cannot_hold_is_said(text: str, reason: str) -> None:
    with pytest.raises(UnfitText, match=reason):
        text_after_typing(text, "q1", **{"f-stem": "丙"})


@pytest.mark.parametrize("text", ["", "# 还没有写\n"])
def test_nor_can_it_change_a_text_without_anything(text: str) -> None:
    with pytest.raises(UnfitText, match="在原文里改"):
        with_typed_fields(text, "q1", {"f-title": "甲"}, MAIN_COURSE)


@pytest.mark.parametrize(
    ("name", "inputs", "places"),
    [
        ("single", {"f-minutes": "很多"}, [("f-minutes", "约几分钟")]),
        ("spot", {"f-lines-0-wrong": "yes"}, [("f-stem", "题干")]),
        ("order", {"f-documents-2-grade": "九"}, [("f-documents-2-grade", "一开始的样子3：甜度")]),
        ("numeric", {"f-question.grades": "3 二"}, [("f-question.grades", "一列甜度")]),
        ("single", {"f-title": "甲" * 61}, [("f-title", "这一份叫什么")]),
        ("single", {"f-options-1-text": ""}, [("f-options-1-text", "选项2：选项")]),
    ],
)
def test_faults_name_the_field_in_which_they_are(
    name: str, inputs: dict[str, str], places: list[tuple[str, str]]
) -> None:
    text = templates()[name]
    [(item_id, _)] = listed_items(text)
    changed = text_after_typing(text, item_id, **inputs)
    faults = parse_own(changed, 1, MAIN_COURSE)
    assert isinstance(faults, Faults)
    item = written_item(changed, item_id, MAIN_COURSE)
    assert [field_place_of(fault, item) for fault in faults.faults] == places


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.text(max_size=40), st.sampled_from(["first", "second"]))
def test_whatever_is_typed_is_what_the_text_says(stem: str, hint: str, item_id: str) -> None:
    stem = re.sub(r"[^\n\x20-\x7e\u4e00-\u9fff]", "", stem)
    hint = re.sub(r"[^\x20-\x7e\u4e00-\u9fff]", "", hint)
    changed = text_after_typing(COMMENTED, item_id, **{"f-stem": stem, "f-hints-0-text": hint})
    body = written_item(changed, item_id, MAIN_COURSE).body
    assert body.get("stem", "").strip() == stem.strip()
    assert body.get("hints", []) == ([hint.strip()] if hint.strip() else [])
    assert "- 丙\n" in changed
    assert changed.endswith("# 结尾\ncards: {}\n")


def test_a_column_that_is_named_comes_before_one_whose_number_cannot_be_read() -> None:
    columns = (NumberField("grade", "甜度"), FormField("feedback", "反馈"))
    rows = RowsField("documents", "文档", columns=columns)
    body = {"documents": [{"grade": "九", "feedback": 3}]}
    assert rows.column_at_path(body, 0, ["feedback"]).name == "feedback"
    assert rows.column_at_path(body, 0, ["title"]).name == "grade"
