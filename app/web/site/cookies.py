"""The cookies of the site: who is signed in, which sign-ins this browser remembers, and choices.

With https the sign-in stands under a name with `__Host-`, which no neighbouring site can set; for one that
began without https the name of before is read and exchanged. On a shared device it ends with the browser.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.records.accounts import learners, tokens
from app.records.accounts.tokens import HTTPS_PREFIX, SHARED_PREFIX, TOKEN_PATTERN
from app.records.accounts.values import Caller
from app.records.db.errors import Busy
from app.records.people import signing_in
from app.web.site import clock
from app.web.site.site import site_of

SIGN_IN_COOKIE = "tangxu"
FORMER_TOKENS_COOKIE = "device"
"""The tokens that this browser was signed in with before. They open nothing any more; a name may be tried by
who was signed in with it while others who try it have to wait."""
CLASS_MEMBERSHIP_COOKIE = "class"
"""Set while whoever is signed in here is in a class or teaches: it says nothing of who, and opens nothing."""
LEARNER_KEY_COOKIE = "learner"
"""Whose unsent words a browser keeps, of who has an account, and whose its pages are: scripts read it
(`js/05-unsent.js`), forms carry it, and it opens nothing. On a shared device it begins as the token does."""
HOST_ONLY_PREFIX = "__Host-"
SIGN_IN_COOKIES = (SIGN_IN_COOKIE, HOST_ONLY_PREFIX + SIGN_IN_COOKIE)
RawHeaders = Sequence[tuple[bytes, bytes]]
CHOICES_BY_PREFERENCE = {
    "theme": ("auto", "light", "dark"),
    "size": ("normal", "large", "projector"),
    "keys": ("on", "off"),
    "streak": ("off", "on"),
}
YEAR_SECONDS = 365 * 24 * 3600
MOST_FORMER_TOKENS = 4
LEARNER_KEY_PATTERN = re.compile("[A-Za-z0-9-]{1,64}")


def token_of(http: Request) -> str | None:
    """The token of the sign-in, under its name of today or of before. With https a neighbour may have set
    that of before, to a sign-in of their own: none that began with https is taken from it."""
    token = http.cookies.get(HOST_ONLY_PREFIX + SIGN_IN_COOKIE)
    if token:
        return token
    former_token = http.cookies.get(SIGN_IN_COOKIE, "")
    if site_of(http).settings.https and former_token.startswith((HTTPS_PREFIX, SHARED_PREFIX)):
        return None
    return former_token or None


def learner_key_of(http: Request) -> str:
    """The key of the account that is signed in here, the same on a shared device; empty for a guest."""
    learner_key = http.cookies.get(LEARNER_KEY_COOKIE, "")
    if LEARNER_KEY_PATTERN.fullmatch(learner_key):
        return learner_key.removeprefix(SHARED_PREFIX)
    return ""


def sign_in_token(http: Request, token: str, is_shared: bool = False) -> str:
    """The token of the sign-in that begins here with this one: its own beginning says where that is."""
    if is_shared:
        return SHARED_PREFIX + token
    if site_of(http).settings.https:
        return HTTPS_PREFIX + token
    return token


def set_cookie(
    http: Request,
    http_response: Response,
    cookie_name: str,
    cookie_value: str,
    max_age: int | None = YEAR_SECONDS,
    *,
    is_for_scripts: bool = False,
) -> None:
    """A cookie of this site; without `max_age` until the browser is closed."""
    http_response.set_cookie(
        cookie_name,
        cookie_value,
        max_age=max_age,
        path="/",
        httponly=not is_for_scripts,
        samesite="lax",
        secure=site_of(http).settings.https,
    )


def protected_name(http: Request, cookie_name: str) -> str:
    """The name under which a cookie is set that no other site may set for us."""
    if site_of(http).settings.https:
        return HOST_ONLY_PREFIX + cookie_name
    return cookie_name


def set_sign_in_cookie(http: Request, http_response: Response, token: str) -> None:
    """This browser is signed in with this token from now on."""
    cookie_name = protected_name(http, SIGN_IN_COOKIE)
    set_cookie(http, http_response, cookie_name, token, seconds_of_sign_in(token))
    site_of(http).presence.record_sighting(token, clock.now())  # not due again today
    if cookie_name != SIGN_IN_COOKIE and SIGN_IN_COOKIE in http.cookies:
        delete_cookie(http_response, SIGN_IN_COOKIE)


def seconds_of_sign_in(token: str) -> int | None:
    """How long the cookies of a sign-in stay; None: until the browser is closed, on a shared device."""
    if token.startswith(SHARED_PREFIX):
        return None
    return YEAR_SECONDS


def keep_signed_in(http: Request, http_response: Response, token: str) -> None:
    """Set the cookie when the verb answered to another token than the cookie's."""
    if token and token != token_of(http):
        set_sign_in_cookie(http, http_response, token)


