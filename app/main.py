"""The site's table of contents: its routes, and what stands before and behind them."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from zoneinfo import ZoneInfo

from asgi_cross_origin_protection import CrossOriginProtection
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse

from app.records.database import open_database
from app.settings import Settings, load, root
from app.web import (
    accounts,
    assignment_parts,
    assignments,
    attempts,
    audits,
    bands,
    card_files,
    card_stats,
    cards,
    class_items,
    class_map,
    class_mistakes,
    class_tests,
    classrooms,
    code,
    discussions,
    errata,
    errors,
    examples,
    games,
    gradebook,
    home,
    invitations,
    items,
    joining,
    labs,
    lessons,
    me,
    mistakes,
    my_assignments,
    my_data,
    own,
    own_cards,
    own_lessons,
    placement,
    practice,
    reference,
    regrades,
    reports,
    reviews,
    rosters,
    students,
    today,
    warm_ups,
    work_of_students,
)
from app.web.assets import Assets
from app.web.security import BodyLimit, HeadAsGet, KnownHost, SecurityHeaders
from app.web.site import Shelf, Site, environment

HOT = (*lessons.HOT, *attempts.HOT, *examples.HOT, *reviews.HOT)
"""Matched before all others, in this order."""

ROUTES = (
    *(lessons, attempts, examples, errata, practice, mistakes, code, labs, placement, warm_ups),
    *(own_cards, card_files, card_stats, cards),
    *(items, home, me, my_data, accounts, bands, games, reference, reports),
    *(assignments, assignment_parts, my_assignments),
    *(own, own_lessons, classrooms, students, rosters, joining, invitations),
    *(today, class_mistakes, class_items, class_map, class_tests, discussions),
    *(gradebook, work_of_students, regrades, audits),
)
LARGER_BODIES = {**card_files.LARGER_BODIES, **rosters.LARGER_BODIES, **own.LARGER_BODIES}


def create_app(settings: Settings | None = None) -> FastAPI:
    """The site. Raises `Faults` when the content is bad; the database opens when serving begins."""
    settings = settings or load()
    assets = Assets(root() / "static")
    templates = environment(root() / "templates", assets, settings.reload, ZoneInfo(settings.time_zone))
    site = Site(
        settings, Shelf(settings.content, settings.data / "cache", settings.reload), assets, templates
    )
    app = FastAPI(
        title="糖序", lifespan=lifespan, routes=[*HOT], openapi_url=None, docs_url=None, redoc_url=None
    )
    app.state.site = site
    for module in ROUTES:
        app.include_router(module.router)
    app.mount("/static", assets)
    errors.install(app)
    protect(app, settings)
    return app


def protect(app: FastAPI, settings: Settings) -> None:
    """The last one added is the first one to see a request."""
    refused = PlainTextResponse("这个请求来自别的网站，没有执行。", 403)
    app.add_middleware(HeadAsGet)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=1)
    app.add_middleware(CrossOriginProtection, deny_app=refused)
    app.add_middleware(BodyLimit, refused=errors.too_large, larger=LARGER_BODIES)
    app.add_middleware(KnownHost, public_name=settings.public_name)
    app.add_middleware(SecurityHeaders, https=settings.https)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the database, serve, close it: what was accepted is written and answered first."""
    site: Site = app.state.site
    site.open(open_database(site.settings.database_url))
    gc.collect()
    gc.freeze()
    gc.enable()
    yield
    await site.db.close()
