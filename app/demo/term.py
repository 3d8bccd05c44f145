"""Six weeks of school, ending now: accounts, classes, and every evening of every learner."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from random import Random

from app.course import Course
from app.demo.homework import Room
from app.demo.living import Life
from app.demo.own_content import write_and_correct
from app.demo.people import CLASSES, PASSWORD, STUDENTS, TEACHERS, DemoStudent
from app.records.accounts import accounts
from app.records.accounts.passwords import hashed
from app.records.accounts.values import Caller
from app.records.classes import classrooms, joining
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.items import problem_reports

WEEKS = 6
REPORTS = (
    ("practice-dcg-2", "折损表里第3位写的是2，我算成了1.585，原来是第2位的。能不能在题里提醒一下？"),
    ("practice-ndcg-1", "手机横过来的时候，最后一行被挡住了一点。"),
)


def fill(
    session: VerbSession,
    course: Course,
    now: datetime,
    zone: tzinfo,
    pupils: Sequence[DemoStudent] = STUDENTS,
) -> int:
    """Write the whole term; returns how many evenings there were."""
    begin = now - timedelta(weeks=WEEKS)
    password = hashed(PASSWORD)
    rows = open_school(session, begin, password)
    lives = [arrive(session, course, one, rows[one.classroom].code, begin, password) for one in pupils]
    evenings = sum(live(life, begin, now, zone) for life in lives)
    for teacher, name in CLASSES:
        mine = [life for life in lives if life.pupil.classroom == name]
        if len(mine) > 1:
            room = Room(session, course, Caller(token(teacher)), rows[name].id, mine, begin, now)
            room.run()
            if name == CLASSES[0][1]:
                write_and_correct(room)
    for life, (item, text) in zip(lives, REPORTS, strict=False):
        problem_reports.file(
            session, life.who, course.ref(item), text, "/lessons/concepts", now - timedelta(days=3)
        )
    return evenings


def token(name: str) -> str:
    """The sign-in of somebody in the demonstration, known to nobody outside it."""
    return f"demo {name}"


def open_school(session: VerbSession, begin: datetime, password: str) -> dict[str, ClassRow]:
    """Teachers and classes."""
    for name in TEACHERS:
        accounts.create(session, Caller(), name, password, token(name), name, begin, "电脑 · Chrome", True)
    rows = {}
    for teacher, name in CLASSES:
        who = Caller(token(teacher))
        made = classrooms.create(session, who, name, begin)
        classrooms.open_code(session, who, made, begin)
        rows[name] = classrooms.taught(session, who, made)
    return rows


def arrive(
    session: VerbSession, course: Course, pupil: DemoStudent, code: str, begin: datetime, password: str
) -> Life:
    """Come into the class, in the first lesson or some weeks later."""
    at = begin + timedelta(minutes=5)
    me = token(pupil.name)
    joining.join_new(session, Caller(), code, pupil.name, password, me, pupil.name, at, "手机 · Chrome")
    seed = Random(me).randrange(2**31)  # noqa: S311
    return Life(session, course, pupil, Caller(me), seed, at)


def live(life: Life, begin: datetime, now: datetime, zone: tzinfo) -> int:
    """All evenings of one learner; a weekend is quieter. How many there were."""
    evenings = 0
    for day in range(life.pupil.since * 7, WEEKS * 7):
        at = evening(life, begin + timedelta(days=day), zone)
        quiet = 0.35 if at.astimezone(zone).weekday() >= 5 else 1.0
        if at < now - timedelta(hours=3) and life.chance.random() < life.pupil.diligence * quiet:
            life.sit_down(at, 1 + day // 7)
            evenings += 1
    return evenings


def evening(life: Life, day: datetime, zone: tzinfo) -> datetime:
    """Some time after school on that day."""
    local = day.astimezone(zone)
    minutes = life.chance.randint(0, 240)
    after_school = datetime.combine(local.date(), time(17, 30), zone)
    return after_school.astimezone(UTC) + timedelta(minutes=minutes)
