"""Tables: days of learning."""

from datetime import date, datetime

from sqlmodel import Field

from app.records.db.metadata import StoredRow, column_named, owner_key


class LearningDay(StoredRow, table=True):
    """A day of a learner on which something was done: a sum of the logs, made again from them at any time.

    `moments`: when, as microseconds since the midnight (UTC) of `day`, in order, with commas between. What
    follows counts everything up to the end of this day.
    """

    __tablename__ = "learning_day"
    __table_args__ = ({"sqlite_with_rowid": False},)  # the days of a learner lie side by side

    learner_id: int = owner_key("learner.id", primary_key=True)
    day: date = Field(primary_key=True)  # the learner's own
    moments: str
    last_at: datetime
    learnt_microseconds: int = column_named("learnt")
    day_count: int = column_named("days")
    days_in_a_row: int = column_named("run")
