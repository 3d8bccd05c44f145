"""Tables: grading."""

from datetime import datetime

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
