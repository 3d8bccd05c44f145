"""Every link and every form that asks, followed: some of each pattern of addresses."""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from .elements import Element
from .forms import FILLINGS, Move, fields_of, visible_fields
from .plan import Plan
from .visitors import HOST, Visitor


@dataclass
class Crawl:
    """A visitor who follows every link and every form that asks, some of each pattern."""

    visitor: Visitor
    plan: Plan
    pages_by_pattern: Counter[str] = field(default_factory=Counter)
    pages_by_family: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    pages_by_form: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    assets: set[str] = field(default_factory=set)
    fragments: set[str] = field(default_factory=set)

    def run(self, starts: Sequence[str]) -> None:
        level = self.admitted_links(starts)
        while level:
            links: list[str] = []
            for path in level:
                links += self.visit(path)
            level = self.admitted_links(links)
        self.fetch_parts()

    def fetch_parts(self) -> None:
        """What pages are made of: fragments, and the kind of each asset."""
        for path in sorted(self.fragments)[: self.plan.thoroughness.most_pages]:
            self.visitor.record(f"htmx GET {path}", self.visitor.request("GET", path, HX_Request="true"))
        for path in sorted(self.assets):
            answer = self.visitor.request("GET", path)
            self.visitor.keep_lines(path, [f"status {answer.status}", answer.media_type])

    def admitted_links(self, links: Iterable[str]) -> list[str]:
        """The new addresses of a level that still fit, in order."""
        level = []
        for path in sorted(set(links) - self.seen):
            self.seen.add(path)
            if self.has_room(path):
                if not self.pages_by_pattern[address_pattern(path)]:
                    self.fragments.add(path)
                self.pages_by_pattern[address_pattern(path)] += 1
                self.pages_by_family[address_family(path)] += 1
                level.append(path)
        return level

    def has_room(self, path: str) -> bool:
        """Whether few like it, and few in all, were visited so far."""
        if self.pages_by_pattern[address_pattern(path)] >= self.plan.thoroughness.samples:
            return False
        if self.pages_by_family[address_family(path)] >= self.plan.thoroughness.relatives:
            return False
        return sum(self.pages_by_pattern.values()) < self.plan.thoroughness.most_pages

    def visit(self, path: str) -> list[str]:
        answer = self.visitor.request("GET", path)
        page = self.visitor.record(f"GET {path}", answer)
        links = [answer.leads_to] if answer.leads_to else []
        if page is not None:
            for link in addresses(page, path):
                if link.startswith("/static/"):
                    self.assets.add(link)
                else:
                    links.append(link)
            for form in page.all("form"):
                if form.get("method").lower() == "post":
                    self.pages_by_form[form_pattern(form)].append(path)
        return links


def address_pattern(address: str) -> str:
    """An address without its numbers, codes and the values of its query.

    >>> address_pattern("/classrooms/3/students/17?sort=name&page=2")
    '/classrooms/#/students/#?page&sort'
    """
    parts = urlsplit(address)
    path = re.sub(
        r"(?<=/)[\w-]{18,}(?=/|$)", lambda word: "#" if re.search("[A-Z]", word[0]) else word[0], parts.path
    )
    path = re.sub(r"[0-9]+", "#", path)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return path + ("?" + "&".join(names) if names else "")


def address_family(address: str) -> str:
    """A coarser pattern: the first word of the path, how many follow, the names of the query."""
    path, _, names = address_pattern(address).partition("?")
    words = path.strip("/").split("/")
    return f"{words[0]} {len(words)} {names}"


def form_pattern(form: Element) -> str:
    """Forms that ask for the same; the field of a newcomer goes away with their first post."""
    return f"{address_pattern(form.get('action'))} {visible_fields(form)}"


def addresses(page: Element, path: str) -> Iterator[str]:
    """Everything on a page that can be fetched from this site."""
    for element in page.walk():
        for name in ("href", "src", "hx-get", "data-hx-get"):
            if element.get(name) and element.tag != "use":
                yield from own_addresses(element.get(name), path)
        if element.tag == "form" and element.get("method", "get").lower() == "get":
            for filling in FILLINGS[:1] + FILLINGS[2:]:
                query = urlencode(fields_of(element, Move(0, filling)))
                yield from own_addresses(f"{element.get('action') or urlsplit(path).path}?{query}", path)


def own_addresses(link: str, path: str) -> Iterator[str]:
    parts = urlsplit(urljoin(f"http://{HOST}{path}", html.unescape(link)))
    if parts.scheme in ("http", "https") and parts.netloc == HOST:
        yield parts.path + (f"?{parts.query}" if parts.query else "")


STRANGE_ADDRESSES = (
    "/no-such-page",
    "/lessons/concepts/no-such-section",
    "/lessons/concepts/which-is-better?step=99",
    "/practice/no-such-exercise",
    "/classrooms/1",
    "/classrooms/99999",
    "/classrooms/3/gradebook",
    "/assignments/99999",
    "/items/no-such-item",
    "/games/monster?level=2&seed=7",
    "/games/duel?seed=7",
    "/games/duel?seed=abc",
    "/practice/dcg/print?n=12",
    "/practice/dcg?seed=1007",
    "/cards/all?page=99",
    "/join/ZZZZZZ",
    "/invitations/none",
    "/own/99999",
    "/healthz",
)
