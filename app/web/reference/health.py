"""Whether the site lives and can work, for programs that watch it: three plain answers, `ok` or why not."""

from fastapi import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from app.records.db.errors import Busy
from app.records.db.portable import expect_standby
from app.records.db.revision import expect_writable, revision_of_site
from app.web.site.site import site_of

OK = PlainTextResponse("ok")
"""The same for all who ask."""


async def answer_health(http: Request) -> PlainTextResponse:
    """Whether this process answers, and its database with it.

    200 promises no more: not that the disk has room, nor that the file is sound. A supervisor that starts a
    site anew would mend neither; whoever writes hears of it in words.
    """
    try:
        await site_of(http).db.glance(revision_of_site)
    except Busy as error:
        return PlainTextResponse(str(error), 503)
    return OK


async def answer_liveness(_: Request) -> PlainTextResponse:
    """Whether this process answers; nothing else is touched. No answer: start it anew."""
    return OK


async def answer_readiness(http: Request) -> PlainTextResponse:
    """Whether this process can write down an answer now. 503: send people elsewhere, and start nothing anew.

    It goes the way of an answer: through the queue, to whoever writes, in a transaction that is committed.
    That one writes nothing, so it would not wait for a standby as an answer does: that is asked before.
    """
    database = site_of(http).db
    try:
        await database.glance(expect_standby)
        await database.write(expect_writable)
    except Busy as error:
        return PlainTextResponse(str(error), 503)
    return OK


FREQUENT_ROUTES = (
    Route("/healthz", answer_health),
    Route("/livez", answer_liveness),
    Route("/readyz", answer_readiness),
)
"""Asked every few seconds by who watches the site: matched without FastAPI's parameters, and before anything
looks for a learner or a form."""
