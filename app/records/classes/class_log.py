"""改动记录 as it is written: a line for each thing that was done in a class, by whom.

What touches an assignment is noted by `assignments/audit.py`, which also reads the log.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.records.classes.tables import Audit
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert

AUDIT = table(Audit).c
ADD_LINE = prepared_insert(Audit)


def add_line(
    session: VerbSession,
    classroom: ClassRow,
    action: str,
    log_detail: Mapping[str, Any],
    now: datetime,
    enrolment_id: int | None = None,
    assignment_id: int | None = None,
) -> None:
    """Add a line of whoever asked for the class. `log_detail`: former, new, reason; stored as JSON.

    Names of a student stand only in a line about that student: it is emptied when they go.
    """
    session.run(
        ADD_LINE,
        classroom_id=classroom.id,
        actor_id=classroom.actor_id,
        assignment_id=assignment_id,
        enrolment_id=enrolment_id,
        action=action,
        detail=json.dumps(log_detail, ensure_ascii=False, sort_keys=True),
        created_at=now,
    )
