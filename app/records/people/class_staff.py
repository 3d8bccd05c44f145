"""Who helps in a class: invited by a link, in a role, until their teacher takes it back or they go."""

import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, literal, select, union_all

from app.records.accounts import learners
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.values import Caller, Visitor
from app.records.assignments.rows import (
    ASSIGNMENT,
    ENROLMENTS_OF_LEARNER,
    IS_ASSIGNMENT_OF_CLASS,
    OVERRIDE,
    SUBMISSION,
    is_of_learner,
)
from app.records.classes import class_log, classrooms
from app.records.classes.classrooms import (
    CLASS_ROLE,
    CLASSROOM,
    IS_OF_CLASS,
    IS_ROLE_IN_CLASS,
    IS_TEACHER,
    IS_THIS_CLASS,
    ROLE_OF_LEARNER,
)
from app.records.classes.rights import INVITED_ROLES, Right
from app.records.classes.tables import ClassRole, RoleInvitation
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, prepared_insert, prepared_update
from app.records.grading.comments import COMMENT
from app.records.grading.extra_columns import EXTRA_COLUMN, EXTRA_MARK, IS_COLUMN_IN_CLASS

INVITATION_LASTS = timedelta(days=7)
MOST_STAFF = 30
DEPARTURE_ACTION = "staff-left"
INVITATION_VOID_SENTENCE = "这个邀请链接用过了、过了七天、被收回了，或者班级归档了。请老师再发一个。"
STUDENT_CANNOT_HELP_SENTENCE = "你是这个班的同学，不能再帮着教这个班：那样改得了自己的分。"

INVITATION = table(RoleInvitation).c
IS_ROLE_WITH_ID = CLASS_ROLE.id == bindparam("role_id")
IS_ROLE_OF_LEARNER = CLASS_ROLE.learner_id == bindparam("learner")


class StaffMember(NamedTuple):
    """Somebody who helps in a class."""

    id: int
    learner_id: int
    login: str
    role: str
    created_at: datetime


class StaffPage(NamedTuple):
    """Who teaches a class: its teacher by name, those who help, and how many links are still open."""

    classroom: ClassRow
    teacher_login: str
    staff: tuple[StaffMember, ...]
    open_link_count: int


class InvitedClass(NamedTuple):
    """What a link offers; is_taken: the role that whoever is here has in its class already."""

    classroom_id: int
    class_name: str
    teacher_login: str
    role: str
    is_taken: bool = False


ROLES_QUERY = select(
    CLASS_ROLE.id, CLASS_ROLE.learner_id, ACCOUNT.login, CLASS_ROLE.role, CLASS_ROLE.created_at
)
STAFF_ROWS = ROLES_QUERY.where(IS_ROLE_IN_CLASS, ACCOUNT.learner_id == CLASS_ROLE.learner_id)
STAFF_OF_CLASS = RowQuery(StaffMember, STAFF_ROWS.order_by(CLASS_ROLE.id))
IS_INVITATION_OPEN = (
    INVITATION.used_at.is_(None),
    INVITATION.until > bindparam("now", type_=INVITATION.until.type),
)
IS_INVITATION_TO_CLASS = INVITATION.classroom_id == bindparam("classroom")
OPEN_INVITATION_IDS = PreparedStatement(
    select(INVITATION.id).where(IS_INVITATION_TO_CLASS, *IS_INVITATION_OPEN)
)


