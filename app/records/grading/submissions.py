"""What students do with an assignment: begin a pass, answer or save, hand in. Reached by one's own enrolment.

While answers are shown at once, each is marked when it is given, as in a lesson. Otherwise answers are saved,
replaced as often as one likes, and marked when the pass is handed in.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import and_, bindparam, func, or_, select, update

from app.course.assignments.question_sets import (
    AssignedQuestion,
    MarkingCourse,
    QuestionSet,
    questions,
    tally,
)
from app.course.authoring.own_content import id_of
from app.course.items.kinds.steps import CARRIED, LEFT
from app.course.items.marks import Unreadable
from app.records.accounts import learners
from app.records.accounts.learners import token_hash
from app.records.accounts.values import Caller
from app.records.assignments import assignments, outside_work
from app.records.assignments.deadlines import FAR, ends_at, schedule, schedule_of, shown_from
from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Extension,
    MarkOverride,
    SavedAnswer,
    Submission,
)
from app.records.assignments.values import (
    AssignmentRow,
    AttemptWork,
    ExtensionRow,
    PartRow,
    SavedRow,
    Schedule,
    StudentAssignment,
    SubmissionRow,
)
from app.records.classes.classrooms import me
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession, adding
from app.records.grading import marks, regraded_marks
from app.records.learning import attempts
from app.records.learning.tables import Attempt
from app.records.learning.values import Answer, AttemptRow, ItemLog

T = TypeVar("T")
Courses = Mapping[str, MarkingCourse]
"""Prefix to course: `{"content": course}`."""
Key = tuple[int, int]
"""Assignment and enrolment."""

assignment, classroom, enrolment = table(Assignment).c, table(Classroom).c, table(Enrolment).c
submission, saved, extension = table(Submission).c, table(SavedAnswer).c, table(Extension).c
override = table(MarkOverride).c
assignee, attempt, part = table(Assignee).c, table(Attempt).c, table(AssignmentPart).c
columns = [assignment[name] for name in AssignmentRow._fields]

live = and_(
    classroom.archived_at.is_(None),
    enrolment.classroom_id == assignment.classroom_id,
    enrolment.removed_at.is_(None),
    or_(
        assignment.everyone,
        select(assignee.id)
        .where(assignee.assignment_id == assignment.id, assignee.enrolment_id == enrolment.id)
        .exists(),
    ),
)
worked = assignment.id.in_(select(submission.assignment_id).where(submission.enrolment_id == enrolment.id))
for_me = (
    assignment.published_at.is_not(None),
    classroom.id == assignment.classroom_id,
    enrolment.learner_id == me,
    or_(live, worked),
)
given_columns: list[Any] = [
    *columns,
    classroom.name,
    enrolment.id,
    enrolment.learner_id,
    enrolment.joined_at,
    live,
]
GIVEN = Prepared(
    select(*given_columns).where(*for_me, assignment.id == bindparam("assignment")).order_by(live.desc())
)
EVERY = Prepared(select(*given_columns).where(*for_me).order_by(assignment.id.desc(), live))
EXTENSION = Prepared(
    select(*[extension[name] for name in ExtensionRow._fields])
    .where(
        extension.assignment_id == bindparam("assignment"), extension.enrolment_id == bindparam("enrolment")
    )
    .order_by(extension.id.desc())
    .limit(1)
)
BY_HAND = Prepared(
    select(override.points)
    .where(override.assignment_id == bindparam("assignment"), override.enrolment_id == bindparam("enrolment"))
    .order_by(override.id.desc())
    .limit(1)
)
my_places = select(enrolment.id).where(enrolment.learner_id == bindparam("learner"))
EXTENSIONS = Prepared(
    select(extension.assignment_id, *[extension[name] for name in ExtensionRow._fields])
    .where(extension.enrolment_id.in_(my_places))
    .order_by(extension.id)
)
MY_MARKS = Prepared(
    select(override.assignment_id, override.points)
    .where(override.enrolment_id.in_(my_places))
    .order_by(override.id)
)
submission_columns = [submission[name] for name in SubmissionRow._fields]
SUBMISSIONS = Prepared(
    select(*submission_columns)
    .where(
        submission.assignment_id == bindparam("assignment"), submission.enrolment_id == bindparam("enrolment")
    )
    .order_by(submission.number)
)
MY_SUBMISSIONS = Prepared(
    select(submission.assignment_id, *submission_columns)
    .where(submission.enrolment_id.in_(my_places))
    .order_by(submission.number)
)
saved_columns = [saved[name] for name in SavedRow._fields]
this_question = (saved.attempt_id == bindparam("attempt"), saved.item == bindparam("question"))
SAVED = Prepared(select(*saved_columns).where(saved.attempt_id == bindparam("attempt")).order_by(saved.id))
SAVED_ONE = Prepared(select(saved.id).where(*this_question))
SET_SAVED = Prepared(update(table(SavedAnswer)).where(*this_question), keys=("raw", "seconds", "saved_at"))
SHOWN_FROM = Prepared(select(attempt.shown_from).where(attempt.id == bindparam("attempt")))
ATTEMPT = Prepared(
    select(*[attempt[name] for name in AttemptRow._fields]).where(attempt.id == bindparam("attempt"))
)
LAST_ROUND = Prepared(
    select(func.max(attempt.round)).where(
        attempt.learner_id == bindparam("learner"),
        attempt.source == "assignment",
        attempt.ref == bindparam("ref"),
    )
)
SITTING = Prepared(
    select(assignment.seed, assignment.id, submission.enrolment_id, submission.number).where(
        submission.attempt_id == bindparam("attempt"), assignment.id == submission.assignment_id
    )
)
OWN = Prepared(
    select(part.ref).where(part.assignment_id == bindparam("assignment"), part.ref.startswith("own-"))
)
ADD_SAVED, ADD_ATTEMPT, ADD = adding(SavedAnswer), adding(Attempt), adding(Submission)
HAND_IN = Prepared(
    update(table(Submission)).where(submission.attempt_id == bindparam("attempt")),
    keys=("handed_in_at", "collected", "points", "total", "factor", "parts"),
)

# What can be seen.


def mine(session: VerbSession, who: Caller) -> tuple[StudentAssignment, ...]:
    """Every assignment of who is here, without their parts: four queries. What was over before they came
    is not theirs."""
    rows = session.all(EVERY, hash=token_hash(who.token or ""))
    if not rows:
        return ()
    learner_id = learner_of(rows[0])
    extended = {
        (one, rest[0]): ExtensionRow(*rest) for one, *rest in session.all(EXTENSIONS, learner=learner_id)
    }
    passes: dict[Key, list[SubmissionRow]] = {}
    for assignment_id, *rest in session.all(MY_SUBMISSIONS, learner=learner_id):
        row = SubmissionRow(*rest)
        passes.setdefault((assignment_id, row.enrolment_id), []).append(row)
    by_hand: dict[int, float | None] = dict(session.all(MY_MARKS, learner=learner_id))
    found = {row[0]: given_of(row, extended, (), passes) for row in rows}
    theirs = [one for one in found.values() if one.submissions or not came_after(one)]
    return tuple(replace(one, by_hand=by_hand.get(one.assignment.id)) for one in theirs)


def came_after(found: StudentAssignment) -> bool:
    """Whether it was over before this student came into the class."""
    return schedule(found.assignment, found.extension, found.joined_at).was_over(found.joined_at)


def overview(session: VerbSession, who: Caller) -> tuple[bool, tuple[StudentAssignment, ...]]:
    """Whether somebody is here, and their assignments."""
    return learners.load_visitor(session, who) is not None, mine(session, who)


def beside(
    session: VerbSession, who: Caller, read: Callable[[VerbSession], T]
) -> tuple[T, tuple[StudentAssignment, ...]]:
    """What something else reads, and one's assignments: one call for a page that shows both."""
    return read(session), mine(session, who) if who.token else ()


