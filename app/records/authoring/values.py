"""What the verbs on own content take and give: frozen values. A row is a NamedTuple."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class OwnCourseRow(NamedTuple):
    """What a teacher wrote. `share_token` is that of its link, where there is one."""

    id: int
    title: str
    text: str
    share_token: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class OwnCourseData:
    """Own content as somebody reaches it: `mine`, or that of `author`."""

    row: OwnCourseRow
    mine: bool
    author: str
