"""我的内容: items and small lessons that teachers write, as one YAML text each.

The lookup is the permission check: `load_own_content` is for its teacher, `load_content_and_is_own` also for
a teacher with the token of its link; for everyone who may learn from it there is `own_access`. A text with
faults is stored as it is: nothing that was typed may be lost.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import String, bindparam, cast, func, literal, or_, select

from app.course.content.refs import highest_item_number, own_prefix
from app.records.accounts import learners
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.tables import Account
from app.records.accounts.values import Caller
from app.records.assignments.rows import PART
from app.records.authoring.required_parts import (
    DRAFT_PARTS,
    IS_OF_PUBLISHED_ASSIGNMENT,
    IS_RUNNING_ASSIGNMENT,
    REQUIRED_PARTS,
    HasPart,
    expect_unbroken,
)
from app.records.authoring.tables import OwnCourse
from app.records.classes import classrooms
from app.records.classes.classrooms import DOUBLE_CLICK_PERIOD
from app.records.db.codes import fingerprint
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, prepared_insert, prepared_update

MOST_OWN_CONTENTS = 200
"""How many one teacher may have."""
LONGEST_TITLE = 60
TITLE_OF_UNTITLED = "还没有标题"
NO_SUCH_CONTENT = "没有这份内容，或者它不是你的。"
CHANGED_ELSEWHERE_SENTENCE = (
    "这份内容刚才在别处改过。你写的还在下面：先另存一份，再打开这一份，把要改的地方改上去。"
)

OWN_COURSE = table(OwnCourse).c
OWN_COURSE_TABLE = table(OwnCourse)
OWN_COURSE_COLUMNS = [column for column in OWN_COURSE_TABLE.columns if column.name != "deleted_at"]
IS_OWN_COURSE = OWN_COURSE.id == bindparam("own")
IS_BY_LEARNER = OWN_COURSE.learner_id == bindparam("learner")
IS_NOT_DELETED = OWN_COURSE.deleted_at.is_(None)


class OwnCourseRow(NamedTuple):
    """What a teacher wrote. `share_token` is that of its link, where there is one; `author_login` the login
    of its teacher, None where the account is gone or nobody asked for it.
    """

    id: int
    learner_id: int
    title: str
    text: str
    share_token: str | None
    created_at: datetime
    updated_at: datetime
    last_item_number: int = 0
    author_login: str | None = None


def teacher_id_of_caller(session: VerbSession, caller: Caller) -> int:
    """The learner id of the teacher who calls; NotFound to everybody else."""
    visitor = learners.load_visitor(session, caller)
    if not visitor.is_teacher or visitor.learner_id is None:
        raise NotFound("这里是老师写题目的地方。")
    return visitor.learner_id


def expect_teacher(session: VerbSession, caller: Caller) -> None:
    """NotFound where no teacher calls."""
    teacher_id_of_caller(session, caller)


OWN_COURSES_OF_TEACHER = RowQuery(
    OwnCourseRow,
    select(*OWN_COURSE_COLUMNS).where(IS_BY_LEARNER, IS_NOT_DELETED).order_by(OWN_COURSE.updated_at.desc()),
)


def load_own_contents(session: VerbSession, caller: Caller) -> tuple[OwnCourseRow, ...]:
    """What the teacher who calls has written, the latest first."""
    learner_id = teacher_id_of_caller(session, caller)
    return tuple(session.all(OWN_COURSES_OF_TEACHER, learner=learner_id))


def load_contents_if_teacher(session: VerbSession, caller: Caller) -> tuple[OwnCourseRow, ...]:
    """What the caller has written, the latest first; none for whoever is no teacher: somebody may help in a
    class and write nothing."""
    visitor = learners.load_visitor(session, caller)
    if not visitor.is_teacher:
        return ()
    return tuple(session.all(OWN_COURSES_OF_TEACHER, learner=visitor.learner_id))


OWN_COURSE_WITH_AUTHOR = RowQuery(
    OwnCourseRow,
    select(*OWN_COURSE_COLUMNS, ACCOUNT.login.label("author_login"))
    .select_from(OWN_COURSE_TABLE.outerjoin(table(Account), ACCOUNT.learner_id == OWN_COURSE.learner_id))
    .where(IS_OWN_COURSE, IS_NOT_DELETED),
)


OWN_COURSE_PREFIX = literal("own-").concat(cast(OWN_COURSE.id, String)).concat(":")
ASKING_PART = select(PART.id).where(PART.ref.startswith(OWN_COURSE_PREFIX), *IS_OF_PUBLISHED_ASSIGNMENT)
RUNNING_PART = ASKING_PART.where(*IS_RUNNING_ASSIGNMENT)
IS_THERE_TO_LEARN = or_(IS_NOT_DELETED, RUNNING_PART.exists())
"""Own content that learners may need: also what was deleted, while an assignment of a colleague asks it."""
CONTENT_AFTER_DELETION = RowQuery(
    OwnCourseRow,
    select(*OWN_COURSE_COLUMNS).where(
        IS_OWN_COURSE, OWN_COURSE.deleted_at.is_not(None), RUNNING_PART.exists()
    ),
)
"""Own content that its teacher deleted, for the students of colleagues who still work with it."""
MAY_COME_BACK = or_(IS_NOT_DELETED, ASKING_PART.exists())
"""Own content that is there, or is again when the assignment of a colleague is opened or a class restored."""


def load_own_content(session: VerbSession, caller: Caller, own_content_id: int) -> OwnCourseRow:
    """Own content, for the teacher who wrote it; NotFound to everybody else."""
    own_content = session.first(OWN_COURSE_WITH_AUTHOR, own=own_content_id)
    if own_content is None:
        raise NotFound(NO_SUCH_CONTENT)
    if own_content.learner_id != teacher_id_of_caller(session, caller):
        raise NotFound(NO_SUCH_CONTENT)
    return own_content


def load_content_and_is_own(
    session: VerbSession, caller: Caller, own_content_id: int, share_token: str = ""
) -> tuple[OwnCourseRow, bool]:
    """Own content to be read, copied and used, by the teacher who wrote it and by teachers with its link; and
    whether it is the caller's own."""
    own_content = session.first(OWN_COURSE_WITH_AUTHOR, own=own_content_id)
    learner_id = teacher_id_of_caller(session, caller)
    if own_content is None:
        raise NotFound(NO_SUCH_CONTENT)
    is_own = own_content.learner_id == learner_id
    if not is_own and not is_share_token(own_content, share_token):
        raise NotFound(NO_SUCH_CONTENT)
    return own_content, is_own