def with_shares(
    session: VerbSession, who: Caller, assignment_id: int, courses: Courses, now: datetime
) -> tuple[StudentAssignment, AttemptWork | None, dict[int, float]]:
    """An assignment, the pass that is open, and how much is done of the parts that make no questions."""
    found = given(session, who, assignment_id)
    shares = shares_of(session, found, courses, now)
    return found, work_of(session, found, found.begun) if found.begun else None, shares


def given(session: VerbSession, who: Caller, assignment_id: int) -> StudentAssignment:
    """An assignment of a class one is in, or that one has worked at; NotFound to everybody else, and before
    it is published."""
    row = session.first(GIVEN, assignment=assignment_id, hash=token_hash(who.token or ""))
    if row is None:
        raise NotFound("没有这份作业，或者它不是布置给你的。")
    place = place_of(row)
    extended = session.first(EXTENSION, assignment=assignment_id, enrolment=place)
    passes = session.all(SUBMISSIONS, assignment=assignment_id, enrolment=place)
    by_hand = session.first(BY_HAND, assignment=assignment_id, enrolment=place)
    key = (assignment_id, place)
    found = given_of(
        row,
        {key: ExtensionRow(*extended)} if extended else {},
        assignments.parts_of(session, assignment_id),
        {key: [SubmissionRow(*each) for each in passes]},
    )
    return replace(found, by_hand=by_hand[0] if by_hand else None)


