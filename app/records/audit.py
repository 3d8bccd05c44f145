"""What a teacher did to marks and times, so that nobody has to remember it."""

import json
from datetime import datetime
from typing import Any

from app.records.session import VerbSession, adding
from app.records.tables import Audit

ADD = adding(Audit)


def note(
    session: VerbSession,
    classroom_id: int,
    actor_id: int,
    action: str,
    detail: dict[str, Any],
    *,
    assignment_id: int | None = None,
    enrolment_id: int | None = None,
    now: datetime,
) -> None:
    """Add a line. `detail`: what it was, what it became, why; kept as JSON."""
    session.run(
        ADD,
        classroom_id=classroom_id,
        assignment_id=assignment_id,
        enrolment_id=enrolment_id,
        actor_id=actor_id,
        action=action,
        detail=json.dumps(detail, ensure_ascii=False, sort_keys=True),
        created_at=now,
    )
