"""Every route with every role. A route that is added without a row here fails the first test.

Whoever is not the teacher of a class gets 404 for everything in it, as for a class that never was.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path
from shutil import copyfile

import httpx2
import pytest
from fastapi import FastAPI
from sqlmodel import SQLModel
from starlette.routing import Route
from starlette.testclient import TestClient

from app import teaching_pages, web
from app.main import FREQUENT_ROUTES, ROUTE_MODULES, site_routes, teaching_routes
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.people import operator_accounts
from app.settings import Settings
from app.web.authoring.own_views import template_text
from app.web.site.clock import now
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from app.web.site.site import Site
from tests.records.term import term
from tests.tables import each
from tests.web.cast import Ledger, Reader, browser, opened_site, settings_at, site_with
from tests.web.pages import Fields
from tests.web.school import School, assigned, code_of, invitation, new_class, school, sign_up

ROLES = ("guest", "stranger", "student", "colleague", "teacher")
"""In the order in which each route is tried: the one who may change something comes last."""

OPEN = dict.fromkeys(ROLES, 0)
"""For everybody, or about oneself alone: the tests of that page say more. Never an error of ours."""
TEACHER = dict.fromkeys(ROLES, 404)
SEES = TEACHER | {"teacher": 200}
DOES = TEACHER | {"teacher": 303}
REFUSED = TEACHER | {"teacher": 422}
"""What its content would lose once somebody has begun it."""
TEACHERS = SEES | {"colleague": 200}
CLASS, OWN = "/classrooms/{classroom_id}", "/own/{name}"
ASSIGNMENT = CLASS + "/assignments/{assignment_id}"
TASK = "/assignments/{assignment_id}"
EXTRA = CLASS + "/gradebook/columns/{extra_column_id}"
STUDENT = CLASS + "/students/{student_id}"
OF_WORK = ASSIGNMENT + "/students/{student_id}"
FOR_EVERYBODY = """
GET /
GET /bands
GET /cards
GET /cards/all
GET /cards/files
GET /code
GET /code/{exercise_id}
GET /course
GET /errata
GET /errata/{case_id}
GET /examples
GET /examples/{example_id}
GET /five-minutes
GET /games
GET /games/duel
GET /games/interleaving
GET /games/judging
GET /games/monster
GET /games/pushing
GET /glossary
GET /glossary/{term_id}
GET /healthz
GET /livez
GET /readyz
GET /items/{item_id}
GET /labs/lambdarank
GET /labs/lambdarank/board
GET /lessons/{stage_id}
GET /lessons/{stage_id}/{section_id}
GET /metrics
GET /mistakes
GET /placement
GET /play
GET /play/board
GET /practice
GET /practice/map
GET /practice/next
GET /practice/{exercise_id}
GET /practice/{exercise_id}/print
GET /privacy
GET /robots.txt
GET /search
GET /sources
GET /warm-ups
GET /warm-ups/{day}
GET /workbench
GET /workbench/probe
GET /workbench/qr
GET /workbench/reconcile
GET /sign-in
GET /sign-up
GET /join
POST /accounts
POST /accounts/sign-ins
POST /preferences
POST /sign-ins
POST /workbench
POST /workbench/reconcile
"""
ABOUT_ONESELF = """
GET /bookmarks
GET /bookmarks/new
GET /cards/files/{name}
GET /cards/new
GET /cards/review
GET /cards/settings
GET /cards/stats
GET /cards/{name}
GET /cards/{name}/edit
GET /assignments
GET /classrooms
GET /me
GET /me/data
GET /me/data.json
GET /progress
GET /progress/certificate
POST /bookmarks
POST /bookmarks/{bookmark_id}/removals
POST /cards/collected
POST /cards/imports
POST /cards/less
POST /cards/own
POST /cards/settings
POST /cards/undone
POST /cards/{card}/answers
POST /cards/{card}/reviews
POST /cards/{name}/deletion
POST /cards/{name}/edit
POST /cards/{name}/status
POST /examples/{example_id}/reveals
POST /examples/{example_id}/rounds
POST /games/duel/{seed}/moves
POST /games/interleaving/{seed}/moves
POST /games/judging/{seed}/moves
POST /games/monster/{level}/{seed}/moves
POST /games/pushing/{seed}/moves
POST /lessons/{stage_id}/rounds
POST /lessons/{stage_id}/{section_id}/places
POST /me/deletions
POST /me/devices/endings
POST /me/devices/{device_id}/endings
POST /me/passwords
POST /reports
POST /resume-codes
POST /sign-outs
POST /{context_part}/{name_in_context}/hints
POST /{context_part}/{name_in_context}/orderings
POST /{context_part}/{name_in_context}/responses
POST /{context_part}/{name_in_context}/solutions
"""
TABLE: dict[str, dict[str, int]] = {
    **dict.fromkeys(filter(None, (FOR_EVERYBODY + ABOUT_ONESELF).split("\n")), OPEN),
    "GET /attempts/{attempt_id}": TEACHER | {"teacher": 404, "student": 200},
    "POST /classrooms": TEACHER | {"teacher": 303, "colleague": 303},
    "POST /series": DOES,
    f"GET {CLASS}": SEES | {"student": 200},
    f"GET {CLASS}/preview": SEES,
    f"GET {CLASS}/arrivals": SEES,
    f"GET {CLASS}/projector": SEES,
    f"GET {CLASS}/roster": SEES,
    f"POST {CLASS}/roster-previews": SEES,
    f"POST {CLASS}/roster": SEES,
    f"POST {CLASS}/slips": SEES,
    f"POST {CLASS}/number-kinds": DOES,
    f"POST {CLASS}/doors": DOES,
    f"POST {CLASS}/notices": DOES,
    f"GET {CLASS}/groups": SEES,
    f"POST {CLASS}/groups": DOES,
    f"POST {CLASS}/groups/members": DOES,
    f"POST {CLASS}/groups/splits": REFUSED,
    f"POST {CLASS}/groups/{{group_id}}/names": DOES,
    f"POST {CLASS}/groups/{{group_id}}/removals": DOES,
    f"GET {CLASS}/staff": SEES,
    f"POST {CLASS}/staff/invitations": SEES,
    f"POST {CLASS}/staff/withdrawals": DOES,
    f"POST {CLASS}/staff/departures": REFUSED,
    f"POST {CLASS}/staff/{{role_id}}/removals": DOES,
    "GET /staff/{token}": TEACHER,
    "POST /staff/{token}/acceptances": TEACHER,
    f"GET {CLASS}/successor": SEES,
    f"POST {CLASS}/successors": DOES,
    f"GET {CLASS}/deletion": SEES,
    f"POST {CLASS}/deletions": REFUSED,
    f"GET {CLASS}/responses.csv": SEES,
    f"POST {CLASS}/archivings": DOES,
    f"POST {CLASS}/restorings": DOES,
    f"POST {CLASS}/openings": DOES,
    f"POST {CLASS}/closings": DOES,
    f"POST {CLASS}/names": DOES,
    f"GET {CLASS}/today": SEES,
    f"GET {CLASS}/today/live": SEES,
    f"GET {CLASS}/mistakes": SEES,
    f"GET {CLASS}/items": SEES,
    f"GET {CLASS}/map": SEES,
    f"GET {CLASS}/tests": SEES,
    f"GET {CLASS}/assignments/{{assignment_id}}/review": SEES,
    f"POST {CLASS}/remedies": DOES,
    f"POST {CLASS}/map/drafts": DOES,
    f"POST {CLASS}/tests": DOES,
    f"GET {CLASS}/gradebook": SEES,
    f"GET {CLASS}/gradebook.csv": SEES,
    f"GET {CLASS}/gradebook.xlsx": SEES,
    f"GET {CLASS}/gradebook/total": SEES,
    f"POST {CLASS}/gradebook/total": DOES,
    f"POST {CLASS}/gradebook/columns": DOES,
    f"GET {EXTRA}": SEES,
    f"POST {EXTRA}/marks": DOES,
    f"POST {EXTRA}/lists": SEES,
    f"POST {EXTRA}/settings": DOES,
    f"POST {EXTRA}/removals": DOES,
    f"GET {CLASS}/audit": SEES,
    f"GET {OF_WORK}": SEES,
    f"POST {OF_WORK}/overrides": DOES,
    f"POST {OF_WORK}/withdrawals": DOES,
    f"POST {OF_WORK}/question-marks": DOES | {"teacher": 422},  # nothing is handed in yet
    f"POST {OF_WORK}/excuses": DOES,
    f"POST {OF_WORK}/comments": DOES,
    f"GET {ASSIGNMENT}/paper-marks": SEES,
    f"POST {ASSIGNMENT}/paper-marks/lists": SEES,
    f"POST {ASSIGNMENT}/paper-marks": DOES,
    f"GET {ASSIGNMENT}/regrades": SEES,
    f"POST {ASSIGNMENT}/regrades": DOES,
    f"GET {ASSIGNMENT}/marking": SEES,
    f"POST {ASSIGNMENT}/marking": TEACHER,
    f"GET {STUDENT}": SEES,
    f"GET {STUDENT}/attempts/{{attempt_id}}": SEES,
    f"POST {STUDENT}/moves": DOES,
    f"POST {STUDENT}/time-factors": DOES,
    f"POST {STUDENT}/names": DOES,
    f"POST {STUDENT}/removals": DOES,
    f"POST {STUDENT}/returns": DOES,
    f"GET {CLASS}/assignments": SEES,
    f"POST {CLASS}/assignments": DOES,
    f"GET {ASSIGNMENT}": SEES,
    f"GET {ASSIGNMENT}/items": SEES,
    f"GET {ASSIGNMENT}/preview": SEES,
    f"GET {ASSIGNMENT}/paper": SEES,
    f"POST {ASSIGNMENT}/settings": DOES,
    f"POST {ASSIGNMENT}/assignees": DOES,
    f"POST {ASSIGNMENT}/publications": DOES,
    f"POST {ASSIGNMENT}/closings": DOES,
    f"POST {ASSIGNMENT}/collections": DOES,
    f"POST {ASSIGNMENT}/copies": DOES,
    f"POST {ASSIGNMENT}/series": DOES,
    f"POST {ASSIGNMENT}/series/departures": DOES,
    f"POST {ASSIGNMENT}/extensions": DOES,
    f"POST {ASSIGNMENT}/excuses": DOES,
    f"POST {ASSIGNMENT}/removals": REFUSED,
    f"POST {ASSIGNMENT}/parts": REFUSED,
    f"POST {ASSIGNMENT}/parts/settings": REFUSED,
    f"POST {ASSIGNMENT}/parts/banks": REFUSED,
    f"POST {ASSIGNMENT}/parts/banks/{{bank}}/removals": REFUSED,
    f"POST {ASSIGNMENT}/parts/{{part_id}}/moves": REFUSED,
    f"POST {ASSIGNMENT}/parts/{{part_id}}/swaps": REFUSED,
    f"POST {ASSIGNMENT}/parts/{{part_id}}/removals": REFUSED,
    f"GET {TASK}": TEACHER | {"student": 200, "teacher": 404},
    f"POST {TASK}/passes": TEACHER | {"student": 303, "teacher": 404},
    f"GET {TASK}/passes/{{attempt_number}}": TEACHER | {"student": 200, "teacher": 404},
    f"GET {TASK}/hand-in": TEACHER | {"student": 200, "teacher": 404},
    f"POST {TASK}/hand-ins": TEACHER | {"student": 303, "teacher": 404},
    f"GET {TASK}/questions/{{question_number}}": TEACHER | {"student": 200, "teacher": 404},
    f"POST {TASK}/questions/{{question_number}}/responses": TEACHER | {"student": 303, "teacher": 404},
    f"POST {TASK}/questions/{{question_number}}/drafts": TEACHER | {"student": 200, "teacher": 404},
    f"POST {TASK}/questions/{{question_number}}/hints": TEACHER | {"student": 303, "teacher": 404},
    f"POST {TASK}/questions/{{question_number}}/orderings": TEACHER | {"student": 303, "teacher": 404},
    "GET /own": TEACHERS,
    "GET /own/new": TEACHERS,
    "POST /own": TEACHER | {"teacher": 303, "colleague": 303},
    "POST /own/previews": TEACHERS,
    "GET /own/pastes": TEACHERS,
    "GET /own/{name}/questions.{format_name}": SEES,
    "POST /own/pastes": TEACHERS,
    "POST /own/pastes/files": TEACHER | {"teacher": 422, "colleague": 422},
    "POST /own/uploads": TEACHER | {"teacher": 422, "colleague": 422},
    "GET /own/pictures": TEACHERS,
    "POST /own/pictures": TEACHER | {"teacher": 422, "colleague": 422},
    "POST /own/pictures/removals": TEACHER | {"teacher": 303, "colleague": 303},
    "GET /pictures/{name}.webp": TEACHER,
    f"GET {OWN}": SEES,
    f"GET {OWN}/file.yaml": SEES,
    f"GET {OWN}/items/{{item_id}}": SEES,
    f"GET {OWN}/lessons/{{section_id}}": SEES,
    f"GET {OWN}/lessons/{{section_id}}/toys/{{step_id}}": SEES,
    f"POST {OWN}/cards": DOES,
    f"POST {OWN}/lessons/{{section_id}}/places": DOES,
    f"POST {OWN}/examples/{{example_id}}/reveals": DOES,
    f"POST {OWN}/examples/{{example_id}}/rounds": DOES,
    f"POST {OWN}": DOES,
    f"POST {OWN}/copies": DOES,
    f"POST {OWN}/shares": DOES,
    f"POST {OWN}/deletions": DOES,
    "GET /join/{code}": dict.fromkeys(ROLES, 200),
    "POST /join/{code}": dict.fromkeys(ROLES, 303) | {"guest": 404, "teacher": 422},
    "POST /join/{code}/accounts": dict.fromkeys(ROLES, 422) | {"guest": 200},
    "GET /invitations/{token}": dict.fromkeys(ROLES, 200),
    "POST /invitations/{token}/acceptances": dict.fromkeys(ROLES, 303) | {"guest": 404, "student": 404},
    "POST /invitations/{token}/accounts": dict.fromkeys(ROLES, 404) | {"guest": 303},
}
HELPERS = ("reader", "assistant", "co-teacher")
"""Who helps in the class, in the order of what they may."""
OF_MARKS = {
    *(f"POST {OF_WORK}/overrides", f"POST {OF_WORK}/withdrawals", f"POST {OF_WORK}/excuses"),
    f"POST {OF_WORK}/question-marks",
    *(f"POST {OF_WORK}/comments", f"POST {EXTRA}/marks", f"POST {ASSIGNMENT}/marking"),
    f"POST {ASSIGNMENT}/paper-marks",
    f"POST {ASSIGNMENT}/excuses",
}
"""What an assistant may do."""
OF_TEACHER = {
    *(
        f"GET {CLASS}/successor",
        f"POST {CLASS}/successors",
        f"GET {CLASS}/deletion",
        f"POST {CLASS}/deletions",
    ),
    *(f"POST {CLASS}/archivings", f"POST {CLASS}/restorings", f"POST {CLASS}/slips", f"POST {STUDENT}/moves"),
    *(f"POST {CLASS}/staff/invitations", f"POST {CLASS}/staff/withdrawals"),
    f"POST {CLASS}/staff/{{role_id}}/removals",
}
"""What nobody may but the teacher of the class."""
FOREIGN = (f"POST {ASSIGNMENT}/copies", "co-teacher")
"""Into another class of the teacher, in which nobody helps."""
OF_WHO_TEACH = {f"GET {ASSIGNMENT}/items"}
"""Pages that are there to change something."""
OF_ALL_WHO_HELP = {
    f"POST {EXTRA}/lists": 200,
    f"POST {ASSIGNMENT}/paper-marks/lists": 200,
    f"POST {CLASS}/staff/departures": 303,
}
"""Posts that change nothing, or nothing but one's own."""


