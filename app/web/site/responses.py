"""How a handler answers: pages, fragments and the way to another page, with the cookies that they set."""

import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from fastapi import Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from app.records.accounts import tokens
from app.web.site import clock, cookies, slots
from app.web.site.packing import PackedPage
from app.web.site.posted_forms import path_of_form_page
from app.web.site.site import Site, site_of

NOT_FOR_CRAWLERS = {"X-Robots-Tag": "noindex, nofollow"}
Context = dict[str, Any]
HtmlsBySlot = Mapping[Markup, Sequence[str]]
TextBySlot = Mapping[Markup, str]
PERSONAL_SLOTS = frozenset({slots.BASE, slots.SENDER, slots.SHOWN_AT})
"""Slots whose texts hardly two readers share."""
MOST_PARTS_PACKED_AS_ONE = 3
"""So few parts are packed as one, for less on the wire."""
PARTS_REFERRED_TO = 3
"""So many parts before it may a part of a page refer to: all of them would save a twentieth more."""


def page(
    http: Request,
    template: str,
    *,
    is_signed_in: bool,
    status: int = 200,
    is_about_class: bool = False,
    preferences: cookies.Preferences | None = None,
    **context: Any,
) -> Response:
    """A whole page, rendered for this visitor; `is_signed_in`: this browser is a learner, guests among them.
    `is_about_class`: its forms are sent by an account. `preferences`: where the cookies come with the page.

    One that says an `error_sentence` is refused by 422 where no other status is named.
    """
    if status == 200 and context.get("error_sentence"):
        status = 422
    if preferences is None:
        preferences = cookies.preferences_of(http)
    is_form_answer = not is_only_looked_at(http)
    page_html: str = render_page(site_of(http), template, is_signed_in, preferences, context, is_form_answer)
    if is_about_class:
        page_html = slots.add_senders(page_html)
    return HTMLResponse(slots.fill(page_html, text_by_visitor_slot(http, is_signed_in)), status)


def kept_page(
    http: Request,
    template: str,
    frame_key: Hashable,
    make_context: Callable[[], Context],
    htmls_by_slot: HtmlsBySlot,
    text_by_slot: TextBySlot,
    *,
    is_signed_in: bool,
) -> PackedPage:
    """A page whose frame is rendered once for each `frame_key`, with parts and texts in its slots."""
    site = site_of(http)
    preferences = cookies.preferences_of(http)
    frame_html = site.cached_html(
        (template, frame_key, is_signed_in, preferences, *site.faults),
        lambda: render_page(site, template, is_signed_in, preferences, make_context()),
    )
    return packed_page(
        http, frame_html, htmls_by_slot, {**text_by_visitor_slot(http, is_signed_in), **text_by_slot}
    )


def with_etag(http: Request, http_response: Response) -> Response:
    """A page that the browser may keep if it asks each time: 304, without a body, while it is the same."""
    etag = f'"{sha256(bytes(http_response.body)).hexdigest()[:20]}"'
    headers = {"etag": etag, "cache-control": "private, no-cache", "vary": "Accept-Encoding, Cookie"}
    if has_page(http.scope, etag.encode()):
        return Response(status_code=304, headers=headers)
    http_response.headers.update(headers)
    return http_response


def has_page(scope: Scope, page_tag: bytes) -> bool:
    """Whether a browser says that it has the page with this tag."""
    for header_name, header_value in scope["headers"]:
        if header_name == b"if-none-match":
            return page_tag in header_value
    return False


def packed_page(
    http: Request, page_html: str, htmls_by_slot: HtmlsBySlot, text_by_slot: TextBySlot
) -> PackedPage:
    """HTML out of a frame, parts for its slots and texts for all slots; each part compressed once for all."""
    site = site_of(http)
    bytes_by_personal_slot = {
        slot: escape(slot_text).encode() for slot, slot_text in text_by_slot.items() if slot in PERSONAL_SLOTS
    }
    text_by_shared_slot = {
        slot: slot_text for slot, slot_text in text_by_slot.items() if slot not in PERSONAL_SLOTS
    }
    filled_slots = [slot for slot, part_htmls in htmls_by_slot.items() if part_htmls]
    for slot in htmls_by_slot.keys() - filled_slots:  # the HTML around it stays in one piece
        text_by_shared_slot[slot] = slots.NOTHING
    html_pieces: list[str] = []
    for html_piece in slots.cut(page_html, *filled_slots):
        html_pieces += htmls_by_slot.get(Markup(html_piece), [html_piece])  # noqa: S704  # looked up, not shown
    if len(html_pieces) <= MOST_PARTS_PACKED_AS_ONE:
        html_pieces = ["".join(html_pieces)]
    packed_parts = []
    for end_index in range(1, len(html_pieces) + 1):
        start_index = max(0, end_index - 1 - PARTS_REFERRED_TO)
        packed_parts.append(
            site.packed_part(html_pieces[start_index:end_index], text_by_shared_slot, bytes_by_personal_slot)
        )
    return PackedPage(tuple(packed_parts), bytes_by_personal_slot)


