"""Pages that are the same for everybody: glossary, sources, privacy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.course.learning.steps import Say
from app.course.reference.errata import Case
from app.course.text.formulas import inline_formula_html
from app.records.db.errors import NotFound
from app.web.learning.stage_views import section_url
from app.web.reference.shared_pages import shared_page
from app.web.site.rendering import markup, text_html
from app.web.site.requests import RequestDep
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter
from app.web.site.site import site_of

router = LazyRouter()


async def show_glossary(http: Request) -> Response:
    """The terms: Chinese, English, formula, a sentence."""
    course = site_of(http).course
    return await shared_page(
        http,
        "reference/glossary",
        lambda: {"page": "glossary", "title": "术语", **term_context(course)},
    )


@router.get("/glossary/{term_id}")
async def show_term(request: RequestDep, term_id: str) -> Response:
    """What a word means, as a note beside it; for a browser without scripts its place in the glossary."""
    site, course = request.site, request.course
    glossary_entries = [glossary_term for glossary_term in course.glossary if glossary_term.id == term_id]
    if not glossary_entries:
        raise NotFound("术语表里没有这个词。")
    if not request.wants_fragment:
        return request.redirect(f"/glossary#{term_id}")
    term_html = site.cached_html(
        ("term", course.digest, term_id),
        lambda: site.render("reference/_term.html", entry=glossary_entries[0], **term_context(course)),
    )
    return request.fragment(term_html)


def term_context(course: Course) -> Context:
    """What a template needs to show terms of a course."""
    return {"course": course, "formula_html": formula_html, "text_html": text_html}


def formula_html(formula: str) -> Markup:
    """A formula, as HTML."""
    return markup(inline_formula_html(formula))


@router.get("/sources")
async def show_sources(http: Request) -> Response:
    """The five sources of the course: what each tells well, and where the engine disagrees."""
    course = site_of(http).course
    return await shared_page(
        http,
        "reference/sources",
        lambda: {
            "page": "errata",
            "title": "五份资料",
            "cases_of": printed_ids_and_cases_by_source(course),
            "citations": list(citations(course)),
        },
    )


def printed_ids_and_cases_by_source(course: Course) -> Mapping[str, Sequence[tuple[str, Case]]]:
    """The cases of what was printed, by the name of their source."""
    ids_and_cases_by_source: dict[str, list[tuple[str, Case]]] = {}
    for case_id, case in course.errata.items():
        if case.hall == "print":
            ids_and_cases_by_source.setdefault(case.source, []).append((case_id, case))
    return ids_and_cases_by_source


class Citation(NamedTuple):
    """What a step rests on, and where it stands."""

    text: str
    section_title: str
    step_url: str


def citations(course: Course) -> Iterator[Citation]:
    """The papers and manuals of the lessons, in the order of the course."""
    for stage in course.stages:
        for section in stage.sections:
            for step_number, step in enumerate(section.steps, 1):
                if isinstance(step, Say) and step.cited:
                    cited_step_url = f"{section_url(stage, section)}?step={step_number}#step-{step.id}"
                    yield Citation(step.cited, section.title, cited_step_url)


async def show_privacy(http: Request) -> Response:
    """What is kept, in plain words."""
    return await shared_page(http, "reference/privacy", lambda: {"page": "privacy", "title": "记了什么"})


FREQUENT_ROUTES = (Route("/glossary", show_glossary), Route("/privacy", show_privacy))
"""Asked by a whole class at once."""
SHARED_ROUTE_BY_PATH = {route.path: route for route in FREQUENT_ROUTES}
