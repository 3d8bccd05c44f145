"""体检: three lists to run a library on, and its convention from the three figures that it prints.

Everything stands in the address and nothing is recorded.
"""

from collections.abc import Mapping

from starlette.responses import Response

from app.course.items.marks import Unreadable
from app.course.workbench.checkup import FIGURE_FIELDS, Checkup, check_up, read_figures
from app.course.workbench.snippets import snippets
from app.course.workbench.wording import NAME_BY_AXIS, WORD_BY_ANSWER_BY_AXIS, version_words
from app.engine.conventions import CONVENTIONS, COURSE, Convention
from app.engine.probing import probes
from app.engine.reconciling import AXES
from app.engine.signatures import signature
from app.web.site.requests import RequestDep
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter
from app.web.workbench.links import PROBE_PATH
from app.web.workbench.reconciling_views import library_names_words, probe_view
from app.web.workbench.workbench_requests import workbench_page

router = LazyRouter()
LONGEST_FIELD = 120
"""Characters of a field."""


@router.get(PROBE_PATH)
async def show(request: RequestDep) -> Response:
    """The lists with their snippets; and the library, where the address has its figures."""
    view = probe_page_view(request.query)
    status = 200
    if view["fault"]:
        status = 422
    return await workbench_page(request, "probe", status, page="probe", title="体检", **view)


def probe_page_view(address_fields: Mapping[str, str]) -> Context:
    """What the page is given."""
    typed_text_by_field = {
        field_name: address_fields.get(field_name, "")[:LONGEST_FIELD] for field_name in FIGURE_FIELDS
    }
    is_sent = not set(FIGURE_FIELDS).isdisjoint(address_fields)
    view: Context = {
        "lists": list(map(probe_view, probes())),
        "snippets": snippets(),
        "typed": typed_text_by_field,
        "fault": "",
        "checkup": None,
    }
    if is_sent:
        try:
            view["checkup"] = checkup_view(check_up(read_figures(list(typed_text_by_field.values()))))
        except Unreadable as unreadable:
            view["fault"] = f"{unreadable}"
    return view


def checkup_view(checkup: Checkup) -> Context:
    """What three figures say, in words."""
    misfit = None
    if checkup.misfit is not None:
        misfit = {
            "figure_number": checkup.misfit.figure_number,
            "library_name": CONVENTIONS[checkup.misfit.preset].library,
            "printed_figure": checkup.misfit.printed_figure,
        }
    libraries = []
    presets = []
    for library in checkup.libraries:
        presets.append(library.preset)
        convention = CONVENTIONS[library.preset]
        version = version_words(convention)
        libraries.append({"name": convention.library, "version": version, "readings": library.readings})
    return {
        "figures": checkup.figures,
        "libraries": libraries,
        "heading": library_names_words(presets),
        "conventions": [convention_view(convention, checkup) for convention in checkup.conventions],
        "is_ambiguous": checkup.is_ambiguous,
        "skips_empty_queries": checkup.skips_empty_queries,
        "misfit": misfit,
    }


def convention_view(convention: Convention, checkup: Checkup) -> Context:
    """A convention axis by axis, beside ours."""
    rows = []
    for axis in AXES:
        answer_words_of_axis = WORD_BY_ANSWER_BY_AXIS[axis][getattr(convention, axis)]
        if axis == "zero_ideal" and checkup.skips_empty_queries:
            answer_words_of_axis = "不给数"
        our_words = WORD_BY_ANSWER_BY_AXIS[axis][getattr(COURSE, axis)]
        rows.append(
            {
                "axis_name": NAME_BY_AXIS[axis],
                "their_answer": answer_words_of_axis,
                "our_answer": our_words,
                "is_same": answer_words_of_axis == our_words,
            }
        )
    return {"rows": rows, "signature": signature(convention)}
