"""The site's table of contents: its routes, and what stands before and behind them."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from types import ModuleType
from zoneinfo import ZoneInfo

from asgi_cross_origin_protection import CrossOriginProtection
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.records.db.database import Database, open_database
from app.records.db.errors import ServerAway
from app.records.people import security_log
from app.settings import Settings, load, root
from app.web import answers, certificate, item_pages, problem_reports, start_page
from app.web.accounts import accounts, hashing, me
from app.web.assignments import student_pages
from app.web.cards import card_files, card_stats, deck, deck_settings, own_cards, reviews
from app.web.classes import joining
from app.web.games import games
from app.web.learning import bookmarks, code, examples, labs, lessons, toys, warm_ups
from app.web.learning.known_pages import KnownPagesFirst
from app.web.operation import allocator, logs, metrics_page, slow_pages, upkeep
from app.web.operation.metrics import Metrics
from app.web.operation.observing import ObservedRequests, Observer
from app.web.practice import five_minutes, mistakes, placement, practice
from app.web.reference import bands, errata, health, reference_pages, searches
from app.web.reference.shared_pages import SharedPagesFirst
from app.web.site import clock, errors
from app.web.site.assets import Assets, StaticFirst
from app.web.site.cookies import SignInCookies
from app.web.site.off_loop import OffLoop, share_processor
from app.web.site.packing import SHORTEST_PACKED_BYTES
from app.web.site.rendering import template_environment
from app.web.site.routing import FrequentRoutesFirst, RouteTable, first_path_part
from app.web.site.security import BodyLimit, BodyLimitRule, HeadAsGet, KnownHost, SecurityHeadersMiddleware
from app.web.site.site import CourseFolder, OwnCourses, Site
from app.web.workbench import page as workbench
from app.web.workbench import probing, reconciling

log = logging.getLogger(__name__)
MOST_WAITING_VERBS = 512
"""How many verbs may wait for the database, of all processes together."""
LONGEST_DATABASE_WAIT_SECONDS = 60
"""Seconds in which a server that was there a moment ago is back."""
OBJECTS_BEFORE_COLLECTION = 20_000
"""So many before the garbage collector looks through them, instead of 700: a gradebook of 200 × 60 makes a
hundred thousand and throws none away, and was looked through for a fifth of its 106 ms."""
FREQUENT_ROUTES = (
    *lessons.FREQUENT_ROUTES,
    *answers.FREQUENT_ROUTES,
    *examples.FREQUENT_ROUTES,
    *reviews.FREQUENT_ROUTES,
    *health.FREQUENT_ROUTES,
    *reference_pages.FREQUENT_ROUTES,
)
"""Answered before all others, in this order. Those of `health` stand further out once more; their HEAD and
their other methods come to the routes of the site, which begin with these."""

ROUTE_MODULES = (
    *(lessons, answers, examples, errata, practice, mistakes, code, labs, placement, toys, warm_ups),
    *(bookmarks, five_minutes, own_cards, card_files, card_stats, deck_settings, deck),
    *(item_pages, start_page, certificate, me, accounts, bands, games),
    *(reference_pages, searches, problem_reports),
    *(workbench, reconciling, probing),
    *(student_pages, joining, metrics_page),
)
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    **card_files.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **workbench.BODY_LIMIT_RULE_BY_PATH_PATTERN,
    **reconciling.BODY_LIMIT_RULE_BY_PATH_PATTERN,
}
TEACHING_PATH_PARTS = frozenset({"classrooms", "own", "pictures", "series", "staff"})
"""First parts of the addresses whose pages stand in `teaching_pages`."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The site. Raises `Faults` when the content is bad; the database opens when serving begins."""
    settings = settings or load()
    assets = Assets(root() / "static")
    templates = template_environment(
        root() / "templates", assets, settings.reload, ZoneInfo(settings.time_zone)
    )
    course_folder = CourseFolder(settings.content, settings.data / "cache", settings.reload)
    off_loop = OffLoop()
    site = Site(settings, course_folder, assets, templates, off_loop, OwnCourses(off_loop))
    application = FastAPI(
        title="糖序",
        lifespan=lifespan,
        routes=[RouteTable(site_routes(), TEACHING_PATH_PARTS, teaching_routes)],
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    application.state.site = site
    application.state.metrics = metrics_of(site)
    errors.install_error_handlers(application)
    add_protecting_middleware(application, site)
    add_observing_middleware(application, settings)
    return application


def metrics_of(site: Site) -> Metrics | None:
    """What counts for the operator, where a setting asks for it."""
    if not site.settings.metrics_token:
        return None
    metrics = Metrics()
    metrics.watch_site(site)
    return metrics


def site_routes() -> list[Route]:
    """The routes that are there from the start, in the order in which they match."""
    return [*FREQUENT_ROUTES, *routes_of(ROUTE_MODULES)]


def teaching_routes() -> list[Route]:
    """Those that come after them. Their pages are imported now, unless somebody has asked for one before."""
    from app import teaching_pages

    gc.freeze()  # like what was loaded at the start, it stays
    return routes_of(teaching_pages.ROUTE_MODULES)


def routes_of(modules: Iterable[ModuleType]) -> list[Route]:
    return [route for module in modules for route in module.router.routes]


def body_rules_near(path: str) -> Mapping[str, BodyLimitRule]:
    """The rules for bodies of some addresses, by their patterns: those among which `path` may be."""
    if first_path_part(path) not in TEACHING_PATH_PARTS:
        return BODY_LIMIT_RULE_BY_PATH_PATTERN
    from app import teaching_pages

    return teaching_pages.BODY_LIMIT_RULE_BY_PATH_PATTERN


def add_protecting_middleware(app: FastAPI, site: Site) -> None:
    """From the inside out: the last one added is the first one to see a request."""
    settings = site.settings
    cross_origin_refusal = PlainTextResponse("这个请求来自别的网站，没有执行。", 403)
    # Around the handlers alone: what answers further out knows HEAD, or leaves it to this one.
    app.add_middleware(HeadAsGet)
    # Around HeadAsGet: a body that is not sent is not packed.
    app.add_middleware(GZipMiddleware, minimum_size=SHORTEST_PACKED_BYTES, compresslevel=1)
    # Outside GZip and FastAPI, which cost more than these handlers do; they pack by themselves. Inside all
    # that follows: answers are posted here, and learners signed in.
    app.add_middleware(
        FrequentRoutesFirst, routes=FREQUENT_ROUTES, handler_by_error_class=app.exception_handlers
    )
    # Around every handler that signs somebody in; inside the refusals, which sign in nobody.
    app.add_middleware(SignInCookies)
    # Outside whatever acts for the sign-in that came with a forged form.
    app.add_middleware(CrossOriginProtection, deny_app=cross_origin_refusal)
    # Outside all that reads a body.
    app.add_middleware(
        BodyLimit,
        refused_app_saying=errors.too_large_app,
        late_app=errors.answer_too_late,
        rules_near=body_rules_near,
    )
    # Once more, for the few that neither have a body nor are asked by a learner: outside all that looks for
    # one or the other.
    app.add_middleware(
        FrequentRoutesFirst, routes=health.FREQUENT_ROUTES, handler_by_error_class=app.exception_handlers
    )
    # Outside all routes, as it knows its paths itself; inside KnownHost, for files too have one address.
    app.add_middleware(StaticFirst, assets=site.assets)
    # Outside all that answers anew.
    app.add_middleware(KnownHost, public_host_name=settings.public_name)
    # Outside all that makes an answer, refusals among them.
    app.add_middleware(SecurityHeadersMiddleware, is_https=settings.https)
    if not settings.reload:
        # Outside SecurityHeadersMiddleware, for they keep an answer with all its headers; and outside
        # KnownHost, for the host is part of their key: what they give again, it has let pass before.
        app.add_middleware(SharedPagesFirst, shared_route_by_path=reference_pages.SHARED_ROUTE_BY_PATH)
        app.add_middleware(KnownPagesFirst, site=site)


def add_observing_middleware(app: FastAPI, settings: Settings) -> None:
    """Around everything else, where figures or log lines are wanted; nothing otherwise."""
    observers: list[Observer] = []
    if app.state.metrics:
        observers.append(app.state.metrics.observe)
    if settings.json_logs:
        observers.append(logs.log_request)
    if observers:
        if settings.trusted_proxies:
            app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.trusted_proxies)
        app.add_middleware(ObservedRequests, observers=observers, proxies_text=settings.trusted_proxies)


