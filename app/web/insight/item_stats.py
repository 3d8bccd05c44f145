"""题目分析: how questions behaved, from first answers alone, always with how sure one may be.

A row for each question, and the one thing to do about it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from starlette.responses import Response

from app.course import Course
from app.course.insight.advising import ObservedQuestion, QuestionAdvice, advice_on_question
from app.course.insight.item_analysis import (
    Average,
    ItemFigures,
    average_tries,
    figures_by_item_ref,
    figures_without_answers,
)
from app.records.insight.item_stats import ClassReport, ItemStatsData, load_item_stats
from app.web.classes.classrooms import ClassDep
from app.web.insight.own_points import OwnPoint, PointGroup, members_and_point_groups, own_point_of_item
from app.web.insight.question_words import (
    SOME_CELL_WRONG_WORDS,
    UNREAD_WORDS,
    QuestionTitle,
    question_title,
    wrong_answer_words,
)
from app.web.insight.scopes import AnswerScope
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()
URGENCY_ORDER = ("now", "talk", "adjust", "keep", "wait")
QUIET_URGENCIES = ("keep", "wait")
MOST_ROWS_AT_FIRST = 20
"""So many rows are shown at first, the most urgent ones; the others by 全部."""
MOST_QUIET_ROWS_AT_FIRST = 6
"""So many where none of a class asks for anything."""
MOST_WRONG_ANSWERS = 3


@router.get("/classrooms/{classroom_id}/items")
async def show(request: ClassDep, assignment: str = "") -> Response:
    """The questions of an assignment, or what the class did lately, or ever; with `?all=yes` every row."""
    answer_scope = AnswerScope(assignment)
    item_stats_data = await request.read(
        load_item_stats, answer_scope.assignment_id, answer_scope.earliest_at(request.now)
    )
    item_refs = {
        *item_stats_data.reports_by_item_ref,
        *(first_answer.item_ref for first_answer in item_stats_data.first_answers),
    }
    course_by_prefix = await request.site.course_by_prefix_of_refs(item_refs)
    item_rows, own_point_groups = items_and_point_groups(course_by_prefix, request.course, item_stats_data)
    lists_all_items = request.query.get("all") == "yes"
    most_shown_rows = MOST_ROWS_AT_FIRST
    if lists_all_items:
        most_shown_rows = len(item_rows)
    elif item_stats_data.task is None and all(shown_row.is_quiet for shown_row in item_rows):
        most_shown_rows = MOST_QUIET_ROWS_AT_FIRST
    return request.page(
        "insight/item_stats",
        title=f"题目：{item_stats_data.classroom.name}",
        item_stats_data=item_stats_data,
        classroom=item_stats_data.classroom,
        scope=answer_scope,
        item_rows=item_rows[:most_shown_rows],
        lists_all=lists_all_items,
        remaining_item_count=len(item_rows[most_shown_rows:]),
        own_groups=own_point_groups,
    )


@dataclass(frozen=True)
class ItemRow:
    """A question with its figures, in words. `further_try_counts`: of each who tried again."""

    title: QuestionTitle
    figures: ItemFigures
    advice: QuestionAdvice
    further_try_counts: Sequence[int]
    reports: Sequence[ClassReport]

    @property
    def commonest_wrong_answers(self) -> Sequence[tuple[str | None, int]]:
        """As many as the page has room for, in words, and how many gave each."""
        return self.figures.wrong_answers_with_counts[:MOST_WRONG_ANSWERS]

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is to be done about it, or not yet."""
        return self.advice.urgency in QUIET_URGENCIES

    @cached_property
    def try_average(self) -> Average:
        """How often one tried, on average; reckoned for the rows that are shown."""
        return average_tries(self.further_try_counts, self.figures.answer_count)


