"""The end of a class as its teacher meets it: files to keep, a new class, and a name typed twice."""

import csv
import gzip
import io
from json import JSONDecodeError
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from app.records.classes import classrooms
from app.records.db.errors import NotFound
from app.records.learning.values import AttemptRow
from app.web.assignments.student_pages import url_of_assignment_attempt
from app.web.site import clock
from tests.web.cast import Ledger, Reader
from tests.web.graded import DAY, NOW, TEACHER, Term
from tests.web.grading.open_books import downloaded_file, first, teacher, term
from tests.web.pages import filled

__all__ = ["first", "teacher", "term"]


def table_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.usefixtures("first")
def test_all_answers_come_as_one_file_with_names_or_without(teacher: Reader, term: Term) -> None:
    address = f"/classrooms/{term.classroom}"
    content, name = downloaded_file(teacher, f"{address}/responses.csv?names=yes")
    head, *rows = table_of(content)
    assert head[:6] == ["代号", "学号", "姓名", "回答", "来源", "哪一份"]
    assert [row[2] for row in rows] == ["小糖"] * 3 + ["小序"] * 2 + ["小圆"] * 0
    assert {row[5] for row in rows} == {"第一周"}
    assert rows[0][head.index("判")] == "对"
    assert rows[0][head.index("时间")] == "2026-09-01T09:00:00+08:00"
    assert quote("高一3班的回答.csv") in name
    nameless, _ = downloaded_file(teacher, f"{address}/responses.csv")
    plain_head, *plain_rows = table_of(nameless)
    assert plain_head[:2] == ["代号", "回答"]
    assert [row[0] for row in plain_rows] == [row[0] for row in rows], "the same code in every file"
    assert "小糖" not in nameless.decode()
    assert nameless.count("\ufeff".encode()) == 1
    for encoding in ("identity", "gzip"):
        request_headers = {"accept-encoding": encoding}
        with teacher.client.stream("GET", f"{address}/responses.csv", headers=request_headers) as answer:
            sent_bytes = b"".join(answer.iter_raw())
        assert answer.headers["content-length"] == str(len(sent_bytes)), "who gets less knows it broke off"
        if encoding == "gzip":
            sent_bytes = gzip.decompress(sent_bytes)
        assert sent_bytes == nameless


@pytest.mark.both_databases
@pytest.mark.usefixtures("first")
def test_a_file_that_cannot_be_read_to_its_end_is_not_begun(
    teacher: Reader, term: Term, ledger: Ledger
) -> None:
    break_answers = """UPDATE response SET raw = '[' WHERE learner_id =
        (SELECT learner_id FROM enrolment WHERE id = ?) RETURNING id"""
    assert len(ledger.rows(break_answers, term.places["小序"])) == 2
    site = teacher.client.app
    client = TestClient(site, raise_server_exceptions=False, cookies=teacher.client.cookies)
    address = f"/classrooms/{term.classroom}/responses.csv?names=yes"
    answer = client.get(address)
    assert (answer.status_code, "content-disposition" in answer.headers) == (500, False)
    assert "小糖" not in answer.text
    with pytest.raises(JSONDecodeError):
        TestClient(site, cookies=teacher.client.cookies).get(address)


@pytest.mark.both_databases
def test_a_class_is_deleted_after_its_files_were_offered(teacher: Reader, term: Term, ledger: Ledger) -> None:
    address = f"/classrooms/{term.classroom}"
    assert "4位同学，" in teacher.open(f"{address}/deletion").main.text
    student_url = f"{address}/students/{term.places['小圆']}"
    teacher.submit(teacher.open(student_url).form(f"{student_url}/removals"))
    assert "3位同学" in teacher.open(address).main.text
    page = teacher.open(f"{address}/deletion")
    assert "3位同学，移出去的1位，" in page.main.text, "as many as the page of the class says"
    files = [link["href"] for link in page.main.all("a") if "." in link["href"]]
    assert [link.partition("?")[0].rpartition("/")[2] for link in files] == [
        *("gradebook.xlsx", "gradebook.csv", "responses.csv", "responses.csv"),
    ]
    assert "先归档，再删" in page.main.text
    page = teacher.submit(page.form(f"{address}/archivings"))
    assert "彻底删掉" in page.main.text
    page = teacher.open(f"{address}/deletion")
    page = teacher.submit(page.form(f"{address}/deletions"), status=422, name="高一")
    assert "照着写一遍" in page.by_id("deletion-error").text
    page = teacher.submit(page.form(f"{address}/deletions"), name="高一3班")
    assert page.path == "/classrooms?done=deletion"
    assert "班删掉了" in page.main.text
    assert "班删掉了" not in teacher.open("/classrooms").main.text
    assert ledger.count("classroom") == 0
    teacher.open(address, 404)