def render_page(
    site: Site,
    template: str,
    is_signed_in: bool,
    preferences: cookies.Preferences,
    context: Context,
    is_form_answer: bool = False,
) -> Markup:
    """A page with its slots still open. `is_form_answer`: who leaves it finds no way back to it."""
    return site.render(
        f"{template}.html",
        **context,
        signed_in=is_signed_in,
        preferences=preferences,
        is_form_answer=is_form_answer,
        page_path=slots.PATH,
        quoted_page_path=slots.QUOTED_PATH,
        sender_field=slots.SENDER,
        faults=site.faults,
    )


def text_by_visitor_slot(http: Request, is_signed_in: bool) -> dict[Markup, str]:
    """What every page has of its visitor: where it is, who a newcomer will be, when it was shown."""
    page_path = path_of_page(http)
    return {
        slots.PATH: page_path,
        slots.QUOTED_PATH: quote(page_path),
        slots.SENDER: sender_field(http, is_signed_in),
        slots.SHOWN_AT: current_second_text(),
    }


def path_of_page(http: Request) -> str:
    """Where one comes back to: the page that is asked for; of the answer to a form, the page of the form."""
    if is_only_looked_at(http):
        return address_of_request(http)
    return path_of_form_page(http) or "/"


def is_only_looked_at(http: Request) -> bool:
    """Whether a page is only looked at: nothing was sent that it answers."""
    return http.method in ("GET", "HEAD")


def address_of_request(http: Request) -> str:
    """Path and query, as they were asked for: of a form, where it is sent again."""
    request_path = http.url.path
    if http.url.query:
        return f"{request_path}?{http.url.query}"
    return request_path


def sender_field(http: Request, is_signed_in: bool) -> Markup:
    """Who sends a form: an account, a guest by the key of their sign-in, or a newcomer by the token of the
    sign-in that their first post makes."""
    if not is_signed_in:
        return slots.GUEST_FIELD.format(secrets.token_urlsafe(32))
    learner_key = cookies.learner_key_of(http)
    if not learner_key:
        return guest_field(cookies.token_of(http))
    return slots.LEARNER_FIELD.format(learner_key)


def guest_field(token: str | None) -> Markup:
    """The field of a form of the guest who is signed in with this token."""
    if not token:
        return slots.NOTHING
    return slots.GUEST_FIELD.format(tokens.page_key_of(token))


def sender_field_of_fragment(http: Request, token: str) -> Markup:
    """Who sends the forms of a fragment: whoever posted is signed in by then, a newcomer with a new token."""
    is_newcomer = token not in ("", cookies.token_of(http))
    if is_newcomer:
        return guest_field(token)
    return sender_field(http, is_signed_in=True)


def current_second_text() -> str:
    """The present second since 1970, for the slot `SHOWN_AT`."""
    return f"{int(clock.now().timestamp())}"


def wants_fragment(http: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return "hx-request" in http.headers


def fragment(
    http: Request,
    fragment_html: str,
    *,
    token: str = "",
    status: int = 200,
    sender_field_html: Markup | None = None,
) -> Response:
    """A part of a page for htmx; `sender_field_html`: who sends a form that was not accepted."""
    if sender_field_html is None:
        sender_field_html = sender_field_of_fragment(http, token)
    text_by_slot = {slots.SENDER: sender_field_html, slots.SHOWN_AT: current_second_text()}
    http_response = HTMLResponse(slots.fill(fragment_html, text_by_slot), status)
    cookies.keep_signed_in(http, http_response, token)
    return http_response


def packed_fragment(http: Request, fragment_html: str, text_by_slot: TextBySlot, *, token: str) -> Response:
    """A part of a page for whoever is signed in by now; compressed once for all to whom it looks alike."""
    text_by_fragment_slot = {
        slots.SENDER: sender_field_of_fragment(http, token),
        slots.SHOWN_AT: current_second_text(),
        slots.TURN: slots.NOTHING,
    }
    http_response = packed_page(http, fragment_html, {}, {**text_by_fragment_slot, **text_by_slot}).response(
        http
    )
    cookies.keep_signed_in(http, http_response, token)
    return http_response


def redirect(http: Request, path: str, *, token: str = "") -> Response:
    """Go and see the page that shows the same state."""
    http_response = RedirectResponse(quote(path, safe="/?&=#:%.-_~,;+*@!"), 303)
    cookies.keep_signed_in(http, http_response, token)
    return http_response


def attachment_header(file_name: str, plain_name: str) -> str:
    """The header of a file to keep, under its name; old browsers take the plain one.

    >>> attachment_header("糖.csv", "marks.csv").partition("*=")[2]
    "UTF-8''%E7%B3%96.csv"
    """
    return f"attachment; filename=\"{plain_name}\"; filename*=UTF-8''{quote(file_name, safe='')}"
