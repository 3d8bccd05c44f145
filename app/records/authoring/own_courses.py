"""我的内容: items and small lessons that teachers write, as one YAML text each.

The lookup is the permission check: `mine` finds one's own, `shared` also what the token of a link opens, and
`opened` what somebody may learn from. Whether the text is sound is not known here: a half-written one is kept
as it is, because nothing that was typed may be lost.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, or_, select, update

from app.records.accounts import accounts, learners
from app.records.accounts.tables import Account, SignIn
from app.records.accounts.values import Caller
from app.records.assignments.tables import Assignee, Assignment, AssignmentPart, Submission
from app.records.assignments.values import NewPart
from app.records.authoring.tables import OwnCourse
from app.records.authoring.values import OwnCourseData, OwnCourseRow
from app.records.classes.classrooms import DOUBLE_CLICK
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

MOST = 200
"""How many one teacher may have."""
LONGEST_TITLE = 60
UNTITLED = "还没有标题"
GONE = "没有这份内容，或者它不是你的。"
Holds = Callable[[NewPart], bool]
"""Whether a text has what a part of an assignment names."""
ELSEWHERE = "这份内容刚才在别处改过。你写的还在下面：先下载一份，再重新打开，把要改的地方改上去。"

own, sign_in, account = table(OwnCourse).c, table(SignIn).c, table(Account).c
part, given, place = table(AssignmentPart).c, table(Assignment).c, table(Enrolment).c
chosen, room, sitting = table(Assignee).c, table(Classroom).c, table(Submission).c
columns = [own[name] for name in OwnCourseRow._fields]
this, kept = own.id == bindparam("own"), own.deleted_at.is_(None)

OF_TEACHER = Prepared(
    select(*columns).where(own.learner_id == bindparam("learner"), kept).order_by(own.updated_at.desc())
)
HOW_MANY = Prepared(select(func.count()).where(own.learner_id == bindparam("learner"), kept))
ONE = Prepared(
    select(*columns, own.learner_id, account.login)
    .select_from(table(OwnCourse).outerjoin(table(Account), account.learner_id == own.learner_id))
    .where(this, kept)
)
GIVEN = Prepared(
    select(part.id)
    .where(
        part.ref.startswith(bindparam("prefix")),
        given.id == part.assignment_id,
        given.published_at.is_not(None),
        or_(given.opens_at.is_(None), given.opens_at <= bindparam("now")),
        place.classroom_id == given.classroom_id,
        place.learner_id == bindparam("learner"),
        place.removed_at.is_(None),
        or_(
            given.everyone,
            select(chosen.id)
            .where(chosen.assignment_id == given.id, chosen.enrolment_id == place.id)
            .exists(),
        ),
    )
    .limit(1)
)
waiting = select(sitting.attempt_id).where(
    sitting.assignment_id == given.id,
    sitting.handed_in_at.is_(None),
    place.id == sitting.enrolment_id,
    place.classroom_id == given.classroom_id,
    place.removed_at.is_(None),
)
"""The passes that 收卷 can still take in: never those of who has left the class."""
IN_USE = Prepared(
    select(given.title, room.name, part.kind, part.ref, part.level)
    .where(
        part.ref.startswith(bindparam("prefix")),
        given.id == part.assignment_id,
        given.published_at.is_not(None),
        or_(given.closed_at.is_(None), waiting.exists()),
        room.id == given.classroom_id,
        room.archived_at.is_(None),
    )
    .order_by(given.id, part.position)
)
TWIN = Prepared(
    select(own.id)
    .where(
        own.learner_id == bindparam("learner"),
        own.title == bindparam("title"),
        own.text == bindparam("text"),
        own.created_at > bindparam("since"),
        own.id > bindparam("after"),
        own.share_token.is_(None),
        kept,
    )
    .order_by(own.id)
)
"""The same, made a moment ago, of which nobody knows yet."""
ADD = adding(OwnCourse)
SAVE = Prepared(update(table(OwnCourse)).where(this), keys=("title", "text", "updated_at"))
SHARE = Prepared(update(table(OwnCourse)).where(this), keys=("share_token",))
DELETE = Prepared(update(table(OwnCourse)).where(this), keys=("deleted_at", "share_token"))


def seal(text: str) -> str:
    """What a form carries to say from which text it began.

    >>> seal("甜") == seal("甜"), seal("甜") == seal("酸")
    (True, False)
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def teacher(session: VerbSession, who: Caller) -> int:
    """The learner id of the teacher who asks; NotFound to everybody else."""
    here = accounts.load_visitor(session, who)
    if not here.teacher or here.learner_id is None:
        raise NotFound("这里是老师写题目的地方。")
    return here.learner_id


def index(session: VerbSession, who: Caller) -> tuple[OwnCourseRow, ...]:
    """What the teacher who asks has written, the latest first."""
    return tuple(OwnCourseRow(*row) for row in session.all(OF_TEACHER, learner=teacher(session, who)))


def mine(session: VerbSession, who: Caller, own_id: int) -> OwnCourseRow:
    """One's own; NotFound to everybody else."""
    found = session.first(ONE, own=own_id)
    if found is None or found[-2] != teacher(session, who):
        raise NotFound(GONE)
    return OwnCourseRow(*found[:-2])


