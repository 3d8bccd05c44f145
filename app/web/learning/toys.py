"""A movable row of candies: on a page of its own, on the home page, and as a step of a lesson.

Everything stands in the address and nothing is recorded. There is no end of such addresses, so they are kept
in no cache and asked of no crawler.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.learning.steps import ToyStep
from app.course.learning.toys.setting import SWEETEST, Query, ToyReading, ToySetting, read, written
from app.course.learning.toys.tasks import Handle, TaskResult, is_allowed, judge
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.section_position import fields_of, find, number_in
from app.web.learning.stage_views import section_url
from app.web.site.requests import CallerDep, SiteDep
from app.web.site.responses import markup, page
from app.web.site.site import Site

router = APIRouter()
Context = dict[str, Any]

PATH = "/play"
BOARD = f"{PATH}/board"
NOT_FOR_CRAWLERS = {"X-Robots-Tag": "noindex, nofollow"}
FIRST_ROW = ToySetting(row=[0, 2, 1, 4, 3])
"""The row of the home page: out of order, but not so badly that a minute is too short."""
ALL_HANDLES: frozenset[Handle] = frozenset({"order", "k", "gain", "grade"})
DEFAULT_NAMES = ("你的这一排", "对面那一排")
ROBOTS = """User-agent: *
Disallow: /play
Disallow: /workbench
Disallow: /*?*toy=
Disallow: /*?*lab=
"""


@router.get(PATH)
async def show(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """The row of the address, with every handle."""
    query = fields_of(request)
    place = ToyPlace()
    reading = read(query, place.start)
    learner_id = await site.db.read(learners.load_visitor, caller)
    response = page(
        request,
        "learning/toy",
        signed_in=learner_id is not None,
        status=422 if reading.faults else 200,
        page="toy",
        title="一排能动的糖",
        toy_html=render_toy(site, view(site.course, place, reading, query)),
        start_url=first_lesson(site.course),
    )
    response.headers.update(NOT_FOR_CRAWLERS)
    return response


@router.get(BOARD)
async def board(request: Request, site: SiteDep) -> Response:
    """The toy alone, for htmx, which keeps in the address bar the page that shows the same."""
    query = fields_of(request)
    place = place_of(site.course, query)
    reading = read(query, place.start)
    html = render_toy(site, view(site.course, place, reading, query))
    status = 422 if reading.faults else 200
    headers = {"HX-Replace-Url": place.url(reading.setting, answer_fields(query)), **NOT_FOR_CRAWLERS}
    return HTMLResponse(html, status, headers)


@router.get("/robots.txt")
async def robots() -> Response:
    """Where crawlers would never come to an end."""
    return PlainTextResponse(ROBOTS)


@dataclass(frozen=True)
class ToyPlace:
    """Where a toy stands: a page of its own, or a step of a lesson (`step`, in the section `at`)."""

    id: str = "row"
    page: str = PATH
    start: ToySetting = FIRST_ROW
    handles: frozenset[Handle] = ALL_HANDLES
    step: ToyStep | None = None
    at: str = ""

    @property
    def dom_id(self) -> str:
        return f"toy-{self.id}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What the address of the page says of the place."""
        if self.step is None:
            return []
        return [("step", self.step.id), ("toy", self.step.id)]

    def url(self, setting: ToySetting, more: list[tuple[str, str]] | None = None) -> str:
        """The page that shows a setting."""
        fields = [*self.fields, *written(setting, self.start), *(more or [])]
        return f"{self.page}?{urlencode(fields)}#{self.dom_id}"


def step_place(stage: Stage, section: Section, step: ToyStep) -> ToyPlace:
    """A toy in its lesson."""
    return ToyPlace(
        step.id,
        section_url(stage, section),
        step.start,
        frozenset(step.handles),
        step,
        f"{stage.id}.{section.id}",
    )


def place_of(course: Course, query: Query) -> ToyPlace:
    """The step of a lesson that the address names: `at=stage.section`, `toy=step`; else the page."""
    if "at" not in query:
        return ToyPlace()
    stage_id, _, section_id = query["at"][-1].partition(".")
    stage, section = find(course, stage_id, section_id)
    number = section.number_of(query.get("toy", [""])[-1])
    if number is not None:
        step = section.steps[number - 1]
        if isinstance(step, ToyStep):
            return step_place(stage, section, step)
    raise NotFound("这一节里没有这排糖。")


def answer_fields(query: Query) -> list[tuple[str, str]]:
    """The guess and 好了, as an address says them."""
    return [(name, query[name][-1][:3]) for name in ("guess", "done") if query.get(name)]


def render_toy(site: Site, toy: Context) -> Markup:
    """The toy in its place."""
    return site.render("learning/_toy.html", toy=toy)


def first_lesson(course: Course) -> str:
    """Where whoever got there is asked why."""
    first = course.stages[0]
    if not first.sections:
        return "/course"
    return section_url(first, first.sections[0])


def home_toy(course: Course) -> Context:
    """The row of the home page, where the order alone is moved."""
    place = ToyPlace("home", handles=frozenset({"order"}))
    toy = view(course, place, ToyReading(place.start), {})
    return {**toy, "home": True}


def view(course: Course, place: ToyPlace, reading: ToyReading, query: Query) -> Context:
    """The context of `learning/_toy.html`, as an address asks for it."""
    setting = reading.setting
    first_pressed = number_in(query.get("pick", [""])[-1])
    return {
        "place": place,
        "home": False,
        "setting": setting,
        "trace": setting.trace,
        "range": setting.range,
        "faults": reading.faults,
        "slots": slots_of(setting),
        "candies": candies_of(place, setting, first_pressed),
        "handles": sorted(place.handles),
        "depth": setting.k or len(setting.row),
        "smaller_k": place.url(with_k(setting, -1)),
        "larger_k": place.url(with_k(setting, 1)),
        "hidden": hidden_fields(place, setting),
        "again": place.url(place.start),
        "sweetest": SWEETEST,
        **task_view(course, place, setting, query),
    }


def with_k(setting: ToySetting, by: int) -> ToySetting:
    """With the cut one rank further; at an end it stays."""
    depth = min(max(1, (setting.k or len(setting.row)) + by), len(setting.row))
    return setting.model_copy(update={"k": depth})


def hidden_fields(place: ToyPlace, setting: ToySetting) -> dict[str, str]:
    """What the form must say beside its handles."""
    fields = dict([*place.fields, *written(setting, place.start)])
    for handle in ("k", "gain"):
        if handle in place.handles:
            fields.pop(handle, None)
    return fields


def slots_of(setting: ToySetting) -> list[Context]:
    """Rank by rank: the bar of the term, the hollow of the ideal, in percent of the tallest."""
    trace = setting.trace
    values = [term.value for term in (*trace.terms, *trace.ideal_terms)]
    tallest = max([*values, 1e-9])
    slots = []
    for index, grade in enumerate(setting.row):
        own = ideal = 0.0
        if index < len(trace.terms):
            own = trace.terms[index].value
        if index < len(trace.ideal_terms):
            ideal = trace.ideal_terms[index].value
        is_counted = index < len(trace.terms)
        slots.append(
            {
                "grade": grade,
                "counted": is_counted,
                "value": f"{own:.2f}" if is_counted else "–",
                "own": round(100 * own / tallest, 2),
                "ideal": round(100 * ideal / tallest, 2),
            }
        )
    return slots


def candies_of(place: ToyPlace, setting: ToySetting, first_pressed: int | None) -> list[Context]:
    """The candies with the links that move them, for browsers without scripts."""
    candies = []
    for index, grade in enumerate(setting.row):
        candies.append(
            {
                "grade": grade,
                "rank": index + 1,
                "counted": index < (setting.k or len(setting.row)),
                "back": place.url(setting.moved(index, -1)),
                "on": place.url(setting.moved(index, 1)),
                "press": press_url(place, setting, index, first_pressed),
                "picked": first_pressed == index + 1,
            }
        )
    return candies


def press_url(place: ToyPlace, setting: ToySetting, index: int, first_pressed: int | None) -> str:
    """Where a press on a candy leads: sweeter, or exchanged with the one that was pressed first."""
    if "grade" in place.handles:
        return place.url(setting.sweetened(index))
    if "swap" not in place.handles:
        return ""
    if first_pressed is None or not 1 <= first_pressed <= len(setting.row):
        return place.url(setting, [("pick", str(index + 1))])
    return place.url(setting.swapped(first_pressed - 1, index))


def task_view(course: Course, place: ToyPlace, setting: ToySetting, query: Query) -> Context:
    """The guess, the task and how it stands, where there is one."""
    step = place.step
    if step is None:
        return {"task": None, "names": DEFAULT_NAMES}
    guess = number_in(query.get("guess", [""])[-1])
    result = None
    if "done" in query:
        result = result_of(step, setting, guess)
    return {
        "task": markup(course.line(step.task.words)),
        "ask": markup(course.line(step.guess.ask)),
        "options": [markup(course.line(option)) for option in step.guess.options],
        "guess": guess,
        "right_guess": markup(course.line(step.guess.options[step.guess.right - 1])),
        "guessed_right": guess == step.guess.right,
        "names": [markup(course.line(name)) for name in step.names or DEFAULT_NAMES],
        "result": result,
        "told": markup(course.html(step.told)),
    }


def result_of(step: ToyStep, setting: ToySetting, guess: int | None) -> TaskResult:
    """How the task stands; nothing is said before there is a guess."""
    if guess is None or not 1 <= guess <= len(step.guess.options):
        return TaskResult("wrong", "先猜一个，再按好了：猜错不扣分，猜过才记得牢。")
    return judge(step.task, step.start, setting, frozenset(step.handles))


def lesson_toy(course: Course, stage: Stage, section: Section, step: ToyStep, query: Query) -> Context:
    """A toy in its lesson, as far as the address speaks of it."""
    place = step_place(stage, section, step)
    if query.get("toy", [""])[-1] != step.id:
        query = {}
    reading = read(query, place.start)
    if not is_allowed(place.start, reading.setting, place.handles):
        reading = ToyReading(place.start, reading.faults)
    return view(course, place, reading, query)
