"""Errors become pages in one place: what happened, what was kept, what to do next."""

import logging
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import (
    NOT_SAVED_WORDS,
    Busy,
    NotFound,
    NotPermitted,
    Refused,
    Stale,
    Throttled,
    Unsure,
)
from app.records.db.sqlite.refusals import DISK_ERRORS, file_refusal
from app.web.site import cookies
from app.web.site.posted_forms import (
    FORM_PAGE_FIELD,
    SECRET_FIELDS,
    brings_file,
    has_read_file,
    is_filled_in,
    is_form_read,
    path_of_form_page,
    site_path,
    unsent_form,
    written_texts_of_form,
)
from app.web.site.requests import PageOfAnother
from app.web.site.responses import address_of_request, is_only_looked_at, page, wants_fragment
from app.web.site.routing import route_of
from app.web.site.security import SECURITY_HEADERS
from app.web.site.site import site_of

logger = logging.getLogger(__name__)


class ErrorPageLink(NamedTuple):
    """`opens_tab`: beside the page that it stands on, with which one goes on afterwards."""

    url: str
    label: str
    opens_tab: bool = False


class ErrorView(NamedTuple):
    """An error as people read it."""

    status: int
    heading: str
    text: str
    unharmed_words: str = ""


NOT_FOUND_VIEW = ErrorView(404, "这里没有糖", "没有这一页，或者它不是你的。", "学过的都还在。")
NOT_ALLOWED_VIEW = ErrorView(405, "这条路走不通", "这个地址不能这样打开。", "学过的都还在。")
BROKEN_VIEW = ErrorView(500, "程序出错了", "这是我们的错，不是你的。已经记下来了。", "已经保存的回答都还在。")
BUSY_VIEW = ErrorView(503, "这一次没存上", "", "答案还在你的页面上，过几秒再交一次。")
CLOSED_VIEW = ErrorView(503, "这一页现在打不开", "", "存好的都还在，过几秒再刷新一次。")
UNSURE_VIEW = ErrorView(503, "不知道存上了没有", "", "还没有的话，再交一次；已经有了也不会存成两遍。")
NOT_PERMITTED_VIEW = ErrorView(403, "这件事你做不了", "", "什么也没有改动。")
REFUSED_VIEW = ErrorView(422, "这样不行", "", "什么也没有改动。")
THROTTLED_VIEW = ErrorView(429, "歇一会儿", "", "学过的都还在。")
STALE_VIEW = ErrorView(
    409,
    "没认出你是谁",
    "这台设备上也许已经退出，或者换了人；也可能是这一页放得太久了。登录，或者重新打开这一页，再来一次。",
    "以前保存的都还在。",
)
PAGE_OF_ANOTHER_VIEW = ErrorView(
    409,
    "这一页是换人以前打开的",
    "打开它以后，这台设备上换了人，或者有人登录了。刚才交的没有收下，也没有记到现在这个人名下。",
    "是你的，就登录回来；刚登录的就是你，就重新打开这一页再交。",
)
TOO_SLOW_VIEW = ErrorView(
    408, "没等到", "送来的内容断断续续，没有收全。网络好一些时再交一次。", "什么也没有改动。"
)
SIGN_IN_BESIDE_SENTENCE = "登录会开在新的一页；登录好了，回到这一页再交一次。"
LOST_FILE_SENTENCE = (
    "登录会开在新的一页；登录好了，从这一页退回去：旁边写的还在，选好的文件没有留下，要再选一次。"
)
NOT_SIGNED_IN_VIEW = ErrorView(
    404, "没认出你是谁", "这台设备现在没有登录。", "是你的就先登录，以前保存的都还在。"
)
SIGNED_IN_PATH_PATTERN = re.compile("/(assignments|classrooms|own)(/(?![0-9]+-)|$)")
"""Pages that nobody has without having signed in; a link to own content, `/own/3-…`, opens for everybody."""
HOME_LINK = ErrorPageLink("/", "回首页")
COURSE_LINK = ErrorPageLink("/course", "看课程")
VIEW_BY_STATUS = {view.status: view for view in (NOT_FOUND_VIEW, NOT_ALLOWED_VIEW)}
VIEW_BY_ERROR: dict[type[Exception], ErrorView] = {
    NotFound: NOT_FOUND_VIEW,
    NotPermitted: NOT_PERMITTED_VIEW,
    Refused: REFUSED_VIEW,
    Throttled: THROTTLED_VIEW,
}
"""Errors that say in their own words what happened."""


