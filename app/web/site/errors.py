"""Errors become pages in one place: what happened, what was kept, what to do next."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from app.course.text import untrusted
from app.records.db.errors import Busy, NotFound, Refused, Stale, Throttled
from app.web.site.requests import COOKIE, own_path
from app.web.site.responses import page, wants_fragment
from app.web.site.security import HEADERS
from app.web.site.site import site_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WayOut:
    url: str
    label: str


@dataclass(frozen=True)
class ErrorView:
    """An error as people read it."""

    status: int
    heading: str
    said: str
    kept: str = ""


NOT_FOUND = ErrorView(404, "这里没有糖", "没有这一页，或者它不是你的。", "学过的都还在。")
NOT_ALLOWED = ErrorView(405, "这条路走不通", "这个地址不能这样打开。", "学过的都还在。")
UNREADABLE = ErrorView(422, "没看懂这次请求", "地址或内容的格式不对。", "什么也没有改动。")
BROKEN = ErrorView(500, "程序出错了", "这是我们的错，不是你的。已经记下来了。", "已经保存的回答都还在。")
BUSY = ErrorView(503, "这一次没存上", "", "答案还在你的页面上，过几秒再交一次。")
STALE = ErrorView(
    409,
    "没认出你是谁",
    "这台设备上也许已经退出，或者换了人；也可能是这一页放得太久了。登录，或者重新打开这一页，再来一次。",
    "以前保存的都还在。",
)
HOME = WayOut("/", "回首页")

TOO_LARGE = {"/own(/.*)?": f"{untrusted.TOO_LARGE}。"}
"""What is said of a body that is too large, where there is more to say."""


def install(app: FastAPI) -> None:
    """One handler for each kind of error."""
    app.add_exception_handler(NotFound, not_found)
    app.add_exception_handler(Stale, stale)
    app.add_exception_handler(Busy, busy)
    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(Throttled, throttled)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, no_such_path)
    app.add_exception_handler(Exception, broken)


async def not_found(request: Request, error: Exception) -> Response:
    return answer(request, replace(NOT_FOUND, said=str(error)))


async def stale(request: Request, _: Exception) -> Response:
    here = asked_from(request)
    door = WayOut(f"/sign-in?{urlencode({'next': here or '/'})}", "登录")
    return answer(request, STALE, [door, *([WayOut(here, "重新打开这一页")] if here else []), HOME])


def asked_from(request: Request) -> str:
    """The page that a form stood on, if the browser says; `next` of the form may be a page further on."""
    found = re.fullmatch(r"https?://[^/]+([^#]*)", request.headers.get("referer", ""))
    return own_path(found[1]) if found else ""


async def refused(request: Request, error: Exception) -> Response:
    return answer(request, ErrorView(422, "这样不行", str(error), "什么也没有改动。"))


async def throttled(request: Request, error: Exception) -> Response:
    return answer(request, ErrorView(429, "歇一会儿", str(error), "学过的都还在。"))


async def busy(request: Request, error: Exception) -> Response:
    response = answer(request, replace(BUSY, said=str(error)))
    response.headers["Retry-After"] = "2"
    return response


async def http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    known = {404: NOT_FOUND, 405: NOT_ALLOWED, 422: UNREADABLE}
    return answer(request, known.get(status, ErrorView(status, "这一步没走成", "换个方式再试一次。")))


async def no_such_path(request: Request, _: Exception) -> Response:
    """Only the parts of a path are checked by FastAPI: `/attempts/abc` is no page."""
    return answer(request, NOT_FOUND)


async def broken(request: Request, error: Exception) -> Response:
    log.error("%s %s", request.method, request.url.path, exc_info=error)
    response = answer(request, BROKEN)
    response.headers.update(HEADERS | {"cache-control": "no-store"})  # SecurityHeaders does not see this one
    return response


async def too_large(scope: Scope, receive: Receive, send: Send) -> None:
    """What stands before the routes refuses a body with a page like any other."""
    known = next((said for path, said in TOO_LARGE.items() if re.fullmatch(path, scope["path"])), "")
    trouble = ErrorView(413, "太大了", known or "送来的内容太大了，写短一些再试。", "什么也没有改动。")
    await answer(Request(scope), trouble)(scope, receive, send)


def answer(
    request: Request, trouble: ErrorView, ways: Sequence[WayOut] = (HOME, WayOut("/course", "看课程"))
) -> Response:
    """A page, or for htmx a fragment into the status line, so that the form and its answer stay."""
    context = {"heading": trouble.heading, "said": trouble.said, "kept": trouble.kept, "ways": ways}
    if wants_fragment(request):
        html = site_of(request).render("site/_error.html", **context)
        return HTMLResponse(html, trouble.status, {"HX-Retarget": "#status", "HX-Reswap": "innerHTML"})
    known = COOKIE in request.cookies
    return page(
        request,
        "site/error",
        known=known,
        status=trouble.status,
        page="error",
        title=trouble.heading,
        **context,
    )
