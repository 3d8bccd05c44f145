"""Limits on tries as browsers meet them: whoever guesses is stopped, whoever sits beside them is not."""

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.records.accounts import learners, passwords, throttle
from app.records.activity import row_limits
from tests.web.cast import Ledger, Page, Reader, browser
from tests.web.pages import filled, refused_fields
from tests.web.school import (
    code_of,
    invitation,
    join_new,
    new_class,
    new_teacher,
    sign_in,
    sign_out,
    sign_up,
)


def test_sixty_phones_come_in_while_one_of_them_guesses(client: TestClient, ledger: Ledger) -> None:
    teacher = new_teacher(client, "王")
    code = code_of(teacher, new_class(teacher, "高一3班"))
    guesser = browser(client)
    statuses = [guesser.client.get("/join/ZZZZZZ").status_code for _ in range(30)]
    assert statuses == [404] * 21 + [429] * 9, "the first one gave the browser its mark"
    for number in range(60):
        join_new(browser(client), code, f"同学{number}")
        guesser.open("/join/ZZZZZZ", status=429)
    assert ledger.count("enrolment") == 60
    assert "试得太多了" in guesser.open(f"/join/{code}", status=429).text


def test_a_teacher_signs_in_while_pupils_try_the_name(client: TestClient, guest: Reader) -> None:
    teacher = new_teacher(client, "王老师")
    sign_out(teacher)
    sign_up(guest, "小糖")
    sign_out(guest)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        sign_in(guest, "王老师", "不对不对不对", status=422)
    sign_in(guest, "王老师", "不对不对不对", status=429)
    sign_in(browser(client), "王老师")
    sign_in(teacher, "王老师")
    sign_in(guest, "小糖")


def test_a_device_is_known_to_all_who_were_signed_in_on_it(client: TestClient, guest: Reader) -> None:
    for login in ("小糖", "小序", "小方"):
        sign_up(guest, login)
        sign_out(guest)
    for login in ("小糖", "小序"):
        for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
            sign_in(browser(client), login, "不对不对不对", status=422)
    for login in ("小糖", "小序"):
        sign_in(guest, login)


def test_what_a_browser_remembers_opens_nothing(guest: Reader, ledger: Ledger) -> None:
    """Only tokens that have ended: who goes on as another guest leaves the one before, alive, to nobody."""
    sign_up(guest, "小糖")
    sign_out(guest)
    sign_up(guest, "小序")
    sign_in(guest, "小糖")
    remembered = guest.client.cookies["device"].split(".")
    hashes = [learners.token_hash(token) for token in remembered]
    ended = dict(ledger.rows("SELECT token_hash, ended_at FROM sign_in"))
    assert len(hashes) == 2
    assert all(ended[token_hash] for token_hash in hashes)


def test_a_guest_who_is_remembered_is_not_here_any_more(guest: Reader, other_guest: Reader) -> None:
    """What a browser remembers of who was here before a code was entered opens nothing."""
    other_guest.post("/resume-codes", [("guest", "o" * 43), ("next", "/me")])
    code = other_guest.open("/me").root.one("output").text
    guest.post("/resume-codes", [("guest", "g" * 43), ("next", "/me")])
    guest.post("/sign-ins", [("code", code), ("next", "/")])
    assert guest.open("/me").root.one("output").text == code
    assert guest.client.cookies["device"] == "g" * 43
    guest.client.cookies.clear()
    guest.client.cookies.set("tangxu", "g" * 43)
    assert not guest.open("/me").has("kept")