def shared(session: VerbSession, who: Caller, own_id: int, token: str = "") -> OwnCourseData:
    """One's own, or what a colleague's link opens: to be read, copied and used."""
    found = session.first(ONE, own=own_id)
    here = teacher(session, who)
    if found is None or not (found[-2] == here or opens(found, token)):
        raise NotFound(GONE)
    return OwnCourseData(OwnCourseRow(*found[:-2]), found[-2] == here, found[-1] or "")


def opened(session: VerbSession, who: Caller, own_id: int, token: str, now: datetime) -> OwnCourseData:
    """What somebody may learn from: one's own, by its link, or because it was assigned to them."""
    found = session.first(ONE, own=own_id)
    here = learners.load_visitor(session, who)
    if found is None or not (
        (here is not None and found[-2] == here)
        or opens(found, token)
        or assigned(session, here, own_id, now)
    ):
        raise NotFound("没有这一课，或者它没有布置给你。")
    return OwnCourseData(OwnCourseRow(*found[:-2]), found[-2] == here, found[-1] or "")


def opens(found: Sequence[object], token: str) -> bool:
    known = OwnCourseRow(*found[:-2]).share_token or ""  # type: ignore[arg-type]
    return bool(known) and secrets.compare_digest(known.encode(), token.encode())


def assigned(session: VerbSession, learner_id: int | None, own_id: int, now: datetime) -> bool:
    """Whether some published assignment of a class of this learner has something of it."""
    if learner_id is None:
        return False
    return session.first(GIVEN, prefix=f"own-{own_id}:", learner=learner_id, now=now) is not None


def texts(session: VerbSession, ids: Sequence[int]) -> dict[int, str]:
    """The texts of these, for whoever assigned them; those that were deleted are not there.

    Nobody is asked who they are: an assignment names only what its teacher could reach.
    """
    these = own.id.in_(list(ids))
    return {row.id: row.text for row in session.execute(select(own.id, own.text).where(these, kept))}


def create(session: VerbSession, who: Caller, title: str, text: str, now: datetime, after: int = 0) -> int:
    """A new one; its id. A double click finds the first. `after`: a copy is newer than what was copied."""
    learner_id, since = teacher(session, who), now - DOUBLE_CLICK
    same = {"learner": learner_id, "title": named(title), "text": text}
    if twin := session.first(TWIN, **same, since=since, after=after):
        return int(twin[0])
    if session.all(HOW_MANY, learner=learner_id)[0][0] >= MOST:
        raise Refused(f"一位老师最多放{MOST}份内容。先删掉几份不用的。")
    row = session.all(
        ADD,
        learner_id=learner_id,
        title=named(title),
        text=text,
        share_token=None,
        created_at=now,
        updated_at=now,
        deleted_at=None,
    )[0]
    return int(row[0])


def named(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE] or UNTITLED


def save(
    session: VerbSession,
    who: Caller,
    own_id: int,
    title: str,
    text: str,
    begun: str,
    holds: Holds | None,
    now: datetime,
) -> None:
    """Keep another text. `begun` is the seal of the one it was made from: no change of elsewhere is lost.

    `holds`: what the text has; None while it has faults. What an open assignment asks may not go missing.
    """
    row = mine(session, who, own_id)
    if row.text != text and begun not in ("", seal(row.text)):
        raise Refused(ELSEWHERE)
    expect_unbroken(session, own_id, holds)
    session.run(SAVE, own=own_id, title=named(title), text=text, updated_at=now)


def expect_unbroken(session: VerbSession, own_id: int, holds: Holds | None) -> None:
    """Refused, with the first thing that students would miss."""
    for title, classroom, kind, ref, level in session.all(IN_USE, prefix=f"own-{own_id}:"):
        where, safe = f"作业“{title}”（{classroom}）", "写的都还在下面：改好再存，或者另存一份。"
        if holds is None:
            raise Refused(f"{where}正在用它，可是这里还有错，存了学生就打不开了。{safe}")
        if not holds(NewPart(kind, ref, level)):
            name = ref.rpartition(":")[2].rpartition("/")[2]
            raise Refused(f"{where}还在用“{name}”，这里没有了。{safe}")


def share(session: VerbSession, who: Caller, own_id: int, stop: bool = False) -> None:
    """A link for colleagues; once it is stopped it opens nothing, and a later one is another."""
    row = mine(session, who, own_id)
    token = None if stop else row.share_token or secrets.token_urlsafe(18)
    session.run(SHARE, own=own_id, share_token=token)


def copy(session: VerbSession, who: Caller, own_id: int, token: str, now: datetime) -> int:
    """One of one's own, with the same text; what happens to the other is no matter to it."""
    row = shared(session, who, own_id, token).row
    return create(session, who, row.title, row.text, now, after=row.id)


def delete(session: VerbSession, who: Caller, own_id: int, now: datetime) -> None:
    """Nobody reaches it any more. The row stays: results name it. Refused while an assignment needs it."""
    mine(session, who, own_id)
    if found := session.first(IN_USE, prefix=f"own-{own_id}:"):
        raise Refused(f"{found[1]}的作业“{found[0]}”还在用这份内容。等那份作业结束、收了卷，再来删。")
    session.run(DELETE, own=own_id, deleted_at=now, share_token=None)
