"""作业 and 班级 in the menu: of whoever is signed in, as long as they are, and of nobody after them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.records.accounts import site_secret
from app.records.db.errors import Busy
from app.web.site import clock
from app.web.site.cookies import CLASS_MEMBERSHIP_COOKIE, LEARNER_KEY_COOKIE, SIGN_IN_COOKIE
from tests.web.cast import Page, Reader
from tests.web.school import code_of, invitation, join_new, new_class, new_teacher, sign_in, sign_out, sign_up
from tests.web.taught import Term


def class_entries(page: Page) -> list[str]:
    """The entries of the menu that only classes have."""
    links = page.root.one("nav", class_="site-nav").all("a")
    return [link.text for link in links if link.text in ("作业", "班级")]


def class_cookie(reader: Reader) -> str | None:
    return reader.client.cookies.get(CLASS_MEMBERSHIP_COOKIE)


def join(reader: Reader, join_code: str) -> None:
    """Into a class, with the account that is here."""
    path = f"/join/{join_code}"
    reader.submit(reader.open(path).form(path))


def test_on_a_shared_device_the_menu_of_a_class_ends_with_the_browser(term: Term, guest: Reader) -> None:
    page = sign_in(guest, "王", shared="yes")
    set_cookies = page.response.history[0].headers.get_list("set-cookie")
    assert f"{CLASS_MEMBERSHIP_COOKIE}=teaches; HttpOnly; Path=/; SameSite=lax" in set_cookies
    assert class_entries(page) == ["班级"]


def test_whoever_is_signed_in_as_nobody_has_no_class_in_the_menu(guest: Reader) -> None:
    guest.client.cookies.set(CLASS_MEMBERSHIP_COOKIE, "teaches", domain="testserver.local")
    for path in ("/course", "/glossary", "/lessons/concepts/which-is-better", "/me"):
        assert class_entries(guest.open(path)) == []


def test_a_new_account_does_not_teach_because_somebody_before_it_did(term: Term, guest: Reader) -> None:
    guest.client.cookies.set(CLASS_MEMBERSHIP_COOKIE, "teaches", domain="testserver.local")
    sign_up(guest, "小序")
    assert class_cookie(guest) is None
    guest.client.cookies.set(CLASS_MEMBERSHIP_COOKIE, "teaches", domain="testserver.local")
    join(guest, code_of(term.teacher, term.classroom))
    assert class_cookie(guest) == "on"
    assert class_entries(guest.open("/course")) == ["作业"]


def test_who_signs_in_and_is_in_no_class_has_none(term: Term, guest: Reader, other_guest: Reader) -> None:
    sign_up(other_guest, "小序")
    sign_in(guest, "王")
    assert class_cookie(guest) == "teaches"
    sign_in(guest, "小序")
    assert class_cookie(guest) is None


def test_a_guest_after_somebody_else_has_no_class(term: Term, guest: Reader) -> None:
    sign_in(guest, "王")
    guest.client.cookies.delete(SIGN_IN_COOKIE)
    guest.submit(guest.open("/lessons/concepts/which-is-better").root.one("form", class_="next"))
    assert guest.token
    assert class_cookie(guest) is None


def test_a_teacher_who_joins_a_class_teaches_still(
    client: TestClient, term: Term, guest: Reader, other_guest: Reader
) -> None:
    """Also one who comes by an invitation, with the account that is here."""
    sign_up(guest, "李")
    join(guest, code_of(term.teacher, term.classroom))
    assert class_cookie(guest) == "on"
    path = invitation(client)
    guest.submit(guest.open(path).form(f"{path}/acceptances"))
    assert class_cookie(guest) == "teaches"
    colleague = new_teacher(client, "张")
    assert class_cookie(colleague) == "teaches"
    colleague.client.cookies.delete(CLASS_MEMBERSHIP_COOKIE)
    join(colleague, code_of(term.teacher, term.classroom))
    assert class_cookie(colleague) == "teaches"
    join_new(other_guest, code_of(term.teacher, term.classroom), "小序")
    assert class_cookie(other_guest) == "on"


def test_who_helps_no_more_has_no_class(term: Term, guest: Reader) -> None:
    sign_up(guest, "小序")
    staff = f"/classrooms/{term.classroom}/staff"
    page = term.teacher.submit(term.teacher.open(staff).form(f"{staff}/invitations"), role="reader")
    link = page.by_id("staff-link").text.partition("testserver")[2]
    guest.submit(guest.open(link).form(f"{link}/acceptances"))
    assert class_cookie(guest) == "teaches"
    guest.submit(guest.open(staff).form(f"{staff}/departures"))
    assert class_cookie(guest) is None


def test_it_is_renewed_with_the_sign_in_as_it_is_by_then(
    term: Term, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    sign_in(guest, "王")
    guest.client.cookies.set(CLASS_MEMBERSHIP_COOKIE, "on", domain="testserver.local")
    monkeypatch.setattr(clock, "time_source", lambda: tomorrow)
    set_cookies = guest.open("/course").response.headers.get_list("set-cookie")
    lifetime = "HttpOnly; Max-Age=31536000; Path=/; SameSite=lax"
    assert f"{CLASS_MEMBERSHIP_COOKIE}=teaches; {lifetime}" in set_cookies
    assert class_entries(guest.open("/course")) == ["班级"]


def test_whose_sign_in_the_teacher_ended_has_no_class_in_the_menu(term: Term) -> None:
    assert class_entries(term.student.open("/course")) == ["作业"]
    term.teacher.post(f"/classrooms/{term.classroom}/slips", [("everyone", "yes")])
    assert class_entries(term.student.open("/course")) == []


def test_signing_out_takes_it_along(term: Term) -> None:
    sign_out(term.student)
    assert class_cookie(term.student) is None
    new_class(term.teacher, "高一4班")
    sign_out(term.teacher)
    assert class_cookie(term.teacher) is None


def busy(*_: object) -> None:
    raise Busy


def test_a_busy_database_takes_nothing_from_who_is_signed_in(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that were open before were refused as another's until the next day."""
    learner_key = term.student.client.cookies[LEARNER_KEY_COOKIE]
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr(clock, "time_source", lambda: tomorrow)
    monkeypatch.setattr(site_secret, "load_learner_key", busy)
    renewed = term.student.open("/me").response.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in renewed] == [SIGN_IN_COOKIE]
    assert term.student.client.cookies[LEARNER_KEY_COOKIE] == learner_key
    assert class_cookie(term.student) == "on"


def test_a_busy_database_leaves_nothing_of_who_was_here_before(
    term: Term, guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(other_guest, "小序")
    sign_in(guest, "王")
    monkeypatch.setattr(site_secret, "load_learner_key", busy)
    sign_in(guest, "小序")
    assert class_cookie(guest) is None
    assert guest.client.cookies.get(LEARNER_KEY_COOKIE) is None


@pytest.mark.parametrize("typed", [{}, {"shared": "yes"}])
def test_what_a_busy_database_could_not_say_is_said_with_the_next_page(
    term: Term, guest: Reader, monkeypatch: pytest.MonkeyPatch, typed: dict[str, Any]
) -> None:
    """Unsent words and forms had no key until the next day."""
    with monkeypatch.context() as patch:
        patch.setattr(site_secret, "load_learner_key", busy)
        sign_in(guest, "王", **typed)
        assert LEARNER_KEY_COOKIE not in guest.client.cookies
    guest.open("/course")
    own_key = term.teacher.client.cookies[LEARNER_KEY_COOKIE]
    assert guest.client.cookies[LEARNER_KEY_COOKIE].removeprefix("shared-") == own_key
    assert class_cookie(guest) == "teaches"
    assert "set-cookie" not in guest.open("/course").response.headers
