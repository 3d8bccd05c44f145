"""An example as a learner sees it: what is open, what comes next, the chart, and 换你 at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.items.examples import Example
from app.course.learning.figures import contributions
from app.course.learning.reveal_sequence import RevealPosition, judge_guess
from app.records.learning.values import Guess
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup
from app.web.site.site import Site

ORDER = ("dcg", "ideal", "idcg", "ratio", "done")
PHASES = {"term": "dcg", "ideal_order": "ideal", "ideal_term": "idcg", "ratio": "ratio"}


@dataclass(frozen=True)
class Showing:
    """Everything that the look of an example depends on."""

    example: str
    shown: int
    until: str = "ratio"
    step: str = ""
    guess: str | None = None
    guessed: bool = False
    typed: str | None = None
    turn: str = ""
    own: str = ""

    @property
    def actions(self) -> str:
        """What the forms append to their address: the step of a lesson in which the example stands."""
        return f"?step={self.step}" if self.step else ""


def showing(example: str, shown: int, guesses: Sequence[Guess], **rest: Any) -> Showing:
    """The look after `shown` openings; the last guess says what the tutor answers to."""
    last = next((guess for guess in guesses if guess.position == shown), None)
    return Showing(example, shown, guess=last.guess if last else None, guessed=last is not None, **rest)


def guess_typed(typed: Typed | None, example: str) -> str | None:
    """The guess that could not be read, if it was made in this example."""
    return "".join(typed.raw) if typed and typed.item == example else None


def openings(course: Course, example: str, until: str) -> tuple[RevealPosition, ...]:
    """What there is to open here; a lesson may stop after the DCG terms."""
    everything = course.openings(example)
    return everything if until == "ratio" else tuple(one for one in everything if one.kind == "term")


def render_example(site: Site, look: Showing) -> Markup:
    """The fragment of an example, with a slot for `NEXT`: it serves everybody who opened as much."""
    course = site.course
    anybody = replace(look, turn=slots.TURN if look.turn else "", own=site.own)

    def make() -> str:
        return site.render("learning/_example.html", ex=view(course, anybody))

    html = make() if look.typed is not None else site.cached((course.digest, anybody), make)
    return slots.fill(html, {slots.TURN: markup(look.turn)})


def view(course: Course, look: Showing) -> dict[str, Any]:
    """The context of `learning/_example.html`."""
    example = course.examples[look.example]
    sequence = openings(course, look.example, look.until)
    shown = min(look.shown, len(sequence))
    upcoming = sequence[shown] if shown < len(sequence) else None
    return {
        "dom_id": f"example-{example.id}",
        "id": example.id,
        "title": example.title,
        "query": example.query,
        "documents": [_document(rank, one) for rank, one in enumerate(example.documents, 1)],
        "convention": example.convention,
        "shown": shown,
        "total": len(sequence),
        "opening": upcoming,
        "phase": PHASES[upcoming.kind] if upcoming else "done",
        "phases": ORDER[:1] if look.until == "dcg" else ORDER[:4],
        "turn_html": markup(look.turn) if look.turn else None,
        "typed": look.typed or "",
        "error": _error(upcoming, example, look.typed),
        **_opened(example, sequence[:shown]),
        **_said(example, sequence[:shown], look.guess),
        **_forms(look),
    }


def _opened(example: Example, opened: Sequence[RevealPosition]) -> dict[str, Any]:
    """The two tables, the chart and the ratio, as far as they are open."""
    kinds, trace = [one.kind for one in opened], example.trace
    terms, ideal, ordered = kinds.count("term"), kinds.count("ideal_term"), "ideal_order" in kinds
    done = "ratio" in kinds
    return {
        "rows": _rows(example, trace.terms, terms, not ordered),
        "ideal_order": _ideal_order(example) if ordered else None,
        "ideal_rows": _rows(example, trace.ideal_terms, ideal, not done) if ordered else None,
        "dcg": f"{trace.dcg:.3f}" if terms == len(trace.terms) else None,
        "idcg": f"{trace.idcg:.3f}" if done else None,
        "ndcg": f"{trace.ndcg:.3f}" if done else None,
        "chart": markup(contributions.draw(example, terms, ideal)) if terms else None,
    }


def _said(example: Example, opened: Sequence[RevealPosition], guess: str | None) -> dict[str, Any]:
    """What the tutor says to the last opening. A guess of before the content changed counts as none."""
    if not opened:
        return {"said": None, "mood": "thinking"}
    try:
        met = judge_guess(opened[-1], example, guess)
    except Unreadable:
        met = judge_guess(opened[-1], example, None)
    return {"said": met.text, "mood": met.mood}


def _forms(look: Showing) -> dict[str, Any]:
    return {
        "next": markup(f"{slots.NEXT}#example-{look.example}"),
        "reveal_action": f"{look.own}/examples/{look.example}/reveals{look.actions}",
        "again_action": f"{look.own}/examples/{look.example}/rounds{look.actions}",
        "guest_field": slots.GUEST,
    }


def _document(rank: int, document: Any) -> dict[str, Any]:
    grade = None if document.grade is None else f"{document.grade:g}"
    return {"rank": rank, "title": document.title, "grade": grade}


def _rows(example: Example, terms: Sequence[engine.Term], opened: int, latest: bool) -> list[dict[str, Any]]:
    """One row a term; the bar is the running total as a share of the larger of DCG and IDCG."""
    full = max(example.trace.dcg, example.trace.idcg) or 1.0
    ideal = terms is example.trace.ideal_terms
    titles = (
        [one["title"] for one in _ideal_order(example)] if ideal else [one.title for one in example.documents]
    )
    return [
        {
            "rank": term.rank,
            "title": titles[term.rank - 1],
            "grade": f"{term.grade or 0:g}",
            "gain": f"{term.gain:g}",
            "log": f"log₂({term.rank + 1})={1 / term.discount:.4g}",
            "weight": f"{term.discount:.3f}",
            "value": f"{term.value:.2f}",
            "running": f"{term.running_total:.2f}",
            "open": term.rank <= opened,
            "fresh": latest and term.rank == opened,
            "bar": round(100 * term.running_total / full),
        }
        for term in terms
    ]


def _ideal_order(example: Example) -> list[dict[str, Any]]:
    """The documents from sweetest on; what only the judged pool has is named so."""
    listed = sorted(example.documents, key=lambda document: -(document.grade or 0))
    found = [{"title": one.title, "grade": one.grade or 0} for one in listed]
    if example.pool is not None:
        found = _with_pool(found, [term.grade or 0 for term in example.trace.ideal_terms])
    return [{"title": one["title"], "grade": f"{one['grade']:g}"} for one in found]


def _with_pool(listed: list[dict[str, Any]], grades: Sequence[float]) -> list[dict[str, Any]]:
    rest, found = list(listed), []
    for grade in grades:
        same = next((one for one in rest if one["grade"] == grade), None)
        if same:
            rest.remove(same)
        found.append(same or {"title": "评判池里的另一颗", "grade": grade})
    return found


def _error(upcoming: RevealPosition | None, example: Example, typed: str | None) -> str:
    if upcoming is None or typed is None:
        return ""
    try:
        judge_guess(upcoming, example, typed)
    except Unreadable as error:
        return str(error)
    return ""
