"""An assignment on paper: versions by seed or everybody's own, with key and table of wrong numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app import engine
from app.course.assignments.question_seeds import shuffled_questions
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, full_points_of, item_refs_of
from app.course.items import rounding
from app.course.items.kinds import Numeric, ShortAnswer, Steps
from app.course.items.printed_figures import rounded_text
from app.records.assignments.attempt_seeds import fresh_question_set, question_set_of
from app.records.assignments.lookup import AssignmentPage
from app.records.classes.values import Student
from app.records.grading.marks import shown_points_text
from app.records.marking.rubric_lines import shown_points_of_lines
from app.web.assignments import question_views
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep, TeacherRequest
from app.web.assignments.teacher_pages import load_assignment_and_courses
from app.web.classes.classrooms import host_context
from app.web.items.kinds.base import DiscountRow
from app.web.items.printed import PrintedItem
from app.web.paging import list_page_of
from app.web.qr_codes import qr_code_svg
from app.web.site.rendering import line_html
from app.web.site.requests import site_url
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()
VERSION_LETTERS = "ABCD"
VERSION_COUNT_BY_CHOICE = {"2": 2, "4": 4}
"""What an address may ask for, beside one version and everybody's own."""
STUDENTS_PER_PAGE = 200
"""Everybody's own papers are printed in one go, of 200 students in five seconds; of more in several."""


class PaperQuestion(NamedTuple):
    """A question on paper, with its points.

    `assignment_number`: its number in the assignment, where that is another one.
    """

    printed_item: PrintedItem
    full_points: float
    assignment_number: int

    @property
    def points_text(self) -> str:
        return shown_points_text(self.full_points)

    @property
    def rubric_lines_with_points(self) -> Sequence[tuple[Markup, str]]:
        """What an answer in words has to say, with the points for it; nothing where a program marks."""
        item = self.printed_item.item
        if not isinstance(item, ShortAnswer):
            return []
        points_of_lines = shown_points_of_lines(self.full_points, item.rubric)
        lines_with_points = []
        for rubric_line, line_points in zip(item.rubric, points_of_lines, strict=True):
            rubric_line_html = line_html(self.printed_item.course, rubric_line.text)
            lines_with_points.append((rubric_line_html, shown_points_text(line_points)))
        return lines_with_points

    @property
    def wrong_numbers_with_names(self) -> Sequence[tuple[str, str]]:
        """Numbers that mistakes lead to, as they are written on paper, with the names of these mistakes; one
        that counts as right is none."""
        item = self.printed_item.item
        if not isinstance(item, Numeric | Steps):
            return []
        lowest_right_value, highest_right_value = rounding.accepted_range(
            item.question.engine_question, item.decimals
        )
        names_by_number_text: dict[str, list[str]] = {}
        for misconception_id, wrong_value in self.printed_item.predicted_value_by_misconception_id.items():
            decimal_count = item.decimals
            if decimal_count == 0 and not rounding.is_whole_in_table(wrong_value):
                decimal_count = rounding.TABLE_DECIMALS
            number_text = rounded_text(wrong_value, decimal_count)
            if lowest_right_value <= float(number_text) <= highest_right_value:
                continue
            names_by_number_text.setdefault(number_text, []).append(
                engine.MISCONCEPTIONS[misconception_id].name
            )
        return [
            (number_text, "；".join(misconception_names))
            for number_text, misconception_names in names_by_number_text.items()
        ]


class Paper(NamedTuple):
    """One version, or the paper of one student, for whom the code leads to the same numbers on the site.

    `student_number`: 学号, where it is known.
    """

    title: str
    paper_questions: Sequence[PaperQuestion]
    missing_count: int
    qr_code_html: Markup | None = None
    student_number: str = ""

    @property
    def discount_table(self) -> Sequence[DiscountRow]:
        """The 折损表 for all questions, without its weights where one of them asks for a weight; empty where
        none needs it."""
        discount_table: Sequence[DiscountRow] = ()
        for paper_question in self.paper_questions:
            table_of_question = paper_question.printed_item.kind_view.discount_table
            if table_of_question and not (discount_table and table_of_question[0].weight_text):
                discount_table = table_of_question
        return discount_table


