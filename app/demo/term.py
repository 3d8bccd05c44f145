"""Six weeks of school, ending now: accounts, classes, and every evening of every learner."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from random import Random

from app.course import Course
from app.demo.classwork import DemoClass
from app.demo.gradebook import keep_gradebook
from app.demo.living import SimulatedLearner
from app.demo.own_content import write_and_correct
from app.demo.people import PASSWORD, STUDENTS, TEACHER_AND_CLASS_NAMES, TEACHER_NAMES, DemoStudent
from app.demo.timed_quiz import give_quiz
from app.records.accounts import accounts
from app.records.accounts.passwords import hash_password
from app.records.accounts.site_secret import IS_SITE_SECRET
from app.records.accounts.tables import SiteSecret
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.authoring.picture_files import Folder
from app.records.classes import classrooms, joining
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_update
from app.records.items import problem_reports

WEEK_COUNT = 6
NUMBERS_SECRET = "0d" * 32
"""Known to everybody: the numbers of a demonstration are the same at every start."""
SET_SECRET = prepared_update(SiteSecret, IS_SITE_SECRET, ["value"])
"""Only while nothing is assigned: the numbers of all assignments of the site come from it."""
PROBLEM_REPORTS = (
    ("practice-dcg-2", "折损表里第3位写的是2，我算成了1.585，原来是第2位的。能不能在题里提醒一下？"),
    ("practice-ndcg-1", "手机横过来的时候，最后一行被挡住了一点。"),
)


def write_term(
    session: VerbSession,
    course: Course,
    now: datetime,
    time_zone: tzinfo,
    picture_folder: Folder,
    demo_students: Sequence[DemoStudent] = STUDENTS,
) -> int:
    """Write the whole term; how many evenings there were. `picture_folder`: where those of the site lie."""
    term_begins_at = now - timedelta(weeks=WEEK_COUNT)
    session.run(SET_SECRET, value=NUMBERS_SECRET)
    password_hash = hash_password(PASSWORD)
    classroom_by_name = open_school(session, term_begins_at, password_hash)
    pupils: list[SimulatedLearner] = []
    for demo_student in demo_students:
        join_code = classroom_by_name[demo_student.classroom_name].code
        pupils.append(join_pupil(session, course, demo_student, join_code, term_begins_at, password_hash))
    evening_count = sum(live_through_term(pupil, term_begins_at, now, time_zone) for pupil in pupils)
    for teacher_name, classroom_name in TEACHER_AND_CLASS_NAMES:
        classmates = [pupil for pupil in pupils if pupil.student.classroom_name == classroom_name]
        teacher = Caller(token_of(teacher_name))
        classroom_id = classroom_by_name[classroom_name].id
        demo_class = DemoClass(
            session, course, teacher, classroom_id, classmates, term_begins_at, now, picture_folder
        )
        do_assignments_of_class(demo_class, classroom_name)
        if classroom_name == TEACHER_AND_CLASS_NAMES[0][1]:
            keep_gradebook(demo_class, Caller(token_of(TEACHER_NAMES[1])), password_hash)
    keep_reports(pupils, now - timedelta(days=3))
    return evening_count


def do_assignments_of_class(demo_class: DemoClass, classroom_name: str) -> None:
    """The assignments of a class, if it is one: nobody works alone."""
    if len(demo_class.pupils) > 1:
        demo_class.run_term()
        if classroom_name == TEACHER_AND_CLASS_NAMES[0][1]:
            write_and_correct(demo_class)
            give_quiz(demo_class)


def keep_reports(pupils: Sequence[SimulatedLearner], reported_at: datetime) -> None:
    """What some found wrong with an item."""
    for pupil, (item_id, report_text) in zip(pupils, PROBLEM_REPORTS, strict=False):
        item_ref = pupil.course.ref(item_id)
        problem_reports.keep_report(
            pupil.session, pupil.caller, item_ref, report_text, "/lessons/concepts", reported_at
        )


def open_school(session: VerbSession, term_begins_at: datetime, password_hash: str) -> dict[str, ClassRow]:
    """Teachers and classes; the rows of the classes by name."""
    for teacher_name in TEACHER_NAMES:
        desktop_browser = Browser(teacher_name, token_of(teacher_name), "电脑 · Chrome")
        credentials = Credentials(teacher_name, password_hash)
        accounts.create_account(
            session, Caller(), credentials, desktop_browser, term_begins_at, is_teacher=True
        )
    classroom_by_name: dict[str, ClassRow] = {}
    for teacher_name, classroom_name in TEACHER_AND_CLASS_NAMES:
        teacher = Caller(token_of(teacher_name))
        classroom_id = classrooms.create_class(session, teacher, classroom_name, term_begins_at)
        classrooms.open_join_code(session, teacher, classroom_id, term_begins_at)
        classroom_by_name[classroom_name] = classrooms.taught_class(session, teacher, classroom_id)
    return classroom_by_name


def join_pupil(
    session: VerbSession,
    course: Course,
    demo_student: DemoStudent,
    join_code: str,
    term_begins_at: datetime,
    password_hash: str,
) -> SimulatedLearner:
    """Come into the class, in the first lesson or some weeks later."""
    student_name = demo_student.name
    sign_in_token = token_of(student_name)
    arrived_at = term_begins_at + timedelta(minutes=5)
    phone_browser = Browser(student_name, sign_in_token, "手机 · Chrome")
    credentials = Credentials(student_name, password_hash)
    joining.join_with_new_account(session, Caller(), join_code, credentials, phone_browser, arrived_at)
    seed = Random(sign_in_token).randrange(2**31)  # noqa: S311
    return SimulatedLearner(session, course, demo_student, Caller(sign_in_token), seed, arrived_at)


def token_of(person_name: str) -> str:
    """The token of somebody in the demonstration, known to nobody outside it."""
    return f"demo {person_name}"


def live_through_term(
    pupil: SimulatedLearner, term_begins_at: datetime, now: datetime, time_zone: tzinfo
) -> int:
    """All evenings of one student; a weekend is quieter. How many there were."""
    evening_count = 0
    for day_index in range(pupil.student.first_week * 7, WEEK_COUNT * 7):
        moment_of_day = term_begins_at + timedelta(days=day_index)
        begins_at = evening_start(pupil, moment_of_day, time_zone)
        evening_probability = pupil.student.diligence
        if begins_at.astimezone(time_zone).weekday() >= 5:
            evening_probability *= 0.35
        if begins_at < now - timedelta(hours=3) and pupil.happens(evening_probability):
            pupil.sit_down(begins_at, 1 + day_index // 7)
            evening_count += 1
    return evening_count


def evening_start(pupil: SimulatedLearner, moment_of_day: datetime, time_zone: tzinfo) -> datetime:
    """Some time after school on that day."""
    local_moment = moment_of_day.astimezone(time_zone)
    minutes_later = pupil.random.randint(0, 240)
    school_end = datetime.combine(local_moment.date(), time(17, 30), time_zone)
    return school_end.astimezone(UTC) + timedelta(minutes=minutes_later)
