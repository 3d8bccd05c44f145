"""A roster into a class: what each line would do, shown before anything is done, and then done at once.

A line is a student who is in the class already, one of another class of the same teacher, or somebody new.
Whoever is in the class is found by the name to sign in with, else by 学号, else by name; what the list says
of them otherwise is changed. Accounts of others are never enrolled, nor is anything said of them but that a
name to sign in with is taken.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from app.course.text.typed import name_key
from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller, Credentials
from app.records.classes import class_log, class_members, classrooms, joining
from app.records.classes.known_students import (
    STUDENTS_OF_TEACHER,
    KnownStudent,
    MemberMatcher,
    likeliest_student,
)
from app.records.classes.roster_files import RosterEntry, RosterFault, checked_seat
from app.records.classes.student_numbers import SET_DETAILS
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import Refused
from app.records.db.session import VerbSession

NOTHING_TO_DO_SENTENCE = (
    "名单上的同学都已经在班里，也没有要改的。没看到密码条，就去班级那一页的“忘了密码”，给他们换一批。"
)
"""Also what is heard of a list that was confirmed twice: the slips came with the answer to the first time."""


class DetailChange(NamedTuple):
    """What a list says otherwise of a student who is in the class: 学号, 座号 or 姓名."""

    heading: str
    former_detail: str
    new_detail: str


class PlannedEntry(NamedTuple):
    """What becomes of a line. `roster_entry` has the name to sign in with; `known_student`: whose account is
    there already.

    `namesakes`: students of the same name, any of whom it may be; `new_login`: of a new account instead.
    `member`: who it is, if they are in the class already; `detail_changes`: what the list says otherwise
    of them. A member with a `new_login` may be somebody else: the name is the same, 学号 is not.
    """

    roster_entry: RosterEntry
    known_student: KnownStudent | None = None
    namesakes: tuple[KnownStudent, ...] = ()
    new_login: str = ""
    member: Student | None = None
    detail_changes: tuple[DetailChange, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether it brings somebody into the class."""
        return self.member is None

    @property
    def has_choice(self) -> bool:
        """Whether its teacher is to say who it is."""
        if self.member is None:
            return bool(self.namesakes)
        return bool(self.new_login)


class ImportPlan(NamedTuple):
    """What a list would do, line by line, and what is at odds with what is there already.

    `unlisted_students`: who is in the class, and whom no line of the list can mean.
    """

    classroom: ClassRow
    planned_entries: tuple[PlannedEntry, ...]
    faults: tuple[RosterFault, ...]
    unlisted_students: tuple[Student, ...]


def import_entries(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    roster_entries: tuple[RosterEntry, ...],
    password_hashes: tuple[str, ...],
    now: datetime,
) -> ImportPlan:
    """Every student into the class, with a new account who has none, and what the list says otherwise of
    those who are in it; no password changes. `password_hashes`: of a password for each line.

    Refused: nothing is done.
    """
    import_plan = make_import_plan(session, caller, classroom_id, roster_entries)
    if import_plan.faults:
        raise Refused(
            "".join(f"第{fault.line_number}行：{fault.fault_sentence}" for fault in import_plan.faults[:3])
        )
    if not any(
        planned_entry.is_new or planned_entry.detail_changes for planned_entry in import_plan.planned_entries
    ):
        raise Refused(NOTHING_TO_DO_SENTENCE)
    change_members(session, import_plan)
    for planned_entry, password_hash in zip(import_plan.planned_entries, password_hashes, strict=True):
        if planned_entry.is_new:
            bring_into_class(session, import_plan.classroom.id, planned_entry, password_hash, now)
    new_count = sum(planned_entry.is_new for planned_entry in import_plan.planned_entries)
    changed_count = sum(bool(planned_entry.detail_changes) for planned_entry in import_plan.planned_entries)
    # Counts alone: names would stay in the log when their students go.
    class_log.add_line(
        session, import_plan.classroom, "roster", {"new": new_count, "changed": changed_count}, now
    )
    return import_plan


