"""The four floors: web → records → course → engine. Nothing points up, and each keeps to its own."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import imports, modules

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ["engine", "course", "records", "web"]  # from the ground up
DATABASE = {"alembic", "sqlalchemy", "sqlite3", "sqlmodel"}
WEB = {"fastapi", "jinja2", "starlette", "uvicorn"}
MATTERS_OF_OTHERS = {"course": DATABASE | WEB, "records": WEB, "web": {"sqlite3"}}
OUTSIDE_WORLD = {
    "asyncio",
    "datetime",
    "io",
    "os",
    "pathlib",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "time",
}
SQL = {"delete", "insert", "select", "text", "update"}


def faults(root: Path) -> list[str]:
    """Everything in `app/` that breaks the rules of the floors."""
    rules = (points_up, knows_too_much, engine_is_not_pure, speaks_sql)
    return [
        f"{path}: {fault}"
        for floor in FLOORS
        for path, tree in modules(floor, root)
        for rule in rules
        for fault in rule(floor, path, tree)
    ]


def points_up(floor: str, path: Path, tree: ast.Module) -> Iterator[str]:
    """A floor knows itself, those below, and no other part of the app (settings come in as arguments)."""
    allowed = {f"app.{name}" for name in FLOORS[: FLOORS.index(floor) + 1]}
    if floor == "web":
        allowed |= {"app.settings"}
    for name in imports(path, tree):
        if name.split(".")[0] == "app" and ".".join(name.split(".")[:2]) not in allowed:
            yield f"{floor} must not import {name}"


def knows_too_much(floor: str, path: Path, tree: ast.Module) -> Iterator[str]:
    """The course knows no database, the records know no web framework."""
    strangers = MATTERS_OF_OTHERS.get(floor, set())
    yield from (f"{floor} must not import {n}" for n in imports(path, tree) if n.split(".")[0] in strangers)


def engine_is_not_pure(floor: str, path: Path, tree: ast.Module) -> Iterator[str]:
    """The engine is mathematics: standard library and numpy; no files, no clock, no global randomness."""
    if floor != "engine":
        return
    packages = (sys.stdlib_module_names | {"numpy", "app"}) - OUTSIDE_WORLD
    for name in imports(path, tree):
        if name.split(".")[0] not in packages:
            yield f"engine must not import {name}"
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                yield "engine must not open files"
            case ast.Attribute(value=ast.Name(id="random"), attr=attr) if attr != "Random":
                yield f"engine must not use random.{attr}"
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
                yield "engine must not use numpy.random"


def speaks_sql(floor: str, path: Path, tree: ast.Module) -> Iterator[str]:
    """SQL stands in the records floor only: no statement is built in a handler."""
    if floor != "web":
        return
    for name in imports(path, tree):
        module, _, last = name.rpartition(".")
        if module.split(".")[0] in {"sqlalchemy", "sqlmodel"} and last in SQL:
            yield f"web must not import {name}"
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="select") | ast.Attribute(attr="select")):
                yield f"web must not build a select (line {node.lineno})"


def test_the_floors_hold() -> None:
    assert faults(ROOT) == []


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_is_looked_at(floor: str) -> None:
    assert any(modules(floor, ROOT))


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("engine/a.py", "import pandas"),
        ("engine/a.py", "from app.course import load"),
        ("engine/a.py", "import time"),
        ("engine/a.py", "import random\nrandom.random()"),
        ("engine/a.py", "import numpy as np\nnp.random.seed(1)"),
        ("engine/a.py", "def f():\n    return open('grades.txt')"),
        ("course/items/a.py", "from app import records"),
        ("course/items/a.py", "from ...records import verbs"),
        ("course/a.py", "def f():\n    from app.web.site.site import responses as pages"),
        ("course/a.py", "import sqlmodel"),
        ("course/a.py", "from app.settings import Settings"),
        ("records/a.py", "from fastapi import Request"),
        ("records/a.py", "import starlette.requests"),
        ("records/a.py", "from jinja2 import Environment"),
        ("records/a.py", "from app.main import create_app"),
        ("web/a.py", "from sqlmodel import select"),
        ("web/a.py", "import sqlmodel\nsqlmodel.select(1)"),
        ("web/a.py", "from app.main import create_app"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, place: str, code: str) -> None:
    planted = tmp_path / "app" / place
    planted.parent.mkdir(parents=True)
    planted.write_text(code, encoding="utf-8")
    assert len(faults(tmp_path)) >= 1


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("engine/a.py", "import math\nimport numpy as np\nfrom app.engine.terms import gain"),
        ("engine/a.py", "import random\nrandom.Random(3).random()"),
        ("course/a.py", "from app.engine import trace\nfrom .faults import Fault\nimport pathlib"),
        ("records/a.py", "from sqlmodel import select\nfrom app import course\nfrom app.engine import trace"),
        ("web/a.py", "from app import course, records\nfrom fastapi import Request"),
    ],
)
def test_what_is_allowed_is_not_a_fault(tmp_path: Path, place: str, code: str) -> None:
    allowed = tmp_path / "app" / place
    allowed.parent.mkdir(parents=True)
    allowed.write_text(code, encoding="utf-8")
    assert faults(tmp_path) == []


@pytest.mark.parametrize("folder", ["templates", "static", "content"])
def test_no_python_outside_the_app(folder: str) -> None:
    assert list((ROOT / folder).rglob("*.py")) == []