def place_of(row: Row) -> int:
    place: int = row[len(AssignmentRow._fields) + 1]
    return place


def learner_of(row: Row) -> int:
    learner_id: int = row[len(AssignmentRow._fields) + 2]
    return learner_id


def given_of(
    row: Row,
    extended: Mapping[Key, ExtensionRow],
    parts: tuple[PartRow, ...],
    passes: Mapping[Key, Sequence[SubmissionRow]],
) -> StudentAssignment:
    size = len(AssignmentRow._fields)
    name, place, learner_id, joined_at, is_live = row[size:]
    return StudentAssignment(
        AssignmentRow(*row[:size]),
        name,
        place,
        learner_id,
        joined_at,
        extended.get((row[0], place)),
        parts,
        tuple(passes.get((row[0], place), ())),
        live=bool(is_live),
    )


def load_attempt(
    session: VerbSession, who: Caller, assignment_id: int, number: int | None = None
) -> StudentAssignment | AttemptWork:
    """An assignment with one pass of it: that of a number, else the one that is open, else the last one."""
    found = given(session, who, assignment_id)
    chosen = found.submission(number) if number else found.begun or next(reversed(found.submissions), None)
    if chosen is None:
        if number:
            raise NotFound(f"没有第{number}遍。")
        return found
    return work_of(session, found, chosen)


def work_of(session: VerbSession, found: StudentAssignment, chosen: SubmissionRow) -> AttemptWork:
    """A pass with everything that was done in it; once it is handed in, as it counts now."""
    which = chosen.attempt_id
    work = AttemptWork(
        found,
        chosen,
        saved=saved_in(session, which),
        responses=attempts.responses_of(session, which),
        hints=attempts.hints_of(session, which),
        versions=dict(session.all(attempts.VERSIONS, attempt=which)),
        shown_from=session.all(SHOWN_FROM, attempt=which)[0][0],
    )
    return marked_anew(session, work) if chosen.handed_in_at else work


def marked_anew(session: VerbSession, work: AttemptWork) -> AttemptWork:
    """After a 重新评分 the second mark counts, and the corrected item is shown, with the reason."""
    which, assignment_id = work.submission.attempt_id, work.given.assignment.id
    asked = questions(work.given.parts)
    return replace(
        work,
        responses=regraded_marks.as_counted(work.responses, regraded_marks.judged_in(session, which)),
        versions={**work.versions, **regraded_marks.versions_in(session, which)},
        again=regraded_marks.again(session, assignment_id, which, asked),
        why=regraded_marks.reasons_of(session, assignment_id, asked),
    )


def saved_in(session: VerbSession, attempt_id: int) -> dict[str, SavedRow]:
    rows = session.all(SAVED, attempt=attempt_id)
    return {item: SavedRow(item, attempts.typed(raw), *rest) for item, raw, *rest in rows}


# What a student does.


def begin(session: VerbSession, who: Caller, assignment_id: int, now: datetime) -> int:
    """Begin a pass; one that is open goes on. Returns its number."""
    found = given(session, who, assignment_id)
    expect_live(found)
    if found.begun:
        return found.begun.number
    expect_taken(found, now, "现在开始来不及了")
    if found.left == 0:
        raise Refused(f"这份作业能交{found.assignment.passes}遍，你都交过了。")
    return start(session, found, now).number


def start(session: VerbSession, found: StudentAssignment, now: datetime) -> SubmissionRow:
    """The attempt and the submission of a new pass."""
    ref = f"assignment-{found.assignment.id}"
    last = session.all(LAST_ROUND, learner=found.learner_id, ref=ref)[0][0] or 0
    number = max(last, len(found.submissions)) + 1
    [(attempt_id,)] = session.all(
        ADD_ATTEMPT,
        learner_id=found.learner_id,
        source="assignment",
        ref=ref,
        round=number,
        seed=found.assignment.seed,
        created_at=now,
        shown_from=None if found.assignment.answers == "at_once" else FAR,
    )
    row = SubmissionRow(attempt_id, found.enrolment_id, number, now, None, False, None, None, 1.0, "{}")
    session.run(ADD, assignment_id=found.assignment.id, **row._asdict())
    return row


