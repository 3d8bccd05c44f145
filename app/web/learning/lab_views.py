"""A lab as a reader sees it: everything on it follows from the address."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app.course import Stage
from app.course.content.model import Section
from app.course.learning.labs import drawings
from app.course.learning.labs import lambdarank as lambdarank_lab
from app.course.learning.labs.lambdarank import MOST_STEPS, Query, Reading, Setting
from app.course.learning.labs.walk import Walk
from app.course.learning.steps import Lab
from app.engine import lambdarank
from app.web.learning.stage_views import section_url
from app.web.site.responses import markup
from app.web.site.site import Site

PATH = "/labs/lambdarank"
BOARD = f"{PATH}/board"
LABELS = {
    "weight": "看哪一路",
    "gain": "增益",
    "k": "截断k",
    "sigma": "σ：有多较真",
    "rate": "学习率：一步多大",
    "fair": "两路怎么比",
}
OFFERED: dict[str, tuple[str, ...]] = {
    "weight": tuple(lambdarank_lab.WEIGHTS),
    "gain": tuple(lambdarank_lab.GAINS),
    "k": ("all", "3", "2", "1"),
    "sigma": ("0.5", "1", "2", "4"),
    "rate": ("0.1", "0.25", "0.5", "1", "2"),
    "fair": tuple(lambdarank_lab.FAIRS),
}
NAMED = {
    "weight": {"ndcg": "LambdaRank：乘上|ΔNDCG|", "none": "只看成对：不乘（RankNet）"},
    "gain": lambdarank_lab.GAINS,
    "k": {"all": "全部"},
    "fair": lambdarank_lab.FAIRS,
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
        return _with(self.page, [*self.fields, *lambdarank_lab.written(setting, self.start)])

    def board(self, setting: Setting) -> str:
        """The fragment that shows it."""
        return _with(BOARD, [*self.more, *self.fields, *lambdarank_lab.written(setting, self.start)])

    @property
    def dom_id(self) -> str:
        return f"lab-{self.id}"


def _with(path: str, fields: Sequence[tuple[str, str]]) -> str:
    return f"{path}?{urlencode(fields)}" if fields else path


def lab_place(stage: Stage, section: Section, step: Lab, shown: int) -> LabPlace:
    """A lab in its lesson, of which `shown` steps are open."""
    fields = (("step", f"{shown}"), ("lab", step.id))
    more = (("at", f"{stage.id}.{section.id}"),)
    return LabPlace(step.id, section_url(stage, section), step.start, fields, more)


def render_lab(site: Site, place: LabPlace, query: Query) -> Markup:
    """The lab in its place, as an address asks for it."""
    return site.render(
        "learning/_lambdarank_lab.html", lab=view(place, lambdarank_lab.read(query, place.start), query)
    )


def render_board(site: Site, place: LabPlace, reading: Reading, query: Query) -> Markup:
    """The lab, and what is read aloud when it has changed."""
    lab = view(place, reading, query)
    return site.render("learning/_lambdarank_lab.html", lab=lab) + site.render(
        "learning/_lab_words.html", lab=lab
    )


def view(place: LabPlace, reading: Reading, query: Query) -> dict[str, Any]:
    """The context of `learning/_lambdarank_lab.html`."""
    walk, setting = Walk(reading.setting), reading.setting
    return {
        "dom_id": place.dom_id,
        "alone": place.page == PATH,
        "convention": setting.convention,
        "faults": list(reading.faults.values()),
        "measure": walk.measure,
        "ndcg": f"{walk.now.ndcg:.3f}",
        "steps": setting.steps,
        "moves": _moves(place, setting),
        "words": walk.words(),
        "mood": walk.mood,
        "line": markup(drawings.ndcg_line(walk)),
        "documents_svg": markup(drawings.documents(walk)),
        "documents": [_document(walk, at) for at in walk.ranking],
        "pairs": _pairs(walk),
        "weighted": setting.weight == "ndcg",
        "ways": _ways(walk),
        "history": _history(walk),
        "form": _form(place, reading, query),
    }


def _moves(place: LabPlace, setting: Setting) -> list[dict[str, Any]]:
    """Where one can go from here; at an end a move stays where it is, so that no focus is lost."""
    now = setting.steps
    ways = (("on", "走一步", now + 1), ("far", "走十步", now + 10), ("back", "退一步", now - 1))
    return [_move(place, setting, *way) for way in (*ways, ("again", "从头来", 0))]


def _move(place: LabPlace, setting: Setting, name: str, label: str, steps: int) -> dict[str, Any]:
    there = setting.model_copy(update={"steps": min(max(0, steps), MOST_STEPS)})
    anchor = "" if place.page == PATH else f"#{place.dom_id}"
    return {"name": name, "label": label, "url": place.url(there) + anchor, "board": place.board(there)}


def _document(walk: Walk, at: int) -> dict[str, Any]:
    setting, now = walk.setting, walk.now
    return {
        "rank": now.ranks[at],
        "name": setting.names[at],
        "grade": f"{setting.grades[at]}",
        "score": drawings.plain(now.scores[at]),
        "force": drawings.signed(-now.grad[at]),
        "next": drawings.plain(walk.ahead[setting.steps + 1].scores[at]),
    }


def _pairs(walk: Walk) -> list[dict[str, Any]]:
    """Every pair, the one that pushes most first; the bar is its force beside the largest."""
    strongest = max((pair.force for pair in walk.now.pairs), default=0.0) or 1.0
    ordered = sorted(walk.now.pairs, key=lambda pair: -pair.force)
    return [_pair(walk, pair, strongest) for pair in ordered]


def _pair(walk: Walk, pair: lambdarank.DocumentPair, strongest: float) -> dict[str, Any]:
    setting, ranks = walk.setting, walk.now.ranks
    return {
        "better": setting.names[pair.better],
        "better_grade": f"{setting.grades[pair.better]}",
        "worse": setting.names[pair.worse],
        "worse_grade": f"{setting.grades[pair.worse]}",
        "right": ranks[pair.better] < ranks[pair.worse],
        "rho": f"{pair.rho:.3f}",
        "delta": f"{pair.delta_ndcg:.3f}",
        "force": f"{pair.force:.3f}",
        "bar": round(100 * pair.force / strongest),
    }


def _ways(walk: Walk) -> list[dict[str, str]]:
    """The two ways side by side, after as many steps."""
    chosen = walk.setting.weight
    values = {chosen: walk.now.ndcg, "none" if chosen == "ndcg" else "ndcg": walk.other[-1].ndcg}
    rates = {"ndcg": walk.setting.rate, "none": walk.pairwise_rate}
    return [
        {"name": name, "rate": f"{rates[weight]:.3g}", "ndcg": f"{values[weight]:.3f}"}
        for weight, name in lambdarank_lab.WEIGHTS.items()
    ]


def _history(walk: Walk) -> list[tuple[int, str, str]]:
    """NDCG after each step: LambdaRank, pairs alone."""
    own, other = ([f"{state.ndcg:.3f}" for state in states] for states in (walk.so_far, walk.other))
    both = (own, other) if walk.setting.weight == "ndcg" else (other, own)
    return [(step, *values) for step, values in enumerate(zip(*both, strict=True))]


def _form(place: LabPlace, reading: Reading, query: Query) -> dict[str, Any]:
    setting = reading.setting
    return {
        "action": place.page,
        "board": _with(BOARD, place.more),
        "hidden": {**dict(place.fields), "steps": f"{setting.steps}"},
        "selects": [_select(name, setting) for name in OFFERED],
        "grades": [f"{grade}" for grade in range(lambdarank_lab.HIGHEST_GRADE + 1)],
        "documents": _rows(reading, query),
        "bad_scores": "scores" in reading.faults,
    }


def _select(name: str, setting: Setting) -> dict[str, Any]:
    chosen = lambdarank_lab.texts(setting, name)[0]
    offered = [*OFFERED[name], *([] if chosen in OFFERED[name] else [chosen])]
    named = NAMED.get(name, {})
    options = [(value, named.get(value, value)) for value in offered]
    wide = name in ("weight", "fair")
    return {"name": name, "label": LABELS[name], "options": options, "chosen": chosen, "wide": wide}


def _rows(reading: Reading, query: Query) -> list[dict[str, Any]]:
    """The documents to change; what was typed and could not be read stays."""
    setting, typed = reading.setting, query.get("scores", ())
    scores = lambdarank_lab.texts(setting, "scores")
    if "scores" in reading.faults and len(typed) == len(scores):
        scores = [text[:20] for text in typed]
    grades = lambdarank_lab.texts(setting, "grades")
    return [
        {"name": name, "grade": grade, "score": score, "bad": not lambdarank_lab.is_score(score)}
        for name, grade, score in zip(setting.names, grades, scores, strict=True)
    ]
