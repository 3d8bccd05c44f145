"""A request: who is asking, what they sent, and what its handler works with.

A handler asks for it in its signature; it is found once a request.

    async def privacy(request: RequestDep) -> Response:
    async def rename(request: ClassDep) -> Response:
    async def import_cards(request: UnreadRequestDep) -> Response:

What finds it is `async def`: a plain function would cost a thread each.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Any, ClassVar, Concatenate, Generic, ParamSpec, TypeVar

from fastapi import Depends, Path, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from app.course import Course
from app.records.accounts import learners, tokens
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Stale
from app.records.db.row_ids import row_id
from app.records.db.session import VerbSession
from app.web.site import clock, cookies, responses, slots
from app.web.site.posted_forms import PostedForm, posted_form, read_form, sender_field_again
from app.web.site.site import Site, site_of

P = ParamSpec("P")
K = TypeVar("K")
T = TypeVar("T")
LearnerVerb = Callable[Concatenate[VerbSession, Caller, P], T]
ResourceVerb = Callable[Concatenate[VerbSession, Caller, K, P], T]
RowId = Annotated[int, Path(lt=2**63)]
"""The key of a row in an address."""


class PageOfAnother(Stale):
    """The form stands on a page of an account, or of a guest, who is no longer signed in here: somebody else
    is, as far as a browser can tell."""


def caller_of(http: Request, form: PostedForm | None = None) -> Caller:
    """The token of the cookie; the one that the form proposes to a newcomer, and where they come from.
    PageOfAnother where the form came to somebody else."""
    if form is not None:
        expect_own_page(http, form)
    proposed_token = form.text("guest") if form else ""
    if not tokens.TOKEN_PATTERN.fullmatch(proposed_token):
        return Caller(cookies.token_of(http))
    newcomer_token = cookies.sign_in_token(http, proposed_token)
    return Caller(cookies.token_of(http), newcomer_token, client_address(http))


def expect_own_page(http: Request, form: PostedForm) -> None:
    """PageOfAnother for a form that says that its page is another account's than who is signed in now, or
    that of a guest with another sign-in. One that says nothing is taken: its page was open before forms said
    it."""
    token = cookies.token_of(http)
    if not token:
        return
    page_learner_key = form.text("learner").removeprefix(tokens.SHARED_PREFIX)
    if page_learner_key and page_learner_key != cookies.learner_key_of(http):
        raise PageOfAnother
    guest_page_key = form.text("guest")
    if len(guest_page_key) == tokens.PAGE_KEY_LENGTH and guest_page_key != tokens.page_key_of(token):
        raise PageOfAnother


def client_address(http: Request) -> str:
    """Where a request comes from, as tries are counted; empty where the server cannot say."""
    if http.client is None:
        return ""
    return address_for_limits(http.client.host)


def address_for_limits(host: str) -> str:
    """An address as limits see it: of IPv6 the network, whose addresses all belong to one household.

    >>> address_for_limits("192.168.1.7"), address_for_limits("::ffff:192.168.1.7")
    ('192.168.1.7', '192.168.1.7')
    >>> address_for_limits("2001:db8:1:2:3:4:5:6"), address_for_limits("testclient")
    ('2001:db8:1:2::', 'testclient')
    """
    try:
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(ip, IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ip_network((ip, 64), strict=False).network_address)


def site_host(http: Request) -> str:
    """How this site is called by those who are to come: its public name, else as the teacher called it."""
    public_name = site_of(http).settings.public_name
    return public_name or http.headers.get("host", "")


def site_url(http: Request) -> str:
    """Where this site begins, for those who are to come."""
    scheme = "http"
    if site_of(http).settings.https:
        scheme = "https"
    return f"{scheme}://{site_host(http)}"


FormDep = Annotated[PostedForm, Depends(posted_form)]


@dataclass(frozen=True)
class SiteRequest:
    """All that a handler works with; what its verbs take, and where it leads, say the kinds of requests."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def query(self) -> QueryParams:
        """The fields of the address; of several with one name the last."""
        return self.http.query_params

    @property
    def address_fields(self) -> dict[str, list[str]]:
        """All fields of the address."""
        return address_fields_of(self.http)

    def query_number(self, field_name: str) -> int | None:
        """The number under a name of the address, `?group=12`; None for what is no number."""
        return row_id(self.query.get(field_name, ""))

    @property
    def wants_fragment(self) -> bool:
        return responses.wants_fragment(self.http)

    def fragment(self, fragment_html: str, *, token: str = "", status: int = 200) -> Response:
        """A part of a page for htmx; a refused form of a newcomer proposes its token once more."""
        sender_field_html = None
        if status != 200:
            sender_field_html = sender_field_again(self.form)
        return responses.fragment(
            self.http, fragment_html, token=token, status=status, sender_field_html=sender_field_html
        )

    def redirect(self, path: str, *, token: str = "") -> Response:
        """On to a page that shows the same state."""
        return responses.redirect(self.http, path, token=token)


