"""体检: three lists to run a library on, and its convention from the three figures that it prints.

Everything stands in the address and nothing is recorded.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course.items.marks import Unreadable
from app.course.workbench.checkup import FIGURE_FIELDS, Checkup, check_up, read_figures
from app.course.workbench.snippets import Snippet, snippets
from app.course.workbench.wording import WORD_BY_ANSWER_BY_AXIS, version_words
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.probing import probes
from app.engine.reconciling import AXES
from app.engine.signatures import signature
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter
from app.web.workbench.links import PROBE_PATH
from app.web.workbench.matching_views import (
    AxisAnswers,
    ProbeView,
    axis_answers,
    library_names_words,
    probe_view,
)
from app.web.workbench.workbench_requests import workbench_page

router = LazyRouter()
LONGEST_FIELD = 120
"""Characters of a field."""


@router.get(PROBE_PATH)
async def show(request: RequestDep) -> Response:
    """The lists with their snippets; and the library, where the address has its figures."""
    page_view = probe_page_view(request.query)
    status = 200
    if page_view.fault:
        status = 422
    return await workbench_page(request, "probe", status, page="probe", title="体检", **page_view._asdict())


class LibraryReadings(NamedTuple):
    """A library, and how it reads grades and scores where the three lists do not show it."""

    name: str
    version: str
    readings: Sequence[str]


class ConventionTable(NamedTuple):
    """A convention axis by axis, beside ours."""

    rows: Sequence[AxisAnswers]
    signature: str


class MisfitView(NamedTuple):
    """The one figure that keeps a library from being recognised, and what that prints there."""

    figure_number: int
    library_name: str
    printed_figure_text: str


class CheckupView(NamedTuple):
    """What three figures say, in words; `heading`: the libraries in a sentence."""

    figures: Sequence[str | None]
    libraries: Sequence[LibraryReadings]
    heading: str
    conventions: Sequence[ConventionTable]
    is_ambiguous: bool
    skips_empty_queries: bool
    misfit: MisfitView | None


class ProbePageView(NamedTuple):
    """The lists with their snippets, the figures as they were typed, and what they say or why not."""

    lists: Sequence[ProbeView]
    snippets: Sequence[Snippet]
    typed_text_by_field: Mapping[str, str]
    fault: str = ""
    checkup: CheckupView | None = None


def probe_page_view(query: Mapping[str, str]) -> ProbePageView:
    """What the page is given."""
    typed_text_by_field = {
        field_name: query.get(field_name, "")[:LONGEST_FIELD] for field_name in FIGURE_FIELDS
    }
    page_view = ProbePageView(list(map(probe_view, probes())), snippets(), typed_text_by_field)
    if set(FIGURE_FIELDS).isdisjoint(query):
        return page_view
    try:
        checkup = check_up(read_figures(list(typed_text_by_field.values())))
    except Unreadable as error:
        return page_view._replace(fault=f"{error}")
    return page_view._replace(checkup=checkup_view(checkup))


def checkup_view(checkup: Checkup) -> CheckupView:
    """What three figures say, in words."""
    misfit_view = None
    if checkup.misfit is not None:
        library_name = CONVENTIONS[checkup.misfit.preset].library
        misfit_view = MisfitView(
            checkup.misfit.figure_number, library_name, checkup.misfit.printed_figure_text
        )
    library_readings = []
    for recognised_library in checkup.libraries:
        convention = CONVENTIONS[recognised_library.preset]
        library_readings.append(
            LibraryReadings(convention.library, version_words(convention), recognised_library.readings)
        )
    return CheckupView(
        checkup.figures,
        library_readings,
        library_names_words(recognised_library.preset for recognised_library in checkup.libraries),
        [convention_table(convention, checkup) for convention in checkup.conventions],
        checkup.is_ambiguous,
        checkup.skips_empty_queries,
        misfit_view,
    )


def convention_table(convention: Convention, checkup: Checkup) -> ConventionTable:
    """A convention axis by axis, beside ours."""
    table_rows = []
    for axis in AXES:
        their_answer = WORD_BY_ANSWER_BY_AXIS[axis][getattr(convention, axis)]
        if axis == "zero_ideal" and checkup.skips_empty_queries:
            their_answer = "不给数"
        table_rows.append(axis_answers(axis, their_answer))
    return ConventionTable(table_rows, signature(convention))