def expected_of(route: str, role: str) -> int:
    """The status that a helper gets: that of the teacher, or 403 for what their role does not allow."""
    if route in OF_ALL_WHO_HELP:
        return OF_ALL_WHO_HELP[route]
    if route in OF_TEACHER:
        return 403
    if (route, role) == FOREIGN:
        return 404
    status = TABLE[route]["teacher"]
    is_reading = route.startswith("GET ") and route not in OF_WHO_TEACH
    is_marking = route in OF_MARKS and role == "assistant"
    if is_reading or is_marking or role == "co-teacher":
        return status
    return 403


TOY = """\
- play: {row: [0, 1]}
        id: row
        handles: [order]
        guess: {ask: 几步？, options: [一步, 两步], right: 1}
        task: {kind: reach, words: 排到1。}
        told: 换一次。"""
FIELDS: dict[str, Fields] = {
    "POST /classrooms": [("name", "高二1班")],
    "POST /own": [("text", "title: 甜")],
    f"POST {OWN}": [("text", "title: 酸")],
    f"POST {CLASS}/names": [("name", "高一4班")],
    f"POST {CLASS}/groups": [("name", "第二组")],
    f"POST {CLASS}/groups/members": [("names", "小糖")],
    f"POST {CLASS}/groups/{{group_id}}/names": [("name", "甜甜组")],
    f"POST {CLASS}/staff/invitations": [("role", "reader")],
    f"POST {CLASS}/roster-previews": [("text", "姓名\n小方")],
    f"POST {CLASS}/roster": [("rows", "姓名\n小方")],
    f"POST {CLASS}/gradebook/columns": [("title", "出勤"), ("total", "10")],
    f"POST {EXTRA}/lists": [("text", "小糖,8")],
    f"POST {EXTRA}/settings": [("title", "期末"), ("total", "50")],
    f"POST {EXTRA}/removals": [("sure", "yes")],
    f"POST {CLASS}/successors": [("name", "高一3班（下）")],
    f"POST {CLASS}/remedies": [("mistake", "natural_log")],
    f"POST {CLASS}/map/drafts": [("skill", "content:dcg")],
    f"POST {CLASS}/tests": [("stage", "definitions")],
    f"POST {STUDENT}/names": [("name", "糖糖")],
    f"POST {STUDENT}/time-factors": [("factor", "1.5")],
    f"POST {OF_WORK}/overrides": [("points", "1"), ("reason", "口头补答")],
    f"POST {OF_WORK}/question-marks": [
        ("pass", "1"),
        ("question", "1"),
        ("points", "1"),
        ("reason", "过程对"),
    ],
    f"POST {OF_WORK}/excuses": [("reason", "病假")],
    f"POST {ASSIGNMENT}/paper-marks/lists": [("text", "小糖,1")],
    f"POST {ASSIGNMENT}/paper-marks": [("mark-1", "1"), ("reason", "纸上做的")],
    f"POST {OF_WORK}/comments": [("text", "思路对。")],
    f"POST {ASSIGNMENT}/regrades": [
        ("part", "1"),
        ("way", "full"),
        ("digest", RegradePlan().digest),
        ("reason", "印错了"),
    ],
    f"POST {CLASS}/assignments": [("title", "第二周")],
    "POST /series": [("title", "第二周")],
    f"POST {ASSIGNMENT}/settings": [("title", "第三周")],
    f"POST {ASSIGNMENT}/assignees": [("everyone", "yes")],
    f"POST {ASSIGNMENT}/excuses": [("note", "病了")],
    f"POST {ASSIGNMENT}/extensions": [("due", "2099-01-01T08:00"), ("note", "病了")],
    f"POST {ASSIGNMENT}/parts": [("kind", "item"), ("ref", "content:cg-chengdu")],
    f"POST {TASK}/questions/{{question_number}}/responses": [("sitting", "1"), ("answer", "7")],
    f"POST {TASK}/questions/{{question_number}}/drafts": [("sitting", "1"), ("answer", "7")],
    f"POST {TASK}/questions/{{question_number}}/hints": [("sitting", "1"), ("hint", "1")],
    f"POST {TASK}/questions/{{question_number}}/orderings": [("item", "cg-chengdu")],
    "POST /join/{code}/accounts": [("name", "又一位")],
    "POST /invitations/{token}/accounts": [("login", "新老师"), ("password", "一个够长的密码")],
}


