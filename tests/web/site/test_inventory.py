"""The pages that keep a promise of the sources answer; the rest is in
`tests/course/content/test_inventory.py`."""

import csv
from pathlib import Path

import pytest

from tests.web.cast import Reader

with (Path(__file__).resolve().parents[2] / "data/inventory_rows.csv").open(encoding="utf-8") as _file:
    NAMED = {name for row in csv.DictReader(_file) for name in row["covered_by"].split()}
PAGES = sorted(name.removeprefix("page:") for name in NAMED if name.startswith("page:"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_keeps_a_promise_answers(guest: Reader, page: str) -> None:
    assert guest.open(page).root.one("main").text
