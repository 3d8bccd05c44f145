"""Guests: a learner is made by the first post, found again by cookie or 续学码, and gone when they leave."""

import re
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.web.site.cookies import CLASS_MEMBERSHIP_COOKIE, LEARNER_KEY_COOKIE
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from tests.web.cast import (
    Ledger,
    Page,
    Place,
    Reader,
    browser,
    has_several_tries,
    is_numeric,
    place_asking,
    place_opening,
    right_answer,
    settings_at,
    site_with,
    wrong_answer,
)
from tests.web.learning.nights import sleep
from tests.web.pages import Element, filled
from tests.web.school import PASSWORD, invitation, sign_in, sign_up


def proposal(form: Element) -> str:
    return form.one("input", name="guest")["value"]


def first_posts(page: Page, place: Place, course: Course) -> dict[str, tuple[Element, dict[str, Any]]]:
    """Every kind of form that a newcomer may send first."""
    return {
        "answer": (page.answering(place.name), {"answer": list(right_answer(course.items[place.name]))}),
        "next": (page.root.one("form", class_="next"), {}),
    }


@pytest.mark.parametrize("kind", ["answer", "next"])
@pytest.mark.parametrize("htmx", [True, False])
def test_the_first_post_makes_one_learner(
    guest: Reader, course: Course, ledger: Ledger, place: Place, kind: str, htmx: bool
) -> None:
    form, typed = first_posts(guest.open(place.url), place, course)[kind]
    response = guest.post(form["action"], filled(form, **typed), htmx)
    first_response = response if htmx else response.history[0]
    assert first_response.headers["set-cookie"].startswith(f"{COOKIE}={proposal(form)}; ")
    assert ledger.count("learner") == ledger.count("sign_in") == 1
    assert ledger.rows("SELECT token_hash FROM sign_in") == [(sha256(proposal(form).encode()).hexdigest(),)]
    assert proposal(form) not in repr(ledger.everything()), "the token itself is kept nowhere"
    assert "set-cookie" not in guest.client.get("/").headers


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(guest: Reader, place: Place) -> None:
    form = guest.open(place.url).root.one("form", class_="next")
    attributes = cookie_attributes(guest.post(form["action"], filled(form), htmx=True).headers["set-cookie"])
    assert attributes >= {"httponly", "samesite=lax", "path=/"}
    assert "secure" not in attributes, "a plain http classroom must work"


def cookie_attributes(header: str) -> set[str]:
    return {part.strip().lower() for part in header.split(";")[1:]}


def test_behind_https_the_cookies_are_secure(tmp_path: Path, place: Place) -> None:
    with site_with(settings_at(tmp_path, https=True)) as client:
        guest = browser(client)
        form = guest.open(place.url).root.one("form", class_="next")
        response = guest.post(form["action"], filled(form), htmx=True)
        assert "secure" in cookie_attributes(response.headers["set-cookie"])
        assert response.headers["strict-transport-security"].startswith("max-age=")
        history = guest.post("/preferences", [("theme", "dark"), ("next", "/")]).history[0]
        assert "secure" in cookie_attributes(history.headers["set-cookie"])
        path = invitation(client)
        form = guest.open(path).form(f"{path}/accounts")
        taught = guest.post(form["action"], filled(form, login="王", password=PASSWORD)).history[0]
        cookies = taught.headers.get_list("set-cookie")
        assert [cookie.partition("=")[0] for cookie in cookies] == [
            f"__Host-{COOKIE}",
            CLASS_MEMBERSHIP_COOKIE,
            LEARNER_KEY_COOKIE,
        ]
        assert all("secure" in cookie_attributes(cookie) for cookie in cookies)


def test_every_visit_proposes_another_token(guest: Reader, place: Place) -> None:
    proposals = {proposal(guest.open(place.url).root.one("form", class_="next")) for _ in range(3)}
    assert len(proposals) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in proposals)


def test_all_forms_of_a_page_propose_the_same_token(guest: Reader, course: Course) -> None:
    for path in (place_opening(course).url, f"/examples/{place_opening(course).name}", "/me"):
        page = guest.open(path)
        assert len({field["value"] for field in page.root.all("input", name="guest")}) == 1, path


