"""A question in a form beside its look: the same text as in the other view, and without JavaScript."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.course.authoring import item_forms
from app.course.authoring.yaml_edits import readable_document
from app.course.text.yaml12 import YamlDocument
from app.web.authoring.own_views import NAME_BY_FORM_TEMPLATE, without_remarks
from tests.web.authoring.own_texts import BROKEN, SMALL, typed_text, write
from tests.web.cast import Ledger, Page, Reader

COMMENTED = SMALL.replace("answer: true\n", "answer: true  # 真的\n") + "# 完\n"


def fields(texts: dict[str, Any]) -> dict[str, Any]:
    """What is typed into inputs whose names are no names of Python."""
    return texts


def faults(page: Page) -> list[str]:
    return [fault.text for fault in page.by_id("own-faults").all("li")]


@pytest.mark.parametrize("kind", NAME_BY_FORM_TEMPLATE)
def test_every_kind_has_a_form_beside_its_look(teacher: Reader, kind: str, ledger: Ledger) -> None:
    page = teacher.open(f"/own/new?template={kind}&view=form")
    assert "没有错" in page.by_id("own-faults").text
    assert page.by_id("own-preview").one("div", class_="as-student").get("inert") == ""
    page = teacher.submit(page.form("/own", "存"))
    assert page.path.startswith("/own/1?kept=1&item=")
    assert "存好了" in page.main.text
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    page = teacher.submit(page.form("/own/1", "看原文"), "看原文")
    template = typed_text(teacher.open(f"/own/new?template={kind}"))
    assert typed_text(page) == text == without_remarks(template)


def test_a_form_reads_its_text_once_beside_the_check(
    teacher: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one is read in a process of its own."""
    path = write(teacher, SMALL)
    read_texts = []

    def counted(yaml_text: str) -> YamlDocument:
        read_texts.append(yaml_text)
        return readable_document(yaml_text)

    monkeypatch.setattr(item_forms, "readable_document", counted)
    page = teacher.open(f"{path}?item=q1")
    assert page.has("f-stem")
    assert read_texts == [SMALL]


