"""What every clone must bring along: locks that install anywhere, the two commands, nothing foreign."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
RUN, DEV, BENCH, MUTANTS, POSTGRES = (
    ROOT / f"requirements{which}.lock" for which in ("", "-dev", "-bench", "-mutants", "-postgres")
)
LOCKS = [RUN, DEV, BENCH, MUTANTS, POSTGRES]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Folders beside the repository and the places it is worked on: nothing that a user's clone could follow.
FOREIGN = re.compile(r"\.\./[s]hared|(?<![\w.])/[w]ork/")


def entries(lock: Path) -> dict[str, list[str]]:
    """Each requirement line of a lock with its hashes."""
    names: dict[str, list[str]] = {}
    line = ""
    for part in lock.read_text(encoding="utf-8").splitlines():
        if part.startswith("    --hash="):
            names[line].append(part.strip(" \\").removeprefix("--hash="))
        else:
            line = part.rstrip(" \\")
            names[line] = []
    return names


def versions(lock: Path) -> dict[str, set[str]]:
    """The locked versions by name; several where they depend on the Python version."""
    names: dict[str, set[str]] = {}
    for requirement in map(Requirement, entries(lock)):
        names.setdefault(canonicalize_name(requirement.name), set()).add(str(requirement.specifier))
    return names


def tracked_texts() -> list[tuple[str, str]]:
    """The path and text of every text file that belongs to the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("not a git checkout: there is nothing to list")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [(str(path.relative_to(ROOT)), text) for path in paths if (text := text_of(path)) is not None]


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_address_and_hashes_everything(lock: Path) -> None:
    assert "://" not in lock.read_text(encoding="utf-8")
    for line, hashes in entries(lock).items():
        assert "==" in line, line
        assert hashes, line
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), line


@pytest.mark.parametrize("lock", [DEV, BENCH, POSTGRES], ids=lambda lock: lock.name)
def test_the_bigger_locks_contain_the_small_one(lock: Path) -> None:
    assert versions(RUN).items() <= versions(lock).items()


def test_the_locks_satisfy_the_project() -> None:
    wanted_packages = {
        RUN: PROJECT["project"]["dependencies"],
        DEV: PROJECT["dependency-groups"]["dev"],
        BENCH: PROJECT["project"]["optional-dependencies"]["bench"],
        POSTGRES: PROJECT["project"]["optional-dependencies"]["postgres"],
        MUTANTS: PROJECT["dependency-groups"]["mutants"],
    }
    for lock, requirements in wanted_packages.items():
        for requirement in map(Requirement, requirements):
            locked = versions(lock).get(canonicalize_name(requirement.name))
            assert locked, f"{lock.name} lacks {requirement}: make lock"
            assert all(requirement.specifier.contains(version.removeprefix("==")) for version in locked), (
                requirement
            )


def test_the_repository_names_no_place_outside_itself() -> None:
    assert [path for path, text in tracked_texts() if FOREIGN.search(text)] == []


def test_records_and_environments_are_ignored() -> None:
    paths = ["data/tangxu.db", ".venv/bin/python", "app/__pycache__/main.pyc"]
    ignored = subprocess.run(["git", "check-ignore", *paths], cwd=ROOT, capture_output=True, text=True)
    if ignored.returncode == 128:
        pytest.skip("not a git checkout: nothing is ignored")
    assert ignored.stdout.split() == paths


def test_no_merge_was_left_half_done() -> None:
    """A mark of one in a page or a text is printed: nothing else would say it."""
    mark = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)
    assert [path for path, text in tracked_texts() if mark.search(text)] == []


def test_the_commands_in_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    named = set(re.findall(r"\bmake ([a-z-]+)", readme))
    assert {"run", "test"} <= named
    assert named <= targets


