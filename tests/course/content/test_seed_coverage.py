"""Every worked example of the sources stands in the course: as an example, or as the question of an item."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.course.items.examples import Example
from app.course.items.kinds.numeric import AskedQuantity
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests/data"
SEED: Mapping[str, dict[str, Any]] = {
    one["id"]: one for one in json.loads((DATA / "seed_examples.json").read_text(encoding="utf-8"))
}
COVERED_BY: Mapping[str, str] = json.loads((DATA / "seed_coverage.json").read_text(encoding="utf-8"))
"""Id of a worked example -> `example:id` or `item:id` of the content that covers it."""

COURSE = published()


def covering(name: str) -> Example | AskedQuantity | None:
    """The example or the question that covers a worked example."""
    kind, _, content_id = COVERED_BY[name].partition(":")
    if kind == "example":
        return COURSE.examples.get(content_id)
    question = getattr(COURSE.items.get(content_id), "question", None)
    return question if isinstance(question, AskedQuantity) else None


def test_every_worked_example_is_named() -> None:
    assert set(COVERED_BY) == set(SEED)
    assert len(set(COVERED_BY.values())) == len(SEED)


def test_no_worked_example_is_missing() -> None:
    missing = [f"{name}: {COVERED_BY[name]}" for name in SEED if covering(name) is None]
    assert not missing, "not in content/: " + ", ".join(missing)


@each("name", SEED)
def test_the_content_has_the_list_of_the_source(name: str) -> None:
    seed, cover = SEED[name], covering(name)
    assert cover, COVERED_BY[name]
    assert list(cover.grades or []) == seed["grades"]
    assert (cover.k or len(seed["grades"]), cover.gain) == (seed["k"], seed["gain"])
    assert sorted(cover.pool or []) == sorted(seed["pool"] or [])


@each("name", [name for name in SEED if SEED[name]["documents"]])
def test_the_content_has_as_many_documents_as_the_source(name: str) -> None:
    cover = covering(name)
    assert isinstance(cover, Example)
    assert len(cover.documents) == len(SEED[name]["documents"])


@each("name", SEED)
def test_what_covers_it_can_be_met(name: str) -> None:
    """In a step, in a figure, in the question of an item, in a text, or as one of the cases of 勘误馆."""
    kind, _, content_id = COVERED_BY[name].partition(":")
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "content").rglob("*.yaml"))
    asked_ids = {step.target_id_by_field().get(kind) for step in COURSE.steps}
    easier = {item.easier for item in COURSE.items.values()}
    named = f"{{{{ {content_id}." in text or f"example: {content_id}" in text
    assert content_id in asked_ids | easier or named
