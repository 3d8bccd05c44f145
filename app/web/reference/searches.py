"""Search: what is looked for stands in the address; nothing of it is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from app.course.search.searching import LONGEST_QUERY, MOST_HITS_OF_KIND, Place, PlaceKind, search
from app.records.accounts import learners
from app.web.site.requests import RequestDep
from app.web.site.routing import LateRoute

router = APIRouter(route_class=LateRoute)
NAME_AND_ADDRESS_BY_KIND: Mapping[PlaceKind, tuple[str, str]] = {
    "term": ("术语", "/glossary#{}"),
    "section": ("课文", "/lessons/{}"),
    "skill": ("知识点", "/practice/map#point-{}"),
    "exercise": ("练习", "/practice/{}"),
    "example": ("例题", "/examples/{}"),
    "case": ("勘误馆", "/errata/{}"),
    "tool": ("工具", "/{}"),
}
"""By kind: its name, and where a place of it stands."""


@dataclass(frozen=True)
class SearchHit:
    """A place that was found, and its address."""

    place: Place
    url: str


HitGroup = tuple[str, Sequence[SearchHit], int]
"""What a kind is called, its first places, and how many more there are."""


@router.get("/search")
async def show(request: RequestDep, q: str = "") -> Response:
    """What was found, kind by kind."""
    learner_id = await request.read(learners.find_learner_id)
    text = q.strip()[:LONGEST_QUERY]
    found_places = search(request.course, text)
    return request.page(
        "reference/search",
        is_signed_in=learner_id is not None,
        page="search",
        title="搜索",
        text=text,
        count=len(found_places),
        groups=hit_groups(found_places),
    )


def hit_groups(found_places: Sequence[Place]) -> list[HitGroup]:
    """The places by kind, terms first."""
    groups: list[HitGroup] = []
    for kind, (group_name, address) in NAME_AND_ADDRESS_BY_KIND.items():
        places_of_kind = [place for place in found_places if place.kind == kind]
        if not places_of_kind:
            continue
        hits = [SearchHit(place, address.format(place.id)) for place in places_of_kind[:MOST_HITS_OF_KIND]]
        groups.append((group_name, hits, len(places_of_kind) - len(hits)))
    return groups
