"""What the template of a movable row of candies is given, and what stands in its address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.items.solutions import dividend_and_divisor_texts
from app.course.learning.steps import ToyStep
from app.course.learning.toys.setting import ToyReading, ToySetting, fields_of_setting, read
from app.course.learning.toys.tasks import Handle, TaskResult, is_allowed, judge
from app.course.text.typed import AddressFields, last_value
from app.engine import NdcgRange, Trace
from app.records.db.errors import NotFound
from app.web.learning.section_position import known_stage_and_section
from app.web.learning.stage_views import section_url
from app.web.site.rendering import line_html, line_htmls, text_html
from app.web.site.requests import small_number_of_text
from app.web.site.site import Site

TOY_PATH = "/play"
TOY_BOARD_PATH = f"{TOY_PATH}/board"
FIRST_ROW = ToySetting(row=[0, 2, 1, 4, 3])
"""The row of the home page: out of order, but not so badly that a minute is too short."""
ALL_HANDLES: frozenset[Handle] = frozenset({"order", "k", "gain", "grade"})
DEFAULT_ROW_NAMES = ("你的这一排", "对面那一排")


class CandyMove(NamedTuple):
    """What a press leads to, for browsers without scripts: a page, or what a button of the form says for it.

    A button takes along what is ticked and set and was not sent yet; where nothing can be, a link is enough.
    """

    url: str
    field_name: str
    field_text: str


@dataclass(frozen=True)
class ToyPlace:
    """Where a toy stands: a page of its own, or a step of a lesson (`step`, in the section `at`).

    `board` answers with the toy alone. `carried_fields`: what the address of the page carries of its items.
    """

    id: str = "row"
    page_url: str = TOY_PATH
    board_url: str = TOY_BOARD_PATH
    start_setting: ToySetting = FIRST_ROW
    handles: frozenset[Handle] = ALL_HANDLES
    step: ToyStep | None = None
    section_ref: str = ""
    carried_fields: tuple[tuple[str, str], ...] = ()

    @property
    def dom_id(self) -> str:
        return f"toy-{self.id}"

    @property
    def form_id(self) -> str:
        """The form that takes along what is typed and set, whatever is pressed."""
        return f"{self.dom_id}-form"

    @property
    def page_fields(self) -> list[tuple[str, str]]:
        """What the address of the page says of the place."""
        if self.step is None:
            return []
        return [("step", self.step.id), ("toy", self.step.id), *self.carried_fields]

    def url(self, toy_setting: ToySetting, more_fields: list[tuple[str, str]] | None = None) -> str:
        """The page that shows a setting."""
        page_fields = [
            *self.page_fields,
            *fields_of_setting(toy_setting, self.start_setting),
            *(more_fields or []),
        ]
        return f"{self.page_url}?{urlencode(page_fields)}#{self.dom_id}"

    def move_for(self, toy_setting: ToySetting, _change: tuple[str, str]) -> CandyMove:
        """The move that leads to a setting of the same length; `_change`: a field that says what is done."""
        return CandyMove(self.url(toy_setting), "to", "-".join(map(str, toy_setting.row)))


def toy_place_in_lesson(stage: Stage, section: Section, toy_step: ToyStep, own_address: str) -> ToyPlace:
    """A toy in its lesson; `own_address` is that of the own content that it belongs to."""
    page_url = section_url(stage, section, own_address)
    handles = frozenset(toy_step.handles)
    if own_address:
        board_url = f"{page_url}/toys/{toy_step.id}"
        return ToyPlace(toy_step.id, page_url, board_url, toy_step.start, handles, toy_step)
    section_ref = f"{stage.id}.{section.id}"
    return ToyPlace(toy_step.id, page_url, TOY_BOARD_PATH, toy_step.start, handles, toy_step, section_ref)


def toy_place_of(course: Course, address_fields: AddressFields) -> ToyPlace:
    """The step of a lesson that the address names: `at=stage.section`, `toy=step`; else the page."""
    if "at" not in address_fields:
        return ToyPlace()
    stage_id, _, section_id = address_fields["at"][-1].partition(".")
    stage, section = known_stage_and_section(course, stage_id, section_id)
    return toy_place_of_step(stage, section, last_value(address_fields, "toy"))


def toy_place_of_step(stage: Stage, section: Section, step_id: str, own_address: str = "") -> ToyPlace:
    """The toy of a section by the id of its step; NotFound where that step is none."""
    step_number = section.step_number_of(step_id)
    if step_number is not None:
        toy_step = section.steps[step_number - 1]
        if isinstance(toy_step, ToyStep):
            return toy_place_in_lesson(stage, section, toy_step, own_address)
    raise NotFound("这一节里没有这排糖。")


def answer_fields(address_fields: AddressFields) -> list[tuple[str, str]]:
    """The guess and 好了, as an address says them."""
    field_names = [field_name for field_name in ("guess", "done") if address_fields.get(field_name)]
    return [(field_name, last_value(address_fields, field_name)[:3]) for field_name in field_names]


def first_lesson_url(course: Course) -> str:
    """Where whoever got there is asked why."""
    first_stage = course.stages[0]
    if not first_stage.sections:
        return "/course"
    return section_url(first_stage, first_stage.sections[0])


class RankBar(NamedTuple):
    """A rank of the row: the bar of its term and the hollow of the ideal, in percent of the tallest."""

    grade: int
    is_counted: bool
    value_text: str
    own_height: float
    ideal_height: float


class CandyView(NamedTuple):
    """A candy with its moves. `is_picked`: it was pressed first."""

    grade: int
    rank: int
    is_counted: bool
    back_move: CandyMove
    forward_move: CandyMove
    press_move: CandyMove | None
    is_picked: bool


class ToyTask(NamedTuple):
    """The guess and the task of a step, and how they stand. `explanation_html`: what it was all about."""

    task_html: Markup
    guess_question_html: Markup
    option_htmls: Sequence[Markup]
    right_option_html: Markup
    explanation_html: Markup
    guessed_number: int | None
    is_guess_right: bool
    result: TaskResult | None


@dataclass(frozen=True)
class ToyView:
    """The context of `learning/_toy.html`, as an address asks for it."""

    place: ToyPlace
    setting: ToySetting
    trace: Trace
    fault_by_field: Mapping[str, str]
    candies: Sequence[CandyView]
    row_names: Sequence[str]
    task: ToyTask | None = None
    is_home: bool = False

    @cached_property
    def range(self) -> NdcgRange:
        return self.setting.range

    @cached_property
    def handles(self) -> list[str]:
        return sorted(self.place.handles)

    @property
    def counted_candy_count(self) -> int:
        """How many candies count."""
        return self.setting.k or len(self.setting.row)

    @property
    def bars(self) -> list[RankBar]:
        return rank_bars(self.setting.row, self.trace)

    @property
    def dividend_and_divisor_texts(self) -> tuple[str, str]:
        """DCG and IDCG, to be divided on paper; `static/modules/toy.js` writes them alike."""
        return dividend_and_divisor_texts(self.trace.dcg, self.trace.idcg, self.trace.ndcg)

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """What the form must say beside its handles."""
        address_fields = [*self.place.page_fields, *fields_of_setting(self.setting, self.place.start_setting)]
        handles_with_fields = self.place.handles & {"k", "gain"}
        return [
            (field_name, field_text)
            for field_name, field_text in address_fields
            if field_name not in handles_with_fields
        ]

    @property
    def restart_url(self) -> str:
        return self.place.url(self.place.start_setting)


def render_toy(site: Site, toy_view: ToyView) -> Markup:
    """The toy in its place."""
    return site.render("learning/_toy.html", toy=toy_view)


def home_toy(course: Course) -> ToyView:
    """The row of the home page, where the order alone is moved."""
    toy_place = ToyPlace("home", handles=frozenset({"order"}))
    toy_view = toy_view_of(course, toy_place, ToyReading(toy_place.start_setting), {})
    return replace(toy_view, is_home=True)


def lesson_toy(
    course: Course, toy_place: ToyPlace, toy_step: ToyStep, address_fields: AddressFields
) -> ToyView:
    """A toy in its lesson, as far as the address speaks of it."""
    if last_value(address_fields, "toy") != toy_step.id:
        address_fields = {}
    toy_reading = read(address_fields, toy_place.start_setting)
    if not is_allowed(toy_place.start_setting, toy_reading.setting, toy_place.handles):
        toy_reading = ToyReading(toy_place.start_setting, toy_reading.fault_by_field)
    return toy_view_of(course, toy_place, toy_reading, address_fields)


def toy_view_of(
    course: Course, toy_place: ToyPlace, toy_reading: ToyReading, address_fields: AddressFields
) -> ToyView:
    """A toy as an address asks for it."""
    toy_setting = toy_reading.setting
    pressed_rank = small_number_of_text(last_value(address_fields, "pick"))
    candies = candies_of(toy_place, toy_setting, pressed_rank)
    toy_view = ToyView(
        toy_place, toy_setting, toy_setting.trace, toy_reading.fault_by_field, candies, DEFAULT_ROW_NAMES
    )
    toy_step = toy_place.step
    if toy_step is None:
        return toy_view
    row_names = line_htmls(course, toy_step.names or DEFAULT_ROW_NAMES)
    return replace(
        toy_view, row_names=row_names, task=toy_task_view(course, toy_step, toy_setting, address_fields)
    )


def rank_bars(grade_row: Sequence[int], trace: Trace) -> list[RankBar]:
    """Rank by rank; what the cut leaves out has no bar."""
    term_values = [term.value for term in trace.terms]
    ideal_values = [term.value for term in trace.ideal_terms]
    tallest_value = max([*term_values, *ideal_values, 1e-9])
    bars_of_ranks = []
    for candy_index, grade in enumerate(grade_row):
        term_value = ideal_value = 0.0
        term_text = "–"
        is_counted = candy_index < len(term_values)
        if is_counted:
            term_value = term_values[candy_index]
            term_text = f"{term_value:.2f}"
        if candy_index < len(ideal_values):
            ideal_value = ideal_values[candy_index]
        own_height = round(100 * term_value / tallest_value, 2)
        ideal_height = round(100 * ideal_value / tallest_value, 2)
        bars_of_ranks.append(RankBar(grade, is_counted, term_text, own_height, ideal_height))
    return bars_of_ranks


def candies_of(toy_place: ToyPlace, toy_setting: ToySetting, pressed_rank: int | None) -> list[CandyView]:
    """The candies of the row; `pressed_rank`: of the one that was pressed first."""
    counted_rank_count = toy_setting.k or len(toy_setting.row)
    candies = []
    for candy_index, grade in enumerate(toy_setting.row):
        rank = candy_index + 1
        back_move = toy_place.move_for(toy_setting.with_move(candy_index, -1), ("move", f"{rank}-{rank - 1}"))
        forward_move = toy_place.move_for(
            toy_setting.with_move(candy_index, 1), ("move", f"{rank}-{rank + 1}")
        )
        candy_move = press_move(toy_place, toy_setting, candy_index, pressed_rank)
        is_picked = rank == pressed_rank
        candies.append(
            CandyView(grade, rank, rank <= counted_rank_count, back_move, forward_move, candy_move, is_picked)
        )
    return candies


def press_move(
    toy_place: ToyPlace, toy_setting: ToySetting, candy_index: int, pressed_rank: int | None
) -> CandyMove | None:
    """What a press on a candy does: it gets sweeter, or changes places with the one pressed before it."""
    if "grade" in toy_place.handles:
        return toy_place.move_for(
            toy_setting.with_sweeter_candy(candy_index), ("sweeten", f"{candy_index + 1}")
        )
    if "swap" not in toy_place.handles:
        return None
    if pressed_rank is None or not 1 <= pressed_rank <= len(toy_setting.row):
        rank_text = str(candy_index + 1)
        return CandyMove(toy_place.url(toy_setting, [("pick", rank_text)]), "pick", rank_text)
    return toy_place.move_for(
        toy_setting.with_swap(pressed_rank - 1, candy_index),
        ("swap", f"{pressed_rank}-{candy_index + 1}"),
    )


def toy_task_view(
    course: Course, toy_step: ToyStep, toy_setting: ToySetting, address_fields: AddressFields
) -> ToyTask:
    """The guess, the task and how it stands."""
    right_option_number = toy_step.guess.right
    guessed_number = small_number_of_text(last_value(address_fields, "guess"))
    task_result = None
    if "done" in address_fields:
        task_result = task_result_of(toy_step, toy_setting, guessed_number)
    option_htmls = line_htmls(course, toy_step.guess.options)
    task_html = line_html(course, toy_step.task.words)
    guess_question_html = line_html(course, toy_step.guess.ask)
    return ToyTask(
        task_html,
        guess_question_html,
        option_htmls,
        right_option_html=option_htmls[right_option_number - 1],
        explanation_html=text_html(course, toy_step.told),
        guessed_number=guessed_number,
        is_guess_right=guessed_number == right_option_number,
        result=task_result,
    )


def task_result_of(toy_step: ToyStep, toy_setting: ToySetting, guessed_number: int | None) -> TaskResult:
    """How the task stands; nothing is said before there is a guess."""
    if guessed_number is None or not 1 <= guessed_number <= len(toy_step.guess.options):
        return TaskResult("wrong", "先猜一个，再按好了：猜错不扣分，猜过才记得牢。")
    return judge(toy_step.task, toy_step.start, toy_setting, frozenset(toy_step.handles))
