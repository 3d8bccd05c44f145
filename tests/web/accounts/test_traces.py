"""What an attack leaves behind: lines in the security log, without anybody's secrets."""

from starlette.testclient import TestClient

from app.records.people import security_log
from app.settings import Settings
from tests.web.cast import Reader
from tests.web.school import PASSWORD, code_of, invitation, join_new, new_class, new_teacher, sign_in, sign_up


def lines(settings: Settings) -> list[str]:
    """What the log says, without the times."""
    text = (settings.data / security_log.LOG_FILE_NAME).read_text("utf-8")
    return [line.partition(" ")[2] for line in text.splitlines()]


def test_a_refused_sign_in_is_noted_without_what_was_typed(
    client: TestClient, guest: Reader, settings: Settings
) -> None:
    new_teacher(client, "王老师")
    sign_in(guest, "王 老师", "不对不对不对", status=422)
    sign_in(guest, "我的密码写错了格子", "x", status=422)
    assert lines(settings)[1:] == [
        "sign-in-refused name=王?老师 address=testclient",
        "sign-in-refused name=- address=testclient",
    ]


def test_invitations_and_new_passwords_are_noted(
    client: TestClient, guest: Reader, other_guest: Reader, settings: Settings
) -> None:
    teacher = new_teacher(client, "王老师")
    sign_up(other_guest, "李")
    classroom = new_class(teacher, "高一3班")
    join_new(guest, code_of(teacher, classroom), "小糖")
    assert teacher.post(f"/classrooms/{classroom}/slips", [("everyone", "yes")]).status_code == 200
    path = invitation(client)
    other_guest.submit(other_guest.open(path).form(f"{path}/acceptances"))
    assert other_guest.post(f"{path}/acceptances", []).url.path == "/classrooms", "tapped twice"
    assert lines(settings) == [
        "invitation-used name=王老师 address=testclient",
        f"passwords-reset classroom={classroom} students=1",
        "invitation-used by=account address=testclient",
    ]
    assert PASSWORD not in (settings.data / security_log.LOG_FILE_NAME).read_text("utf-8")


def test_what_is_sent_twice_is_noted_once(client: TestClient, guest: Reader, settings: Settings) -> None:
    """The form of a new teacher, and the way in of who helps."""
    path = invitation(client)
    twin, form = guest.twin(), guest.open(path).form(f"{path}/accounts")
    for reader in (guest, twin):
        assert reader.submit(form, login="王老师", password=PASSWORD).path == "/classrooms"
    classroom = new_class(guest, "高一3班")
    staff_address = f"/classrooms/{classroom}/staff"
    page = guest.submit(guest.open(staff_address).form(f"{staff_address}/invitations"), role="assistant")
    link = page.by_id("staff-link").text.partition("testserver")[2]
    helper = new_teacher(client, "周老师")
    form = helper.open(link).form(f"{link}/acceptances")
    for _ in range(2):
        assert helper.submit(form).path == f"/classrooms/{classroom}"
    assert lines(settings) == [
        "invitation-used name=王老师 address=testclient",
        f"staff-invited classroom={classroom}",
        "invitation-used name=周老师 address=testclient",
        f"staff-joined classroom={classroom} address=testclient",
    ]


def test_a_deleted_class_is_noted(client: TestClient, settings: Settings) -> None:
    teacher = new_teacher(client, "王老师")
    classroom = new_class(teacher, "高一3班")
    address = f"/classrooms/{classroom}"
    teacher.post(f"{address}/deletions", [("name", "高一3班")])
    teacher.post(f"{address}/archivings", [])
    for _ in range(2):
        assert teacher.post(f"{address}/deletions", [("name", "高一3班")]).url.path == "/classrooms"
    assert lines(settings)[1:] == [f"class-deleted classroom={classroom} students=0"]