@dataclass(frozen=True)
class BuiltSchool:
    """A school that was built once: its file, who has which cookie, what stands in its addresses."""

    file: Path
    tokens: dict[str, str | None]
    names: dict[str, str]


@pytest.fixture(scope="module")
def built_school(app: FastAPI, tmp_path_factory: pytest.TempPathFactory) -> BuiltSchool:
    settings = settings_at(tmp_path_factory.mktemp("school"))
    with opened_site(app, settings) as client:
        people = school(client, app.state.site.course)
        names = {
            "classroom_id": str(people.classroom),
            "student_id": str(people.place_of_student),
            "attempt_id": str(people.attempt),
            "assignment_id": assigned(people).rpartition("/")[2],
            "part_id": "1",
            "bank": "1",
            "question_number": "1",
            "attempt_number": "1",
            "to": str(new_class(people.teacher, "高一5班")),
            "code": code_of(people.teacher, people.classroom),
            "token": invitation(client).rpartition("/")[2],
            "format_name": "txt",
            **own_content(people.teacher),
        }
        names["extra_column_id"] = extra_column(people)
        names["group_id"] = group(people)
        make_a_mistake(settings, people)
        tokens = {
            "guest": None,
            "student": people.student.token,
            "stranger": people.other_student.token,
            "teacher": people.teacher.token,
            "colleague": people.other_teacher.token,
        }
        for role in HELPERS:
            tokens[role] = helper(client, people, role)
        names["role_id"] = "1"
    return BuiltSchool(settings.database_path, tokens, names)