@pytest.mark.parametrize("kind", ["answer", "next"])
def test_a_double_first_click_makes_one_learner(
    guest: Reader, course: Course, ledger: Ledger, place: Place, kind: str
) -> None:
    form, typed = first_posts(guest.open(place.url), place, course)[kind]
    twin = guest.twin()
    assert guest.post(form["action"], filled(form, **typed), htmx=True).status_code == 200
    assert twin.post(form["action"], filled(form, **typed), htmx=True).status_code == 200
    assert ledger.count("learner") == 1
    assert guest.token == twin.token == proposal(form)


def test_a_first_click_in_parallel_makes_one_learner(
    guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    form, typed = first_posts(guest.open(place.url), place, course)["answer"]
    readers = [guest.twin() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda one: one.post(form["action"], filled(form, **typed), htmx=True), readers)
        )
    assert {answer.status_code for answer in answers} == {200}
    assert ledger.count("learner") == ledger.count("sign_in") == ledger.count("response") == 1


@pytest.mark.parametrize("guess", ["", "short", "x" * 44, "ü" * 43, "' OR 1=1 --" + "x" * 32, None])
def test_a_token_that_was_not_proposed_makes_nobody(
    guest: Reader, ledger: Ledger, place: Place, guess: str | None
) -> None:
    form = guest.open(place.url).root.one("form", class_="next")
    fields = [(name, value) for name, value in filled(form) if name != "guest"]
    page = Page(guest.post(form["action"], fields + ([("guest", guess)] if guess is not None else [])))
    assert page.status == 409
    assert "放得太久" in page.by_id("trouble").text
    assert ledger.count("learner") == 0


