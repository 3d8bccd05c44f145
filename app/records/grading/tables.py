"""Tables: grading."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from app.records.db.metadata import StoredRow


class ReMark(StoredRow, table=True):
    """重新评分: how a response is judged since an item was corrected. The response itself stays as it was."""

    __tablename__ = "re_mark"

    id: int | None = Field(default=None, primary_key=True)
    response_id: int = Field(foreign_key="response.id", ondelete="CASCADE", index=True)
    verdict: str
    score: float
    misconception: str | None = None
    item_version: str = Field(foreign_key="item_version.hash")
    created_at: datetime


class PartGrant(StoredRow, table=True):
    """全员给分: a part of an assignment that was faulty counts in full for everybody; the latest row counts.

    It holds also for who left a question blank, and for who hands in later.
    """

    __tablename__ = "part_grant"

    id: int | None = Field(default=None, primary_key=True)
    part_id: int = Field(foreign_key="assignment_part.id", ondelete="CASCADE", index=True)
    granted: bool  # False: taken back
    reason: str
    created_at: datetime


class TotalScheme(StoredRow, table=True):
    """总评: how a class computes it; without a row, by the defaults.

    It belongs to the class, as the two tables below do: it goes with the class, comes back with a backup, and
    no merge, export or deletion of a student touches it.
    """

    __tablename__ = "total_scheme"

    classroom_id: int = Field(primary_key=True, foreign_key="classroom.id", ondelete="CASCADE")
    weighing: str  # points | assignments | categories
    missing: str  # left_out | zero


class TotalCategory(StoredRow, table=True):
    """A category of assignments, and what it weighs in the total."""

    __tablename__ = "total_category"
    __table_args__ = (UniqueConstraint("classroom_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    classroom_id: int = Field(foreign_key="classroom.id", ondelete="CASCADE")
    name: str
    weight: float


class TotalColumn(StoredRow, table=True):
    """How an assignment enters the total; without a row it is counted, but for a 前测."""

    __tablename__ = "total_column"

    assignment_id: int = Field(primary_key=True, foreign_key="assignment.id", ondelete="CASCADE")
    counted: bool
    weight: float
    category: str
