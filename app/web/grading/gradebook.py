"""成绩册: the table of a class, and the same as files."""

import asyncio
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.grading import gradebook
from app.records.grading.values import Gradebook
from app.web.classes.classrooms import Id
from app.web.grading import gradebook_files
from app.web.grading.gradebook_views import LEGEND, Sort, average, rows, sort_of
from app.web.site.clock import now
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()
HERE = "/classrooms/{classroom_id}"
CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@router.get(HERE + "/gradebook")
async def show(request: Request, classroom_id: Id) -> Response:
    """Students × assignments; `?sort=` orders the rows."""
    book, sort = await asked(request, classroom_id)
    return page(
        request,
        "grading/gradebook",
        known=True,
        page="class",
        title=f"{book.row.name}的成绩册",
        row=book.row,
        book=book,
        sort=sort,
        rows=rows(book, sort),
        average=average,
        legend=LEGEND,
    )


@router.get(HERE + "/gradebook.csv")
async def as_csv(request: Request, classroom_id: Id) -> Response:
    """For any spreadsheet, in the order of the page."""
    book, sort = await asked(request, classroom_id)
    return Response(gradebook_files.csv(book, sort), media_type=CSV, headers=named(request, book, "csv"))


@router.get(HERE + "/gradebook.xlsx")
async def as_workbook(request: Request, classroom_id: Id) -> Response:
    """For Excel, with its colours; made beside the others, for it takes a while."""
    book, sort = await asked(request, classroom_id)
    body = await asyncio.to_thread(gradebook_files.workbook, book, sort)
    return Response(body, media_type=XLSX, headers=named(request, book, "xlsx"))


async def asked(request: Request, classroom_id: int) -> tuple[Gradebook, Sort]:
    book = await site_of(request).db.read(gradebook.gradebook, caller_of(request), classroom_id, now())
    return book, sort_of(request.query_params.get("sort", ""), book)


def named(request: Request, book: Gradebook, kind: str) -> dict[str, str]:
    """A name for the file that says whose it is and of which day, also for browsers of old."""
    day = now().astimezone(ZoneInfo(site_of(request).settings.time_zone)).date()
    name = quote(f"{book.row.name}成绩册{day}.{kind}", safe="")
    plain = f"gradebook-{book.row.id}.{kind}"
    return {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{name}"}
