"""指标段位: what bands are said to mean, and one's own list between its worst and its best order."""

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.course.items.examples import Example
from app.course.reference.bands import OwnList, UnusableList, read
from app.records.accounts import learners
from app.web.reference.band_views import measured_view, table_view
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import page

router = APIRouter()
URL = "/bands"
FIELDS = ("grades", "k", "gain", "more")
SAMPLES = 3


@router.get(URL)
async def show(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """The form, what it gives for the list in the address, and the tables of the sources."""
    course = site.course
    learner_id = await site.db.read(learners.load_visitor, caller)
    typed = {name: request.query_params.get(name, "")[:400] for name in FIELDS}
    own: OwnList | None = None
    error: UnusableList | None = None
    if "grades" in request.query_params:
        try:
            own = read(**typed)
        except UnusableList as unusable:
            error = unusable
    return page(
        request,
        "reference/bands",
        known=learner_id is not None,
        status=422 if error else 200,
        page="bands",
        title="指标段位",
        typed=typed,
        error=error,
        own=measured_view(course, own) if own else None,
        samples=samples(course),
        tables=[table_view(course, table) for table in course.bands],
    )


@dataclass(frozen=True)
class Sample:
    """An example of the course, to be measured by a click."""

    title: str
    url: str


def samples(course: Course) -> list[Sample]:
    """The first examples without a pool that are neither at their best nor at their worst."""
    examples = [
        example
        for example in course.examples.values()
        if example.pool is None and example.range.worst < example.trace.ndcg < example.range.best
    ]
    return [Sample(example.title, sample_url(example)) for example in examples[:SAMPLES]]


def sample_url(example: Example) -> str:
    """The page with the list of an example."""
    grades = " ".join("?" if grade is None else f"{grade:g}" for grade in example.grades)
    return f"{URL}?{urlencode({'grades': grades, 'k': example.cut, 'gain': example.gain})}"