def helper(client: TestClient, school: School, role: str) -> str | None:
    """The cookie of somebody who took the link for a role."""
    page = school.teacher.open(f"{school.here}/staff")
    page = school.teacher.submit(page.form(f"{school.here}/staff/invitations"), role=role)
    link = page.by_id("staff-link").text.partition("testserver")[2]
    someone = browser(client)
    sign_up(someone, f"帮手{HELPERS.index(role)}")
    someone.submit(someone.open(link).form(f"{link}/acceptances"))
    assert someone.page.path == school.here
    return someone.token


def extra_column(school: School) -> str:
    """The number of a column of the teacher's own."""
    page = school.teacher.open(f"{school.here}/gradebook")
    form = page.form(f"{school.here}/gradebook/columns")
    return school.teacher.submit(form, title="期中", total="100").path.rpartition("/")[2]


def group(school: School) -> str:
    """The number of a group without anybody."""
    page = school.teacher.open(f"{school.here}/groups")
    page = school.teacher.submit(page.form(f"{school.here}/groups"), name="第一组")
    return page.by_id("group-target").all("option")[0]["value"]


def make_a_mistake(settings: Settings, school: School) -> None:
    """小糖 reckons with ln, so that there is something to remedy."""
    with term(settings.database_url, school.classroom, now()) as write:
        work = write.assignment([("practice", "content:dcg", 2, 1)])
        attempt = write.begin(work, school.place_of_student, -5)
        write.answer(attempt, "content:practice-dcg-2#1", -4, misconception="natural_log")


