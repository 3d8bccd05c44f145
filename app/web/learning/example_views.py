"""An example as a learner sees it: what is open, what comes next, the chart, and 换你 at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.items.examples import Example
from app.course.learning.figures import contributions
from app.course.learning.reveal_sequence import GuessResult, RevealPosition, judge_guess
from app.records.learning.values import Guess
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup
from app.web.site.site import Site

ORDER = ("dcg", "ideal", "idcg", "ratio", "done")
PHASES = {"term": "dcg", "ideal_order": "ideal", "ideal_term": "idcg", "ratio": "ratio"}


@dataclass(frozen=True)
class ExampleState:
    """An example as far as it is open: equal states look the same.

    `step`: the step of a lesson in which it stands (`stage.section.step`); `guess`: the last one that was
    made; `typed`: a guess that could not be read. `feedback` and `error`: what came of these, where this
    request has judged them already.
    """

    example: str
    shown: int
    until: str = "ratio"
    step: str = ""
    guess: str | None = None
    typed: str | None = None
    turn: str = ""
    own: str = ""
    feedback: GuessResult | None = field(default=None, compare=False)
    error: str = field(default="", compare=False)


def state_after(
    course: Course, example: str, shown: int, guesses: Sequence[Guess], until: str = "ratio", step: str = ""
) -> ExampleState:
    """An example after `shown` openings, or after all that there are."""
    position = min(shown, len(openings(course, example, until)))
    state = ExampleState(example, position, until, step)
    for guess in guesses:
        if guess.position == position:
            return replace(state, guess=guess.guess)
    return state


def asks_turn(course: Course, state: ExampleState) -> bool:
    """Whether 换你 comes now: everything is open, and no lesson has stopped before the end."""
    return state.until == "ratio" and state.shown == len(course.openings(state.example))


def guess_typed(typed: Typed | None, example: str) -> str | None:
    """The guess that could not be read, if it was made in this example."""
    if typed is None or typed.item != example:
        return None
    return "".join(typed.raw)


def openings(course: Course, example: str, until: str = "ratio") -> tuple[RevealPosition, ...]:
    """What there is to open; a lesson may stop after the DCG terms."""
    sequence = course.openings(example)
    if until == "ratio":
        return sequence
    return tuple(opening for opening in sequence if opening.kind == "term")


def render_example(site: Site, state: ExampleState) -> Markup:
    """The fragment of an example, with a slot for `NEXT`: it serves everybody who opened as much."""
    turn = {slots.TURN: markup(state.turn)}
    state = replace(state, own=site.own)
    if state.turn:
        state = replace(state, turn=slots.TURN)

    def render() -> str:
        return site.render("learning/_example.html", ex=view(site.course, state))

    if state.typed is not None:
        return slots.fill(render(), turn)
    html = site.cached((site.course.digest, state), render)
    return slots.fill(html, turn)


def view(course: Course, state: ExampleState) -> dict[str, Any]:
    """The context of `learning/_example.html`."""
    example = course.examples[state.example]
    sequence = openings(course, state.example, state.until)
    opened = sequence[: state.shown]
    opening = next(iter(sequence[state.shown :]), None)
    phase = "done"
    if opening:
        phase = PHASES[opening.kind]
    phases: Sequence[str] = ORDER[:4]
    if state.until == "dcg":
        phases = ORDER[:1]
    feedback = None
    if opened:
        feedback = _feedback(example, opened[-1], state)
    forms = f"{state.own}/examples/{state.example}"
    query = ""
    if state.step:
        query = f"?step={state.step}"
    return {
        "example": example,
        "dom_id": f"example-{example.id}",
        "documents": [_candy(document.title, document.grade) for document in example.documents],
        "shown": len(opened),
        "total": len(sequence),
        "opening": opening,
        "phase": phase,
        "phases": phases,
        "turn_html": markup(state.turn),
        "typed": state.typed or "",
        "error": _error(example, opening, state),
        "feedback": feedback,
        "next": markup(f"{slots.NEXT}#example-{state.example}"),
        "reveal_action": f"{forms}/reveals{query}",
        "again_action": f"{forms}/rounds{query}",
        "guest_field": slots.GUEST,
        **_opened(example, opened),
    }


def _feedback(example: Example, opening: RevealPosition, state: ExampleState) -> GuessResult:
    """What the tutor says to the last opening. A guess of before the content changed counts as none."""
    if state.feedback is not None:
        return state.feedback
    try:
        return judge_guess(opening, example, state.guess)
    except Unreadable:
        return judge_guess(opening, example, None)


def _error(example: Example, opening: RevealPosition | None, state: ExampleState) -> str:
    """Why what was typed before the next opening cannot be read; nothing when it can."""
    if state.error or opening is None or state.typed is None:
        return state.error
    try:
        judge_guess(opening, example, state.typed)
    except Unreadable as error:
        return str(error)
    return ""


def _opened(example: Example, opened: Sequence[RevealPosition]) -> dict[str, Any]:
    """The two tables, the chart and the ratio, as far as they are open."""
    trace = example.trace
    kinds = [opening.kind for opening in opened]
    terms = kinds.count("term")
    ideal_terms = kinds.count("ideal_term")
    ordered = "ideal_order" in kinds
    done = "ratio" in kinds
    titles = [document.title for document in example.documents]
    context: dict[str, Any] = {
        "rows": _rows(example, trace.terms, titles, terms, fresh=not ordered),
        "ideal_order": None,
        "ideal_rows": None,
        "ratio": None,
        "chart": None,
    }
    if done:
        context["ratio"] = trace
    if terms:
        context["chart"] = markup(contributions.draw(example, terms, ideal_terms))
    if ordered:
        order = _ideal_order(example)
        titles = [candy["title"] for candy in order]
        context["ideal_order"] = order
        context["ideal_rows"] = _rows(example, trace.ideal_terms, titles, ideal_terms, fresh=not done)
    return context


def _candy(title: str, grade: float | None) -> dict[str, Any]:
    if grade is None:
        return {"title": title, "grade": None}
    return {"title": title, "grade": f"{grade:g}"}


def _rows(
    example: Example, terms: Sequence[engine.Term], titles: Sequence[str], opened: int, fresh: bool
) -> list[dict[str, Any]]:
    """One row a term; the bar is the running total as a share of the larger of DCG and IDCG.

    `opened`: how many are open; `fresh`: the last of these was opened just now.
    """
    full = max(example.trace.dcg, example.trace.idcg) or 1.0
    rows = []
    for term in terms:
        row = {
            "rank": term.rank,
            "title": titles[term.rank - 1],
            "grade": f"{term.grade or 0:g}",
            "gain": f"{term.gain:g}",
            "log": f"log₂({term.rank + 1})={1 / term.discount:.4g}",
            "value": f"{term.value:.2f}",
            "running": f"{term.running_total:.2f}",
            "open": term.rank <= opened,
            "fresh": fresh and term.rank == opened,
            "bar": round(100 * term.running_total / full),
        }
        rows.append(row)
    return rows


def _ideal_order(example: Example) -> list[dict[str, Any]]:
    """The documents from sweetest on; what only the judged pool has is named so."""
    listed = sorted(example.documents, key=lambda document: -(document.grade or 0))
    if example.pool is None:
        return [_candy(document.title, document.grade or 0) for document in listed]
    order = []
    for term in example.trace.ideal_terms:
        grade = term.grade or 0
        title = "评判池里的另一颗"
        for document in listed:
            if (document.grade or 0) == grade:
                listed.remove(document)
                title = document.title
                break
        order.append(_candy(title, grade))
    return order
