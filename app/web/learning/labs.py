"""Labs: pages to play with, and what their template is given.

Everything stands in the address, and nothing is recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.learning.labs import drawings, lambdarank
from app.course.learning.labs.lambdarank import MOST_STEPS, LabReading, LabSetting
from app.course.learning.labs.walk import DocumentPair, Walk
from app.course.learning.steps import Lab
from app.course.text.model_base import NAME_BY_GAIN
from app.course.text.typed import AddressFields, last_value
from app.engine.pairwise.descent import DescentState
from app.records.db.errors import NotFound
from app.web.items.typed_answers import answer_fields_of_address
from app.web.learning.section_position import known_stage_and_section
from app.web.learning.stage_views import section_url
from app.web.site.rendering import markup
from app.web.site.requests import RequestDep, small_number_of_text
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
LAB_PATH = "/labs/lambdarank"
LAB_BOARD_PATH = f"{LAB_PATH}/board"
LABEL_BY_FIELD = {
    "weight": "看哪一路",
    "gain": "增益",
    "k": "截断k",
    "sigma": "σ：有多较真",
    "rate": "学习率：一步多大",
    "fair": "两路怎么比",
}
OPTIONS_BY_FIELD: dict[str, tuple[str, ...]] = {
    "weight": tuple(lambdarank.WORDS_BY_WEIGHT),
    "gain": ("exponential", "linear"),
    "k": ("all", "3", "2", "1"),
    "sigma": ("0.5", "1", "2", "4"),
    "rate": ("0.1", "0.25", "0.5", "1", "2"),
    "fair": tuple(lambdarank.WORDS_BY_FAIRNESS),
}
OPTION_LABELS_BY_FIELD = {
    "weight": {"ndcg": "LambdaRank：乘上|ΔNDCG|", "none": "只看成对：不乘（RankNet）"},
    "gain": NAME_BY_GAIN,
    "k": {"all": "全部"},
    "fair": lambdarank.WORDS_BY_FAIRNESS,
}


@router.get(LAB_PATH)
async def show(request: RequestDep) -> Response:
    """LambdaRank一步一步, on a page of its own."""
    address_fields = request.address_fields
    lab_reading = lambdarank.read(address_fields, LabSetting())
    lab_view = lab_view_of(LabPlace(), lab_reading, address_fields)
    return request.page(
        "learning/lab",
        is_signed_in=await request.is_signed_in(),
        status=status_of(lab_reading),
        page="lab",
        title="LambdaRank一步一步",
        lab_html=render_lab(request.site, lab_view),
    )


@router.get(LAB_BOARD_PATH)
async def show_board(request: RequestDep) -> Response:
    """The lab alone, for htmx, which keeps in the address bar the page that shows the same."""
    site, address_fields = request.site, request.address_fields
    board_place = lab_place_of(site.course, address_fields)
    lab_reading = lambdarank.read(address_fields, board_place.start)
    lab_view = lab_view_of(board_place, lab_reading, address_fields)
    board_html = render_lab(site, lab_view) + render_words(site, lab_view)
    board_url = board_place.url(lab_reading.setting)
    return HTMLResponse(board_html, status_of(lab_reading), {"HX-Push-Url": board_url})


def status_of(lab_reading: LabReading) -> int:
    """422 where a field of the address cannot be read."""
    if lab_reading.fault_by_field:
        return 422
    return 200


@dataclass(frozen=True)
class LabPlace:
    """Where a lab stands: a page of its own, or a step of a lesson.

    `page_fields` say so in the address of the page, `fragment_fields` in that of the fragment.
    """

    id: str = "lambdarank"
    page_url: str = LAB_PATH
    start: LabSetting = field(default_factory=LabSetting)
    page_fields: tuple[tuple[str, str], ...] = ()
    fragment_fields: tuple[tuple[str, str], ...] = ()

    def url(self, lab_setting: LabSetting) -> str:
        """The page that shows this setting."""
        setting_fields = lambdarank.fields_of_setting(lab_setting, self.start)
        return _url_with_fields(self.page_url, [*self.page_fields, *setting_fields])

    @property
    def dom_id(self) -> str:
        return f"lab-{self.id}"


def _url_with_fields(page_path: str, setting_fields: Sequence[tuple[str, str]]) -> str:
    if not setting_fields:
        return page_path
    return f"{page_path}?{urlencode(setting_fields)}"


def lab_place_of(course: Course, address_fields: AddressFields) -> LabPlace:
    """The step of a lesson that the address names: `at=stage.section`, `lab=step`; else the page."""
    if "at" not in address_fields:
        return LabPlace()
    stage_id, _, section_id = address_fields["at"][-1].partition(".")
    stage, section = known_stage_and_section(course, stage_id, section_id)
    open_step_count = small_number_of_text(last_value(address_fields, "step"))
    if open_step_count is None:
        open_step_count = 1
    lab_id = last_value(address_fields, "lab")
    for step in section.steps:
        if isinstance(step, Lab) and step.id == lab_id:
            carried_fields = answer_fields_of_address(address_fields)
            return lab_place(stage, section, step, open_step_count, carried_fields)
    raise NotFound("这一节里没有这个实验。")


def lab_place(
    stage: Stage,
    section: Section,
    lab: Lab,
    open_step_count: int,
    carried_fields: Sequence[tuple[str, str]],
) -> LabPlace:
    """A lab in its lesson, of which so many steps are open; `carried_fields`: what the address of the page
    carries of its items."""
    page_fields = (("step", f"{open_step_count}"), ("lab", lab.id), *carried_fields)
    fragment_fields = (("at", f"{stage.id}.{section.id}"),)
    page_url = section_url(stage, section)
    return LabPlace(lab.id, page_url, lab.start, page_fields, fragment_fields)


class LabMove(NamedTuple):
    """Where one can go from here: to the state after so many steps."""

    name: str
    label: str
    step_count: int


class LabSelect(NamedTuple):
    """A setting that is chosen from a list; `options_with_labels`: as addresses carry them."""

    name: str
    label: str
    options_with_labels: Sequence[tuple[str, str]]
    current_text: str
    is_wide: bool


class LabCandy(NamedTuple):
    """A document to change; `is_unreadable`: its score cannot be read."""

    name: str
    grade: int
    typed_score_text: str
    is_unreadable: bool


@dataclass(frozen=True)
class LabView:
    """The context of `learning/_lambdarank_lab.html`, as an address asks for it."""

    place: LabPlace
    walk: Walk
    fault_by_field: Mapping[str, str]
    candies: Sequence[LabCandy]
    score_text = staticmethod(drawings.score_text)
    signed_text = staticmethod(drawings.signed_force_text)
    highest_grade = lambdarank.HIGHEST_GRADE

    @property
    def is_alone(self) -> bool:
        """Whether it has a page of its own."""
        return self.place.page_url == LAB_PATH

    @property
    def moves(self) -> list[LabMove]:
        """Where one can go from here; at an end a move stays where it is, so that no focus is lost."""
        walked_step_count = self.walk.setting.steps
        return [
            LabMove("on", "走一步", min(walked_step_count + 1, MOST_STEPS)),
            LabMove("far", "走十步", min(walked_step_count + 10, MOST_STEPS)),
            LabMove("back", "退一步", max(0, walked_step_count - 1)),
            LabMove("again", "从头来", 0),
        ]

    @property
    def ndcg_line_svg(self) -> Markup:
        """The NDCG of both ways, step by step."""
        return markup(drawings.ndcg_line_svg(self.walk))

    @property
    def documents_svg(self) -> Markup:
        return markup(drawings.documents_svg(self.walk))

    @cached_property
    def pairs(self) -> Sequence[DocumentPair]:
        """The pairs, the strongest force first."""
        return sorted(self.walk.present_state.pairs, key=lambda pair: -pair.force)

    @cached_property
    def ways(self) -> Sequence[tuple[str, float, Sequence[DescentState]]]:
        """Both ways: name, learning rate, and the states after each step."""
        weighted_states, pairwise_states = self.walk.states_of_both_ways
        weighted_rate = self.walk.setting.rate
        pairwise_rate = self.walk.pairwise_rate
        words_by_weight = lambdarank.WORDS_BY_WEIGHT
        return (words_by_weight["ndcg"], weighted_rate, weighted_states), (
            words_by_weight["none"],
            pairwise_rate,
            pairwise_states,
        )

    @property
    def board_url(self) -> str:
        return _url_with_fields(LAB_BOARD_PATH, self.place.fragment_fields)

    @property
    def select_fields(self) -> list[LabSelect]:
        return [_select_view(field_name, self.walk.setting) for field_name in OPTIONS_BY_FIELD]


def render_lab(site: Site, lab_view: LabView) -> Markup:
    """The lab in its place."""
    return site.render("learning/_lambdarank_lab.html", lab=lab_view)


def render_words(site: Site, lab_view: LabView) -> Markup:
    """What is read aloud when the lab has changed."""
    return site.render("learning/_lab_words.html", lab=lab_view)


def lab_view_of(lab_place: LabPlace, lab_reading: LabReading, address_fields: AddressFields) -> LabView:
    """A lab as an address asks for it."""
    return LabView(
        lab_place,
        Walk(lab_reading.setting),
        lab_reading.fault_by_field,
        _candies(lab_reading, address_fields),
    )


def _select_view(field_name: str, lab_setting: LabSetting) -> LabSelect:
    current_text = lambdarank.texts_of_field(lab_setting, field_name)[0]
    option_texts = list(OPTIONS_BY_FIELD[field_name])
    if current_text not in option_texts:
        option_texts.append(current_text)
    label_by_option_text = OPTION_LABELS_BY_FIELD.get(field_name, {})
    options_with_labels = [
        (option_text, label_by_option_text.get(option_text, option_text)) for option_text in option_texts
    ]
    return LabSelect(
        field_name,
        LABEL_BY_FIELD[field_name],
        options_with_labels,
        current_text,
        is_wide=field_name in ("weight", "fair"),
    )


def _candies(lab_reading: LabReading, address_fields: AddressFields) -> list[LabCandy]:
    """The documents to change; what was typed and could not be read stays."""
    lab_setting = lab_reading.setting
    typed_score_texts = address_fields.get("scores", ())
    score_texts = lambdarank.texts_of_field(lab_setting, "scores")
    if "scores" in lab_reading.fault_by_field and len(typed_score_texts) == len(score_texts):
        score_texts = [typed_text[:20] for typed_text in typed_score_texts]
    candies = []
    for letter, grade, score_text in zip(lab_setting.names, lab_setting.grades, score_texts, strict=True):
        is_unreadable = not lambdarank.is_score(score_text)
        candies.append(LabCandy(letter, grade, score_text, is_unreadable))
    return candies
