"""Tables: own content."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, owner_key


class OwnCourse(IdentifiedRow, table=True):
    """Items and small lessons that a teacher wrote, as one YAML text; its ids are `own-<id>:…`.

    `share_token` stands in the link for other teachers. A deleted one keeps its row: results name it. Where
    the row goes with its teacher, its number never comes again: answers, places and cards of learners still
    name it, and pages of their classes would show what another teacher wrote.

    `last_item_number`: the highest `n` of all questions `qn` that the text ever had; a new one comes behind
    it, for answers to a deleted one are kept under its id.
    """

    __tablename__ = "own_course"
    __table_args__ = ({"sqlite_autoincrement": True},)

    learner_id: int = owner_key("learner.id", index=True)
    title: str
    text: str
    share_token: str | None = Field(default=None, unique=True)
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    last_item_number: int = 0


class Picture(IdentifiedRow, table=True):
    """A picture that a teacher has sent; the file with its points lies in a folder beside the database.

    It goes with its teacher, and nobody merges one: no guest has any. The file stays as long as a text or a
    frozen item names it, whoever sent it.
    """

    __tablename__ = "picture"
    __table_args__ = (UniqueConstraint("learner_id", "name"),)

    learner_id: int = owner_key("learner.id")
    name: str = Field(index=True)
    size_bytes: int
    created_at: datetime
