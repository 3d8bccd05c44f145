"""Assignments of a class: made as a draft, published, closed, copied. For their teacher alone.

`get` is the lookup of a teacher, and the permission check. What students do is in `submissions`.
"""

import secrets
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from app.course.assignments.question_sets import AssignedQuestion, questions
from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments import assigned, audit
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import MINUTE, schedule, shown_from
from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Extension,
    MarkOverride,
    Submission,
)
from app.records.assignments.values import (
    AssignmentPage,
    AssignmentRow,
    AssignmentRules,
    Audience,
    ExtensionRow,
    ListedAssignment,
    NewPart,
    PartRow,
    SubmissionRow,
    TestTwin,
)
from app.records.classes import classrooms
from app.records.classes.classrooms import DOUBLE_CLICK
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning.tables import Attempt

LONGEST_TITLE, LONGEST_NOTE = 60, 1000
MOST_QUESTIONS, MOST_PARTS, MOST_COUNT = 100, 60, 50
LAST_SEED = 2**31 - 1

Wishes = Mapping[int, Mapping[str, Any]]
"""What a teacher wishes of parts, by part: `{7: {"points": 2.0}}`."""
MAY_CHANGE: Mapping[str, Collection[str]] = {
    "item": ("ref", "points"),
    "practice": ("level", "count", "same", "points"),
    "section": ("points",),
    "cards": ("count", "points"),
    "game": ("count", "points"),
}

PART = tuple(one.name for one in fields(PartRow))
NEW_PART = tuple(one.name for one in fields(NewPart))
assignment, part = table(Assignment).c, table(AssignmentPart).c
assignee, extension = table(Assignee).c, table(Extension).c
override = table(MarkOverride).c
submission, enrolment, attempt = table(Submission).c, table(Enrolment).c, table(Attempt).c
columns = [assignment[name] for name in AssignmentRow._fields]
this_one = assignment.id == bindparam("assignment")
of_it = part.assignment_id == bindparam("assignment")

ONE = Prepared(select(*columns).where(this_one, assignment.classroom_id == bindparam("classroom")))
PARTS = Prepared(select(*[part[name] for name in PART]).where(of_it).order_by(part.position))
ASSIGNEES = Prepared(select(assignee.enrolment_id).where(assignee.assignment_id == bindparam("assignment")))
latest = (
    select(func.max(extension.id))
    .where(extension.assignment_id == bindparam("assignment"))
    .group_by(extension.enrolment_id)
)
EXTENSIONS = Prepared(
    select(*[extension[name] for name in ExtensionRow._fields]).where(extension.id.in_(latest))
)
SUBMISSIONS = Prepared(
    select(*[submission[name] for name in SubmissionRow._fields])
    .where(submission.assignment_id == bindparam("assignment"))
    .order_by(submission.enrolment_id, submission.number)
)
BEGUN = Prepared(
    select(submission.attempt_id).where(submission.assignment_id == bindparam("assignment")).limit(1)
)
WORKED = Prepared(
    select(submission.assignment_id, submission.enrolment_id, func.max(submission.handed_in_at))
    .where(submission.assignment_id == assignment.id, assignment.classroom_id == bindparam("classroom"))
    .group_by(submission.assignment_id, submission.enrolment_id)
)
PAIR = Prepared(
    select(assignment.id, assignment.title, assignment.form)
    .where(assignment.pair == bindparam("pair"), assignment.id != bindparam("assignment"))
    .order_by(assignment.id)
)
MADE = Prepared(
    select(*columns)
    .where(
        assignment.classroom_id == bindparam("classroom"),
        assignment.title == bindparam("title"),
        assignment.published_at.is_(None),
        assignment.created_at > bindparam("since"),
    )
    .order_by(assignment.id)
)
POST = Prepared(
    select(assignment.id)
    .where(assignment.pair == bindparam("pair"), assignment.form == "post", assignment.published_at.is_(None))
    .order_by(assignment.id)
)
BY_HAND = Prepared(
    select(override.enrolment_id, override.points)
    .where(override.assignment_id == bindparam("assignment"))
    .order_by(override.id)
)
ADD, ADD_PART = adding(Assignment), adding(AssignmentPart)
ADD_ASSIGNEE, ADD_EXTENSION = adding(Assignee), adding(Extension)
SET = Prepared(update(table(Assignment)).where(this_one), keys=AssignmentRules._fields)
SET_PAIR = Prepared(update(table(Assignment)).where(this_one), keys=("form", "pair"))
SET_PUBLISHED = Prepared(update(table(Assignment)).where(this_one), keys=("published_at",))
SET_CLOSED = Prepared(update(table(Assignment)).where(this_one), keys=("closed_at",))
SET_EVERYONE = Prepared(update(table(Assignment)).where(this_one), keys=("everyone",))
SET_PART = Prepared(update(table(AssignmentPart)).where(part.id == bindparam("part")), keys=NEW_PART)
SET_POSITION = Prepared(update(table(AssignmentPart)).where(part.id == bindparam("part")), keys=("position",))
REMOVE_PART = Prepared(delete(table(AssignmentPart)).where(part.id == bindparam("part")))
REMOVE = Prepared(delete(table(Assignment)).where(this_one))
REMOVE_ASSIGNEES = Prepared(delete(table(Assignee)).where(assignee.assignment_id == bindparam("assignment")))
SET_SHOWN = Prepared(update(table(Attempt)).where(attempt.id == bindparam("attempt")), keys=("shown_from",))

