"""智能推荐: what to practise next, and why, from where somebody stands with every skill."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from app.course.content.course import Course
from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import LEVEL_NAMES, newest_exercise_id, practice_item_id
from app.course.items.kinds import Generated
from app.course.practice.mastery import CountedAnswer, MasteryState, SkillState
from app.course.practice.skill_words import state_reason
from app.engine.generate.random_stream import number_from_key

FIRST_SEED, SEEDS = 1000, 900_000
"""The seeds that are recommended: short enough to be read out to the neighbour."""
HARDEST = len(LEVEL_NAMES)


class UsedSeeds(Protocol):
    """The seeds of an item that were answered already."""

    def __len__(self) -> int: ...
    def __contains__(self, seed: object, /) -> bool: ...


Used = Callable[[str], UsedSeeds]
"""By item."""


@dataclass(frozen=True)
class Advice:
    """What comes next: a variant (`exercise`, `level`), an `item` of the lessons, or a `section` to read."""

    skill: str
    reason: str
    exercise: str | None = None
    level: int = 0
    item: str | None = None
    seed: int = 0
    section: tuple[str, str] | None = None


@dataclass(frozen=True)
class Situation:
    """What is known of a learner. `taught`: skills whose section was opened or that were answered.

    `last`: the last first answer in practice, where right with hints is clean too. `salt` makes the seeds of
    one learner differ from those of another. `answered_items`: every item that was answered, also with help.
    """

    course: Course
    standings: Mapping[str, SkillState]
    today: date
    taught: Collection[str] = frozenset()
    last: CountedAnswer | None = None
    used: Used = lambda _item: ()
    salt: int = 0
    answered_items: Collection[str] = frozenset()

    @property
    def at_hand(self) -> str | None:
        """The skill of the last answer in practice."""
        if self.last is None or self.last.item not in self.course.counted_for_by_item_id:
            return None
        return self.course.counted_for_by_item_id[self.last.item].skill


def recommend(situation: Situation) -> Advice | None:
    """What comes next; None only where a course has nothing to practise and nothing to learn.

    Never a variant that was answered before, never a skill whose needs do not bear yet.
    """
    return next(filter(None, _suggestions(situation)), None)


def practise(situation: Situation, skill_id: str) -> Advice | None:
    """The next question of a skill that the learner chose; None where its items are used up for today."""
    return _question(situation, skill_id, state_reason(situation.standings[skill_id]))


def _suggestions(situation: Situation) -> Iterator[Advice | None]:
    """What may be recommended, the best first."""
    yield _stay(situation)
    for skill, state in _in_state(situation, "mastered"):
        if state.is_due:
            yield _on_firm_ground(situation, skill, f"{_name(situation, skill)}{state_reason(state)}")
    for skill, state in sorted(_in_state(situation, "learning"), key=lambda entry: entry[1].share):
        yield _on_firm_ground(situation, skill, f"{_name(situation, skill)}还差一点：{state_reason(state)}")
    for skill, _ in _in_state(situation, "met") + _in_state(situation, "new"):
        yield _on_firm_ground(situation, skill, f"{_name(situation, skill)}学过了，还没练过。")
    held_states = [state for state in situation.standings.values() if state.is_mastered]
    for state in sorted(held_states, key=_newest_number):
        yield _keep(situation, state)
    for skill in situation.standings:
        if skill not in situation.taught:
            yield _lesson(situation, skill)


def _in_state(situation: Situation, state: MasteryState) -> list[tuple[str, SkillState]]:
    """The skills in a state, in the order of the course."""
    skills = []
    for skill, standing in situation.standings.items():
        if standing.state == state:
            skills.append((skill, standing))
    return skills


def _stay(situation: Situation) -> Advice | None:
    """With the skill at hand, until it is held; a step back where two in a row failed at its lowest level."""
    skill = situation.at_hand
    if skill is None or situation.last is None or situation.last.day != situation.today:
        return None
    state = situation.standings[skill]
    skill_name = _name(situation, skill)
    if situation.last.right_at_once:
        if state.is_mastered:
            return None
        return _on_firm_ground(situation, skill, f"{skill_name}正顺手：{state_reason(state)}")
    needed_skill = _weakest_need(situation, state)
    if needed_skill is None:
        return _on_firm_ground(
            situation, skill, f"上一道{skill_name}走岔了：换一道同类，再来。", repeats_exercise=True
        )
    return _on_firm_ground(
        situation, needed_skill, f"{skill_name}先放一放，退一步：它要用到{_name(situation, needed_skill)}。"
    )


def _weakest_need(situation: Situation, state: SkillState) -> str | None:
    """What a skill needs and what is not held, the weakest; nothing before two failures in a row."""
    if state.practice.window.right_count or not state.practice.is_failing:
        return None
    needs = [
        needed_skill
        for needed_skill in state.skill.needs
        if not situation.standings[needed_skill].is_mastered
    ]
    return min(needs, key=lambda needed_skill: situation.standings[needed_skill].share, default=None)


def _on_firm_ground(
    situation: Situation,
    skill: str,
    reason_of_skill: str,
    repeats_exercise: bool = False,
    skill_above: str | None = None,
) -> Advice | None:
    """A question of the skill, or of what it needs first. `skill_above`: the skill that needs this one."""
    missing = situation.standings[skill].missing
    if missing:
        needed_skill = missing[0].id
        reason = f"{_name(situation, skill)}要用到{_name(situation, needed_skill)}，先把它练稳。"
        return _on_firm_ground(situation, needed_skill, reason, skill_above=skill)
    if skill not in situation.taught:
        return _lesson(situation, skill, skill_above)
    return _question(situation, skill, reason_of_skill, repeats_exercise)


def _keep(situation: Situation, state: SkillState) -> Advice | None:
    """A hard question of a skill that is held and was not touched for longest."""
    reason = f"都会了。{_name(situation, state.skill.id)}最久没碰，来道难的，别让它生锈。"
    if state.skill.exercises:
        return _variant(situation, state.skill, HARDEST, reason)
    return _item(situation, state, reason)


def _lesson(situation: Situation, skill: str, skill_above: str | None = None) -> Advice | None:
    """The section that teaches a skill."""
    if skill not in situation.course.section_by_skill_id:
        return None
    stage, section = situation.course.section_by_skill_id[skill]
    skill_name = _name(situation, skill)
    intro = f"下一个知识点是{skill_name}"
    if skill_above:
        intro = f"{_name(situation, skill_above)}要用到{skill_name}"
    return Advice(skill, f"{intro}：先学《{section.title}》，再来练。", section=(stage.id, section.id))


def _question(situation: Situation, skill: str, reason: str, repeats_exercise: bool = False) -> Advice | None:
    state = situation.standings[skill]
    if state.skill.exercises:
        return _variant(situation, state.skill, state.practice.next_level, reason, repeats_exercise)
    return _item(situation, state, reason)


def _variant(
    situation: Situation, skill: PractisedSkill, level: int, reason: str, repeats_exercise: bool = False
) -> Advice:
    """A new variant: after a mistake of the same exercise, else of the one that was not asked for longest."""
    exercise = None
    if repeats_exercise:
        exercise = _same_exercise(situation, skill)
    if exercise is None:
        exercise = min(skill.exercises, key=lambda exercise_id: _age(situation, skill, exercise_id, level))
    seed = _fresh_seed(situation, practice_item_id(exercise, level))
    return Advice(skill.id, reason, exercise, level, seed=seed)


def _same_exercise(situation: Situation, skill: PractisedSkill) -> str | None:
    if situation.last is None:
        return None
    source = situation.course.items.get(situation.last.item)
    if not isinstance(source, Generated):
        return None
    exercise_id = newest_exercise_id(situation.course.exercises, source.exercise)
    if exercise_id in skill.exercises:
        return exercise_id
    return None


def _age(situation: Situation, skill: PractisedSkill, exercise: str, level: int) -> tuple[int, bool]:
    """When it was asked last; of those never asked, tables come first at the lowest level: they show how."""
    latest_answers = situation.standings[skill.id].practice.latest
    items = {practice_item_id(exercise, level_number) for level_number in range(1, HARDEST + 1)}
    newest_number = max(
        (answer.number for item, answer in latest_answers.items() if item in items), default=0
    )
    is_table = situation.course.exercises[exercise].kind == "steps"
    return newest_number, is_table != (level == 1)


def _item(situation: Situation, state: SkillState, reason: str) -> Advice | None:
    """An item that was not answered today: those never answered first, then those that failed."""
    ages = {}
    for item_id in state.skill.items:
        latest_answer = state.practice.latest.get(item_id)
        if latest_answer is None:
            ages[item_id] = (item_id in situation.answered_items, False, 0)
        elif latest_answer.day != situation.today:
            ages[item_id] = (True, latest_answer.right_at_once, latest_answer.number)
    if not ages:
        return None
    chosen_id = min(ages, key=lambda item_id: ages[item_id])
    return Advice(state.skill.id, reason, item=chosen_id, seed=_fresh_seed(situation, chosen_id))


def _fresh_seed(situation: Situation, item_id: str) -> int:
    """A seed of which this learner has not answered the variant; the same one until they do."""
    used_seeds = situation.used(item_id)
    used_count = len(used_seeds)
    while (seed := _seed(f"{situation.salt}:{item_id}:{used_count}")) in used_seeds:
        used_count += 1
    return seed


def _seed(key: str) -> int:
    return FIRST_SEED + number_from_key(key) % SEEDS


def _newest_number(state: SkillState) -> int:
    return max(answer.number for answer in state.practice.latest.values())


def _name(situation: Situation, skill: str) -> str:
    return f"“{situation.course.practised_skills[skill].name}”"