CONTENT_BY_LEARNER = PreparedStatement(
    select(OWN_COURSE.id).where(IS_OWN_COURSE, IS_BY_LEARNER, IS_NOT_DELETED)
)


def is_author(session: VerbSession, caller: Caller, own_content_id: int) -> bool:
    """Whether the caller wrote own content, and did not delete it."""
    learner_id = learners.find_learner_id(session, caller)
    return session.first(CONTENT_BY_LEARNER, own=own_content_id, learner=learner_id) is not None


def is_share_token(own_content: OwnCourseRow, share_token: str) -> bool:
    """Whether a token is that of the link."""
    if not own_content.share_token:
        return False
    return secrets.compare_digest(own_content.share_token.encode(), share_token.encode())


def load_text_by_own_content_id(session: VerbSession, own_content_ids: Sequence[int]) -> dict[int, str]:
    """The texts by id, for whoever assigned them; of the deleted ones those that running assignments ask.

    The caller is not checked: an assignment names only what its teacher could reach.
    """
    texts_query = select(OWN_COURSE.id, OWN_COURSE.text).where(
        OWN_COURSE.id.in_(list(own_content_ids)), IS_THERE_TO_LEARN
    )
    text_rows = session.execute(texts_query)
    return {text_row.id: text_row.text for text_row in text_rows}


OWN_COUNT = PreparedStatement(select(func.count()).where(IS_BY_LEARNER, IS_NOT_DELETED))
COURSES_JUST_MADE = PreparedStatement(
    select(OWN_COURSE.id)
    .where(
        IS_BY_LEARNER,
        OWN_COURSE.share_token.is_(None),
        IS_NOT_DELETED,
        OWN_COURSE.title == bindparam("title"),
        OWN_COURSE.text == bindparam("text"),
        OWN_COURSE.created_at > bindparam("since"),
        OWN_COURSE.id > bindparam("after"),
    )
    .order_by(OWN_COURSE.id)
)
"""The same text, made a moment ago and not shared yet."""
ADD_OWN_COURSE = prepared_insert(OwnCourse)
UNSHARED_COLUMNS = {"share_token": None, "deleted_at": None}
"""What new own content is not: shared, or deleted."""


