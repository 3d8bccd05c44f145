"""What the verbs on reports take and give: frozen values. A row is a NamedTuple."""

from datetime import datetime
from typing import NamedTuple


class ProblemReportRow(NamedTuple):
    id: int
    learner_id: int | None
    item: str
    text: str
    page: str
    created_at: datetime