# What can be seen.


def get(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int
) -> tuple[ClassRow, AssignmentRow]:
    """An assignment of a class of the teacher who asks; NotFound to everybody else."""
    row = classrooms.taught(session, who, classroom_id)
    return row, of_class(session, row.id, assignment_id)


def of_class(session: VerbSession, classroom_id: int, assignment_id: int) -> AssignmentRow:
    found = session.first(ONE, assignment=assignment_id, classroom=classroom_id)
    if found is None:
        raise NotFound("没有这份作业，或者它已经删掉了。")
    return AssignmentRow(*found)


def parts_of(session: VerbSession, assignment_id: int) -> tuple[PartRow, ...]:
    """What an assignment asks for, in order."""
    return tuple(PartRow(*row) for row in session.all(PARTS, assignment=assignment_id))


def assignees_of(session: VerbSession, assignment_id: int) -> frozenset[int]:
    """Places in the class of those it is for, where it is not for everyone."""
    return frozenset(place for (place,) in session.all(ASSIGNEES, assignment=assignment_id))


def extensions_of(session: VerbSession, assignment_id: int) -> dict[int, ExtensionRow]:
    """The latest extension of each student who has one."""
    rows = [ExtensionRow(*row) for row in session.all(EXTENSIONS, assignment=assignment_id)]
    return {row.enrolment_id: row for row in rows}


def submissions_of(session: VerbSession, assignment_id: int) -> tuple[SubmissionRow, ...]:
    """Every pass of everybody, by student and number."""
    return tuple(SubmissionRow(*row) for row in session.all(SUBMISSIONS, assignment=assignment_id))


def listed(
    session: VerbSession, who: Caller, classroom_id: int
) -> tuple[ClassRow, tuple[ListedAssignment, ...]]:
    """The assignments of a class, the newest first, with how many have begun and handed in: seven queries."""
    row = classrooms.taught(session, who, classroom_id)
    here = [one for one in classrooms.students(session, row.id) if one.removed_at is None]
    worked: dict[int, dict[int, bool]] = {}
    for one, place, handed_in_at in session.all(WORKED, classroom=row.id):
        worked.setdefault(one, {})[place] = handed_in_at is not None
    return row, tuple(
        counted(one, here, worked.get(one.id, {})) for one in assigned.of_class(session, row.id)
    )


