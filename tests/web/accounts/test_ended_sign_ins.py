"""A sign-in that ended while somebody wrote: the page that says so has their words, and sends them again."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.course import Course
from app.course.items.kinds import Item
from app.records.accounts import learners
from app.records.cards import own_cards
from app.records.classes import classrooms
from app.records.db.errors import Busy
from app.records.grading import extra_columns, gradebook
from app.records.learning import responding
from tests.web.authoring.own_texts import SMALL, write
from tests.web.cast import (
    Ledger,
    Page,
    Reader,
    browser,
    is_numeric,
    is_one_shot,
    place_asking,
    right_answer,
)
from tests.web.pages import Element, Fields, filled
from tests.web.school import PASSWORD, code_of, join_new, sign_up
from tests.web.taught import Term

WRITTEN = SMALL.replace("小练习", "写了一下午的<练习>")
CARD: dict[str, Any] = {"front": "折损是什么？\n说一句", "back": "0.63"}


def kept_texts(page: Page) -> list[str]:
    """Each as it was written, line by line, so that it can be copied."""
    texts = []
    for text_element in page.main.all("pre"):
        [child] = text_element.children
        assert isinstance(child, str)
        texts.append(child.removeprefix("\n"))
    return texts


def refuse_as_busy(*_: object) -> None:
    raise Busy


def sign_in_elsewhere(page: Page, reader: Reader, login: str) -> None:
    """In another tab, so that the page with what was written stays."""
    [way] = [link for link in page.main.all("a") if link.text == "登录"]
    assert way["target"] == "_blank"
    form = Page(reader.client.get(way["href"])).form("/accounts/sign-ins")
    reader.post("/accounts/sign-ins", filled(form, login=login, password=PASSWORD))


def test_a_teacher_s_text_is_kept_over_a_sign_in(teacher: Reader, ledger: Ledger) -> None:
    path = write(teacher)
    form = teacher.open(path).form(path, "存")
    teacher.client.cookies.clear()
    page = teacher.submit(form, "存", status=404, text=WRITTEN)
    assert "没有登录" in page.main.text
    assert kept_texts(page) == [WRITTEN]
    sign_in_elsewhere(page, teacher, "王")
    teacher.submit(page.form(path, "再交一次"))
    assert ledger.rows("SELECT title FROM own_course") == [("写了一下午的<练习>",)]


def test_a_list_that_was_pasted_beside_a_file_is_kept_over_a_sign_in(
    teacher: Reader, classroom: int, ledger: Ledger
) -> None:
    path = f"/classrooms/{classroom}/roster-previews"
    teacher.client.cookies.clear()
    response = teacher.client.post(path, data={"text": "小糖,01\n小序,02"}, files={"file": ("", b"")})
    page = Page(response)
    assert page.status == 404
    assert kept_texts(page) == ["小糖,01\n小序,02"]
    sign_in_elsewhere(page, teacher, "王")
    page = teacher.submit(page.form(path, "再交一次"))
    assert "小序" in page.main.text


@pytest.mark.parametrize("line_count", [6000, 20_000])
def test_a_long_list_is_kept_as_often_as_it_is_sent_too_early(
    teacher: Reader, classroom: int, line_count: int
) -> None:
    """Written into an address it would be three times as long; beyond 64 KB it is still no file."""
    path, typed_list = f"/classrooms/{classroom}/roster-previews", "糖,01\n" * line_count
    teacher.client.cookies.clear()
    page = Page(teacher.client.post(path, data={"text": typed_list}, files={"file": ("", b"")}))
    form = page.form(path, "再交一次")
    assert form["enctype"] == "multipart/form-data"
    page = Page(teacher.client.post(path, data=dict(filled(form)), files={"file": ("", b"")}))
    assert kept_texts(page) == [typed_list]


@pytest.mark.parametrize("size", [10, 70_000])
def test_a_file_is_said_to_be_lost(teacher: Reader, classroom: int, size: int) -> None:
    """What stands beside it is shown where that is short; sent again, it would go without the file."""
    path, typed_list = f"/classrooms/{classroom}/roster-previews", "小糖,01"
    teacher.client.cookies.clear()
    page = Page(
        teacher.client.post(path, data={"text": typed_list}, files={"file": ("名单.csv", b"a" * size)})
    )
    assert "选好的文件没有留下，要再选一次" in page.main.text
    assert kept_texts(page) == ([typed_list] if size == 10 else [])
    assert "再交一次" not in page.main.text
    sign_in_elsewhere(page, teacher, "王")


def test_a_table_of_cards_is_kept_over_a_sign_in(guest: Reader, ledger: Ledger) -> None:
    sign_up(guest)
    form = guest.open("/cards/files").form("/cards/imports")
    fields = dict(filled(form, text="折损,越靠后越少")) | {"keep": "yes"}
    guest.client.cookies.clear()
    page = Page(guest.client.post("/cards/imports", data=fields, files={"file": ("", b"")}))
    assert page.status == 409
    assert kept_texts(page) == ["折损,越靠后越少"]
    sign_in_elsewhere(page, guest, "小糖")
    guest.submit(page.form("/cards/imports", "再交一次"))
    assert ledger.rows("SELECT front FROM own_card") == [("折损",)]


def test_a_pupil_s_card_is_kept_over_a_sign_in(guest: Reader, ledger: Ledger) -> None:
    sign_up(guest)
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    guest.client.cookies.clear()
    came_from = {"referer": "http://testserver/cards/new"}
    page = Page(guest.post("/cards/own", filled(form, **CARD), headers=came_from))
    assert kept_texts(page) == list(CARD.values())
    [way] = [link for link in page.main.all("a") if link.text == "登录"]
    fields = filled(page.form("/cards/own", "再交一次"))
    response = guest.post("/cards/own", fields, headers={"referer": "http://testserver/cards/own"})
    page = Page(response)
    assert kept_texts(page) == list(CARD.values()), "too early, nothing is lost"
    assert way["href"] in [link["href"] for link in page.main.all("a")], (
        "on to the form, not to where it went"
    )
    sign_in_elsewhere(page, guest, "小糖")
    guest.submit(page.form("/cards/own", "再交一次"))
    assert ledger.rows("SELECT front, back FROM own_card") == [tuple(CARD.values())]


def test_who_is_signed_in_as_somebody_else_has_the_words_to_copy(
    teacher: Reader, guest: Reader, ledger: Ledger
) -> None:
    """The form says whose it is, and goes through once they are back; one of before did not say it."""
    path = write(teacher)
    form = teacher.open(path).form(path, "存")
    sign_up(guest)
    page = guest.submit(form, "存", status=409, text=WRITTEN)
    assert kept_texts(page) == [WRITTEN]
    assert "再交一次" in page.main.text
    page = guest.submit(form, "存", status=404, text=WRITTEN, learner=[])
    assert kept_texts(page) == [WRITTEN]
    assert "再交一次" not in page.main.text, "it would be refused again"
    assert ledger.rows("SELECT title FROM own_course") == [("小练习",)]


def test_what_could_not_be_saved_is_sent_again(
    guest: Reader, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(guest)
    form = guest.open("/cards/new").form("/cards/own", "记下来")
    with monkeypatch.context() as patch:
        patch.setattr(own_cards, "write_cards", refuse_as_busy)
        page = guest.submit(form, "记下来", status=503, **CARD)
    guest.submit(page.form("/cards/own", "再交一次"))
    assert ledger.rows("SELECT front, back FROM own_card") == [tuple(CARD.values())]


@pytest.fixture
def marks_form(teacher: Reader, classroom: int) -> Element:
    """A column of the gradebook for three pupils, to be filled in."""
    code = code_of(teacher, classroom)
    for name in ("小糖", "小序", "小明"):
        join_new(browser(teacher.client), code, name)
    gradebook_url = f"/classrooms/{classroom}/gradebook"
    new_column_form = teacher.open(gradebook_url).form(f"{gradebook_url}/columns")
    page = teacher.submit(new_column_form, title="期中", total="100")
    return page.form(f"{page.path}/marks")


def with_marks(marks_form: Element, marks: Sequence[str]) -> Fields:
    mark_fields = [field_name for field_name, _ in filled(marks_form) if field_name.startswith("mark-")]
    mark_by_field = dict(zip(mark_fields, marks, strict=True))
    return [(field_name, mark_by_field.get(field_name, text)) for field_name, text in filled(marks_form)]


def stored_marks(ledger: Ledger) -> list[str]:
    rows = ledger.rows("SELECT points FROM extra_mark ORDER BY enrolment_id")
    return [f"{points:g}" for (points,) in rows]


COLUMNS_OF_MARKS = (["87", "92", "100"], ["87.5", "92", "100"])


@pytest.mark.parametrize("marks", COLUMNS_OF_MARKS)
def test_a_column_of_marks_is_kept_over_a_sign_in(
    teacher: Reader, marks_form: Element, ledger: Ledger, marks: list[str]
) -> None:
    fields = with_marks(marks_form, marks)
    teacher.client.cookies.clear()
    page = Page(teacher.post(marks_form["action"], fields))
    assert kept_texts(page) == marks
    sign_in_elsewhere(page, teacher, "王")
    teacher.submit(page.form(marks_form["action"], "再交一次"))
    assert stored_marks(ledger) == marks


@pytest.mark.parametrize("marks", COLUMNS_OF_MARKS)
def test_a_column_of_marks_that_could_not_be_saved_is_sent_again(
    teacher: Reader, marks_form: Element, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, marks: list[str]
) -> None:
    fields = with_marks(marks_form, marks)
    with monkeypatch.context() as patch:
        patch.setattr(extra_columns, "set_extra_marks", refuse_as_busy)
        page = Page(teacher.post(marks_form["action"], fields))
    assert kept_texts(page) == marks
    teacher.submit(page.form(marks_form["action"], "再交一次"))
    assert stored_marks(ledger) == marks


@pytest.mark.parametrize(
    ("condition", "answers", "shown_texts"),
    [(is_numeric, ["2"], ["2"]), (is_one_shot, [], [])],
)
def test_an_answer_that_could_not_be_saved_is_sent_again(
    guest: Reader,
    course: Course,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
    condition: Callable[[Item], bool],
    answers: list[str],
    shown_texts: list[str],
) -> None:
    """A number is shown again; which option was picked says nothing to anybody."""
    place = place_asking(course, condition)
    form = guest.open(place.url).answering(place.name)
    answers = answers or list(right_answer(course.items[place.name]))
    with monkeypatch.context() as patch:
        patch.setattr(responding, "respond", refuse_as_busy)
        page = Page(guest.post(form["action"], filled(form, answer=answers)))
    assert page.status == 503
    assert kept_texts(page) == shown_texts
    guest.submit(page.form(form["action"], "再交一次"))
    assert ledger.count("response") == 1


@pytest.mark.parametrize("path", ["/classrooms/1/gradebook?sort=name&columns=all", "/own?page=2"])
def test_who_signs_in_comes_back_to_the_page_as_they_had_it(guest: Reader, path: str) -> None:
    page = guest.open(path, status=404)
    sign_in_urls = {link["href"] for link in page.root.all("a") if link["href"].startswith("/sign-in?")}
    next_paths = {parse_qs(urlsplit(sign_in_url).query)["next"][0] for sign_in_url in sign_in_urls}
    assert next_paths == {path}, "in the foot as on the page"


def test_a_press_that_could_not_be_saved_is_repeated(
    teacher: Reader, classroom: int, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/classrooms/{classroom}"
    form = teacher.open(path).form(f"{path}/archivings")
    with monkeypatch.context() as patch:
        patch.setattr(classrooms, "archive_class", refuse_as_busy)
        page = teacher.submit(form, status=503)
    assert kept_texts(page) == []
    teacher.submit(page.form(f"{path}/archivings", "再交一次"))
    assert ledger.rows("SELECT count(*) FROM classroom WHERE archived_at IS NOT NULL") == [(1,)]


def test_a_page_that_was_only_looked_at_has_nothing_to_send_again(
    teacher: Reader, classroom: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradebook, "load_gradebook", refuse_as_busy)
    page = teacher.open(f"/classrooms/{classroom}/gradebook", status=503)
    assert not page.main.all("form")


def test_a_form_for_htmx_stays_and_the_way_to_sign_in_opens_beside_it(teacher: Reader) -> None:
    form = teacher.open("/own/new").form("/own", "存")
    teacher.client.cookies.clear()
    fragment = teacher.submit(form, "存", status=404, htmx=True, text=WRITTEN)
    assert fragment.root.one("a", class_="primary")["target"] == "_blank"
    assert not fragment.root.all("pre") + fragment.root.all("form")


def test_where_nothing_was_written_one_signs_in_and_goes_on(teacher: Reader, classroom: int) -> None:
    path = f"/classrooms/{classroom}"
    form = teacher.open(path).form(f"{path}/archivings")
    teacher.client.cookies.clear()
    page = teacher.submit(form, status=404)
    assert "target" not in page.main.one("a", class_="primary").attributes
    assert not page.main.all("form")


def test_passwords_stand_on_no_page_about_an_error(guest: Reader) -> None:
    sign_up(guest)
    form = guest.open("/me").form("/me/passwords")
    guest.client.cookies.clear()
    new_password = "谁也不该看见它"
    response = guest.post("/me/passwords", filled(form, old=PASSWORD, new=new_password))
    assert response.status_code in (404, 409)
    assert PASSWORD not in response.text
    assert new_password not in response.text
    assert not Page(response).main.all("form"), "nor can they be sent again without being typed"


@pytest.mark.parametrize("action", ["hints", "responses"])
def test_where_nobody_knows_whose_page_it_was_the_answer_waits(
    term: Term, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """Answers have a hot route, hints have none."""
    monkeypatch.setattr(learners, "find_learner_id", refuse_as_busy)
    response = term.student.post(f"/assignments/5/{action}", [("item", "none"), ("answer", "0.63")])
    assert response.status_code == 503
    assert "这一次没存上" in response.text