def change_members(session: VerbSession, import_plan: ImportPlan) -> None:
    """What a list says otherwise of members; Refused where two could no longer be told apart after it."""
    members_with_entries = [
        (planned_entry.member, planned_entry.roster_entry)
        for planned_entry in import_plan.planned_entries
        if planned_entry.member is not None and planned_entry.detail_changes
    ]
    for member, roster_entry in members_with_entries:
        change_member(session, member, roster_entry)
    for member, roster_entry in members_with_entries:
        student_number = roster_entry.student_number or member.student_number
        class_members.expect_unused_name(
            session, import_plan.classroom.id, roster_entry.name, member.id, student_number
        )


def change_member(session: VerbSession, member: Student, roster_entry: RosterEntry) -> None:
    """What a list says of a member; an empty cell leaves what is there."""
    seat_number = checked_seat(roster_entry.seat)
    if seat_number is None:
        seat_number = member.seat
    session.run(
        SET_DETAILS,
        enrolment=member.id,
        name=roster_entry.name,
        name_key=name_key(roster_entry.name),
        number=roster_entry.student_number or member.student_number,
        seat=seat_number,
    )


def bring_into_class(
    session: VerbSession, classroom_id: int, planned_entry: PlannedEntry, password_hash: str, now: datetime
) -> None:
    """Somebody into the class, with a new account who has none; back as the list says who was removed."""
    roster_entry = planned_entry.roster_entry
    if planned_entry.known_student:
        learner_id = planned_entry.known_student.learner_id
        former_student = classrooms.student_of_learner(session, classroom_id, learner_id)
        if former_student:
            change_member(session, former_student, roster_entry)
    else:
        learner_id = learners.add_learner(session, now)
        accounts.add_account(session, learner_id, Credentials(roster_entry.login, password_hash), now)
    has_new_account = planned_entry.known_student is None
    seat_number = checked_seat(roster_entry.seat)
    joining.enrol_learner(
        session,
        classroom_id,
        learner_id,
        roster_entry.name,
        roster_entry.student_number,
        now,
        has_new_account,
        seat_number,
    )


