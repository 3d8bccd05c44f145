"""Tables: reports."""

from datetime import datetime

from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, column_named


class ProblemReport(IdentifiedRow, table=True):
    """这题有问题: what somebody found wrong. Kept without the learner when the learner goes."""

    __tablename__ = "problem_report"

    learner_id: int | None = Field(default=None, foreign_key="learner.id", ondelete="SET NULL", index=True)
    item_ref: str = column_named("item")
    text: str
    page: str
    created_at: datetime
