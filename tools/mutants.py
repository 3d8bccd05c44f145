"""Break the rules that pyproject.toml names, one by one, and look whether a test notices: `make mutants`.

The tests of its own room must hold a rule. mutmut would look for every test that reaches what it broke, and
run hundreds in any order: half a day. Here all are found once, and the room's own run, the quickest first.
What was tried stays tried until its function changes;
`make mutants MUTANTS_ARGS=app/records/grading/marks.py` tries a file anew.

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
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "survivors.toml"
CAUGHT = {"killed", "timeout", "segfault", "caught by type check"}
UNTRIED = {"not checked", "check was interrupted by user"}
LEAST_SHARE = 0.9
TRIED_ELSEWHERE_TOO = {
    "grading": "marking",
    "collecting": "assignments",
    "submissions": "assignments",
    "class_members": "people",
}
"""A room or a file, and the room whose tests try it too: what a teacher marks by hand comes from there alone,
what is handed in or collected depends on the times that are tried there, and students go back to their former
class where a class ends."""
RESULT_LINE = re.compile(
    r"\s*(?P<module>[\w.]+)\.(?P<function>x\w+?)__mutmut_(?P<number>\d+): (?P<verdict>[\w ]+)"
)


def main() -> int:
    run(sys.argv[1:])
    return report()


def run(paths: Sequence[str]) -> None:
    """Try what was not tried yet; of single files everything."""
    from mutmut import __main__ as mutmut
    from mutmut.configuration import config
    from mutmut.state import state
    from mutmut.utils.file_utils import change_cwd

    collect, fail = mutmut.collect_or_load_stats, mutmut.run_forced_fail_test

    def collect_and_narrow(*arguments: Any, **options: Any) -> None:
        collect(*arguments, **options)
        tests_by_function = state().tests_by_mangled_function_name
        for function, tests in tests_by_function.items():
            tests_by_function[function] = own_tests(function, tests, state().duration_by_test)

    def fail_and_forget(runner: Any) -> None:
        fail(runner)
        forget_results()
        with change_cwd("mutants"):
            rooms, options = config().pytest_add_cli_args_test_selection, config().pytest_add_cli_args
            found_tests = FoundTests([*rooms, *options])

        def run_tests(*, tests: Collection[str], **_: Any) -> int:
            with change_cwd("mutants"):
                return found_tests.exit_code(tests)

        runner.test_runner.run_tests = run_tests

    mutmut.collect_or_load_stats = collect_and_narrow
    mutmut.run_forced_fail_test = fail_and_forget
    names = [path.removesuffix(".py").replace("/", ".") + ".*" for path in paths]
    mutmut.cli(["run", *names], standalone_mode=False)


class FoundTests:
    """The tests in the present folder, found once: that takes longer than to run those of a mutant."""

    def __init__(self, arguments: Sequence[str]) -> None:
        from _pytest.config import _prepareconfig
        from _pytest.main import Session

        config = _prepareconfig(["--exitfirst", "--rootdir=.", "-p", "no:terminal", *arguments])
        config._do_configure()  # noqa: SLF001  # what pytest.main does, but for the run
        self.session = Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        config.hook.pytest_collection(session=self.session)
        self.tests = {test.nodeid: test for test in self.session.items}

    def exit_code(self, tests: Collection[str]) -> int:
        """0 where these tests pass: asked once in a process, since a failure stays."""
        self.session.items[:] = [self.tests[name] for name in tests]
        with suppress(Exception):
            self.session.config.hook.pytest_runtestloop(session=self.session)
            return int(self.session.testsfailed > 0)
        return 1


def forget_results() -> None:
    """Mutants are tried in forks of this process: what it remembers would stand for what they compute."""
    for function in gc.get_objects():
        if isinstance(function, _lru_cache_wrapper) and function.__module__.startswith("app."):
            function.cache_clear()


def own_tests(function: str, tests: Collection[str], seconds: Mapping[str, float]) -> list[str]:
    """The tests of the room in which a function stands, the quickest first; all where none reaches it."""
    floor, room, *modules = function.split(".")[1:-1]
    names = [room, *(TRIED_ELSEWHERE_TOO.get(name) for name in (room, *modules))]
    rooms = [[floor, name] for name in names]
    tests_of_rooms = [test for test in tests if test.split("/")[1:3] in rooms]
    return sorted(tests_of_rooms or tests, key=lambda test: (seconds[test], test))


def report() -> int:
    """Print what of each file was caught, and what survived; 1 where that is too much. A reason that is for
    nothing is told too: the number of a mutant changes with its function."""
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    results = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    reasons = tomllib.loads(REASONS.read_text("utf-8"))
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    remarks: list[str] = []
    for match in RESULT_LINE.finditer(results):
        name = f"{match['module']}.{match['function']}__mutmut_{match['number']}"
        reason = reasons.pop(name, None)
        if match["verdict"] in UNTRIED:
            verdicts[match["module"]]["untried"] += 1
        elif match["verdict"] in CAUGHT:
            verdicts[match["module"]]["caught"] += 1
            if reason:
                remarks.append(f"{name}: 认出来了，不用理由：{reason}")
        else:
            verdicts[match["module"]]["survived"] += 1
            remarks.append(f"{name}: {reason or '没有理由'}")
    remarks += [f"{name}: 没有这一条：{reason}" for name, reason in reasons.items()]
    for module, counts in sorted(verdicts.items()):
        print(f"{module}: {counts_in_words(counts)}")
    print(*remarks, sep="\n")
    all_counts = sum(verdicts.values(), Counter[str]())
    print(f"caught: {counts_in_words(all_counts)}")
    tried = all_counts.total() - all_counts["untried"]
    return 0 if tried and all_counts["caught"] >= LEAST_SHARE * tried else 1


def counts_in_words(counts: Counter[str]) -> str:
    """How many of how many were caught."""
    tried = counts["caught"] + counts["survived"]
    words = f"{counts['caught']} of {tried}"
    if counts["untried"]:
        words += f", and {counts['untried']} not tried"
    return words


if __name__ == "__main__":
    sys.exit(main())
