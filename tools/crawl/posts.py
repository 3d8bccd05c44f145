"""Every kind of form that a crawl came upon, sent in several ways."""

import re
from collections import Counter

from .elements import Element
from .forms import FILLINGS, Move, buttons, visible_fields
from .links import Crawl, address_family, form_pattern
from .page_lines import without_chance
from .visitors import Visitor

FINAL_POSTS = re.compile(
    r"deletion|sign-outs|endings|passwords|archiv|removal|closing|restor|acceptances|/resume-codes|withdraw"
)
"""Posts after which less is left to see; they come last."""


def send_forms(crawl: Crawl) -> None:
    """Every kind of form, filled in several ways; of two pages with the same form the second with htmx."""
    counts: Counter[str] = Counter()
    by_finality = sorted(crawl.pages_by_form.items(), key=lambda entry: (finality(entry[0]), entry[0]))
    for pattern, paths in by_finality:
        family = address_family(pattern.partition(" ")[0])
        counts[family] += 1
        if counts[family] > crawl.plan.thoroughness.form_relatives:
            continue
        samples = (paths * 2)[:: max(1, len(paths) - 1)][: max(2, crawl.plan.thoroughness.form_samples)]
        for number, path in enumerate(samples):
            crawl.visitor.htmx = number % 2 == 1
            send_ways(crawl.visitor, pattern, path)
    crawl.visitor.htmx = False


def finality(pattern: str) -> int:
    """How late a form is sent; signing out comes last of all."""
    if "sign-outs" in pattern:
        return 2
    return 1 if FINAL_POSTS.search(pattern) else 0


def send_ways(visitor: Visitor, pattern: str, path: str) -> None:
    """Each filling with the first button, then the other buttons; as long as the page has such a form."""
    ways = [Move(0, filling) for filling in FILLINGS] + [Move(button, FILLINGS[0]) for button in range(1, 5)]
    for number, move in enumerate(ways, start=1):
        form = form_like(visitor.reopen(path), pattern)
        if form is None:
            visitor.keep_lines(f"form {number} on {path} none like {pattern}", [])
            return
        if move.button >= max(1, len(buttons(form))):
            return
        answer = visitor.send(form, move, note=f"form {number}: ")
        if answer.leads_to:
            visitor.open(answer.leads_to, f"form {number} {without_chance(pattern)} of {path}: ")


def form_like(page: Element, pattern: str) -> Element | None:
    """The form of this pattern, or one with the same fields that now goes to another address."""
    forms = [form for form in page.all("form") if form.get("method").lower() == "post"]
    same_pattern = [form for form in forms if form_pattern(form) == pattern]
    fields = pattern.partition(" ")[2]
    same_fields = [form for form in forms if fields and visible_fields(form) == fields]
    return next(iter([*same_pattern, *same_fields]), None)
