"""Break the rules that pyproject.toml names, one by one, and look whether a test notices: `make mutants`.

The tests of its own room must hold a rule. mutmut would run every test that reaches what it broke, hundreds
in any order: half a day. Here the room's own run, the quickest first. What was tried stays tried until its
function changes; `make mutants MUTANTS_ARGS=app/records/grading/marks.py` tries a file anew.

Exit code 1 where fewer than nine of ten are caught. Survivors that change nothing that anybody could notice
stand in `tests/survivors.toml`, each with its reason.
"""

import gc
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "survivors.toml"
CAUGHT = {"killed", "timeout", "segfault", "caught by type check"}
UNTRIED = {"not checked", "check was interrupted by user"}
LEAST_SHARE = 0.9
WRITERS = {"grading": "marking"}
"""A room, and the one that writes what it reads: what a teacher marks by hand comes from there alone."""
LINE = re.compile(r"\s*(?P<module>[\w.]+)\.(?P<function>x\w+?)__mutmut_(?P<number>\d+): (?P<verdict>[\w ]+)")


def main() -> int:
    run(sys.argv[1:])
    return report()


def run(paths: Sequence[str]) -> None:
    """Try what was not tried yet; of single files everything."""
    from mutmut import __main__ as mutmut
    from mutmut.state import state

    collect, fail = mutmut.collect_or_load_stats, mutmut.run_forced_fail_test

    def collect_and_narrow(*arguments: Any, **options: Any) -> None:
        collect(*arguments, **options)
        tests_by_function = state().tests_by_mangled_function_name
        for function, tests in tests_by_function.items():
            tests_by_function[function] = own_tests(function, tests, state().duration_by_test)

    def fail_and_forget(*arguments: Any) -> None:
        fail(*arguments)
        forget_results()

    mutmut.collect_or_load_stats = collect_and_narrow
    mutmut.run_forced_fail_test = fail_and_forget
    names = [path.removesuffix(".py").replace("/", ".") + ".*" for path in paths]
    mutmut.cli(["run", *names], standalone_mode=False)


def forget_results() -> None:
    """Mutants are tried in forks of this process: what it remembers would stand for what they compute."""
    for function in gc.get_objects():
        if isinstance(function, _lru_cache_wrapper) and function.__module__.startswith("app."):
            function.cache_clear()


def own_tests(function: str, tests: Collection[str], seconds: Mapping[str, float]) -> list[str]:
    """The tests of the room in which a function stands, the quickest first; all where none reaches it."""
    floor, room = function.split(".")[1:3]
    rooms = [[floor, name] for name in (room, WRITERS.get(room))]
    own = [test for test in tests if test.split("/")[1:3] in rooms]
    return sorted(own or tests, key=lambda test: (seconds[test], test))


def report() -> int:
    """Print what of each file was caught, and what survived; 1 where that is too much."""
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    reasons = tomllib.loads(REASONS.read_text("utf-8"))
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    survivors: list[str] = []
    for match in LINE.finditer(listed):
        if match["verdict"] in UNTRIED:
            verdicts[match["module"]]["untried"] += 1
        elif match["verdict"] in CAUGHT:
            verdicts[match["module"]]["caught"] += 1
        else:
            verdicts[match["module"]]["survived"] += 1
            name = f"{match['module']}.{match['function']}__mutmut_{match['number']}"
            survivors.append(f"{name}: {reasons.get(name, '没有理由')}")
    for module, counts in sorted(verdicts.items()):
        print(f"{module}: {in_words(counts)}")
    print(*survivors, sep="\n")
    in_all = sum(verdicts.values(), Counter[str]())
    print(f"caught: {in_words(in_all)}")
    tried = in_all.total() - in_all["untried"]
    return 0 if tried and in_all["caught"] >= LEAST_SHARE * tried else 1


def in_words(counts: Counter[str]) -> str:
    """How many of how many were caught."""
    tried = counts["caught"] + counts["survived"]
    words = f"{counts['caught']} of {tried}"
    if counts["untried"]:
        words += f", and {counts['untried']} not tried"
    return words


if __name__ == "__main__":
    sys.exit(main())