def counted(task: AssignedTask, here: Sequence[Student], worked: Mapping[int, bool]) -> ListedAssignment:
    """An assignment with its numbers. `worked`: whether they have handed in, by place of who has begun."""
    students = task.receivers(here, worked)
    done = [worked[one.id] for one in students if one.id in worked]
    return ListedAssignment(task.row, tuple(task.parts), len(students), len(done), sum(done))


def opened(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int) -> AssignmentPage:
    """An assignment with everything that its page shows: eleven queries, however many students there are."""
    row, found = get(session, who, classroom_id, assignment_id)
    beside = session.all(PAIR, pair=found.pair, assignment=found.id) if found.pair else ()
    students = tuple(one for one in classrooms.students(session, row.id) if one.removed_at is None)
    parts, assignees = parts_of(session, found.id), assignees_of(session, found.id)
    extensions, submissions = extensions_of(session, found.id), submissions_of(session, found.id)
    task = AssignedTask(found, parts, None if found.everyone else assignees, extensions)
    return AssignmentPage(
        row=row,
        assignment=found,
        parts=parts,
        students=students,
        assignees=assignees,
        extensions=extensions,
        submissions=submissions,
        classes=tuple(one for one in classrooms.mine(session, who).taught if one.archived_at is None),
        pair=tuple(TestTwin(*one) for one in beside),
        by_hand=dict(session.all(BY_HAND, assignment=found.id)),
        receivers=task.receivers(students, {one.enrolment_id for one in submissions}),
    )


# What a teacher does with a draft.


def create(
    session: VerbSession, who: Caller, classroom_id: int, title: str, now: datetime, seed: int | None = None
) -> int:
    """A new draft without anything to do in it; a double click finds the first. `seed` makes its variants;
    without one it is drawn."""
    row, like = classrooms.changed(session, who, classroom_id), blank(checked_title(title))
    return twin(session, row.id, like, (), now) or add(session, row.id, like, now, seed)


def blank(title: str) -> AssignmentRow:
    """An assignment as it begins: once, answers marked when it is handed in."""
    start = datetime.min.replace(tzinfo=UTC)
    return AssignmentRow(
        *(0, 0, title, "", 0, True, None, None, None, 1.0, 1, 1, True),
        *("handed_in", "best", None, None, start, None, None),
    )


def add(
    session: VerbSession, classroom_id: int, like: AssignmentRow, now: datetime, seed: int | None = None
) -> int:
    """A draft with the settings of another row, and a seed of its own."""
    own_seed = seed or secrets.randbelow(LAST_SEED) + 1
    values = like._asdict() | {"classroom_id": classroom_id, "seed": own_seed}
    values |= {"created_at": now, "published_at": None, "closed_at": None}
    del values["id"]
    [(assignment_id,)] = session.all(ADD, **values)
    found: int = assignment_id
    return found


def twin(
    session: VerbSession,
    classroom_id: int,
    like: AssignmentRow,
    parts: Sequence[PartRow],
    now: datetime,
    after: int = 0,
) -> int | None:
    """The draft that a first click made like this, with these parts, and that nobody has touched since.
    `after`: a copy is newer than what it was copied from."""
    asked = [values_of(one) for one in parts]
    for one in just_made(session, classroom_id, like.title, now):
        same = told(one) == told(like) and one.everyone == like.everyone
        if one.id > after and same and [values_of(each) for each in parts_of(session, one.id)] == asked:
            return one.id
    return None


def just_made(
    session: VerbSession, classroom_id: int, title: str, now: datetime
) -> tuple[AssignmentRow, ...]:
    """Drafts with this title that were made so lately that another click may mean them."""
    rows = session.all(MADE, classroom=classroom_id, title=title, since=now - DOUBLE_CLICK)
    return tuple(AssignmentRow(*row) for row in rows)