def test_a_question_is_written_by_form_from_an_empty_one(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    page = teacher.submit(teacher.open(path).form(path), "填表单", text=SMALL, kind="fill")
    assert faults(page) == ["每一空 items.q2.blanks 缺少这一项 q2:"]
    [link] = page.by_id("own-faults").all("a")
    assert page.has(link["href"].removeprefix("#"))
    form = page.form(path)
    page = teacher.submit(
        form, "预览", **fields({"f-stem": "越____越靠前。", "f-blanks-0-accept": "甜 / 甘"})
    )
    assert "没有错，可以用了：2道题。" in page.by_id("own-faults").text
    assert "越甜越靠前，对吗？" not in page.by_id("own-preview").text, "only the one that is being written"
    page = teacher.submit(page.form(path), "存下来")
    assert page.path == f"{path}?kept=1&item=q2&changed=q2"
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    added = "  q2:\n    kind: fill\n    stem: 越____越靠前。\n    blanks:\n      - - 甜\n        - 甘\n"
    assert text == SMALL + added


def test_a_new_question_is_no_heir_to_one_that_was_deleted_from_the_stored_text(teacher: Reader) -> None:
    """Answers are kept under the id."""
    first, last = SMALL, "  q2:\n    stem: 老题？\n    answer: true\n"
    path = write(teacher, first + last)
    page = teacher.submit(teacher.open(path).form(path), "填表单", text=first, kind="fill")
    assert "items.q3.blanks" in faults(page)[0]
    page = teacher.submit(
        page.form(path), "存下来", **fields({"f-blanks-0-accept": "甜", "f-stem": "越____"})
    )
    assert page.path == f"{path}?kept=1&item=q3&changed=q3"


def test_a_new_question_is_no_heir_to_one_that_was_deleted_and_saved_away(teacher: Reader) -> None:
    path = write(teacher, SMALL + "  q2:\n    stem: 老题？\n    answer: true\n")
    teacher.submit(teacher.open(path).form(path), "存下来", text=SMALL)
    page = teacher.submit(teacher.open(path).form(path), "填表单", text=SMALL, kind="fill")
    assert "items.q3.blanks" in faults(page)[0]


def test_faults_lead_to_their_fields_and_nothing_typed_is_lost(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    page = teacher.open(f"{path}?item=q1")
    page = teacher.submit(
        page.form(path), "预览", **fields({"f-minutes": "很久", "f-feedback.right": "$\\farc$"})
    )
    assert [link["href"] for link in page.by_id("own-faults").all("a")] == ["#f-minutes"]
    assert page.by_id("f-minutes")["value"] == "很久"
    posted = {"own": path.rpartition("/")[2], "edited": "q1", "text": SMALL, "f-minutes": "99"}
    part = Page(teacher.post("/own/previews", [*posted.items()], htmx=True))
    assert faults(part) == ["约几分钟 items.q1.minutes 不能大于15 minutes: 99"]
    assert ledger.rows("SELECT text FROM own_course") == [(SMALL,)]


def test_remarks_that_would_go_are_named_before_they_do(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher, COMMENTED)
    page = teacher.open(f"{path}?item=q1")
    assert "第6行" in page.main.one("p", class_="form-comments").text
    page = teacher.submit(page.form(path), "存下来", **fields({"f-stem": "越淡越靠后，对吗？"}))
    assert ledger.rows("SELECT text FROM own_course") == [(COMMENTED.replace("越甜越靠前", "越淡越靠后"),)]
    page = teacher.submit(page.form(path), "存下来", **fields({"f-answer": "false"}))
    assert not page.main.all("p", class_="form-comments")
    [(text,)] = ledger.rows("SELECT text FROM own_course")
    assert text.endswith("answer: false\n    hints: [想想糖。]\n# 完\n")


@pytest.mark.parametrize("template", NAME_BY_FORM_TEMPLATE)
def test_the_remarks_of_a_template_are_for_its_text_alone(teacher: Reader, template: str) -> None:
    page = teacher.open(f"/own/new?template={template}&view=form")
    assert not page.main.all("p", class_="form-comments")
    assert not page.main.all(class_="fault")
    assert "#" in typed_text(teacher.open(f"/own/new?template={template}"))


def test_a_text_that_no_form_can_show_stays_a_text(teacher: Reader) -> None:
    path = write(teacher, BROKEN.replace("items:\n", "items: [\n"))
    page = teacher.open(f"{path}?item=q1", status=422)
    assert "先改好再放" in page.by_id("own-error").text
    assert "items: [" in typed_text(page)
    posted = [("text", "title: ["), ("own", "0"), ("edited", "q1"), ("f-stem", "甲")]
    assert "有错" in Page(teacher.post("/own/previews", posted)).by_id("own-error").text
    assert teacher.post("/own/previews", posted, htmx=True).status_code == 200
    posted = [("text", SMALL), ("own", "0"), ("add", "yes"), ("kind", "x")]
    assert "这里加不了题" in Page(teacher.post("/own/previews", posted)).by_id("own-error").text


def test_a_change_elsewhere_is_not_overwritten_by_a_form(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    old_form = teacher.open(f"{path}?item=q1").form(path)
    teacher.submit(teacher.open(path).form(path, "存"), text=SMALL + "# 一\n")
    page = teacher.submit(old_form, "存下来", status=422, **fields({"f-stem": "新的？"}))
    assert "别处改过" in page.by_id("own-error").text
    assert "新的？" in page.by_id("f-stem").text
    assert ledger.rows("SELECT text FROM own_course") == [(SMALL + "# 一\n",)]
    assert "先另存一份" in page.by_id("own-error").text, "下载 would give what stands there now"
    teacher.submit(page.form(path, "另存"), "另存")
    stored_texts = [text for (text,) in ledger.rows("SELECT text FROM own_course ORDER BY id")]
    assert stored_texts == [SMALL + "# 一\n", SMALL.replace("越甜越靠前，对吗？", "新的？")]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("[]{}:- \n'\"#|ab1甲", max_size=30), st.integers(0, len(SMALL)), st.integers(0, 20))
def test_no_text_under_a_form_is_an_error_of_ours(
    teacher: Reader, noise: str, place: int, length: int
) -> None:
    text = SMALL[:place] + noise + SMALL[place + length :]
    posted = [("text", text), ("own", "0"), ("edited", "q1"), ("f-stem", noise), ("f-hints-0-text", "甲")]
    for htmx in (False, True):
        assert teacher.post("/own/previews", posted, htmx=htmx).status_code in (200, 422)


ODD_BODIES = [
    "{kind: [1]}",
    "{kind: {}}",
    "{kind: fill, blanks: {}}",
    "{kind: fill, blanks: [{accept: 甲}, null]}",
    "{kind: order, documents: [{text: [1], grade: 2}, 5]}",
    "{kind: numeric, question: 5}",
    "{kind: true_false, feedback: [1]}",
    "{options: [[1], {right: {}}]}",
]


@pytest.mark.parametrize("body", ODD_BODIES)
def test_a_shape_that_no_kind_has_is_no_error_of_ours(teacher: Reader, body: str) -> None:
    text = f"title: 甲\nskill: dcg\nitems:\n  q1: {body}\n"
    posted = [
        ("text", text),
        ("own", "0"),
        ("edited", "q1"),
        ("f-question.k", "3"),
        ("f-feedback.right", "对"),
    ]
    for row in (0, 1):
        posted += [(f"f-documents-{row}-text", "甲"), (f"f-documents-{row}-grade", "3")]
        posted += [(f"f-blanks-{row}-accept", ""), (f"f-blanks-{row}-tolerance", "3")]
        posted += [(f"f-options-{row}-text", "乙"), (f"f-options-{row}-feedback", "丙")]
    assert teacher.post("/own/previews", posted).status_code in (200, 422)


TICKED = """\
title: 小练习
skill: dcg
items:
  q1:
    stem: 哪个更甜？
    options:
      - text: 糖
        right: true
      - 盐
  q2:
    exercise: dcg
    level: 1
"""


def test_what_is_kept_opens_as_a_list_of_its_questions(teacher: Reader) -> None:
    """Whoever pasted questions out of Word found YAML, and the forms behind the ids at its end."""
    path = write(teacher, TICKED)
    page = teacher.open(path)
    source = page.main.one("details", class_="own-written")
    assert "open" not in source.attributes
    assert source.one("summary").text == "看原文"
    assert typed_text(page) == TICKED
    rows = page.main.one("div", class_="form-others").all("li")
    assert [row.one("span").text for row in rows] == ["哪个更甜？", "出题器的题"]
    assert [row.one("button")["value"] for row in rows] == ["q1", "q2"]
    page = teacher.open(f"{path}?item=q1")
    assert page.by_id("own-item").text == "第1题 · 单选题"
    page = teacher.submit(page.form(path, "看原文"), "看原文")
    assert not page.main.all("details", class_="own-written"), "whoever asks for the text has it"
    page = teacher.open(f"{path}?item=q2")
    assert page.by_id("own-item").text == "第2题 · 出题器的题"
    assert "再多几行" not in page.main.text


def test_a_text_with_faults_lies_open(teacher: Reader) -> None:
    path = write(teacher, BROKEN)
    assert not teacher.open(path).main.all("details", class_="own-written")


def test_a_second_tick_is_told_before_one_answer_becomes_several(teacher: Reader) -> None:
    """Whoever ticked the right option and forgot the wrong one had a question with two right ones."""
    path = write(teacher, TICKED)
    page = teacher.open(f"{path}?item=q1")
    assert "多选" not in page.by_id("own-faults").text
    page = teacher.submit(page.form(path), "预览", **fields({"f-options-1-right": "yes"}))
    assert "勾了2项对的：这是多选题" in page.by_id("own-faults").text
    assert page.by_id("own-item").text == "第1题 · 多选题"
    assert "把别的勾去掉，它就是单选题" in page.by_id("own-faults").text


def test_what_was_added_as_a_question_of_several_is_not_said_to_become_one_of_one(teacher: Reader) -> None:
    """The kind stands in its text, and no form takes it out."""
    path = write(teacher, TICKED.replace("  q1:\n", "  q1:\n    kind: multiple\n"))
    page = teacher.open(f"{path}?item=q1")
    page = teacher.submit(page.form(path), "预览", **fields({"f-options-1-right": "yes"}))
    assert "勾了2项对的：这是多选题。要单选，另加一道单选题。" in page.by_id("own-faults").text
    assert "去掉" not in page.by_id("own-faults").text