def own_content(teacher: Reader) -> dict[str, str]:
    """What stands in the addresses of the small lesson that the template makes, with a movable row in it."""
    teacher.open("/own/new?template=section")
    text = template_text("section").replace("- figure: contributions\n        example: breakfast", TOY)
    path = teacher.submit(teacher.page.form("/own", "存"), text=text).path
    inside = {"item_id": "guess-first", "section_id": "first", "example_id": "breakfast", "step_id": "row"}
    return {"name": path.removeprefix("/own/").partition("?")[0], **inside}


@pytest.fixture
def settings(built_school: BuiltSchool, tmp_path: Path) -> Settings:
    """The school's database instead of an empty one."""
    settings_of_copy = Settings(data=tmp_path / "data")
    settings_of_copy.make_folders()
    copyfile(built_school.file, settings_of_copy.database_path)
    return settings_of_copy


def reader_as(client: TestClient, built_school: BuiltSchool, role: str) -> Reader:
    reader = browser(client)
    if token := built_school.tokens[role]:
        reader.client.cookies.set(COOKIE, token)
    return reader


@pytest.fixture(scope="module")
def shared(built_school: BuiltSchool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A site of its own for all requests that may change nothing, with a copy of the school."""
    settings = settings_at(tmp_path_factory.mktemp("shared"))
    copyfile(built_school.file, settings.database_path)
    with site_with(settings) as client:
        yield client


def routes() -> Iterator[str]:
    for route in (*site_routes(), *teaching_routes()):
        assert isinstance(route, Route)
        yield from (f"{method} {route.path}" for method in sorted(route.methods or ()) if method != "HEAD")


def test_every_route_has_a_row() -> None:
    assert sorted(routes()) == sorted(TABLE)


def test_every_module_with_routes_is_on_the_site() -> None:
    """A module whose routes nobody mounts has none of them in the table."""
    all_modules = (*ROUTE_MODULES, *teaching_pages.ROUTE_MODULES)
    assert modules_that_set("router") == {Path(str(module.__file__)) for module in all_modules}
    hot_modules = {Path(inspect.getfile(route.endpoint)) for route in FREQUENT_ROUTES}
    assert modules_that_set("FREQUENT_ROUTES") == hot_modules


def modules_that_set(name: str) -> set[Path]:
    modules = Path(str(web.__file__)).parent.rglob("*.py")
    return {path for path in modules if f"\n{name} = " in path.read_text("utf-8")}


CLOSED = [name for name, roles in TABLE.items() if roles is not OPEN]
OPEN_ROUTES = [name for name, roles in TABLE.items() if roles is OPEN]


@each("route", [name for name in CLOSED if name.startswith("GET ")])
def test_who_may_read(shared: TestClient, built_school: BuiltSchool, route: str) -> None:
    who_may(shared, built_school, route)


@pytest.mark.parametrize("route", [name for name in CLOSED if not name.startswith("GET ")])
def test_who_may_change(client: TestClient, built_school: BuiltSchool, route: str) -> None:
    who_may(client, built_school, route)


NAMES_IN_COURSE = {
    "stage_id": "concepts",
    "section_id": "which-is-better",
    "example_id": "two-systems-a",
    "item_id": "two-systems-why",
    "exercise_id": "gain-v2",
    "term_id": "query",
    "case_id": "always-100",
    "name": "three-wishes-said",
    "card": "three-wishes-said",
    "seed": "7",
    "level": "1",
    "day": "1",
    "context_part": "items",
    "name_in_context": "two-systems-why",
    "bookmark_id": "1",
    "device_id": "1",
}


@pytest.mark.long
def test_what_is_for_everybody_fails_nobody(client: TestClient, built_school: BuiltSchool) -> None:
    """Whatever is sent: a page, a way on, or a sentence."""
    names = built_school.names | NAMES_IN_COURSE
    course_and_school = BuiltSchool(built_school.file, built_school.tokens, names)
    for role, route in product(ROLES, OPEN_ROUTES):
        response = ask(reader_as(client, built_school, role), course_and_school, route)
        assert response.status_code < 500, (role, route, response.text[-1500:])


def who_may(client: TestClient, built_school: BuiltSchool, route: str) -> None:
    """As the table says; those who find nothing there have changed nothing, and learn no name."""
    for is_absent, neighbouring_roles in groupby(ROLES, lambda role: TABLE[route][role] == 404):
        roles = list(neighbouring_roles)
        before = everything(ledger_of(client)) if is_absent else {}
        for role in roles:
            response = ask(reader_as(client, built_school, role), built_school, route)
            assert response.status_code == TABLE[route][role], (role, response.text[-1500:])
            if is_absent:
                assert_unnamed(response.text)
        if is_absent:
            assert everything(ledger_of(client)) == before, roles


def assert_unnamed(html: str) -> None:
    """Neither the class nor its student, beside what was sent by whoever asks, which stands there again."""
    sent_part_pattern = r'<form id="again".*?</form>|<div class="written">.*?</div>'
    answer = re.sub(sent_part_pattern, "", html, flags=re.DOTALL)
    assert "高一3班" not in answer
    assert "小糖" not in answer


WRONG_NUMBERS = ("999999", "abc", str(2**63), "0", str(2**62), "-1", "1.5", "%00")
"""A number of nobody, a word, and what no database can hold; then the rest of each kind."""
NAMES_OF_A_CLASS = (
    *("student_id", "attempt_id", "assignment_id", "part_id", "bank"),
    *("extra_column_id", "group_id", "role_id", "question_number"),
)
"""What in an address belongs to one class."""
GONE_WITH_A_FIRST_TAP = {
    f"POST {CLASS}/deletions": "classroom_id",
    f"POST {ASSIGNMENT}/removals": "assignment_id",
}
"""What deletes, and the number of what it deletes: a second tap finds nothing, and is told what the first one
did."""
IN_CLASS = [route for route in CLOSED if "{classroom_id}" in route]


@each("route", [route for route in IN_CLASS if route.startswith("GET ")])
@each("role", HELPERS)
def test_what_helpers_may_read(shared: TestClient, built_school: BuiltSchool, route: str, role: str) -> None:
    helpers_may(shared, built_school, route, role)


CHANGES_BY_HELPERS = [
    (route, role) for route, role in product(IN_CLASS, HELPERS) if not route.startswith("GET ")
]


@each(("route", "role"), [change for change in CHANGES_BY_HELPERS if expected_of(*change) == 403])
def test_what_helpers_may_not_change(
    shared: TestClient, built_school: BuiltSchool, route: str, role: str
) -> None:
    helpers_may(shared, built_school, route, role)


@pytest.mark.parametrize(
    ("route", "role"),
    [
        pytest.param(route, role, marks=[pytest.mark.long] if role == HELPERS[2] else [])
        for route, role in CHANGES_BY_HELPERS
        if expected_of(route, role) != 403
    ],
)
def test_what_helpers_may_change(
    client: TestClient, built_school: BuiltSchool, route: str, role: str
) -> None:
    helpers_may(client, built_school, route, role)


def helpers_may(client: TestClient, built_school: BuiltSchool, route: str, role: str) -> None:
    """As the table says; who may not, learns whom to ask, and nothing has changed."""
    is_refused = expected_of(route, role) == 403
    before = everything(ledger_of(client)) if is_refused else {}
    response = ask(reader_as(client, built_school, role), built_school, route)
    assert response.status_code == expected_of(route, role), response.text[-1500:]
    if is_refused:
        assert everything(ledger_of(client)) == before
        assert "请找王。" in response.text


def ledger_of(client: TestClient) -> Ledger:
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    return Ledger(site.settings.database_url)


def ask(reader: Reader, built_school: BuiltSchool, route: str) -> httpx2.Response:
    method, _, path = route.partition(" ")
    path = path.format_map(built_school.names)
    if method == "GET":
        return reader.client.get(path)
    own = FIELDS.get(route, [("name", f"新来的{reader.token or ''}"[:12])])
    fields = [*own, ("to", built_school.names["to"]), ("student", built_school.names["student_id"])]
    fields.append(("class", built_school.names["classroom_id"]))
    if path.endswith("previews"):
        return reader.client.post(path, files={"file": ("list.csv", "姓名\n小方".encode())})
    return reader.client.post(path, data=dict(fields), follow_redirects=False)


TABLES_OF_PEOPLE = sorted(SQLModel.metadata.tables.keys() - {"throttle"})
"""Counted tries are not theirs."""


def everything(ledger: Ledger) -> dict[str, list[tuple[object, ...]]]:
    """All that people have."""
    with ledger.other_program() as connection:
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES_OF_PEOPLE}


@pytest.mark.parametrize(
    "wrong_numbers", [WRONG_NUMBERS[:3], pytest.param(WRONG_NUMBERS, marks=pytest.mark.long)], ids=len
)
@each("route", [name for name in TABLE if "{classroom_id}" in name or TASK in name])
def test_a_number_that_is_none_of_theirs(
    shared: TestClient, built_school: BuiltSchool, route: str, wrong_numbers: tuple[str, ...]
) -> None:
    """Also for the teacher: no other class, no other student, by changing a number."""
    teacher = reader_as(shared, built_school, "teacher")
    changed_names = [
        name
        for name in ("classroom_id", "student_id", "attempt_id", "assignment_id", "part_id")
        if f"{{{name}}}" in route
    ]
    for name, wrong in product(changed_names, wrong_numbers):
        names = built_school.names | {name: wrong}
        response = ask(teacher, BuiltSchool(built_school.file, built_school.tokens, names), route)
        is_second_tap = GONE_WITH_A_FIRST_TAP.get(route) == name and response.status_code == 303
        assert is_second_tap or response.status_code == 404, (name, wrong, response.text[-500:])


def test_a_student_of_another_class_is_not_reached_through_one_s_own(
    client: TestClient, built_school: BuiltSchool
) -> None:
    """The colleague's own class with the number of 王's student, and 王's own attempt by that way."""
    colleague = reader_as(client, built_school, "colleague")
    own = new_class(colleague, "高一6班")
    for path in (
        f"/classrooms/{own}/students/{built_school.names['student_id']}",
        f"/classrooms/{own}/students/{built_school.names['student_id']}/attempts/{built_school.names['attempt_id']}",
    ):
        assert colleague.client.get(path).status_code == 404
    path = f"/classrooms/{own}/slips"
    response = colleague.client.post(path, data={"student": built_school.names["student_id"]})
    assert response.status_code == 404
    moved = (
        f"/classrooms/{built_school.names['classroom_id']}/students/{built_school.names['student_id']}/moves"
    )
    assert colleague.client.post(moved, data={"to": str(own)}).status_code == 404
    teacher = reader_as(client, built_school, "teacher")
    assert teacher.client.post(moved, data={"to": str(own)}).status_code == 404, "nor into another's class"


def test_nothing_of_another_class_is_reached_through_ones_own(
    client: TestClient, built_school: BuiltSchool
) -> None:
    """李 sends every number that belongs to 王's class to the address of a class of 李."""
    colleague = reader_as(client, built_school, "colleague")
    own_class_id = str(new_class(colleague, "高一6班"))
    names = built_school.names | {"classroom_id": own_class_id, "to": own_class_id}
    school_of_colleague = BuiltSchool(built_school.file, built_school.tokens, names)
    before = everything(ledger_of(client))
    for route in IN_CLASS:
        if any(f"{{{name}}}" in route for name in NAMES_OF_A_CLASS):
            response = ask(colleague, school_of_colleague, route)
            assert response.status_code == 404, (route, response.text[-500:])
            assert_unnamed(response.text)
            assert everything(ledger_of(client)) == before, route


def test_work_for_another_teacher_stays_with_that_teacher(
    client: TestClient, settings: Settings, built_school: BuiltSchool
) -> None:
    """小糖 also joins a class of 李: who may read what was done for 王's assignment is 王 alone."""
    colleague, student = (
        reader_as(client, built_school, "colleague"),
        reader_as(client, built_school, "student"),
    )
    own = new_class(colleague, "数学社")
    student.open(f"/join/{code_of(colleague, own)}")
    student.submit(student.page.form(student.page.path), name="小糖")
    with term(settings.database_url, int(built_school.names["classroom_id"]), now()) as write:
        work = write.assignment([("practice", "content:dcg", 2, 1)], title="王的测验", answers="due")
        secret = write.begin(work, int(built_school.names["student_id"]), -5)
        write.answer(secret, "content:practice-dcg-2#1", -4, misconception="exponential_gain", raw=["6.66"])
    class_url = f"/classrooms/{own}"
    of_student = (
        colleague.open(class_url).main.one("table", class_="heat-table").one("tbody").one("a")["href"]
    )
    for page in (class_url, of_student, f"{class_url}/mistakes", f"{class_url}/items", f"{class_url}/map"):
        main = colleague.open(page).main
        assert "王的测验" not in main.text
        assert "6.66" not in main.text
        assert not main.all("a", href=f"{of_student}/attempts/{secret}")
    assert colleague.client.get(f"{of_student}/attempts/{secret}").status_code == 404
    assert (
        colleague.client.get(f"{of_student}/attempts/{built_school.names['attempt_id']}").status_code == 200
    )
    teacher = reader_as(client, built_school, "teacher")
    assert (
        teacher.client.get(STUDENT.format_map(built_school.names) + f"/attempts/{secret}").status_code == 200
    )


def test_a_teacher_who_is_disabled_is_out_at_once(client: TestClient, built_school: BuiltSchool) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    assert client.portal
    client.portal.call(site.db.write, operator_accounts.disable_account, "王", now())
    teacher = reader_as(client, built_school, "teacher")
    assert teacher.client.get(f"/classrooms/{built_school.names['classroom_id']}").status_code == 404
    client.portal.call(site.db.write, operator_accounts.enable_account, "王")
    assert teacher.client.get(f"/classrooms/{built_school.names['classroom_id']}").status_code == 404, (
        "signs in anew"
    )