def install_error_handlers(app: FastAPI) -> None:
    """One handler for each kind of error."""
    for error_class in VIEW_BY_ERROR:
        app.add_exception_handler(error_class, refusal_page)
    app.add_exception_handler(NotFound, not_found_page)
    app.add_exception_handler(Stale, stale_page)
    app.add_exception_handler(Busy, busy_page)
    for disk_error_class in DISK_ERRORS:
        app.add_exception_handler(disk_error_class, disk_trouble_page)
    app.add_exception_handler(HTTPException, http_error_page)
    app.add_exception_handler(RequestValidationError, bad_address_page)
    app.add_exception_handler(Exception, broken_page)


async def refusal_page(http: Request, error: Exception) -> Response:
    keep_refusal_kind(http, error)
    error_view = view_of(error)._replace(text=str(error))
    page_links = [HOME_LINK, COURSE_LINK]
    if not wants_fragment(http) and http.method == "POST":
        form_page_path = path_of_form_page(http)
        if form_page_path.partition("?")[0] not in ("", http.url.path):  # else it is gone as well
            page_links = [ErrorPageLink(form_page_path, "回到刚才那一页"), HOME_LINK]
    return error_response(http, error_view, page_links, written_texts_of_form(http))


def view_of(error: Exception) -> ErrorView:
    """By the nearest class: a kind of refusal is a refusal."""
    for error_class in type(error).__mro__:
        if error_class in VIEW_BY_ERROR:
            return VIEW_BY_ERROR[error_class]
    return BROKEN_VIEW


def keep_refusal_kind(http: Request, error: Exception) -> None:
    """Why nothing came of this request, for who counts refusals: `TooMuchToRead` as `too_much_to_read`."""
    http.scope["refusal"] = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


async def not_found_page(http: Request, error: Exception) -> Response:
    """Whose sign-in has ended is told so: what they had open is theirs again once they are in."""
    if not SIGNED_IN_PATH_PATTERN.match(http.url.path) or await is_signed_in(http):
        return await refusal_page(http, error)
    keep_refusal_kind(http, error)
    is_file_lost = http.method == "POST" and await brings_file(http)
    path_after_sign_in = path_of_form_page(http)
    if is_only_looked_at(http):
        path_after_sign_in = site_path(address_of_request(http))
    return sign_in_response(http, NOT_SIGNED_IN_VIEW, path_after_sign_in, [HOME_LINK], is_file_lost)


async def is_signed_in(http: Request) -> bool:
    token = cookies.token_of(http)
    if token is None:
        return False
    return await site_of(http).db.read(learners.find_learner_id, Caller(token)) is not None


def sign_in_response(
    http: Request,
    error_view: ErrorView,
    path_after_sign_in: str,
    other_links: Sequence[ErrorPageLink],
    is_file_lost: bool = False,
) -> Response:
    """The way to sign in first. It opens beside what was filled in: the form that htmx leaves where it is,
    the page that can send it once more, or the page from which one goes back to choose a file again."""
    # The token that was proposed to a newcomer stays behind: it may be used up.
    fields_to_repeat = [field for field in repeatable_fields(http) if field[0] != "guest"]
    if is_file_lost or not any(is_filled_in(field_name) for field_name, _ in fields_to_repeat):
        fields_to_repeat = []
    opens_tab = wants_fragment(http) or is_file_lost or bool(fields_to_repeat)
    sign_in_url = f"/sign-in?{urlencode({'next': path_after_sign_in or '/'})}"
    sign_in_link = ErrorPageLink(sign_in_url, "登录", opens_tab=opens_tab)
    if opens_tab:
        note_sentence = LOST_FILE_SENTENCE if is_file_lost else SIGN_IN_BESIDE_SENTENCE
        error_view = error_view._replace(unharmed_words=f"{error_view.unharmed_words}{note_sentence}")
    page_links = [sign_in_link, *other_links]
    return error_response(http, error_view, page_links, written_texts_of_form(http), fields_to_repeat)


async def stale_page(http: Request, error: Exception) -> Response:
    keep_refusal_kind(http, error)
    form_page_path = path_of_form_page(http)
    page_links = [HOME_LINK]
    if form_page_path:
        page_links.insert(0, ErrorPageLink(form_page_path, "重新打开这一页"))
    error_view = PAGE_OF_ANOTHER_VIEW if isinstance(error, PageOfAnother) else STALE_VIEW
    return sign_in_response(http, error_view, form_page_path, page_links, has_read_file(http))