def test_another_guest_is_another_learner(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    for reader in (guest, other_guest):
        reader.open(place.url)
        reader.answer(place.name, *right_answer(course.items[place.name]))
    assert ledger.rows("SELECT count(*), count(DISTINCT learner_id) FROM attempt") == [(2, 2)]
    assert guest.token != other_guest.token


def test_a_code_brings_everything_to_a_second_browser(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    guest.open(place.url)
    guest.answer(place.name, *right_answer(course.items[place.name]))
    code = take_code(guest)
    assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code)
    assert take_code(guest, again=True) == code, "made once, then kept"
    enter(other_guest, f" {code.lower().replace('-', '－')} ")
    assert other_guest.page.response.history[0].headers["location"] == "/#resumed"
    assert other_guest.page.by_id("resumed").text.startswith("接上了：")
    assert "一次就对" in other_guest.open(place.url).item(place.name).text
    assert ledger.count("learner") == 1
    assert ledger.count("sign_in") == 2
    assert other_guest.token not in (None, guest.token)


def take_code(reader: Reader, again: bool = False) -> str:
    reader.open("/me")
    if not again:
        reader.submit(reader.page.form("/resume-codes"))
    return reader.page.root.one("output").text


def enter(reader: Reader, code: str, status: int = 200, **more: Any) -> Page:
    reader.open("/me")
    return reader.submit(reader.page.form("/sign-ins"), code=code, status=status, **more)


@pytest.mark.parametrize("code", ["", "ABCD-EFGH-JKMN", "x" * 5000, "’;DROP TABLE learner", "\0", "１２３"])
def test_a_code_that_is_not_known_says_so(guest: Reader, ledger: Ledger, code: str) -> None:
    page = enter(guest, code, status=422)
    assert "没有这个续学码" in page.by_id("code-error").text
    assert page.by_id("code")["value"] == code[:40].replace("\0", "")
    assert guest.token is None
    assert ledger.count("learner") == 0


def test_a_code_entered_by_a_learner_changes_who_is_here(
    guest: Reader, other_guest: Reader, course: Course, place: Place
) -> None:
    guest.open(place.url)
    guest.answer(place.name, *right_answer(course.items[place.name]))
    code = take_code(guest)
    other_guest.open(place.url)
    other_guest.go_on()
    enter(other_guest, code)
    assert "一次就对" in other_guest.open(place.url).text


def test_a_code_ends_the_sign_in_of_who_was_here(
    guest: Reader, other_guest: Reader, ledger: Ledger, place: Place
) -> None:
    """As a name and a password do: what was left open there is nobody's."""
    sign_up(other_guest)
    account_token = other_guest.token
    other_twin = other_guest.twin()
    guest.open(place.url)
    guest.go_on()
    assert other_guest.post("/sign-ins", [("code", take_code(guest))]).status_code == 200
    assert account_token in other_guest.client.cookies["device"].split(".")
    assert "小糖" not in other_twin.open("/me").main.text
    assert ledger.rows("SELECT count(*) FROM sign_in WHERE ended_at IS NULL") == [(2,)]


def test_a_code_that_is_not_known_ends_no_sign_in(guest: Reader) -> None:
    sign_up(guest)
    assert guest.post("/sign-ins", [("code", "ABCD-EFGH-JKMN")]).status_code == 422
    assert "小糖" in guest.open("/me").main.text


@pytest.mark.parametrize(("ticked", "learner_count"), [({}, 1), ({"bring": []}, 2)])
def test_what_was_learnt_here_comes_along_with_a_code(
    guest: Reader,
    other_guest: Reader,
    course: Course,
    ledger: Ledger,
    place: Place,
    ticked: Any,
    learner_count: int,
) -> None:
    """It would else be lost: a guest without a code of its own is found by nobody."""
    guest.open(place.url)
    guest.go_on()
    code = take_code(guest)
    other_guest.open(place.url)
    other_guest.answer(place.name, *right_answer(course.items[place.name]))
    refused_page = enter(other_guest, "ABCD-EFGH-JKMN", status=422, **ticked)
    other_guest.submit(refused_page.form("/sign-ins"), code=code)
    assert ("一次就对" in guest.open(place.url).text) is (learner_count == 1)
    assert ledger.count("learner") == learner_count


def test_whoever_has_a_code_here_is_not_merged_into_another_one(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    """Two who share a device: the other one comes back by their own code."""
    guest.open(place.url)
    guest.go_on()
    code = take_code(guest)
    other_guest.open(place.url)
    other_guest.answer(place.name, *right_answer(course.items[place.name]))
    other_code = take_code(other_guest)
    form = other_guest.open("/me").form("/sign-ins")
    assert not form.all("input", name="bring")
    fields = [*filled(form, code=code), ("bring", "yes")]
    assert other_guest.post("/sign-ins", fields).status_code == 200
    assert ledger.count("learner") == 2
    assert "一次就对" not in other_guest.open(place.url).text
    enter(other_guest, other_code)
    assert "一次就对" in other_guest.open(place.url).text


def test_a_code_entered_twice_by_a_double_click(
    guest: Reader, other_guest: Reader, ledger: Ledger, place: Place
) -> None:
    guest.open(place.url)
    guest.go_on()
    code = take_code(guest)
    form = other_guest.open("/me").form("/sign-ins")
    twin = other_guest.twin()
    for reader in (other_guest, twin):
        assert reader.post("/sign-ins", filled(form, code=code)).status_code == 200
    assert other_guest.token == twin.token
    assert ledger.count("sign_in") == 2


def test_who_leaves_is_gone_for_old_pages_and_old_cookies(
    guest: Reader, ledger: Ledger, place: Place
) -> None:
    newcomer = guest.open(place.url).root.one("form", class_="next")
    guest.go_on()
    move_form = guest.open(place.url).root.one("form", class_="next")
    token = guest.token
    leave(guest)
    assert guest.token is None
    assert guest.page.path == "/"
    before = ledger.everything()
    for form in (newcomer, move_form):
        page = Page(guest.post(form["action"], filled(form)))
        fragment = Page(guest.post(form["action"], filled(form), htmx=True))
        assert page.status == fragment.status == 409
        assert "放得太久" in page.by_id("trouble").text
        assert fragment.response.headers["HX-Retarget"] == "#status"
        assert fragment.by_id("trouble").one("h1").text == page.by_id("trouble").one("h1").text
    assert guest.token is None
    guest.client.cookies.set(COOKIE, str(token))
    page = guest.open(place.url)
    assert "一次就对" not in page.text
    assert "换个人用" not in page.text
    assert Page(guest.post(move_form["action"], filled(move_form))).status == 409
    assert ledger.everything() == before


def leave(reader: Reader) -> None:
    """换个人用, at the foot of every page: it leads to the question on 我的."""
    way_out = reader.page.root.one("a", class_="leave")
    reader.submit(reader.open(way_out["href"].partition("#")[0]).form("/sign-outs"))


@pytest.mark.parametrize("htmx", [False, True])
def test_who_left_in_another_tab_is_told_the_ways_back(guest: Reader, place: Place, htmx: bool) -> None:
    guest.open(place.url)
    guest.go_on()
    form = guest.open(place.url).root.one("form", class_="next")
    leave(guest)
    headers = {"referer": f"https://testserver{place.url}"}
    trouble = Page(guest.post(form["action"], filled(form), htmx, headers)).by_id("trouble")
    assert "也许已经退出" in trouble.text
    ways = {way.text: way["href"] for way in trouble.all("a")}
    assert ways["重新打开这一页"] == place.url
    door = guest.open(ways["登录"]).form("/accounts/sign-ins")
    assert dict(filled(door))["next"] == place.url


def test_after_leaving_a_new_person_can_begin(guest: Reader, ledger: Ledger, place: Place) -> None:
    guest.open(place.url)
    guest.go_on()
    leave(guest)
    guest.open(place.url)
    guest.go_on()
    assert ledger.count("learner") == 2
    assert guest.token


def test_leaving_one_browser_leaves_the_other_in(
    guest: Reader, other_guest: Reader, course: Course, place: Place
) -> None:
    guest.open(place.url)
    guest.answer(place.name, *right_answer(course.items[place.name]))
    enter(other_guest, take_code(guest))
    leave(guest)
    assert "一次就对" in other_guest.open(place.url).text


def test_the_way_out_stands_on_every_page_of_a_learner(guest: Reader, place: Place) -> None:
    guest.open(place.url)
    guest.go_on()
    for path in ("/", "/course", "/examples", "/glossary", "/privacy", "/progress", place.url):
        assert guest.open(path).root.one("a", class_="leave")["href"] == "/me#leave", path
    code_section = guest.open("/me").by_id("leave")
    assert code_section.one("h2").text == "续学码", "whoever is led there meets the code before the way out"


def test_a_guest_is_shown_their_code_before_they_leave(guest: Reader, place: Place) -> None:
    """What a guest has done is gone for good without it, so no tap at the foot of a page ends it."""
    guest.open(place.url)
    guest.go_on()
    assert not guest.open("/").root.all("form", action="/sign-outs")
    page = guest.open("/me")
    assert "就找不回来" in page.main.text
    page = guest.submit(page.form("/resume-codes"))
    headings = [heading.text for heading in page.main.all("h2")]
    assert headings.index("换个人用") == headings.index("续学码") + 1
    assert "抄好了吗" in page.main.text
    guest.submit(page.form("/sign-outs"))
    assert guest.token is None


def test_an_account_signs_out_at_the_foot_of_a_page(guest: Reader) -> None:
    sign_up(guest)
    form = guest.open("/course").root.one("form", class_="leave")
    assert (form["action"], form.text) == ("/sign-outs", "退出登录")
    assert "换个人用" not in guest.open("/me").text
    guest.submit(guest.page.main.one("form", action="/sign-outs"))
    assert guest.token is None


def test_the_looks_of_a_shared_computer_go_with_who_chose_them(guest: Reader, other_guest: Reader) -> None:
    sign_up(guest)
    sign_in(other_guest, shared="yes")
    for reader in (guest, other_guest):
        reader.post("/preferences", [("theme", "dark"), ("size", "large"), ("next", "/")])
        reader.submit(reader.open("/").root.one("form", class_="leave"))
    looks = [reader.open("/").root.one("html")["data-theme"] for reader in (guest, other_guest)]
    assert looks == ["dark", "auto"]


def test_one_comes_back_to_the_same_step(guest: Reader, course: Course, place: Place) -> None:
    section = f"/lessons/{place.stage}/{place.section}"
    guest.open(section)
    guest.go_on()
    guest.go_on()
    later = browser(guest.client)
    later.client.cookies.update(guest.client.cookies)
    link = later.open("/").root.one("a", class_="primary")
    stage = course.stage(place.stage)
    lesson = stage and stage.section(place.section)
    assert lesson
    assert link["href"] == f"{section}#step-{lesson.steps[2].id}"
    assert "第3步" in later.page.main.text
    assert len(steps_shown(later.open(link["href"]))) == 3
    assert later.open(f"/lessons/{place.stage}").root.one("a", class_="primary")["href"] == link["href"]
    assert len(steps_shown(later.open(section + "?step=1"))) == 1, "the address says what is shown"
    later.go_on()
    assert len(steps_shown(later.open(section))) == 3, "going back loses nothing"


def steps_shown(page: Page) -> list[Element]:
    return page.by_id("dialogue").all("li", class_="step")


def test_a_finished_section_leads_to_the_next_one(guest: Reader, course: Course) -> None:
    stage = course.stages[0]
    first, second = stage.sections[:2]
    guest.open(f"/lessons/{stage.id}/{first.id}")
    for _ in first.steps:
        guest.go_on()
    assert "这一节完了" in guest.page.text
    assert (
        guest.page.by_id("moves-finish").one("a", class_="primary")["href"]
        == f"/lessons/{stage.id}/{second.id}"
    )
    assert guest.open("/").root.one("a", class_="primary")["href"] == f"/lessons/{stage.id}/{second.id}"
    assert "学完1节" in guest.open("/course").text


def test_learning_a_stage_again_begins_a_new_round(guest: Reader, course: Course, ledger: Ledger) -> None:
    place = place_asking(course, has_several_tries)
    item = course.items[place.name]
    guest.open(place.url)
    guest.answer(item.id, *wrong_answer(item))
    guest.go_on()
    overview = guest.open(f"/lessons/{place.stage}")
    guest.submit(overview.form(f"/lessons/{place.stage}/rounds"))
    assert guest.page.path == f"/lessons/{place.stage}/{course.stages[0].sections[0].id}"
    assert len(steps_shown(guest.page)) == 1
    page = guest.open(place.url)
    assert int(page.answering(item.id).one("input", name="try")["value"]) == 1
    guest.answer(item.id, *right_answer(item))
    assert ledger.rows("SELECT round, verdict FROM attempt, response WHERE attempt_id = attempt.id") == [
        (1, "wrong"), (2, "right"),
    ]  # fmt: skip


def test_the_progress_page_counts(guest: Reader, course: Course) -> None:
    assert "还没有记录" in guest.open("/progress").text
    number, single = place_asking(course, is_numeric), place_asking(course, has_several_tries)
    guest.open(number.url)
    guest.answer(number.name, *right_answer(course.items[number.name]))
    guest.open(single.url)
    guest.answer(single.name, *wrong_answer(course.items[single.name]))
    page = guest.open("/progress")
    page_figures = figures(page)
    assert (page_figures["学过的天数"], page_figures["学完的节数"]) == ("1", "0")
    assert (page_figures["课文里一次就对"], page_figures["课文里改对了"]) == ("1", "0")
    assert page_figures["一共学了"] == "不到1分钟"
    assert "还没对1" in page.text
    guest.open(single.url)
    guest.answer(single.name, *right_answer(course.items[single.name]))
    assert figures(guest.open("/progress"))["课文里改对了"] == "1"


def figures(page: Page) -> dict[str, str]:
    entries = page.root.one("dl", class_="figures").all("div")
    return {entry.one("dt").text: entry.one("dd").text.split()[0] for entry in entries}


def test_preferences_are_kept_in_this_browser(guest: Reader, ledger: Ledger, place: Place) -> None:
    guest.open(place.url)
    form = guest.page.form("/preferences")
    page = guest.submit(form, theme="dark", size="projector", keys="off")
    assert page.path == place.url
    html = page.root.one("html")
    assert (html["data-theme"], html["data-size"], html["data-keys"]) == ("dark", "projector", "off")
    guest.submit(guest.page.form("/preferences"), theme="<script>", size="huge", keys="light")
    html = guest.page.root.one("html")
    assert (html["data-theme"], html["data-size"], html["data-keys"]) == ("dark", "projector", "off")
    assert ledger.count("learner") == 0


@pytest.mark.parametrize("counts", [True, False])
def test_counting_days_is_offered_once(guest: Reader, ledger: Ledger, place: Place, counts: bool) -> None:
    """To who has come on two days; either answer ends it, and both can be changed under 我的."""
    guest.open(place.url)
    guest.answer(place.name, "777")
    assert "连着学" not in guest.open("/progress").text
    sleep(ledger)
    guest.open(place.url)
    guest.answer(place.name, "778")
    offer = guest.open("/progress").main.one("form", action="/preferences")
    page = guest.submit(offer, "数一数" if counts else "不用数")
    assert page.path == "/progress"
    assert page.main.all("form", action="/preferences") == []
    assert ("连续学的天数" in figures(page)) == counts


def test_health(client: TestClient, ledger: Ledger) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok")
    assert ledger.count("learner") == 0
