"""错题本: every wrong answer with what was wrong, and another question of the kind until it sits."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.practice.mastery import CLEARING_RULE
from app.records.db.errors import NotFound
from app.records.practice.notebook import load_notebook
from app.web.practice.mistake_views import entry_views, habit_views
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get("/mistakes")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now, kind: str = "") -> Response:
    """我常犯的错, what is open, what is cleared; `?kind=` shows all answers of one kind."""
    mistakes = await site.db.read(load_notebook, caller, site.course, now, kind)
    entries = entry_views(site.course, mistakes, kind)
    if kind and not entries:
        raise NotFound("错题本里没有这一类题，也许还没错过。")
    steps = mistakes.notebook.steps
    return page(
        request,
        "practice/notebook",
        known=mistakes.learner_id is not None,
        page="practice",
        title=entries[0].entry.title if kind else "错题本",
        kind=kind,
        entries=entries,
        cleared=[(entry.kind.id, entry.title) for entry in mistakes.notebook.cleared],
        habits=habit_views(site.course, mistakes.notebook.habits),
        steps=steps if any(steps.values()) else {},
        clearing_rule=CLEARING_RULE,
    )
