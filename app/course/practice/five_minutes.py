"""今天的五分钟: what a day offers: two weak skills, a case of the 勘误馆 and one round of a game.

It is the same all day: it goes by where the learner stood in the morning, and by the day.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from app.course.content.course import Course
from app.course.exercises.exercises import practice_item_id
from app.course.games.days import seed_of_day
from app.course.practice.mastery import SkillState
from app.course.practice.recommending import FIRST_SEED, SEED_COUNT
from app.course.practice.skill_words import state_reason
from app.course.reference.errata import case_item_id
from app.engine.generate.random_stream import number_from_key

MOST_DUE_CARDS = 5
"""So many of the cards that are due: more of them have a page of their own."""
WEAK_SKILL_COUNT = 2
GAME_MINUTES, CASE_MINUTES = 1, 1


@dataclass(frozen=True)
class DailyQuestion:
    """A question of a weak skill: a variant (`exercise_id`, `level`), or an item of the lessons."""

    skill_id: str
    reason: str
    item_id: str
    seed: int
    exercise_id: str | None = None
    level: int = 0

    @property
    def attempt_name(self) -> str:
        """How the records name an attempt at it, after the course.

        >>> DailyQuestion("dcg", "", "practice-dcg-2", 7, "dcg", 2).attempt_name
        'practice-dcg-2-7'
        >>> DailyQuestion("auc", "", "auc-by-hand", 7).attempt_name
        'item-auc-by-hand.7'
        """
        if self.exercise_id:
            return f"{self.item_id}-{self.seed}"
        return f"item-{self.item_id}.{self.seed}"


@dataclass(frozen=True)
class DailyPlan:
    """What a day offers; `case_id` is None once all are solved."""

    questions: tuple[DailyQuestion, ...]
    case_id: str | None
    duel_seed: int


def daily_plan(
    course: Course,
    morning_state_by_skill_id: Mapping[str, SkillState],
    day: date,
    learner_id: int,
    solved_item_ids: Collection[str],
    current_state_by_skill_id: Mapping[str, SkillState] | None = None,
) -> DailyPlan:
    """What the day offers. `morning_state_by_skill_id`: the skills as they stood; `solved_item_ids`: items
    closed before today.

    `current_state_by_skill_id`: the skills as they stand now, for what is said of them; the choice itself
    stays all day.
    """
    if current_state_by_skill_id is None:
        current_state_by_skill_id = morning_state_by_skill_id
    chance_number = _chance_number_of_day(learner_id, day, "plan")
    weak_states = sorted(filter(_is_weak, morning_state_by_skill_id.values()), key=_weakness_order)
    questions = tuple(
        _daily_question(state, current_state_by_skill_id[state.skill.id], learner_id, day)
        for state in weak_states[:WEAK_SKILL_COUNT]
    )
    return DailyPlan(questions, _case_id_of_day(course, chance_number, solved_item_ids), seed_of_day(day))


def _is_weak(state: SkillState) -> bool:
    """Whether it was met and there is something to ask of it; what is remembered is left in peace."""
    return state.state in ("met", "learning", "mastered") and bool(
        state.skill.exercise_ids or state.skill.item_ids
    )


def _weakness_order(state: SkillState) -> tuple[int, float]:
    """What is in practice comes first, the farthest from its goal before the others."""
    order = ("learning", "mastered", "met")
    if state.is_due:
        return -1, 0.0
    return order.index(state.state), state.reached_share


def _daily_question(
    state: SkillState, current_state: SkillState, learner_id: int, day: date
) -> DailyQuestion:
    skill = state.skill
    chance_number = _chance_number_of_day(learner_id, day, skill.id)
    seed = FIRST_SEED + chance_number % SEED_COUNT
    reason = f"“{skill.name}”{current_state.state_name}：{state_reason(current_state)}"
    if skill.exercise_ids:
        exercise_id = skill.exercise_ids[chance_number % len(skill.exercise_ids)]
        level = state.practice.next_level
        return DailyQuestion(skill.id, reason, practice_item_id(exercise_id, level), seed, exercise_id, level)
    return DailyQuestion(skill.id, reason, skill.item_ids[chance_number % len(skill.item_ids)], seed)


def _case_id_of_day(course: Course, chance_number: int, solved_item_ids: Collection[str]) -> str | None:
    """The first case that is not solved, from one on that depends on the day."""
    case_ids = list(course.errata)
    first_index = chance_number % max(1, len(case_ids))
    return next(_unsolved_case_ids(case_ids[first_index:] + case_ids[:first_index], solved_item_ids), None)


def _unsolved_case_ids(case_ids: list[str], solved_item_ids: Collection[str]) -> Iterator[str]:
    for case_id in case_ids:
        if case_item_id(case_id) not in solved_item_ids:
            yield case_id


def _chance_number_of_day(learner_id: int, day: date, key: str) -> int:
    """A number by chance that stays all day."""
    return number_from_key(f"{learner_id}:{day}:{key}")
