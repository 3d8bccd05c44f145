"""我的作业: the list, an assignment before it is begun, one question a page, handing in, the result."""

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.content.refs import assignment_id_of
from app.records.assignments.deadlines import schedule_of
from app.records.db.errors import NotFound, Refused
from app.records.grading import answering, student_assignments, student_work, submissions
from app.records.learning.values import AttemptRow
from app.web.assignments import attempt_views, student_views
from app.web.assignments.assignment_requests import StudentDep, StudentRequest, sent_answer_of
from app.web.assignments.attempt_views import StudentAttempt, student_attempt
from app.web.assignments.part_views import part_views
from app.web.assignments.question_links import is_unreadable, render_links
from app.web.items.answer_contexts import AnswerContext, expect_address_of_attempt
from app.web.items.typed_answers import TypedAnswer, typed_answer_of_address, typed_answer_of_form
from app.web.site.requests import RequestDep, RowId
from app.web.site.routing import LazyRouter

router = LazyRouter()
OWN_ASSIGNMENT_ADDRESS = "/assignments/{assignment_id}"
QUESTION_ADDRESS = OWN_ASSIGNMENT_ADDRESS + "/questions/{question_number}"
NOT_BEGUN_SENTENCE = "还没有开始：先按“开始做”。"


@router.get("/assignments")
async def index(request: RequestDep) -> Response:
    """What is to be done, the soonest first; what is done."""
    is_signed_in, assignments = await request.read(student_assignments.load_is_learner_and_own_assignments)
    return request.page(
        "assignments/student_index",
        is_signed_in=is_signed_in,
        page="assignments",
        title="我的作业",
        has_none=not assignments,
        lists=student_views.entries_by_list_name_of(assignments, request.now),
    )


@router.get(OWN_ASSIGNMENT_ADDRESS)
async def show(request: StudentDep) -> Response:
    """What an assignment asks for, until when, and how far the student is."""
    return await show_assignment(request)


async def show_assignment(request: StudentRequest, error_sentence: str = "") -> Response:
    """The page of an assignment; `error_sentence`: why what was sent was refused, which is all for htmx."""
    if error_sentence and request.wants_fragment:
        raise Refused(error_sentence)
    course_by_prefix = await request.load_course_by_prefix()
    student_assignment, attempt_work, done_share_by_part_id = await request.read(
        student_work.load_assignment_work, course_by_prefix, request.now
    )
    views_of_parts = part_views(course_by_prefix, student_assignment.parts)
    schedule = schedule_of(student_assignment, request.now)
    resume_question_number = 1
    attempt = None
    if attempt_work:
        attempt = student_attempt(attempt_work, course_by_prefix, request.now)
        resume_question_number = attempt.resume_question_number
    return request.page(
        "assignments/student_show",
        title=student_assignment.assignment.title,
        view=student_views.StudentAssignmentView(
            student_assignment, views_of_parts, done_share_by_part_id, schedule, request.now
        ),
        attempt=attempt,
        resume_question_number=resume_question_number,
        error_sentence=error_sentence,
    )


@router.post(OWN_ASSIGNMENT_ADDRESS + "/passes")
async def begin_attempt(request: StudentDep) -> Response:
    """Begin an attempt, or go on with the one that is open."""
    try:
        course_by_prefix = await request.load_course_by_prefix()
        await request.read(submissions.remember_next_draw, course_by_prefix)
        await request.write(submissions.begin_or_resume_attempt, course_by_prefix, request.now)
    except Refused as error:
        return await show_assignment(request, str(error))
    student_assignment = await request.read(student_assignments.load_own_assignment)
    if any(part.kind in ("item", "practice") for part in student_assignment.parts):
        return request.redirect_within("/questions/1")
    return request.redirect_within()


# One question a page.


@router.get(QUESTION_ADDRESS)
async def ask_question(request: StudentDep, question_number: RowId) -> Response:
    """A question, with links to all of them. Once it is handed in, it is shown with the result."""
    attempt = await load_student_attempt(request, question_number)
    if attempt and attempt.is_handed_in:
        return request.redirect_within(f"/passes/{attempt.number}#q{question_number}")
    if attempt is None or not attempt.attempt_work.student_assignment.is_still_given:
        return request.redirect_within()
    return question_page(request, attempt, question_number, typed_answer_of_address(request.http))


async def load_student_attempt(request: StudentRequest, question_number: int) -> StudentAttempt | None:
    """The attempt that is open, else the last one; None before the first. NotFound for a question that the
    assignment does not have."""
    attempt_work = await request.read(student_work.load_attempt_work)
    if attempt_work is None:
        return None
    attempt = student_attempt(attempt_work, await request.load_course_by_prefix(), request.now)
    if not 1 <= question_number <= len(attempt.question_links):
        raise NotFound(f"这份作业没有第{question_number}题。")
    return attempt


