"""记一张: cards of one's own, from a paragraph, an example or an item, or from nothing."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.course.cards.decks import Drill, seed_of
from app.course.text.card_markdown import fault, html
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import deck_pages, own_cards
from app.records.learning import attempts
from app.web.cards.card_drafts import Draft, draft_of, drill_draft, is_told, tidy
from app.web.cards.card_views import ref_of
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, guest_again, read_form
from app.web.site.responses import markup, page, see
from app.web.site.site import Site, site_of

router = APIRouter()
Name = Annotated[str, Path(pattern="^own-[0-9]{1,15}$")]


@router.get("/cards/new")
async def blank(request: Request) -> Response:
    """An empty card, or one that begins with what the address names; an open question has no answer yet."""
    site, person, query = site_of(request), caller_of(request), request.query_params
    known = await site.db.read(learners.load_visitor, person) is not None
    if drill := site.course.drills.get(query.get("card", "")):
        return shown(request, await of_drill(site, person, drill), known=known)
    draft = draft_of(site.course, query)
    if draft.answers is None or await told(site, person, *draft.answers):
        return shown(request, draft, known=known)
    return shown(request, replace(draft, back=""), known=known, waits=True)


async def of_drill(site: Site, person: Caller, drill: Drill) -> Draft:
    """The card that computes with the numbers that its own page shows."""
    card = site.course.ref(drill.id)
    look = await site.db.read(deck_pages.load_card, person, card)
    return drill_draft(site.course, drill, seed_of(card, look.row.memory.reps if look.row else 0))


async def told(site: Site, person: Caller, item: str, seed: int) -> bool:
    """Whether the answer to a variant is no secret to this learner, by their log."""
    passes = await site.db.read(attempts.answers, person, site.course.ref(item), seed)
    return is_told(site.course, item, seed, passes)


@router.post("/cards/own")
async def make(request: Request) -> Response:
    """Keep a new card, or show how it would look."""
    site, form = site_of(request), await read_form(request)
    draft, person = read_draft(form), caller_of(request, form)
    known = await site.db.read(learners.load_visitor, person) is not None
    if (wrong := fault(draft.front, draft.back)) or "look" in form.fields:
        return shown(request, draft, known=known, form=form, error=wrong)
    card = (draft.front, draft.back, draft.tags, draft.source)
    done = await site.db.write(own_cards.write, person, [card], now())
    return see(request, f"/cards/{done.card.replace(':', '-')}", token=done.token)


@router.get("/cards/{name}/edit")
async def open_card(request: Request, name: Name) -> Response:
    """An own card as it is now, to be changed."""
    site = site_of(request)
    look = await site.db.read(deck_pages.load_card, caller_of(request), ref_of(site.course, name))
    own = look.own
    draft = Draft(own.front, own.back, own.tags, own.source) if own else Draft()
    return shown(request, draft, known=True, name=name)


@router.post("/cards/{name}/edit")
async def edit(request: Request, name: Name) -> Response:
    """Keep the new words."""
    site, form = site_of(request), await read_form(request)
    draft, person, card = read_draft(form), caller_of(request, form), ref_of(site.course, name)
    if (wrong := fault(draft.front, draft.back)) or "look" in form.fields:
        await site.db.read(deck_pages.load_card, person, card)
        return shown(request, draft, known=True, name=name, form=form, error=wrong)
    arrival = await site.db.write(own_cards.edit, person, card, draft.front, draft.back, draft.tags, now())
    return see(request, f"/cards/{name}", token=arrival.token)


@router.post("/cards/{name}/deletion")
async def delete(request: Request, name: Name) -> Response:
    """The card is gone, its words too."""
    site, form = site_of(request), await read_form(request)
    arrival = await site.db.write(
        own_cards.delete, caller_of(request, form), ref_of(site.course, name), now()
    )
    return see(request, "/cards/all?stage=own", token=arrival.token)


def read_draft(form: PostedForm) -> Draft:
    """What was written, with the spaces put in order."""
    source = form.next("") if form.one("next") else ""
    return Draft(form.one("front").strip(), form.one("back").strip(), tidy(form.one("tags")), source[:200])


def shown(
    request: Request,
    draft: Draft,
    *,
    known: bool,
    name: str = "",
    form: PostedForm | None = None,
    error: str = "",
    waits: bool = False,
) -> Response:
    """The form, with what was written and, when somebody wants to see it, the card.

    `waits`: the answer stands on no back before the question is answered.
    """
    looked = form is not None and "look" in form.fields and not error
    context: dict[str, Any] = {
        "draft": draft,
        "name": name,
        "error": error,
        "waits": waits,
        "front_html": markup(html(draft.front)) if looked else None,
        "back_html": markup(html(draft.back)) if looked else None,
        "again": guest_again(form) if form else None,
    }
    title, status = "改一张卡片" if name else "写一张卡片", 422 if error else 200
    return page(request, "cards/own_card", known=known, status=status, page="cards", title=title, **context)