def test_what_mutants_break_and_what_they_survive_is_there(mutants: ModuleType) -> None:
    """A file that moved would be broken no more, and nobody would notice. Each has the tests of its room. A
    function with another name has other mutants."""
    paths = PROJECT["tool"]["mutmut"]["only_mutate"]
    assert [path for path in paths if not (ROOT / path).is_file()] == []
    rooms = {"/".join(path.split("/")[1:3]) for path in paths}
    rooms |= {f"records/{room}" for room in mutants.TRIED_ELSEWHERE_TOO.values()}
    tried_by = PROJECT["tool"]["mutmut"]["pytest_add_cli_args_test_selection"]
    assert set(tried_by) == {f"{folder}/{room}" for room in rooms for folder in ("app", "tests")}
    survivors = tomllib.loads((ROOT / "tests/survivors.toml").read_text(encoding="utf-8"))
    for name in survivors:
        mutant = re.fullmatch(r"(?P<module>[\w.]+)\.x(_|ǁ\w+ǁ)(?P<function>\w+)__mutmut_\d+", name)
        assert mutant, name
        path = mutant["module"].replace(".", "/") + ".py"
        assert path in paths
        assert f"def {mutant['function']}(" in (ROOT / path).read_text(encoding="utf-8"), name


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mutants() -> ModuleType:
    return tool("mutants")


RULES = """
MOST_GROUPS = 20
CODE_OPEN_FOR = timedelta(minutes=45)
GROUP = select(GROUP.id).where(IS_OF_CLASS, IS_THIS).order_by(GROUP.id)
ALL = select(GROUP.id).where(IS_OF_CLASS)
IS_OPEN = IS_LIVE & (CODE.until > bindparam("now"))
Name = str | None
IS_CLOSED = (GROUP.id == THIS, ~IS_OPEN)


def rename(name: str, right: Right = Right.TEACH) -> None:
    assert len(name) < 40
"""


def test_each_rule_beside_the_functions_is_broken_in_each_way() -> None:
    changes = [mutant.change for mutant in tool("rule_mutants").mutants_of("app.records.rules", RULES)]
    assert changes == [
        "2: 20 → 80",
        "2: 20 → 5",
        "3: 45 → 180",
        "3: 45 → 11",
        "4: select(GROUP.id).where(IS_OF_CLASS, IS_THIS) → select(GROUP.id).where(IS_THIS)",
        "4: select(GROUP.id).where(IS_OF_CLASS, IS_THIS) → select(GROUP.id).where(IS_OF_CLASS)",
        "5: select(GROUP.id).where(IS_OF_CLASS) → select(GROUP.id)",
        '6: IS_LIVE & (CODE.until > bindparam("now")) → (IS_LIVE)',
        '6: IS_LIVE & (CODE.until > bindparam("now")) → (CODE.until > bindparam("now"))',
        '6: CODE.until > bindparam("now") → CODE.until >= bindparam("now")',
        "8: (GROUP.id == THIS, ~IS_OPEN) → (~IS_OPEN,)",
        "8: (GROUP.id == THIS, ~IS_OPEN) → (GROUP.id == THIS,)",
        "11: Right.TEACH → Right.READ",
        "11: Right.TEACH → Right.MARK",
        "11: Right.TEACH → Right.OWN",
    ]
    for mutant in tool("rule_mutants").mutants_of("app.records.rules", RULES):
        compile(mutant.source, "rules", "exec")


def test_a_rule_is_tried_by_the_tests_of_its_room_the_quickest_first(mutants: ModuleType) -> None:
    """All tests that reach it try a rule that none of its room reaches."""
    seconds = {
        "tests/records/grading/test_marks.py::test_the_best": 0.5,
        "app/records/grading/marks.py::app.records.grading.marks.short": 0.1,
        "tests/records/marking/test_rubric_marks.py::test_words_wait": 0.3,
        "tests/records/people/test_merge.py::test_nothing_is_lost": 0.2,
        "tests/records/assignments/test_timed.py::test_time_is_up": 0.4,
    }
    slow, quick, by_hand, elsewhere, by_the_clock = seconds
    assert mutants.own_tests("app.records.grading.marks.x_short", list(seconds), seconds) == [
        quick,
        by_hand,
        slow,
    ]
    assert mutants.own_tests("app.records.grading.collecting.x_sweep", list(seconds), seconds) == [
        quick,
        by_hand,
        by_the_clock,
        slow,
    ]
    assert mutants.own_tests("app.records.classes.rights.x_may", list(seconds), seconds) == [
        quick,
        elsewhere,
        by_hand,
        by_the_clock,
        slow,
    ]


