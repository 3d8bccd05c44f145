"""A table whose style makes it a grid on a phone says in roles what it is: else Safari tells of none."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

STATIC = Path(__file__).resolve().parents[3] / "static"
GRID_ROW_PATTERN = re.compile(r"\.([\w-]+) (?:tbody )?tr \{ display: (?:grid|flex)")
GRID_CLASSES = {
    table_class
    for path in sorted(STATIC.rglob("*.css"))
    for table_class in GRID_ROW_PATTERN.findall(path.read_text("utf-8"))
}
TABLE_PATTERN = re.compile(r'<table class="([\w-]+)".*?</table>', re.DOTALL)
TAG_PATTERN = re.compile(r"<(?:table|thead|tbody|tr|th|td)\b[^>]*>")


@pytest.mark.parametrize("path", ["/workbench?list=3+2+0+1", "/bands?grades=4+1+3+4+0"])
def test_every_part_of_it_has_its_role(client: TestClient, path: str) -> None:
    page = client.get(path)
    tables = [table for table in TABLE_PATTERN.finditer(page.text) if table[1] in GRID_CLASSES]
    assert tables
    for table in tables:
        assert [tag for tag in TAG_PATTERN.findall(table[0]) if ' role="' not in tag] == []
