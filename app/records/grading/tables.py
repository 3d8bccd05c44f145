"""Tables: grading."""

from datetime import datetime

from sqlalchemy import UniqueConstraint

from app.records.db.metadata import IdentifiedRow, StoredRow, column_named, owner_key


class ReMark(IdentifiedRow, table=True):
    """重新评分: how a response is judged since an item was corrected, or since a teacher marked it by its
    rubric. The response itself stays as it was."""

    __tablename__ = "re_mark"

    response_id: int = owner_key("response.id", index=True)
    verdict: str
    score: float
    misconception_code: str | None = column_named("misconception", default=None)
    item_version_hash: str = column_named("item_version", foreign_key="item_version.hash")
    created_at: datetime
    ticks: str | None = None  # the lines of the rubric that the teacher ticked; NULL where a program judged


class PartGrant(IdentifiedRow, table=True):
    """全员给分: a part of an assignment that was faulty counts in full for everybody; the latest row counts.

    It holds also for who left a question blank, and for who hands in later.
    """

    __tablename__ = "part_grant"

    part_id: int = owner_key("assignment_part.id", index=True)
    granted: bool  # False: taken back
    reason: str
    created_at: datetime


class TotalScheme(StoredRow, table=True):
    """总评: how a class computes it; without a row, by the defaults.

    It belongs to the class, as the two tables below do: it goes with the class, comes back with a backup, and
    no merge, export or deletion of a student touches it.
    """

    __tablename__ = "total_scheme"

    classroom_id: int = owner_key("classroom.id", primary_key=True)
    weighing: str  # points | assignments | categories
    missing: str  # left_out | zero


class TotalCategory(IdentifiedRow, table=True):
    """A category of assignments, and what it weighs in the total."""

    __tablename__ = "total_category"
    __table_args__ = (UniqueConstraint("classroom_id", "name"),)

    classroom_id: int = owner_key("classroom.id")
    name: str
    weight: float
    dropped: int = 0  # so many of the lowest marks of a student are left out


class TotalColumn(StoredRow, table=True):
    """How an assignment enters the total; without a row it is counted, but for a 前测."""

    __tablename__ = "total_column"

    assignment_id: int = owner_key("assignment.id", primary_key=True)
    counted: bool
    weight: float
    category: str


class ExtraColumn(IdentifiedRow, table=True):
    """A column of the gradebook that its teacher types: 出勤, 期中. It belongs to the class, as the rules of
    总评 do, and goes with it."""

    __tablename__ = "extra_column"

    classroom_id: int = owner_key("classroom.id", index=True)
    title: str
    total: float
    counted: bool = True
    weight: float = 1.0
    category: str = ""
    created_at: datetime


class ExtraMark(IdentifiedRow, table=True):
    """What a student has in such a column; without a row nothing was typed.

    It hangs on the enrolment, as work does: a merge has none to move, an export takes it along, and of a
    student who goes the points stay.
    """

    __tablename__ = "extra_mark"
    __table_args__ = (UniqueConstraint("column_id", "enrolment_id"),)

    column_id: int = owner_key("extra_column.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)
    points: float | None  # None: 缺, or 免 where it is excused
    excused: bool = False


class WorkComment(IdentifiedRow, table=True):
    """评语: what a teacher wrote to a student, beside an answer or about the whole work.

    `number` of the attempt and ref of the question, 0 and empty for the whole. It hangs on the enrolment: an
    export takes it along once results are out, and of a student who goes the text is gone.
    """

    __tablename__ = "work_comment"
    __table_args__ = (UniqueConstraint("assignment_id", "enrolment_id", "number", "question_ref"),)

    assignment_id: int = owner_key("assignment.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)
    number: int
    question_ref: str = column_named("item")
    text: str
    created_at: datetime