def set_up(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    wishes: AssignmentRules,
    now: datetime,
    pre: bool | None = None,
    audience: Audience | None = None,
) -> None:
    """Other settings; `pre`: whether it is a 前测; `audience`: whom it is for, where that was said with them.
    Times may always change, and another due time that is still to come opens again what was closed; how
    answers are shown may not once somebody has begun."""
    row, found = changed(session, who, classroom_id, assignment_id)
    wanted = checked(wishes)
    old = AssignmentRules(*[getattr(found, name) for name in AssignmentRules._fields])
    if is_begun(session, found.id) and (wanted.answers == "at_once") != (old.answers == "at_once"):
        raise Refused("已经有人开始做了，“每答一题就批改”和“交了再批”之间不能再换。")
    if pre is not None:
        call_pre(session, found, pre)
    session.run(SET, assignment=found.id, **wanted._asdict())
    if wanted.due_at and wanted.due_at != old.due_at and wanted.due_at > now:
        reopen(session, who, classroom_id, assignment_id, now)
    detail = changes(told(found), told(of_class(session, row.id, found.id)))
    if found.published_at and detail:
        show_anew(session, row.id, found.id)
        action = "due" if times(wanted) != times(old) else "settings"
        note(session, who, row, found.id, action, detail, now)
    if audience is not None:
        give_to(session, who, classroom_id, assignment_id, *audience, now)


def call_pre(session: VerbSession, found: AssignmentRow, pre: bool) -> None:
    """Call it a 前测, or neither; a 后测 is made by `follow_up`, and a 前测 that has one stays one."""
    if found.form == "post" or (found.form == "pre") == pre or has_pair(session, found):
        return
    session.run(SET_PAIR, assignment=found.id, form="pre" if pre else None, pair=found.id if pre else None)


def has_pair(session: VerbSession, found: AssignmentRow) -> bool:
    return session.first(PAIR, pair=found.id, assignment=found.id) is not None


def give_to(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    everyone: bool,
    places: Collection[int],
    now: datetime,
) -> None:
    """For everyone, those who join later as well; or for these students alone."""
    row, found = changed(session, who, classroom_id, assignment_id)
    known = {one.id for one in classrooms.students(session, row.id)}
    chosen = [place for place in dict.fromkeys(places) if place in known]
    if not everyone and not chosen:
        raise Refused("一位同学也没选。勾上要做的人，或者选“全班”。")
    session.run(SET_EVERYONE, assignment=found.id, everyone=everyone)
    session.run(REMOVE_ASSIGNEES, assignment=found.id)
    for place in () if everyone else chosen:
        session.run(ADD_ASSIGNEE, assignment_id=found.id, enrolment_id=place)
    if found.published_at:
        detail = {"everyone": everyone, "students": [] if everyone else chosen}
        note(session, who, row, found.id, "assignees", detail, now)


def add_parts(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    wanted: Sequence[NewPart],
    now: datetime,
    seen: int | None = None,
) -> bool:
    """Put these at the end. What there is to do can no longer change once somebody has begun.

    `seen`: the newest part that the form knew of. What has come in since is not put in again; returns whether
    all of it was put in.
    """
    row, found, here = draft(session, who, classroom_id, assignment_id)
    if not wanted:
        raise Refused("一样也没选。先勾上，再加进作业。")
    missing = not_in_yet([checked_part(one) for one in wanted], here, seen)
    if len(here) + len(missing) > MOST_PARTS:
        raise Refused(f"一份作业最多{MOST_PARTS}项。拆成两份吧，同学也好安排。")
    put(session, found.id, missing, after=here[-1].position if here else 0)
    settle_parts(session, who, row, found, here, now)
    return len(missing) == len(wanted)


