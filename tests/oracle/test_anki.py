"""Anki itself opens what we export: notes, fields, tags, decks; a second import doubles nothing."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.course import Course
from app.course.cards.card_files import anki_package, read_card_rows
from app.records.cards.scheduling import NEW_MEMORY
from app.records.cards.values import CardRow, DeckData, OwnCardRow
from app.web.cards.card_drafts import tidy_tags
from app.web.cards.known_cards import rows_with_standings
from app.web.cards.written_decks import anki_notes
from tests.published import published

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def python() -> str:
    """Anki's own Python. Without it the test fails and says how to get it; it is never skipped."""
    run_result = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "anki.py")], capture_output=True, text=True, encoding="utf-8"
    )
    if run_result.returncode:
        pytest.fail(run_result.stderr, pytrace=False)
    return run_result.stdout.strip()


@pytest.fixture(scope="module")
def course() -> Course:
    return published()


def deck(course: Course, front: str) -> DeckData:
    """The first two stages, and a card of one's own."""
    names = [
        course.ref(name) for stage in course.stages[:2] for name in course.card_ids_by_stage_id[stage.id]
    ]
    rows = [CardRow(name, "x", NOW, "active", NEW_MEMORY) for name in [*names, "own:1"]]
    own = OwnCardRow(1, front, "<b>不是粗体</b>，$\\DCG$", "折损 常考", "", NOW, NOW)
    return DeckData(1, cards=rows, own_cards=[own])


@pytest.fixture(scope="module")
def imports(python: str, course: Course, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Anki says after importing a deck, the same once more, and then one with other words."""
    folder = tmp_path_factory.mktemp("anki")
    for name, front, moment in (("one", "旧的问法？", NOW), ("two", "新的问法？", NOW + timedelta(days=1))):
        body = anki_package(anki_notes(course, deck(course, front)), moment.timestamp())
        (folder / f"{name}.apkg").write_bytes(body)
    packages = [str(folder / f"{name}.apkg") for name in ("one", "one", "two")]
    script = [python, str(Path(__file__).with_name("anki_import.py")), str(folder / "collection.anki2")]
    ran = subprocess.run([*script, *packages], capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    report: dict[str, Any] = json.loads(ran.stdout)
    return report


def test_a_second_import_makes_no_new_notes(imports: dict[str, Any], course: Course) -> None:
    total = sum(len(course.card_ids_by_stage_id[stage.id]) for stage in course.stages[:2]) + 1
    first, second, third = imports["imports"]
    assert first["new"] == total
    assert second["new"] == third["new"] == 0
    assert len(imports["notes"]) == total
    assert imports["fine"], imports["problems"]


def test_fields_formulas_and_html_are_right(imports: dict[str, Any]) -> None:
    notes = {note["fields"]["正面"]: note for note in imports["notes"]}
    whole = "".join(note["question"] for note in imports["notes"])
    assert r"\(\frac{1}{\log_2 i}\)" in whole
    assert "$" not in whole.replace("$$", "")
    assert any("一颗3分糖从第1位挪到第8位" in front for front in notes)
    [own] = [note for front, note in notes.items() if "问法" in front]
    assert own["fields"]["背面"] == ("<p>&lt;b&gt;不是粗体&lt;/b&gt;，<span>\\(\\mathrm{DCG}\\)</span></p>\n")
    assert "<math" not in whole


def test_changed_words_come_through(imports: dict[str, Any]) -> None:
    fronts = [note["fields"]["正面"] for note in imports["notes"]]
    assert [front for front in fronts if "问法" in front] == ["<p>新的问法？</p>\n"]


def test_decks_and_tags_are_those_of_the_stages(imports: dict[str, Any], course: Course) -> None:
    by_deck = {note["deck"]: note for note in imports["notes"]}
    titles = [stage.title for stage in course.stages[:2]]
    assert set(by_deck) == {f"糖序::{title}" for title in [*titles, "我的卡片"]}
    assert all(titles[0] in note["tags"] for note in imports["notes"] if note["deck"].endswith(titles[0]))
    assert set(by_deck["糖序::我的卡片"]["tags"]) == {"折损", "常考"}


def test_what_anki_writes_as_text_is_known_again(imports: dict[str, Any], course: Course) -> None:
    """With HTML and without; each card of the course, and the learner's own."""
    learners_deck = deck(course, "新的问法？")
    for text in imports["texts"]:
        rows = read_card_rows(text, tidy_tags)
        judged_rows = list(rows_with_standings(course, rows, learners_deck))
        assert len(judged_rows) == len(learners_deck.cards)
        assert [row.front for row, is_present in judged_rows if not is_present] == []
