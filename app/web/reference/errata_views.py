"""Cases of the 勘误馆 as cards, and the truth of a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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
    """A case in the list, with how far a learner has come."""

    id: str
    number: int
    title: str
    url: str
    source: str
    hall: Hall
    state: Literal["new", "begun", "done"]


def case_card(course: Course, case_id: str, verdicts: Mapping[str, Sequence[str]]) -> CaseCard:
    """A case as a learner has left it; `verdicts`: item → those of its answers, in order."""
    case = course.errata[case_id]
    name = item_id(case_id)
    answers = [SeenAnswer(verdict, ()) for verdict in verdicts.get(course.ref(name), ())]
    progress: Literal["new", "begun", "done"] = "begun" if answers else "new"
    if state(course.items[name], answers) != "open":
        progress = "done"
    return CaseCard(
        id=case_id,
        number=list(course.errata).index(case_id) + 1,
        title=case.title,
        url=case_url(case_id),
        source=case.source,
        hall=case.hall,
        state=progress,
    )


def case_url(case_id: str) -> str:
    return f"/errata/{case_id}"


@dataclass(frozen=True)
class HallView:
    """A hall with its cases."""

    id: str
    title: str
    lead: str
    cases: Sequence[CaseCard]


def halls(cards: Sequence[CaseCard]) -> list[HallView]:
    """The cases by hall; a hall without cases is left out."""
    views = []
    for hall, (title, lead) in HALLS.items():
        cases = [card for card in cards if card.hall == hall]
        if cases:
            views.append(HallView(hall, title, lead, cases))
    return views


@dataclass(frozen=True)
class CaseLink:
    """A way to another case."""

    url: str
    title: str


def neighbours(course: Course, case_id: str) -> tuple[CaseLink | None, CaseLink | None]:
    """The cases before and after this one."""
    links = [None, *[CaseLink(case_url(name), case.title) for name, case in course.errata.items()], None]
    position = list(course.errata).index(case_id) + 1  # the first link is none
    return links[position - 1], links[position + 1]


def truth(site: Site, question: ItemState, oob: bool = False) -> Markup:
    """The true calculation and what to keep; empty while the question is open."""
    course = site.course
    lines: list[Markup] = []
    keep = None
    if state(course.items[question.item], question.of(question.item)) != "open":
        case = course.errata[course.case_of[question.item]]
        lines = [markup(course.html(line)) for line in case.truth]
        keep = markup(course.html(case.keep))
    return site.render("reference/_errata_truth.html", lines=lines, keep=keep, oob=oob)
