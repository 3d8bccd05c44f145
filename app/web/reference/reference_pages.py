"""Pages that are the same for everybody: glossary, privacy, health."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.course.text.formulas import written
from app.records.accounts import learners
from app.web.site.requests import caller_of
from app.web.site.responses import markup, page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/glossary")
async def glossary(request: Request) -> Response:
    """The terms: Chinese, English, formula, a sentence."""
    site = site_of(request)
    course = site.course
    entries = [
        {
            "id": term.id,
            "zh": term.zh,
            "en": term.en,
            "html": markup(course.html(term.text)),
            "formula": markup(written(term.formula)) if term.formula else None,
        }
        for term in course.glossary
    ]
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    return page(request, "reference/glossary", known=known, page="glossary", title="术语", terms=entries)


@router.get("/privacy")
async def privacy(request: Request) -> Response:
    """What is kept, in plain words."""
    known = await site_of(request).db.read(learners.load_visitor, caller_of(request)) is not None
    return page(request, "reference/privacy", known=known, page="privacy", title="记了什么")


@router.get("/healthz")
async def health(request: Request) -> Response:
    """Whether the database answers."""
    await site_of(request).db.read(learners.load_visitor, caller_of(request))
    return PlainTextResponse("ok")