def load_staff(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> StaffPage:
    """Who teaches a class, for all who do."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    staff = session.all(STAFF_OF_CLASS, classroom=classroom_id)
    open_invitation_rows = session.all(OPEN_INVITATION_IDS, classroom=classroom_id, now=now)
    [(teacher_login,)] = session.all(classrooms.TEACHER_LOGIN, classroom=classroom_id)
    return StaffPage(classroom, teacher_login, tuple(staff), len(open_invitation_rows))


ADD_INVITATION = prepared_insert(RoleInvitation)


def create_role_token(
    session: VerbSession, caller: Caller, classroom_id: int, role: str, now: datetime
) -> str:
    """A token that gives a role to one person, for a week; it is shown once and kept as its hash."""
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    if role not in INVITED_ROLES:
        raise Refused("请TA来做什么？从合作老师、助教、只看的人里选一个。")
    staff_count = len(session.all(STAFF_OF_CLASS, classroom=classroom_id))
    if staff_count + len(session.all(OPEN_INVITATION_IDS, classroom=classroom_id, now=now)) >= MOST_STAFF:
        raise Refused(f"一个班最多请{MOST_STAFF}个人，还没用的链接也算。先收回几个。")
    invitation_token = secrets.token_urlsafe(24)
    token_hash = learners.token_hash(invitation_token)
    time_columns = {"created_at": now, "until": now + INVITATION_LASTS, "used_at": None}
    session.run(ADD_INVITATION, classroom_id=classroom_id, role=role, token_hash=token_hash, **time_columns)
    class_log.add_line(session, classroom, "staff-invited", {"role": role}, now)
    return invitation_token


WITHDRAW_INVITATIONS = PreparedStatement(
    delete(table(RoleInvitation)).where(IS_INVITATION_TO_CLASS, INVITATION.used_at.is_(None))
)


def withdraw_links(session: VerbSession, caller: Caller, classroom_id: int) -> None:
    """All links of a class that nobody has used are void."""
    classroom = classrooms.taught_class(session, caller, classroom_id, Right.OWN)
    session.run(WITHDRAW_INVITATIONS, classroom=classroom.id)


HAS_INVITATION_TOKEN = INVITATION.token_hash == bindparam("token")
IS_CLASS_OF_INVITATION = (INVITATION.classroom_id == CLASSROOM.id, ACCOUNT.learner_id == CLASSROOM.teacher_id)
OFFERED_ROLES_QUERY = select(
    CLASSROOM.id.label("classroom_id"),
    CLASSROOM.name.label("class_name"),
    ACCOUNT.login.label("teacher_login"),
)
IS_CLASS_NOT_ARCHIVED = CLASSROOM.archived_at.is_(None)
OFFER_OF_TOKEN = RowQuery(
    InvitedClass,
    OFFERED_ROLES_QUERY.add_columns(INVITATION.role).where(
        HAS_INVITATION_TOKEN, *IS_CLASS_OF_INVITATION, *IS_INVITATION_OPEN, IS_CLASS_NOT_ARCHIVED
    ),
)
HAS_ROLE_IN_INVITED_CLASS = (CLASS_ROLE.classroom_id == INVITATION.classroom_id, IS_ROLE_OF_LEARNER)
TAKEN_ROLES = OFFERED_ROLES_QUERY.add_columns(CLASS_ROLE.role, literal(True).label("is_taken"))
TAKEN_ROLE_OF_TOKEN = RowQuery(
    InvitedClass, TAKEN_ROLES.where(HAS_INVITATION_TOKEN, *IS_CLASS_OF_INVITATION, *HAS_ROLE_IN_INVITED_CLASS)
)


def load_offer_and_visitor(
    session: VerbSession, caller: Caller, invitation_token: str, now: datetime
) -> tuple[InvitedClass, Visitor]:
    """What a link offers, and who is here. One that is used, too old or never was is NotFound; but whoever
    helps in its class reads as what.
    """
    visitor = learners.load_visitor(session, caller)
    token_hash = learners.token_hash(invitation_token)
    invited_class = session.first(OFFER_OF_TOKEN, token=token_hash, now=now)
    if invited_class is None and visitor.account is not None:
        invited_class = session.first(
            TAKEN_ROLE_OF_TOKEN, token=token_hash, learner=visitor.account.learner_id
        )
    if invited_class is None:
        raise NotFound(INVITATION_VOID_SENTENCE)
    return invited_class, visitor


ADD_ROLE = prepared_insert(ClassRole)
SET_ROLE = prepared_update(ClassRole, IS_ROLE_IN_CLASS & IS_ROLE_OF_LEARNER, ["role"])
OWNED_CLASS_ID = PreparedStatement(select(CLASSROOM.id).where(IS_THIS_CLASS, IS_TEACHER))
USE_INVITATION = prepared_update(RoleInvitation, HAS_INVITATION_TOKEN, ["used_at"])


def assignments_with_work_query(work: Any) -> Any:
    """Assignments of `classroom` at which `learner` has such work, whichever class they are in now."""
    is_work_at_assignment = work.assignment_id == ASSIGNMENT.id
    return select(ASSIGNMENT.id).where(IS_ASSIGNMENT_OF_CLASS, is_work_at_assignment, is_of_learner(work))


COLUMNS_WITH_MARK = select(EXTRA_COLUMN.id).where(
    IS_COLUMN_IN_CLASS, EXTRA_MARK.column_id == EXTRA_COLUMN.id, is_of_learner(EXTRA_MARK)
)
ENROLMENT_IN_CLASS = ENROLMENTS_OF_LEARNER.where(IS_OF_CLASS)
# Whoever was moved into another class took the enrolment along and left the work here.
TRACES_AS_STUDENT = PreparedStatement(
    union_all(
        ENROLMENT_IN_CLASS,
        assignments_with_work_query(SUBMISSION),
        assignments_with_work_query(OVERRIDE),
        assignments_with_work_query(COMMENT),
        COLUMNS_WITH_MARK,
    )
)


def accept_role(session: VerbSession, caller: Caller, invitation_token: str, now: datetime) -> InvitedClass:
    """The account that is here takes the role, in place of one it has; the link is used up. Returns what the
    link offered: a second click finds that it is taken.

    Refused for the teacher of the class, and for whoever is or was its student or has work there.
    """
    invited_class, visitor = load_offer_and_visitor(session, caller, invitation_token, now)
    account = visitor.account
    if account is None:
        raise NotFound(INVITATION_VOID_SENTENCE)
    if invited_class.is_taken:
        return invited_class
    role_parameters = {"classroom": invited_class.classroom_id, "learner": account.learner_id}
    if session.first(OWNED_CLASS_ID, **role_parameters):
        raise Refused("你就是这个班的老师。链接留给要请的人。")
    if session.first(TRACES_AS_STUDENT, **role_parameters):
        raise Refused(STUDENT_CANNOT_HELP_SENTENCE)
    if session.first(ROLE_OF_LEARNER, **role_parameters):
        session.run(SET_ROLE, **role_parameters, role=invited_class.role)
    else:
        role_columns = {"classroom_id": invited_class.classroom_id, "learner_id": account.learner_id}
        session.run(ADD_ROLE, **role_columns, role=invited_class.role, created_at=now)
    session.run(USE_INVITATION, token=learners.token_hash(invitation_token), used_at=now)
    classroom = classrooms.taught_class(session, caller, invited_class.classroom_id)
    class_log.add_line(session, classroom, "staff-joined", {"role": invited_class.role}, now)
    return invited_class


ANY_ROLE = PreparedStatement(select(CLASS_ROLE.id).where(IS_ROLE_WITH_ID))
REMOVE_ROLE = PreparedStatement(delete(table(ClassRole)).where(IS_ROLE_WITH_ID))
STAFF_MEMBER = RowQuery(StaffMember, STAFF_ROWS.where(IS_ROLE_WITH_ID))


def remove_staff_member(
    session: VerbSession, caller: Caller, classroom_id: int, role_id: int, now: datetime
) -> None:
    """Somebody who helped does not any more, from their next request on. A second click finds nobody."""
    classroom = classrooms.taught_class(session, caller, classroom_id, Right.OWN)
    if session.first(ANY_ROLE, role_id=role_id) is None:
        return
    staff_member = session.first(STAFF_MEMBER, classroom=classroom_id, role_id=role_id)
    if staff_member is None:
        raise NotFound("这个人已经不在这里帮忙了。")
    session.run(REMOVE_ROLE, role_id=role_id)
    class_log.add_line(session, classroom, "staff-removed", {"role": staff_member.role}, now)


IS_LINE_OF_DEPARTURE = and_(
    class_log.AUDIT.classroom_id == bindparam("classroom"),
    class_log.AUDIT.actor_id == learners.CALLER_ID,
    class_log.AUDIT.action == DEPARTURE_ACTION,
)
DEPARTURE_WITHOUT_ROLE = PreparedStatement(
    select(class_log.AUDIT.id).where(
        IS_LINE_OF_DEPARTURE, ~exists().where(IS_ROLE_IN_CLASS, CLASS_ROLE.learner_id == learners.CALLER_ID)
    )
)
LEAVE_CLASS = PreparedStatement(delete(table(ClassRole)).where(IS_ROLE_IN_CLASS, IS_ROLE_OF_LEARNER))


def leave_staff(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> None:
    """Whoever helps goes by themselves; whoever has gone already is out. Refused for the teacher: a class has
    one."""
    token_hash = learners.caller_token_hash(caller)
    if session.first(DEPARTURE_WITHOUT_ROLE, classroom=classroom_id, hash=token_hash):
        return
    classroom = classrooms.taught_class(session, caller, classroom_id)
    if classroom.is_owned:
        raise Refused("你是这个班的老师，走不了；不再教了，就把它归档。")
    session.run(LEAVE_CLASS, classroom=classroom_id, learner=classroom.actor_id)
    class_log.add_line(session, classroom, DEPARTURE_ACTION, {"role": classroom.role}, now)


def copy_roles(
    session: VerbSession, caller: Caller, source_class_id: int, target_class_id: int, now: datetime
) -> None:
    """Whoever helps in a class helps in another one of the same teacher, in the same role; who has a role
    there already keeps that."""
    target_class = classrooms.editable_class(session, caller, target_class_id, Right.OWN)
    target_staff_learner_ids = {
        staff_member.learner_id for staff_member in session.all(STAFF_OF_CLASS, classroom=target_class_id)
    }
    source_staff = session.all(STAFF_OF_CLASS, classroom=source_class_id)
    new_staff = [
        staff_member
        for staff_member in source_staff
        if staff_member.learner_id not in target_staff_learner_ids
    ]
    for staff_member in new_staff:
        role_columns = {
            "classroom_id": target_class.id,
            "learner_id": staff_member.learner_id,
            "role": staff_member.role,
        }
        session.run(ADD_ROLE, **role_columns, created_at=now)
    if new_staff:
        class_log.add_line(session, target_class, "staff-carried", {"count": len(new_staff)}, now)
