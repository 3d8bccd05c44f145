"""Every answer of every convention has words, and every axis leads somewhere in the course."""

from app.course.workbench.comparing import AXES_BELOW_ZERO, COMPARED_AXES
from app.course.workbench.wording import (
    HELP_BY_AXIS,
    NAME_BY_ANY_AXIS,
    answer_words,
    convention_line,
    short_name,
    version_words,
)
from app.engine.conventions import CONVENTIONS
from app.engine.reconciling import all_conventions
from tests.published import published


def test_every_answer_has_words() -> None:
    for convention in [*CONVENTIONS.values(), *all_conventions()]:
        assert convention_line(convention, 10)
        for axis in COMPARED_AXES:
            assert answer_words(axis, getattr(convention, axis))


def test_every_axis_is_taught_practised_and_has_gone_wrong_once() -> None:
    course = published()
    sections = {(stage.id, section.id) for stage in course.stages for section in stage.sections}
    assert set(HELP_BY_AXIS) == set(NAME_BY_ANY_AXIS) == {*COMPARED_AXES, *AXES_BELOW_ZERO}
    for axis, axis_help in HELP_BY_AXIS.items():
        assert axis_help.section_key in sections, axis
        assert axis_help.case_id in course.errata, axis
        assert axis_help.skill_id in course.skills, axis


def test_every_library_has_a_short_name_of_its_own_and_a_date() -> None:
    names = [short_name(convention) for convention in CONVENTIONS.values()]
    assert len(set(names)) == len(names)
    dated = [convention for convention in CONVENTIONS.values() if version_words(convention)]
    assert len(dated) == len(CONVENTIONS) - 2
    assert all("202" in version_words(convention) for convention in dated)
