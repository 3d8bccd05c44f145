"""重新评分 as it is read: how a response is judged since its item was corrected, and what counts for all.

A response stays as it was; a second mark lies over it. Of several the last one counts.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import AssignedQuestion
from app.records.assignments.tables import AssignmentPart, Audit
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.grading.marks import best_shares
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import GrantRow, RegradedResponse
from app.records.learning.tables import ItemVersion, Response
from app.records.learning.values import ResponseRow

response, re_mark = table(Response).c, table(ReMark).c
part, grant = table(AssignmentPart).c, table(PartGrant).c
version, line = table(ItemVersion).c, table(Audit).c

JUDGED = Prepared(
    select(response.item, response.try_number, *[re_mark[name] for name in RegradedResponse._fields])
    .where(re_mark.response_id == response.id, response.attempt_id == bindparam("attempt"))
    .order_by(re_mark.id)
)
SCORED = Prepared(
    select(response.item, response.try_number, response.score)
    .where(response.attempt_id == bindparam("attempt"))
    .order_by(response.id)
)
VERSIONS = Prepared(
    select(version.hash, version.body)
    .distinct()
    .where(
        re_mark.item_version == version.hash,
        re_mark.response_id == response.id,
        response.attempt_id == bindparam("attempt"),
    )
)
REGRADES = Prepared(
    select(line.detail)
    .where(line.assignment_id == bindparam("assignment"), line.action == "regrade")
    .order_by(line.id)
)
GRANTS = Prepared(
    select(grant.granted, *[grant[name] for name in GrantRow._fields])
    .where(grant.part_id == part.id, part.assignment_id == bindparam("assignment"))
    .order_by(grant.id)
)


def judged_in(session: VerbSession, attempt_id: int) -> dict[tuple[str, int], RegradedResponse]:
    """The second marks of a pass, by question and try."""
    rows = session.all(JUDGED, attempt=attempt_id)
    return {(item, number): RegradedResponse(*rest) for item, number, *rest in rows}


def as_counted(
    rows: Sequence[ResponseRow], judged: Mapping[tuple[str, int], RegradedResponse]
) -> tuple[ResponseRow, ...]:
    """Responses as they count now: of two marks the second, with the item it was made by."""
    return tuple(
        row._replace(
            verdict=second.verdict,
            score=second.score,
            misconception=second.misconception,
            item_version=second.item_version,
        )
        if (second := judged.get((row.item, row.try_number)))
        else row
        for row in rows
    )


def versions_in(session: VerbSession, attempt_id: int) -> dict[str, str]:
    """The corrected items by which a pass was marked anew."""
    return dict(session.all(VERSIONS, attempt=attempt_id))


def reasons_of(session: VerbSession, assignment_id: int, asked: Iterable[AssignedQuestion]) -> dict[str, str]:
    """Why questions were marked anew, or count in full for everybody: the last reason of each."""
    questions, found = {one.number: one for one in asked}, dict[str, str]()
    for (detail,) in session.all(REGRADES, assignment=assignment_id):
        said = json.loads(detail)
        if said["way"] == "again":
            found |= {questions[one].ref: said["reason"] for one in said["questions"] if one in questions}
    granted = grants_of(session, assignment_id)
    return found | {one.ref: granted[one.part].reason for one in questions.values() if one.part in granted}


def scores_in(session: VerbSession, attempt_id: int) -> list[tuple[str, float]]:
    """Question and score of every try of a pass, as they count now."""
    judged = judged_in(session, attempt_id)
    return [
        (item, judged[item, number].score if (item, number) in judged else score)
        for item, number, score in session.all(SCORED, attempt=attempt_id)
    ]


def grants_of(session: VerbSession, assignment_id: int) -> dict[int, GrantRow]:
    """The parts that count in full for everybody, as things stand."""
    found: dict[int, GrantRow] = {}
    for granted, *rest in session.all(GRANTS, assignment=assignment_id):
        row = GrantRow(*rest)
        found.pop(row.part_id, None)
        if granted:
            found[row.part_id] = row
    return found


def again(
    session: VerbSession, assignment_id: int, attempt_id: int, asked: Iterable[AssignedQuestion]
) -> dict[str, float]:
    """What the questions of a pass earn since a 重新评分, 0..1; those that had none are not in it."""
    granted = grants_of(session, assignment_id)
    marked = {item for item, _ in judged_in(session, attempt_id)}
    shares = best_shares(scores_in(session, attempt_id)) if marked else {}
    found = {item: shares[item] for item in marked}
    return found | {one.ref: 1.0 for one in asked if one.part in granted}
