"""Labs: pages to play with. Everything stands in the address, and nothing is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.learning.labs import drawings, lambdarank
from app.course.learning.labs.lambdarank import MOST_STEPS, Query, Reading, Setting
from app.course.learning.labs.walk import Walk
from app.course.learning.steps import Lab
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.section_position import fields_of, find, number_in
from app.web.learning.stage_views import section_url
from app.web.site.requests import CallerDep, SiteDep
from app.web.site.responses import markup, page
from app.web.site.site import Site

router = APIRouter()
Context = dict[str, Any]

PATH = "/labs/lambdarank"
BOARD = f"{PATH}/board"


@router.get(PATH)
async def show(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """LambdaRank一步一步, on a page of its own."""
    query = fields_of(request)
    place = LabPlace()
    reading = lambdarank.read(query, place.start)
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/lab",
        signed_in=learner_id is not None,
        status=422 if reading.faults else 200,
        page="lab",
        title="LambdaRank一步一步",
        lab_html=render_lab(site, view(place, reading, query)),
    )


@router.get(BOARD)
async def board(request: Request, site: SiteDep) -> Response:
    """The lab alone, for htmx, which keeps in the address bar the page that shows the same."""
    query = fields_of(request)
    place = place_of(site.course, query)
    reading = lambdarank.read(query, place.start)
    lab = view(place, reading, query)
    html = render_lab(site, lab) + render_words(site, lab)
    status = 422 if reading.faults else 200
    return HTMLResponse(html, status, {"HX-Push-Url": place.url(reading.setting)})


def place_of(course: Course, query: Query) -> "LabPlace":
    """The step of a lesson that the address names: `at=stage.section`, `lab=step`; else the page."""
    if "at" not in query:
        return LabPlace()
    stage_id, _, section_id = query["at"][-1].partition(".")
    stage, section = find(course, stage_id, section_id)
    step_number = number_in(query.get("step", ["1"])[-1])
    if step_number is None:
        step_number = 1
    lab_id = query.get("lab", [""])[-1]
    for step in section.steps:
        if isinstance(step, Lab) and step.id == lab_id:
            return lab_place(stage, section, step, step_number)
    raise NotFound("这一节里没有这个实验。")


LABELS = {
    "weight": "看哪一路",
    "gain": "增益",
    "k": "截断k",
    "sigma": "σ：有多较真",
    "rate": "学习率：一步多大",
    "fair": "两路怎么比",
}
OFFERED: dict[str, tuple[str, ...]] = {
    "weight": tuple(lambdarank.WEIGHTS),
    "gain": tuple(lambdarank.GAINS),
    "k": ("all", "3", "2", "1"),
    "sigma": ("0.5", "1", "2", "4"),
    "rate": ("0.1", "0.25", "0.5", "1", "2"),
    "fair": tuple(lambdarank.FAIRS),
}
NAMED = {
    "weight": {"ndcg": "LambdaRank：乘上|ΔNDCG|", "none": "只看成对：不乘（RankNet）"},
    "gain": lambdarank.GAINS,
    "k": {"all": "全部"},
    "fair": lambdarank.FAIRS,
}


@dataclass(frozen=True)
class LabPlace:
    """Where a lab stands: a page of its own, or a step of a lesson.

    `fields` say so in the address of the page, `more` in that of the fragment.
    """

    id: str = "lambdarank"
    page: str = PATH
    start: Setting = field(default_factory=Setting)
    fields: tuple[tuple[str, str], ...] = ()
    more: tuple[tuple[str, str], ...] = ()

    def url(self, setting: Setting) -> str:
        """The page that shows this setting."""
        return _address(self.page, [*self.fields, *lambdarank.written(setting, self.start)])

    def board(self, setting: Setting) -> str:
        """The fragment that shows it."""
        return _address(BOARD, [*self.more, *self.fields, *lambdarank.written(setting, self.start)])

    @property
    def dom_id(self) -> str:
        return f"lab-{self.id}"


def _address(path: str, fields: Sequence[tuple[str, str]]) -> str:
    if not fields:
        return path
    return f"{path}?{urlencode(fields)}"


def lab_place(stage: Stage, section: Section, step: Lab, steps_open: int) -> LabPlace:
    """A lab in its lesson, of which `steps_open` steps are open."""
    return LabPlace(
        step.id,
        section_url(stage, section),
        step.start,
        fields=(("step", f"{steps_open}"), ("lab", step.id)),
        more=(("at", f"{stage.id}.{section.id}"),),
    )


def render_lab(site: Site, lab: Context) -> Markup:
    """The lab in its place."""
    return site.render("learning/_lambdarank_lab.html", lab=lab)


def render_words(site: Site, lab: Context) -> Markup:
    """What is read aloud when the lab has changed."""
    return site.render("learning/_lab_words.html", lab=lab)


def view(place: LabPlace, reading: Reading, query: Query) -> Context:
    """The context of `learning/_lambdarank_lab.html`, as an address asks for it."""
    setting = reading.setting
    walk = Walk(setting)
    weighted, pairwise = walk.both
    return {
        "place": place,
        "alone": place.page == PATH,
        "walk": walk,
        "faults": reading.faults,
        "moves": _moves(place, setting),
        "line": markup(drawings.ndcg_line(walk)),
        "documents_svg": markup(drawings.documents(walk)),
        "plain": drawings.plain,
        "signed": drawings.signed,
        "pairs": sorted(walk.now.pairs, key=lambda pair: -pair.force),
        "ways": [
            (lambdarank.WEIGHTS["ndcg"], setting.rate, weighted),
            (lambdarank.WEIGHTS["none"], walk.pairwise_rate, pairwise),
        ],
        "board": _address(BOARD, place.more),
        "hidden": {**dict(place.fields), "steps": setting.steps},
        "selects": [_select(name, setting) for name in OFFERED],
        "highest_grade": lambdarank.HIGHEST_GRADE,
        "candies": _candies(reading, query),
    }


def _moves(place: LabPlace, setting: Setting) -> list[Context]:
    """Where one can go from here; at an end a move stays where it is, so that no focus is lost."""
    steps = setting.steps
    return [
        _move(place, setting, "on", "走一步", steps + 1),
        _move(place, setting, "far", "走十步", steps + 10),
        _move(place, setting, "back", "退一步", steps - 1),
        _move(place, setting, "again", "从头来", 0),
    ]


def _move(place: LabPlace, setting: Setting, name: str, label: str, steps: int) -> Context:
    moved = setting.model_copy(update={"steps": min(max(0, steps), MOST_STEPS)})
    url = place.url(moved)
    if place.page != PATH:
        url += f"#{place.dom_id}"
    return {"name": name, "label": label, "url": url, "board": place.board(moved)}


def _select(name: str, setting: Setting) -> Context:
    current = lambdarank.texts(setting, name)[0]
    values = list(OFFERED[name])
    if current not in values:
        values.append(current)
    labels = NAMED.get(name, {})
    return {
        "name": name,
        "label": LABELS[name],
        "options": [(value, labels.get(value, value)) for value in values],
        "current": current,
        "wide": name in ("weight", "fair"),
    }


def _candies(reading: Reading, query: Query) -> list[Context]:
    """The documents to change; what was typed and could not be read stays."""
    setting = reading.setting
    typed = query.get("scores", ())
    scores = lambdarank.texts(setting, "scores")
    if "scores" in reading.faults and len(typed) == len(scores):
        scores = [text[:20] for text in typed]
    candies = []
    for name, grade, score in zip(setting.names, setting.grades, scores, strict=True):
        is_bad = not lambdarank.is_score(score)
        candies.append({"name": name, "grade": grade, "score": score, "bad": is_bad})
    return candies
