"""What an assignment asks for: parts put in, changed, moved, taken out, until they are fixed."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import bindparam, delete

from app.course.assignments.question_sets import parts_by_bank_number, questions_of_parts
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.rows import PART
from app.records.assignments.tables import AssignmentPart
from app.records.assignments.values import AssignmentKey, NewPart, PartRow
from app.records.db.errors import NotFound, Refused, naming_field
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, field_names, prepared_insert, prepared_update

MOST_QUESTIONS, MOST_PARTS, LARGEST_COUNT = 100, 60, 50

WantedChanges = Mapping[int, Mapping[str, Any]]
"""What a teacher wants changed in parts, by part: `{7: {"points": 2.0}}`."""
CHANGEABLE_FIELDS: Mapping[str, Collection[str]] = {
    "item": ("ref", "points"),
    "practice": ("level", "count", "same", "points"),
    "section": ("points",),
    "cards": ("count", "points"),
    "game": ("count", "points"),
}
IS_THIS_PART = PART.id == bindparam("part")


def add_parts(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    wanted_parts: Sequence[NewPart],
    now: datetime,
    newest_known_part_id: int | None = None,
) -> bool:
    """Put these at the end. What there is to do can no longer change once somebody has begun
    or was given points.

    `newest_known_part_id`: the newest part that the form knew of. What has come in since is not put in again;
    returns whether all of it was put in.
    """
    with editable_parts(session, caller, assignment_key, now) as parts:
        if not wanted_parts:
            raise Refused("一样也没选。先勾上，再加进作业。")
        checked_parts = [checked_part(new_part) for new_part in wanted_parts]
        missing_parts = missing_parts_among(checked_parts, parts, newest_known_part_id)
        if len(parts) + len(missing_parts) > MOST_PARTS:
            raise Refused(f"一份作业最多{MOST_PARTS}项。拆成两份吧，同学也好安排。")
        last_position = 0
        if parts:
            last_position = parts[-1].position
        put_parts(session, assignment_key.assignment_id, missing_parts, last_position=last_position)
    return len(missing_parts) == len(wanted_parts)


def checked_part(new_part: NewPart) -> NewPart:
    if not 1 <= new_part.count <= LARGEST_COUNT:
        raise Refused(f"个数写1到{LARGEST_COUNT}。", "count")
    if not 0 <= new_part.points <= 100:
        raise Refused("每题的分值写0到100。", "points")
    points = round(new_part.points, 1)
    if abs(points - new_part.points) > 1e-9:
        raise Refused("分值最多一位小数，比如0.5。", "points")
    return replace(new_part, points=points)


def missing_parts_among(
    wanted_parts: Sequence[NewPart], parts: Sequence[PartRow], newest_known_part_id: int | None
) -> Sequence[NewPart]:
    """What of this has not come in, the very same, since `newest_known_part_id` was all that a form knew."""
    if newest_known_part_id is None:
        return wanted_parts
    newer_parts = [part for part in parts if part.id > newest_known_part_id]
    arrived_contents = [part.content for part in newer_parts]
    missing_parts = []
    for new_part in wanted_parts:
        if new_part in arrived_contents:
            arrived_contents.remove(new_part)
        else:
            missing_parts.append(new_part)
    return missing_parts


ADD_PART = prepared_insert(AssignmentPart)


def put_parts(
    session: VerbSession, assignment_id: int, part_contents: Sequence[NewPart], last_position: int = 0
) -> None:
    """These parts in this order, behind the position `last_position`."""
    for position, new_part in enumerate(part_contents, last_position + 1):
        part_columns = asdict(new_part)
        session.run(ADD_PART, assignment_id=assignment_id, position=position, **part_columns)


def part_contents_of(session: VerbSession, assignment_id: int) -> Sequence[NewPart]:
    """What the parts of an assignment ask for, wherever they stand."""
    parts = lookup.parts_of(session, assignment_id)
    return tuple(part.content for part in parts)


def set_parts(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    wanted_change_by_part_id: WantedChanges,
    now: datetime,
) -> None:
    """Other points, another count, another item in the place of one: all rows as the form has them."""
    with editable_parts(session, caller, assignment_key, now) as parts:
        write_changes(session, parts, wanted_change_by_part_id)


def part_update(*fields: str) -> PreparedStatement:
    """UPDATE of these fields of one part."""
    return prepared_update(AssignmentPart, IS_THIS_PART, fields)


SET_POSITION = part_update("position")


def move_part(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    part_id: int,
    rows_down: int,
    wanted_change_by_part_id: WantedChanges,
    now: datetime,
) -> None:
    """So many places down, or up where it is less than 0; not beyond the ends."""
    with editable_parts(session, caller, assignment_key, now, part_id) as parts:
        ordered_parts = list(parts)
        part_index = ordered_parts.index(part_with_id(parts, part_id))
        part = ordered_parts.pop(part_index)
        new_index = max(0, part_index + rows_down)
        ordered_parts.insert(new_index, part)
        for position, part in enumerate(ordered_parts, 1):
            session.run(SET_POSITION, part=part.id, position=position)
        write_changes(session, parts, wanted_change_by_part_id)


REMOVE_PART = PreparedStatement(delete(table(AssignmentPart)).where(IS_THIS_PART))


def remove_part(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    part_id: int,
    wanted_change_by_part_id: WantedChanges,
    now: datetime,
) -> None:
    with editable_parts(session, caller, assignment_key, now, part_id) as parts:
        session.run(REMOVE_PART, part=part_id)
        other_parts = [part for part in parts if part.id != part_id]
        write_changes(session, other_parts, wanted_change_by_part_id)


SET_BANK = part_update("bank", "count")


def make_bank(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    part_ids: Collection[int],
    asked_count: int,
    wanted_change_by_part_id: WantedChanges,
    now: datetime,
) -> None:
    """Make a bank of these items: each student gets `asked_count` of them. A second click changes nothing.

    Some items of a bank alone become one of their own, and leave the other one.
    """
    with editable_parts(session, caller, assignment_key, now) as parts:
        ticked_parts = [part_with_id(parts, part_id) for part_id in part_ids]
        bank_parts = [part for part in parts if part in ticked_parts]
        if not bank_parts:
            raise Refused("先勾上要放进题池的题。")
        if any(part.kind != "item" for part in bank_parts):
            raise Refused("题池里只放一道一道的题：出题器本来就给每人各出一道。")
        bank_number = max((part.bank for part in parts), default=0) + 1
        if bank_parts in parts_by_bank_number(parts).values():
            bank_number = bank_parts[0].bank
        write_changes(session, parts, wanted_change_by_part_id)
        for part in bank_parts:
            session.run(SET_BANK, part=part.id, bank=bank_number, count=asked_count)


def dissolve_bank(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    bank_number: int,
    wanted_change_by_part_id: WantedChanges,
    now: datetime,
) -> None:
    """Everybody gets all items of a bank."""
    with editable_parts(session, caller, assignment_key, now) as parts:
        write_changes(session, parts, wanted_change_by_part_id)
        for part in parts:
            if part.bank == bank_number:
                session.run(SET_BANK, part=part.id, bank=0, count=1)


# What the verbs have in common.


@contextmanager
def editable_parts(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    now: datetime,
    part_id: int | None = None,
) -> Iterator[tuple[PartRow, ...]]:
    """The parts of an assignment, while they may change; NotFound for a part that is not in it.
    Afterwards there is room for all questions, and the log says what changed, once it is published."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    assignment_id = assignment_key.assignment_id
    old_parts = lookup.parts_of(session, assignment_id)
    if part_id is not None:
        part_with_id(old_parts, part_id)
    if lookup.is_begun(session, assignment_id):
        raise Refused("已经有人开始做了，题目和分值不能再动。要换题，复制一份新的，把这份结束。")
    if lookup.has_fixed_questions(session, assignment_id):
        raise Refused("已经给过分，题目和分值不能再动。要改，先把给的分一位一位收回；要换题，复制一份新的。")
    yield old_parts
    new_parts = lookup.parts_of(session, assignment_id)
    expect_few_questions(new_parts)
    expect_drawable_banks(new_parts)
    log_detail = part_differences(old_parts, new_parts)
    if taught_assignment.assignment.published_at and log_detail:
        audit.add_line(session, taught_assignment, "parts", log_detail, now)