@dataclass(frozen=True)
class CallerRequest(SiteRequest):
    """A request about anything; its verbs take the caller first."""

    @property
    def client_address(self) -> str:
        """Where it comes from, as tries are counted."""
        return client_address(self.http)

    async def read(self, verb: LearnerVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, *args, **kwargs)

    async def write(self, verb: LearnerVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, *args, **kwargs)

    async def is_signed_in(self) -> bool:
        """Whether the browser is a learner, guests among them: for a page that shows nothing else of them."""
        return await self.read(learners.find_learner_id) is not None

    def page(self, template: str, *, is_signed_in: bool, status: int = 200, **context: Any) -> Response:
        return responses.page(self.http, template, is_signed_in=is_signed_in, status=status, **context)

    def with_form(self, form: PostedForm) -> "CallerRequest":
        """The request, once its handler has read the form."""
        return replace(self, form=form, caller=caller_of(self.http, form))

    def within(self, site: Site) -> "CallerRequest":
        """The same request to own content, which is a site of its own."""
        return replace(self, site=site)


@dataclass(frozen=True)
class ResourceRequest(SiteRequest, Generic[K]):
    """A request about one class, or one assignment, of somebody who is signed in. Its verbs take caller and
    `key` first. `menu_entry`: that of the menu that its pages belong to."""

    menu_entry: ClassVar[str]

    @property
    def key(self) -> K:
        """What the request is about, as the records name it."""
        raise NotImplementedError

    async def read(self, verb: ResourceVerb[K, P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, self.key, *args, **kwargs)

    async def write(self, verb: ResourceVerb[K, P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, self.key, *args, **kwargs)

    @property
    def url(self) -> str:
        """The page of the class, or of the assignment."""
        raise NotImplementedError

    def page(self, template: str, *, error_sentence: str = "", status: int = 200, **context: Any) -> Response:
        """A page; `error_sentence`: why the form was refused."""
        context = {"page": self.menu_entry, "error_sentence": error_sentence} | context
        return responses.page(
            self.http, template, is_signed_in=True, status=status, is_about_class=True, **context
        )

    def fragment(self, fragment_html: str, *, token: str = "", status: int = 200) -> Response:
        """A part of such a page for htmx."""
        return super().fragment(slots.add_senders(fragment_html), token=token, status=status)

    def redirect_within(self, suffix: str = "") -> Response:
        """On to its page, or to one below it."""
        return self.redirect(f"{self.url}{suffix}")


async def caller_request(http: Request, form: FormDep) -> CallerRequest:
    return CallerRequest(http, site_of(http), caller_of(http, form), form, clock.now())


async def unread_request(http: Request) -> CallerRequest:
    """One whose form its handler reads by itself, once it knows who sends the file in it."""
    return await caller_request(http, PostedForm({}))


async def read_request(http: Request) -> CallerRequest:
    """That of a hot handler, which FastAPI does not call: with its form."""
    return await caller_request(http, await read_form(http))


RequestDep = Annotated[CallerRequest, Depends(caller_request)]
UnreadRequestDep = Annotated[CallerRequest, Depends(unread_request)]


def address_fields_of(http: Request) -> dict[str, list[str]]:
    """All fields of an address."""
    query_params = http.query_params
    return {field_name: query_params.getlist(field_name) for field_name in query_params}


def small_number_of_text(number_text: str, most_digits: int = 3) -> int | None:
    """A small number in an address, from 0 on; None for everything else.

    >>> small_number_of_text("12"), small_number_of_text("1234"), small_number_of_text("1234", 4)
    (12, None, 1234)
    >>> small_number_of_text("３"), small_number_of_text("二")
    (None, None)
    """
    return int(number_text) if re.fullmatch(f"[0-9]{{1,{most_digits}}}", number_text) else None


def address_number(field_words: str, number_text: str, highest_number: int) -> int:
    """A whole number from 1 on in an address, under the name that the sentence of a refusal gives it.

    >>> address_number("题号seed", "4821", 9999)
    4821
    >>> address_number("难度level", "4", 3)
    Traceback (most recent call last):
    app.records.db.errors.NotFound: 地址里的难度level不对：要写1到3之间的整数。
    """
    if re.fullmatch(r"[1-9][0-9]{0,8}", number_text) and int(number_text) <= highest_number:
        return int(number_text)
    raise NotFound(f"地址里的{field_words}不对：要写1到{highest_number}之间的整数。")
