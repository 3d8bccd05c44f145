"""How a handler answers: pages, fragments and the way to another page, with the cookies that they set."""

import secrets
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from fastapi import Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.course import Course
from app.web.site import cookies, slots
from app.web.site.clock import now
from app.web.site.packing import PackedPage
from app.web.site.site import Site, site_of

GUEST_FIELD = Markup('<input type="hidden" name="guest" value="{}">')
"""The form of a newcomer proposes the token of the sign-in that its post makes."""
PREFERENCE_CHOICES = {
    "theme": ("auto", "light", "dark"),
    "size": ("normal", "large", "projector"),
    "keys": ("on", "off"),
    "streak": ("off", "on"),
}
Context = dict[str, Any]
Parts = Mapping[Markup, Sequence[str]]
Texts = Mapping[Markup, str]
PERSONAL_SLOTS = frozenset({slots.BASE, slots.GUEST, slots.SHOWN_AT})
"""Slots whose texts hardly two readers share."""
FEW_PARTS = 3
"""So few parts are packed as one, for less on the wire."""
PARTS_REFERRED_TO = 3
"""So many parts before it may a part of a page refer to: all of them would save a twentieth more."""


def page(http: Request, template: str, *, is_signed_in: bool, status: int = 200, **context: Any) -> Response:
    """A whole page, rendered for this visitor; `is_signed_in`: this browser is a learner, guests among them.

    One that says an `error` is refused by 422 where no other status is named.
    """
    if status == 200 and context.get("error"):
        status = 422
    html = render_page(site_of(http), template, is_signed_in, preferences_of(http), context)
    return page_response(http, html, is_signed_in, status)


def kept_page(
    http: Request,
    template: str,
    key: Hashable,
    make_context: Callable[[], Context],
    parts: Parts,
    texts: Texts,
    *,
    is_signed_in: bool,
) -> PackedPage:
    """A page whose frame is rendered once for each key. `parts` go into its slots, `texts` into all slots."""
    site = site_of(http)
    preferences = preferences_of(http)
    frame = site.cached(
        (template, key, is_signed_in, preferences, *site.faults),
        lambda: render_page(site, template, is_signed_in, preferences, make_context()),
    )
    return packed(http, frame, parts, {**visitor_slots(http, is_signed_in), **texts})


def revalidated(http: Request, response: Response) -> Response:
    """A page that the browser may keep if it asks each time: 304, without a body, while it is the same."""
    tag = f'"{sha256(bytes(response.body)).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "Accept-Encoding, Cookie"}
    if tag in http.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response


def packed(http: Request, frame: str, parts: Parts, texts: Texts) -> PackedPage:
    """HTML out of a frame, parts for its slots and texts for all slots; each part compressed once for all."""
    site = site_of(http)
    personal_bytes = {slot: escape(text).encode() for slot, text in texts.items() if slot in PERSONAL_SLOTS}
    shared_texts = {slot: text for slot, text in texts.items() if slot not in PERSONAL_SLOTS}
    filled_slots = [slot for slot, part_htmls in parts.items() if part_htmls]
    for slot in parts.keys() - filled_slots:  # the HTML around it stays in one piece
        shared_texts[slot] = slots.NOTHING
    htmls: list[str] = []
    for piece in slots.cut(frame, *filled_slots):
        htmls += parts.get(Markup(piece), [piece])  # noqa: S704  # looked up, not shown
    if len(htmls) <= FEW_PARTS:
        htmls = ["".join(htmls)]
    packed_parts = []
    for end in range(1, len(htmls) + 1):
        start = max(0, end - 1 - PARTS_REFERRED_TO)
        packed_parts.append(site.packed(htmls[start:end], shared_texts, personal_bytes))
    return PackedPage(tuple(packed_parts), personal_bytes)


@dataclass(frozen=True)
class Preferences:
    """How somebody wants to see and use the pages; kept in plain cookies.

    `is_streak_chosen`: whether days in a row shall be counted was asked and answered. `class_membership`: who
    is in a class ("on") has a way to 作业 on every page, who "teaches" one to 班级.
    """

    theme: str
    size: str
    uses_keys: bool
    counts_streak: bool = False
    is_streak_chosen: bool = False
    class_membership: str = ""


