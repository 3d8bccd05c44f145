"""A section as a learner sees it: the steps so far, what surrounds them, and the moves below."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.learning.labs.lambdarank import Query
from app.course.learning.steps import (
    AnyStep,
    Ask,
    CardsStep,
    CodeStep,
    ExampleStep,
    Figure,
    GameStep,
    Lab,
    Recap,
    Say,
)
from app.records.learning.values import LessonPageData
from app.web.games.game_views import card as game_card
from app.web.items.item_views import family, item_state, render_item
from app.web.learning.code_views import exercise_view
from app.web.learning.example_views import guess_typed, openings, render_example, showing
from app.web.learning.lab_views import lab_place, render_lab
from app.web.learning.quiz_views import QuizResult, result
from app.web.learning.stage_views import section_url, stage_card
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup
from app.web.site.site import Site

SEEDS = 24
JOTTED = (Say, Ask, ExampleStep, Recap)
"""Steps of which a card can be made: 记一张."""


@dataclass(frozen=True)
class SectionPosition:
    """Where a learner is: a section, what is known, and the step (one past the last: finished)."""

    site: Site
    stage: Stage
    section: Section
    look: LessonPageData
    step: int
    tried: Query | None = None
    """What the address says of a lab of this section."""

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def url(self) -> str:
        return section_url(self.stage, self.section, self.site.own)

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What the page around the steps depends on."""
        places = tuple((place.section, place.step, place.done) for place in self.look.places)
        here = self.site.own, self.course.digest, self.stage.id, self.section.id
        return *here, self.step, places, self.result, self.uncollected

    @property
    def result(self) -> QuizResult | None:
        """How the 小测 went, once its last question is behind."""
        over = isinstance(self.section, Quiz) and self.step > len(self.section.steps)
        return result(self.course, self.section, self.look) if over else None

    @property
    def uncollected(self) -> tuple[str, ...]:
        """The cards of the stage that are not in the deck yet, at the end of its 小测."""
        if self.result is None:
            return ()
        names = self.course.card_sets[self.stage.id]
        return tuple(name for name in names if self.course.ref(name) not in self.look.collected)

    @property
    def seen(self) -> tuple[Hashable, ...]:
        """What the steps depend on: the answers, hints, openings and collected cards of this section."""
        look, mine = self.look, self.course.items_of(self.section.id)
        answers = [(row.item, row.verdict, row.raw) for row in look.responses if row.item in mine]
        hints = [one for one in look.hints.items() if one[0] in mine]
        opened = [(ref, one.shown, one.guesses[-1:]) for ref, one in look.reveals.items()]
        return self.seed, tuple(answers), tuple(hints), tuple(opened), look.collected

    @property
    def own(self) -> Mapping[Markup, str]:
        """What goes into the slots of the steps."""
        return {slots.BASE: self.base, slots.NEXT: self.next}

    @property
    def base(self) -> str:
        """Where answers go: the attempt, or the lesson while there is none; those to own content, there."""
        if self.site.own:
            return self.site.own
        return f"/attempts/{self.look.attempt.id}" if self.look.attempt else f"/lessons/{self.stage.id}"

    @property
    def next(self) -> str:
        """The page on which this is seen."""
        return f"{self.url}?step={min(self.step, len(self.section.steps))}"

    @property
    def seed(self) -> int:
        """The attempt's; while there is none, the forms carry one of the learner's own."""
        if self.look.attempt:
            return self.look.attempt.seed
        return seed_of(self.look.learner_id or 0, self.look.round)


def seed_of(learner_id: int, nth_round: int) -> int:
    """What shuffles the options while there is no attempt: strangers all see the same order.

    Few seeds, so that a rendered item serves many learners; enough that neighbours see different orders.

    >>> seed_of(0, 1) == seed_of(0, 1), seed_of(1, 1) == seed_of(2, 1)
    (True, False)
    """
    return (learner_id * 7_919 + nth_round * 104_729) % SEEDS


def frame(at: SectionPosition) -> dict[str, Any]:
    """The context of `learning/section.html`: everything but the steps."""
    title = f"{at.section.title}·{at.stage.title}"
    own = {"steps": slots.STEPS, "warm_up": slots.WARM_UP}
    return {"page": "lesson", "title": title, **own, **moves(at)}


def steps_so_far(at: SectionPosition, typed: Typed | None = None) -> Markup:
    """The steps that are open, with the slots of their items; kept for all who stand alike."""

    def make() -> str:
        return "".join(whole_step(at, step, typed) for step in at.section.steps[: at.step])

    key = (at.site.own, at.course.digest, at.section.id, at.step, at.seen)
    return markup(make() if typed or at.tried else at.site.cached(key, make))


def whole_step(at: SectionPosition, step: AnyStep, typed: Typed | None = None) -> Markup:
    """One step, as the page shows it and 下一步 returns it."""
    path = f"{at.stage.id}.{at.section.id}.{step.id}"
    context = {
        "id": step.id,
        "kind": step.kind,
        "html": render_step(at, step, typed),
        "card_url": f"/cards/new?step={path}&seed={at.seed}"
        if isinstance(step, JOTTED) and not at.site.own
        else None,
    }
    return at.site.render("learning/_step.html", step=context)


def next_step(at: SectionPosition) -> str:
    """The fragment of 下一步: the step that comes, and the moves after it."""
    below = at.site.render("learning/_moves.html", **moves(at), oob=True, guest_field=slots.NOTHING)
    if at.step > len(at.section.steps):
        return below
    return slots.fill(whole_step(at, at.section.steps[at.step - 1]), at.own) + below


