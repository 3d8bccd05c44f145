"""Every door by which somebody comes in where a guest was before: whose work comes along, and whose does not.

A guest with a 续学码 may be somebody else, who comes back by it: their work stays with the code, unless who
comes in says that it shall end.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from app.course import Course
from tests.web.cast import Page, Place, Reader, browser, right_answer
from tests.web.pages import filled
from tests.web.school import PASSWORD, code_of, invitation, new_class, new_teacher, sign_up

NEW_ACCOUNT: dict[str, Any] = {"login": "小糖", "password": PASSWORD}


class Door(NamedTuple):
    """The page with the form by which one comes in, where the form goes, and what is typed."""

    page_url: str
    form_url: str
    typed: dict[str, Any]


def sign_in_door(client: TestClient) -> Door:
    sign_up(browser(client))
    return Door("/sign-in", "/accounts/sign-ins", NEW_ACCOUNT)


def sign_up_door(_: TestClient) -> Door:
    return Door("/sign-up", "/accounts", NEW_ACCOUNT)


def invitation_door(client: TestClient) -> Door:
    invitation_url = invitation(client)
    return Door(invitation_url, f"{invitation_url}/accounts", NEW_ACCOUNT)


def class_door(client: TestClient) -> Door:
    teacher = new_teacher(client, "王")
    join_url = f"/join/{code_of(teacher, new_class(teacher, '高一3班'))}"
    return Door(join_url, f"{join_url}/accounts", {"name": "小糖"})


def code_door(client: TestClient) -> Door:
    other_guest = browser(client)
    other_guest.open("/lessons/concepts/sweetness")
    other_guest.go_on()
    return Door("/me", "/sign-ins", {"code": take_code(other_guest)})


DOORS_WITH_TICK = (sign_in_door, sign_up_door, invitation_door, class_door)
DOORS = (*DOORS_WITH_TICK, code_door)
OpenDoor = Callable[[TestClient], Door]


def take_code(reader: Reader) -> str:
    reader.submit(reader.open("/me").form("/resume-codes"))
    return reader.page.root.one("output").text


def answer(reader: Reader, place: Place, course: Course) -> None:
    reader.open(place.url)
    reader.answer(place.name, *right_answer(course.items[place.name]))


def has_answered(reader: Reader, place: Place) -> bool:
    return "一次就对" in reader.open(place.url).item(place.name).text


def is_kept_by_code(client: TestClient, resume_code: str, place: Place) -> bool:
    """Whether somebody finds the answered question by the code; a code that has ended is refused."""
    newcomer = browser(client)
    form = newcomer.open("/me").form("/sign-ins")
    response = newcomer.post("/sign-ins", filled(form, code=resume_code))
    return response.status_code == 200 and has_answered(newcomer, place)


def go_in(reader: Reader, door: Door, **ticks: Any) -> Page:
    return reader.submit(reader.open(door.page_url).form(door.form_url), **door.typed, **ticks)


@pytest.mark.parametrize("open_door", DOORS)
def test_the_work_of_a_guest_without_a_code_comes_along(
    client: TestClient, guest: Reader, course: Course, place: Place, open_door: OpenDoor
) -> None:
    door = open_door(client)
    answer(guest, place, course)
    go_in(guest, door)
    assert has_answered(guest, place)


@pytest.mark.parametrize("ticks", [{}, {"bring": []}, {"bring": "yes"}], ids=["as it stands", "none", "old"])
@pytest.mark.parametrize("open_door", DOORS)
def test_the_work_of_a_guest_with_a_code_stays_with_the_code(
    client: TestClient, guest: Reader, course: Course, place: Place, open_door: OpenDoor, ticks: Any
) -> None:
    """Also by a page of before they had one, where the tick stood beforehand or there was none."""
    door = open_door(client)
    answer(guest, place, course)
    resume_code = take_code(guest)
    go_in(guest, door, **ticks)
    assert not has_answered(guest, place)
    assert is_kept_by_code(client, resume_code, place)


@pytest.mark.both_databases
@pytest.mark.parametrize("open_door", DOORS_WITH_TICK)
def test_who_says_so_takes_it_along_and_the_code_ends(
    client: TestClient, guest: Reader, course: Course, place: Place, open_door: OpenDoor
) -> None:
    door = open_door(client)
    answer(guest, place, course)
    resume_code = take_code(guest)
    page = guest.open(door.page_url)
    box = page.form(door.form_url).one("input", name="bring")
    assert "checked" not in box.attributes
    assert "那个码就作废" in page.text
    go_in(guest, door, bring=box["value"])
    assert has_answered(guest, place)
    assert not is_kept_by_code(client, resume_code, place)


@pytest.mark.parametrize("ticked", [True, False])
@pytest.mark.parametrize("open_door", DOORS_WITH_TICK)
def test_a_refused_form_keeps_what_was_ticked(
    client: TestClient, guest: Reader, course: Course, place: Place, open_door: OpenDoor, ticked: bool
) -> None:
    door = open_door(client)
    answer(guest, place, course)
    take_code(guest)
    form = guest.open(door.page_url).form(door.form_url)
    typed: dict[str, Any] = dict.fromkeys(door.typed, "")
    typed["bring"] = form.one("input", name="bring")["value"] if ticked else []
    page = guest.submit(form, status=422, **typed)
    box = page.form(door.form_url).one("input", name="bring")
    assert ("checked" in box.attributes) is ticked


@pytest.mark.parametrize("ticks", [{}, {"bring": []}], ids=["brought", "left"])
@pytest.mark.parametrize("open_door", DOORS)
def test_the_browser_keeps_the_ended_sign_in_as_its_mark(
    client: TestClient, guest: Reader, course: Course, place: Place, open_door: OpenDoor, ticks: Any
) -> None:
    door = open_door(client)
    answer(guest, place, course)
    guest_token = guest.token
    go_in(guest, door, **ticks)
    assert guest.token != guest_token
    assert guest.client.cookies["device"].split(".") == [guest_token]


@pytest.mark.parametrize(
    ("has_code", "landing_url"), [(True, "/me?done=sign-up"), (False, "/me?done=sign-up#kept")]
)
def test_only_what_came_along_is_said_to_be_kept(
    guest: Reader, course: Course, place: Place, has_code: bool, landing_url: str
) -> None:
    answer(guest, place, course)
    if has_code:
        take_code(guest)
    fields = filled(guest.open("/sign-up").form("/accounts"), **NEW_ACCOUNT)
    response = guest.client.post("/accounts", data=dict(fields), follow_redirects=False)
    assert response.headers["location"] == landing_url
