"""今天的五分钟: what a day offers: two questions, a case of the 勘误馆 and one round of a game.

It is the same all day: it goes by where the learner stood in the morning, and by the day.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import practice_item_id
from app.course.games.days import seed_of_day
from app.course.practice.recommending import (
    FIRST_SEED,
    HARDEST_LEVEL,
    SEED_COUNT,
    LearnerRecord,
    asking_order_key,
    next_item_id,
    weakest_needed_state,
)
from app.course.practice.skill_states import AnswerMoment, SkillState
from app.course.practice.skill_words import (
    firm_ground_reason,
    practice_step_words,
    state_reason,
    step_back_reason,
)
from app.course.reference.errata import case_item_id
from app.engine.generate.random_stream import number_from_key

DAILY_PRACTICE_MINUTES = 5
CARD_COUNT, CARD_MINUTES = 5, 1
"""So many of the cards that come today: more of them have a page of their own."""
GAME_MINUTES, CASE_MINUTES = 1, 1
QUESTION_COUNT = 2
MOST_SKILLS_AT_ONCE = 5
"""So many weak skills take turns, until one of them is held."""
ONE_DAY = timedelta(days=1)
SHORT_MINUTES = 3
"""No longer exercise is asked of a skill that has one as short."""


class DailyQuestion(NamedTuple):
    """A question of a skill: a variant (`exercise_id`, `level`), or an item of the lessons."""

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


class DailyPlan(NamedTuple):
    """What a day offers; `case_id` is None while no case asks what was met, and once all such are solved."""

    questions: tuple[DailyQuestion, ...]
    case_id: str | None
    duel_seed: int


def daily_plan(
    morning_record: LearnerRecord,
    solved_item_ids: Collection[str],
    current_skill_state_by_skill_id: Mapping[str, SkillState] | None = None,
) -> DailyPlan:
    """What the day offers. `morning_record`: how it began; `solved_item_ids`: items closed before today.

    `current_skill_state_by_skill_id`: the skills as they stand now, for what is said of them; the choice
    itself stays all day.
    """
    if current_skill_state_by_skill_id is None:
        current_skill_state_by_skill_id = morning_record.skill_state_by_skill_id
    weak_questions = _weak_questions(morning_record, current_skill_state_by_skill_id)
    rust_questions = _questions_against_rust(morning_record)
    rust_questions_of_day: Iterator[DailyQuestion] = iter(())
    if morning_record.today.toordinal() % 2:  # or weak skills, of which there are many, take both places
        rust_questions_of_day = islice(rust_questions, 1)
    first_weak_questions = islice(weak_questions, QUESTION_COUNT - 1)
    daily_questions = chain(first_weak_questions, rust_questions_of_day, weak_questions, rust_questions)
    case_id = _case_id_of_day(morning_record, solved_item_ids)
    return DailyPlan(
        tuple(islice(daily_questions, QUESTION_COUNT)), case_id, seed_of_day(morning_record.today)
    )


def _weak_questions(
    morning_record: LearnerRecord, current_skill_state_by_skill_id: Mapping[str, SkillState]
) -> Iterator[DailyQuestion]:
    """Of each of the weakest skills a question, or of what it needs first: those not touched for longest."""
    states_with_reasons = islice(
        _skill_states_with_reasons(morning_record, current_skill_state_by_skill_id), MOST_SKILLS_AT_ONCE
    )
    for skill_state, reason in sorted(states_with_reasons, key=_turn_order_key):
        yield _question_of_day(morning_record, skill_state, skill_state.practice.next_level, reason)


def _skill_states_with_reasons(
    morning_record: LearnerRecord, current_skill_state_by_skill_id: Mapping[str, SkillState]
) -> Iterator[tuple[SkillState, str]]:
    """The weak skills or what they need first, with the reason for it; none twice, the weakest first."""
    weak_states = [
        skill_state
        for skill_state in morning_record.skill_state_by_skill_id.values()
        if _is_weak(morning_record, skill_state)
    ]
    asked_skill_ids = set()
    for weak_state in sorted(weak_states, key=_weakness_order_key):
        skill_state, reason = _skill_state_and_reason_to_ask_instead(morning_record, weak_state)
        skill = skill_state.skill
        if skill.id in asked_skill_ids:
            continue
        asked_skill_ids.add(skill.id)
        if reason is None:
            current_state = current_skill_state_by_skill_id[skill.id]
            reason = f"“{skill.name}”{current_state.mastery_name}：{state_reason(current_state)}"
        yield skill_state, reason


def _turn_order_key(state_and_reason: tuple[SkillState, str]) -> tuple[bool, AnswerMoment]:
    """What came back is first, then what was not answered for longest."""
    skill_state, _ = state_and_reason
    return not skill_state.is_due, skill_state.practice.last_answer_moment


def _is_weak(morning_record: LearnerRecord, skill_state: SkillState) -> bool:
    """Whether it was met and there is something to ask of it; what is remembered is left in peace."""
    if skill_state.mastery not in ("met", "learning", "mastered"):
        return False
    return _has_questions(morning_record, skill_state.skill)


def _has_questions(morning_record: LearnerRecord, skill: PractisedSkill) -> bool:
    return bool(skill.exercise_ids or morning_record.taught_item_ids(skill))


def _weakness_order_key(skill_state: SkillState) -> tuple[int, float]:
    """What came back is first, then what is in practice, the farthest from its goal before the others."""
    if skill_state.is_due:
        return -1, 0.0
    masteries_in_turn = ("learning", "mastered", "met")
    return masteries_in_turn.index(skill_state.mastery), skill_state.reached_share


def _skill_state_and_reason_to_ask_instead(
    morning_record: LearnerRecord, skill_state: SkillState
) -> tuple[SkillState, str | None]:
    """A weak skill, or what it needs first with the reason: while it fails, or does not bear yet."""
    reason = None
    needed_state = weakest_needed_state(morning_record, skill_state)
    if needed_state and _is_asked_instead(morning_record, skill_state, needed_state):
        reason = step_back_reason(skill_state.skill, needed_state.skill)
        skill_state = needed_state
    while skill_state.missing_skills:
        needed_state = morning_record.skill_state_by_skill_id[skill_state.missing_skills[0].id]
        if not _is_asked_instead(morning_record, skill_state, needed_state):
            break
        reason = firm_ground_reason(skill_state.skill, needed_state.skill)
        skill_state = needed_state
    return skill_state, reason


def _is_asked_instead(
    morning_record: LearnerRecord, skill_state: SkillState, needed_state: SkillState
) -> bool:
    """Whether a skill gives way to one that it needs: not day after day to an item that was just answered,
    as long as it has exercises itself."""
    if not _is_weak(morning_record, needed_state):
        return False
    if needed_state.skill.exercise_ids or not skill_state.skill.exercise_ids:
        return True
    item_id = next_item_id(morning_record, needed_state)
    if item_id is None:
        return False
    latest_answer = needed_state.practice.latest_answer_by_item_id.get(item_id)
    return latest_answer is None or latest_answer.day < morning_record.today - ONE_DAY


def _questions_against_rust(morning_record: LearnerRecord) -> Iterator[DailyQuestion]:
    """A hard question of each skill that is remembered and was not touched for long, the longest first."""
    remembered_states = [
        skill_state
        for skill_state in morning_record.skill_state_by_skill_id.values()
        if skill_state.mastery == "remembered" and _has_questions(morning_record, skill_state.skill)
    ]
    for skill_state in sorted(remembered_states, key=attrgetter("practice.last_answer_moment")):
        if skill_state.practice.is_rusty:
            untouched_days = skill_state.practice.untouched_days
            intro_words = f"“{skill_state.skill.name}”还记得，可是{untouched_days}天没碰了"
            reason = f"{intro_words}：{practice_step_words(skill_state)}，别让它生锈。"
            yield _question_of_day(morning_record, skill_state, HARDEST_LEVEL, reason)


def _question_of_day(
    morning_record: LearnerRecord, skill_state: SkillState, level: int, reason: str
) -> DailyQuestion:
    """A question of a skill; `level`: of a variant."""
    skill = skill_state.skill
    chance_number = _chance_number_of_day(morning_record, skill.id)
    seed = FIRST_SEED + chance_number % SEED_COUNT
    if skill.exercise_ids:
        short_exercise_id = _short_exercise_id(morning_record, skill, level)
        return DailyQuestion(
            skill.id, reason, practice_item_id(short_exercise_id, level), seed, short_exercise_id, level
        )
    item_id = next_item_id(morning_record, skill_state)
    if item_id is None:  # whoever flew west has answers from before this morning with the date of today
        item_id = min(skill_state.practice.latest_answer_by_item_id.values()).item_id
    return DailyQuestion(skill.id, reason, item_id, seed)


def _short_exercise_id(morning_record: LearnerRecord, skill: PractisedSkill, level: int) -> str:
    """Of the short exercises of a skill the one that was not asked for longest; without any, the shortest."""

    def exercise_order_key(exercise_id: str) -> tuple[int, tuple[AnswerMoment, bool]]:
        minutes = morning_record.course.items[practice_item_id(exercise_id, level)].minutes
        return max(minutes, SHORT_MINUTES), asking_order_key(morning_record, skill, exercise_id, level)

    return min(skill.exercise_ids, key=exercise_order_key)


def _case_id_of_day(morning_record: LearnerRecord, solved_item_ids: Collection[str]) -> str | None:
    """The first case that can be offered, from one on that depends on the day."""
    case_ids = list(morning_record.course.errata)
    first_case_index = _chance_number_of_day(morning_record, "plan") % max(1, len(case_ids))
    for case_id in case_ids[first_case_index:] + case_ids[:first_case_index]:
        if _can_be_offered(morning_record, case_id, solved_item_ids):
            return case_id
    return None


def _can_be_offered(morning_record: LearnerRecord, case_id: str, solved_item_ids: Collection[str]) -> bool:
    """Whether a case is not solved, asks for a skill that was met, and does not begin in the middle of a
    story that its reader has not read."""
    case = morning_record.course.errata[case_id]
    if case_item_id(case_id) in solved_item_ids:
        return False
    if case.goes_on_from and case_item_id(case.goes_on_from) not in solved_item_ids:
        return False
    skill_state = morning_record.skill_state_by_skill_id.get(case.item.skill)
    return skill_state is not None and skill_state.mastery != "new"


def _chance_number_of_day(morning_record: LearnerRecord, chance_key: str) -> int:
    """A number by chance that stays all day."""
    return number_from_key(f"{morning_record.salt}:{morning_record.today}:{chance_key}")
