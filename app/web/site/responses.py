"""Pages and fragments: how a handler answers."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.web.site import slots
from app.web.site.clock import now
from app.web.site.requests import CLASSMATE, guest_field, keep_signed_in
from app.web.site.site import Site, site_of

Context = dict[str, Any]
Parts = Mapping[Markup, str]
CHOICES = {
    "theme": ("auto", "light", "dark"),
    "size": ("normal", "large", "projector"),
    "keys": ("on", "off"),
    "streak": ("off", "on"),
}


@dataclass(frozen=True)
class Prefs:
    """How somebody wants to see and use the pages; kept in plain cookies.

    `classmate`: who is in a class ("on") has a way to 作业 on every page, who "teaches" one to 班级.
    """

    theme: str
    size: str
    keys: bool
    streak: bool = False
    classmate: str = ""


def prefs(request: Request) -> Prefs:
    """The preferences of the cookies; what is not there or not known is the first choice."""
    classmate = request.cookies.get(CLASSMATE, "")
    return Prefs(
        theme=choice(request, "theme"),
        size=choice(request, "size"),
        keys=choice(request, "keys") == "on",
        streak=choice(request, "streak") == "on",
        classmate=classmate if classmate in ("on", "teaches") else "",
    )


def choice(request: Request, name: str) -> str:
    """The choice in a cookie; the first one where there is none."""
    cookie = request.cookies.get(name, "")
    choices = CHOICES[name]
    if cookie in choices:
        return cookie
    return choices[0]


def page(request: Request, template: str, *, known: bool, status: int = 200, **context: Any) -> Response:
    """A whole page, rendered for this visitor."""
    html = render_page(site_of(request), template, known, prefs(request), context)
    return page_context(request, html, known, status)


def kept_page(
    request: Request, template: str, key: Hashable, make: Callable[[], Context], parts: Parts, *, known: bool
) -> Response:
    """A page whose frame is rendered once for each key; `parts` go into its slots."""
    site = site_of(request)
    preferences = prefs(request)
    html = site.cached(
        (template, key, known, preferences, *site.faults),
        lambda: render_page(site, template, known, preferences, make()),
    )
    return page_context(request, slots.fill(html, parts), known)


def render_page(site: Site, template: str, known: bool, preferences: Prefs, context: Context) -> Markup:
    """A page with its slots still open."""
    return site.render(
        f"{template}.html",
        **context,
        known=known,
        prefs=preferences,
        path=slots.PATH,
        guest_field=slots.GUEST,
        faults=site.faults,
    )


def page_context(request: Request, html: str, known: bool, status: int = 200) -> Response:
    """The page with the slots that every page has."""
    path = request.url.path
    if request.url.query:
        path = f"{path}?{request.url.query}"
    visitor = {slots.PATH: path, slots.GUEST: guest_field(known), slots.SHOWN: this_second()}
    return HTMLResponse(slots.fill(html, visitor), status)


def this_second() -> str:
    """The present second since 1970, for the slot `SHOWN`."""
    return f"{int(now().timestamp())}"


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return "hx-request" in request.headers


def fragment(
    request: Request, html: str, *, token: str = "", status: int = 200, guest: str = slots.NOTHING
) -> Response:
    """A part of a page for htmx. Whoever posted is known from now on, so `guest` is mostly empty."""
    response = HTMLResponse(slots.fill(html, {slots.GUEST: guest, slots.SHOWN: this_second()}), status)
    keep_signed_in(request, response, token)
    return response


def see(request: Request, path: str, *, token: str = "") -> Response:
    """Go and see the page that shows the same state."""
    response = RedirectResponse(quote(path, safe="/?&=#:%.-_~,;+*@!"), 303)
    keep_signed_in(request, response, token)
    return response


def markup(html: str) -> Markup:
    """HTML that our own floors made."""
    return Markup(html)  # noqa: S704  # rendered and cleaned by the course, or by an autoescaping template