def renew_sign_in(http: Request, http_response: Response) -> Response:
    """Set the cookie of the sign-in again, for what is set with it has become another: somebody came into a
    class, or out of one."""
    token = token_of(http)
    if token:
        set_sign_in_cookie(http, http_response, token)
    return http_response


class Preferences(NamedTuple):
    """How somebody wants to see and use the pages; kept in plain cookies.

    `is_streak_chosen`: whether days in a row shall be counted was asked and answered. `class_membership`: who
    is in a class ("on") has a way to 作业 on every page, who "teaches" one to 班级.
    """

    theme: str
    size: str
    uses_keys: bool
    counts_streak: bool
    is_streak_chosen: bool
    class_membership: str
    has_learner_key: bool


def preferences_of(http: Request) -> Preferences:
    """The preferences of the cookies; what is not there or not known is the first choice."""
    class_membership = http.cookies.get(CLASS_MEMBERSHIP_COOKIE, "")
    return Preferences(
        theme=preference_of(http, "theme"),
        size=preference_of(http, "size"),
        uses_keys=preference_of(http, "keys") == "on",
        counts_streak=preference_of(http, "streak") == "on",
        is_streak_chosen=http.cookies.get("streak", "") in CHOICES_BY_PREFERENCE["streak"],
        class_membership=class_membership if class_membership in ("on", "teaches") else "",
        has_learner_key=bool(learner_key_of(http)),
    )


def preference_of(http: Request, cookie_name: str) -> str:
    """The choice in a cookie; the first one where there is none."""
    chosen_value = http.cookies.get(cookie_name, "")
    allowed_choices = CHOICES_BY_PREFERENCE[cookie_name]
    if chosen_value in allowed_choices:
        return chosen_value
    return allowed_choices[0]


