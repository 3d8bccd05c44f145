"""Search: what is looked for stands in the address; nothing of it is kept."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course.search.searching import (
    LONGEST_QUERY,
    MOST_HITS_OF_KIND,
    SearchTarget,
    TargetKind,
    search_course,
)
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
NAME_AND_ADDRESS_BY_KIND: Mapping[TargetKind, tuple[str, str]] = {
    "term": ("术语", "/glossary#{}"),
    "section": ("课文", "/lessons/{}"),
    "skill": ("知识点", "/practice/map#point-{}"),
    "exercise": ("练习", "/practice/{}"),
    "example": ("例题", "/examples/{}"),
    "case": ("勘误馆", "/errata/{}"),
    "tool": ("工具", "/{}"),
}
"""By kind: its name, and where a place of it stands."""


class SearchHit(NamedTuple):
    """What was found, and its address."""

    target: SearchTarget
    url: str


HitGroup = tuple[str, Sequence[SearchHit], int]
"""What a kind is called, its first targets, and how many more there are."""


@router.get("/search")
async def show(request: RequestDep, q: str = "") -> Response:
    """What was found, kind by kind."""
    query_text = q.strip()[:LONGEST_QUERY]
    found_targets = search_course(request.course, query_text)
    return request.page(
        "reference/search",
        is_signed_in=await request.is_signed_in(),
        page="search",
        title="搜索",
        query_text=query_text,
        hit_count=len(found_targets),
        groups=hit_groups(found_targets),
    )


def hit_groups(found_targets: Sequence[SearchTarget]) -> list[HitGroup]:
    """The targets by kind, terms first."""
    groups_of_hits: list[HitGroup] = []
    for target_kind, (group_name, address_format) in NAME_AND_ADDRESS_BY_KIND.items():
        targets_of_kind = [
            search_target for search_target in found_targets if search_target.kind == target_kind
        ]
        if not targets_of_kind:
            continue
        search_hits = [
            SearchHit(search_target, address_format.format(search_target.id))
            for search_target in targets_of_kind[:MOST_HITS_OF_KIND]
        ]
        groups_of_hits.append((group_name, search_hits, len(targets_of_kind) - len(search_hits)))
    return groups_of_hits
