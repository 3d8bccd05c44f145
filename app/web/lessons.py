"""Lessons: the overview of a stage, and a section as a paced dialogue."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Stage
from app.course.model import Section
from app.course.steps import AnyStep, Ask, ExampleStep, Figure, Recap, Say
from app.records import lessons, places
from app.records.errors import NotFound
from app.records.values import LessonLook, Who
from app.web import slots
from app.web.asking import Typed, read_form, typed_in, who
from app.web.pages import fragment, kept_page, markup, page, see, wants_fragment
from app.web.site import Site, now, site_of
from app.web.views.examples import guess_typed, openings, render_example, showing
from app.web.views.items import asking, family, render_item
from app.web.views.stages import resume_url, section_url, stage_card

router = APIRouter()
SEEDS = 24


@router.get("/lessons/{stage_id}/{section_id}")
async def section(request: Request, stage_id: str, section_id: str) -> Response:
    """A section, as far as the address or the kept place says."""
    site = site_of(request)
    stage, here = find(site.course, stage_id, section_id)
    look = await look_at(site, who(request), stage, here)
    at = At(site, stage, here, look, step_of(request, here, look))
    parts = {slots.STEPS: markup("".join(steps_so_far(at, typed_in(request))))}
    known = look.learner_id is not None
    return kept_page(request, "section", at.key, lambda: frame(at), parts, known=known)


@router.post("/lessons/{stage_id}/{section_id}/places")
async def keep_place(request: Request, stage_id: str, section_id: str) -> Response:
    """下一步: keep the place, show the step that comes."""
    site = site_of(request)
    stage, here = find(site.course, stage_id, section_id)
    form, total = await read_form(request), len(here.steps)
    step = min(max(1, form.number("step")), total + 1)
    person, ref = who(request, form), site.course.ref(stage.id)
    kept = await site.db.write(places.keep, person, ref, here.id, min(step, total), step > total, now())
    if not wants_fragment(request):
        url = f"{section_url(stage, here)}?step={step}#{anchor(here, step)}"
        return see(request, url, token=kept.token)
    look = await look_at(site, Who(kept.token), stage, here)
    return fragment(request, next_step(At(site, stage, here, look, step)), token=kept.token)


@router.post("/lessons/{stage_id}/rounds")
async def begin_again(request: Request, stage_id: str) -> Response:
    """重学: a new round; what was answered before stays in the log."""
    site = site_of(request)
    stage = find_stage(site.course, stage_id)
    first, person = stage.sections[0], who(request, await read_form(request))
    kept = await site.db.write(places.again, person, site.course.ref(stage.id), first.id, now())
    return see(request, section_url(stage, first), token=kept.token)


@router.get("/lessons/{stage_id}")
async def overview(request: Request, stage_id: str) -> Response:
    """Goals and sections of a stage."""
    site = site_of(request)
    course = site.course
    stage = find_stage(course, stage_id)
    look = await site.db.read(lessons.look, who(request), course.ref(stage.id))
    card = stage_card(course, stage, look.places)
    return page(
        request,
        "lesson",
        known=look.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=card,
        goals=[markup(course.line(goal)) for goal in stage.goals],
        resume_url=resume_url(course, stage, look.places),
        begun=card.state != "new",
        again_action=f"/lessons/{stage.id}/rounds",
    )


@dataclass(frozen=True)
class At:
    """Where a learner is: a section, what is known, and the step (one past the last: finished)."""

    site: Site
    stage: Stage
    section: Section
    look: LessonLook
    step: int

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def url(self) -> str:
        return section_url(self.stage, self.section)

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What the page around the steps depends on."""
        places = tuple((place.section, place.step, place.done) for place in self.look.places)
        return self.course.digest, self.stage.id, self.section.id, self.step, places

    @property
    def base(self) -> str:
        """Where answers go: the attempt, or the lesson while there is none."""
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


def find_stage(course: Course, stage_id: str) -> Stage:
    stage = course.stage(stage_id)
    if stage is None or stage.lesson is None:
        raise NotFound("没有这一段课文，也许它还在熬糖。")
    return stage


def find(course: Course, stage_id: str, section_id: str) -> tuple[Stage, Section]:
    stage = find_stage(course, stage_id)
    found = stage.section(section_id)
    if found is None:
        raise NotFound(f"《{stage.title}》里没有这一节。")
    return stage, found


async def look_at(site: Site, person: Who, stage: Stage, here: Section) -> LessonLook:
    """All that the page of a section must know of its reader."""
    refs = tuple(site.course.ref(step.example) for step in here.steps if isinstance(step, ExampleStep))
    return await site.db.read(lessons.look, person, site.course.ref(stage.id), refs)


