"""Tables: own content."""

from datetime import datetime

from sqlmodel import Field

from app.records.db.metadata import StoredRow


class OwnCourse(StoredRow, table=True):
    """Items and small lessons that a teacher wrote, as one YAML text; its ids are `own-<id>:…`.

    `share_token` stands in the link for other teachers. A deleted one keeps its row: results name it.
    """

    __tablename__ = "own_course"

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    title: str
    text: str
    share_token: str | None = Field(default=None, unique=True)
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