async def wait_for_database(settings: Settings) -> Database:
    """The database, which was ready when the site began to start. A server that is away for a moment is
    waited for: a worker that gave up would end its siblings with it."""
    try_opening = partial(
        open_database,
        settings.database_url,
        replica_url=settings.replica_url,
        most_waiting_verbs=MOST_WAITING_VERBS // settings.workers,
    )
    for _ in range(LONGEST_DATABASE_WAIT_SECONDS):
        try:
            return try_opening()
        except ServerAway as error:
            log.warning("waiting for the database: %s", error)
            await asyncio.sleep(1)
    return try_opening()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the database, serve, close it: what was accepted is written and answered first."""
    allocator.keep_little_free_memory()
    site: Site = app.state.site
    site.use_database(await wait_for_database(site.settings))
    if app.state.metrics:
        app.state.metrics.watch_database(site.db)
    hashing.share_cores(site.settings.workers)
    security_log.open_log_in_folder(site.settings.data)
    slow_pages.open_slow_log_in_folder(site.settings.data)
    share_processor()
    gc.freeze()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
    gc.enable()
    upkeep_task = asyncio.create_task(upkeep.run_forever(site))
    hand_in_task = asyncio.create_task(upkeep.hand_in_forever(site))
    yield
    upkeep_task.cancel()
    hand_in_task.cancel()
    await upkeep.carry_out(upkeep.save_sightings, site, clock.now())
    await site.db.close()
    security_log.close_log()
    slow_pages.close_slow_log()
