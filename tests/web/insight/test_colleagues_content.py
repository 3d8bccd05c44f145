"""小糖 is in the class of 王 and in one of 赵: what 赵 wrote and gave them is nothing to 王."""

from typing import Any

import pytest

from tests.web.assignments.drafting import FUTURE
from tests.web.authoring.own_texts import write
from tests.web.cast import Reader
from tests.web.school import code_of, new_class, new_teacher
from tests.web.taught import Term, new_helper

OWN_TEXT = """\
title: 赵的私课
skills:
  bm25: {name: 赵的知识点}
items:
  s1: {skill: bm25, stem: 赵的第一题，对吗？, answer: true}
  s2: {skill: dcg, stem: 赵的第二题，对吗？, answer: false}
  s3: {skill: bm25, stem: 赵的考题，对吗？, answer: false}
  s4: {skill: dcg, stem: 赵的第四题，DCG是多少？, question: {quantity: dcg, grades: [3, 2, 0]}, decimals: 2}
sections:
  first:
    title: 先学
    steps:
      - ask: s1
      - ask: s2
      - ask: s4
  second:
    title: 再学
    steps:
      - ask: s3
"""
POINT = "own-1:bm25"
PAGES = ("items", "items?assignment=all", "map", f"map?skill={POINT}", "mistakes", "today", "students/1", "")


def give(teacher: Reader, classroom: int, kind: str, name: str, course: str = "own-1", **wishes: Any) -> str:
    """An assignment of a part of own content 1, for the whole class; its address for its teacher."""
    assignments_url = f"/classrooms/{classroom}/assignments"
    teacher.open(assignments_url)
    teacher.submit(teacher.page.form(assignments_url), title=f"{kind}作业")
    address = teacher.page.path
    part = [("kind", kind), ("ref", f"{course}:{name}"), ("points", "1"), ("count", "1")]
    assert teacher.post(f"{address}/parts", part).status_code == 200
    if wishes:
        teacher.submit(teacher.open(address).form(f"{address}/settings"), **wishes)
    teacher.submit(teacher.open(address).form(f"{address}/settings"), "发布给")
    return address


def answer_lesson(term: Term) -> None:
    answers = [("s1", 1, "false"), ("s2", 1, "false"), *(("s4", number, "0.01") for number in range(1, 5))]
    for item_id, try_number, answer in answers:
        fields = [("item", item_id), ("try", str(try_number)), ("answer", answer)]
        assert term.student.post("/own/1/responses", fields).status_code == 200


def take_as_reader(helper: Reader, teacher: Reader, classroom: int) -> None:
    staff_url = f"/classrooms/{classroom}/staff"
    page = teacher.submit(teacher.open(staff_url).form(f"{staff_url}/invitations"), role="reader")
    link = page.by_id("staff-link").text.partition("testserver")[2]
    helper.submit(helper.open(link).form(f"{link}/acceptances"))


@pytest.fixture
def colleague(term: Term) -> Reader:
    """赵, whose section 小糖 has answered, and whose exam goes on."""
    teacher = new_teacher(term.client, "赵")
    other_class = new_class(teacher, "别的班")
    join_url = f"/join/{code_of(teacher, other_class)}"
    term.student.submit(term.student.open(join_url).form(join_url))
    assert write(teacher, OWN_TEXT) == "/own/1"
    give(teacher, other_class, "section", "own/first")
    give(teacher, other_class, "item", "s3", answers="never", due=FUTURE)
    answer_lesson(term)
    return teacher


@pytest.mark.both_databases
@pytest.mark.usefixtures("colleague")
def test_pages_of_another_class_show_nothing_of_it(term: Term) -> None:
    classroom_url = f"/classrooms/{term.classroom}"
    report = [("item", "s1"), ("text", "赵的题有问题"), ("next", "/own/1/lessons/first")]
    term.student.post("/reports", report)
    assert term.ledger.count("problem_report") == 1
    helper = new_helper(term, "co-teacher", "孙")
    for reader in (term.teacher, helper):
        for page in PAGES:
            assert "赵的" not in reader.open(f"{classroom_url}/{page}".rstrip("/")).main.text
        assert "卡住" not in reader.open(f"{classroom_url}/today").main.text
        reader.open(f"{classroom_url}/students/1/attempts/1", status=404)
        assert "own-1" not in reader.client.get(f"{classroom_url}/responses.csv").text


def test_who_is_in_two_classes_is_stuck_where_it_may_be_read(term: Term, colleague: Reader) -> None:
    """赵 helps in the class of 王: what 赵 gave to another class is nothing there."""
    give(term.teacher, term.classroom, "item", "gain-of-grade", course="content", due=FUTURE)
    take_as_reader(colleague, term.teacher, term.classroom)
    page = colleague.open("/classrooms")
    assert page.main.text.count("卡住了1") == 1, "in the class of 赵 alone"
    assert "卡住" not in colleague.open(f"/classrooms/{term.classroom}/today").main.text