def save(
    session: VerbSession,
    who: Caller,
    assignment_id: int,
    sitting: int,
    number: int,
    raw: tuple[str, ...],
    seconds: int | None,
    now: datetime,
) -> SavedRow:
    """Keep what stands in a question, readable or not; it is marked when the pass is handed in."""
    found = given(session, who, assignment_id)
    chosen, asked = open_question(found, sitting, number, now)
    if found.assignment.answers == "at_once":
        raise Refused("这份作业每答一题就批改，不用先存。")
    row = SavedRow(asked.ref, raw, seconds, now)
    values = {"raw": json.dumps(raw, ensure_ascii=False), "seconds": seconds, "saved_at": now}
    if session.first(SAVED_ONE, attempt=chosen.attempt_id, question=asked.ref):
        session.run(SET_SAVED, attempt=chosen.attempt_id, question=asked.ref, **values)
    else:
        session.run(ADD_SAVED, attempt_id=chosen.attempt_id, item=asked.ref, **values)
    return row


def answer(
    session: VerbSession,
    who: Caller,
    assignment_id: int,
    sitting: int,
    number: int,
    try_number: int,
    raw: tuple[str, ...],
    seconds: int | None,
    courses: Courses,
    now: datetime,
) -> ItemLog:
    """Mark an answer at once. The first one for a try stands, and there are only so many tries."""
    found = given(session, who, assignment_id)
    chosen, asked = open_question(found, sitting, number, now)
    if found.assignment.answers != "at_once":
        raise Refused("这份作业交了才批改；写好了存下就行。")
    log, paper = log_of(session, found, chosen, asked), paper_of(found, chosen, courses)
    if not log.takes(try_number) or len(log.of(asked.ref)) >= tries(found.assignment, paper, asked):
        return log
    return attempts.take(session, log, Answer(asked.ref, try_number, raw, seconds), paper, now)


def hint(
    session: VerbSession,
    who: Caller,
    assignment_id: int,
    sitting: int,
    number: int,
    position: int,
    now: datetime,
) -> ItemLog:
    """Open the next hint of a question, where hints are allowed. Any other position changes nothing."""
    found = given(session, who, assignment_id)
    chosen, asked = open_question(found, sitting, number, now)
    if not found.assignment.hints:
        raise Refused("老师这次没有开提示。")
    return attempts.open_hint(session, log_of(session, found, chosen, asked), position, now)


def hand_in(
    session: VerbSession, who: Caller, assignment_id: int, sitting: int, courses: Courses, now: datetime
) -> SubmissionRow:
    """Hand in a pass. A second click finds it handed in, and changes nothing."""
    found = given(session, who, assignment_id)
    chosen = pass_of(found, sitting)
    if chosen.handed_in_at:
        return chosen
    times = expect_taken(found, now, "没能交上")
    return finish(session, found, chosen, courses, now, times.factor)


# What happens when a pass ends.


def finish(
    session: VerbSession,
    found: StudentAssignment,
    chosen: SubmissionRow,
    courses: Courses,
    now: datetime,
    factor: float,
    collected: bool = False,
) -> SubmissionRow:
    """Mark what was saved, add everything up, and keep it."""
    paper = paper_of(found, chosen, courses)
    mark_saved(session, found, chosen, paper, now)
    scores = marks.best_shares(regraded_marks.scores_in(session, chosen.attempt_id))
    shares = shares_of(session, found, courses, now)
    granted = regraded_marks.grants_of(session, found.assignment.id)
    sums = tally(found.parts, scores, shares)
    parts = marks.again(found.parts, sums.parts, granted, scores, granted)
    handed_in = chosen._replace(
        handed_in_at=now,
        collected=collected,
        points=round(sum(parts.values()), 4),
        total=sums.total,
        factor=factor,
        parts=json.dumps(parts),
    )
    kept = {name: getattr(handed_in, name) for name in SubmissionRow._fields[4:]}
    session.run(HAND_IN, attempt=chosen.attempt_id, **kept)
    at = shown_from(found.assignment, found.extension, now)
    session.run(assignments.SET_SHOWN, attempt=chosen.attempt_id, shown_from=at)
    return handed_in


def mark_saved(
    session: VerbSession, found: StudentAssignment, chosen: SubmissionRow, paper: QuestionSet, now: datetime
) -> None:
    """Every saved answer becomes the first try at its question. What cannot be read stays saved, unmarked."""
    waiting = saved_in(session, chosen.attempt_id)
    before = log_in(session, chosen.attempt_id, "", found.learner_id, tuple(waiting))
    for asked in paper.questions:
        kept = waiting.get(asked.ref)
        if kept is None or before.of(asked.ref):
            continue
        log = replace(before, item=asked.ref)
        try:
            attempts.take(session, log, Answer(asked.ref, 1, filled(kept.raw), kept.seconds), paper, now)
        except (Unreadable, KeyError):  # cannot be read, or its item is no longer in the course
            continue