def question_page(
    request: StudentRequest,
    attempt: StudentAttempt,
    question_number: int,
    answer: TypedAnswer | None,
    error_sentence: str = "",
    status: int = 200,
) -> Response:
    """The page of one question; `error_sentence`: why what was sent could not be taken."""
    unread_number_text = request.query.get("unread")
    question_links = attempt.question_links
    return request.page(
        "assignments/question",
        status=status,
        title=f"第{question_number}题 · {attempt.assignment.title}",
        attempt=attempt,
        number=question_number,
        item_html=attempt_views.render_open_question(
            request.site, attempt, question_number, answer, error_sentence
        ),
        question_links=render_links(request.site, question_links, question_number),
        form_id=attempt_views.draft_form_id(attempt, question_number),
        unread_links=[
            link for link in question_links if link.is_unreadable and str(link.number) == unread_number_text
        ],
    )


@router.post(QUESTION_ADDRESS + "/responses")
async def answer_question(request: StudentDep, question_number: RowId) -> Response:
    """Mark an answer at once; or save it and go on to the next question, or to the one that `go` names."""
    attempt = await load_student_attempt(request, question_number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN_SENTENCE)
    answer = typed_answer_of_form(request.form)
    try:
        if not attempt.is_marked_at_once or request.form.text("go"):
            await save_answer(request, attempt, question_number, answer)
            return go_to_next_question(request, attempt, question_number, answer)
        await request.write(
            answering.answer_at_once,
            request.question_key(question_number),
            sent_answer_of(request.form, answer),
            attempt.question_set.course_by_prefix,
            request.now,
        )
    except Unreadable:
        return await show_refusal(request, attempt, question_number, answer)
    except Refused as error:
        return await show_refusal(
            request, attempt, question_number, answer._replace(is_refused=False), str(error)
        )
    return await show_question(request, attempt, question_number)


@router.post(QUESTION_ADDRESS + "/drafts")
async def save_draft(request: StudentDep, question_number: RowId) -> Response:
    """Save what is being written, without leaving the page; to `modules/drafts.js` 200 means stored."""
    attempt = await load_student_attempt(request, question_number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN_SENTENCE)
    try:
        await save_answer(request, attempt, question_number, typed_answer_of_form(request.form))
    except Refused as error:
        return HTMLResponse(f'<span class="not-saved">{Markup.escape(str(error))}</span>', status_code=422)
    attempt = await reload_attempt(request, attempt)
    links_html = render_links(request.site, attempt.question_links, question_number, is_out_of_band=True)
    return HTMLResponse(attempt_views.render_saved_note(request.site, attempt, question_number) + links_html)


@router.post(QUESTION_ADDRESS + "/hints")
async def open_hint(request: StudentDep, question_number: RowId) -> Response:
    """One more hint; what was typed stays."""
    attempt = await load_student_attempt(request, question_number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN_SENTENCE)
    answer = typed_answer_of_form(request.form)._replace(is_refused=False)
    question_key, hint_number = request.question_key(question_number), request.form.number("hint", 1)
    try:
        await request.write(answering.open_next_hint, question_key, hint_number, request.now)
    except Refused as error:
        return await show_refusal(request, attempt, question_number, answer, str(error))
    if not any(answer.raw):
        return await show_question(request, attempt, question_number)
    return await show_question(request, attempt, question_number, answer)


@router.post(QUESTION_ADDRESS + "/orderings")
async def move_candy(request: StudentDep, question_number: RowId) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    await request.read(student_assignments.load_own_assignment)
    answer = typed_answer_of_form(request.form)._replace(is_refused=False)
    moved_order = answer.with_move(request.form.text("move"))
    question_url = f"{request.url}/questions/{question_number}#question-{question_number}"
    return request.redirect(moved_order.url_within(question_url))


async def save_answer(
    request: StudentRequest, attempt: StudentAttempt, question_number: int, answer: TypedAnswer
) -> None:
    """Keep an answer; where each is marked at once, what was typed and not sent. Who goes to another question
    without having written keeps nothing: an order is no answer before somebody says so."""
    form = request.form
    if form.text("go") and form.text("seen") == answering.fingerprint_of_texts(answer.raw):
        return
    question_key, sent_answer = request.question_key(question_number), sent_answer_of(form, answer)
    if attempt.is_marked_at_once:
        await request.write(answering.store_unsent_answer, question_key, sent_answer, request.now)
    else:
        await request.write(answering.save_answer, question_key, sent_answer, request.now)


async def reload_attempt(request: StudentRequest, attempt: StudentAttempt) -> StudentAttempt:
    """The attempt after something was written."""
    attempt_work = await request.read(student_work.load_attempt_work, attempt.number)
    assert attempt_work is not None
    return student_attempt(attempt_work, attempt.question_set.course_by_prefix, request.now)