async def busy_page(http: Request, error: Exception) -> Response:
    """Nothing was saved, or nobody knows whether it was; who only looks at a page had nothing to save."""
    keep_refusal_kind(http, error)
    error_view, busy_text = BUSY_VIEW, str(error)
    if isinstance(error, Unsure):
        error_view = UNSURE_VIEW
    elif is_only_looked_at(http):
        error_view, busy_text = CLOSED_VIEW, busy_text.replace(NOT_SAVED_WORDS, "")
    http_response = error_response(
        http,
        error_view._replace(text=busy_text),
        kept_texts=written_texts_of_form(http),
        fields_to_repeat=repeatable_fields(http),
    )
    http_response.headers["Retry-After"] = "2"
    return http_response


async def disk_trouble_page(http: Request, error: Exception) -> Response:
    """A file beside the database that the disk did not take: a picture, a download on its way."""
    busy_error = file_refusal(error)
    if busy_error is None:
        raise error
    logger.warning("%s %s: %s", http.method, route_of(http.scope), error)
    return await busy_page(http, busy_error)


async def http_error_page(http: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    error_view = VIEW_BY_STATUS.get(status, ErrorView(status, "这一步没走成", "换个方式再试一次。"))
    http_response = error_response(http, error_view)
    http_response.headers.update(error.headers or {})  # of 405 which methods there are
    return http_response


async def bad_address_page(http: Request, _error: Exception) -> Response:
    """A part of the path that FastAPI could not read: `/classrooms/abc` is no page."""
    http.scope["refusal"] = "unreadable_address"
    return error_response(http, NOT_FOUND_VIEW)


async def broken_page(http: Request, error: Exception) -> Response:
    logger.error("%s %s", http.method, route_of(http.scope), exc_info=error)
    http_response = error_response(http, BROKEN_VIEW)
    http_response.headers.update(
        SECURITY_HEADERS | {"cache-control": "no-store"}
    )  # SecurityHeadersMiddleware does not see this one
    if "request_id" in http.scope:
        http_response.headers["x-request-id"] = http.scope["request_id"]
    return http_response


def too_large_app(too_large_sentence: str) -> ASGIApp:
    """What stands before the routes refuses a body with a page like any other."""
    error_view = ErrorView(413, "太大了", too_large_sentence, "什么也没有改动。")

    async def answer_too_large(scope: Scope, receive: Receive, send: Send) -> None:
        await error_response(Request(scope), error_view)(scope, receive, send)

    return answer_too_large


async def answer_too_late(scope: Scope, receive: Receive, send: Send) -> None:
    """A body that did not come in time; the rest of it is not waited for."""
    http_response = error_response(Request(scope), TOO_SLOW_VIEW)
    http_response.headers["connection"] = "close"
    await http_response(scope, receive, send)


def error_response(
    http: Request,
    error_view: ErrorView,
    error_page_links: Sequence[ErrorPageLink] = (HOME_LINK, COURSE_LINK),
    kept_texts: Sequence[str] = (),
    fields_to_repeat: Sequence[tuple[str, str]] = (),
) -> Response:
    """A page, or for htmx a fragment into the status line, so that the form and what is in it stay.

    `kept_texts`: what the page shows again, because a browser may have forgotten it on the way back.
    `fields_to_repeat`: of the form that the page may send once more.
    """
    if wants_fragment(http):
        html = site_of(http).render(
            "site/_error.html",
            error_view=error_view,
            links=error_page_links,
            kept_texts=(),
            repeatable_fields=(),
        )
        return HTMLResponse(html, error_view.status, {"HX-Retarget": "#status", "HX-Reswap": "innerHTML"})
    return page(
        http,
        "site/error",
        is_signed_in=cookies.token_of(http) is not None,
        status=error_view.status,
        page="error",
        title=error_view.heading,
        error_view=error_view,
        links=error_page_links,
        kept_texts=kept_texts,
        repeatable_fields=fields_to_repeat,
        repeatable_url=address_of_request(http),
        repeatable_type=http.headers.get("content-type", "").partition(";")[0],
    )


def repeatable_fields(http: Request) -> Sequence[tuple[str, str]]:
    """The fields of a form that is sent once more, as it was, and the page that it stood on; none where no
    form was read, or one with a password. Without the file that came with it a form is another one."""
    if has_read_file(http) or not is_form_read(http):
        return ()
    unsent_fields = unsent_form(http).fields
    if any(field_name in SECRET_FIELDS for field_name, _ in unsent_fields):
        return ()
    fields_of_form = [field for field in unsent_fields if field[0] != FORM_PAGE_FIELD]
    return [*fields_of_form, (FORM_PAGE_FIELD, path_of_form_page(http))]
