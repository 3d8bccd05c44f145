"""Files of strangers that take too much to read: a sentence, nothing half-done, and the site goes on."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.course.text import csv_tables, untrusted
from app.records.classes import roster_files
from app.web.site.site import Site
from tests.web.cast import Ledger, Page, Reader, browser

OWN = """\
title: 小练习
skill: dcg
items:
  q1:
    stem: 越甜越靠前，对吗？
    answer: true
"""
NOTES = "# 这一行是给老师自己看的\n" * 600
LONG_ROSTER = "姓名,备注\n" + "".join(f"同学{number},{'x' * 150}\n" for number in range(150))
LONG_CARDS = "".join(f"第{number}问是什么,{'甜' * 30}\n" for number in range(900))
STOPPED = "读不下去"


def slow(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str = "b = bytearray(2**31)") -> None:
    """From now on readers in processes of their own do this."""
    reader = folder / "reader.py"
    reader.write_text(program, encoding="utf-8")
    monkeypatch.setattr(untrusted, "YAML_READER", reader)
    monkeypatch.setattr(csv_tables, "CSV_READER", reader)
    monkeypatch.setattr(roster_files, "WORKBOOK_READER", reader)


def long_text(number: int) -> str:
    """Another one for each test: the site knows what it has read."""
    return f"{OWN}{NOTES}# {number}\n"


def post_file(reader: Reader, path: str, name: str, text: str) -> Page:
    return Page(reader.client.post(path, files={"file": (name, text.encode())}))


def test_long_files_are_read(teacher: Reader, classroom: int, guest: Reader) -> None:
    text = long_text(3)
    assert len(text.encode()) > untrusted.LARGEST_READ_IN_PLACE
    assert min(len(LONG_ROSTER), len(LONG_CARDS)) > csv_tables.LONGEST_READ_IN_PLACE
    page = post_file(teacher, "/own/uploads", "a.yaml", text)
    assert "没有错，可以用了：1道题。" in page.main.text
    page = post_file(teacher, f"/classrooms/{classroom}/roster-previews", "a.csv", LONG_ROSTER)
    assert "150位同学，没有问题" in page.main.text
    page = post_file(guest, "/cards/imports", "a.csv", LONG_CARDS)
    assert "900张" in page.main.text


def test_a_text_that_takes_too_much_is_a_sentence_and_nothing_is_kept(
    teacher: Reader, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = long_text(4)
    slow(monkeypatch, tmp_path)
    page = post_file(teacher, "/own/uploads", "a.yaml", text)
    assert (page.status, STOPPED in page.main.text) == (422, True)
    assert "这一行是给老师自己看的" in page.by_id("own-text").text, "what the file says is there"
    page = Page(teacher.post("/own", [("text", text)]))
    assert (page.status, STOPPED in page.main.text) == (422, True)
    assert "这一行是给老师自己看的" in page.by_id("own-text").text
    fragment = Page(teacher.post("/own/previews", [("text", text), ("own", "0")], htmx=True))
    assert STOPPED in fragment.by_id("own-faults").text
    assert ledger.count("own_course") == 0


def test_what_was_saved_stays_as_it_was(
    teacher: Reader, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = long_text(5)
    path = post_file(teacher, "/own/uploads", "a.yaml", OWN).path.partition("?")[0]
    slow(monkeypatch, tmp_path)
    form = teacher.open(path).form(path, "存")
    page = teacher.submit(form, "存", status=422, text=text)
    assert STOPPED in page.main.text
    assert ledger.rows("SELECT text FROM own_course") == [(OWN,)]


def test_a_list_that_takes_too_much_is_a_sentence_and_nobody_is_entered(
    teacher: Reader, classroom: int, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, tmp_path)
    page = post_file(teacher, f"/classrooms/{classroom}/roster-previews", "a.csv", LONG_ROSTER)
    assert (page.status, STOPPED in page.by_id("roster-error").text) == (422, True)
    page = Page(teacher.post(f"/classrooms/{classroom}/roster", [("rows", LONG_ROSTER)]))
    assert (page.status, STOPPED in page.by_id("roster-error").text) == (422, True)
    assert ledger.count("enrolment") == 0


def test_cards_that_take_too_much_are_a_sentence_and_none_comes(
    guest: Reader, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow(monkeypatch, tmp_path)
    page = post_file(guest, "/cards/imports", "a.csv", LONG_CARDS)
    assert (page.status, STOPPED in page.by_id("import-error").text) == (422, True)
    assert ledger.count("own_card") == 0


def test_others_are_answered_while_a_file_is_read(
    teacher: Reader, client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader waits for a word that comes only after another visitor has got a page."""
    text = long_text(8)
    fifo = tmp_path / "word"
    os.mkfifo(fifo)
    slow(monkeypatch, tmp_path, f"print(open({str(fifo)!r}).readline())")
    visitor = browser(client)
    with ThreadPoolExecutor(1) as thread, fifo.open("rb+", buffering=0) as word:
        reading = thread.submit(post_file, teacher, "/own/uploads", "a.yaml", text)
        assert visitor.open("/").status == 200
        assert not reading.done()
        word.write('[[], [[1, "到这里才读完"]]]\n'.encode())
        assert "到这里才读完" in reading.result().main.text


def test_a_long_text_is_read_once_for_its_faults_and_its_questions(
    teacher: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = tmp_path / "starts"
    program = f"open({str(starts)!r}, 'a').write('x'); print('[[], [[1, \"到这里才读完\"]]]')"
    slow(monkeypatch, tmp_path, program)
    assert "到这里才读完" in post_file(teacher, "/own/uploads", "a.yaml", long_text(10)).main.text
    assert starts.read_text() == "x"


def test_a_saved_text_that_cannot_be_read_now_is_read_later(
    teacher: Reader, app: FastAPI, client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that is busy for a while must not take a class its questions: they are not left out."""
    text = long_text(9)
    path = post_file(teacher, "/own/uploads", "a.yaml", text).path.partition("?")[0]
    site: Site = app.state.site
    with monkeypatch.context() as busy:
        slow(busy, tmp_path)
        site.own_courses._course_by_key.clear()
        page = teacher.open(f"{path}/lessons/part-1", status=503)
        assert STOPPED in page.main.text
        assert STOPPED in teacher.open(path).main.text
    teacher.open(f"{path}/lessons/part-1")
    assert "没有错，可以用了：1道题。" in teacher.open(path).main.text