def expect_few_questions(parts: Sequence[PartRow]) -> None:
    question_count = len(questions_of_parts(parts))
    if question_count > MOST_QUESTIONS:
        raise Refused(f"这样一共{question_count}题，最多{MOST_QUESTIONS}题。少出几道。")


def expect_drawable_banks(parts: Sequence[PartRow]) -> None:
    """Refused where a bank has no more items than each student gets, or items that are not worth the same."""
    for bank_number, bank_parts in parts_by_bank_number(parts).items():
        asked_count = bank_parts[0].count
        if not 1 <= asked_count < len(bank_parts):
            raise Refused(
                f"题池{bank_number}有{len(bank_parts)}道题，每人抽{asked_count}道：抽的要比有的少，至少抽1道。"
                "不想抽了，就把这个题池拆开。"
            )
        if len({question_part.points for question_part in bank_parts}) > 1:
            raise Refused(f"题池{bank_number}里的题要一样多分，抽到哪道才一样公平。")


def part_with_id(parts: Sequence[PartRow], part_id: int) -> PartRow:
    for part in parts:
        if part.id == part_id:
            return part
    raise NotFound("作业里没有这一项，也许刚刚移走了。")


SET_PART = part_update(*field_names(NewPart))


def write_changes(
    session: VerbSession, parts: Sequence[PartRow], wanted_change_by_part_id: WantedChanges
) -> None:
    """Store what is wanted of each of these parts. A change of one that was taken out meanwhile is passed
    over."""
    for part in parts:
        wanted_value_by_field = dict(wanted_change_by_part_id.get(part.id, {}))
        fixed_field_names = set(wanted_value_by_field).difference(CHANGEABLE_FIELDS[part.kind])
        for field_name in fixed_field_names:
            del wanted_value_by_field[field_name]
        if wanted_value_by_field:
            changed_content = replace(part.content, **wanted_value_by_field)
            with naming_field(f"{{}}-{part.id}"):
                new_part = checked_part(changed_content)
            session.run(SET_PART, part=part.id, **asdict(new_part))


