"""`/metrics`: the figures of this site, for who has the token of the setting."""

import hmac
import shutil

from fastapi import HTTPException, Request
from starlette.responses import PlainTextResponse, Response

from app.records.db.errors import Busy, RecordsError
from app.records.db.portable import database_byte_count
from app.web.operation.metrics import Metrics
from app.web.site.routing import LazyRouter
from app.web.site.site import Site, site_of

router = LazyRouter()


@router.get("/metrics")
async def show(http: Request) -> Response:
    """All figures; 404 where nothing is counted, 401 without the token."""
    site = site_of(http)
    metrics: Metrics | None = http.app.state.metrics
    if metrics is None:
        raise HTTPException(404)
    expected_header = f"Bearer {site.settings.metrics_token}"
    if not hmac.compare_digest(http.headers.get("authorization", "").encode(), expected_header.encode()):
        return PlainTextResponse("要带上TANGXU_METRICS_TOKEN。", 401, {"www-authenticate": "Bearer"})
    metrics_bytes, media_type = await site.off_loop.run(
        metrics.text_and_media_type, await current_figure_by_name(site)
    )
    return Response(metrics_bytes, media_type=media_type)


async def current_figure_by_name(site: Site) -> dict[str, float]:
    """What is true at this moment. A database that does not answer has no size."""
    figure_by_name: dict[str, float] = {"free_disk_bytes": shutil.disk_usage(site.settings.data).free}
    try:
        figure_by_name["database_bytes"] = await site.db.read(database_byte_count)
    except Busy:
        figure_by_name["database_up"] = 0
    else:
        figure_by_name["database_up"] = 1
    if site.settings.replica_url:
        figure_by_name |= await site.off_loop.run(replica_figure_by_name, site.settings.replica_url)
    return figure_by_name


def replica_figure_by_name(replica_url: str) -> dict[str, float]:
    """Whether the replica follows its primary, and how far behind it is."""
    from app.records.db.postgres.replica import replica_state

    try:
        replica = replica_state(replica_url)
    except RecordsError:
        return {"replica_follows": 0}
    figure_by_name: dict[str, float] = {"replica_follows": int(replica.is_following)}
    if replica.seconds_late is not None:
        figure_by_name["replica_lag_seconds"] = replica.seconds_late
    return figure_by_name