@router.get(ASSIGNMENT_ADDRESS + "/paper")
async def show(request: TeacherDep, versions: str = "1", mix: str = "") -> Response:
    """Sheets, then the keys. `?versions=own` is a sheet for each student who has the assignment, with
    their own numbers; `?mix=yes` gives the versions after the first an order of their own."""
    may_mix_order = versions in VERSION_COUNT_BY_CHOICE
    mixes_order = may_mix_order and mix == "yes"
    assignment_data, course_by_prefix = await load_assignment_and_courses(request)
    page_number = request.query_number("page") or 1
    list_page = list_page_of(len(assignment_data.receivers), page_number, STUDENTS_PER_PAGE)
    if versions == "own":
        students = assignment_data.receivers[list_page.index_range]
        papers = await own_papers(request, assignment_data, course_by_prefix, students)
    else:
        version_count = VERSION_COUNT_BY_CHOICE.get(versions, 1)
        papers = [
            version_paper(assignment_data, course_by_prefix, version_number, mixes_order)
            for version_number in range(1, version_count + 1)
        ]
    return await request.site.off_loop.run(
        request.page,
        "assignments/paper",
        title=f"卷子 · {assignment_data.assignment.title}",
        assignment_data=assignment_data,
        papers=papers,
        total_points=shown_points_text(question_points_total(assignment_data)),
        versions=versions,
        may_mix=may_mix_order,
        mixes_order=mixes_order,
        number=list_page.number,
        page_count=list_page.page_count,
        url=request.url,
        **host_context(request.http),
    )


def question_points_total(assignment_data: AssignmentPage) -> float:
    """The points of all questions: what is done elsewhere is not on paper."""
    return full_points_of([part for part in assignment_data.parts if item_refs_of(part)])


def version_paper(
    assignment_data: AssignmentPage, course_by_prefix: CourseByPrefix, version_number: int, mixes_order: bool
) -> Paper:
    """The version with this number: drawn questions have other numbers in each, the same at every print; so
    has their order, where it `mixes_order`."""
    version_letter = VERSION_LETTERS[version_number - 1]
    question_set = questions_of_paper(assignment_data, course_by_prefix, 0, version_number)
    questions_in_order: Sequence[AssignedQuestion] = question_set.questions
    if mixes_order:
        questions_in_order = shuffled_questions(question_set)
    return paper_of(f"{version_letter}卷", question_set, questions_in_order)


async def own_papers(
    request: TeacherRequest,
    assignment_data: AssignmentPage,
    course_by_prefix: CourseByPrefix,
    students: Sequence[Student],
) -> list[Paper]:
    """A paper for each of these students, with the code that leads to the same numbers."""
    # All have the same address, and drawing its code takes as long as the rest of a paper.
    assignment_url = f"{site_url(request.http)}/assignments/{assignment_data.assignment.id}"
    qr_code_html = qr_code_svg(assignment_url, "这份作业的网址")
    # Job by job: what others wait for goes on between two papers of a whole class.
    return [
        await request.site.off_loop.run(own_paper, assignment_data, course_by_prefix, student, qr_code_html)
        for student in students
    ]


def own_paper(
    assignment_data: AssignmentPage, course_by_prefix: CourseByPrefix, student: Student, qr_code_html: Markup
) -> Paper:
    """The numbers that a student has on the site in their first attempt."""
    question_set = questions_of_paper(assignment_data, course_by_prefix, student.id, 1)
    paper = paper_of(student.name, question_set, question_set.questions)
    return paper._replace(qr_code_html=qr_code_html, student_number=student.student_number)


def questions_of_paper(
    assignment_data: AssignmentPage, course_by_prefix: CourseByPrefix, enrolment_id: int, attempt_number: int
) -> QuestionSet:
    """Of an attempt that was begun, what was drawn then; else what will be drawn."""
    for begun_attempt in assignment_data.attempts_of(enrolment_id):
        if begun_attempt.number == attempt_number:
            return question_set_of(
                course_by_prefix, assignment_data.parts, assignment_data.assignment, begun_attempt
            )
    return fresh_question_set(
        course_by_prefix, assignment_data.parts, assignment_data.assignment, enrolment_id, attempt_number
    )


def paper_of(title: str, question_set: QuestionSet, questions_in_order: Sequence[AssignedQuestion]) -> Paper:
    """The questions whose items are still there, in an order; `missing_count`: how many are not."""
    paper_questions = []
    for question_number, assigned_question in enumerate(questions_in_order, 1):
        asked_question = question_views.current_question(question_set, assigned_question)
        if asked_question is None:
            continue
        printed_item = PrintedItem(asked_question.course, asked_question.item, question_number)
        assignment_number = 0
        if assigned_question.number != question_number:
            assignment_number = assigned_question.number
        paper_questions.append(PaperQuestion(printed_item, assigned_question.points, assignment_number))
    missing_count = len(questions_in_order) - len(paper_questions)
    return Paper(title, paper_questions, missing_count)
