"""An attempt at an assignment: its questions while its student works at them, and its result."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from markupsafe import Markup

from app.course.assignments.question_sets import AssignedQuestion, MarkingCourse, QuestionSet
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.deadlines import Schedule, schedule_of
from app.records.assignments.time_limits import time_up_at, time_up_sentence
from app.records.assignments.values import AssignmentRow, AttemptWork
from app.records.grading import answering, marks
from app.records.learning.values import FAR_FUTURE
from app.web.assignments import question_views
from app.web.assignments.part_views import (
    PartView,
    PointsByPlace,
    outside_results_and_unfinished_count,
    shown_points_by_place,
    views_without_questions,
)
from app.web.assignments.question_links import QuestionLink, link_state_of
from app.web.assignments.student_views import attempt_points_words, comment_words, hand_mark_words
from app.web.items.item_views import seen_answers
from app.web.items.typed_answers import TypedAnswer
from app.web.site import slots
from app.web.site.clock import FORMAT_BY_FILTER, moment_text
from app.web.site.site import CourseByPrefix, Site


class StudentAttempt(NamedTuple):
    """An attempt as its student sees it. `question_links`: every question, with how it stands."""

    attempt_work: AttemptWork
    question_set: QuestionSet
    schedule: Schedule
    question_links: Sequence[QuestionLink]
    now: datetime
    time_up_sentence: str

    @property
    def takes_answers(self) -> bool:
        """Whether answers are taken now."""
        return self.schedule.takes_work and not self.time_up_sentence

    @property
    def is_handed_in(self) -> bool:
        return self.attempt_work.attempt.handed_in_at is not None

    @property
    def own_time_up_at(self) -> datetime | None:
        """When the time is up that it has of its own."""
        return time_up_at(self.attempt_work.student_assignment, self.attempt_work.attempt)

    @property
    def shown_time_up_at(self) -> datetime | None:
        """Where it has a time of its own: until when it lasts, as people are told. The last minute of an
        assignment is told by its beginning, and counts to its end: `remaining_seconds`."""
        if self.own_time_up_at is None or self.schedule.taken_until is None:
            return self.own_time_up_at
        return min(self.own_time_up_at, self.schedule.taken_until)

    @property
    def remaining_seconds(self) -> int:
        """Whole seconds of its own time that are left when the page is made; 0 where it has none."""
        if self.own_time_up_at is None:
            return 0
        ends_at = min(self.own_time_up_at, self.schedule.ends_at or self.own_time_up_at)
        return max(0, int((ends_at - self.now).total_seconds()))

    @property
    def assignment(self) -> AssignmentRow:
        return self.attempt_work.student_assignment.assignment

    @property
    def number(self) -> int:
        return self.attempt_work.attempt.number

    @property
    def is_marked_at_once(self) -> bool:
        """Whether an answer is marked when it is given."""
        return self.assignment.answers == "at_once"

    @property
    def url(self) -> str:
        return f"/assignments/{self.assignment.id}"

    @property
    def unanswered_links(self) -> list[QuestionLink]:
        """The questions without an answer that can be marked."""
        return [question_link for question_link in self.question_links if question_link.is_unanswered]

    @property
    def links_with_gaps(self) -> list[QuestionLink]:
        """The questions of which some cells or blanks are still empty."""
        return [question_link for question_link in self.question_links if question_link.state == "gaps"]

    @property
    def resume_question_number(self) -> int:
        """The number of the question where the student goes on."""
        if self.unanswered_links:
            return self.unanswered_links[0].number
        return 1

    def question(self, question_number: int) -> AssignedQuestion:
        return self.question_set.questions[question_number - 1]

    def question_url(self, question_number: int) -> str:
        return url_of_question(self.assignment, question_number)

    def question_or_hand_in_url(self, question_number: int) -> str:
        """A question; after the last one, the page to hand in."""
        if question_number <= len(self.question_links):
            return self.question_url(question_number)
        return f"{self.url}/hand-in"


def url_of_question(assignment: AssignmentRow, question_number: int) -> str:
    return f"/assignments/{assignment.id}/questions/{question_number}"


def student_attempt(
    attempt_work: AttemptWork,
    course_by_prefix: Mapping[str, MarkingCourse],
    now: datetime,
    are_marks_visible: bool | None = None,
) -> StudentAttempt:
    """An attempt as its student sees it. `are_marks_visible`: None while it is worked at: they are where
    answers are marked at once."""
    student_assignment, attempt = attempt_work.student_assignment, attempt_work.attempt
    assignment = student_assignment.assignment
    if are_marks_visible is None:
        are_marks_visible = assignment.answers == "at_once"
    question_set = question_set_of(course_by_prefix, student_assignment.parts, assignment, attempt)
    question_links = []
    for question_number, assigned_question in enumerate(question_set.questions, 1):
        link_state = link_state_of(question_set, assigned_question, attempt_work, are_marks_visible)
        question_url = url_of_question(assignment, question_number)
        question_links.append(QuestionLink(question_number, link_state, question_url))
    schedule = schedule_of(student_assignment, now)
    time_is_up_sentence = time_up_sentence(student_assignment, attempt, now)
    return StudentAttempt(attempt_work, question_set, schedule, question_links, now, time_is_up_sentence)


def render_open_question(
    site: Site,
    attempt: StudentAttempt,
    question_number: int,
    answer_in_form: TypedAnswer | None,
    error_sentence: str = "",
) -> Markup:
    """A question with the form for its answer. `error_sentence`: why what was sent could not be taken."""
    assigned_question = attempt.question(question_number)
    saved_answer = attempt.attempt_work.saved_answer_by_question_ref.get(assigned_question.ref)
    asked_question = question_views.current_question(attempt.question_set, assigned_question)
    if asked_question is None:
        answer_html = question_views.saved_html(saved_answer)
        return question_views.render_gone(site, attempt.question_set, assigned_question, answer_html)
    answer_label = "存下，下一题"
    if question_number == len(attempt.question_links):
        answer_label = "存下，去交卷"
    if answer_in_form and answer_in_form.item_id != asked_question.item.id:
        answer_in_form = None
    unsent_answer = attempt.attempt_work.unsent_answer_by_question_ref.get(assigned_question.ref)
    if unsent_answer and answer_in_form is None:
        answer_in_form = TypedAnswer(asked_question.item.id, unsent_answer.raw, is_refused=False)
    question_state = question_views.QuestionState(
        assignment=attempt.assignment,
        url=attempt.question_url(question_number),
        answer_label=answer_label,
        attempt_number=attempt.number,
        responses=attempt.attempt_work.responses_to_question(assigned_question.ref),
        saved_answer=saved_answer,
        seconds=question_views.seconds_of(unsent_answer or saved_answer),
        hint_count=attempt.attempt_work.hint_count_by_question_ref.get(assigned_question.ref, 0),
        typed_answer=answer_in_form,
        error_sentence=error_sentence,
        draft_html=render_draft_answer(site, attempt, question_number),
        is_closed=not attempt.takes_answers,
    )
    return question_views.render_question(site, question_views.asked_view(asked_question, question_state))


def draft_form_id(attempt: StudentAttempt, question_number: int) -> str:
    """The id of the form whose words are saved while they are written; empty where there is none."""
    assigned_question = attempt.question(question_number)
    asked_question = question_views.current_question(attempt.question_set, assigned_question)
    if asked_question is None or not attempt.takes_answers:
        return ""
    answers = seen_answers(attempt.attempt_work.responses_to_question(assigned_question.ref))
    if question_views.answer_state_of_tries(asked_question.item, answers, attempt.assignment.tries) != "open":
        return ""
    return f"question-{question_number}-form"


def render_draft_answer(site: Site, attempt: StudentAttempt, question_number: int) -> Markup:
    """The box that saves what is being written; none where answers are not taken."""
    if not attempt.takes_answers:
        return slots.NOTHING
    drafts_url = f"{attempt.question_url(question_number)}/drafts"
    note_html = render_saved_note(site, attempt, question_number)
    return site.render("assignments/_draft.html", url=drafts_url, note=note_html)


def render_saved_note(site: Site, attempt: StudentAttempt, question_number: int) -> Markup:
    """When the answer was saved, and whether it can be marked."""
    assigned_question = attempt.question(question_number)
    attempt_work = attempt.attempt_work
    kept_answer = attempt_work.saved_answer_by_question_ref.get(assigned_question.ref)
    kept_answer = attempt_work.unsent_answer_by_question_ref.get(assigned_question.ref, kept_answer)
    if kept_answer:
        seen_texts = kept_answer.raw
    elif responses := attempt_work.responses_to_question(assigned_question.ref):
        seen_texts = responses[-1].raw
    else:
        seen_texts = question_views.untouched_texts(attempt.question_set, assigned_question)
    return site.render(
        "assignments/_saved.html",
        saved=kept_answer,
        is_marked_at_once=attempt.is_marked_at_once,
        seen_fingerprint=answering.fingerprint_of_texts(seen_texts),
        is_unreadable=attempt.question_links[question_number - 1].is_unreadable,
    )


# Its result.


class AttemptResult(NamedTuple):
    """What is shown of an attempt that was handed in; `points_words` and `links_with_result_htmls` from the
    time that `results_visible_sentence` names.

    `corrected_links`: the questions whose marks the teacher changed, with a reason.
    `hand_mark_words`, `comment`: what the teacher decided and wrote about the assignment; `outside_results`:
    those without questions, each with its points; `unfinished_count`: how many of these are not done;
    `can_repeat`: whether another attempt may follow.
    """

    attempt_work: AttemptWork
    hand_mark_words: str
    comment: str
    outside_results: Sequence[tuple[PartView, str]]
    unanswered_count: int
    has_unreadable: bool
    unfinished_count: int
    can_repeat: bool
    points_words: str
    links_with_result_htmls: Sequence[tuple[QuestionLink, Markup]]
    corrected_links: Sequence[QuestionLink]
    results_visible_sentence: str


def attempt_result(
    site: Site, course_by_prefix: CourseByPrefix, attempt_work: AttemptWork, now: datetime
) -> AttemptResult:
    """The result of an attempt, as far as its student may know it now."""
    student_assignment = attempt_work.student_assignment
    are_marks_visible = attempt_work.is_shown(now)
    attempt = student_attempt(attempt_work, course_by_prefix, now, are_marks_visible)
    part_views = views_without_questions(course_by_prefix, student_assignment.parts)
    points_by_question_ref: PointsByPlace = {
        assigned_question.ref: assigned_question.points * attempt_work.earned_share(assigned_question.ref)
        for assigned_question in attempt.question_set.questions
    }
    points_by_part_id = marks.read_points_by_part_id(attempt_work.attempt.points_json)
    points_by_place = shown_points_by_place(points_by_question_ref, part_views, points_by_part_id)
    outside_results, unfinished_count = outside_results_and_unfinished_count(
        part_views, points_by_part_id, points_by_place, are_marks_visible
    )
    earned_points_words = results_visible_sentence = ""
    links_with_result_htmls = []
    corrected_links = []
    if are_marks_visible:
        earned_points_words = attempt_points_words(attempt_work.attempt, student_assignment, now)
        for question_link in attempt.question_links:
            link_on_page = question_link._replace(url=f"#q{question_link.number}")
            result_html = render_question_result(site, attempt, question_link, points_by_place)
            links_with_result_htmls.append((link_on_page, result_html))
            if correction_of(attempt, question_link):
                corrected_links.append(link_on_page)
    else:
        results_visible_sentence = results_time_sentence(site, attempt_work)
    return AttemptResult(
        attempt_work=attempt_work,
        hand_mark_words=hand_mark_words(student_assignment, now),
        comment=comment_words(student_assignment, now),
        outside_results=outside_results,
        unanswered_count=len(attempt.unanswered_links),
        has_unreadable=any(question_link.is_unreadable for question_link in attempt.question_links),
        unfinished_count=unfinished_count,
        can_repeat=attempt.schedule.takes_work and student_assignment.remaining_attempt_count != 0,
        points_words=earned_points_words,
        links_with_result_htmls=links_with_result_htmls,
        corrected_links=corrected_links,
        results_visible_sentence=results_visible_sentence,
    )


def render_question_result(
    site: Site, attempt: StudentAttempt, question_link: QuestionLink, points_by_place: PointsByPlace
) -> Markup:
    """A question with its answer. One whose item was missing when it was handed in waits to be marked."""
    question_set, attempt_work = attempt.question_set, attempt.attempt_work
    assigned_question = attempt.question(question_link.number)
    asked_question = question_views.answered_question(site, question_set, assigned_question, attempt_work)
    shown_points = points_by_place[assigned_question.ref]
    responses = attempt_work.responses_to_question(assigned_question.ref)
    answer_html = slots.NOTHING
    if not responses:
        saved_answer = attempt_work.saved_answer_by_question_ref.get(assigned_question.ref)
        answer_html = question_views.saved_html(saved_answer, asked_question)
    is_waiting = question_link.state == "waiting"
    if asked_question is None and is_waiting:
        return question_views.render_gone(site, question_set, assigned_question, answer_html)
    if asked_question is None:
        if responses:
            answer_html = question_views.saved_html(responses[-1])
        points_words = question_views.question_points_words(assigned_question, attempt_work, shown_points)
        return site.render("assignments/_lost.html", answer=answer_html, points_words=points_words)
    return site.render(
        "assignments/_answer.html",
        item=question_views.question_result_view(asked_question, attempt_work, shown_points),
        saved=answer_html,
        is_waiting=is_waiting,
        correction=correction_of(attempt, question_link),
        is_set_by_hand=assigned_question.ref in attempt_work.hand_marked_refs,
        comment=attempt_work.comment_by_place.get((attempt_work.attempt.number, assigned_question.ref), ""),
    )


def correction_of(attempt: StudentAttempt, question_link: QuestionLink) -> str:
    """Why the teacher changed the mark of a question; empty where it stands as it was handed in, or waits."""
    attempt_work, question_ref = attempt.attempt_work, attempt.question(question_link.number).ref
    if question_link.state == "waiting" or question_ref not in attempt_work.new_share_by_question_ref:
        return ""
    return attempt_work.reason_by_question_ref.get(question_ref, "")


def results_time_sentence(site: Site, attempt_work: AttemptWork) -> str:
    """From when the results may be seen."""
    if attempt_work.student_assignment.assignment.answers == "never":
        return "结果由老师来讲，这里不显示。"
    if attempt_work.shown_from is None or attempt_work.shown_from >= FAR_FUTURE:
        return "等老师结束这份作业，这里就能看结果和讲解。"
    zone = ZoneInfo(site.settings.time_zone)
    visible_from_text = moment_text(FORMAT_BY_FILTER["lately"], zone, attempt_work.shown_from)
    return f"{visible_from_text}以后，这里能看结果和讲解。"
