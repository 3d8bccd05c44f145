"""A page explored: everything that can be done on it, as long as it leads nowhere else."""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from .elements import Element
from .forms import FILLINGS, RIGHT_ANSWERS, Move, buttons, controls, visible_fields
from .visitors import Visitor

ACTIONS_LEFT_ALONE = re.compile(r"/preferences|/reports|/sign-outs|.*deletion.*|/me/.*|/resume-codes")


def explore_onwards(visitor: Visitor, path: str, *, pages: int, moves_a_page: int) -> None:
    """Explore a page and those to which it leads."""
    for _ in range(pages):
        path = explore(visitor, path, moves_a_page)
        if not path:
            return


def explore(visitor: Visitor, path: str, most_moves: int) -> str:
    """Do on a page what can be done there, each thing in each way as long as the page is at the same point.

    Forms that lead on come last. Gives where the visitor stands in the end.
    """
    done: Counter[str] = Counter()
    path_alone = urlsplit(path).path
    for number in range(most_moves):
        undone = next_move(visitor.reopen(path), done)
        if undone is None:
            return ""
        form, move = undone
        answer = visitor.send(form, move, note=f"{number}: ")
        if answer.leads_to:
            visitor.open(answer.leads_to, f"{number}: ")
        if form.get("action").endswith("/places"):
            return answer.leads_to or path_alone
        if answer.leads_to and urlsplit(visitor.path).path != path_alone:
            return visitor.path
    return lead_on(visitor, path)


def lead_on(visitor: Visitor, path: str) -> str:
    """To the next step, whatever is left to do in this one."""
    visitor.reopen(path)
    for form in visitor.page.all("form"):
        if form.get("action").endswith("/places"):
            answer = visitor.send(form, Move(0, FILLINGS[0]), note="on: ")
            return answer.leads_to
    return ""


def next_move(page: Element, done: Counter[str]) -> tuple[Element, Move] | None:
    """The first thing that was not done yet in this state of the page."""
    for form in sorted(work_forms(page), key=lambda form: form.get("action").endswith("/places")):
        ways = moves(form)
        state = form_state(form)
        if done[state] < len(ways):
            done[state] += 1
            return form, ways[done[state] - 1]
    return None


def work_forms(page: Element) -> Iterator[Element]:
    """The posts of the page itself, without those that end things or belong to the frame."""
    main = (page.all("main") or [page])[0]
    for form in main.all("form"):
        if form.get("method").lower() == "post" and not ACTIONS_LEFT_ALONE.fullmatch(form.get("action")):
            yield form


def form_state(form: Element) -> str:
    """What a form is about: its fields, and those hidden ones that do not change with every try."""
    hidden = [
        f"{control.get('name')}={control.get('value')}"
        for control in controls(form)
        if control.get("type") == "hidden"
    ]
    lasting = [pair for pair in hidden if not pair.startswith(("shown=", "guest=", "try=", "next="))]
    return " ".join([visible_fields(form) or form.get("action"), *lasting])


def moves(form: Element) -> list[Move]:
    """Unreadable, a number, each choice in turn, the right number where it is known; then other buttons."""
    fillable = [control for control in controls(form) if control.get("type") != "hidden"]
    button_count = max(1, min(4, len(buttons(form))))
    if not fillable:
        # Which button comes first is told by the form itself, so that both versions begin with the same one.
        offset = len(form.get("action")) + sum(len(control.get("value")) for control in controls(form))
        return [Move((offset + button) % button_count, FILLINGS[0]) for button in range(button_count)]
    ways = [Move(0, filling) for filling in ("words", "as it stands", "numbers", *choice_fillings(fillable))]
    if any(control.get("value") in RIGHT_ANSWERS for control in controls(form)):
        ways.append(Move(0, "right"))
    return [*ways, *(Move(button, FILLINGS[0]) for button in range(1, button_count))]


def choice_fillings(fillable: list[Element]) -> list[str]:
    """A filling for each place of the largest group of boxes, six at most."""
    boxes = [control for control in fillable if control.get("type") in ("radio", "checkbox")]
    groups = Counter(control.get("name") for control in boxes)
    largest_size = max(groups.values(), default=0)
    return [f"choice {number}" for number in range(1, min(6, largest_size) + 1)]
