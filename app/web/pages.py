"""Pages and fragments: how a handler answers."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.web.asking import GUEST_MARK, guest_field, keep_signed_in
from app.web.site import site_of

CHOICES = {
    "theme": ("auto", "light", "dark"),
    "size": ("normal", "large", "projector"),
    "keys": ("on", "off"),
}


@dataclass(frozen=True)
class Prefs:
    """How somebody wants to see and use the pages; kept in plain cookies."""

    theme: str
    size: str
    keys: bool


def prefs(request: Request) -> Prefs:
    """The preferences of the cookies; what is not there or not known is the first choice."""
    kept = {name: request.cookies.get(name, "") for name in CHOICES}
    theme, size, keys = (kept[name] if kept[name] in known else known[0] for name, known in CHOICES.items())
    return Prefs(theme, size, keys == "on")


def page(request: Request, template: str, *, known: bool, status: int = 200, **context: Any) -> Response:
    """A whole page; the marks of cached fragments get this visitor's guest field."""
    site = site_of(request)
    field = guest_field(known)
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    shared = {"known": known, "guest_field": GUEST_MARK, "prefs": prefs(request), "path": path}
    found = site.templates.get_template(f"pages/{template}.html")
    html = found.render(**context, **shared, faults=site.faults)
    return HTMLResponse(html.replace(GUEST_MARK, field), status)


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return "hx-request" in request.headers and "hx-boosted" not in request.headers


def fragment(request: Request, html: str, *, token: str = "", status: int = 200, guest: str = "") -> Response:
    """A part of a page for htmx. Whoever posted is known from now on, so `guest` is mostly empty."""
    response = HTMLResponse(html.replace(GUEST_MARK, guest), status)
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