@pytest.mark.parametrize("cookie", ["", ".", "x" * 43, "a.b.c", ".".join("y" * 43 for _ in range(60))])
def test_a_made_up_device_is_no_device(
    client: TestClient, guest: Reader, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one that nobody was signed in on: all those of an address have one limit."""
    monkeypatch.setattr(throttle, "NEWCOMER_LIMIT", throttle.ACCOUNT_LIMIT)
    sign_up(guest, "小糖")
    stranger = browser(client)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        sign_in(stranger, "小糖", "不对不对不对", status=422)
    stranger.client.cookies.set("device", cookie)
    sign_in(stranger, "小糖", status=429)


def test_a_taken_name_is_counted_and_nothing_is_hashed(
    guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(guest, "小糖")
    monkeypatch.setattr(throttle, "SIGN_UP_LIMIT", throttle.SIGN_UP_LIMIT._replace(most_tries=3))
    hashed: list[str] = []
    real = passwords.hash_password

    def watched(password: str) -> str:
        hashed.append(password)
        return real(password)

    monkeypatch.setattr(passwords, "hash_password", watched)
    for _ in range(2):
        page = sign_up(other_guest, " 小 糖", status=422)
        assert "已经有人叫“小 糖”了" in page.by_id("door-error").text
    assert "试得太多了" in sign_up(other_guest, "小序", status=429).by_id("door-error").text
    assert hashed == []


def test_a_join_with_a_right_code_is_counted_before_it_hashes(
    client: TestClient, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = new_teacher(client, "王")
    code = code_of(teacher, new_class(teacher, "高一3班"))
    monkeypatch.setattr(throttle, "SIGN_UP_LIMIT", throttle.SIGN_UP_LIMIT._replace(most_tries=2))
    join_new(guest, code, "小糖")
    monkeypatch.setattr(passwords, "hash_password", lambda _: pytest.fail("hashed"))
    assert "试得太多了" in join_new(browser(client), code, "小糖", status=429).text


@pytest.mark.parametrize(
    ("page_path", "form_path", "fields"),
    [
        ("/me", "/me/passwords", {"old": "不对不对不对", "new": "新的密码新的密码"}),
        ("/me/data", "/me/deletions", {"password": "不对不对不对", "sure": "yes"}),
    ],
)
def test_a_password_of_one_s_own_is_tried_so_often_and_no_more(
    guest: Reader, page_path: str, form_path: str, fields: dict[str, str]
) -> None:
    """A wrong one has to be put right; who tried too often can only wait."""
    sign_up(guest)
    pages = []
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries + 1):
        form = guest.open(page_path).form(form_path)
        pages.append(Page(guest.post(form_path, list((dict(filled(form)) | fields).items()))))
    statuses = [page.status for page in pages]
    assert statuses == [422] * throttle.ACCOUNT_LIMIT.most_tries + [429]
    assert len(refused_fields(pages[0].root)) == 1
    assert "试得太多了" in pages[-1].main.text
    assert refused_fields(pages[-1].root) == []


def test_a_teacher_s_account_is_refused_as_any_other(
    client: TestClient, guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(other_guest, "王")
    page_path = invitation(client)
    form = guest.open(page_path).form(f"{page_path}/accounts")
    taken_page = guest.submit(form, status=422, login="王", password="越甜越靠前了吗")
    assert refused_fields(taken_page.root) == ["login"]
    weak_page = guest.submit(form, status=422, login="李", password="123456")
    assert refused_fields(weak_page.root) == ["password"]
    monkeypatch.setattr(throttle, "SIGN_UP_LIMIT", throttle.SIGN_UP_LIMIT._replace(most_tries=1))
    limited_page = guest.submit(form, status=429, login="赵", password="越甜越靠前了吗")
    assert "试得太多了" in limited_page.by_id("door-error").text
    assert refused_fields(limited_page.root) == []


def test_wrong_resume_codes_are_limited(client: TestClient, guest: Reader, other_guest: Reader) -> None:
    sign_up(guest, "小糖")
    for count in range(throttle.WRONG_CODE_LIMIT.most_tries + 1):
        page = Page(other_guest.post("/sign-ins", [("code", f"ABCD-EFGH-{count:04}"), ("next", "/")]))
        assert "没有这个续学码" in page.by_id("code-error").text
        assert page.status == 422
    page = Page(other_guest.post("/sign-ins", [("code", "ABCDEFGHJKMN"), ("next", "/")]))
    assert (page.status, "试得太多了" in page.by_id("code-error").text) == (429, True)
    page = Page(browser(client).post("/sign-ins", [("code", "ABCDEFGHJKMN"), ("next", "/")]))
    assert page.status == 422, "the neighbour may try"


def test_newcomers_of_one_address_are_limited_and_told(
    guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    monkeypatch.setattr(throttle, "GUEST_LIMIT", throttle.GUEST_LIMIT._replace(most_tries=1))
    guest.post("/resume-codes", [("guest", "g" * 43), ("next", "/me")])
    refused = other_guest.post("/resume-codes", [("guest", "o" * 43), ("next", "/me")])
    assert (refused.status_code, "试得太多了" in refused.text) == (429, True)
    assert guest.post("/resume-codes", [("next", "/me")]).status_code == 200
    assert other_guest.open("/").status == 200
    assert ledger.count("learner") == 1


def test_reports_of_one_address_are_limited_and_told(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    """Whoever reports needs no account, and makes none."""
    item_id = next(iter(course.items))
    monkeypatch.setattr(throttle, "REPORT_LIMIT", throttle.REPORT_LIMIT._replace(most_tries=2))
    statuses = []
    for text in ("数不对", "还是不对", "真的不对"):
        response = guest.post("/reports", [("item", item_id), ("text", text), ("next", "/")])
        statuses.append(response.status_code)
    assert statuses == [200, 200, 429]
    assert ledger.rows("SELECT text FROM problem_report") == [("数不对",), ("还是不对",)]
    assert guest.post("/reports", [("item", item_id), ("text", " "), ("next", "/")]).status_code == 422


def test_a_full_day_is_told_and_the_answer_stays(
    guest: Reader, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    monkeypatch.setattr(row_limits, "MOST_MOMENT_CHARACTERS_A_DAY", 1)
    pages = []
    for seed, status in ((4821, 200), (4822, 429)):
        form = guest.open(f"/practice/dcg?level=1&seed={seed}").form(f"/practice/dcg-1-{seed}/responses")
        pages.append(guest.submit(form, answer="0.5", status=status))
    assert "今天做得够多了，剩下的明天再来" in pages[1].text
    assert ledger.count("response") == 1