def reusable_part_id_by_position(
    former_parts: Sequence[PartRow], wanted_contents: Sequence[NewPart]
) -> dict[int, int]:
    """The row for each of these places that asks for the very same, or else for the same with other points,
    another count or level."""
    unused_parts = list(former_parts)
    part_id_by_position: dict[int, int] = {}
    for fields_of in (attrgetter(*field_names(NewPart)), attrgetter("kind", "ref")):
        for position, part_content in enumerate(wanted_contents, 1):
            matching_parts = [part for part in unused_parts if fields_of(part) == fields_of(part_content)]
            if matching_parts and position not in part_id_by_position:
                part_id_by_position[position] = matching_parts[0].id
                unused_parts.remove(matching_parts[0])
    return part_id_by_position


def part_differences(former_parts: Sequence[PartRow], present_parts: Sequence[PartRow]) -> dict[str, Any]:
    """What differs between two lists of parts, as the log keeps it. Parts are named by their number in their
    list, from 1."""
    former_part_by_id = {part.id: part for part in former_parts}
    present_part_by_id = {part.id: part for part in present_parts}
    difference_by_name = {
        "added": numbers_of_unshared_parts(present_parts, former_part_by_id),
        "removed": numbers_of_unshared_parts(former_parts, present_part_by_id),
        "changed": numbered_content_changes(present_parts, former_part_by_id),
        "moved": common_part_ids(former_parts, present_part_by_id)
        != common_part_ids(present_parts, former_part_by_id),
    }
    return {field_name: difference for field_name, difference in difference_by_name.items() if difference}


def numbers_of_unshared_parts(parts: Sequence[PartRow], other_part_by_id: Mapping[int, PartRow]) -> list[int]:
    """The numbers of the parts that another list does not have."""
    return [part_number for part_number, part in enumerate(parts, 1) if part.id not in other_part_by_id]


def common_part_ids(parts: Sequence[PartRow], other_part_by_id: Mapping[int, PartRow]) -> list[int]:
    """The parts that another list has too, in the order of this one."""
    return [part.id for part in parts if part.id in other_part_by_id]


def numbered_content_changes(
    present_parts: Sequence[PartRow], former_part_by_id: Mapping[int, PartRow]
) -> list[tuple[int, dict[str, Any]]]:
    """The parts that ask for something else than before: number, and what was and is."""
    numbered_changes = []
    for part_number, part in enumerate(present_parts, 1):
        if part.id in former_part_by_id:
            former_content = asdict(former_part_by_id[part.id].content)
            old_and_new_by_name = audit.setting_changes(former_content, asdict(part.content))
            if old_and_new_by_name:
                numbered_changes.append((part_number, old_and_new_by_name))
    return numbered_changes
