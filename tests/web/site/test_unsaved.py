"""Who leaves a long form with words that were not sent is asked first: one rule for all of them."""

import re
from pathlib import Path

from tests.tables import each

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
FORM_PATTERN = re.compile(r"<form\b.*?</form>", re.DOTALL)
KEPT = ("items/_item.html",)
"""What is written into a question is there again after it was left."""
FORMS_OF_TEMPLATES = [
    (path.relative_to(TEMPLATES).as_posix(), form)
    for path in sorted(TEMPLATES.rglob("*.html"))
    for form in FORM_PATTERN.findall(path.read_text("utf-8"))
    if "<textarea" in form
]


@each(("name", "form"), FORMS_OF_TEMPLATES)
def test_each_form_of_several_lines_asks_who_leaves(name: str, form: str) -> None:
    assert ("{{ unsaved(" in form[:90]) != (name in KEPT)