def items_and_point_groups(
    course_by_prefix: CourseByPrefix, main_course: Course, item_stats_data: ItemStatsData
) -> tuple[list[ItemRow], list[PointGroup[ItemRow]]]:
    """The questions of an assignment in their order; of a class those of the course, and apart from them
    those of own knowledge points: what is right there says nothing of the course's questions."""
    if item_stats_data.task is not None:
        return item_rows_of(course_by_prefix, item_stats_data, item_stats_data.reported_unanswered_refs), []

    def own_point_of(item_ref: str) -> OwnPoint | None:
        return own_point_of_item(course_by_prefix, main_course, item_ref)

    main_first_answers, own_point_answer_groups = members_and_point_groups(
        item_stats_data.first_answers, lambda first_answer: own_point_of(first_answer.item_ref)
    )
    own_point_first_answers = list(
        chain.from_iterable(point_group.members for point_group in own_point_answer_groups)
    )
    reported_refs, own_point_reported_groups = members_and_point_groups(
        item_stats_data.reported_unanswered_refs, own_point_of
    )
    own_point_reported_refs = list(
        chain.from_iterable(point_group.members for point_group in own_point_reported_groups)
    )
    own_point_stats_data = item_stats_data._replace(first_answers=own_point_first_answers)
    own_point_rows = item_rows_of(course_by_prefix, own_point_stats_data, own_point_reported_refs)
    _, own_point_groups = members_and_point_groups(
        own_point_rows, lambda row: own_point_of(row.figures.item_ref)
    )
    return item_rows_of(
        course_by_prefix, item_stats_data._replace(first_answers=main_first_answers), reported_refs
    ), own_point_groups


def item_rows_of(
    course_by_prefix: CourseByPrefix, item_stats_data: ItemStatsData, reported_unanswered_refs: Sequence[str]
) -> list[ItemRow]:
    """The rows of what was answered, and of some questions that were not: of an assignment in its order, of a
    class by how urgent they are."""
    figures_of_questions = [
        *figures_by_item_ref(item_stats_data.first_answers).values(),
        *map(figures_without_answers, reported_unanswered_refs),
    ]
    item_rows = [
        item_row(course_by_prefix, item_stats_data, item_figures) for item_figures in figures_of_questions
    ]
    if item_stats_data.task is not None:
        return sorted(item_rows, key=lambda row: row.title.number or 0)
    return sorted(
        item_rows, key=lambda row: (URGENCY_ORDER.index(row.advice.urgency), -row.figures.answer_count)
    )


def item_row(
    course_by_prefix: CourseByPrefix, item_stats_data: ItemStatsData, item_figures: ItemFigures
) -> ItemRow:
    title_of_question = question_title(course_by_prefix, item_figures.item_ref)
    item_figures = figures_with_worded_answers(course_by_prefix, item_figures)
    class_reports = item_stats_data.reports_of(item_figures.item_ref)
    observed_question = ObservedQuestion(
        without_unclear_answers(item_figures),
        planned_minutes=title_of_question.minutes,
        report_count=len({class_report.enrolment_id for class_report in class_reports}),
        has_two_answers=title_of_question.asks_two_answers,
    )
    further_try_counts = item_stats_data.further_try_counts_by_item_ref.get(item_figures.item_ref, ())
    return ItemRow(
        title_of_question,
        item_figures,
        advice_on_question(observed_question),
        further_try_counts,
        class_reports,
    )


def figures_with_worded_answers(course_by_prefix: CourseByPrefix, item_figures: ItemFigures) -> ItemFigures:
    """The figures with wrong answers in words: those with the same words are one, such as two tables that
    went wrong in the same cell."""
    answer_count_by_words: Counter[str | None] = Counter()
    for wrong_answer_key, answer_count in item_figures.wrong_answers_with_counts:
        answer_words = wrong_answer_words(course_by_prefix, item_figures.item_ref, wrong_answer_key)
        answer_count_by_words[answer_words] += answer_count
    return item_figures._replace(wrong_answers_with_counts=answer_count_by_words.most_common())


def without_unclear_answers(item_figures: ItemFigures) -> ItemFigures:
    """The figures without tables that went wrong anywhere, and what could not be read: nothing in common."""
    clear_answers_with_counts = [
        (answer_words, answer_count)
        for answer_words, answer_count in item_figures.wrong_answers_with_counts
        if answer_words not in (SOME_CELL_WRONG_WORDS, UNREAD_WORDS)
    ]
    return item_figures._replace(wrong_answers_with_counts=clear_answers_with_counts)
