"""A class from its first minute, as browsers without a script meet it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from app.course import Course
from app.records.accounts import throttle
from app.records.classes import classrooms, roster_files
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning.tables import ItemVersion
from app.records.learning.values import AttemptData, AttemptRow, ResponseRow
from app.web.items.answered import answered_items
from app.web.items.kinds import ItemWithAnswers, SeenAnswer, kind_view_of
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from tests.web.cast import (
    Ledger,
    Page,
    Place,
    Reader,
    browser,
    is_numeric,
    place_asking,
    right_answer,
    wrong_answer,
)
from tests.web.pages import Element, filled, refused_fields
from tests.web.school import (
    PASSWORD,
    School,
    assigned,
    code_of,
    invitation,
    join_new,
    new_class,
    school,
    secrets_on,
    sign_in,
    sign_out,
    sign_up,
)

NOW = datetime(2026, 9, 1, tzinfo=UTC)


def test_an_invitation_makes_one_teacher(client: TestClient, guest: Reader, other_guest: Reader) -> None:
    path = invitation(client)
    form = guest.open(path).form(f"{path}/accounts")
    page = guest.submit(form, login="王", password="12345", status=422)
    assert "至少6个字" in page.by_id("door-error").text
    guest.submit(form, login="王", password=PASSWORD)
    assert "建第一个班" in guest.page.main.text
    assert "用过了" in other_guest.open(path, status=404).text
    assert "用过了" in Page(other_guest.post(f"{path}/accounts", filled(form))).text


@pytest.mark.parametrize("password", ["111111", "123456", "２０２６１１３０", "ababab"])
def test_what_opens_a_whole_class_is_not_guessed_at_once(
    client: TestClient, guest: Reader, other_guest: Reader, password: str
) -> None:
    """Beside the field stands what it opens; a pupil alone is kept by such a password."""
    path = invitation(client)
    form = guest.open(path).form(f"{path}/accounts")
    page = guest.submit(form, login="王", password=password, status=422)
    assert "不能全是数字" in page.by_id("door-error").text
    assert page.by_id("password")["aria-invalid"] == "true"
    guest.submit(form, login="王", password=PASSWORD)
    page = guest.submit(guest.open("/me").form("/me/passwords"), old=PASSWORD, new=password, status=422)
    assert "不能全是数字" in page.by_id("password-error").text
    sign_up(other_guest, password=password)


def test_a_double_click_makes_one_teacher(client: TestClient, guest: Reader, ledger: Ledger) -> None:
    path = invitation(client)
    form = guest.open(path).form(f"{path}/accounts")
    twin = guest.twin()
    for reader in (guest, twin):
        answer_page = Page(reader.post(f"{path}/accounts", filled(form, login="王", password=PASSWORD)))
        assert answer_page.path == "/classrooms"
        assert "建第一个班" in answer_page.main.text
    assert ledger.count("account") == 1


def test_the_key_of_another_form_opens_no_invitation(guest: Reader, other_guest: Reader) -> None:
    form = guest.open("/sign-up").form("/accounts")
    guest.post("/accounts", filled(form, login="小糖", password=PASSWORD))
    answer = other_guest.post("/invitations/none/accounts", filled(form, login="小糖", password=PASSWORD))
    assert answer.status_code == 404


def test_a_used_invitation_leads_its_teacher_on(
    client: TestClient, guest: Reader, other_guest: Reader
) -> None:
    path = invitation(client)
    guest.submit(guest.open(path).form(f"{path}/accounts"), login="王", password=PASSWORD)
    page = guest.open(path)
    assert "王已经是老师了" in page.main.text
    assert page.main.one("a", class_="primary")["href"] == "/classrooms"
    other_guest.open(path, status=404)
    guest.open("/invitations/never-was", status=404)


def test_a_used_link_leads_who_helps_on_to_the_class(
    teacher: Reader, classroom: int, client: TestClient
) -> None:
    page = teacher.open(f"/classrooms/{classroom}/staff")
    page = teacher.submit(page.form(f"/classrooms/{classroom}/staff/invitations"), role="assistant")
    link = page.by_id("staff-link").text.partition("testserver")[2]
    helper = browser(client)
    sign_up(helper, "周")
    form = helper.open(link).form(f"{link}/acceptances")
    helper.submit(form)
    page = helper.open(link)
    assert "你已经是这个班的助教" in page.main.text
    assert page.main.one("a", class_="primary")["href"] == f"/classrooms/{classroom}"
    assert helper.submit(form).path == f"/classrooms/{classroom}"
    browser(client).open(link, status=404)


def test_what_a_teacher_does_most_has_the_button_that_stands_out(guest: Reader, client: TestClient) -> None:
    """At first a class is made, and from then on work is given to it."""
    path = invitation(client)
    guest.submit(guest.open(path).form(f"{path}/accounts"), login="王", password=PASSWORD)
    page = guest.open("/classrooms")
    assert [button.text for button in page.main.all("button", class_="primary")] == ["建好，去投影"]
    guest.submit(page.form("/classrooms"), name="高一3班")
    page = guest.open("/classrooms")
    assert [button.text for button in page.main.all("button", class_="primary")] == ["先建草稿"]


def test_whoever_has_an_account_becomes_a_teacher_with_it(client: TestClient, guest: Reader) -> None:
    sign_up(guest)
    assert not guest.open("/classrooms").root.all("form", action="/classrooms")
    path = invitation(client)
    guest.open(path)
    guest.submit(guest.page.form(f"{path}/acceptances"))
    assert guest.open("/classrooms").root.all("form", action="/classrooms")


def test_the_projector_shows_code_link_and_who_has_come(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    page = teacher.open(f"/classrooms/{classroom}/projector")
    code = page.main.one("p", class_="join-code").text
    assert re.fullmatch(r"[2-9A-HJ-KM-NP-Z]{6}", code)
    assert page.main.one("svg", class_="qr").one("title").text == "加入班级的二维码"
    assert f"http://testserver/join/{code}" in page.main.text
    join_new(guest, code, "小糖")
    page_part = Page(teacher.client.get(f"/classrooms/{classroom}/arrivals")).by_id("arrivals")
    assert "小糖" in page_part.text
    assert page_part["data-hx-trigger"] == "every 3s"
    assert page_part.html == teacher.open(f"/classrooms/{classroom}/projector").by_id("arrivals").html


def test_who_was_signed_out_is_told_so_once_where_the_names_stood(classroom: int, guest: Reader) -> None:
    response = guest.client.get(f"/classrooms/{classroom}/arrivals", headers={"HX-Request": "true"})
    assert response.status_code == 404
    line = Page(response).by_id("arrivals")
    assert "登录过期了" in line.text
    assert "data-hx-get" not in line.attributes


def test_when_the_door_is_shut_the_page_asks_no_more(teacher: Reader, classroom: int) -> None:
    teacher.open(f"/classrooms/{classroom}/projector")
    teacher.submit(teacher.page.form(f"/classrooms/{classroom}/closings"))
    fragment = Page(teacher.client.get(f"/classrooms/{classroom}/arrivals")).by_id("arrivals")
    assert "data-hx-get" not in fragment.attributes
    assert "data-hx-trigger" not in fragment.attributes
    teacher.submit(teacher.page.form(f"/classrooms/{classroom}/openings", "开门"))
    assert teacher.page.by_id("arrivals")["data-hx-trigger"]


def test_a_new_code_makes_the_old_one_void(teacher: Reader, classroom: int, guest: Reader) -> None:
    old = code_of(teacher, classroom)
    teacher.submit(teacher.page.form(f"/classrooms/{classroom}/openings", "换一个码"))
    assert "没有这个加入码" in guest.open(f"/join/{old}", status=404).text
    assert code_of(teacher, classroom) != old


def test_a_code_is_typed_as_one_likes(teacher: Reader, classroom: int, guest: Reader) -> None:
    code = code_of(teacher, classroom)
    guest.open(f"/join?code=%20{code[:3].lower()}%20{code[3:]}")
    assert guest.page.path == f"/join/{code}"
    page = guest.open("/join/ZZZZZZ", status=404)
    assert page.by_id("code")["value"] == "ZZZZZZ"
    assert "看一眼老师的屏幕" in page.by_id("code-error").text


def test_codes_are_not_guessed_for_ever(
    teacher: Reader, classroom: int, guest: Reader, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way in counts what was wrong, and after too many opens nothing, also to who is signed in."""
    monkeypatch.setattr(
        throttle, "WRONG_CODES_OF_ADDRESS_LIMIT", throttle.WRONG_CODES_OF_ADDRESS_LIMIT._replace(most_tries=4)
    )
    code, other_browser = code_of(teacher, classroom), browser(teacher.client)
    for path in ("/join/ZZZZZZ", "/join?code=ZZZZZZ"):
        guest.open(path, status=404)
    for path in ("/join/ZZZZZZ", "/join/ZZZZZZ/accounts"):
        assert teacher.post(path, [("name", "小糖")]).status_code == 404
    assert ledger.rows("SELECT count FROM throttle WHERE key LIKE 'join:%'") == [(4,)]
    page = guest.open(f"/join/{code}", status=429)
    assert "试得太多了，10分钟后再来" in page.by_id("code-error").text
    for path in (f"/join/{code}", f"/join/{code}/accounts"):
        answer = Page(other_browser.post(path, [("name", "小糖")]))
        assert (answer.status, answer.has("code-error")) == (429, True)
    assert ledger.rows("SELECT count FROM throttle WHERE key LIKE 'join:%'") == [(4,)]
    assert ledger.count("enrolment") == 0


