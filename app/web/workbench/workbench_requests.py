"""What the handlers of the workbench share: how an address is read, how many long lists come, and the page.

What is shown stands in the address, so there is no end of addresses: no crawler is to ask for them.
"""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from app.course.text.typed import AddressFields
from app.records.accounts import throttle
from app.records.db.errors import Refused
from app.web.site.requests import CallerRequest, address_fields_of
from app.web.site.responses import NOT_FOR_CRAWLERS

LONGEST_QUERY_STRING_READ = 8000
"""Characters of an address that are read at all; ours have at most 2,000."""
MOST_LIST_BYTES = 400_000
"""A thousand documents with their titles, where each letter may take nine bytes in a form."""
TOO_LONG_SENTENCE = "这个地址太长了，读不了：打开实验台，把列表贴进框里再来。"


def is_address_too_long(http: Request) -> bool:
    """Whether an address is longer than any of ours."""
    return len(http.url.query) > LONGEST_QUERY_STRING_READ


def fields_of_address(http: Request) -> AddressFields:
    """The fields of an address; Refused for one that is too long."""
    if is_address_too_long(http):
        raise Refused(TOO_LONG_SENTENCE)
    return address_fields_of(http)


async def count_long_list(request: CallerRequest) -> None:
    """How many lists that no address holds one place may send is limited."""
    tries_key = f"workbench:{request.client_address}"
    await request.site.db.write(throttle.count_try, tries_key, throttle.WORKBENCH_LIMIT, request.now)


async def workbench_page(request: CallerRequest, template: str, status: int, **context: Any) -> Response:
    """A page of the workbench."""
    http_response = request.page(
        f"workbench/{template}", is_signed_in=await request.is_signed_in(), status=status, **context
    )
    http_response.headers.update(NOT_FOR_CRAWLERS)
    return http_response