def moves(at: SectionPosition) -> dict[str, Any]:
    """What `learning/_moves.html` needs, and the page around it."""
    total = len(at.section.steps)
    card = stage_card(at.course, at.stage, at.look.places, at.site.own)
    after, next_stage = at.stage.next_section(at.section.id), at.course.next_stage(at.stage.id)
    return {
        "stage": card,
        "sections": card.sections,
        "section": {
            "id": at.section.id,
            "title": at.section.title,
            "minutes": at.section.minutes,
            "url": at.url,
            "number": at.stage.sections.index(at.section) + 1,
        },
        "shown": min(at.step, total),
        "total": total,
        "finished": at.step > total,
        "quiz": isinstance(at.section, Quiz),
        "result": at.result,
        "uncollected": at.uncollected,
        "moves": {
            "action": f"{at.url}/places",
            "next_step": at.step + 1,
            "next_url": f"{at.url}?step={at.step + 1}#{anchor(at.section, at.step + 1)}",
        },
        "after": after
        and {
            "title": after.title,
            "minutes": after.minutes,
            "url": section_url(at.stage, after, at.site.own),
        },
        "stage_done": card.state == "done",
        "next_stage": stage_card(at.course, next_stage, ()) if next_stage else None,
    }


def anchor(here: Section, step: int) -> str:
    return f"step-{here.steps[step - 1].id}" if step <= len(here.steps) else "moves-finish"


def render_step(at: SectionPosition, step: AnyStep, typed: Typed | None = None) -> Markup:
    """An item or an example as this learner sees it, anything else as everybody does."""
    match step:
        case Ask():
            return item(at, step.item, probe=step.probe, typed=typed)
        case ExampleStep():
            return example(at, step, typed)
        case Lab():
            return lab(at, step)
        case CardsStep():
            return cards(at, step)
        case Recap() if step.item:
            asked = item(at, step.item, typed=typed)
            return at.site.render(
                "learning/steps/recap.html", step=still(at.course, step) | {"item_html": asked}
            )
    key, template = (at.course.digest, at.section.id, step.id), f"learning/steps/{step.kind}.html"
    return markup(at.site.cached(key, lambda: at.site.render(template, step=still(at.course, step))))


def still(course: Course, step: AnyStep) -> dict[str, Any]:
    """The context of a step that looks the same to everybody."""
    match step:
        case Say():
            other = markup(course.html(step.another_way)) if step.another_way else None
            words = markup(course.html(step.text))
            return {
                "id": step.id,
                "tone": step.tone,
                "html": words,
                "another_way": other,
                "source": step.source,
            }
        case Figure():
            caption = markup(course.line(step.caption)) if step.caption else None
            return {
                "id": step.id,
                "svg": markup(course.figure(step.figure, step.example)),
                "caption": caption,
            }
        case Recap():
            points = [markup(course.line(point)) for point in step.points]
            table = markup(course.html(step.table)) if step.table else None
            return {"id": step.id, "points": points, "table": table, "item_html": None}
        case CodeStep():
            return {"id": step.id, "code": exercise_view(course, step.exercise)}
        case GameStep():
            return {"id": step.id, **game_card(course, step.game)}
    raise TypeError(f"{step.kind} depends on the learner")


def cards(at: SectionPosition, step: CardsStep) -> Markup:
    """A set of cards, and the way into the deck for those that are not there yet."""
    context = {
        "id": step.id,
        "ids": step.cards,
        "cards": [card(at.course, one) for one in step.cards],
        "own": at.site.own,
        "collected": at.look.collected >= {at.course.ref(one) for one in step.cards},
        "next": markup(f"{slots.NEXT}#step-{step.id}"),
        "guest_field": slots.GUEST,
    }
    return at.site.render("learning/steps/cards.html", step=context)


def card(course: Course, card_id: str) -> dict[str, Any]:
    """A flashcard with both its sides."""
    one = course.cards[card_id]
    return {"id": card_id, "front": markup(course.line(one.front)), "back": markup(course.html(one.back))}


def item(at: SectionPosition, item_id: str, *, probe: bool = False, typed: Typed | None = None) -> Markup:
    """An item in its lesson, with the answers it already has."""
    mine = typed if typed and typed.item in family(at.course, item_id) else None
    look = at.look
    asked = item_state(at.course, item_id, look.responses, look.hints, seed=at.seed, probe=probe, typed=mine)
    return render_item(at.site, asked)


def lab(at: SectionPosition, step: Lab) -> Markup:
    """A lab in its lesson, as far as the address says."""
    mine = at.tried if at.tried and at.tried["lab"][-1] == step.id else {}
    drawn = render_lab(at.site, lab_place(at.stage, at.section, step, at.step), mine)
    return at.site.render("learning/steps/lab.html", step={"lab_html": drawn})


def example(at: SectionPosition, step: ExampleStep, typed: Typed | None = None) -> Markup:
    """An example in its lesson, opened as far as this learner has come."""
    opening = at.look.reveals.get(at.course.ref(step.example))
    shown, guesses = (opening.shown, opening.guesses) if opening else (0, ())
    total = len(openings(at.course, step.example, step.until))
    done = step.until == "ratio" and shown >= total
    look = showing(
        step.example,
        min(shown, total),
        guesses,
        until=step.until,
        step=f"{at.stage.id}.{at.section.id}.{step.id}",
        turn=str(item(at, at.course.turn_of(step.example), typed=typed)) if done else "",
        typed=guess_typed(typed, step.example),
    )
    return render_example(at.site, look)
