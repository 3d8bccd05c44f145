"""Steps that are gone: their ids lead on, and none that was ever shipped is lost."""

from importlib import import_module

from app.course.learning.steps import Say
from tests.course.small import changed, faults, parsed
from tests.published import published
from tests.tables import each

LESSON = "01-first/lesson.yaml"
SHIPPED: dict[str, str] = import_module("app.records.migrations.versions.0014_places_by_step").STEPS


@each("name", SHIPPED)
def test_every_step_that_was_ever_shipped_is_there_or_leads_on(name: str) -> None:
    """Places and links of before name them."""
    section = published().section_of(*name.split("/"))
    assert section, "a section that goes needs a way on, too"
    assert [step for step in SHIPPED[name].split() if section.step_number_of(step) is None] == []


def test_a_step_is_found_by_the_id_that_it_took_over() -> None:
    files = changed(LESSON, "id: probe, kind", "id: probe, was: [old, older], kind")
    section = parsed(files).section_of("content:first", "one")
    assert section
    names = ("probe", "older", "words", "nobody", None)
    assert [section.step_number_of(name) for name in names] == [1, 1, 2, None, None]
    assert [section.step_number_at(None, step) for step in (-3, 1, 99)] == [1, 1, len(section.steps)]
    assert [section.step_id_of(step) for step in (0, 1, 99)] == [None, "probe", None]
    assert isinstance(section.steps[1], Say)


@each("former", ["words", "probe"])
def test_a_former_id_belongs_to_one_step(former: str) -> None:
    [fault] = faults(changed(LESSON, "id: probe, kind", f"id: probe, was: [{former}], kind"))
    assert f"“{former}”还有别的步在用" in fault