def filled(raw: Sequence[str]) -> tuple[str, ...]:
    """Of a table, what was left empty is left to the tutor: the other cells still count. Nothing that is only
    saved was right before."""
    if len(raw) < 2:
        return tuple(raw)
    return tuple(LEFT if text.strip() in ("", CARRIED) else text for text in raw)


# What these have in common.


def open_question(
    found: StudentAssignment, sitting: int, number: int, now: datetime
) -> tuple[SubmissionRow, AssignedQuestion]:
    """The pass and the question that an answer is for; Refused says why it cannot be taken."""
    chosen = pass_of(found, sitting)
    if chosen.handed_in_at:
        raise Refused("这一遍已经交了，这里是交之前打开的旧页面；刚才写的没有算进去。")
    expect_taken(found, now, "刚才写的没有收；之前存下的都在，老师收卷时照那些算")
    asked = next((one for one in questions(found.parts) if one.number == number), None)
    if asked is None:
        raise NotFound(f"这份作业没有第{number}题。")
    return chosen, asked


def pass_of(found: StudentAssignment, sitting: int) -> SubmissionRow:
    chosen = found.submission(sitting)
    if chosen is None:
        raise NotFound("这一遍还没有开始。")
    return chosen


def expect_taken(found: StudentAssignment, now: datetime, what: str) -> Schedule:
    """The window of a student who may work now; Refused with a sentence to anybody else."""
    expect_live(found)
    times = schedule_of(found, now)
    if times.state == "soon":
        raise Refused("这份作业还没有开始。")
    if not times.takes:
        raise Refused(f"已经截止，不再收了：{what}。")
    return times


def expect_live(found: StudentAssignment) -> None:
    if not found.live:
        raise Refused("这份作业已经不布置给你了，不能再做；交过的和存下的都在。")


def log_of(
    session: VerbSession, found: StudentAssignment, chosen: SubmissionRow, asked: AssignedQuestion
) -> ItemLog:
    """What happened to one question of a pass so far."""
    return log_in(session, chosen.attempt_id, asked.ref, found.learner_id)


def log_in(
    session: VerbSession,
    attempt_id: int,
    ref: str,
    learner_id: int | None = None,
    others: tuple[str, ...] = (),
) -> ItemLog:
    """The same for those who have only the attempt; with what happened to other questions."""
    row = AttemptRow(*session.all(ATTEMPT, attempt=attempt_id)[0])
    return attempts.log_of(session, "", learner_id, row, ref, others)


def paper_of(found: StudentAssignment, chosen: SubmissionRow, courses: Courses) -> QuestionSet:
    """The questions of a pass, as this student has them."""
    return QuestionSet(courses, found.parts, found.assignment.seed, found.enrolment_id, chosen.number)


def seed_of(session: VerbSession, attempt_id: int, ref: str) -> int | None:
    """The seed of a question in a pass, for those who have only the log; None for one that is gone."""
    row = session.first(SITTING, attempt=attempt_id)
    if row is None:
        return None
    seed, assignment_id, place, number = row
    found = QuestionSet({}, assignments.parts_of(session, assignment_id), seed, place, number)
    return found.seeds.get(ref, seed)


def own_contents(session: VerbSession, assignment_id: int) -> tuple[int, ...]:
    """The numbers of the contents of teachers that an assignment draws from."""
    found = (id_of(ref) for (ref,) in session.all(OWN, assignment=assignment_id))
    return tuple(dict.fromkeys(own_id for own_id in found if own_id is not None))


def tries(row: AssignmentRow, paper: QuestionSet, asked: AssignedQuestion) -> int:
    """How often a question may be answered: once where another guess would be a gift."""
    if paper.one_shot(asked.ref):
        return 1
    return row.tries or 1000


def shares_of(
    session: VerbSession, found: StudentAssignment, courses: Courses, until: datetime
) -> dict[int, float]:
    """How much was done elsewhere from the opening until then, and before time was up for this student."""
    row = found.assignment
    end = min(until, ends_at(row, found.extension))
    return outside_work.shares(session, found.learner_id, found.parts, courses, since(row), end)


def since(row: AssignmentRow) -> datetime:
    """From when work done elsewhere counts."""
    return row.opens_at or row.published_at or row.created_at
