"""What a list costs on the workbench: its page, and 对账 of a figure. ``python -m bench.workbench``.

Milliseconds of one processor, medians over the rounds: pages of lists are drawn off the event loop, and what
they cost is what they take from others. A figure that nothing prints costs most: then the list is suspected.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from app.main import create_app
from app.settings import Settings
from app.web.site.site import Site
from app.web.workbench.page import html_and_status_of_address
from app.web.workbench.reconciling_views import reconcile_view

ROUNDS = 9
GOALS = {60: 15, 1000: 150}
"""Documents → milliseconds at most."""
LONGEST_SUSPECTED = 25
"""Documents of the longest list that is suspected."""
FIGURES = {"that many print": "0.7", "that nobody prints": "0.7512345"}
AddressFields = Mapping[str, Sequence[str]]


def main() -> None:
    """Measure and print; whatever the figures are."""
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        site: Site = create_app(Settings(data=Path(name))).state.site
        for count in (LONGEST_SUSPECTED, *GOALS):
            report(site, count)


def report(site: Site, count: int) -> None:
    """One line for each thing that is asked of a list."""
    address_fields = fields_of_list(count)
    contenders: dict[str, Callable[[], object]] = {
        "page": lambda: html_and_status_of_address(site, site.course, address_fields)
    }
    for kind, printed in FIGURES.items():
        form = {**address_fields, "printed": [printed]}
        contenders[f"对账, a figure {kind}"] = lambda form=form: reconcile_view(form)  # type: ignore[misc]
    goal_ms = GOALS.get(count, GOALS[60])
    print(f"{count} documents with ties: milliseconds of a processor, goal {goal_ms}")
    for name, run in contenders.items():
        print(f"  {name:36}{median_ms(run):8.1f}")


def fields_of_list(count: int) -> AddressFields:
    """A list with ties, of which more was judged than returned."""
    dice = random.Random(7)
    lines = [f"{dice.randint(0, 4)} {dice.random():.1f}" for _ in range(count)]
    return {"list": ["\n".join(lines)], "k": ["10"], "pool": ["3x4 2x3"]}


def median_ms(run: Callable[[], object]) -> float:
    """The median of the rounds after a first one."""
    run()
    times = []
    for _ in range(ROUNDS):
        begin = process_time()
        run()
        times.append((process_time() - begin) * 1000)
    return median(times)


if __name__ == "__main__":
    main()