def not_in_yet(wanted: Sequence[NewPart], here: Sequence[PartRow], seen: int | None) -> Sequence[NewPart]:
    """What of this has not come in, the very same, since a form knew no newer part than `seen`."""
    if seen is None:
        return wanted
    came = [NewPart(**values_of(one)) for one in here if one.id > seen]
    missing = []
    for one in wanted:
        if one in came:
            came.remove(one)
        else:
            missing.append(one)
    return missing


def put(session: VerbSession, assignment_id: int, parts: Sequence[NewPart], after: int = 0) -> None:
    """These parts in this order, behind the position `after`."""
    for position, one in enumerate(parts, after + 1):
        session.run(ADD_PART, assignment_id=assignment_id, position=position, **asdict(one))


def set_parts(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, wishes: Wishes, now: datetime
) -> None:
    """Other points, another count, another item in the place of one: all rows as the form has them."""
    row, found, here = draft(session, who, classroom_id, assignment_id)
    write_parts(session, here, wishes)
    settle_parts(session, who, row, found, here, now)


def move_part(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    places: int,
    wishes: Wishes,
    now: datetime,
) -> None:
    """So many places down, or up where it is less than 0; not beyond the ends."""
    row, found, here = draft(session, who, classroom_id, assignment_id, part_id)
    order = list(here)
    at = order.index(part_in(here, part_id))
    order.insert(min(max(0, at + places), len(order) - 1), order.pop(at))
    for number, each in enumerate(order, 1):
        session.run(SET_POSITION, part=each.id, position=number)
    write_parts(session, here, wishes)
    settle_parts(session, who, row, found, here, now)


def remove_part(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    wishes: Wishes,
    now: datetime,
) -> None:
    row, found, here = draft(session, who, classroom_id, assignment_id, part_id)
    gone = part_in(here, part_id)
    session.run(REMOVE_PART, part=gone.id)
    write_parts(session, [one for one in here if one != gone], wishes)
    settle_parts(session, who, row, found, here, now)


def remove(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int) -> None:
    """Throw a draft away."""
    _, found = changed(session, who, classroom_id, assignment_id)
    if found.published_at:
        raise Refused("发布过的作业不能删，做过的都记在里面；不想再收，就结束它。")
    session.run(REMOVE, assignment=found.id)


# What a teacher does with the whole of it.


def publish(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    now: datetime,
    wishes: AssignmentRules | None = None,
    pre: bool | None = None,
    audience: Audience | None = None,
) -> None:
    """From now on its students see it, with these settings. A second click changes nothing."""
    row, found = changed(session, who, classroom_id, assignment_id)
    if found.published_at:
        return
    if wishes is not None:
        set_up(session, who, classroom_id, assignment_id, wishes, now, pre, audience)
    if not parts_of(session, found.id):
        raise Refused("作业里还什么都没有。先加几道题，再发布。")
    expect_time_left(of_class(session, row.id, found.id), now)
    session.run(SET_PUBLISHED, assignment=found.id, published_at=now)
    note(session, who, row, found.id, "publish", {}, now)


def close(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, now: datetime) -> None:
    """Nothing is taken any more. What was not handed in stays saved."""
    row, found = changed(session, who, classroom_id, assignment_id)
    if found.published_at is None or found.closed_at:
        return
    session.run(SET_CLOSED, assignment=found.id, closed_at=now)
    show_anew(session, row.id, found.id)
    note(session, who, row, found.id, "close", {}, now)


def reopen(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, now: datetime) -> None:
    """Take back the closing; the due time holds again."""
    row, found = changed(session, who, classroom_id, assignment_id)
    if found.closed_at is None:
        return
    session.run(SET_CLOSED, assignment=found.id, closed_at=None)
    show_anew(session, row.id, found.id)
    note(session, who, row, found.id, "reopen", {"closed_at": spoken(found.closed_at)}, now)


