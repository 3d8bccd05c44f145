"""实验台: paste a list, see every term, and why another library prints another number.

A list that an address can hold lies in the address alone: nothing is recorded, and whoever has the address
sees the same. A longer one comes by post; how many of them one place may send is limited. What strangers
paste is read and drawn off the event loop.
"""

import re

from starlette.responses import Response

from app.course import Course
from app.course.learning.toys.setting import HIGHEST_GRADE
from app.course.text.typed import AddressFields
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.exchanging import (
    move_document,
    state_in_order,
    swap_documents,
    sweeten_document,
)
from app.course.workbench.state import (
    StateReading,
    WorkbenchState,
    fields_of_state,
    fits_in_address,
    read_state,
)
from app.records.db.errors import NotFound
from app.web.qr_codes import qr_code_svg
from app.web.site.requests import CallerRequest, RequestDep, site_url, small_number_of_text
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule
from app.web.site.site import Site
from app.web.workbench.links import QR_PATH, WORKBENCH_PATH, short_state_url, state_url
from app.web.workbench.page_views import workbench_view
from app.web.workbench.workbench_requests import (
    MOST_LIST_BYTES,
    count_long_list,
    fields_of_address,
    is_address_too_long,
    workbench_page,
)

router = LazyRouter()
BODY_LIMIT_RULE_BY_PATH_PATTERN = {WORKBENCH_PATH: BodyLimitRule(MOST_LIST_BYTES)}
NOTHING_TO_DRAW_SENTENCE = "这个地址画不成二维码：打开实验台，照页面上的链接来。"
RANK_PAIR_PATTERN = re.compile("([0-9]{1,4})-([0-9]{1,4})")


@router.get(WORKBENCH_PATH)
async def show(request: RequestDep) -> Response:
    """The list of the address."""
    site, address_fields = request.site, fields_of_address(request.http)
    workbench_html, status = await site.off_loop.run(
        html_and_status_of_address, site, site.course, address_fields, site_url(request.http)
    )
    return await pasted_list_page(request, workbench_html, status)


@router.post(WORKBENCH_PATH)
async def paste_list(request: RequestDep) -> Response:
    """A list that was pasted, or moved: to its address if it has one; else it is shown at once."""
    site = request.site
    state_reading = await site.off_loop.run(posted_reading, request.form.texts_by_field)
    if state_reading.is_whole and fits_in_address(state_reading.state):
        anchor = "way" if request.query.get("to") == "way" else "result"
        return request.redirect(f"{state_url(state_reading.state)}#{anchor}")
    await count_long_list(request)
    workbench_html, status = await site.off_loop.run(
        html_and_status_of_reading, site, site.course, state_reading, site_url(request.http), True
    )
    return await pasted_list_page(request, workbench_html, status)


async def pasted_list_page(request: CallerRequest, workbench_html: str, status: int) -> Response:
    """The page of a list."""
    context = {"title": "实验台", "workbench_html": workbench_html, "opened_at": request.now}
    return await workbench_page(request, "page", status, page="workbench", **context)


def html_and_status_of_address(
    site: Site, course: Course, address_fields: AddressFields, site_address: str = ""
) -> tuple[str, int]:
    """The workbench of an address, and the status of its page; `site_address`: what addresses begin with."""
    return html_and_status_of_reading(site, course, read_state(address_fields), site_address)


def html_and_status_of_reading(
    site: Site, course: Course, state_reading: StateReading, site_address: str = "", is_unsaved: bool = False
) -> tuple[str, int]:
    """The workbench of a state, and the status of its page; `is_unsaved`: no address shows it again."""
    status = 200
    if not state_reading.is_whole:
        status = 422
    context = workbench_view(site, course, state_reading, site_address, is_unsaved)
    return site.render("workbench/_workbench.html", workbench=context), status


def posted_reading(address_fields: AddressFields) -> StateReading:
    """The state of a form, after the documents that its button names have changed places.

    Only what stands in the fields counts: nothing is kept between two posts.
    """
    state_reading = read_state(with_signature(address_fields))
    if not state_reading.is_whole:  # what cannot be read stays as it was typed
        return state_reading
    workbench_state = rearrange_documents(state_reading.state, address_fields)
    if workbench_state is state_reading.state:
        return state_reading
    return read_state(
        {field_name: [field_text] for field_name, field_text in fields_of_state(workbench_state)}
    )


def with_signature(address_fields: AddressFields) -> AddressFields:
    """The fields; convention and cut-off are those of a signature, if there is one."""
    signature_line = address_fields.get("signature", [""])[-1].strip()
    if not signature_line:
        return address_fields
    fields_with_signature = {**address_fields, "convention": [signature_line]}
    for field_name in ("k", "gain", "discount"):
        fields_with_signature.pop(field_name, None)
    return fields_with_signature


def rearrange_documents(workbench_state: WorkbenchState, address_fields: AddressFields) -> WorkbenchState:
    """The state after a swap (`swap=3-5`), a move (`move=3-1`), or with a sweeter document (`sweeten=3`);
    itself where there is none."""
    sweetened_rank = small_number_of_text(address_fields.get("sweeten", [""])[-1])
    if sweetened_rank is not None and 1 <= sweetened_rank <= len(workbench_state.documents):
        ordered_state = state_in_order(ListEvaluation(workbench_state), workbench_state.convention)
        return sweeten_document(ordered_state, sweetened_rank, HIGHEST_GRADE)
    for field_name, rearrange in (("swap", swap_documents), ("move", move_document)):
        pair_match = RANK_PAIR_PATTERN.fullmatch(address_fields.get(field_name, [""])[-1])
        if pair_match is None:
            continue
        rank_pair = int(pair_match[1]), int(pair_match[2])
        document_count = len(workbench_state.documents)
        if all(1 <= rank <= document_count for rank in rank_pair):
            ordered_state = state_in_order(ListEvaluation(workbench_state), workbench_state.convention)
            return rearrange(ordered_state, *rank_pair)
    return workbench_state


@router.get(QR_PATH)
async def show_qr_code(request: RequestDep) -> Response:
    """The picture for the state that stands behind the `?`; drawn off the loop, for addresses can be long."""
    if is_address_too_long(request.http):
        raise NotFound(NOTHING_TO_DRAW_SENTENCE)
    site_address = site_url(request.http)
    qr_svg = await request.site.off_loop.run(qr_code_svg_of_page, site_address, request.address_fields)
    return Response(qr_svg, media_type="image/svg+xml", headers=dict(NOT_FOR_CRAWLERS))


def qr_code_svg_of_page(site_address: str, address_fields: AddressFields) -> str:
    """The QR code of a page of the workbench; NotFound for a state that cannot be read, or has no address."""
    state_reading = read_state(address_fields)
    linked_url = short_state_url(state_reading.state)
    if linked_url is None or not state_reading.is_whole:
        raise NotFound(NOTHING_TO_DRAW_SENTENCE)
    return qr_code_svg(f"{site_address}{linked_url}", "实验台这一页的二维码", error_correction="l")
