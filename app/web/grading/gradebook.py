"""成绩册: the table of a class, and the same as files."""

import asyncio
from datetime import datetime
from typing import Annotated
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.records.grading import gradebook
from app.records.grading.values import Gradebook
from app.web.classes.classrooms import Id
from app.web.grading import gradebook_files, gradebook_views
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.responses import page
from app.web.site.site import Site

router = APIRouter()
CLASSROOM = "/classrooms/{classroom_id}"
CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def load_gradebook(site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Gradebook:
    return await site.db.read(gradebook.gradebook, caller, classroom_id, now)


GradebookDep = Annotated[Gradebook, Depends(load_gradebook)]


@router.get(CLASSROOM + "/gradebook")
async def show(request: Request, book: GradebookDep, sort: str = "") -> Response:
    """Students × assignments; `?sort=` orders the rows."""
    order = gradebook_views.sort_of(sort, book)
    return page(
        request,
        "grading/gradebook",
        known=True,
        page="class",
        title=f"{book.row.name}的成绩册",
        row=book.row,
        book=book,
        sort=order,
        rows=gradebook_views.rows(book, order),
        average=gradebook_views.average,
        legend=gradebook_views.LEGEND,
    )


@router.get(CLASSROOM + "/gradebook.csv")
async def as_csv(site: SiteDep, now: Now, book: GradebookDep, sort: str = "") -> Response:
    """For any spreadsheet, in the order of the page."""
    body = gradebook_files.csv(book, gradebook_views.sort_of(sort, book))
    return Response(body, media_type=CSV, headers=file_headers(site, book, now, "csv"))


@router.get(CLASSROOM + "/gradebook.xlsx")
async def as_workbook(site: SiteDep, now: Now, book: GradebookDep, sort: str = "") -> Response:
    """For Excel, with its colours; written in a thread, for it takes a while."""
    order = gradebook_views.sort_of(sort, book)
    body = await asyncio.to_thread(gradebook_files.workbook, book, order)
    return Response(body, media_type=XLSX, headers=file_headers(site, book, now, "xlsx"))


def file_headers(site: Site, book: Gradebook, now: datetime, suffix: str) -> dict[str, str]:
    """A file name with class and day; old browsers take the plain one."""
    day = now.astimezone(ZoneInfo(site.settings.time_zone)).date()
    name = quote(f"{book.row.name}成绩册{day}.{suffix}", safe="")
    plain = f"gradebook-{book.row.id}.{suffix}"
    return {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{name}"}