def test_no_draft_is_made_of_it(term: Term, colleague: Reader) -> None:
    drafts_url = f"/classrooms/{term.classroom}/map/drafts"
    helper = new_helper(term, "co-teacher", "孙")
    for reader in (term.teacher, helper):
        assert reader.post(drafts_url, [("skill", POINT)]).status_code == 404
    drafts_query = "SELECT id FROM assignment WHERE classroom_id = ?"
    assert term.ledger.rows(drafts_query, term.classroom) == []
    renamed = OWN_TEXT.replace("s2", "z2").replace("赵的第一题", "第一题")
    colleague.submit(colleague.open("/own/1").form("/own/1", "存"), text=renamed)


def test_a_class_that_was_given_some_of_it_sees_that_and_practises_what_it_answered(term: Term) -> None:
    """孙 teaches with 王 and gives the class a section of their own; an exam elsewhere has the rest."""
    helper = new_helper(term, "co-teacher", "孙")
    assert write(helper, OWN_TEXT) == "/own/1"
    other_class = new_class(helper, "孙的班")
    give(helper, other_class, "item", "s3", answers="never", due=FUTURE)
    give(helper, term.classroom, "section", "own/first")
    answer_lesson(term)
    classroom_url = f"/classrooms/{term.classroom}"
    for reader in (term.teacher, helper):
        assert "赵的第一题" in reader.open(f"{classroom_url}/items?assignment=all").main.text
    attempt_url = f"{classroom_url}/students/1/attempts/1"
    for reader in (term.teacher, helper):
        page = reader.open(f"{classroom_url}/today")
        assert "错4次" in page.main.text
        assert f'"{attempt_url}"' in page.html
    assert "看看现在的" in helper.open(attempt_url).main.text
    page = term.teacher.open(attempt_url)
    assert "赵的第一题" in page.main.text
    assert "看看现在的" not in page.main.text, "their colleague's content is not open to them"
    page = term.teacher.open(f"{classroom_url}/map?skill={POINT}")
    term.teacher.submit(page.form(f"{classroom_url}/map/drafts"))
    parts_query = "SELECT ref FROM assignment_part ORDER BY id DESC LIMIT 1"
    assert term.ledger.rows(parts_query) == [("own-1:s1",)]
    assert term.ledger.count("assignment_part") == 3


def test_a_helper_sees_nothing_of_what_the_teacher_gave_to_another_class(term: Term) -> None:
    other_class = new_class(term.teacher, "王的二班")
    join_url = f"/join/{code_of(term.teacher, other_class)}"
    term.student.submit(term.student.open(join_url).form(join_url))
    write(term.teacher, OWN_TEXT)
    give(term.teacher, other_class, "section", "own/first")
    answer_lesson(term)
    attempt_url = f"/classrooms/{term.classroom}/students/1/attempts/1"
    today_url = f"/classrooms/{term.classroom}/today"
    assert "看看现在的" in term.teacher.open(attempt_url).main.text
    assert f'"{attempt_url}"' in term.teacher.open(today_url).html, "whoever may read it is told of it"
    helper = new_helper(term, "reader", "孙")
    helper.open(attempt_url, status=404)
    assert "卡住" not in helper.open(today_url).main.text
    assert "赵的" not in helper.open(f"/classrooms/{term.classroom}/items").main.text


def test_a_refused_save_names_only_classes_that_the_author_may_read(term: Term) -> None:
    """孙 copies an assignment of 王 into a class of their own."""
    write(term.teacher, OWN_TEXT)
    address = give(term.teacher, term.classroom, "item", "s1")
    helper = new_helper(term, "co-teacher", "孙")
    other_class = new_class(helper, "孙的绝密班")
    helper.post(f"{address}/copies", [("to", str(other_class))])
    [(copy_id,)] = term.ledger.rows("SELECT id FROM assignment WHERE classroom_id = ?", other_class)
    copy_url = f"/classrooms/{other_class}/assignments/{copy_id}"
    helper.submit(helper.open(copy_url).form(f"{copy_url}/settings"), "发布给", title="孙的机密作业")
    renamed = OWN_TEXT.replace("s1", "z1")
    page = term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=renamed, status=422)
    assert "作业“item作业”（高一3班）还在用“s1”" in page.by_id("own-error").text
    term.begin("/assignments/1")
    for ending in ("closings", "collections"):
        term.teacher.submit(term.teacher.open(address).form(f"{address}/{ending}"))
    page = term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=renamed, status=422)
    assert "一位同事的作业还在用“s1”" in page.by_id("own-error").text
    assert "孙" not in page.by_id("own-error").text
    take_as_reader(term.teacher, helper, other_class)
    page = term.teacher.submit(term.teacher.open("/own/1").form("/own/1", "存"), text=renamed, status=422)
    assert "作业“孙的机密作业”（孙的绝密班）还在用“s1”" in page.by_id("own-error").text


def test_a_helper_sees_the_class_under_the_name_of_its_teacher(term: Term) -> None:
    helper = new_helper(term, "co-teacher", "孙")
    classroom_url = f"/classrooms/{term.classroom}"
    for page in (term.student.open(classroom_url), helper.open(f"{classroom_url}/preview")):
        assert "王老师的班" in page.main.text
        assert "孙" not in page.main.text
