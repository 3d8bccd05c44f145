"""`import tangxu`, as the build lays it out: the engine under a name of its own, and nothing of the site."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SITE = ("fastapi", "starlette", "sqlalchemy", "sqlmodel", "jinja2", "uvicorn", "pydantic")
PROGRAM = """
import json, sys
import tangxu
first = tangxu.ndcg([4, 1, 3, 4, 0])
match = tangxu.reconcile([3, 0, 2, 0], "0.538", scores=[1, 1, 1, 1])[0]
ratio = tangxu.trace([3, 2]).ndcg
names = {name.partition(".")[0] for name in sys.modules}
rooms = sorted({name.split(".")[1] for name in sys.modules if name.startswith("app.")})
batch = tangxu.batch.ndcg([[3, 2, 1]], [[1, 2, 3]]).tolist()
said = {"first": first, "presets": match.presets, "ratio": ratio, "names": sorted(names), "rooms": rooms}
print(json.dumps(said | {"batch": batch}))
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the packages where the build puts them."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    for package in wheel["packages"]:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "app" / "tangxu", tmp_path / wheel["force-include"]["app/tangxu"])
    return tmp_path


def test_a_program_gets_the_engine_and_nothing_of_the_site(installed: Path) -> None:
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, cwd=installed, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    report: dict[str, Any] = json.loads(run.stdout)
    assert round(report["first"], 3) == 0.929
    assert report["presets"] == ["catboost"]
    assert report["ratio"] == 1.0
    assert [round(value, 2) for value in report["batch"]] == [0.79]
    assert not {"numpy", *SITE} & set(report["names"]), "numpy comes with the batch, the site never"
    assert report["rooms"] == ["engine"]


def test_it_says_that_it_is_typed(installed: Path) -> None:
    assert (installed / "tangxu" / "py.typed").exists()
