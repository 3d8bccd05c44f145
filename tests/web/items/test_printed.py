"""An item of every kind can be answered on paper, and its paper has a key."""

from fastapi import FastAPI

from app.course.items.kinds import AnyItem, Generated
from app.web.assignments.papers import PaperQuestion
from app.web.items.printed import PrintedItem
from app.web.site.rendering import line_html
from tests.course.content.registered_kinds import kinds
from tests.course.small import course
from tests.tables import each

ANSWERED_KINDS = {
    kind: item_class for kind, item_class in kinds(AnyItem).items() if item_class is not Generated
}
PLACES = ('<span class="line">', '<p class="sheet-room">', '<table class="sheet-table"', "<li>____ ")


@each("kind", ANSWERED_KINDS)
def test_every_kind_has_a_place_for_its_answer_and_a_key(app: FastAPI, kind: str) -> None:
    item = next(item for item in course().items.values() if isinstance(item, ANSWERED_KINDS[kind]))
    printed_item = PrintedItem(course(), item, 1)
    macros = app.state.site.templates.get_template("items/_printed.html").module
    html = macros.documents(printed_item) + macros.answer_place(printed_item)
    if item.choices:
        for choice in item.choices:
            assert line_html(course(), choice.text) in html
    else:
        assert any(place in html for place in PLACES), html
    assert macros.answer(printed_item)
    paper_question = PaperQuestion(printed_item, 2.0, 0)
    assert bool(paper_question.wrong_numbers_with_names) == (kind in ("numeric", "steps"))
