"""错题本: every wrong answer with what was wrong, and another question of the kind until it sits."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.practice import mastery
from app.records.db.errors import NotFound
from app.records.practice import notebook
from app.web.practice.mistake_views import entries, habits, steps
from app.web.site.clock import now
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()
MOST_HABITS = 6


@router.get("/mistakes")
async def index(request: Request) -> Response:
    """我常犯的错, what is open, what is cleared; `?kind=` shows all answers of one kind."""
    site, kind = site_of(request), request.query_params.get("kind", "")
    look = await site.db.read(notebook.load_notebook, caller_of(request), site.course, now(), kind)
    found = entries(site, look, kind)
    if kind and not found:
        raise NotFound("错题本里没有这一类题，也许还没错过。")
    return page(
        request,
        "practice/notebook",
        known=look.learner_id is not None,
        page="practice",
        title=found[0].title if kind else "错题本",
        kind=kind,
        clearing_rule=mastery.CLEARING_RULE,
        entries=found,
        cleared=[(one.kind.id, one.title) for one in look.notebook.cleared],
        habits=habits(site.course, [one for one in look.notebook.habits if one.times > 1][:MOST_HABITS]),
        steps=steps(look.notebook),
    )