def copy(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, to: int, now: datetime
) -> int:
    """A draft of the same in this or another class of the teacher: without times, for everyone.

    A 前测 stays one, at the head of a pair of its own; a 后测 is nothing without its 前测. A double click
    finds the first copy.
    """
    row, found = get(session, who, classroom_id, assignment_id)
    target = classrooms.changed(session, who, to)
    like = without_times(found)._replace(form="pre" if found.form == "pre" else None, pair=None)
    if known := twin(session, target.id, like, parts_of(session, found.id), now, after=found.id):
        return known
    made = add(session, target.id, like, now)
    if like.form:
        session.run(SET_PAIR, assignment=made, form="pre", pair=made)
    copy_parts(session, found.id, made)
    detail = {"to": target.id, "class": target.name, "assignment": made}
    note(session, who, row, found.id, "copy", detail, now)
    return made


def follow_up(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, now: datetime) -> int:
    """A 后测 for a 前测: the same parts with other numbers, side by side with it from then on. While one is
    not published yet, this is the one."""
    row, found = changed(session, who, classroom_id, assignment_id)
    if found.form == "post":
        raise Refused("这份已经是后测了。")
    if known := session.first(POST, pair=found.id):
        return int(known[0])
    if found.form is None:
        session.run(SET_PAIR, assignment=found.id, form="pre", pair=found.id)
    title = checked_title(f"{found.title.replace('前测', '')[: LONGEST_TITLE - 3]}后测")
    like = without_times(found)._replace(title=title, form="post", pair=found.id)
    made = add(session, row.id, like, now, seed=found.seed % LAST_SEED + 1)
    copy_parts(session, found.id, made)
    note(session, who, row, found.id, "pair", {"assignment": made}, now)
    return made