def preferences_of(http: Request) -> Preferences:
    """The preferences of the cookies; what is not there or not known is the first choice."""
    class_membership = http.cookies.get(cookies.CLASS_MEMBERSHIP, "")
    return Preferences(
        theme=preference(http, "theme"),
        size=preference(http, "size"),
        uses_keys=preference(http, "keys") == "on",
        counts_streak=preference(http, "streak") == "on",
        is_streak_chosen=http.cookies.get("streak", "") in PREFERENCE_CHOICES["streak"],
        class_membership=class_membership if class_membership in ("on", "teaches") else "",
    )


def preference(http: Request, cookie_name: str) -> str:
    """The choice in a cookie; the first one where there is none."""
    cookie = http.cookies.get(cookie_name, "")
    known_values = PREFERENCE_CHOICES[cookie_name]
    if cookie in known_values:
        return cookie
    return known_values[0]


def render_page(
    site: Site, template: str, is_signed_in: bool, preferences: Preferences, context: Context
) -> Markup:
    """A page with its slots still open."""
    return site.render(
        f"{template}.html",
        **context,
        signed_in=is_signed_in,
        preferences=preferences,
        path=slots.PATH,
        guest_field=slots.GUEST,
        faults=site.faults,
    )


def page_response(http: Request, html: str, is_signed_in: bool, status: int = 200) -> Response:
    """The page with the slots that every page has."""
    return HTMLResponse(slots.fill(html, visitor_slots(http, is_signed_in)), status)


def visitor_slots(http: Request, is_signed_in: bool) -> dict[Markup, str]:
    """What every page has of its visitor: where it is, who a newcomer will be, when it was shown."""
    address = address_of_page(http)
    return {slots.PATH: address, slots.GUEST: guest_field(is_signed_in), slots.SHOWN_AT: current_second()}


def address_of_page(http: Request) -> str:
    """Path and query, as they were asked for."""
    path = http.url.path
    if http.url.query:
        return f"{path}?{http.url.query}"
    return path


def guest_field(is_signed_in: bool) -> Markup:
    """What a form of a newcomer carries: the token of the sign-in that their first post makes."""
    if is_signed_in:
        return slots.NOTHING
    return GUEST_FIELD.format(secrets.token_urlsafe(32))


def current_second() -> str:
    """The present second since 1970, for the slot `SHOWN_AT`."""
    return f"{int(now().timestamp())}"


def wants_fragment(http: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return "hx-request" in http.headers


def fragment(
    http: Request, html: str, *, token: str = "", status: int = 200, guest: str = slots.NOTHING
) -> Response:
    """A part of a page for htmx. Whoever posted is signed in from now on, so `guest` is mostly empty."""
    response = HTMLResponse(slots.fill(html, {slots.GUEST: guest, slots.SHOWN_AT: current_second()}), status)
    cookies.keep_signed_in(http, response, token)
    return response


def packed_fragment(http: Request, html: str, texts: Texts, *, token: str) -> Response:
    """A part of a page for whoever is signed in by now; compressed once for all to whom it looks alike."""
    page_values = {slots.GUEST: slots.NOTHING, slots.SHOWN_AT: current_second(), slots.TURN: slots.NOTHING}
    response = packed(http, html, {}, {**page_values, **texts}).response(http)
    cookies.keep_signed_in(http, response, token)
    return response


def redirect(http: Request, path: str, *, token: str = "") -> Response:
    """Go and see the page that shows the same state."""
    response = RedirectResponse(quote(path, safe="/?&=#:%.-_~,;+*@!"), 303)
    cookies.keep_signed_in(http, response, token)
    return response


def attachment(name: str, plain_name: str) -> str:
    """The header of a file to keep, under its name; old browsers take the plain one.

    >>> attachment("糖.csv", "marks.csv").partition("*=")[2]
    "UTF-8''%E7%B3%96.csv"
    """
    return f"attachment; filename=\"{plain_name}\"; filename*=UTF-8''{quote(name, safe='')}"


def markup(html: str) -> Markup:
    """HTML that our own floors made."""
    return Markup(html)  # noqa: S704  # rendered and cleaned by the course, or by an autoescaping template


def line_html(course: Course, text: str) -> Markup:
    """A text of one line, as HTML."""
    return markup(course.line(text))


def line_htmls(course: Course, texts: Iterable[str]) -> list[Markup]:
    """Texts of one line each, as HTML."""
    return [line_html(course, text) for text in texts]


def text_html(course: Course, text: str) -> Markup:
    """A text with paragraphs, as HTML."""
    return markup(course.html(text))


def text_htmls(course: Course, texts: Iterable[str]) -> list[Markup]:
    """Texts with paragraphs, as HTML."""
    return [text_html(course, text) for text in texts]
