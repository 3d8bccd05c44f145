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

Context = dict[str, Any]

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
        return _address(self.page, [*self.fields, *lambdarank_lab.written(setting, self.start)])

    def board(self, setting: Setting) -> str:
        """The fragment that shows it."""
        return _address(BOARD, [*self.more, *self.fields, *lambdarank_lab.written(setting, self.start)])

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
        "documents": [_document(walk, index) for index in walk.ranking],
        "pairs": _pairs(walk),
        "weighted": setting.weight == "ndcg",
        "ways": _ways(walk),
        "history": _history(walk),
        "form": _form(place, reading, query),
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


def _document(walk: Walk, index: int) -> Context:
    setting = walk.setting
    now = walk.now
    return {
        "rank": now.ranks[index],
        "name": setting.names[index],
        "grade": f"{setting.grades[index]}",
        "score": drawings.plain(now.scores[index]),
        "force": drawings.signed(-now.grad[index]),
        "next": drawings.plain(walk.ahead[setting.steps + 1].scores[index]),
    }


def _pairs(walk: Walk) -> list[Context]:
    """Every pair, the one that pushes most first; the bar is its force beside the largest."""
    pairs = sorted(walk.now.pairs, key=lambda pair: -pair.force)
    return [_pair(walk, pair, pairs[0].force or 1.0) for pair in pairs]


def _pair(walk: Walk, pair: lambdarank.DocumentPair, strongest: float) -> Context:
    setting = walk.setting
    ranks = walk.now.ranks
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


def _ways(walk: Walk) -> list[Context]:
    """The two ways side by side, after as many steps."""
    weighted, pairwise = walk.both
    names = lambdarank_lab.WEIGHTS
    return [
        {"name": names["ndcg"], "rate": f"{walk.setting.rate:.3g}", "ndcg": f"{weighted[-1].ndcg:.3f}"},
        {"name": names["none"], "rate": f"{walk.pairwise_rate:.3g}", "ndcg": f"{pairwise[-1].ndcg:.3f}"},
    ]


def _history(walk: Walk) -> list[tuple[int, str, str]]:
    """NDCG after each step: LambdaRank, pairs alone."""
    weighted_states, pairwise_states = walk.both
    rows = []
    for step, weighted in enumerate(weighted_states):
        pairwise = pairwise_states[step]
        rows.append((step, f"{weighted.ndcg:.3f}", f"{pairwise.ndcg:.3f}"))
    return rows


def _form(place: LabPlace, reading: Reading, query: Query) -> Context:
    return {
        "action": place.page,
        "board": _address(BOARD, place.more),
        "hidden": {**dict(place.fields), "steps": f"{reading.setting.steps}"},
        "selects": [_select(name, reading.setting) for name in OFFERED],
        "grades": [f"{grade}" for grade in range(lambdarank_lab.HIGHEST_GRADE + 1)],
        "documents": _rows(reading, query),
        "bad_scores": "scores" in reading.faults,
    }


def _select(name: str, setting: Setting) -> Context:
    current = lambdarank_lab.texts(setting, name)[0]
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


def _rows(reading: Reading, query: Query) -> list[Context]:
    """The documents to change; what was typed and could not be read stays."""
    setting = reading.setting
    typed = query.get("scores", ())
    scores = lambdarank_lab.texts(setting, "scores")
    if "scores" in reading.faults and len(typed) == len(scores):
        scores = [text[:20] for text in typed]
    grades = lambdarank_lab.texts(setting, "grades")
    rows = []
    for name, grade, score in zip(setting.names, grades, scores, strict=True):
        is_bad = not lambdarank_lab.is_score(score)
        rows.append({"name": name, "grade": grade, "score": score, "bad": is_bad})
    return rows
