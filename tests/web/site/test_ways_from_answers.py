"""Where a page leads on that answered a form itself: never to the address of the form, which no page has."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.web.cast import Page, Reader
from tests.web.pages import Fields, filled
from tests.web.school import PASSWORD, code_of, join_new, secrets_on, sign_up
from tests.web.taught import Term

CARD = [("front", "折损"), ("back", "")]


def posted_from(reader: Reader, page_path: str, action: str, fields: Fields) -> Page:
    """The answer to a form of a page, as a browser sends it: with the page that it stood on."""
    referer = {"Referer": f"http://testserver{quote(page_path, '/?=&')}"}
    return Page(reader.post(action, fields, headers=referer))


def way_to_sign_in(page: Page) -> str:
    """Where the link in the footer leads after a sign-in."""
    [link] = [link for link in page.root.one("footer").all("a") if link.text == "登录"]
    [next_path] = parse_qs(urlsplit(link["href"]).query)["next"]
    return next_path


def has_settings(page: Page) -> bool:
    return bool(page.root.all("form", action="/preferences"))


def test_a_page_that_was_asked_for_is_come_back_to(guest: Reader) -> None:
    page = guest.open("/cards/new?front=%E7%B3%96")
    assert ("next", "/cards/new?front=%E7%B3%96") in filled(page.form("/preferences", "就这样"))
    assert way_to_sign_in(page) == "/cards/new?front=%E7%B3%96"


def test_who_signs_in_from_a_refused_form_is_at_the_page_of_the_form(guest: Reader) -> None:
    page = posted_from(guest, "/cards/new?front=糖", "/cards/own", CARD)
    assert page.status == 422
    assert way_to_sign_in(page) == "/cards/new?front=%E7%B3%96"


@pytest.mark.parametrize(
    ("page_path", "action"),
    [
        ("/cards/own", "/cards/own"),
        ("/accounts/sign-ins", "/accounts/sign-ins"),
        ("/nowhere/at/all", "/cards/own"),
        ("", "/cards/own"),
    ],
)
def test_a_form_on_the_answer_to_a_form_leads_home(guest: Reader, page_path: str, action: str) -> None:
    """A second refusal stands at the address of the form, to which only forms can go."""
    page = posted_from(guest, page_path, action, CARD)
    assert page.status == 422
    guest.open(way_to_sign_in(page))


@pytest.mark.parametrize("refusal_count", [1, 2])
def test_who_mistypes_a_password_goes_on_to_where_they_wanted(guest: Reader, refusal_count: int) -> None:
    sign_up(guest, "小序")
    guest.client.cookies.clear()
    page, page_path = guest.open("/sign-in?next=/course"), "/sign-in?next=/course"
    for _ in range(refusal_count):
        fields = filled(page.form("/accounts/sign-ins"), login="小序", password="mistyped")
        page, page_path = posted_from(guest, page_path, "/accounts/sign-ins", fields), "/accounts/sign-ins"
        assert page.status == 422
    assert way_to_sign_in(page) == "/course"


def test_nobody_leaves_a_password_that_is_shown_once_for_the_settings(term: Term, guest: Reader) -> None:
    here = f"/classrooms/{term.classroom}"
    join_code = code_of(term.teacher, term.classroom)
    joined = join_new(guest, join_code, "小序")
    slips = Page(term.teacher.post(f"{here}/slips", [("everyone", "yes")]))
    invited = Page(term.teacher.post(f"{here}/staff/invitations", [("role", "reader")]))
    assert secrets_on(joined)
    assert secrets_on(slips)
    assert invited.has("staff-link")
    for page in (joined, slips, invited):
        assert not has_settings(page)
        link = page.root.one("footer").one("a", target="_blank")
        assert link["href"] == "/me#settings"
    assert guest.open("/me").by_id("settings").all("kbd"), "the keys are told there"


def test_what_is_typed_and_refused_is_not_lost_to_the_settings(guest: Reader) -> None:
    page = posted_from(guest, "/cards/new", "/cards/own", CARD)
    assert page.by_id("front").text == "折损"
    assert not has_settings(page)
    assert has_settings(guest.open("/cards/new"))
    assert has_settings(guest.open("/nowhere", status=404))


def test_a_refused_form_leads_back_to_a_page_alone(guest: Reader) -> None:
    """The error that a second try meets: where the first one was answered, no page is opened."""
    sign_up(guest)
    fields: Fields = [("login", "小序"), ("password", PASSWORD)]
    for page_path, is_offered in (("/cards/new", True), ("/cards/own", False)):
        page = posted_from(guest, page_path, "/assignments/77/hand-ins", fields)
        assert page.status == 404
        links = [link for link in page.main.all("a") if link.text == "回到刚才那一页"]
        assert bool(links) == is_offered, page_path
