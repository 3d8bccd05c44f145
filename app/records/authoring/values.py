"""What the verbs on own content take and give: frozen values. A row is a NamedTuple."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class OwnCourseRow(NamedTuple):
    """What a teacher wrote. `share_token` is that of its link, where there is one; `author` the login of its
    teacher, None where the account is gone or nobody asked for it."""

    id: int
    learner_id: int
    title: str
    text: str
    share_token: str | None
    created_at: datetime
    updated_at: datetime
    author: str | None = None


@dataclass(frozen=True, slots=True)
class OwnCourseData:
    """Own content as a caller reaches it: `mine`, or that of `author`."""

    row: OwnCourseRow
    mine: bool

    @property
    def author(self) -> str:
        return self.row.author or ""


class RequiredPart(NamedTuple):
    """A part of an open assignment that needs own content."""

    assignment: str
    classroom: str
    kind: str
    ref: str
    level: int
