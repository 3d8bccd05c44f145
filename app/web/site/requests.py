"""Who is asking, and what they sent."""

import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from fastapi import HTTPException, Request, Response
from markupsafe import Markup

from app.records.accounts.values import Caller
from app.records.db.row_ids import row_id
from app.web.site.clock import now
from app.web.site.site import site_of

COOKIE = "tangxu"
CLASSMATE = "class"
"""Set while whoever uses this browser is in a class or teaches: it says nothing of who, and opens nothing."""
YEAR = 365 * 24 * 3600
LONGEST_THOUGHT = 30 * 60
"""Seconds; who takes longer over one question has gone away."""
MOST_FIELDS = 300
"""No form of ours has more."""
GUEST_FIELD = Markup('<input type="hidden" name="guest" value="{}">')
"""The form of a newcomer proposes the token of the sign-in that its post makes."""


@dataclass(frozen=True)
class PostedForm:
    """The fields of a posted form."""

    fields: dict[str, list[str]]

    def one(self, name: str, default: str = "") -> str:
        return self.fields.get(name, [default])[0]

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(self.fields.get(name, []))

    def number(self, name: str, default: int = 1) -> int:
        """A whole number 0..9999 or the default, from a field that nobody types into freely."""
        number = whole(self.one(name))
        return default if number is None else number

    def ids(self, name: str) -> tuple[int, ...]:
        """Keys of rows, each once; what is none is passed over."""
        ids: dict[int, None] = {}
        for text in self.all(name):
            number = row_id(text)
            if number is not None:
                ids[number] = None
        return tuple(ids)

    def next(self, default: str) -> str:
        """Where to go afterwards: a path of this site, nothing else."""
        return own_path(self.one("next")) or default


def own_path(text: str) -> str:
    """A path of this site as it is; nothing for what leads elsewhere.

    >>> own_path("/cards?page=2"), own_path("//example.org"), own_path("https://example.org")
    ('/cards?page=2', '', '')
    """
    return text if re.fullmatch(r"/(?![/\\])[^\s\\]*", text) else ""


def whole(text: str) -> int | None:
    """A whole number 0..9999 as it was typed; None for everything else.

    >>> whole(" ３０ "), whole("二十"), whole("-3"), whole("2.5")
    (30, None, None, None)
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    return int(plain) if re.fullmatch("[0-9]{1,4}", plain) else None


def shown_at(text: str) -> float | None:
    """When a question was shown, in seconds since 1970, as its form carries it; None for what is no time.

    >>> shown_at("1790000000.25"), shown_at(""), shown_at("nan")
    (1790000000.25, None, None)
    """
    return float(text) if re.fullmatch(r"[0-9]{1,11}(\.[0-9]{1,6})?", text) else None


def spent(form: PostedForm) -> float | None:
    """Seconds since what is answered was shown; None where the form has no time."""
    since = shown_at(form.one("shown"))
    if since is None:
        return None
    return now().timestamp() - since


def thinking(form: PostedForm) -> int | None:
    """Whole seconds of thought about an answer; None where nobody can have thought for so long."""
    seconds = spent(form)
    if seconds is None or not 0 <= seconds <= LONGEST_THOUGHT:
        return None
    return int(seconds)


async def read_form(request: Request) -> PostedForm:
    """The form of a request; bytes that are not UTF-8 become question marks."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return PostedForm(parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:  # more fields than any form of ours has
        raise HTTPException(422) from error


def caller_of(request: Request, form: PostedForm | None = None) -> Caller:
    """The token of the cookie, and the one that the form proposes for a newcomer."""
    proposal = form.one("guest") if form else ""
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", proposal):
        proposal = ""
    return Caller(request.cookies.get(COOKIE) or None, proposal or None)


def guest_field(known: bool) -> Markup:
    """What a form of a newcomer carries: the token of the sign-in that their first post makes."""
    if known:
        return Markup("")
    return GUEST_FIELD.format(secrets.token_urlsafe(32))


def guest_again(form: PostedForm) -> Markup:
    """The proposed token goes round once more, in a form of a newcomer that was not accepted yet."""
    return GUEST_FIELD.format(form.one("guest")) if form.one("guest") else Markup("")


def keep_signed_in(request: Request, response: Response, token: str) -> None:
    """Set the cookie when the verb answered to another token than the cookie's."""
    if token and token != request.cookies.get(COOKIE):
        set_cookie(request, response, COOKIE, token)


def keep_classmate(request: Request, response: Response, teaches: bool = False) -> Response:
    """This browser is used by somebody who is in a class, or who teaches."""
    set_cookie(request, response, CLASSMATE, "teaches" if teaches else "on")
    return response


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    """A cookie of this site for a year, which no script can read."""
    secure = site_of(request).settings.https
    response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


class Typed(NamedTuple):
    """What stands in the form of an item, unrecorded; `refused` if it was sent and could not be read."""

    item: str
    raw: tuple[str, ...]
    refused: bool = True

    def moved(self, wish: str) -> "Typed":
        """One of it a place further up or down; as it is for what cannot go further, or is not there.

        >>> Typed("order", ("a", "b", "c")).moved("up:c").raw, Typed("order", ("a", "b")).moved("down:b").raw
        (('a', 'c', 'b'), ('a', 'b'))
        """
        direction, _, text = wish.partition(":")
        if text not in self.raw:
            return self
        order = list(self.raw)
        place = order.index(text)
        order.pop(place)
        step = -1 if direction == "up" else 1
        order.insert(max(0, place + step), text)
        return self._replace(raw=tuple(order))

    def within(self, path: str) -> str:
        """The page that shows it, for those without a script: it stands in the address.

        >>> Typed("sum", ("2+x",)).within("/lessons/a/b?step=2#item-sum")
        '/lessons/a/b?step=2&item=sum&typed=2%2Bx#item-sum'
        """
        address, _, anchor = path.partition("#")
        fields: dict[str, str | tuple[str, ...]] = {"item": self.item, "typed": self.raw}
        if not self.refused:
            fields["kept"] = "1"
        separator = "&" if "?" in address else "?"
        return f"{address}{separator}{urlencode(fields, doseq=True)}#{anchor or f'item-{self.item}'}"


def typed_in(request: Request) -> Typed | None:
    """What the address says was typed."""
    query = request.query_params
    if not query.get("item"):
        return None
    return Typed(query["item"], tuple(query.getlist("typed")), "kept" not in query)
