"""What an assignment asks for: changed as its form has it, until somebody has begun."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.records.assignments import lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.parts import WantedChanges
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from tests.records.assigned import DCG, PRACTICE, TANG, TEACHER, Class

CHANGES = "SELECT action, detail FROM audit WHERE action = 'parts'"


def set_parts(room: Class, assignment: int, wanted_changes: WantedChanges) -> None:
    room.desk.write(parts_verbs.set_parts, TEACHER, room.key(assignment), wanted_changes, room.now)


def test_all_parts_are_set_as_the_form_has_them_and_it_is_noted_once(room: Class) -> None:
    assignment = room.assign(DCG, PRACTICE)
    item, practice = room.desk.read(lookup.parts_of, assignment)
    missing_id = practice.id + 100
    wanted_changes: WantedChanges = {
        item.id: {"points": 2.0, "count": 9},
        practice.id: {"count": 3},
        missing_id: {"points": 5.0},
    }
    set_parts(room, assignment, wanted_changes)
    set_parts(room, assignment, wanted_changes)
    changed_parts = room.desk.read(lookup.parts_of, assignment)
    assert [(part.points, part.count) for part in changed_parts] == [(2.0, 1), (1.0, 3)]
    assert len(room.desk.rows(CHANGES)) == 1


@pytest.mark.parametrize(
    ("points", "count", "sentence"),
    [
        (-0.1, 1, "0到100"),
        (100.1, 1, "0到100"),
        (0.25, 1, "最多一位小数"),
        (1.0, 0, "1到50"),
        (1.0, 51, "1到50"),
    ],
)
def test_a_part_is_worth_and_asks_so_much(room: Class, points: float, count: int, sentence: str) -> None:
    assignment = room.assign(DCG)
    part = replace(PRACTICE, points=points, count=count)
    with pytest.raises(Refused, match=sentence):
        room.desk.write(parts_verbs.add_parts, TEACHER, room.key(assignment), [part], room.now)
    for points_allowed, count_allowed in ((0.0, 50), (100.0, 1)):
        part = replace(PRACTICE, points=points_allowed, count=count_allowed)
        room.desk.write(parts_verbs.add_parts, TEACHER, room.key(assignment), [part], room.now)
    assert len(room.desk.read(lookup.parts_of, assignment)) == 3


@pytest.mark.parametrize(
    ("most_parts", "one_too_many", "sentence"),
    [
        ([DCG] * 60, DCG, "最多60项"),
        ([replace(PRACTICE, count=50)] * 2, DCG, "一共101题，最多100题"),
    ],
)
def test_an_assignment_has_so_many_parts_and_questions(
    room: Class, most_parts: Sequence[NewPart], one_too_many: NewPart, sentence: str
) -> None:
    assignment = room.assign(*most_parts)
    with pytest.raises(Refused, match=sentence):
        room.desk.write(parts_verbs.add_parts, TEACHER, room.key(assignment), [one_too_many], room.now)
    assert len(room.desk.read(lookup.parts_of, assignment)) == len(most_parts)


@pytest.mark.usefixtures("tang")
def test_parts_that_are_refused_stay_as_they_were(room: Class) -> None:
    assignment = room.assign(DCG)
    [part] = before = room.desk.read(lookup.parts_of, assignment)
    with pytest.raises(Refused, match="0到100"):
        set_parts(room, assignment, {part.id: {"points": 101.0}})
    room.begin(TANG, assignment)
    with pytest.raises(Refused, match="已经有人开始"):
        set_parts(room, assignment, {part.id: {"points": 3.0}})
    assert room.desk.read(lookup.parts_of, assignment) == before


# Banks.

FOUR_ITEMS = [NewPart("item", f"content:dcg-{letter}", points=2.0) for letter in "abcd"]


def draw_from(room: Class, assignment: int, places: Sequence[int], count: int) -> None:
    parts = room.desk.read(lookup.parts_of, assignment)
    ids = [parts[place].id for place in places]
    room.desk.write(parts_verbs.make_bank, TEACHER, room.key(assignment), ids, count, {}, room.now)


def bank_columns(room: Class, assignment: int) -> list[tuple[int, int]]:
    return [(part.bank, part.count) for part in room.desk.read(lookup.parts_of, assignment)]


def test_a_bank_is_made_enlarged_and_dissolved_and_noted_each_time(room: Class) -> None:
    assignment = room.assign(*FOUR_ITEMS)
    draw_from(room, assignment, [0, 2, 3], 2)
    draw_from(room, assignment, [0, 2, 3], 2)
    assert bank_columns(room, assignment) == [(1, 2), (0, 1), (1, 2), (1, 2)]
    assert len(room.desk.rows(CHANGES)) == 1, "a second click changes nothing"
    draw_from(room, assignment, [0, 1, 2, 3], 3)
    assert bank_columns(room, assignment) == [(2, 3)] * 4
    room.desk.write(parts_verbs.dissolve_bank, TEACHER, room.key(assignment), 2, {}, room.now)
    assert bank_columns(room, assignment) == [(0, 1)] * 4
    assert len(room.desk.rows(CHANGES)) == 3


def test_a_part_of_a_bank_becomes_a_bank_of_its_own(room: Class) -> None:
    assignment = room.assign(*FOUR_ITEMS)
    draw_from(room, assignment, [0, 1, 2, 3], 1)
    draw_from(room, assignment, [3, 2], 1)
    assert bank_columns(room, assignment) == [(1, 1), (1, 1), (2, 1), (2, 1)]
    with pytest.raises(Refused, match="题池1有1道题，每人抽1道"):
        draw_from(room, assignment, [1, 2, 3], 2)
    draw_from(room, assignment, [3, 2, 1, 0], 2)
    draw_from(room, assignment, [2, 3, 0, 1], 3)
    assert bank_columns(room, assignment) == [(3, 3)] * 4, "its own items in any order are the same bank"


@pytest.mark.parametrize(
    ("places", "count", "sentence"),
    [
        ([0, 1], 2, "抽的要比有的少"),
        ([0, 1], 0, "至少抽1道"),
        ([], 1, "先勾上"),
        ([0, 4], 1, "一道一道的题"),
        ([0, 5], 1, "一样多分"),
    ],
)
def test_a_bank_that_is_no_draw_is_refused_whole(
    room: Class, places: Sequence[int], count: int, sentence: str
) -> None:
    assignment = room.assign(*FOUR_ITEMS, PRACTICE, DCG)
    with pytest.raises(Refused, match=sentence):
        draw_from(room, assignment, places, count)
    assert {bank for bank, _ in bank_columns(room, assignment)} == {0}


def test_what_would_leave_a_bank_without_a_draw_is_refused(room: Class) -> None:
    assignment = room.assign(*FOUR_ITEMS)
    draw_from(room, assignment, [0, 1, 2], 2)
    first, *_ = before = room.desk.read(lookup.parts_of, assignment)
    with pytest.raises(Refused, match="题池1有2道题，每人抽2道"):
        room.desk.write(parts_verbs.remove_part, TEACHER, room.key(assignment), first.id, {}, room.now)
    with pytest.raises(Refused, match="一样多分"):
        set_parts(room, assignment, {first.id: {"points": 5.0}})
    assert room.desk.read(lookup.parts_of, assignment) == before
    wanted_changes = {part.id: {"points": 5.0} for part in before}
    set_parts(room, assignment, wanted_changes)
    assert {part.points for part in room.desk.read(lookup.parts_of, assignment)} == {5.0}


def test_a_part_is_taken_out_alone(room: Class) -> None:
    assignment, other_assignment = (room.assign(*FOUR_ITEMS) for _ in range(2))
    first, *others = room.desk.read(lookup.parts_of, assignment)
    room.desk.write(parts_verbs.remove_part, TEACHER, room.key(assignment), first.id, {}, room.now)
    assert room.desk.read(lookup.parts_of, assignment) == tuple(others)
    assert len(room.desk.read(lookup.parts_of, other_assignment)) == 4


def test_a_mark_of_work_on_paper_keeps_the_questions_as_they_are(room: Class, tang: Student) -> None:
    """Nine points of ten would stand against five."""
    assignment = room.assign(replace(DCG, points=10.0))
    [part] = room.desk.read(lookup.parts_of, assignment)
    cell_key = CellKey(room.classroom, assignment, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "9", "纸上做的", room.now)
    with pytest.raises(Refused, match="已经给过分"):
        set_parts(room, assignment, {part.id: {"points": 5.0}})
    with pytest.raises(Refused, match="已经给过分，题目和分值不能再动"):
        room.desk.write(parts_verbs.add_parts, TEACHER, room.key(assignment), [PRACTICE], room.now)
    assert room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment)).is_frozen
    room.desk.write(mark_overrides.take_back_override, TEACHER, cell_key, room.now)
    assert not room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment)).is_frozen
    set_parts(room, assignment, {part.id: {"points": 5.0}})
    assert [part.points for part in room.desk.read(lookup.parts_of, assignment)] == [5.0]


def test_who_is_excused_keeps_no_questions_as_they_are(room: Class, tang: Student) -> None:
    """Nothing of theirs stands against other points; but the publication is not taken back."""
    assignment = room.assign(DCG)
    cell_key = CellKey(room.classroom, assignment, tang.id)
    room.desk.write(mark_overrides.excuse_student, TEACHER, cell_key, "病假", room.now)
    assert not room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment)).is_frozen
    room.desk.write(parts_verbs.add_parts, TEACHER, room.key(assignment), [PRACTICE], room.now)
    assert len(room.desk.read(lookup.parts_of, assignment)) == 2
    with pytest.raises(Refused, match="让谁免做了"):
        room.desk.write(lifecycle.take_back_publication, TEACHER, room.key(assignment), room.now)
