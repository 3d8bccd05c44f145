"""Readers: every page and link answers, pages are well made, and reading leaves no trace."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi import FastAPI

from app.course import Course
from app.settings import root
from tests.tables import each
from tests.web.cast import Ledger, Page, Reader, is_numeric, place_asking, place_opening, right_answer, steps
from tests.web.pages import path_of, shape
from tests.web.site.well_made import faults_of

NO_SCRIPTS = re.compile(
    r"""\son[a-z]+\s*=|\shx-|hx-on|\sstyle\s*=|javascript:|js:|<style|data-hx-(vars|vals|on|ext)\b"""
)
DATA_HX = {
    "post",
    "get",
    "target",
    "swap",
    "swap-oob",
    "push-url",
    "trigger",
    "include",
    "indicator",
    "disabled-elt",
    "sync",
}
TEMPLATES = sorted((root() / "templates").rglob("*.html"))


def crawl(reader: Reader, course: Course, most: float = math.inf) -> Iterator[Page]:
    """Every page that links lead to, each path once for each set of query keys, and what no link leads to.

    most: of one kind, like the cards, so many of those that links lead to.
    """
    ends = deep(course)
    waiting, seen_urls = ["/", *ends], set()
    linked_counts = Counter[str]()
    while waiting:
        path = waiting.pop(0)
        kind = re.sub("(?<=.)/[^/]+", "/…", urlsplit(path).path)
        if path in ends or (shape(path) not in seen_urls and linked_counts[kind] < most):
            seen_urls.add(shape(path))
            linked_counts[kind] += path not in ends
            page = reader.open(path)
            yield page
            pages = [link for link in page.root.all("a") if not {"download", "type"} & link.attributes.keys()]
            links = {urljoin(path, href): None for href in dict.fromkeys(link["href"] for link in pages)}
            waiting += [
                path_of(link) for link in links if not urlsplit(link).netloc and shape(link) not in seen_urls
            ]


def deep(course: Course) -> list[str]:
    """The far end of every section and example: everything shown."""
    ends = dict.fromkeys(f"/lessons/{at.stage}/{at.section}?step={at.total + 1}" for at, _ in steps(course))
    examples = (f"/examples/{example}?shown=99" for example in course.examples)
    return [*ends, *examples, "/labs/lambdarank?steps=40"]


@pytest.mark.parametrize("most", [30, pytest.param(math.inf, marks=pytest.mark.long)])
def test_every_link_answers_and_every_page_is_well_made(
    guest: Reader, app: FastAPI, course: Course, ledger: Ledger, most: float
) -> None:
    """And whoever only reads leaves no trace."""
    paths = []
    for page in crawl(guest, course, most):
        assert faults_of(page, app) == [], page.path
        cookie = page.response.headers.get("set-cookie", "")
        marks_browser = page.path.startswith("/sign-in")  # so that wrong passwords count for it alone
        assert not cookie or (marks_browser and cookie.startswith("device=")), page.path
        paths.append(page.path)
    assert [name for name, rows in ledger.everything().items() if rows] == []
    assert {"/", "/course", "/examples", "/glossary", "/progress", "/privacy", "/me"} <= set(paths)
    assert {f"/examples/{example}" for example in course.examples} <= {
        path.removesuffix("?shown=99") for path in paths
    }
    assert len(paths) > (200 if most == 30 else 600)


@pytest.mark.long
def test_the_pages_of_a_learner_are_well_made_too(
    guest: Reader, app: FastAPI, course: Course, ledger: Ledger
) -> None:
    """And reading changes nothing for a learner."""
    learn_a_little(guest, course)
    before, events = ledger.everything(), []
    for page in crawl(guest, course):
        assert faults_of(page, app) == [], page.path
        events.append(page.path)
    assert len(events) > 30
    assert ledger.everything() == before


def learn_a_little(guest: Reader, course: Course) -> None:
    """A number right, an example half open, a hint, a place kept, a 续学码."""
    question, example = place_asking(course, is_numeric), place_opening(course)
    guest.open(question.url)
    guest.submit(guest.page.answering(question.name), "提示")
    guest.answer(question.name, *right_answer(course.items[question.name]))
    guest.go_on()
    guest.open(f"/examples/{example.name}")
    guest.submit(guest.page.form(f"/examples/{example.name}/reveals", "翻开"))
    guest.open("/me")
    guest.submit(guest.page.form("/resume-codes"))


@pytest.mark.parametrize("path", ["/", "/me", "/lessons/concepts", "/nowhere"])
def test_a_dead_cookie_is_a_visitor(guest: Reader, path: str) -> None:
    guest.client.cookies.set("tangxu", "x" * 43)
    page = Page(guest.client.get(path))
    assert "换个人用" not in page.text or path == "/nowhere"
    assert page.status == (404 if path == "/nowhere" else 200)


@each("template", TEMPLATES)
def test_a_template_has_no_code_in_its_attributes(template: Path) -> None:
    text = re.sub(r"\{#.*?#\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert NO_SCRIPTS.findall(text) == []
    assert set(re.findall(r"data-hx-([a-z-]+)", text)) <= DATA_HX
    assert not re.search(r"<script(?![^>]*\ssrc=)", text), "inline script"
    triggers = re.findall(r'data-hx-trigger="([^"]*)"', text)
    assert [trigger for trigger in triggers if "[" in trigger] == [], "a filter needs eval"


FOR_ACCOUNTS = re.compile(
    r'<form[^>]* action="(/(classrooms|assignments|own|join|invitations|series|staff)[/"]'
    r"|/me/(passwords|devices|deletions)|\{\{ (url|view\.url|attempt\.url) \}\}"
    r"|\{\{ (class|staff|groups|student|assignment|parts|cell|column|regrades|marking|paper_marks)_url \}\}"
    r"|\{\{ base \}\}/(settings|swaps|moves|removals))"
)
"""Where an account is asked for, or made: a newcomer's token would not help."""


@each("template", TEMPLATES)
def test_every_posted_form_says_who_may_be_a_newcomer(template: Path) -> None:
    """A form without `hidden(guest…)` would be refused from a visitor as a page that is too old."""
    forms = re.findall(
        r'<form[^>]*method="post".*?</form>', template.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert [form[:80] for form in forms if "hidden(" not in form and not FOR_ACCOUNTS.match(form)] == []