def step_of(request: Request, here: Section, look: LessonLook) -> int:
    """The step of the address, else the kept one, else the first."""
    total, text = len(here.steps), request.query_params.get("step", "")
    if text.isascii() and text.isdigit() and len(text) < 4:
        return min(max(1, int(text)), total + 1)
    place = look.place(here.id)
    if place is None:
        return 1
    return total + 1 if place.done else min(place.step, total)


def frame(at: At) -> dict[str, Any]:
    """The context of `pages/section.html`: everything but the steps."""
    title = f"{at.section.title}·{at.stage.title}"
    return {"page": "lesson", "title": title, "steps": slots.STEPS, **moves(at)}


def steps_so_far(at: At, typed: Typed | None) -> Iterator[str]:
    for step in at.section.steps[: at.step]:
        yield whole_step(at, step, typed)


def whole_step(at: At, step: AnyStep, typed: Typed | None = None) -> Markup:
    """`lessons/_step.html`, which is the same for everybody but for what stands in it."""
    context = {"id": step.id, "kind": step.kind, "html": slots.STEP}
    around = at.site.cached(
        (at.course.digest, at.section.id, step.id, "around"),
        lambda: at.site.render("lessons/_step.html", step=context),
    )
    return slots.fill(around, {slots.STEP: render_step(at, step, typed)})


def next_step(at: At) -> str:
    """The fragment of 下一步: the step that comes, and the moves after it."""
    below = at.site.render("lessons/_moves.html", **moves(at), oob=True, guest_field=slots.NOTHING)
    if at.step > len(at.section.steps):
        return below
    return whole_step(at, at.section.steps[at.step - 1]) + below


def moves(at: At) -> dict[str, Any]:
    """What `lessons/_moves.html` needs, and the page around it."""
    total = len(at.section.steps)
    card = stage_card(at.course, at.stage, at.look.places)
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
        "moves": {
            "action": f"{at.url}/places",
            "next_step": at.step + 1,
            "next_url": f"{at.url}?step={at.step + 1}#{anchor(at.section, at.step + 1)}",
        },
        "after": after
        and {
            "title": after.title,
            "minutes": after.minutes,
            "url": section_url(at.stage, after),
        },
        "stage_done": card.state == "done",
        "next_stage": stage_card(at.course, next_stage, ()) if next_stage else None,
    }


def anchor(here: Section, step: int) -> str:
    return f"step-{here.steps[step - 1].id}" if step <= len(here.steps) else "moves-finish"


def render_step(at: At, step: AnyStep, typed: Typed | None = None) -> Markup:
    """A step as HTML: an item or an example as this learner sees it, anything else as everybody does."""
    match step:
        case Ask():
            return item(at, step.item, probe=step.probe, typed=typed)
        case ExampleStep():
            return example(at, step, typed)
        case Recap() if step.item:
            asked = item(at, step.item, typed=typed)
            return at.site.render("steps/recap.html", step=still(at.course, step) | {"item_html": asked})
    key, template = (at.course.digest, at.section.id, step.id), f"steps/{step.kind}.html"
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
            return {"id": step.id, "points": points, "item_html": None}
    raise TypeError(f"{step.kind} depends on the learner")


def item(at: At, item_id: str, *, probe: bool = False, typed: Typed | None = None) -> Markup:
    """An item in its lesson, with the answers it already has."""
    mine = typed if typed and typed.item in family(at.course, item_id) else None
    asked = asking(
        at.course,
        item_id,
        at.look.responses,
        at.look.hints,
        seed=at.seed,
        base=at.base,
        next=at.next,
        probe=probe,
        typed=mine,
    )
    return render_item(at.site, asked)


def example(at: At, step: ExampleStep, typed: Typed | None = None) -> Markup:
    """An example in its lesson, opened as far as this learner has come."""
    opening = at.look.reveals.get(at.course.ref(step.example))
    shown, guesses = (opening.shown, opening.guesses) if opening else (0, ())
    total = len(openings(at.course, step.example, step.until))
    done = step.until == "ratio" and shown >= total
    look = showing(
        step.example,
        min(shown, total),
        guesses,
        next=at.next,
        until=step.until,
        step=f"{at.stage.id}.{at.section.id}.{step.id}",
        turn=str(item(at, at.course.turn_of(step.example), typed=typed)) if done else "",
        typed=guess_typed(typed, step.example),
    )
    return render_example(at.site, look)
