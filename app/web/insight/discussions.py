"""讲评: one question of an assignment on the projector, next to it what the class answered first as bars.

Never with a name.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.content.recorded_misconceptions import named_misconception
from app.course.items.kinds import (
    Generated,
    Item,
    Numeric,
    ShortAnswer,
)
from app.records.insight.discussions import DiscussionData, FirstAnswer, load_discussion
from app.web.assignments.assignment_requests import TeacherDep
from app.web.insight.question_words import course_and_current_item, course_and_thawed_item, plain_kind_view
from app.web.items.kinds import KindView
from app.web.site.rendering import line_html, line_htmls, text_html
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()
RIGHT_BAR, MISTAKE_BAR, WRONG_BAR, SHOWN_BAR = range(4)
"""Groups of answers, in the order of their bars; of each misconception there is a group."""
WORDS_BY_BAR_KIND: Mapping[int, str] = {RIGHT_BAR: "对了", WRONG_BAR: "别的答案", SHOWN_BAR: "直接看了答案"}


@router.get("/classrooms/{classroom_id}/assignments/{assignment_id}/review")
async def show(request: TeacherDep) -> Response:
    """`?question=3` is the third one; `&shown=1` adds the answer. Names are never there."""
    question_number = request.query_number("question") or 1
    discussion_data = await request.read(load_discussion, question_number)
    view_of_question = None
    if discussion_data.questions:
        course_by_prefix = await request.site.course_by_prefix_of_refs([discussion_data.question.item_ref])
        view_of_question = discussion_view(course_by_prefix, discussion_data)
    return request.page(
        "insight/discussion",
        page="discussion",
        title=f"讲评：{discussion_data.task.title}",
        discussion_data=discussion_data,
        classroom=discussion_data.classroom,
        view=view_of_question,
        is_answer_shown=request.query.get("shown") == "1",
    )


class AnswerBar(NamedTuple):
    """An answer with how many gave it. `is_right` and `detail_html` are shown only once the answer is.

    `detail_html`: the number that most of them wrote, or the line of a rubric.
    """

    label_html: Markup
    answer_count: int
    share: float
    is_right: bool
    detail_html: Markup = Markup()


class DiscussionView(NamedTuple):
    """A question on the wall. Without `stem_html` its item can no longer be read.

    `has_variants`: not everybody has the numbers that stand there; `is_in_words`: there is nothing to reckon.
    """

    bars: Sequence[AnswerBar]
    stem_html: Markup | None = None
    kind_view: KindView | None = None
    has_variants: bool = False
    solution_line_htmls: Sequence[Markup] = ()
    is_in_words: bool = False


def discussion_view(course_by_prefix: CourseByPrefix, discussion_data: DiscussionData) -> DiscussionView:
    """The question as it was regraded last, or else as most saw it; before anybody answered, as it would be
    asked now."""
    version_hashes_on_wall: Collection[str] = discussion_data.body_json_by_version_hash
    has_variants = are_numbers_varied(course_by_prefix, discussion_data)
    if has_variants:  # the version that was regraded last has the numbers of one student
        discussion_data = discussion_data._replace(regraded_version_hash="")
        version_hashes_on_wall = [discussion_data.shown_version_hash]
    course_and_item = course_and_shown_item(course_by_prefix, discussion_data)
    if course_and_item is None:
        return DiscussionView(misconception_bars(discussion_data.answers))
    course, item = course_and_item
    if item.choices:
        answer_bars = option_bars(course, item, discussion_data.answers)
    elif isinstance(item, ShortAnswer):
        answer_bars = line_bars(course, item, discussion_data)
    elif isinstance(item, Numeric):
        answer_bars = misconception_bars(discussion_data.answers, version_hashes_on_wall)
    else:
        answer_bars = misconception_bars(discussion_data.answers)
    return DiscussionView(
        answer_bars,
        stem_html=text_html(course, item.stem),
        kind_view=plain_kind_view(course, item),
        has_variants=has_variants,
        solution_line_htmls=line_htmls(course, item.solution()),
        is_in_words=isinstance(item, ShortAnswer),
    )


def course_and_shown_item(
    course_by_prefix: CourseByPrefix, discussion_data: DiscussionData
) -> tuple[Course, Item] | None:
    """The item with the course that renders it; None where it can no longer be read."""
    item_ref = discussion_data.question.item_ref
    seed = discussion_data.task.assignment.seed
    if discussion_data.body_json is not None:
        return course_and_thawed_item(course_by_prefix, item_ref, discussion_data.body_json, seed)
    course_and_item = course_and_current_item(course_by_prefix, item_ref)
    if course_and_item is None:
        return None
    course, item = course_and_item
    return course, course.variant(item.id, seed)


def are_numbers_varied(course_by_prefix: CourseByPrefix, discussion_data: DiscussionData) -> bool:
    """Whether everybody has other numbers: by their answers, or before there are any by the exercise."""
    course_and_item = course_and_current_item(course_by_prefix, discussion_data.question.item_ref)
    if course_and_item is not None and not isinstance(course_and_item[1], Generated):
        return False  # several versions are an item that was changed
    if discussion_data.answers:
        return len({first_answer.item_version_hash for first_answer in discussion_data.answers}) > 1
    return course_and_item is not None and not discussion_data.question.is_same_for_all


def option_bars(course: Course, item: Item, first_answers: Sequence[FirstAnswer]) -> list[AnswerBar]:
    """A bar for each option, in the order in which they stand there; of several choices each counts.

    What somebody chose goes with their account: they are no part of the whole.
    """
    count_by_option_id: Counter[str] = Counter()
    known_answer_count = 0
    for first_answer in first_answers:
        count_by_option_id.update(first_answer.answer_texts)
        if first_answer.answer_texts or first_answer.verdict == "shown":
            known_answer_count += 1
    option_bars = []
    for choice in item.choices:
        answer_count = count_by_option_id[choice.id]
        answer_share = answer_count / max(known_answer_count, 1)
        option_bars.append(
            AnswerBar(line_html(course, choice.text), answer_count, answer_share, choice.is_right)
        )
    return option_bars


def line_bars(course: Course, short_item: ShortAnswer, discussion_data: DiscussionData) -> list[AnswerBar]:
    """How many met each line of the rubric, of those whose words are marked; and how many still wait."""
    met_count_by_rubric_line = Counter[str]()
    for line_ticks in discussion_data.marked_lines_by_response_id.values():
        met_count_by_rubric_line.update(line_ticks.met_lines)
    line_bars = []
    for line_number, rubric_line in enumerate(short_item.rubric, 1):
        met_count = met_count_by_rubric_line[rubric_line.text]
        label_html = Markup.escape(f"写到第{line_number}个要点")
        rubric_line_html = line_html(course, rubric_line.text)
        line_bars.append(
            AnswerBar(
                label_html,
                met_count,
                met_count / max(len(discussion_data.marked_lines_by_response_id), 1),
                False,
                rubric_line_html,
            )
        )
    waiting_count = len(discussion_data.answers) - len(discussion_data.marked_lines_by_response_id)
    if short_item.rubric and waiting_count:
        line_bars.append(
            AnswerBar(Markup("还没批"), waiting_count, waiting_count / len(discussion_data.answers), False)
        )
    return line_bars


def misconception_bars(
    first_answers: Sequence[FirstAnswer], version_hashes_on_wall: Collection[str] = ()
) -> list[AnswerBar]:
    """Right, each diagnosed mistake by how many made it, other answers, those who asked to be shown it.

    `version_hashes_on_wall`: in which the question asks what stands on the wall; none where no
    number is typical.
    """
    answers_by_bar_key: dict[tuple[int, str], list[FirstAnswer]] = defaultdict(list)
    for first_answer in first_answers:
        answers_by_bar_key[bar_key_of(first_answer)].append(first_answer)
    misconception_bars = []
    for bar_kind, misconception_id in sorted(
        answers_by_bar_key, key=lambda bar_key: (bar_key[0], -len(answers_by_bar_key[bar_key]))
    ):
        answers_of_bar = answers_by_bar_key[bar_kind, misconception_id]
        label_html = Markup.escape(bar_label(bar_kind, misconception_id))
        answer_share = len(answers_of_bar) / len(first_answers)
        typical_number_html = Markup.escape(typical_number_text(answers_of_bar, version_hashes_on_wall))
        misconception_bars.append(
            AnswerBar(
                label_html, len(answers_of_bar), answer_share, bar_kind == RIGHT_BAR, typical_number_html
            )
        )
    return misconception_bars


def bar_label(bar_kind: int, misconception_id: str) -> str:
    if misconception_id:
        return named_misconception(misconception_id).name
    return WORDS_BY_BAR_KIND[bar_kind]


def bar_key_of(first_answer: FirstAnswer) -> tuple[int, str]:
    if first_answer.verdict == "right":
        return RIGHT_BAR, ""
    if first_answer.misconception_code:
        return MISTAKE_BAR, first_answer.misconception_code
    if first_answer.verdict == "shown":
        return SHOWN_BAR, ""
    return WRONG_BAR, ""


def typical_number_text(first_answers: Sequence[FirstAnswer], version_hashes_on_wall: Collection[str]) -> str:
    """The number that most of a group wrote, where all of them had the question on the wall."""
    if any(first_answer.item_version_hash not in version_hashes_on_wall for first_answer in first_answers):
        return ""
    answer_values = [first_answer.value for first_answer in first_answers if first_answer.value is not None]
    return max(dict.fromkeys(answer_values), key=answer_values.count, default="")
