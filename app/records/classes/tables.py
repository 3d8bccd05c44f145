"""Tables: classes, and the log of what was done in them."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, StoredRow, owner_key


class Classroom(IdentifiedRow, table=True):
    """班级. Its code opens joining until `code_until`; archived ones are only looked at."""

    teacher_id: int = owner_key("learner.id", index=True)
    name: str
    created_at: datetime
    archived_at: datetime | None = None
    code: str = Field(unique=True)
    code_until: datetime | None = None
    number_at_door: bool = False  # whoever joins by the code is asked for their 学号
    asks_number_kind: bool = False  # 学号 and 座号 shared a column: its teacher is to say which they are
    notice: str = ""  # a line that its students read until `notice_until`; it stays when its writer goes
    notice_until: datetime | None = None


class Enrolment(IdentifiedRow, table=True):
    """A student of a class, under the name they have in it. Whoever was removed can be put back.

    Who is moved to another class takes the old row along, unless that class has one of theirs: work and marks
    in the class before stay there and hang on it. A class that is deleted sends such rows back first.

    The enrolment of an account that was deleted stays without a name, so that results of the class stand. Its
    number never comes again: details in the log of the class name it.
    """

    __table_args__ = (UniqueConstraint("classroom_id", "learner_id"), {"sqlite_autoincrement": True})

    classroom_id: int = owner_key("classroom.id")
    learner_id: int = owner_key("learner.id", index=True)
    name: str
    name_key: str
    number: str = ""  # 学号
    seat: int | None = None  # 座号
    joined_at: datetime
    removed_at: datetime | None = None
    absences: str | None = None  # when they were out of it and came back: pairs of times, in JSON
    former_stays: str | None = None  # `FormerStay` by class that they were moved from, in JSON
    time_factor: float = 1.0  # how much longer a timed assignment is for them
    with_account: bool = False  # the account was made with it: then its teacher may set the password anew


class StudentGroup(IdentifiedRow, table=True):
    """小组: a part of a class with a name. It goes with the class; its name says nothing of anybody."""

    __tablename__ = "student_group"
    __table_args__ = (UniqueConstraint("classroom_id", "name"),)

    classroom_id: int = owner_key("classroom.id")
    name: str


class GroupMember(StoredRow, table=True):
    """A student in a group: in one of the class, or in none. Whoever is moved to another class leaves it; of
    an account that was deleted the nameless enrolment stays in it."""

    __tablename__ = "group_member"

    enrolment_id: int = owner_key("enrolment.id", primary_key=True)
    group_id: int = owner_key("student_group.id", index=True)


class ClassRole(IdentifiedRow, table=True):
    """Somebody who helps in a class, and as what (`rights.RIGHT_BY_ROLE`).

    It goes with the class and with the account; guests have none, so that nothing is merged. The log of the
    class keeps who did what.
    """

    __tablename__ = "class_role"
    __table_args__ = (UniqueConstraint("classroom_id", "learner_id"),)

    classroom_id: int = owner_key("classroom.id")
    learner_id: int = owner_key("learner.id", index=True)
    role: str  # co-teacher | assistant | reader
    created_at: datetime


class RoleInvitation(IdentifiedRow, table=True):
    """A link that gives a role in a class to whoever takes it first; kept as its hash."""

    __tablename__ = "role_invitation"

    classroom_id: int = owner_key("classroom.id", index=True)
    role: str
    token_hash: str = Field(unique=True)
    created_at: datetime
    until: datetime
    used_at: datetime | None = None


class Audit(IdentifiedRow, table=True):
    """What was done to marks, times and the roster of a class. Only added to; of a student who goes, `detail`
    is emptied; of whoever did it and goes, `actor_id` is."""

    __table_args__ = (Index(None, "classroom_id", "id"),)

    classroom_id: int = owner_key("classroom.id")
    assignment_id: int | None = owner_key("assignment.id", default=None, index=True)
    enrolment_id: int | None = owner_key("enrolment.id", default=None, index=True)
    actor_id: int | None = Field(default=None, foreign_key="learner.id", ondelete="SET NULL", index=True)
    action: str  # publish | close | collect | due | extension | override | regrade | student-out | …
    detail: str  # JSON: what it was, what it became, why
    created_at: datetime
