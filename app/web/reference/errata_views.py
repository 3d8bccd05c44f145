"""Cases of the 勘误馆 as cards, and the truth of a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from markupsafe import Markup

from app.course import Course
from app.course.items.state import state
from app.course.reference.errata import Hall, item_id
from app.web.items.item_views import ItemState
from app.web.items.kinds import SeenAnswer
from app.web.site.responses import markup
from app.web.site.site import Site

HALLS: Mapping[Hall, tuple[str, str]] = {
    "print": ("印出来的错", "几份讲NDCG的资料，白纸黑字。错处都不大，都很有教育意义。"),
    "convention": ("说不清的约定", "没有谁写错，只是两边各按各的规矩算。写清楚，就没这一案。"),
    "software": ("跑出来的坑", "来自公开的问题单。修的人都很认真，这里只学教训，不追责任。"),
}


@dataclass(frozen=True)
class CaseCard:
    id: str
    number: int
    title: str
    url: str
    source: str
    hall: Hall
    state: Literal["new", "begun", "done"]


@dataclass(frozen=True)
class HallView:
    id: str
    title: str
    lead: str
    cases: Sequence[CaseCard]


def card(course: Course, case_id: str, verdicts: Mapping[str, Sequence[str]]) -> CaseCard:
    """A case with what this learner has made of it; `verdicts`: item → those of its answers, in order."""
    case, name = course.errata[case_id], item_id(case_id)
    answers = [SeenAnswer(verdict, ()) for verdict in verdicts.get(course.ref(name), ())]
    closed = state(course.items[name], answers) != "open"
    return CaseCard(
        id=case_id,
        number=list(course.errata).index(case_id) + 1,
        title=case.title,
        url=f"/errata/{case_id}",
        source=case.source,
        hall=case.hall,
        state="done" if closed else "begun" if answers else "new",
    )


def halls(cards: Sequence[CaseCard]) -> list[HallView]:
    """The cases by hall; a hall without cases is not shown."""
    shown = [
        HallView(hall, *HALLS[hall], [one for one in cards if one.hall == hall]) for hall in get_args(Hall)
    ]
    return [hall for hall in shown if hall.cases]


def truth(site: Site, asked: ItemState, oob: bool = False) -> Markup:
    """The true calculation and what to keep; empty while the question is open."""
    course = site.course
    case = course.errata[course.case_of[asked.item]]
    closed = state(course.items[asked.item], asked.of(asked.item)) != "open"
    lines = [markup(course.html(line)) for line in case.truth] if closed else []
    keep = markup(course.html(case.keep)) if closed else None
    return site.render("reference/_errata_truth.html", lines=lines, keep=keep, oob=oob)
