"""指标段位: what bands are said to mean, and one's own list between its worst and its best order."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.course.items.examples import Example
from app.course.learning.figures import range as ruler
from app.course.reference.bands import BandTable, OwnList, UnusableList, read
from app.records.accounts import learners
from app.web.reference.band_views import reading
from app.web.site.requests import caller_of
from app.web.site.responses import markup, page
from app.web.site.site import site_of

router = APIRouter()
URL = "/bands"
FIELDS = ("grades", "k", "gain", "more")
SAMPLES = 3


@dataclass(frozen=True)
class Sample:
    """An example of the course, to be measured by a click."""

    title: str
    url: str


@router.get(URL)
async def bands(request: Request) -> Response:
    """The form, what it gives for the list in the address, and the tables of the sources."""
    site = site_of(request)
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    typed = {name: request.query_params.get(name, "")[:400] for name in FIELDS}
    own, error = measured(typed) if "grades" in request.query_params else (None, None)
    return page(
        request,
        "reference/bands",
        known=known,
        status=422 if error else 200,
        page="bands",
        title="指标段位",
        typed=typed,
        error=error,
        own=shown(site.course, own) if own else None,
        samples=samples(site.course),
        tables=[table(site.course, one) for one in site.course.bands],
    )


def measured(typed: dict[str, str]) -> tuple[OwnList | None, UnusableList | None]:
    """The list, or why it cannot be read."""
    try:
        return read(**typed), None
    except UnusableList as error:
        return None, error


def shown(course: Course, own: OwnList) -> dict[str, Any]:
    """The four numbers, drawn, in a table and in words."""
    spread = own.spread
    edges = sorted({row.low for one in course.bands for row in one.rows if row.stars and row.low})
    drawn = ruler.scale("你的这一排：NDCG的尺子", spread, own.ndcg, "你的这一排", edges)
    rows = [
        ("最差的排法", spread.worst),
        ("乱排平均", spread.mean),
        ("你的这一排", own.ndcg),
        ("最好的排法", spread.best),
    ]
    return {
        "svg": markup(drawn),
        "rows": [
            {"name": name, "value": f"{value:.3f}", "own": name == "你的这一排"} for name, value in rows
        ],
        "says": reading(own, course.bands),
        "convention": own.convention,
    }


def samples(course: Course) -> list[Sample]:
    """The first examples that are neither at their best nor at their worst."""
    alone = [one for one in course.examples.values() if one.pool is None]
    found = [one for one in alone if one.range.worst < one.trace.ndcg < one.range.best]
    return [Sample(one.title, sample_url(one)) for one in found[:SAMPLES]]


def sample_url(example: Example) -> str:
    grades = " ".join("?" if grade is None else f"{grade:g}" for grade in example.grades)
    return f"{URL}?{urlencode({'grades': grades, 'k': example.cut, 'gain': example.gain})}"


def table(course: Course, one: BandTable) -> dict[str, Any]:
    """The bands of a source, with what is to be said about them."""
    rows = [
        {"label": row.label, "stars": row.stars, "said": markup(course.line(row.said))} for row in one.rows
    ]
    return {
        "source": one.source,
        "measure": one.measure,
        "rows": rows,
        "has_stars": any(row.stars for row in one.rows),
        "remark": markup(course.html(one.remark)),
    }