def test_a_class_goes_on_into_the_next_term(teacher: Reader, term: Term) -> None:
    address = f"/classrooms/{term.classroom}"
    page = teacher.open(f"{address}/successor")
    assert page.by_id("name")["value"] == "高一3班（下）"
    form = page.form(f"{address}/successors")
    page = teacher.submit(form, status=422, name="高一3班", drafts="yes", archive=[])
    assert "另起一个名字" in page.by_id("successor-error").text
    fields = dict(filled(page.form(f"{address}/successors")))
    assert ("drafts" in fields, "archive" in fields) == (True, False), "as they were ticked"
    page = teacher.open(f"{address}/successor")
    page = teacher.submit(page.form(f"{address}/successors"), name="高一3班（下）")
    assert (page.path != address, page.main.one("h1").text) == (True, "高一3班（下）")
    assert page.main.one("p", class_="done").text == (
        "下学期的班建好了：4位同学跟了过来，登录名和密码照旧。 原来的班 归档了，成绩留在那里。"
    )
    assert page.main.one("p", class_="done").one("a")["href"] == address
    assert not teacher.open(page.path.partition("?")[0]).main.all("p", class_="done")
    assert "4位同学" in page.main.text
    assert "已归档" in teacher.open(address).main.text
    assert "已经归档" in teacher.open(f"{address}/successor").main.text


def test_a_class_that_goes_on_may_stay_as_it_is_and_lend_its_assignments(teacher: Reader, term: Term) -> None:
    """What is said follows what was ticked."""
    address = f"/classrooms/{term.classroom}"
    form = teacher.open(f"{address}/successor").form(f"{address}/successors")
    page = teacher.submit(form, name="高一3班（下）", drafts="yes", archive=[])
    assert page.main.one("p", class_="done").text == (
        "下学期的班建好了：4位同学跟了过来，登录名和密码照旧。作业抄成了草稿。"
        " 原来的班 照旧开着，成绩留在那里。"
    )


def test_an_attempt_whose_assignment_is_gone_has_no_page() -> None:
    attempt = AttemptRow(31, "assignment", "assignment-7", 2, 1, NOW)
    assert url_of_assignment_attempt(attempt) == "/assignments/7/passes/2"
    with pytest.raises(NotFound, match="一起删掉"):
        url_of_assignment_attempt(attempt._replace(ref="assignment-7-gone-31"))


def test_a_class_that_comes_back_says_what_ended_meanwhile_and_how_to_give_more_time(
    teacher: Reader, term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/classrooms/{term.classroom}"
    assignment_id = term.assign("第一周", due_at=NOW + 2 * DAY)
    for archived_at, restored_at, titles in ((NOW + DAY, NOW + 3 * DAY, ["第一周"]), (NOW, NOW + DAY, [])):
        term.write(classrooms.archive_class, TEACHER, term.classroom, archived_at)
        monkeypatch.setattr(clock, "time_source", lambda moment=restored_at: moment)
        page = teacher.submit(teacher.open(address).form(f"{address}/restorings"))
        notices = page.main.all("div", class_="done")
        links = [link for notice in notices for link in notice.all("a")]
        assert [link.text for link in links] == titles
    page = teacher.open(f"{address}?ended={assignment_id}-{10**9}-x")
    [link] = page.main.one("div", class_="done").all("a")
    assert "改截止时间" in teacher.open(link["href"]).main.text
    log = teacher.open(f"{address}/audit").main.text
    assert log.count("把班级归了档") == log.count("恢复了班级") == 2