def make_import_plan(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    roster_entries: tuple[RosterEntry, ...],
    faulty_entries: Collection[RosterEntry] = (),
) -> ImportPlan:
    """What a list would do. A name to sign in with says who is meant; without one, a student of the same name
    is taken to be it, but for one of another 学号.

    `faulty_entries`: lines of the same list that are to be mended; whom they may mean is on the list too.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    token_hash = learners.caller_token_hash(caller)
    known_students = session.all(STUDENTS_OF_TEACHER, hash=token_hash, classroom=classroom.id)
    present_students = classrooms.load_present_students(session, classroom.id)
    member_matcher = MemberMatcher(present_students, roster_entries, faulty_entries)
    login_keys = {name_key(roster_entry.login) for roster_entry in roster_entries if roster_entry.login}
    entry_planner = EntryPlanner(session, known_students, login_keys)
    known_learner_ids = {known_student.learner_id for known_student in known_students}
    moved_learner_ids = class_members.moved_away_learner_ids(session, classroom, known_learner_ids)
    planned_entries = []
    roster_faults = []
    for roster_entry in roster_entries:
        try:
            member = member_matcher.member_of(roster_entry)
            if member is not None:
                planned_entries.append(entry_planner.plan_member(roster_entry, member))
            else:
                planned_entry = entry_planner.plan_newcomer(roster_entry)
                expect_not_moved_away(planned_entry, moved_learner_ids)
                planned_entries.append(planned_entry)
        except Refused as error:
            roster_faults.append(RosterFault(roster_entry.line_number, str(error), roster_entry))
    all_faulty_entries = (*faulty_entries, *(fault.entry for fault in roster_faults))
    unlisted_students = member_matcher.students_without_line(all_faulty_entries)
    return ImportPlan(classroom, tuple(planned_entries), tuple(roster_faults), unlisted_students)


def expect_not_moved_away(planned_entry: PlannedEntry, moved_learner_ids: Collection[int]) -> None:
    """Refused for a student who was moved from this class into another: a move brings their work back."""
    known_student = planned_entry.known_student
    if known_student is not None and known_student.learner_id in moved_learner_ids:
        raise Refused(
            f"{planned_entry.roster_entry.name}原来在这个班，后来换到了别的班：到那个班里把TA换回来。"
            "是另一位同名的，就给这位写一个登录名。"
        )


def detail_changes_of(roster_entry: RosterEntry, member: Student) -> tuple[DetailChange, ...]:
    """What a line says otherwise of a member; an empty cell says nothing."""
    detail_changes = []
    if name_key(roster_entry.name) != name_key(member.name):
        detail_changes.append(DetailChange("姓名", member.name, roster_entry.name))
    if has_other_number(roster_entry, member):
        detail_changes.append(DetailChange("学号", member.student_number, roster_entry.student_number))
    seat_number = checked_seat(roster_entry.seat)
    if seat_number is not None and seat_number != member.seat:
        former_seat_text = ""
        if member.seat is not None:
            former_seat_text = str(member.seat)
        detail_changes.append(DetailChange("座号", former_seat_text, str(seat_number)))
    return tuple(detail_changes)


def has_other_number(roster_entry: RosterEntry, member: Student) -> bool:
    """Whether a line gives a member another 学号; an empty cell gives none."""
    return roster_entry.student_number != "" and name_key(roster_entry.student_number) != name_key(
        member.student_number
    )


@dataclass
class EntryPlanner:
    """Finds accounts for those who are not in the class yet. `taken_login_keys` grows line by line."""

    session: VerbSession
    known_students: Collection[KnownStudent]
    taken_login_keys: set[str]

    def plan_newcomer(self, roster_entry: RosterEntry) -> PlannedEntry:
        """Somebody who comes in; Refused where the name to sign in with is a stranger's."""
        if roster_entry.login:
            return self.plan_with_login(roster_entry)
        new_login = accounts.free_login(self.session, roster_entry.name, self.taken_login_keys)
        namesakes = self.namesakes_of(roster_entry)
        known_student = likeliest_student(roster_entry, namesakes)
        login = new_login
        if known_student is not None:
            login = known_student.login
        self.taken_login_keys.add(name_key(login))
        return PlannedEntry(roster_entry._replace(login=login), known_student, namesakes, new_login)

    def plan_member(self, roster_entry: RosterEntry, member: Student) -> PlannedEntry:
        """A line about a member: under the name to sign in with that they have."""
        new_login = ""
        if not roster_entry.login and member.student_number and has_other_number(roster_entry, member):
            new_login = accounts.free_login(self.session, roster_entry.name, self.taken_login_keys)
            self.taken_login_keys.add(name_key(new_login))
        entry_with_login = roster_entry._replace(login=member.login or "", password="")
        detail_changes = detail_changes_of(roster_entry, member)
        return PlannedEntry(
            entry_with_login, new_login=new_login, member=member, detail_changes=detail_changes
        )

    def plan_with_login(self, roster_entry: RosterEntry) -> PlannedEntry:
        login_key = name_key(roster_entry.login)
        login_owners = [
            known_student
            for known_student in self.known_students
            if name_key(known_student.login) == login_key
        ]
        account_secret = self.session.first(accounts.SECRET_BY_LOGIN, login=login_key)
        if account_secret is not None and not login_owners:
            raise Refused(f"登录名“{roster_entry.login}”已经有人用了，换一个或者空着。")
        return PlannedEntry(roster_entry, next(iter(login_owners), None))

    def namesakes_of(self, roster_entry: RosterEntry) -> tuple[KnownStudent, ...]:
        """Students of the same name who were in this class or are in another, each once, the latest first."""
        member_learner_ids = {
            known_student.learner_id for known_student in self.known_students if known_student.is_member
        }
        namesake_by_learner_id: dict[int, KnownStudent] = {}
        for known_student in self.known_students:
            is_free = (
                known_student.learner_id not in member_learner_ids
                and name_key(known_student.login) not in self.taken_login_keys
            )
            if known_student.name_key == name_key(roster_entry.name) and is_free:
                latest_namesake = namesake_by_learner_id.setdefault(known_student.learner_id, known_student)
                if not latest_namesake.student_number:
                    namesake_by_learner_id[known_student.learner_id] = latest_namesake._replace(
                        student_number=known_student.student_number
                    )
        return tuple(namesake_by_learner_id.values())
