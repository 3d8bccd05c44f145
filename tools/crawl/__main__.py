"""The command line: `python -m tools.crawl make OUT`, `python -m tools.crawl compare OUT OTHER`."""

import argparse
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from . import __doc__ as description
from .comparing import compare_folders, write_records
from .plan import QUICK, THOROUGH, Plan
from .process import Clock, running_site
from .tasks import TASKS, perform

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO_MOMENT = 1_792_000_000.0
"""The moment of every crawl of a new demonstration: in October 2026, in the afternoon of a school day."""
DAY_SECONDS = 86_400.0


def main() -> int:
    summary, _, more = (description or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m tools.crawl",
        description=summary,
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    add_options_of_make(commands.add_parser("make", help="crawl a tree into a folder"))
    add_options_of_compare(commands.add_parser("compare", help="compare two folders"))
    arguments = parser.parse_args()
    return int(arguments.run(arguments))


def add_options_of_make(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", help="folder for the answers")
    parser.add_argument("--tree", default=str(ROOT), help="checkout of the version to crawl")
    parser.add_argument("--data", help="data folder to copy and serve instead of a new demonstration")
    parser.add_argument("--keep", help="where to leave the data folder after the walk through a school")
    parser.add_argument("--quick", action="store_true", help="fewer samples of each pattern")
    parser.add_argument("--only", default="", help="regular expression of the tasks to run")
    parser.add_argument("--workers", type=int, default=2, help="how many sites at once")
    parser.add_argument("--python", default=sys.executable, help="interpreter for the site")
    parser.set_defaults(run=crawl_tree)


def add_options_of_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("older")
    parser.add_argument("newer")
    parser.add_argument("--most", type=int, default=40, help="how many differing pages to print")
    parser.add_argument("--ignore", help="regular expression of lines that do not count")
    parser.set_defaults(run=compare_folders)


def crawl_tree(arguments: argparse.Namespace) -> int:
    """Crawl one tree into a folder."""
    begun = time.monotonic()
    out = Path(arguments.out).resolve()
    with tempfile.TemporaryDirectory(prefix="tangxu-crawl-") as folder:
        work = Path(folder)
        plan = plan_of(arguments, work)
        if not arguments.data:
            with running_site(plan, "demo", "demo", work / "term", Clock(work / "clock-demo", DEMO_MOMENT)):
                pass
        tasks = [task for task in TASKS if re.search(arguments.only, task)]
        out.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(arguments.workers) as pool:
            for task, records, seconds in pool.map(perform, [plan] * len(tasks), tasks):
                write_records(out / f"{task}.jsonl", records)
                print(f"{task:20} {len(records):5} answers {seconds:6.0f} s", flush=True)
        leave_data(plan, arguments.keep)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


def plan_of(arguments: argparse.Namespace, work: Path) -> Plan:
    """The crawl of a new demonstration, or, a day later, of records that are there already."""
    data, moment = work / "term" / "demo", DEMO_MOMENT
    if arguments.data:
        data, moment = Path(arguments.data).resolve(), DEMO_MOMENT + DAY_SECONDS
    tree = Path(arguments.tree).resolve()
    thoroughness = QUICK if arguments.quick else THOROUGH
    return Plan(tree, arguments.python, data, work, moment, thoroughness)


def leave_data(plan: Plan, target: str | None) -> None:
    """The data folder as the walk through a school left it."""
    if target:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(plan.work / "data-walk-school", target)


if __name__ == "__main__":
    sys.exit(main())
