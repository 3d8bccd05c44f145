"""勘误馆: the list of cases, and one case, whose truth is told once its question is closed."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.items.marks import answer_state
from app.course.reference.errata import CASE_ITEM_PREFIX, Case, Hall, case_item_id
from app.records.db.errors import NotFound
from app.records.learning import attempts, lesson_pages
from app.records.learning.values import AttemptKey
from app.web.items.answer_contexts import AnswerContext, answers_url_and_seed
from app.web.items.item_views import ItemState, item_state_from_log, placed_item_html
from app.web.items.kinds import SeenAnswer
from app.web.items.typed_answers import typed_answer_of_address
from app.web.site.rendering import text_html, text_htmls
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
TITLE_AND_NOTE_BY_HALL: Mapping[Hall, tuple[str, str]] = {
    "software": ("跑出来的坑", "来自公开的问题单。修的人都很认真，这里只学教训，不追责任。"),
    "convention": ("说不清的约定", "没有谁写错，只是两边各按各的规矩算。写清楚，就没这一案。"),
    "print": (
        "印出来的错",
        "五份讲NDCG的资料，白纸黑字。错处都不大，都很有教育意义。我们手边只有文字，没有网址，所以这一厅没有原帖。",
    ),
}


@router.get("/errata")
async def index(request: RequestDep) -> Response:
    """All cases, hall by hall, with how far each has come."""
    practised_items = await request.read(attempts.load_practised_items, request.course.ref(CASE_ITEM_PREFIX))
    cases_in_list = listed_cases(request.course, practised_items.verdicts_by_item_ref)
    solved_cases = [listed_case for listed_case in cases_in_list if listed_case.state == "done"]
    return request.page(
        "reference/errata",
        is_signed_in=practised_items.learner_id is not None,
        page="errata",
        title="勘误馆",
        hall_titles_and_notes=TITLE_AND_NOTE_BY_HALL,
        listed_cases=cases_in_list,
        solved_count=len(solved_cases),
    )


class ListedCase(NamedTuple):
    """A case in the list; `state` is new, begun or done."""

    id: str
    number: int
    case: Case
    state: str


def listed_cases(course: Course, verdicts_by_item_ref: Mapping[str, Sequence[str]]) -> list[ListedCase]:
    """The cases as a learner has left them; `verdicts_by_item_ref`: item → those of its answers, in order."""
    cases_in_list = []
    for case_number, (case_id, case) in enumerate(course.errata.items(), 1):
        item_id = case_item_id(case_id)
        seen_verdicts = verdicts_by_item_ref.get(course.ref(item_id), ())
        seen_answers = [SeenAnswer(verdict, ()) for verdict in seen_verdicts]
        case_state = "new"
        if answer_state(course.items[item_id], seen_answers) != "open":
            case_state = "done"
        elif seen_answers:
            case_state = "begun"
        cases_in_list.append(ListedCase(case_id, case_number, case, case_state))
    return cases_in_list


@router.get("/errata/{case_id}")
async def show(request: RequestDep, case_id: str) -> Response:
    """A case: what was published, the question, and below it the truth once it is closed."""
    course = request.course
    case = known_case(course, case_id)
    item_id = case_item_id(case_id)
    answer_log = await request.read(lesson_pages.load_example, course.ref(item_id))
    page_url = case_url(case_id)
    base_url, seed = answers_url_and_seed(answer_log.attempt, page_url, seed=0)
    item_state = item_state_from_log(
        course, item_id, answer_log, seed=seed, typed_answer=typed_answer_of_address(request.http)
    )
    item_html = placed_item_html(request.site, item_state, base_url, page_url)
    truth_html = render_truth(request.site, item_state)
    story_html = text_html(course, case.story)
    case_ids = [None, *course.errata, None]
    case_index = case_ids.index(case_id)
    return request.page(
        "reference/errata_case",
        is_signed_in=answer_log.learner_id is not None,
        page="errata",
        title=case.title,
        case=case,
        lesson=lesson_words(course, case),
        number=case_index,
        story=story_html,
        item_html=item_html,
        truth_html=truth_html,
        cases=course.errata,
        former_case_id=case_ids[case_index - 1],
        next_case_id=case_ids[case_index + 1],
    )


def lesson_words(course: Course, case: Case) -> str:
    """The lesson that tells a case already, in words; empty where none does."""
    for stage in course.stages:
        section = stage.section(case.told_in or "")
        if section is not None:
            return f"第{stage.number}阶段“{section.title}”"
    return ""


def render_truth(site: Site, item_state: ItemState, is_out_of_band: bool = False) -> Markup:
    """The true calculation and what to keep; empty while the question is open."""
    course = site.course
    truth_htmls: list[Markup] = []
    consequence_html = reminder_html = None
    seen_answers = item_state.answers_to(item_state.item_id)
    if answer_state(course.items[item_state.item_id], seen_answers) != "open":
        case = course.errata[course.case_id_by_item_id[item_state.item_id]]
        truth_htmls = text_htmls(course, case.truth)
        consequence_html = text_html(course, case.followed or "")
        reminder_html = text_html(course, case.keep)
    return site.render(
        "reference/_errata_truth.html",
        lines=truth_htmls,
        followed=consequence_html,
        keep=reminder_html,
        is_out_of_band=is_out_of_band,
    )


def case_url(case_id: str) -> str:
    return f"/errata/{case_id}"


def known_case(course: Course, case_id: str) -> Case:
    """A case; NotFound for one that is not there."""
    if case_id not in course.errata:
        raise NotFound("勘误馆里没有这一案。")
    return course.errata[case_id]


def attempt_key_of(course: Course, case_id: str, seed: int) -> AttemptKey:
    """The attempt at the question of a case."""
    known_case(course, case_id)
    item_ref = course.ref(case_item_id(case_id))
    return AttemptKey(source="practice", ref=item_ref, seed=seed)


def url_and_title_of(course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the case that asks an item."""
    case_id = course.case_id_by_item_id.get(attempt_ref)
    if case_id is None:
        return None
    return case_url(case_id), course.errata[case_id].title


ANSWER_CONTEXT = AnswerContext("errata", attempt_key_of, url_and_title_of)