def extend(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    places: Collection[int],
    due_at: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Another due time for these students; None takes it back. What was said before stays in the log."""
    row, found = changed(session, who, classroom_id, assignment_id)
    known = {one.id for one in classrooms.students(session, row.id) if one.removed_at is None}
    chosen = [place for place in dict.fromkeys(places) if place in known]
    if not chosen:
        raise Refused("一位同学也没选。勾上要延期的人。")
    expect_to_come(due_at, now)
    if found.due_at and due_at and due_at <= found.due_at and found.closed_at is None:
        raise Refused("延到的时间要比原来的截止时间晚。")
    before = extensions_of(session, found.id)
    if due_at is None:
        chosen = those_extended(chosen, before)
    said = tidy(reason)[:LONGEST_NOTE]
    for place in chosen:
        values = {"due_at": due_at, "note": said, "created_at": now}
        session.run(ADD_EXTENSION, assignment_id=found.id, enrolment_id=place, **values)
        was = schedule(found, before.get(place), now).due_at
        detail = {"due_at": [spoken(was), spoken(due_at)], "note": said}
        note(session, who, row, found.id, "extension", detail, now, place)
    show_anew(session, row.id, found.id)


def those_extended(places: Sequence[int], extensions: Mapping[int, ExtensionRow]) -> list[int]:
    """Who of these has an extension; Refused where nobody has."""
    found = [place for place in places if place in extensions and extensions[place].due_at]
    if not found:
        raise Refused("勾上的同学都没有延期，没有可以收回的。")
    return found


def postpone(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    due_at: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Another due time for all, None for no due time; what was closed is open again. Late work is taken for
    as long after it as after the old one."""
    row, found = changed(session, who, classroom_id, assignment_id)
    expect_to_come(due_at, now)
    reopen(session, who, classroom_id, assignment_id, now)
    late = found.late_until
    if late and due_at and found.due_at:
        late = due_at + (late - found.due_at)
    wanted = AssignmentRules(*[getattr(found, name) for name in AssignmentRules._fields])
    wanted = checked(wanted._replace(due_at=due_at, late_until=late if due_at else None))
    session.run(SET, assignment=found.id, **wanted._asdict())
    show_anew(session, row.id, found.id)
    detail = {"due_at": [spoken(found.due_at), spoken(due_at)], "note": tidy(reason)[:LONGEST_NOTE]}
    note(session, who, row, found.id, "due", detail, now)


def expect_time_left(found: AssignmentRow, now: datetime) -> None:
    """Refused where nobody could begin any more; late work counts."""
    until = found.late_until or found.due_at
    if until and until + MINUTE <= now:
        raise Refused("截止时间已经过去了，发布了谁也做不了。写一个以后的时间；不想截止，就空着。")


def expect_to_come(due_at: datetime | None, now: datetime) -> None:
    if due_at and due_at <= now:
        raise Refused("这个时间已经过去了，没有改。写一个以后的时间；要现在就结束，用“收卷”。")


# What they have in common.


def changed(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int
) -> tuple[ClassRow, AssignmentRow]:
    """An assignment that may be changed: Refused once its class is archived."""
    row, found = get(session, who, classroom_id, assignment_id)
    classrooms.changed(session, who, classroom_id)
    return row, found


def draft(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, part_id: int | None = None
) -> tuple[ClassRow, AssignmentRow, tuple[PartRow, ...]]:
    """An assignment whose content may change, with this content: nobody has begun it. NotFound for a part
    that is not in it."""
    row, found = changed(session, who, classroom_id, assignment_id)
    here = parts_of(session, found.id)
    if part_id is not None:
        part_in(here, part_id)
    if is_begun(session, found.id):
        raise Refused("已经有人开始做了，题目和分值不能再动。要换题，复制一份新的，把这份结束。")
    return row, found, here


def part_in(here: Sequence[PartRow], part_id: int) -> PartRow:
    for one in here:
        if one.id == part_id:
            return one
    raise NotFound("作业里没有这一项，也许刚刚移走了。")


def write_parts(session: VerbSession, here: Sequence[PartRow], wishes: Wishes) -> None:
    """What is wished for each of these parts. A wish for one that was taken out meanwhile is passed over."""
    for one in here:
        wish = {name: wishes[one.id][name] for name in MAY_CHANGE[one.kind] if name in wishes.get(one.id, ())}
        if wish:
            wanted = replace(NewPart(**values_of(one)), **wish)
            session.run(SET_PART, part=one.id, **asdict(checked_part(wanted)))


def settle_parts(
    session: VerbSession,
    who: Caller,
    row: ClassRow,
    found: AssignmentRow,
    before: Sequence[PartRow],
    now: datetime,
) -> None:
    """After a change: there is room for all questions; once it is published, the log says what changed."""
    after = parts_of(session, found.id)
    expect_room(after)
    detail = changes_of_parts(before, after)
    if found.published_at and detail:
        note(session, who, row, found.id, "parts", detail, now)


def changes_of_parts(before: Sequence[PartRow], after: Sequence[PartRow]) -> dict[str, Any]:
    """What differs between two lists of parts. Each is named by its place in its list, from 1."""
    was, stayed = {one.id: one for one in before}, {one.id for one in after}
    order = [one.id for one in after if one.id in was]
    pairs = [
        (place, changes(values_of(was[one.id]), values_of(one)))
        for place, one in enumerate(after, 1)
        if one.id in was
    ]
    found = {
        "added": [place for place, one in enumerate(after, 1) if one.id not in was],
        "removed": [place for place, one in enumerate(before, 1) if one.id not in stayed],
        "changed": [[place, one] for place, one in pairs if one],
        "moved": order != [one.id for one in before if one.id in stayed],
    }
    return {name: value for name, value in found.items() if value}


def values_of(one: PartRow) -> dict[str, Any]:
    return {name: getattr(one, name) for name in NEW_PART}


def is_begun(session: VerbSession, assignment_id: int) -> bool:
    return session.first(BEGUN, assignment=assignment_id) is not None


def show_anew(session: VerbSession, classroom_id: int, assignment_id: int) -> None:
    """After a change of times: from when each may see how it went."""
    found, extended = of_class(session, classroom_id, assignment_id), extensions_of(session, assignment_id)
    for one in submissions_of(session, assignment_id):
        at = shown_from(found, extended.get(one.enrolment_id), one.handed_in_at)
        session.run(SET_SHOWN, attempt=one.attempt_id, shown_from=at)


def without_times(row: AssignmentRow) -> AssignmentRow:
    return row._replace(opens_at=None, due_at=None, late_until=None, everyone=True)


def copy_parts(session: VerbSession, source: int, target: int) -> None:
    put(session, target, [NewPart(**values_of(one)) for one in parts_of(session, source)])


def expect_room(parts: Sequence[PartRow]) -> None:
    asked: tuple[AssignedQuestion, ...] = questions(parts)
    if len(asked) > MOST_QUESTIONS:
        raise Refused(f"这样一共{len(asked)}题，最多{MOST_QUESTIONS}题。少出几道。")


def checked_part(wanted: NewPart) -> NewPart:
    if not 1 <= wanted.count <= MOST_COUNT:
        raise Refused(f"个数写1到{MOST_COUNT}。")
    if not 0 <= wanted.points <= 100:
        raise Refused("每题的分值写0到100。")
    tenths = round(wanted.points, 1)
    if abs(tenths - wanted.points) > 1e-9:
        raise Refused("分值最多一位小数，比如0.5。")
    return replace(wanted, points=tenths)


def checked(wishes: AssignmentRules) -> AssignmentRules:
    """Settings that hold together; Refused says which do not."""
    title, late = checked_title(wishes.title), wishes.late_until
    if wishes.opens_at and wishes.due_at and wishes.due_at <= wishes.opens_at:
        raise Refused("截止时间要在开始时间之后。")
    if late and wishes.due_at is None:
        raise Refused("没有截止时间，就没有迟交。先写截止时间。")
    if late and wishes.due_at and late <= wishes.due_at:
        raise Refused("迟交收到的时间要在截止时间之后。")
    if not 0 <= wishes.late_factor <= 1:
        raise Refused("迟交按几折算，写0到100之间的百分数。")
    if not 0 <= wishes.passes <= 20 or not 0 <= wishes.tries <= 20:
        raise Refused("次数写0到20，0表示不限。")
    return wishes._replace(title=title, note=tidy(wishes.note)[:LONGEST_NOTE])


def checked_title(title: str) -> str:
    """A title; Refused says what is wrong with another."""
    found = " ".join(tidy(title).split())
    if not found:
        raise Refused("给作业起个名字，比如“第一周：算DCG”。")
    if len(found) > LONGEST_TITLE:
        raise Refused(f"名字最多{LONGEST_TITLE}个字。")
    return found


def tidy(text: str) -> str:
    """Text without invisible characters; line breaks stay."""
    kept = (
        one
        for one in unicodedata.normalize("NFC", text)
        if one == "\n" or unicodedata.category(one)[0] != "C"
    )
    return "".join(kept).strip()


def times(row: AssignmentRules) -> tuple[datetime | None, ...]:
    return row.opens_at, row.due_at, row.late_until


def told(row: AssignmentRow) -> dict[str, Any]:
    """The settings of which the log tells."""
    return {name: getattr(row, name) for name in (*AssignmentRules._fields, "form")}


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What was and what is, for what differs."""
    return {name: [spoken(old[name]), spoken(new[name])] for name in new if old[name] != new[name]}


def spoken(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def note(
    session: VerbSession,
    who: Caller,
    row: ClassRow,
    assignment_id: int,
    action: str,
    detail: dict[str, Any],
    now: datetime,
    enrolment_id: int | None = None,
) -> None:
    """A line in the log of the class."""
    actor = accounts.load_visitor(session, who).learner_id
    assert actor is not None
    audit.note(
        session,
        row.id,
        actor,
        action,
        detail,
        assignment_id=assignment_id,
        enrolment_id=enrolment_id,
        now=now,
    )