class SignInCookies:
    """Sets the cookie of a sign-in again at its first request of a day: it lasts a year from then. One that
    came under the name of before, without `__Host-`, is exchanged.

    Whenever it is set, here or by a handler, the key of its learner is set with it, and whether they are in a
    class.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        http = Request(scope)
        token = token_of(http)
        is_due = False
        if token is not None:
            is_first_today = site_of(http).presence.record_sighting(token, clock.now())
            is_due = is_renewal_due(http, token, is_first_today)
        if not is_due and scope["method"] != "POST":  # nobody is signed in by a look
            await self.app(scope, receive, send)
            return

        async def send_with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                if is_due and token:
                    headers = renewed_headers(http, token, headers)
                message["headers"] = await headers_with_learner_cookies(http, headers)
            await send(message)

        await self.app(scope, receive, send_with_cookies)


async def headers_with_learner_cookies(http: Request, headers: RawHeaders) -> RawHeaders:
    """Headers, with what a browser keeps of the learner whom they sign in."""
    token = token_in_headers(headers)
    if not token:
        return headers
    learner_key, class_membership = "", ""
    try:
        database = site_of(http).db
        learner_key, class_membership = await database.read(signing_in.load_key_and_membership, Caller(token))
    except Busy:
        site_of(http).presence.forget_sighting(token)  # the next request tries again
        if token == token_of(http):  # it is still the same learner, of whom the browser knows this already
            return headers
    if learner_key and token.startswith(SHARED_PREFIX):
        learner_key = SHARED_PREFIX + learner_key
    http_response = Response()
    keep_beside_sign_in(http, http_response, token, CLASS_MEMBERSHIP_COOKIE, class_membership)
    keep_beside_sign_in(http, http_response, token, LEARNER_KEY_COOKIE, learner_key)
    return [*headers, *headers_that_set_cookies(http_response.raw_headers)]


def keep_beside_sign_in(
    http: Request, http_response: Response, token: str, cookie_name: str, cookie_value: str
) -> None:
    """A cookie that stays as long as this sign-in. Without a value it goes: it is of somebody else, whose
    sign-in has ended."""
    if cookie_value:
        max_age, is_for_scripts = seconds_of_sign_in(token), cookie_name == LEARNER_KEY_COOKIE
        set_cookie(http, http_response, cookie_name, cookie_value, max_age, is_for_scripts=is_for_scripts)
    elif cookie_name in http.cookies:
        delete_cookie(http_response, cookie_name)


def headers_that_set_cookies(headers: RawHeaders) -> list[tuple[bytes, bytes]]:
    return [header for header in headers if header[0] == b"set-cookie"]


def token_in_headers(headers: RawHeaders) -> str:
    """The token of the sign-in that a response sets; empty where it sets none.

    >>> token_in_headers([(b"set-cookie", b"tangxu=abc; Path=/"), (b"content-type", b"text/html")])
    'abc'
    >>> token_in_headers([(b"set-cookie", b'tangxu=""; Max-Age=0'), (b"set-cookie", b"size=large; Path=/")])
    ''
    """
    for _, cookie_header in headers_that_set_cookies(headers):
        cookie_name, _, cookie_text = cookie_header.decode("latin-1").partition("=")
        token = cookie_text.partition(";")[0].strip('"')
        if token and cookie_name in SIGN_IN_COOKIES:
            return token
    return ""


def is_renewal_due(http: Request, token: str, is_first_today: bool) -> bool:
    """Whether the cookie is to be set again: once a day, and when it came under the name of before; on a
    shared device only until the key of its learner came with it."""
    if token.startswith(SHARED_PREFIX):
        return is_first_today and LEARNER_KEY_COOKIE not in http.cookies
    return is_first_today or protected_name(http, SIGN_IN_COOKIE) not in http.cookies


def renewed_headers(http: Request, token: str, headers: RawHeaders) -> RawHeaders:
    """The headers of a response with the cookie that came; as they are where they say who is signed in."""
    for _, cookie_header in headers_that_set_cookies(headers):
        if cookie_header.partition(b"=")[0].decode("latin-1") in SIGN_IN_COOKIES:
            return headers
    http_response = Response()
    set_sign_in_cookie(http, http_response, token)
    return [*headers, *headers_that_set_cookies(http_response.raw_headers)]


def remember_former_token(http: Request, http_response: Response, token: str) -> None:
    """Keep a token that has ended as a mark of this browser; a shared device keeps none."""
    if token.startswith(SHARED_PREFIX):
        return
    earlier_tokens = [former_token for former_token in former_tokens(http) if former_token != token]
    browser_tokens = [token, *earlier_tokens][:MOST_FORMER_TOKENS]
    set_cookie(http, http_response, protected_name(http, FORMER_TOKENS_COOKIE), ".".join(browser_tokens))


def former_tokens(http: Request) -> list[str]:
    """The tokens of sign-ins before, the latest first."""
    cookie_text = http.cookies.get(protected_name(http, FORMER_TOKENS_COOKIE), "")
    former_tokens_of_cookie = [
        token for token in cookie_text.split(".") if TOKEN_PATTERN.fullmatch(token.removeprefix(HTTPS_PREFIX))
    ]
    return former_tokens_of_cookie[:MOST_FORMER_TOKENS]


def device_tokens(http: Request) -> list[str]:
    """All tokens that this browser is or was signed in with, as far as it says."""
    token = token_of(http)
    if token:
        return [token, *former_tokens(http)]
    return former_tokens(http)


def browser_key(http: Request) -> str:
    """By what the tries of this browser are counted; empty for one that has no cookie yet."""
    browser_tokens = device_tokens(http)
    if browser_tokens:
        return learners.token_hash(browser_tokens[0])[:32]
    return ""


def give_browser_key(http: Request, http_response: Response) -> Response:
    """A mark for a browser without one: from now on it is counted apart from its neighbours."""
    if not device_tokens(http):
        remember_former_token(http, http_response, tokens.fresh_token())
    return http_response


def forget_sign_in(http: Request, http_response: Response, *cookie_names: str) -> Response:
    """The browser is nobody's again; `cookie_names`: other cookies that go with it."""
    for cookie_name in (*SIGN_IN_COOKIES, LEARNER_KEY_COOKIE, *cookie_names):
        if cookie_name in http.cookies:
            delete_cookie(http_response, cookie_name)
    return http_response


def delete_cookie(http_response: Response, cookie_name: str) -> None:
    # A browser takes nothing of that name that is not secure.
    is_host_only = cookie_name.startswith(HOST_ONLY_PREFIX)
    http_response.delete_cookie(cookie_name, path="/", httponly=True, samesite="lax", secure=is_host_only)
