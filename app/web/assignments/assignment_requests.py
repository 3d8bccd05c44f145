"""What handlers of an assignment work with, found once a request: caller, form and assignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends
from starlette.responses import Response

from app.course import Course
from app.records.assignments.values import AssignmentKey
from app.records.db.row_ids import text_of_row_ids
from app.records.grading.values import CellKey, QuestionKey, SentAnswer
from app.web.items.typed_answers import TypedAnswer
from app.web.site.posted_forms import PostedForm, thinking_seconds
from app.web.site.requests import RequestDep, ResourceRequest, RowId

LIST_ADDRESS = "/classrooms/{classroom_id}/assignments"
ASSIGNMENT_ADDRESS = LIST_ADDRESS + "/{assignment_id}"
"""Where its teachers find it, and all that they do with it."""
K = TypeVar("K")


@dataclass(frozen=True)
class AssignmentRequest(ResourceRequest[K]):
    """A request about an assignment."""

    assignment_id: int

    async def load_course_by_prefix(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await self.site.course_by_prefix_of_assignment(self.assignment_id)


@dataclass(frozen=True)
class StudentRequest(AssignmentRequest[int]):
    """That of a student."""

    menu_entry = "assignments"

    @property
    def url(self) -> str:
        return f"/assignments/{self.assignment_id}"

    @property
    def key(self) -> int:
        return self.assignment_id

    @property
    def attempt_number(self) -> int:
        """The attempt from which the form was sent."""
        return self.form.number("sitting", 1)

    def question_key(self, question_number: int) -> QuestionKey:
        """A question of that attempt."""
        return QuestionKey(self.attempt_number, question_number)


@dataclass(frozen=True)
class TeacherRequest(AssignmentRequest[AssignmentKey]):
    """That of a teacher."""

    classroom_id: int
    menu_entry = "class"

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}"

    @property
    def key(self) -> AssignmentKey:
        return AssignmentKey(self.classroom_id, self.assignment_id)

    def redirect_after_marks(self, done_word: str, passed_over_enrolment_ids: Sequence[int]) -> Response:
        """To who has done it. `passed_over_enrolment_ids`: who got no mark, by enrolment."""
        query_text = f"?done={done_word}"
        if passed_over_enrolment_ids:
            query_text += "&passed-over=" + text_of_row_ids(passed_over_enrolment_ids)
        return self.redirect_within(query_text + "#progress")


@dataclass(frozen=True)
class CellRequest(AssignmentRequest[CellKey]):
    """That of a teacher about the work of a student."""

    classroom_id: int
    student_id: int
    menu_entry = "class"

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}/students/{self.student_id}"

    @property
    def question_key(self) -> QuestionKey:
        """The question that a form is about; `WHOLE_WORK` where it names none."""
        return QuestionKey(self.form.number("pass", 0), self.form.number("question", 0))

    @property
    def key(self) -> CellKey:
        return CellKey(self.classroom_id, self.assignment_id, self.student_id, self.question_key)


async def student_request(request: RequestDep, assignment_id: RowId) -> StudentRequest:
    return StudentRequest(**vars(request), assignment_id=assignment_id)


async def teacher_request(request: RequestDep, classroom_id: RowId, assignment_id: RowId) -> TeacherRequest:
    return TeacherRequest(**vars(request), assignment_id=assignment_id, classroom_id=classroom_id)


async def cell_request(
    request: RequestDep, classroom_id: RowId, assignment_id: RowId, student_id: RowId
) -> CellRequest:
    return CellRequest(
        **vars(request), assignment_id=assignment_id, classroom_id=classroom_id, student_id=student_id
    )


StudentDep = Annotated[StudentRequest, Depends(student_request)]
TeacherDep = Annotated[TeacherRequest, Depends(teacher_request)]
CellDep = Annotated[CellRequest, Depends(cell_request)]


# What a form of a question says.


def sent_answer_of(form: PostedForm, answer_in_form: TypedAnswer) -> SentAnswer:
    """What was sent, with the seconds that were spent on it, on this page and on earlier ones."""
    spent_seconds = thinking_seconds(form)
    if earlier_seconds := form.number("spent", 0):
        spent_seconds = earlier_seconds + (spent_seconds or 0)
    return SentAnswer(answer_in_form.raw, spent_seconds, form.number("try", 1), form.text("seen"))
