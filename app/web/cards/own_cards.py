"""记一张: a learner's own cards, from a paragraph, an example or an item, or from nothing."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course.text.card_markdown import fault
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import deck_pages, own_cards
from app.records.learning import attempts
from app.web.cards.card_drafts import Draft, draft_of, draft_of_item, drawn_sides, is_answered, tidy
from app.web.cards.card_views import CardExercise, ref_of, reps_of
from app.web.site.requests import CallerDep, FormDep, Now, PostedForm, SiteDep, guest_again
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
EMPTY_FORM = PostedForm({})
Name = Annotated[str, Path(pattern="^own-[0-9]{1,15}$")]


@router.get("/cards/new")
async def new(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """An empty card, or one that begins with what the address names; an open question has no answer yet."""
    learner_id = await site.db.read(learners.load_visitor, caller)
    drill = site.course.drills.get(request.query_params.get("card", ""))
    if drill:
        ref = site.course.ref(drill.id)
        card = await site.db.read(deck_pages.load_card, caller, ref)
        exercise = CardExercise(site.course, drill, reps_of(card.row))
        return draft_page(request, draft_of_item(site.course, exercise.item), learner_id)
    draft = draft_of(site.course, request.query_params)
    if await is_secret(site, caller, draft):
        return draft_page(request, replace(draft, back=""), learner_id, waits=True)
    return draft_page(request, draft, learner_id)


async def is_secret(site: Site, caller: Caller, draft: Draft) -> bool:
    """Whether the back answers a question that this learner has not answered yet, by their log."""
    if draft.answers is None:
        return False
    item_id, seed = draft.answers
    responses = await site.db.read(attempts.answers, caller, site.course.ref(item_id), seed)
    return not is_answered(site.course, item_id, seed, responses.values())


@router.post("/cards/own")
async def create(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Keep a new card, or show how it would look."""
    draft = read_draft(form)
    wrong = await site.off_loop.run(fault, draft.front, draft.back)
    if wrong or "look" in form.fields:
        learner_id = await site.db.read(learners.load_visitor, caller)
        sides = await look(site, draft, wrong)
        return draft_page(request, draft, learner_id, form=form, error=wrong, sides=sides)
    written = await site.db.write(own_cards.write, caller, [draft.text], now)
    return see(request, f"/cards/{written.card.replace(':', '-')}", token=written.token)


@router.get("/cards/{name}/edit")
async def open_card(request: Request, site: SiteDep, caller: CallerDep, name: Name) -> Response:
    """An own card as it is now, to be changed."""
    card = await site.db.read(deck_pages.load_card, caller, ref_of(site.course, name))
    draft = Draft()
    if own := card.own:
        draft = Draft(own.front, own.back, own.tags, own.source)
    return draft_page(request, draft, card.learner_id, name=name)


@router.post("/cards/{name}/edit")
async def edit(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, name: Name
) -> Response:
    """Keep the new words."""
    draft = read_draft(form)
    ref = ref_of(site.course, name)
    wrong = await site.off_loop.run(fault, draft.front, draft.back)
    if wrong or "look" in form.fields:
        card = await site.db.read(deck_pages.load_card, caller, ref)  # NotFound for anybody else's
        sides = await look(site, draft, wrong)
        return draft_page(request, draft, card.learner_id, name=name, form=form, error=wrong, sides=sides)
    arrival = await site.db.write(own_cards.edit, caller, ref, draft.text, now)
    return see(request, f"/cards/{name}", token=arrival.token)


@router.post("/cards/{name}/deletion")
async def delete(request: Request, site: SiteDep, caller: CallerDep, now: Now, name: Name) -> Response:
    """The card is gone, its words too."""
    arrival = await site.db.write(own_cards.delete, caller, ref_of(site.course, name), now)
    return see(request, "/cards/all?stage=own", token=arrival.token)


async def look(site: Site, draft: Draft, wrong: str) -> tuple[Markup, Markup] | None:
    """How a card will look, drawn off the event loop; None while something is wrong with it."""
    if wrong:
        return None
    return await site.off_loop.run(drawn_sides, draft)


def read_draft(form: PostedForm) -> Draft:
    """What was written, with the spaces put in order."""
    return Draft(
        front=form.text("front").strip(),
        back=form.text("back").strip(),
        tags=tidy(form.text("tags")),
        source=form.next("")[:200],
    )


def draft_page(
    request: Request,
    draft: Draft,
    learner_id: int | None,
    *,
    name: str = "",
    form: PostedForm = EMPTY_FORM,
    error: str = "",
    sides: tuple[Markup, Markup] | None = None,
    waits: bool = False,
) -> Response:
    """The form, with what was written and, when it was asked for, both sides as they would look.

    `waits`: the answer stands on no back before the question is answered.
    """
    status = 200
    if error:
        status = 422
    title = "写一张卡片"
    if name:
        title = "改一张卡片"
    return page(
        request,
        "cards/own_card",
        signed_in=learner_id is not None,
        status=status,
        page="cards",
        title=title,
        draft=draft,
        name=name,
        error=error,
        waits=waits,
        sides=sides,
        again=guest_again(form),
    )
