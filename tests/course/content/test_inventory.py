"""What the five sources contain and promise, row by row, stands in the course.

Their mistakes are rows of `errata_rows.csv`, their worked examples of `seed_coverage.json`; the pages
named here are opened in `tests/web/site/test_inventory.py`.
"""

import csv
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from app.course.learning.steps import Lab
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
SOURCES = {"学习对话", "学习笔记", "指数增益文章", "计算笔记", "口红博文"}
KINDS = {"step", "item", "example", "card", "code", "lab", "page"}
"""What a learner meets; a knowledge point, an exercise or an entry of the glossary only lies behind it."""

with (ROOT / "tests/data/inventory_rows.csv").open(encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file))

COURSE = published()
OF_THE_SOURCES = 7
"""So many stages were promised by the sources; those after them are ours."""
SECTIONS = [(stage, section) for stage in COURSE.stages for section in stage.sections]
THERE: Mapping[str, Collection[str]] = {
    "step": {f"{section.id}.{step.id}" for _, section in SECTIONS for step in section.steps},
    "item": COURSE.items,
    "example": COURSE.examples,
    "card": COURSE.cards,
    "errata": COURSE.errata,
    "code": COURSE.code_exercises,
    "lab": {step.lab for step in COURSE.steps if isinstance(step, Lab)},
    "term": COURSE.glossary_name_by_id,
    "exercise": COURSE.exercises,
    "skill": COURSE.skills,
}


def covering(row: dict[str, str]) -> list[tuple[str, str]]:
    """Kind and id of everything that covers a row."""
    return [(kind, target) for kind, _, target in (name.partition(":") for name in row["covered_by"].split())]


@each("row", ROWS)
def test_what_covers_a_row_is_there(row: dict[str, str]) -> None:
    missing = [
        f"{kind}:{target}" for kind, target in covering(row) if kind != "page" and target not in THERE[kind]
    ]
    assert not missing, "not in content/: " + ", ".join(missing)


@each("row", ROWS)
def test_no_row_is_empty(row: dict[str, str]) -> None:
    named = covering(row)
    assert set(row) == {"source", "row", "covered_by"}, "a comma too many"
    assert len(row["row"]) >= 8
    assert any(kind in KINDS for kind, _ in named)
    assert len(set(named)) == len(named)
    assert all(target.startswith("/") for kind, target in named if kind == "page")


def test_every_source_has_rows() -> None:
    rows = Counter(row["source"] for row in ROWS)
    assert set(rows) == SOURCES
    assert min(rows.values()) >= 10


def test_no_row_stands_twice() -> None:
    assert len({(row["source"], row["row"]) for row in ROWS}) == len(ROWS)


@each("stage", COURSE.stages[:OF_THE_SOURCES])
def test_every_stage_keeps_a_part_of_the_promises(stage: object) -> None:
    steps = {f"{section.id}.{step.id}" for at, section in SECTIONS if at is stage for step in section.steps}
    assert sum(kind == "step" and target in steps for row in ROWS for kind, target in covering(row)) >= 5
