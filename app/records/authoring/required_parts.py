"""What assignments need of own content: it may not go missing while students still work with it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, bindparam, or_, select

from app.course.authoring.section_shorthand import number_of_unnamed_section
from app.course.content.refs import own_prefix
from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, PART, SUBMISSION
from app.records.assignments.values import NewPart
from app.records.classes import classrooms
from app.records.classes.classrooms import CLASSROOM
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery

ALL_IS_KEPT_SENTENCE = "写的都还在下面：改好再存，或者另存一份。"
HasPart = Callable[[NewPart], bool]
"""Whether a text has what a part of an assignment names."""

IS_OF_PUBLISHED_ASSIGNMENT = (ASSIGNMENT.id == PART.assignment_id, ASSIGNMENT.published_at.is_not(None))
IS_UNFINISHED_ATTEMPT = and_(SUBMISSION.assignment_id == ASSIGNMENT.id, SUBMISSION.handed_in_at.is_(None))
COLLECTABLE_ATTEMPTS = select(SUBMISSION.attempt_id).where(IS_UNFINISHED_ATTEMPT)
"""The attempts that 收卷 can still take in, also of students who have left the class."""
IS_RUNNING_ASSIGNMENT = (
    or_(
        and_(ASSIGNMENT.closed_at.is_(None), CLASSROOM.archived_at.is_(None)),
        COLLECTABLE_ATTEMPTS.exists(),  # papers of a class that was put away are marked when it is back
    ),
    CLASSROOM.id == ASSIGNMENT.classroom_id,
)


class RequiredPart(NamedTuple):
    """A part that needs own content: of an assignment that is open, or has work that is not collected."""

    assignment_title: str
    class_name: str
    kind: str
    ref: str
    level: int
    classroom_id: int
    closed_at: datetime | None
    archived_at: datetime | None

    @property
    def way_out_sentence(self) -> str:
        """How the text can be kept all the same."""
        if self.archived_at is not None:
            return f"那个班归档了，还有没收的卷子：把班恢复，收了卷，就不再管它。{ALL_IS_KEPT_SENTENCE}"
        if self.closed_at is None:
            return ALL_IS_KEPT_SENTENCE
        return f"那份作业已经结束，还有没收的卷子：收了卷，就不再管它。{ALL_IS_KEPT_SENTENCE}"


REQUIRED_PARTS_QUERY = select(
    ASSIGNMENT.title.label("assignment_title"),
    CLASSROOM.name.label("class_name"),
    PART.kind,
    PART.ref,
    PART.level,
    CLASSROOM.id.label("classroom_id"),
    ASSIGNMENT.closed_at,
    CLASSROOM.archived_at,
).where(PART.ref.startswith(bindparam("prefix")), PART.kind != "cards")
"""What is from own content. Goals of cards need no text: nobody can do those of own content."""
REQUIRED_PARTS = RowQuery(
    RequiredPart,
    REQUIRED_PARTS_QUERY.where(*IS_OF_PUBLISHED_ASSIGNMENT, *IS_RUNNING_ASSIGNMENT).order_by(
        ASSIGNMENT.id, PART.position
    ),
)
DRAFT_PARTS = RowQuery(
    RequiredPart,
    REQUIRED_PARTS_QUERY.where(
        ASSIGNMENT.id == PART.assignment_id,
        ASSIGNMENT.published_at.is_(None),
        CLASSROOM.id == ASSIGNMENT.classroom_id,
    ).order_by(ASSIGNMENT.id, PART.position),
)
"""What drafts ask, which nobody sees yet."""


IS_ITEM_OF_CONTENT = and_(PART.ref.startswith(bindparam("prefix")), PART.kind == "item")
PUBLISHED_ITEM_REFS = PreparedStatement(
    select(PART.ref).where(IS_ITEM_OF_CONTENT, *IS_OF_PUBLISHED_ASSIGNMENT).distinct()
)


def load_published_item_refs(session: VerbSession, _caller: Caller, course_prefix: str) -> Sequence[str]:
    """The items of own content that published assignments ask, whoever gave these."""
    return [item_ref for (item_ref,) in session.all(PUBLISHED_ITEM_REFS, prefix=f"{course_prefix}:")]


def expect_unbroken(
    session: VerbSession, caller: Caller, own_content_id: int, has_part: HasPart | None
) -> None:
    """Refused, with the first thing that students would miss; of a class that the caller may not read,
    without its name."""
    ref_prefix = f"{own_prefix(own_content_id)}:"
    readable_classes = classrooms.load_class_lists(session, caller).taught_classes
    readable_class_ids = {readable_class.id for readable_class in readable_classes}
    for required_part in session.all(REQUIRED_PARTS, prefix=ref_prefix):
        assignment_words = "一位同事的作业"
        if required_part.classroom_id in readable_class_ids:
            assignment_words = f"作业“{required_part.assignment_title}”（{required_part.class_name}）"
        if has_part is None:
            fault_words = "正在用它，可是这里还有错，存了学生就打不开了。"
            raise Refused(f"{assignment_words}{fault_words}{required_part.way_out_sentence}")
        named_part = NewPart(required_part.kind, required_part.ref, required_part.level)
        if not has_part(named_part):
            path_in_content = required_part.ref.rpartition(":")[2]
            item_or_section_id = path_in_content.rpartition("/")[2]
            fault_words = f"还在用“{item_or_section_id}”，这里没有了。"
            if section_number := number_of_unnamed_section(item_or_section_id):
                fault_words = f"还在用没写sections时自动排的第{section_number}组，这里没有了。"
            raise Refused(f"{assignment_words}{fault_words}{required_part.way_out_sentence}")
