"""How firmly somebody stands at each knowledge point: worked out once for the same tries."""

from collections.abc import Mapping

import pytest

from app.course.content.skills import RowOfItems
from app.records.learning.values import FirstTries
from app.web.practice import strength_views
from app.web.practice.strength_views import Strength, strength_by_skill_id_of
from tests.published import published

COURSE = published()
FIRST = next(item for item in COURSE.items.values() if item.id not in COURSE.unscored_item_ids)


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The figures that were read, where nothing is remembered at first."""
    read_figures: list[str] = []
    by_skill = FirstTries.tried_and_right_by_skill_id

    def counted(tries: FirstTries, row: RowOfItems) -> Mapping[str, tuple[int, int]]:
        read_figures.append(tries.joined_figures)
        return by_skill(tries, row)

    monkeypatch.setattr(FirstTries, "tried_and_right_by_skill_id", counted)
    strength_views.REMEMBERED_STRENGTHS.clear()
    return read_figures


def test_the_same_tries_are_read_once_and_one_more_is_seen_at_once(worked_out: list[str]) -> None:
    tries = FirstTries(COURSE.ref(FIRST.id), "1000000")
    assert (
        strength_by_skill_id_of(COURSE, tries)
        == strength_by_skill_id_of(COURSE, tries)
        == {FIRST.skill: Strength(0, 1)}
    )
    assert strength_by_skill_id_of(COURSE, FirstTries(COURSE.ref(FIRST.id), "2000001")) == {
        FIRST.skill: Strength(1, 2)
    }
    assert worked_out == ["1000000", "2000001"]


def test_the_same_figures_at_other_items_are_other_tries(worked_out: list[str]) -> None:
    other = next(item for item in COURSE.items.values() if item.skill != FIRST.skill and item.skill)
    for item in (FIRST, other):
        assert strength_by_skill_id_of(COURSE, FirstTries(COURSE.ref(item.id), "1000001")) == {
            item.skill: Strength(1, 1)
        }
    assert len(worked_out) == 2


def test_another_course_counts_the_same_tries_by_its_own_skills(worked_out: list[str]) -> None:
    moved_item = FIRST.model_copy(update={"skill": "elsewhere"})
    other_course = COURSE.with_items({**COURSE.items, FIRST.id: moved_item})
    tries = FirstTries(COURSE.ref(FIRST.id), "1000001")
    assert strength_by_skill_id_of(COURSE, tries) == {FIRST.skill: Strength(1, 1)}
    assert strength_by_skill_id_of(other_course, tries) == {"elsewhere": Strength(1, 1)}
    assert len(worked_out) == 2


def test_so_many_students_are_remembered_and_no_more(
    worked_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength_views.REMEMBERED_STRENGTHS, "most_values", 2)
    for count in (1, 2, 3, 1):
        strength_by_skill_id_of(COURSE, FirstTries(COURSE.ref(FIRST.id), str(1_000_000 * count)))
    assert len(strength_views.REMEMBERED_STRENGTHS) == 2
    assert len(worked_out) == 4


def test_nothing_tried_is_no_strength(worked_out: list[str]) -> None:
    assert strength_by_skill_id_of(COURSE, FirstTries()) == {}
    assert worked_out == [""]
