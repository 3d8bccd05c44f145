"""Accounts as a browser without a script meets them: sign up, in and out; a shared computer; passwords."""

import json
import re
import threading
import time
from hashlib import sha256
from statistics import median
from typing import Any

import pytest

from app.course import Course
from app.records.accounts import passwords, throttle
from app.web.accounts import accounts as pages_of
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from tests.web.cast import Ledger, Page, Place, Reader, right_answer
from tests.web.pages import Element, filled
from tests.web.school import PASSWORD, sign_in, sign_out, sign_up


def answer(reader: Reader, place: Place, course: Course) -> None:
    reader.open(place.url)
    reader.answer(place.name, *right_answer(course.items[place.name]))


def test_signing_up_keeps_what_a_guest_has_done(
    guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    answer(guest, place, course)
    before = guest.token
    sign_up(guest)
    assert guest.page.path == "/me?done=sign-up"
    assert "注册好了" in guest.page.text
    assert guest.token not in (None, before), "a token from before knows nothing of the account"
    assert "一次就对" in guest.open(place.url).item(place.name).text
    assert "小糖" in guest.open("/me").main.text
    assert ledger.count("learner") == 1


@pytest.mark.both_databases
def test_signing_in_elsewhere_brings_the_guest_s_work_along(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    sign_up(guest)
    answer(other_guest, place, course)
    sign_in(other_guest)
    assert "一次就对" in other_guest.open(place.url).item(place.name).text
    assert "一次就对" in guest.open(place.url).item(place.name).text
    assert (ledger.count("learner"), ledger.count("response")) == (1, 1)


def test_work_of_before_the_account_is_not_counted_as_a_round(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    sign_up(guest)
    for reader in (guest, other_guest):
        answer(reader, place, course)
    sign_in(other_guest)
    rounds = ledger.rows("SELECT round, id FROM attempt ORDER BY round")
    assert [round_number for round_number, _ in rounds] == [0, 1]
    page_texts = [guest.open(f"/attempts/{attempt_id}").main.text for _, attempt_id in rounds]
    for page_text, round_text in zip(page_texts, ("注册前在别处做的", "第1遍"), strict=True):
        assert round_text in page_text
    assert "第0遍" not in page_texts[0]


def test_the_next_page_says_that_the_guest_s_work_is_kept(
    guest: Reader, other_guest: Reader, course: Course, place: Place
) -> None:
    """Wherever it is: the address leads to the sentence that every page has for those who are signed in."""
    answer(guest, place, course)
    form = guest.open(f"/sign-up?next={place.url}").form("/accounts")
    assert landing_of(guest, form) == f"{place.url}#kept"
    assert guest.open(place.url).by_id("kept").text == "刚才学的都留住了。"
    answer(other_guest, place, course)
    form = other_guest.open(f"/sign-in?next={place.url}").form("/accounts/sign-ins")
    assert landing_of(other_guest, form) == f"{place.url}#kept"


def test_nothing_is_said_to_be_kept_where_nothing_was_brought(
    guest: Reader, other_guest: Reader, course: Course, place: Place
) -> None:
    form = guest.open("/sign-up?next=/course").form("/accounts")
    assert landing_of(guest, form) == "/course"
    answer(other_guest, place, course)
    form = other_guest.open("/sign-in").form("/accounts/sign-ins")
    assert landing_of(other_guest, form, bring=[]) == "/"


def landing_of(reader: Reader, form: Element, **typed: Any) -> str:
    """Where a form with name and password leads."""
    fields = filled(form, login="小糖", password=PASSWORD, **typed)
    response = reader.client.post(form["action"], data=dict(fields), follow_redirects=False)
    return response.headers["location"]


def test_somebody_else_s_work_on_a_shared_computer_need_not_come_along(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    sign_up(guest)
    answer(other_guest, place, course)
    form = other_guest.open("/sign-in").form("/accounts/sign-ins")
    other_guest.submit(form, login="小糖", password=PASSWORD, bring=[])
    assert "一次就对" not in other_guest.open(place.url).item(place.name).text
    assert ledger.count("learner") == 2


def test_what_was_ticked_outlives_a_wrong_password(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, place: Place
) -> None:
    """Whoever types it again would else bring a stranger's work along, and stay signed in for ninety days."""
    sign_up(guest)
    answer(other_guest, place, course)
    form = other_guest.open("/sign-in").form("/accounts/sign-ins")
    wrong_password = "不对不对不对"
    page = other_guest.submit(form, login="小糖", password=wrong_password, bring=[], shared="yes", status=422)
    fields = dict(filled(page.form("/accounts/sign-ins")))
    assert "bring" not in fields
    assert fields["shared"] == "yes"
    other_guest.submit(page.form("/accounts/sign-ins"), password=PASSWORD)
    assert ledger.count("learner") == 2


def test_signing_out_really_ends_it(guest: Reader) -> None:
    sign_up(guest)
    token = str(guest.token)
    sign_out(guest)
    assert guest.token is None
    guest.client.cookies.set(COOKIE, token)
    assert "退出登录" not in guest.open("/me").text


@pytest.mark.parametrize(
    ("login", "password"), [("小糖", "不对不对不对"), ("没有这个人", PASSWORD), ("", "")]
)
def test_an_unknown_name_and_a_wrong_password_get_the_same_answer(
    guest: Reader, other_guest: Reader, login: str, password: str
) -> None:
    sign_up(guest)
    page = sign_in(other_guest, login, password, status=422)
    assert pages_of.WRONG_LOGIN_SENTENCE in page.by_id("door-error").text
    assert page.by_id("login")["value"] == login
    assert page.by_id("password").get("value") == ""
    assert other_guest.token is None


@pytest.mark.usefixtures("heavy_hashes")
def test_both_take_the_same_time(guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by the clock, which others disturb: by what is done. Each try hashes once."""
    sign_up(guest)
    tried: list[str | None] = []
    real = passwords.is_password_of_hash

    def watched(typed: str, password_hash: str | None) -> bool:
        tried.append(password_hash)
        return real(typed, password_hash)

    monkeypatch.setattr(passwords, "is_password_of_hash", watched)
    for login in ("小糖", "没有这个人"):
        sign_in(other_guest, login, "不对不对不对", status=422)
    assert [password_hash is None for password_hash in tried] == [False, True]
    passwords.hash_of_nobody()
    spent = {
        password_hash: median(timed(password_hash) for _ in range(5))
        for password_hash in (None, passwords.hash_password("another"))
    }
    least, most = sorted(spent.values())
    assert most < 3 * least


def timed(password_hash: str | None) -> float:
    begun = time.perf_counter()
    passwords.is_password_of_hash("不对不对不对", password_hash)
    return time.perf_counter() - begun


def test_after_many_tries_one_waits(guest: Reader, other_guest: Reader) -> None:
    sign_up(guest)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        sign_in(other_guest, password="不对不对不对", status=422)
    page = sign_in(other_guest, status=429)
    assert "试得太多了" in page.by_id("door-error").text
    assert other_guest.token is None


@pytest.mark.parametrize(
    ("login", "password", "message", "refused"),
    [
        ("小糖", PASSWORD, "已经有人叫", "login"),
        (" ", PASSWORD, "登录名空着不行", "login"),
        ("小序", "12345", "至少6个字", "password"),
        ("小序小序小序", "小序小序小序", "不能和登录名一样", "password"),
    ],
)
def test_what_is_wrong_with_a_new_account_is_said_at_the_form(
    guest: Reader, other_guest: Reader, ledger: Ledger, login: str, password: str, message: str, refused: str
) -> None:
    sign_up(guest)
    page = sign_up(other_guest, login, password, status=422)
    assert message in page.by_id("door-error").text
    [field] = page.main.all("input", aria_invalid="true")
    assert field["id"] == refused
    assert "door-error" in field["aria-describedby"].split()
    assert page.by_id("login")["value"] == login
    assert ledger.count("account") == 1
    assert ledger.count("learner") == 1


def test_a_changed_password_ends_the_other_devices(guest: Reader, other_guest: Reader) -> None:
    sign_up(guest)
    sign_in(other_guest)
    form = guest.open("/me").form("/me/passwords")
    page = guest.submit(form, old="不是这个", new="更甜就更靠前", status=422)
    assert "现在的密码不对" in page.by_id("password-error").text
    assert [field["id"] for field in page.main.all("input", aria_invalid="true")] == ["old"]
    page = guest.submit(form, old=PASSWORD, new="短", status=422)
    assert [field["id"] for field in page.main.all("input", aria_invalid="true")] == ["new"]
    page = guest.submit(form, old=PASSWORD, new="更甜就更靠前")
    assert "密码换好了" in page.main.text
    assert "注册" in other_guest.open("/me").main.text
    sign_in(other_guest, status=422)
    sign_in(other_guest, password="更甜就更靠前")


def test_one_s_own_name_is_no_password_later_either(guest: Reader, other_guest: Reader) -> None:
    sign_up(guest, "小糖小糖小糖")
    form = guest.open("/me").form("/me/passwords")
    page = guest.submit(form, old=PASSWORD, new="小糖 小糖小糖", status=422)
    assert "不能和登录名一样" in page.by_id("password-error").text
    sign_in(other_guest, "小糖小糖小糖")


def test_one_sees_and_ends_one_s_devices(guest: Reader, other_guest: Reader) -> None:
    sign_up(guest)
    sign_in(other_guest)
    rows = guest.open("/me").main.one("ul", class_="devices").all("li")
    assert ["就是这台" in row.text for row in rows] == [False, True]
    guest.submit(rows[0].one("form"))
    assert "注册" in other_guest.open("/me").main.text
    assert len(guest.open("/me").main.one("ul", class_="devices").all("li")) == 1


def test_an_account_has_no_code(guest: Reader) -> None:
    sign_up(guest)
    response = guest.post("/resume-codes", [("next", "/me")])
    assert response.status_code == 404
    assert "不用续学码" in response.text


@pytest.mark.parametrize("target_url", ["//evil.example", "https://evil.example", "/\\evil"])
def test_a_door_leads_nowhere_else(guest: Reader, target_url: str) -> None:
    page = guest.open(f"/sign-in?next={target_url}")
    assert page.form("/accounts/sign-ins").one("input", name="next")["value"] == "/"


@pytest.mark.parametrize("typed", ["<script>x</script>", '"><b id=evil>', "<!--sender-->", "{{ 7*7 }}"])
def test_a_name_comes_back_as_text(guest: Reader, typed: str) -> None:
    sign_up(guest, typed)
    assert typed in guest.open("/me").main.one("h2", id="account").text
    page = sign_in(guest, typed, "wrong wrong", status=422)
    assert page.by_id("login")["value"] == typed
    assert not page.has("evil")


def test_a_password_is_kept_nowhere(guest: Reader, ledger: Ledger) -> None:
    sign_up(guest)
    dump = repr({name: ledger.rows(f"SELECT * FROM {name}") for name in ("account", "sign_in", "throttle")})
    assert PASSWORD not in dump
    assert re.search(r"\$argon2id\$", dump)


def test_a_form_that_was_put_right_is_another_one(guest: Reader, ledger: Ledger) -> None:
    form = guest.open("/sign-up").form("/accounts")
    twin, other_twin = guest.twin(), guest.twin()
    guest.post("/accounts", filled(form, login="小糖", password=PASSWORD))
    refused_page = Page(twin.post("/accounts", filled(form, login="小糖", password="another-one")))
    assert refused_page.status == 422, "the password of the first time holds"
    other_twin.post("/accounts", filled(form, login="小序", password=PASSWORD))
    assert "小序" in other_twin.open("/me").main.text
    assert ledger.count("account") == 2


def test_who_saw_the_form_has_neither_the_sign_in_nor_the_password(
    guest: Reader, other_guest: Reader
) -> None:
    """On a shared device somebody may have opened the page before, and kept what stands in it."""
    form = guest.open("/sign-up").form("/accounts")
    form_key = dict(filled(form))["guest"]
    guest.post("/accounts", filled(form, login="小糖", password=PASSWORD))
    for guessed_token in (form_key, sha256(form_key.encode()).hexdigest()):
        other_guest.client.cookies.set(COOKIE, guessed_token)
        assert "小糖" not in other_guest.open("/me").main.text


def test_a_double_click_signs_up_once(guest: Reader, ledger: Ledger) -> None:
    form = guest.open("/sign-up").form("/accounts")
    twin = guest.twin()
    for reader in (guest, twin):
        answer_page = Page(reader.post("/accounts", filled(form, login="小糖", password=PASSWORD)))
        assert answer_page.path == "/me?done=sign-up"
        assert "小糖" in answer_page.main.text
    assert ledger.count("account") == ledger.count("learner") == 1


def test_after_deletion_a_sentence_says_that_it_worked(guest: Reader, course: Course, place: Place) -> None:
    answer(guest, place, course)
    form = guest.open("/me/data").form("/me/deletions")
    page = guest.submit(form, sure="on")
    assert page.path == "/me?done=deletion"
    assert "都删掉了" in page.main.text
    answer(guest, place, course)
    assert "都删掉了" not in guest.open("/me?done=deletion").main.text, "there is somebody again"


def test_the_settings_stand_where_people_look(guest: Reader) -> None:
    """On 我的, once: the footer has them on all other pages."""
    page = guest.open("/me")
    [form] = page.root.all("form", action="/preferences")
    assert form.one("select", name="streak")
    page = guest.submit(form, "就这样", theme="dark")
    assert page.path == "/me"
    assert page.root.one("html")["data-theme"] == "dark"
    assert len(guest.open("/course").root.all("form", action="/preferences")) == 1


def test_who_signs_up_on_the_way_elsewhere_goes_on_there(guest: Reader) -> None:
    form = guest.open("/sign-up?next=/cards").form("/accounts")
    assert guest.submit(form, login="小糖", password=PASSWORD).path == "/cards"


def test_ones_data_are_written_where_nobody_waits(guest: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(guest)
    threads: list[str] = []
    write_json = json.dumps

    def noted(*arguments: Any, **options: Any) -> str:
        threads.append(threading.current_thread().name)
        return write_json(*arguments, **options)

    monkeypatch.setattr(json, "dumps", noted)
    lines_by_table = guest.client.get("/me/data.json").json()
    assert [line["login"] for line in lines_by_table["account"]] == ["小糖"]
    assert {name.rpartition("_")[0] for name in threads} == {"off-loop"}