def test_tests_that_were_found_once_run_as_they_are_named(tmp_path: Path) -> None:
    """The exit code of pytest says whether what was broken is caught."""
    tests = "def test_right(): pass\n\n\ndef test_wrong(): assert False\n"
    (tmp_path / "test_marks.py").write_text(tests, encoding="utf-8")
    program = """
from mutants import FoundTests
found_tests = FoundTests(["."])
print([found_tests.exit_code(["test_marks.py::" + name]) for name in ("test_right", "test_wrong")])
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.stdout == "[0, 1]\n", run.stderr


def test_what_was_not_tried_is_neither_caught_nor_survived(mutants: ModuleType) -> None:
    assert mutants.counts_in_words(Counter(caught=9, survived=1)) == "9 of 10"
    assert mutants.counts_in_words(Counter(caught=1, untried=4)) == "1 of 1, and 4 not tried"


def test_the_machine_that_checks_runs_what_people_run() -> None:
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1].endswith("exec make test-all")


# Set-up: tools/find_python.sh and tools/setup.py


def find_python(folder: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Look for a Python on a PATH that has only these programs: name to the words of a shell script."""
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    command = [shutil.which("sh") or "sh", str(ROOT / "tools" / "find_python.sh")]
    return subprocess.run(
        command, env={"PATH": str(folder)}, capture_output=True, text=True, encoding="utf-8"
    )


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """tools/setup.py, working in an empty folder with small locks."""
    spec = importlib.util.spec_from_file_location("setup_tool", ROOT / "tools" / "setup.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    for lock in LOCKS:
        (tmp_path / lock.name).write_text("one\n")
    return module


@pytest.fixture
def installed(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The locks that each pip was asked to install; a pip that always works, in a `.venv` that exists."""
    locks: list[list[str]] = []

    def install_all(command: list[str], _: int) -> None:
        locks.append([lock for option, lock in pairwise(command) if option == "-r"])

    setup.VENV.mkdir()
    monkeypatch.setattr(setup, "succeeds", lambda *_: True)
    monkeypatch.setattr(setup, "run_pip", install_all)
    return locks


def test_a_machine_without_python_is_told_so(tmp_path: Path) -> None:
    python_path = find_python(tmp_path)
    assert python_path.returncode == 1
    assert "没有找到 Python" in python_path.stderr


def test_an_old_python_is_named(tmp_path: Path) -> None:
    old = '[ "$1" = --version ] && echo "Python 3.9.2"; [ "$1" = --version ]'
    python_path = find_python(tmp_path, python3=old)
    assert python_path.returncode == 1
    assert "只有 Python 3.9.2" in python_path.stderr


def test_the_first_good_python_is_taken(tmp_path: Path) -> None:
    python_path = find_python(tmp_path, python3="exit 1", **{"python3.12": "exit 0"})
    assert python_path.stdout.strip() == str(tmp_path / "python3.12")


def test_locks_are_installed_again_only_when_they_changed(
    setup: ModuleType, installed: list[list[str]]
) -> None:
    assert setup.main("dev") == 0
    assert installed == [[RUN.name, DEV.name]]
    assert [setup.main(purpose) for purpose in ("run", "dev")] == [0, 0]
    assert len(installed) == 1
    (setup.ROOT / DEV.name).write_text("two\n")
    assert setup.main("run") == 0
    assert len(installed) == 1
    assert setup.main("dev") == 0
    assert installed[1:] == [[DEV.name]]


def test_a_changed_run_time_lock_makes_the_bigger_ones_look_again(
    setup: ModuleType, installed: list[list[str]]
) -> None:
    setup.main("dev")
    (setup.ROOT / RUN.name).write_text("two\n")
    setup.main("run")
    setup.main("dev")
    assert installed[1:] == [[RUN.name], [DEV.name]]


def test_a_failed_installation_is_tried_again(
    setup: ModuleType,
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(setup, "run_pip", lambda *_: "no network")
        assert setup.main("run") == 1
    output = capsys.readouterr().err
    assert "no network" in output
    assert "依赖没有装好" in output
    assert setup.main("run") == 0
    assert installed == [[RUN.name]]


def test_a_python_without_venv_is_told_what_to_install(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name)
    assert setup.main("run") == 1
    assert "apt install python3-venv" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(setup.venv, "create", refuse)
    assert setup.main("run") == 1
    assert f"不能写入 {setup.VENV}" in capsys.readouterr().err
