"""Skills as they are practised: which questions count for each, and what it builds on."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from app.course.content.model import Skill
from app.course.content.recently_used import RecentlyUsed
from app.course.exercises.exercises import Exercise, offered_exercises
from app.course.items.kinds import Generated, Item


class PractisedSkill(NamedTuple):
    """A skill (知识点). `needed_skill_ids`: what comes right before; `all_needed_skill_ids`: everything
    it builds on.

    Exercises make its questions without end. `item_ids`: its items in all lessons; of a skill without
    exercises those of the stage that teaches it, or what is held would be lost when later stages ask more.
    `holding_item_ids`: those that hold it without its exercises, as they did before these came.
    """

    id: str
    name: str
    needed_skill_ids: tuple[str, ...]
    all_needed_skill_ids: frozenset[str]
    exercise_ids: tuple[str, ...]
    item_ids: tuple[str, ...]
    holding_item_ids: tuple[str, ...] = ()


class SkillCredit(NamedTuple):
    """What an answer to an item counts for; a fixed item has no level."""

    skill_id: str
    level: int | None = None


def practised_skills(
    skills: Mapping[str, Skill],
    exercises: Mapping[str, Exercise],
    item_by_id: Mapping[str, Item],
    lesson_item_ids: Sequence[str],
    teaching_item_ids: Collection[str],
) -> Mapping[str, PractisedSkill]:
    """Every skill, in the order of the course. `lesson_item_ids`: the items of the lessons that count;
    `teaching_item_ids`: those in the stage that teaches their skill."""
    exercise_ids_by_skill_id = defaultdict[str, list[str]](list)
    for exercise_id, exercise in offered_exercises(exercises).items():
        exercise_ids_by_skill_id[exercise.skill].append(exercise_id)
    fixed_item_ids_by_skill_id = defaultdict[str, list[str]](list)
    for item_id in dict.fromkeys(lesson_item_ids):
        item = item_by_id[item_id]
        is_counted = item.skill in exercise_ids_by_skill_id or item_id in teaching_item_ids
        if is_counted and not isinstance(item, Generated):
            fixed_item_ids_by_skill_id[item.skill].append(item_id)
    practised_skill_by_id = {}
    for skill_id, skill in skills.items():
        item_ids = tuple(fixed_item_ids_by_skill_id[skill_id])
        holding_item_ids: tuple[str, ...] = ()
        if skill.items_count:
            holding_item_ids = tuple(item_id for item_id in item_ids if item_id in teaching_item_ids)
        practised_skill_by_id[skill_id] = PractisedSkill(
            id=skill_id,
            name=skill.name,
            needed_skill_ids=tuple(skill.needs),
            all_needed_skill_ids=frozenset(all_needed_skill_ids(skills, skill_id)),
            exercise_ids=tuple(exercise_ids_by_skill_id.get(skill_id, ())),
            item_ids=item_ids,
            holding_item_ids=holding_item_ids,
        )
    return practised_skill_by_id


def all_needed_skill_ids(skills: Mapping[str, Skill], skill_id: str) -> set[str]:
    """Everything that a skill needs and that is there, also by way of others; itself where it needs itself.

    >>> skills = {"a": Skill(name="A"), "b": Skill(name="B", needs=["a"]), "c": Skill(name="C", needs=["b"])}
    >>> sorted(all_needed_skill_ids(skills, "c"))
    ['a', 'b']
    """
    needed_skill_ids: set[str] = set()
    pending_skill_ids = [*skills[skill_id].needs]
    while pending_skill_ids:
        needed_skill_id = pending_skill_ids.pop()
        if needed_skill_id not in needed_skill_ids and needed_skill_id in skills:
            needed_skill_ids.add(needed_skill_id)
            pending_skill_ids += skills[needed_skill_id].needs
    return needed_skill_ids


def direct_need_ids(skills: Mapping[str, PractisedSkill], skill: PractisedSkill) -> tuple[str, ...]:
    """What a skill needs and does not get by way of another need."""
    indirect_need_ids: set[str] = set()
    for needed_skill_id in skill.needed_skill_ids:
        indirect_need_ids |= skills[needed_skill_id].all_needed_skill_ids
    return tuple(
        needed_skill_id
        for needed_skill_id in skill.needed_skill_ids
        if needed_skill_id not in indirect_need_ids
    )


def skill_credit_by_item_id(
    skills: Mapping[str, PractisedSkill], exercises: Mapping[str, Exercise], item_by_id: Mapping[str, Item]
) -> Mapping[str, SkillCredit]:
    """Item → what an answer to it counts for: the variants of all exercises, and the items of the lessons."""
    skill_credit_by_item_id: dict[str, SkillCredit] = {}
    for item_id, item in item_by_id.items():
        if isinstance(item, Generated):
            skill_credit_by_item_id[item_id] = SkillCredit(exercises[item.exercise].skill, item.level)
    for skill in skills.values():
        for item_id in skill.item_ids:
            skill_credit_by_item_id[item_id] = SkillCredit(skill.id)
    return skill_credit_by_item_id


PickFigures = Callable[[Sequence[int]], Sequence[int]]
"""Figures of a row at certain places."""
MOST_ROWS_CACHED = 400
"""So many rows of items are known, of some 16 KB each in the biggest classes."""


class RowOfItems:
    """A row of items, with the places in it where those of each skill stand. It is equal to itself alone."""

    def __init__(self, skill_ids_with_pickers: Sequence[tuple[str, PickFigures]]) -> None:
        self._pickers = skill_ids_with_pickers

    def sum_by_skill_id(self, counts: Sequence[int]) -> dict[str, int]:
        """The sum of the figures of each skill; of those without items nothing."""
        return {skill_id: sum(pick_figures(counts)) for skill_id, pick_figures in self._pickers}


class SkillPositions:
    """Where in a row of items those of each skill stand; found once for a row.

    Students who have answered the same items share one, and somebody's own lasts until another item comes.
    The first tries of 200 students at 454 items each, in ms of CPU: one by one 42; by places 14, and 33
    where none is known.

    >>> places = SkillPositions({"content:a": "dcg", "content:b": "dcg", "content:c": "ndcg"})
    >>> places.row("content:a,content:b,content:c,own-1:d").sum_by_skill_id([3, 1, 5, 7])
    {'dcg': 4, 'ndcg': 5}
    """

    def __init__(self, skill_id_by_item_ref: Mapping[str, str]) -> None:
        self._skill_id_by_item_ref = skill_id_by_item_ref
        self._row_cache = RecentlyUsed[str, RowOfItems](MOST_ROWS_CACHED)

    def row(self, joined_item_refs: str) -> RowOfItems:
        """The items of a row: joined with commas, with or without a skill."""
        row_of_items = self._row_cache.recall(joined_item_refs)
        if row_of_items is None:
            row_of_items = self._row_cache.keep(
                joined_item_refs, RowOfItems(self._skill_ids_with_pickers_of(joined_item_refs))
            )
        return row_of_items

    def _skill_ids_with_pickers_of(self, joined_item_refs: str) -> Sequence[tuple[str, PickFigures]]:
        item_indexes_by_skill_id = defaultdict[str, list[int]](list)
        for item_index, item_ref in enumerate(joined_item_refs.split(",")):
            if item_ref in self._skill_id_by_item_ref:
                item_indexes_by_skill_id[self._skill_id_by_item_ref[item_ref]].append(item_index)
        return [
            (skill_id, _figure_picker(item_indexes))
            for skill_id, item_indexes in item_indexes_by_skill_id.items()
        ]


def _figure_picker(item_indexes: Sequence[int]) -> PickFigures:
    """
    >>> _figure_picker([2])([7, 8, 9]), _figure_picker([0, 2])([7, 8, 9])
    ([9], (7, 9))
    """
    if len(item_indexes) == 1:
        return itemgetter(slice(item_indexes[0], item_indexes[0] + 1))
    return itemgetter(*item_indexes)
