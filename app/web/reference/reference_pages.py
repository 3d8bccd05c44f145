"""Pages that are the same for everybody: glossary, privacy, health."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.course.text.formulas import written
from app.records.accounts import learners
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import markup, page

router = APIRouter()


@router.get("/glossary")
async def glossary(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """The terms: Chinese, English, formula, a sentence."""
    learner_id = await site.db.read(learners.load_visitor, caller)
    terms = [
        {
            "id": term.id,
            "zh": term.zh,
            "en": term.en,
            "html": markup(site.course.html(term.text)),
            "formula": markup(written(term.formula)) if term.formula else None,
        }
        for term in site.course.glossary
    ]
    return page(
        request,
        "reference/glossary",
        known=learner_id is not None,
        page="glossary",
        title="术语",
        terms=terms,
    )


@router.get("/privacy")
async def privacy(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """What is kept, in plain words."""
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(request, "reference/privacy", known=learner_id is not None, page="privacy", title="记了什么")


@router.get("/healthz")
async def health(site: SiteDep, caller: CallerDep) -> Response:
    """Whether the database answers."""
    await site.db.read(learners.load_visitor, caller)
    return PlainTextResponse("ok")