def go_to_next_question(
    request: StudentRequest, attempt: StudentAttempt, question_number: int, typed_answer: TypedAnswer
) -> Response:
    """On to the question that `go` names, else the next one, which says so where the saved one cannot be
    read. The page to hand in lists all of these."""
    next_question_number = request.form.number("go", question_number + 1)
    next_url = attempt.question_or_hand_in_url(next_question_number)
    assigned_question = attempt.question(question_number)
    if next_question_number <= len(attempt.question_links) and is_unreadable(
        attempt.question_set, assigned_question, typed_answer.raw
    ):
        next_url += f"?unread={question_number}"
    if request.wants_fragment:
        return Response(headers={"HX-Redirect": next_url})
    return request.redirect(next_url)


async def show_question(
    request: StudentRequest, attempt: StudentAttempt, question_number: int, answer: TypedAnswer | None = None
) -> Response:
    """The question after something was written: a fragment with the links, or the page."""
    if not request.wants_fragment:
        feedback_url = f"{attempt.question_url(question_number)}#question-{question_number}-said"
        if answer:
            feedback_url = answer.url_within(feedback_url)
        return request.redirect(feedback_url)
    attempt = await reload_attempt(request, attempt)
    links_html = render_links(request.site, attempt.question_links, question_number, is_out_of_band=True)
    question_html = attempt_views.render_open_question(request.site, attempt, question_number, answer)
    return request.fragment(question_html + links_html)


async def show_refusal(
    request: StudentRequest,
    attempt: StudentAttempt,
    question_number: int,
    answer: TypedAnswer,
    error_sentence: str = "",
) -> Response:
    """The form with what was typed, and the sentence that says why it was not taken."""
    attempt = await reload_attempt(request, attempt)
    if attempt.is_handed_in:
        raise Refused(error_sentence)
    if not request.wants_fragment:
        return question_page(request, attempt, question_number, answer, error_sentence, 422)
    html = attempt_views.render_open_question(request.site, attempt, question_number, answer, error_sentence)
    return request.fragment(html, status=422)


# Handed in.


@router.get(OWN_ASSIGNMENT_ADDRESS + "/hand-in")
async def confirm_hand_in(request: StudentDep) -> Response:
    """Before it is handed in: what is answered, what is not, and what being late costs."""
    course_by_prefix = await request.load_course_by_prefix()
    student_assignment, attempt_work, done_share_by_part_id = await request.read(
        student_work.load_assignment_work, course_by_prefix, request.now
    )
    if attempt_work is None or not student_assignment.is_still_given:
        return request.redirect_within()
    attempt = student_attempt(attempt_work, course_by_prefix, request.now)
    views_of_outside_parts = student_views.outside_part_views(
        part_views(course_by_prefix, student_assignment.parts), done_share_by_part_id
    )
    return request.page(
        "assignments/hand_in",
        title=f"交卷 · {attempt.assignment.title}",
        attempt=attempt,
        question_links=render_links(request.site, attempt.question_links),
        unfinished_parts=[part_view for part_view in views_of_outside_parts if not part_view.is_done],
    )


@router.post(OWN_ASSIGNMENT_ADDRESS + "/hand-ins")
async def hand_in(request: StudentDep) -> Response:
    """Hand in. The receipt says when."""
    course_by_prefix = await request.load_course_by_prefix()
    try:
        submission = await request.write(
            submissions.hand_in_attempt, request.attempt_number, course_by_prefix, request.now
        )
    except Refused as error:
        return await show_assignment(request, str(error))
    return request.redirect_within(f"/passes/{submission.number}")


@router.get(OWN_ASSIGNMENT_ADDRESS + "/passes/{attempt_number}")
async def show_receipt(request: StudentDep, attempt_number: RowId) -> Response:
    """When an attempt was handed in; and its result, once it may be seen."""
    attempt_work = await request.read(student_work.load_attempt_work, attempt_number)
    if attempt_work is None or attempt_work.attempt.handed_in_at is None:
        return request.redirect_within()
    course_by_prefix = await request.load_course_by_prefix()
    attempt_result = attempt_views.attempt_result(request.site, course_by_prefix, attempt_work, request.now)
    title = f"交了 · {attempt_work.student_assignment.assignment.title}"
    return request.page("assignments/attempt", title=title, result=attempt_result)


def url_of_assignment_attempt(attempt_row: AttemptRow) -> str:
    """Where an attempt at an assignment is shown; NotFound once a later assignment has its number."""
    assignment_id = assignment_id_of(attempt_row.ref)
    if assignment_id is None:
        raise NotFound("这份作业和它的班级一起删掉了，这一遍没有地方可看。")
    return f"/assignments/{assignment_id}/passes/{attempt_row.round}"


def url_and_title_of(_course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the assignment that an attempt was made at."""
    assignment_id = assignment_id_of(attempt_ref)
    if assignment_id is None:
        return None
    return f"/assignments/{assignment_id}", "作业"


ANSWER_CONTEXT = AnswerContext("assignments", expect_address_of_attempt, url_and_title_of)