def test_a_number_is_asked_for_at_the_door(teacher: Reader, classroom: int, guest: Reader) -> None:
    path = f"/classrooms/{classroom}"
    page = teacher.submit(teacher.open(path).form(f"{path}/doors"), "要问")
    assert "进门时问学号：问" in page.main.text
    code = code_of(teacher, classroom)
    form = guest.open(f"/join/{code}").form(f"/join/{code}/accounts")
    page = guest.submit(form, status=422, name="小糖")
    assert "写上学号" in page.by_id("name-error").text
    assert page.by_id("name")["value"] == "小糖"
    assert refused_fields(page.main) == ["number"], "the name was right"
    page = guest.submit(page.form(f"/join/{code}/accounts"), status=422, name="糖" * 33, number="2026001")
    assert refused_fields(page.main) == ["name"]
    guest.submit(page.form(f"/join/{code}/accounts"), name="小糖")
    assert "2026001" in teacher.open(path).main.text
    teacher.submit(teacher.open(path).form(f"{path}/doors"), "不再问")
    assert "学号" not in browser(guest.client).open(f"/join/{code}").main.text


def test_numbers_are_not_tried_out_at_the_door(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that somebody has is counted as a wrong code is; a name that is missing is not."""
    monkeypatch.setattr(throttle, "WRONG_CODE_LIMIT", throttle.WRONG_CODE_LIMIT._replace(most_tries=2))
    path = f"/classrooms/{classroom}"
    teacher.submit(teacher.open(path).form(f"{path}/doors"), "要问")
    code = code_of(teacher, classroom)
    door = f"/join/{code}/accounts"
    other_guest.submit(other_guest.open(f"/join/{code}").form(door), name="小序", number="2026001")
    form = guest.open(f"/join/{code}").form(door)
    for _ in range(3):
        assert "写上学号" in guest.submit(form, status=422, name="小糖").by_id("name-error").text
    for _ in range(3):
        guest.post(door, [("name", "小糖"), ("number", "2026001")])
    assert guest.client.get(f"/join/{code}").status_code == 429
    assert browser(guest.client).open(f"/join/{code}"), "another device may"


def test_who_was_there_before_the_question_brings_the_number_later(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    class_url, code = f"/classrooms/{classroom}", code_of(teacher, classroom)
    join_new(guest, code, "小糖")
    assert "补上学号" not in guest.open(f"/join/{code}").main.text
    teacher.submit(teacher.open(class_url).form(f"{class_url}/doors"), "要问")
    page = guest.open(f"/join/{code}")
    page = guest.submit(page.form(f"/join/{code}"), number="2026001")
    assert page.path == class_url
    assert "补上学号" not in guest.open(f"/join/{code}").main.text
    assert "2026001" in teacher.open(class_url).main.text


def test_a_class_account_shows_its_password_once(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    code = code_of(teacher, classroom)
    login, password = secrets_on(join_new(guest, code, "小糖"))
    assert guest.page.response.headers["cache-control"] == "no-store"
    foot = guest.page.root.one("footer").text
    assert "退出登录" in foot, "the page is already that of an account"
    assert "换个人用" not in foot
    guest.open(f"/classrooms/{classroom}")
    assert "王老师的班" in guest.page.main.text
    assert password not in guest.open("/me").html
    sign_in(other_guest, login, password)
    assert "高一3班" in other_guest.open("/classrooms").main.text


def test_a_double_click_makes_one_class_account(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader, ledger: Ledger
) -> None:
    code = code_of(teacher, classroom)
    form = guest.open(f"/join/{code}").form(f"/join/{code}/accounts")
    twin = guest.twin()
    first_page = Page(guest.post(form["action"], filled(form, name="小糖")))
    answer_page = Page(twin.post(form["action"], filled(form, name="小糖")))
    assert secrets_on(answer_page) == secrets_on(first_page), "the browser shows the last answer alone"
    assert "高一3班" in twin.open("/classrooms").main.text
    assert "高一3班" in guest.open("/classrooms").main.text
    assert ledger.count("enrolment") == 1
    login, password = secrets_on(answer_page)
    sign_in(other_guest, login, password)
    assert "高一3班" in other_guest.open("/classrooms").main.text


def test_a_login_that_is_not_the_name_is_explained_beside_the_password(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    first_page = join_new(guest, code_of(teacher, classroom), "小糖")
    assert "这个名字有人用了" not in first_page.main.text
    other_class = new_class(teacher, "高一4班")
    second_page = join_new(other_guest, code_of(teacher, other_class), "小糖")
    assert secrets_on(second_page)[0] == "小糖2"
    assert "这个名字有人用了，登录名加了2；班里还是你写的名字。" in second_page.main.text


def test_a_name_that_was_put_right_is_the_one_that_holds(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    code = code_of(teacher, classroom)
    form = guest.open(f"/join/{code}").form(f"/join/{code}/accounts")
    twin = guest.twin()
    guest.post(form["action"], filled(form, name="小塘"))
    answer_page = Page(twin.post(form["action"], filled(form, name="小糖")))
    assert secrets_on(answer_page)[0] == "小糖"


def test_a_code_that_closed_meanwhile_is_asked_for_again(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    code = code_of(teacher, classroom)
    form = guest.open(f"/join/{code}").form(f"/join/{code}/accounts")
    teacher.post(f"/classrooms/{classroom}/archivings", [])
    answer_page = Page(guest.post(form["action"], filled(form, name="小糖")))
    assert answer_page.status == 404
    assert "没有这个加入码，或者它已经关了；关了的，请老师再开门。" in answer_page.main.text
    assert answer_page.main.all("input", name="code")


def test_a_name_that_a_classmate_has_is_refused(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader, ledger: Ledger
) -> None:
    code = code_of(teacher, classroom)
    join_new(guest, code, "小糖")
    answer_page = join_new(other_guest, code, "小糖", status=422)
    assert "班里已经有一位“小糖”" in answer_page.by_id("name-error").text
    assert ledger.count("enrolment") == 1


def test_who_joined_and_lost_the_answer_is_led_to_sign_in(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    """The name is one's own: nothing of anybody else's stands there."""
    code = code_of(teacher, classroom)
    password = secrets_on(join_new(guest, code, "小糖"))[1]
    page = join_new(other_guest, code, "小糖", status=422)
    assert "刚才按过“加入”，多半已经进来了" in page.by_id("name-error").text
    assert "没看到密码、没记下，请老师换一个" in page.by_id("name-error").text
    sign_in_url = page.form(f"/join/{code}/accounts").one("a")["href"]
    form = other_guest.open(sign_in_url).form("/accounts/sign-ins")
    assert dict(filled(form))["login"] == "小糖"
    page = other_guest.submit(form, password=password)
    assert page.path == f"/join/{code}"
    assert "你已经在班里了" in page.main.text


def test_whose_name_is_too_long_is_offered_no_sign_in(teacher: Reader, classroom: int, guest: Reader) -> None:
    code = code_of(teacher, classroom)
    page = join_new(guest, code, "糖" * 33, status=422)
    assert not page.form(f"/join/{code}/accounts").all("a")


def test_the_form_of_who_has_left_makes_no_way_back(teacher: Reader, classroom: int, guest: Reader) -> None:
    """On a shared device the page of before may still be open."""
    code = code_of(teacher, classroom)
    form = guest.open(f"/join/{code}").form(f"/join/{code}/accounts")
    password = secrets_on(guest.submit(form, name="小糖"))[1]
    sign_out(guest)
    answer = guest.post(form["action"], filled(form, name="小糖"))
    assert answer.status_code == 409
    assert password not in answer.text


def test_a_guest_s_work_comes_into_a_class_where_it_is_ticked(
    teacher: Reader, classroom: int, guest: Reader, place: Place, ledger: Ledger
) -> None:
    """What stands on a computer may be somebody else's; a form of before there was a tick brings it along."""
    code = code_of(teacher, classroom)
    unticked: dict[str, Any] = {"bring": []}
    old_form: dict[str, Any] = {"bring": [], "asks": []}
    for name, typed, is_brought in (("小糖", {}, True), ("小序", unticked, False), ("小果", old_form, True)):
        reader = browser(guest.client)
        reader.open(place.url)
        reader.go_on()
        form = reader.open(f"/join/{code}").form(f"/join/{code}/accounts")
        assert form.one("input", type="checkbox", name="bring")["checked"] == ""
        learner_count = ledger.count("learner")
        reader.submit(form, name=name, **typed)
        assert ledger.count("learner") == learner_count + (not is_brought), name


def test_whether_work_comes_along_outlives_a_refused_name(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader, place: Place
) -> None:
    code = code_of(teacher, classroom)
    join_new(guest, code, "小糖")
    other_guest.open(place.url)
    other_guest.go_on()
    door = f"/join/{code}/accounts"
    form = other_guest.open(f"/join/{code}").form(door)
    page = other_guest.submit(form, status=422, name="小糖", bring=[])
    assert "bring" not in dict(filled(page.form(door)))


def test_signing_in_at_the_door_leads_back_to_it(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    sign_up(guest)
    code = code_of(teacher, classroom)
    way = other_guest.open(f"/join/{code}").main.all("a", class_="button")[0]["href"]
    form = other_guest.open(way).form("/accounts/sign-ins")
    page = other_guest.submit(form, login="小糖", password=PASSWORD)
    assert page.path == f"/join/{code}"
    page = other_guest.submit(page.form(f"/join/{code}"), name="糖糖")
    assert page.path == f"/classrooms/{classroom}"
    assert "糖糖" in teacher.open(f"/classrooms/{classroom}").main.text


def test_nobody_with_an_account_of_their_own_is_sent_to_a_teacher_for_a_password(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    """At the door they read: 改不了你的密码; on the page of the class: 忘了密码，找老师换一个."""
    sign_up(guest)
    form_path = f"/join/{code_of(teacher, classroom)}"
    class_page = guest.submit(guest.open(form_path).form(form_path), name="小糖")
    assert "为班级建的账号，忘了密码找老师换一个" in class_page.main.text
    sign_in_page = other_guest.open("/sign-in")
    assert "忘了密码：为班级建的账号，请老师换一个；自己注册的，找管这个网站的人。" in sign_in_page.main.text


def test_a_teacher_who_tries_the_code_is_led_to_the_class(teacher: Reader, classroom: int) -> None:
    page = teacher.open(f"/join/{code_of(teacher, classroom)}")
    assert not page.main.all("form")
    assert "你就是这个班的老师。加入码留给同学。" in page.main.text
    assert page.main.one("section").one("a")["href"] == f"/classrooms/{classroom}"


def upload(teacher: Reader, classroom: int, data: bytes, name: str = "list.csv") -> Page:
    path = f"/classrooms/{classroom}/roster-previews"
    return Page(teacher.client.post(path, files={"file": (name, data)}))


def test_a_roster_becomes_slips_and_the_slips_open_the_door(
    teacher: Reader, classroom: int, guest: Reader, ledger: Ledger
) -> None:
    preview = upload(teacher, classroom, "学号,姓名\r\n01,小糖\r\n02,小序\r\n".encode("gb18030"))
    assert "2位同学，没有问题" in preview.main.text
    assert ledger.count("account") == 1, "a preview makes nothing"
    slips = teacher.submit(preview.form(f"/classrooms/{classroom}/roster"))
    names = [element.text for element in slips.root.all("p", class_="slip-name")]
    assert [text.split()[0] for text in names] == ["小糖", "小序"]
    login, password = secrets_on(slips)[2:]
    sign_in(guest, login, password)
    assert "高一3班" in guest.open("/classrooms").main.text


def test_confirming_twice_makes_nothing_twice(teacher: Reader, classroom: int, ledger: Ledger) -> None:
    form = upload(teacher, classroom, "姓名\n小糖".encode()).form(f"/classrooms/{classroom}/roster")
    teacher.submit(form)
    page = teacher.submit(form, status=422)
    assert "都已经在班里" in page.by_id("roster-error").text
    assert "没看到密码条，就去班级那一页的“忘了密码”" in page.by_id("roster-error").text
    assert "忘了密码" in teacher.open(f"/classrooms/{classroom}").main.text
    assert ledger.count("account") == 2


def test_a_bad_row_is_mended_in_place_while_the_others_go_in(
    teacher: Reader, classroom: int, ledger: Ledger
) -> None:
    page = upload(teacher, classroom, "姓名,登录名,学号\n小糖,王,01\n,x,02\n小序,,03\n".encode())
    assert page.status == 422
    lines = [element.text for element in page.main.one("ul", class_="faults-list").all("li")]
    assert lines == ["第2行 登录名“王”已经有人用了，换一个或者空着。", "第3行 这一行没有姓名。"]
    assert ledger.count("enrolment") == 0, "nothing is done yet"
    previews, roster = f"/classrooms/{classroom}/roster-previews", f"/classrooms/{classroom}/roster"
    mend = dict(filled(page.form(previews)))
    assert mend["text"] == "姓名,学号,座号,登录名,密码\n小糖,01,,王,\n,02,,x,\n"
    mended = mend | {"text": mend["text"].replace("王", "").replace("\n,02", "\n小方,02")}
    again = Page(teacher.client.post(previews, data=mended, files={"file": ("", b"")}))
    assert "3位同学，没有问题" in again.main.text
    slips = teacher.submit(page.form(roster))
    assert secrets_on(slips)[0] == "小序"
    assert ledger.count("enrolment") == 1
    left = dict(filled(slips.form(previews)))
    assert left["text"] == mend["text"], "what is not in yet is not lost"
    slips = Page(
        teacher.client.post(previews, data=left | {"text": mended["text"]}, files={"file": ("", b"")})
    )
    teacher.submit(slips.form(roster))
    assert ledger.count("enrolment") == 3


def test_the_owner_of_a_bad_row_is_not_missing(teacher: Reader, classroom: int) -> None:
    rows = upload(teacher, classroom, "姓名,学号\n小糖,2026\n".encode())
    teacher.submit(rows.form(f"/classrooms/{classroom}/roster"))
    page = upload(teacher, classroom, "姓名,学号,座号\n小糖,2026,abc\n小糖,2027,\n".encode())
    assert page.by_id("newcomers").text == "新来的 1位"
    assert "名单上没有的" not in page.main.text


def test_a_list_again_says_who_is_new_who_changes_and_who_is_missing(
    teacher: Reader, classroom: int, guest: Reader, other_guest: Reader
) -> None:
    join_new(guest, code_of(teacher, classroom), "小糖")
    join_new(other_guest, code_of(teacher, classroom), "小序")
    page = upload(
        teacher, classroom, "序号,学号,姓名\n1,2026010001,小糖\n2,2026010002,小方\n".encode("gb18030")
    )
    assert page.by_id("newcomers").text == "新来的 1位"
    assert page.by_id("changed").text == "要改的 1位"
    assert "学号（空） → 2026010001" in page.main.text
    assert "小序" in page.by_id("missing").text
    slips = teacher.submit(page.form(f"/classrooms/{classroom}/roster"))
    assert secrets_on(slips)[0] == "小方"
    assert "小糖" not in slips.main.text, "nobody gets a slip for a number that was added"
    again = upload(teacher, classroom, "学号,姓名\n2026010001,小糖\n".encode("gb18030"))
    assert "1位都在班里，没有要改的" in again.main.text
    assert not again.root.all("form", action=f"/classrooms/{classroom}/roster")
    renamed = upload(teacher, classroom, "学号,姓名\n2026010001,小唐\n".encode("gb18030"))
    assert "姓名小糖 → 小唐" in renamed.main.text
    page = teacher.submit(renamed.form(f"/classrooms/{classroom}/roster"))
    assert "小唐" in page.main.one("table", class_="heat-table").text


def test_the_teacher_says_whether_another_number_is_another_person(
    teacher: Reader, classroom: int, ledger: Ledger
) -> None:
    roster = f"/classrooms/{classroom}/roster"
    teacher.submit(upload(teacher, classroom, "学号,姓名\n5,李四".encode()).form(roster))
    page = upload(teacher, classroom, "学号,姓名\n2026010005,李四".encode())
    [choice] = page.main.all("select")
    assert [option["value"] for option in choice.all("option")] == ["李四", "李四2"]
    fields = [option for option in filled(page.form(roster)) if option[0] != "login-2"]
    teacher.post(roster, [*fields, ("login-2", "李四2")])
    assert ledger.count("enrolment") == 2


def test_a_notice_stands_on_the_pages_of_the_students_alone(full_school: School) -> None:
    path = f"/classrooms/{full_school.classroom}"
    form = full_school.teacher.open(path).form(f"{path}/notices")
    page = full_school.teacher.submit(form, status=422, text="长" * 201)
    assert "现在有201个" in page.by_id("notice-error").text
    assert page.by_id("notice-text")["value"] == "长" * 201, "nothing typed is lost"
    full_school.teacher.submit(form, text="周五<b>小测</b>", days="3")
    assert "周五<b>小测</b>" in full_school.student.open(path).main.text
    assert "周五<b>小测</b>" in full_school.student.open("/classrooms").main.text
    assert "小测" not in full_school.other_student.open("/classrooms").main.text
    full_school.teacher.submit(form, text="周五小册", days="30")
    form = full_school.teacher.open(path).form(f"{path}/notices")
    assert dict(filled(form))["days"] == "30", "mending a word does not shorten its time"


def test_number_and_seat_are_edited_on_the_page_of_a_student(full_school: School) -> None:
    path = f"/classrooms/{full_school.classroom}/students/{full_school.place_of_student}"
    form = full_school.teacher.open(path).form(f"{path}/names")
    assert dict(filled(form)).items() >= {"name": "小糖", "number": "", "seat": ""}.items()
    page = full_school.teacher.submit(form, number="2026010001", seat="12")
    assert "12号 · 2026010001" in page.main.text
    page = full_school.teacher.submit(form, name="小甜", seat="靠窗", status=422)
    assert "不是1到9999的整数" in page.by_id("details-error").text
    assert refused_fields(page.main) == ["seat"]
    form_again = dict(filled(page.form(f"{path}/names")))
    assert form_again.items() >= {"name": "小甜", "number": "", "seat": "靠窗"}.items()
    long = full_school.teacher.submit(form, number="学" * 33, status=422)
    assert refused_fields(long.main) == ["number"]


def test_a_name_or_number_of_somebody_else_is_marked_in_its_field(full_school: School, guest: Reader) -> None:
    teacher = full_school.teacher
    join_new(guest, code_of(teacher, full_school.classroom), "小序")
    [link] = [link for link in teacher.open(full_school.here).main.all("a") if link.text == "小序"]
    teacher.submit(teacher.open(link["href"]).form(f"{link['href']}/names"), number="1001")
    path = full_school.of_student
    form = teacher.open(path).form(f"{path}/names")
    for typed in ({"number": "1001"}, {"name": "小序"}):
        page = teacher.submit(form, status=422, **typed)  # type: ignore[arg-type]
        assert refused_fields(page.main) == list(typed)
        assert typed.items() <= dict(filled(page.form(f"{path}/names"))).items()


def test_a_name_of_another_class_is_asked_about(
    teacher: Reader, classroom: int, guest: Reader, ledger: Ledger
) -> None:
    join_new(guest, code_of(teacher, classroom), "小糖")
    club = new_class(teacher, "社团")
    path = f"/classrooms/{club}/roster"
    preview = upload(teacher, club, "姓名\n小糖\n小序".encode())
    [choice] = preview.main.all("select")
    assert [option["value"] for option in choice.all("option")] == ["小糖", "小糖2"]
    assert "高一3班" in choice.text
    assert "小序" in preview.main.one("tbody").all("tr")[-1].all("td")[2].text, "the name to sign in with"
    fields = [option for option in filled(preview.form(path)) if option[0] != "login-2"]
    slips = Page(teacher.post(path, [*fields, ("login-2", "小糖2")]))
    assert secrets_on(slips)[0] == "小糖2"
    club = new_class(teacher, "另一个社团")
    path = f"/classrooms/{club}/roster"
    slips = teacher.submit(upload(teacher, club, "姓名\n小糖\n小序".encode()).form(path))
    assert secrets_on(slips) == ["小糖2", "还是原来的", "小序", "还是原来的"], "the one met last"
    assert ledger.count("account") == 4


def test_a_workbook_by_name_alone_is_no_list(teacher: Reader, classroom: int) -> None:
    files = {"file": ("名单.xlsx", b"not an xlsx")}
    page = Page(teacher.client.post(f"/classrooms/{classroom}/roster-previews", files=files))
    assert page.status == 422
    assert "“名单.xlsx”叫作Excel文件，里面却不是" in page.main.text


def test_a_name_with_another_number_is_taken_to_be_another_person(teacher: Reader) -> None:
    logins = []
    for number, classroom in ((1, new_class(teacher, "高一3班")), (2, new_class(teacher, "高一4班"))):
        preview = upload(teacher, classroom, f"姓名,学号\n小糖,0{number}".encode())
        slips = teacher.submit(preview.form(f"/classrooms/{classroom}/roster"))
        logins.append(secrets_on(slips)[0])
    assert logins == ["小糖", "小糖2"]
    first_url, second_url = (f"/classrooms/{number}" for number in (classroom - 1, classroom))
    ticks = [teacher.open(url).main.one("ul", class_="ticks").text for url in (first_url, second_url)]
    assert ticks == ["小糖", "小糖小糖2"], "a login that is the name is not said twice"
    assert "就是高一3班的小糖（学号01）" in preview.main.text, "it can still be said that they are one"


def test_slips_never_promise_an_address_of_this_machine_alone(
    teacher: Reader, classroom: int, client: TestClient
) -> None:
    path = f"/classrooms/{classroom}"
    fields, none = {"text": "姓名\n小糖"}, {"file": ("", b"")}
    for headers, warned in (({}, False), ({"host": "127.0.0.1:8000"}, True)):
        pages = [
            Page(teacher.client.get(f"{path}/roster", headers=headers)),
            Page(teacher.client.post(f"{path}/roster-previews", files=none, data=fields, headers=headers)),
            Page(teacher.client.get(f"{path}/projector", headers=headers)),
        ]
        assert [bool(page.main.all("p", class_="loopback")) for page in pages] == [warned] * 3
    slips = teacher.client.post(f"{path}/roster", data={"rows": "姓名\n小糖"}, headers={"host": "localhost"})
    [warning] = Page(slips).main.all("p", class_="loopback")
    assert "HOST=0.0.0.0 make run" in warning.text, "a site of this machine alone prints no other address"
    assert "或者在启动命令后面加 --host 0.0.0.0" in warning.text, "not everybody starts it by make"


def test_a_list_of_names_needs_no_head_and_shows_no_empty_columns(teacher: Reader, classroom: int) -> None:
    path = f"/classrooms/{classroom}/roster-previews"
    assert "光写姓名就行" in teacher.open(f"/classrooms/{classroom}/roster").by_id("roster-how").text
    page = Page(teacher.client.post(path, data={"text": " \n"}, files={"file": ("", b"")}))
    assert "选一个文件，或者把名单贴在框里" in page.by_id("roster-error").text
    names = "\n".join(f"同学{letter}" for letter in "甲乙丙丁戊己庚辛壬癸子丑寅")
    page = Page(teacher.client.post(path, data={"text": names}, files={"file": ("", b"")}))
    heads = [head.text for head in page.main.one("table", class_="roster").one("thead").all("th")]
    assert heads == ["行", "姓名", "登录名", "密码"]
    buttons = [button.text for button in page.main.all("button", class_="primary")][:2]
    assert buttons == ["建13个账号，出密码条"] * 2, "above a long list as well"
    page = Page(teacher.client.post(path, data={"text": "姓名,座号\n小糖,3"}, files={"file": ("", b"")}))
    assert "座号" in page.main.one("table", class_="roster").one("thead").text


def test_a_list_can_be_pasted(teacher: Reader, classroom: int) -> None:
    path = f"/classrooms/{classroom}/roster-previews"
    page = Page(teacher.client.post(path, data={"text": "01\t小糖\n02\t小序"}, files={"file": ("", b"")}))
    assert "2位同学" in page.main.text


def test_a_pasted_list_is_there_to_be_mended(teacher: Reader, classroom: int) -> None:
    text = "姓名\n小糖\n小序"
    path = f"/classrooms/{classroom}/roster-previews"
    page = Page(teacher.client.post(path, data={"text": text}, files={"file": ("", b"")}))
    assert dict(filled(page.form(path)))["text"] == text
    page = Page(teacher.client.post(path, data={"text": "姓名\n小方"}, files={"file": ("", b"")}))
    assert "1位同学，没有问题" in page.main.text


@pytest.mark.parametrize("size", [70_000, 2**20 + 2**17])
def test_a_file_may_be_larger_than_a_form_but_not_huge(teacher: Reader, classroom: int, size: int) -> None:
    path = f"/classrooms/{classroom}/roster-previews"
    response = teacher.client.post(path, files={"file": ("list.csv", b"\n" * size)})
    assert response.status_code == (422 if size < 2**20 else 413)


@pytest.mark.parametrize("typed", ["<script>x</script>", '"><b id=evil>', "<!--sender-->", "=1+1", "{{ 7 }}"])
def test_names_come_back_as_text(teacher: Reader, classroom: int, guest: Reader, typed: str) -> None:
    join_new(guest, code_of(teacher, classroom), typed)
    teacher.open("/classrooms")
    new = new_class(teacher, typed)
    for path in (f"/classrooms/{classroom}", f"/classrooms/{classroom}/projector", f"/classrooms/{new}"):
        page = teacher.open(path)
        assert not page.has("evil")
        assert typed in page.text


@pytest.fixture
def full_school(client: TestClient, course: Course) -> School:
    return school(client, course)


def test_the_class_page_reads_without_colour(full_school: School) -> None:
    table = full_school.teacher.open(full_school.here).main.one("table", class_="heat-table")
    cells = [element.text for element in table.one("tbody").all("td", class_="heat")]
    assert cells == ["0/1 刚起步，1题里一次就对0题"], "the second try was right: not at once"
    assert [element.text for element in table.one("tfoot").all("td", class_="heat")] == cells


def test_a_student_s_work_is_shown_as_it_was(full_school: School, course: Course, ledger: Ledger) -> None:
    """Also after the item was changed: from the frozen version, response by response."""
    place = place_asking(course, is_numeric)
    item = course.items[place.name]
    path = f"{full_school.of_student}/attempts/{full_school.attempt}"
    page = full_school.teacher.open(path)
    tries = page.main.all("li", class_="try")
    assert ["✗ 不对" in tries[0].text, "✓ 对" in tries[1].text] == [True, True]
    assert wrong_answer(item)[0] in tries[0].text
    [(digest, body)] = ledger.rows("SELECT hash, body FROM item_version")
    changed = re.sub(r'"stem": "[^"]*"', '"stem": "这道题从前是这样问的。"', body)
    full_school.client.portal.call(rewrite, full_school, digest, changed)  # type: ignore[union-attr]
    assert "这道题从前是这样问的。" in full_school.teacher.open(path).main.text


def test_the_list_of_work_can_be_read(full_school: School, course: Course) -> None:
    """An assignment by its name, with the page where it is marked; question after question in one pile."""
    task = assigned(full_school)
    for seed in (5, 6, 7):
        item = course.variant("practice-dcg-2", seed)
        full_school.student.open(f"/practice/dcg?level=2&seed={seed}")
        full_school.student.answer("practice-dcg-2", *right_answer(item))
    form = full_school.student.open(f"{task}/questions/1").form(f"{task}/questions/1/responses")
    full_school.student.submit(form, answer=list(right_answer(course.items["cg-chengdu"])))
    full_school.student.submit(full_school.student.open(f"{task}/hand-in").form(f"{task}/hand-ins"))
    works = full_school.teacher.open(full_school.of_student).main.one("ol", class_="works")
    assignment, pile, lesson = [element for element in works.children if isinstance(element, Element)]
    number = task.rpartition("/")[2]
    assert (
        assignment.one("a")["href"]
        == f"{full_school.here}/assignments/{number}/students/{full_school.place_of_student}"
    )
    assert assignment.text.startswith("第一周")
    assert "3道，一次就对3道" in pile.one("summary").text
    assert len(pile.all("a")) == 3
    assert lesson.one("a")["href"] == f"{full_school.of_student}/attempts/{full_school.attempt}"
    figures = full_school.teacher.page.main.one("dl", class_="figures").text
    assert "课文里一次就对 0 题" in figures, "of which the work below has more"


async def rewrite(full_school: School, digest: str, body: str) -> None:
    def verb(session: VerbSession) -> None:
        versions = table(ItemVersion)
        session.execute(update(versions).where(versions.c.hash == digest).values(body=body))

    await full_school.client.app.state.site.db.write(verb)  # type: ignore[attr-defined]


def test_every_item_can_be_read_back_by_a_teacher(course: Course) -> None:
    """Whatever kind it is: the frozen body gives the item again, and the answer in its own words."""
    for name in course.items:
        item, ref = course.variant(name, 7), course.ref(name)
        raw = tuple(right_answer(item))
        digest, body = course.version_hash_and_body(ref, 7)
        row = ResponseRow(ref, 1, raw, None, "right", 1.0, None, 0, None, digest, NOW)
        attempt = AttemptRow(1, "lesson", ref, 1, 7, NOW)
        [answered_item] = answered_items(course, AttemptData(attempt, (row,), {}, {digest: body}))
        assert answered_item.stem_html, name
        assert answered_item.tries[0].answer_htmls, name
        assert answered_item.kind_view == kind_view_of(
            ItemWithAnswers(course, item, [SeenAnswer("right", raw)], "right", None)
        ), name


def test_new_passwords_are_printed_and_the_old_ones_void(full_school: School, guest: Reader) -> None:
    form = full_school.teacher.open(full_school.of_student).form(f"{full_school.here}/slips", "换新密码")
    page = full_school.teacher.submit(form)
    login, password = secrets_on(page)
    assert full_school.student.open("/me").main.text.startswith("我的 有账号吗"), "signed out"
    sign_in(guest, login, password)
    assert "高一3班" in guest.open("/classrooms").main.text


def test_a_whole_class_gets_new_passwords_at_one_click(full_school: School, guest: Reader) -> None:
    full_school.other_teacher.open(f"/join/{code_of(full_school.teacher, full_school.classroom)}")
    full_school.other_teacher.submit(
        full_school.other_teacher.page.form(full_school.other_teacher.page.path), name="李"
    )
    join_new(guest, code_of(full_school.teacher, full_school.classroom), "小方")
    page = full_school.teacher.open(full_school.here)
    assert page.main.one("header").one("a", href="#slips-title").text == "忘了密码", "screens below a class"
    form = page.form(f"{full_school.here}/slips", "全班都换")
    assert "每一位的旧密码都作废" in form.text
    slips = secrets_on(full_school.teacher.submit(form, "全班都换"))
    assert slips[::2] == ["小糖", "小方"], "a teacher's password is not the class's business"
    assert guest.open("/me").main.text.startswith("我的 有账号吗"), "signed out"


def slips_one_a_print(full_school: School, guest: Reader, monkeypatch: pytest.MonkeyPatch) -> Element:
    """The form for new slips of a class of two, where one is the most for a print."""
    join_new(guest, code_of(full_school.teacher, full_school.classroom), "小方")
    monkeypatch.setattr(roster_files, "MOST_STUDENTS", 1)
    return full_school.teacher.open(full_school.here).form(f"{full_school.here}/slips", "换新密码")


def test_a_class_too_large_for_one_print_gets_its_slips_in_turn(
    full_school: School, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    slips_one_a_print(full_school, guest, monkeypatch)
    form = full_school.teacher.page.form(f"{full_school.here}/slips", "全班都换")
    first = full_school.teacher.submit(form, "全班都换")
    assert secrets_on(first)[::2] == ["小糖"]
    assert "还有1位没有换" in first.main.text
    assert not guest.open("/me").main.text.startswith("我的 有账号吗"), "whoever gets no slip loses nothing"
    second = full_school.teacher.submit(first.form(f"{full_school.here}/slips"))
    assert secrets_on(second)[::2] == ["小方"]
    assert not second.root.all("form", action=f"{full_school.here}/slips")


def test_slips_in_turn_pass_over_nobody_when_somebody_leaves_between(
    full_school: School, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    slips_one_a_print(full_school, guest, monkeypatch)
    [place, _] = [box["value"] for box in full_school.teacher.page.main.all("input", name="student")]
    form = full_school.teacher.page.form(f"{full_school.here}/slips", "全班都换")
    first = full_school.teacher.submit(form, "全班都换")
    assert secrets_on(first)[::2] == ["小糖"]
    full_school.teacher.post(f"{full_school.here}/students/{place}/removals", [])
    second = full_school.teacher.submit(first.form(f"{full_school.here}/slips"))
    assert secrets_on(second)[::2] == ["小方"]


def test_everybody_who_is_ticked_gets_a_slip(
    full_school: School, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = slips_one_a_print(full_school, guest, monkeypatch)
    ticked = [element["value"] for element in form.all("input", name="student")]
    slips = full_school.teacher.submit(form, "换新密码，出密码条", student=ticked)
    assert secrets_on(slips)[::2] == ["小糖", "小方"]


def test_new_passwords_for_nobody_or_for_a_teacher_are_refused_in_their_form(full_school: School) -> None:
    """The ticks stay; the forms of the page that were not sent say nothing."""
    teacher, slips_address = full_school.teacher, f"{full_school.here}/slips"
    form = teacher.open(full_school.here).form(slips_address, "换新密码")
    page = teacher.submit(form, status=422)
    assert "一位也没勾" in page.form(slips_address, "换新密码").one("p", class_="error").text
    assert len(page.main.all("p", class_="error")) == 1
    full_school.other_teacher.open(f"/join/{code_of(teacher, full_school.classroom)}")
    full_school.other_teacher.submit(
        full_school.other_teacher.page.form(full_school.other_teacher.page.path), name="李"
    )
    form = teacher.open(full_school.here).form(slips_address, "换新密码")
    ticked_ids = [element["value"] for element in form.all("input", name="student")]
    form = teacher.submit(form, status=422, student=ticked_ids).form(slips_address, "换新密码")
    assert "李也是一位老师" in form.one("p", class_="error").text
    assert [value for name, value in filled(form) if name == "student"] == ticked_ids


def test_an_archived_class_offers_nothing_that_would_fail(full_school: School) -> None:
    full_school.teacher.open(full_school.here)
    full_school.teacher.submit(full_school.teacher.page.form(f"{full_school.here}/archivings"))
    for page in (f"{full_school.here}/projector", f"{full_school.here}/roster", full_school.of_student):
        main = full_school.teacher.open(page).main
        assert not main.all("form"), page
    assert "先恢复它" in full_school.teacher.open(f"{full_school.here}/roster").main.text
    assert "这个班已经结束" in full_school.student.open(full_school.here).main.text
    lists = full_school.student.open("/classrooms").main
    assert [title.text for title in lists.all("h2")] == ["结束了的班"]
    assert lists.one("section").one("a")["href"] == full_school.here


def test_who_was_taken_out_of_a_class_is_not_told_that_they_never_were_in_one(full_school: School) -> None:
    assert "我在的班" in full_school.student.open("/classrooms").main.text
    full_school.teacher.open(full_school.of_student)
    full_school.teacher.submit(full_school.teacher.page.form(f"{full_school.of_student}/removals"))
    text = full_school.student.open("/classrooms").main.text
    assert "高一3班" not in text
    assert "你现在哪个班都不在" in text


def test_a_teacher_sees_the_class_as_its_students_do(full_school: School) -> None:
    assert "还没有布置作业" in full_school.teacher.open(f"{full_school.here}/preview").main.text
    number = assigned(full_school).rpartition("/")[2]
    own = full_school.student.open(full_school.here).main
    preview = full_school.teacher.open(f"{full_school.here}/preview").main
    assert "这是同学看到的班级页" in preview.text
    assert own.one("h1").text == preview.one("h1").text
    [link] = [element for element in preview.all("a") if element.text == "第一周"]
    assert link["href"] == f"{full_school.here}/assignments/{number}/preview"
    assert full_school.teacher.open(link["href"]).main.all("fieldset")
    assert not preview.all("a", href="/assignments"), "a teacher has none"
    assert [element.html for element in own.all("section")[1:]] == [
        element.html for element in preview.all("section")[1:]
    ]


def test_a_class_lists_to_its_students_what_there_is_to_do_in_it(full_school: School) -> None:
    """They wait on this page while their teacher gives it out."""
    student = full_school.student
    assert "现在没有要做的" in student.open(full_school.here).main.text
    task = assigned(full_school)
    other_class = new_class(full_school.teacher, "高一5班")
    student.open(f"/join/{code_of(full_school.teacher, other_class)}")
    student.submit(student.page.form(student.page.path), name="小糖")
    [line] = student.open(full_school.here).main.all("li", class_="task")
    assert line.text == "第一周 没有截止时间 做到一半"
    assert line.one("a")["href"] == task
    assert "现在没有要做的" in student.open(f"/classrooms/{other_class}").main.text
    assert not student.page.main.all("li", class_="task")
    student.open(f"{task}/hand-in")
    student.submit(student.page.form(f"{task}/hand-ins"))
    assert "现在没有要做的" in student.open(full_school.here).main.text


def test_moving_renaming_removing_and_putting_back(full_school: School) -> None:
    teacher = full_school.teacher
    to = new_class(teacher, "高一5班")
    teacher.open(full_school.of_student)
    teacher.submit(teacher.page.form(f"{full_school.of_student}/names"), name="糖糖")
    assert "糖糖" in teacher.open(full_school.here).main.text
    teacher.open(full_school.of_student)
    teacher.submit(teacher.page.form(f"{full_school.of_student}/removals"))
    assert "还没有人" in teacher.page.main.text
    teacher.submit(teacher.page.form(f"{full_school.of_student}/returns"))
    teacher.open(full_school.of_student)
    for marks, brought, words in (
        ("leave", "none", "换过来了，成绩留在原来的班。"),
        ("carry", "0", "换过来了；没有成绩可带："),
    ):
        form = teacher.page.form(f"{full_school.of_student}/moves")
        other_class, back = to, full_school.classroom
        teacher.submit(form, to=str(other_class), marks=marks)
        assert teacher.page.path == f"/classrooms/{other_class}?brought={brought}"
        assert teacher.page.main.one("p", class_="done").text.startswith(words)
        if marks == "leave":
            of_student = f"/classrooms/{other_class}/students/{full_school.place_of_student}"
            teacher.submit(teacher.open(of_student).form(f"{of_student}/moves"), to=str(back), marks=marks)
            teacher.open(full_school.of_student)
    assert "糖糖" in teacher.page.main.one("table", class_="heat-table").text


def test_my_data_comes_as_a_file(full_school: School) -> None:
    page = full_school.student.open("/me/data")
    response = full_school.student.client.get(page.main.one("a", download="")["href"])
    assert response.headers["content-disposition"].startswith("attachment")
    export = response.json()
    assert [row["login"] for row in export["account"]] == ["小糖"]
    assert len(export["response"]) == 2
    assert "argon2" not in response.text


def test_an_account_is_deleted_after_the_password_says_so(full_school: School, ledger: Ledger) -> None:
    reader = full_school.other_student
    form = reader.open("/me/data").form("/me/deletions")
    page = reader.submit(form, password=PASSWORD, status=422)
    assert "先勾上" in page.by_id("delete-error").text
    assert [field["name"] for field in page.main.all("input", aria_invalid="true")] == ["sure"]
    page = reader.submit(form, password="不对不对不对", sure="yes", status=422)
    assert "密码不对" in page.by_id("delete-error").text
    assert [field["name"] for field in page.main.all("input", aria_invalid="true")] == ["password"]
    reader.submit(form, password=PASSWORD, sure="yes")
    assert reader.page.path == "/me?done=deletion"
    assert reader.client.cookies.get(COOKIE) is None
    assert ledger.rows("SELECT count(*) FROM account WHERE login = '小序'") == [(0,)]


def test_a_code_runs_out_by_itself(
    teacher: Reader, classroom: int, guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_of(teacher, classroom)
    monkeypatch.setattr(classrooms, "CODE_OPEN_FOR", timedelta(0))
    teacher.submit(teacher.page.form(f"/classrooms/{classroom}/openings", "再开"))
    guest.open(f"/join/{code}", status=404)
    closed_card = teacher.open(f"/classrooms/{classroom}/projector").main.one("div", class_="projector-code")
    assert "没有开门" in closed_card.text
    assert closed_card.one("button").text.startswith("开门")
    assert browser(teacher.client).client.get(f"/join/{code}").status_code == 404


def test_who_is_asked_only_to_look_reads_of_no_changes(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    staff_url = f"/classrooms/{classroom}/staff"
    for role, may_change in (("reader", False), ("assistant", True)):
        form = teacher.open(staff_url).form(f"{staff_url}/invitations")
        page = teacher.submit(form, role=role)
        [link] = re.findall(r"/staff/[\w-]{20,}", page.main.text)
        assert ("改动记录" in guest.open(link).main.text) == may_change