def create_content(
    session: VerbSession, caller: Caller, title: str, content_text: str, now: datetime, original_id: int = 0
) -> int:
    """New own content; its id. A double click finds the first; a copy is newer than `original_id`."""
    learner_id = teacher_id_of_caller(session, caller)
    title = short_title(title)
    earliest_creation_time = now - DOUBLE_CLICK_PERIOD
    existing_row = session.first(
        COURSES_JUST_MADE,
        learner=learner_id,
        title=title,
        text=content_text,
        since=earliest_creation_time,
        after=original_id,
    )
    if existing_row:
        return int(existing_row[0])
    [(content_count,)] = session.all(OWN_COUNT, learner=learner_id)
    if content_count >= MOST_OWN_CONTENTS:
        raise Refused(f"一位老师最多放{MOST_OWN_CONTENTS}份内容。先删掉几份不用的。")
    time_columns = {"created_at": now, "updated_at": now}
    [(own_content_id,)] = session.all(
        ADD_OWN_COURSE,
        learner_id=learner_id,
        title=title,
        text=content_text,
        last_item_number=highest_item_number(content_text),
        **time_columns,
        **UNSHARED_COLUMNS,
    )
    return int(own_content_id)


def short_title(title: str) -> str:
    spaced_title = " ".join(title.split())
    return spaced_title[:LONGEST_TITLE] or TITLE_OF_UNTITLED


def own_course_update(*field_names: str) -> PreparedStatement:
    """UPDATE of these fields of one own content."""
    return prepared_update(OwnCourse, IS_OWN_COURSE, field_names)


SET_TEXT = own_course_update("title", "text", "last_item_number", "updated_at")


def save_content(
    session: VerbSession,
    caller: Caller,
    own_content_id: int,
    title: str,
    content_text: str,
    seen_fingerprint: str,
    has_part: HasPart | None,
    now: datetime,
) -> None:
    """Keep another text. `seen_fingerprint`: that of the text it was made from; a change that was made
    meanwhile in another window is not lost.

    `has_part`: what the text has; None while it has faults. What an open assignment asks may not go missing.
    """
    own_content = load_own_content(session, caller, own_content_id)
    is_same_text = own_content.text == content_text
    if not is_same_text and seen_fingerprint not in ("", fingerprint(own_content.text)):
        raise Refused(CHANGED_ELSEWHERE_SENTENCE)
    expect_unbroken(session, caller, own_content_id, has_part)
    session.run(
        SET_TEXT,
        own=own_content_id,
        title=short_title(title),
        text=content_text,
        last_item_number=max(own_content.last_item_number, highest_item_number(content_text)),
        updated_at=now,
    )


SET_SHARE_TOKEN = own_course_update("share_token")


def share_content(
    session: VerbSession, caller: Caller, own_content_id: int, ends_sharing: bool = False
) -> None:
    """A link for colleagues; once it is stopped it opens nothing, and a later one is another."""
    own_content = load_own_content(session, caller, own_content_id)
    share_token = None
    if not ends_sharing:
        share_token = own_content.share_token or secrets.token_urlsafe(18)
    session.run(SET_SHARE_TOKEN, own=own_content_id, share_token=share_token)


def copy_content(
    session: VerbSession, caller: Caller, own_content_id: int, share_token: str, now: datetime
) -> int:
    """Own content with the same text, which no longer follows its original; its id."""
    own_content, _ = load_content_and_is_own(session, caller, own_content_id, share_token)
    return create_content(
        session, caller, own_content.title, own_content.text, now, original_id=own_content.id
    )


SET_DELETED = own_course_update("deleted_at", "share_token")
DELETED_COURSE = PreparedStatement(select(OWN_COURSE.id).where(IS_OWN_COURSE, IS_BY_LEARNER, ~IS_NOT_DELETED))


def delete_content(session: VerbSession, caller: Caller, own_content_id: int, now: datetime) -> None:
    """Nobody reaches it any more. The row stays: results name it. Refused while an assignment of the caller
    needs it, or a draft asks it; one of a colleague, which the caller cannot end, goes on with it until it is
    over. A second tap finds it done."""
    if session.first(DELETED_COURSE, own=own_content_id, learner=teacher_id_of_caller(session, caller)):
        return
    load_own_content(session, caller, own_content_id)
    running_class_ids = {
        running_class.id for running_class in classrooms.load_running_classes(session, caller)
    }
    for required_part in session.all(REQUIRED_PARTS, prefix=f"{own_prefix(own_content_id)}:"):
        if required_part.classroom_id in running_class_ids:
            raise Refused(
                f"{required_part.class_name}的作业“{required_part.assignment_title}”还在用这份内容。"
                "等那份作业结束、收了卷，再来删。"
            )
    for draft_part in session.all(DRAFT_PARTS, prefix=f"{own_prefix(own_content_id)}:"):
        if draft_part.classroom_id in running_class_ids:
            raise Refused(
                f"草稿“{draft_part.assignment_title}”（{draft_part.class_name}）里有这份内容的题。"
                "先从草稿里移走，或者删掉那份草稿，再来删。"
            )
    session.run(SET_DELETED, own=own_content_id, deleted_at=now, share_token=None)
