"""A walk through lessons, examples, cards, games and practice."""

import re
from urllib.parse import urlsplit

from .exploring import explore_onwards
from .links import addresses
from .plan import Plan
from .visitors import Visitor, become_guest

STAGES = (
    "concepts",
    "definitions",
    "practice",
    "code",
    "applications",
    "comparison",
    "optimisation",
    "significance",
)
START_PAGES = (
    *("/placement", "/cards/review", "/cards", "/cards/new", "/cards/settings", "/cards/files", "/labs"),
    *("/games/duel?seed=7", "/games/monster?level=1&seed=7", "/games/monster?level=3&seed=11"),
    *("/practice/dcg?seed=1007", "/practice/ndcg?seed=1007&level=2", "/mistakes", "/code", "/own/new"),
    *("/errata", "/practice", "/examples"),
)


def walk_lessons(visitor: Visitor, plan: Plan) -> None:
    """Lessons, examples, cards, games and practice as a guest meets them."""
    become_guest(visitor)
    for stage in STAGES:
        page = visitor.reopen(f"/lessons/{stage}")
        sections = sorted({link for link in addresses(page, "/") if link.startswith(f"/lessons/{stage}/")})
        for section in sections[: plan.thoroughness.sections]:
            explore_onwards(visitor, section, pages=14, moves_a_page=9)
    for start in START_PAGES:
        visitor.open(start)
        links = [link for link in addresses(visitor.page, start) if is_inside(link, start)]
        for path in [start, *sorted(set(links))[: plan.thoroughness.sections]]:
            explore_onwards(visitor, path, pages=3, moves_a_page=14)
    write_cards(visitor)
    continue_on_other_device(visitor)
    for path in HISTORY_PAGES:
        visitor.open(path, "after: ")


def is_inside(link: str, start: str) -> bool:
    return link.startswith(f"{start}/") and not start.startswith("/own")


def write_cards(visitor: Visitor) -> None:
    """Cards of one's own: written, changed, thrown away."""
    for front in ("几点上课？", "几点放学？"):
        visitor.open("/cards/new")
        visitor.submit("/cards/own", front=front, back="八点", tags="学校")
        edit_path = f"{urlsplit(visitor.path).path}/edit"
        for action in ("edit", "deletion"):
            visitor.open(edit_path)
            visitor.submit(f"/cards/[^/]+/{action}", front="几点熄灯？", back="十点")


def continue_on_other_device(visitor: Visitor) -> None:
    """A guest on another device, with a code to go on."""
    for path in ("/labs/lambdarank", "/labs/lambdarank/board", "/me"):
        visitor.open(path)
    visitor.submit("/resume-codes")
    page_text = "\n".join(element.text for element in visitor.page.walk())
    codes = re.findall(r"^[2-9A-Z]{4,}(?:[ -][2-9A-Z]{4,})*$", page_text, flags=re.MULTILINE)
    device = visitor.beside("other device")
    for code in ("ZZZZ", *codes[:1]):
        device.open("/me")
        device.submit("/sign-ins", code=code)
    visitor.open("/me")
    visitor.submit("/me/devices/endings")


HISTORY_PAGES = ("/cards", "/progress", "/me", "/mistakes", "/practice", "/", "/cards/stats", "/me/data.json")
"""Pages that show what a learner did."""
