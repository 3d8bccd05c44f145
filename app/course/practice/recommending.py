"""智能推荐: what to practise next, and why, from where somebody stands with every skill."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple, Protocol

from app.course.content.course import Course
from app.course.content.model import StageSection
from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import NAME_BY_LEVEL, newest_exercise_id, practice_item_id
from app.course.items.kinds import Generated
from app.course.practice.skill_states import (
    BEFORE_ALL_ANSWERS,
    AnswerMoment,
    CountedAnswer,
    MasteryState,
    SkillState,
)
from app.course.practice.skill_words import firm_ground_reason, state_reason, step_back_reason, success_words
from app.engine.generate.random_stream import number_from_key

FIRST_SEED, SEED_COUNT = 1000, 900_000
"""The seeds that are recommended: short enough to be read out to the neighbour."""
HARDEST_LEVEL = len(NAME_BY_LEVEL)


class UsedSeeds(Protocol):
    """The seeds of an item that were answered already."""

    def __len__(self) -> int: ...
    def __contains__(self, seed: object, /) -> bool: ...


FindUsedSeeds = Callable[[str], UsedSeeds]
"""Those of an item, by its id."""


class Advice(NamedTuple):
    """What comes next: a variant (`exercise_id`, `level`), an item of the lessons, or a section to read.

    `stage_and_section_id`: of its stage and of itself.
    """

    skill_id: str
    reason: str
    exercise_id: str | None = None
    level: int = 0
    item_id: str | None = None
    seed: int = 0
    stage_and_section_id: tuple[str, str] | None = None


class LearnerRecord(NamedTuple):
    """What is known of a learner. `taught_skill_ids`: skills whose section was finished, or that were
    answered.

    `last_answer`: the last first answer in practice, where right with hints is clean too. `salt` makes the
    seeds of one learner differ from those of another. `answered_item_ids`: every item that was answered,
    also with help. `unread_item_ids`: items of lessons that they have yet to come to. `section_to_resume`: in
    which they go on reading, None before the first one and after the last.
    """

    course: Course
    skill_state_by_skill_id: Mapping[str, SkillState]
    today: date
    taught_skill_ids: Collection[str] = frozenset()
    last_answer: CountedAnswer | None = None
    find_used_seeds: FindUsedSeeds = lambda _item_id: ()
    salt: int = 0
    answered_item_ids: Collection[str] = frozenset()
    unread_item_ids: Collection[str] = frozenset()
    section_to_resume: StageSection | None = None

    @property
    def skill_id_at_hand(self) -> str | None:
        """The skill of the last answer in practice."""
        if self.last_answer is None or self.last_answer.item_id not in self.course.skill_credit_by_item_id:
            return None
        return self.course.skill_credit_by_item_id[self.last_answer.item_id].skill_id

    def taught_item_ids(self, skill: PractisedSkill) -> Sequence[str]:
        """The items of a skill that were taught, or answered nevertheless."""
        return [
            item_id
            for item_id in skill.item_ids
            if item_id not in self.unread_item_ids or item_id in self.answered_item_ids
        ]


def recommend(learner_record: LearnerRecord) -> Advice | None:
    """What comes next; None only where a course has nothing to practise and nothing to learn.

    Never a variant that was answered before, never a skill whose needs do not bear yet.
    """
    advice_to_stay = _advice_to_stay(learner_record)
    if advice_to_stay is not None:
        return advice_to_stay
    other_advice = next(filter(None, _suggestions(learner_record)), None)
    if other_advice is None:
        return None
    return other_advice._replace(reason=_sentence_of_practice_today(learner_record) + other_advice.reason)


def advise_on_skill(learner_record: LearnerRecord, skill_id: str) -> Advice | None:
    """The next question of a skill that the learner chose; None where its items are used up for today."""
    reason = state_reason(learner_record.skill_state_by_skill_id[skill_id])
    return _question_advice(learner_record, skill_id, reason)


def _suggestions(learner_record: LearnerRecord) -> Iterator[Advice | None]:
    """What may be recommended beside the skill at hand, the best first."""
    for skill_id, skill_state in _ids_with_states(learner_record, "mastered"):
        if skill_state.is_due:
            reason = f"{_quoted_name(learner_record, skill_id)}{state_reason(skill_state)}"
            yield _advice_on_firm_ground(learner_record, skill_id, reason)
    learning_ids_with_states = _ids_with_states(learner_record, "learning")
    for skill_id, skill_state in sorted(learning_ids_with_states, key=lambda pair: pair[1].reached_share):
        nearness_words = "还差一点" if skill_state.reached_share >= 0.5 else "接着练"
        reason = f"{_quoted_name(learner_record, skill_id)}{nearness_words}：{state_reason(skill_state)}"
        yield _advice_on_firm_ground(learner_record, skill_id, reason)
    for skill_id, _ in _ids_with_states(learner_record, "met") + _ids_with_states(learner_record, "new"):
        yield _advice_on_firm_ground(
            learner_record, skill_id, f"{_quoted_name(learner_record, skill_id)}学过了，还没练过。"
        )
    mastered_states = [
        skill_state
        for skill_state in learner_record.skill_state_by_skill_id.values()
        if skill_state.is_mastered
    ]
    for skill_state in sorted(mastered_states, key=attrgetter("practice.last_answer_moment")):
        yield _advice_to_keep(learner_record, skill_state)
    for skill_id in learner_record.skill_state_by_skill_id:
        if skill_id not in learner_record.taught_skill_ids:
            yield _lesson_advice(learner_record, skill_id)


def _sentence_of_practice_today(learner_record: LearnerRecord) -> str:
    """What was just practised and is held now, before something else comes; empty where there is no such."""
    skill_id, last_answer = learner_record.skill_id_at_hand, learner_record.last_answer
    if skill_id is None or last_answer is None or last_answer.day != learner_record.today:
        return ""
    skill_state = learner_record.skill_state_by_skill_id[skill_id]
    if not skill_state.is_mastered:
        return ""
    return f"刚练的{_quoted_name(learner_record, skill_id)}{skill_state.mastery_name}。"


def _ids_with_states(learner_record: LearnerRecord, mastery: MasteryState) -> list[tuple[str, SkillState]]:
    """The skills of one mastery, in the order of the course."""
    ids_with_states = []
    for skill_id, skill_state in learner_record.skill_state_by_skill_id.items():
        if skill_state.mastery == mastery:
            ids_with_states.append((skill_id, skill_state))
    return ids_with_states


def _advice_to_stay(learner_record: LearnerRecord) -> Advice | None:
    """With the skill at hand, until it is held; a step back where two in a row failed at its lowest level."""
    skill_id = learner_record.skill_id_at_hand
    if (
        skill_id is None
        or learner_record.last_answer is None
        or learner_record.last_answer.day != learner_record.today
    ):
        return None
    skill_state = learner_record.skill_state_by_skill_id[skill_id]
    quoted_name = _quoted_name(learner_record, skill_id)
    if learner_record.last_answer.is_right_at_once:
        if skill_state.is_mastered:
            return None
        level = learner_record.course.skill_credit_by_item_id[learner_record.last_answer.item_id].level
        words_of_success = success_words(skill_state, level)
        reason = f"{quoted_name}{words_of_success}：{state_reason(skill_state)}"
        return _advice_on_firm_ground(learner_record, skill_id, reason)
    needed_state = weakest_needed_state(learner_record, skill_state)
    if needed_state is None:
        return _advice_on_firm_ground(
            learner_record, skill_id, f"上一道{quoted_name}走岔了：换一道同类，再来。", repeats_exercise=True
        )
    return _advice_on_firm_ground(
        learner_record, needed_state.skill.id, step_back_reason(skill_state.skill, needed_state.skill)
    )


def weakest_needed_state(learner_record: LearnerRecord, skill_state: SkillState) -> SkillState | None:
    """What a skill needs and what is not held, the weakest; nothing before two failures in a row. Where items
    are all there is, nothing as long as one of the last is right; what fails in exercises may have been right
    in lessons."""
    if not skill_state.practice.is_failing:
        return None
    if skill_state.practice.window.right_count and not skill_state.skill.exercise_ids:
        return None
    needed_states = [
        learner_record.skill_state_by_skill_id[needed_id] for needed_id in skill_state.skill.needed_skill_ids
    ]
    unmastered_states = [needed_state for needed_state in needed_states if not needed_state.is_mastered]
    return min(unmastered_states, key=lambda needed_state: needed_state.reached_share, default=None)


def _advice_on_firm_ground(
    learner_record: LearnerRecord,
    skill_id: str,
    reason_of_skill: str,
    repeats_exercise: bool = False,
    dependent_skill_id: str | None = None,
) -> Advice | None:
    """A question of the skill, or of what it needs first. Where that has none left today, the lesson goes on
    to a skill that was not taught. `dependent_skill_id`: of the skill that needs it."""
    skill_state = learner_record.skill_state_by_skill_id[skill_id]
    if skill_state.missing_skills:
        needed_skill = skill_state.missing_skills[0]
        reason = firm_ground_reason(skill_state.skill, needed_skill)
        advice = _advice_on_firm_ground(learner_record, needed_skill.id, reason, dependent_skill_id=skill_id)
        if advice or skill_id in learner_record.taught_skill_ids:
            return advice
    if skill_id not in learner_record.taught_skill_ids:
        return _lesson_advice(learner_record, skill_id, dependent_skill_id)
    return _question_advice(learner_record, skill_id, reason_of_skill, repeats_exercise)


def _advice_to_keep(learner_record: LearnerRecord, skill_state: SkillState) -> Advice | None:
    """The advice to keep a skill that is held: a hard question."""
    reason = f"都会了。{_quoted_name(learner_record, skill_state.skill.id)}最久没碰，来道难的，别让它生锈。"
    if skill_state.skill.exercise_ids:
        return _variant_advice(learner_record, skill_state.skill, HARDEST_LEVEL, reason)
    return _item_advice(learner_record, skill_state, reason)


def _lesson_advice(
    learner_record: LearnerRecord, skill_id: str, dependent_skill_id: str | None = None
) -> Advice | None:
    """The section that teaches a skill; of the next one the section in which the learner goes on reading."""
    if skill_id not in learner_record.course.section_by_skill_id:
        return None
    stage, section = learner_record.course.section_by_skill_id[skill_id]
    quoted_name = _quoted_name(learner_record, skill_id)
    intro_words = f"下一个知识点是{quoted_name}"
    if dependent_skill_id:
        intro_words = f"{_quoted_name(learner_record, dependent_skill_id)}要用到{quoted_name}"
    elif learner_record.section_to_resume and learner_record.section_to_resume.section is not section:
        stage, section = learner_record.section_to_resume
        intro_words = "课文接着往下读"
    reason = f"{intro_words}：先学《{section.title}》，再来练。"
    return Advice(skill_id, reason, stage_and_section_id=(stage.id, section.id))


def _question_advice(
    learner_record: LearnerRecord, skill_id: str, reason: str, repeats_exercise: bool = False
) -> Advice | None:
    skill_state = learner_record.skill_state_by_skill_id[skill_id]
    if skill_state.skill.exercise_ids:
        return _variant_advice(
            learner_record, skill_state.skill, skill_state.practice.next_level, reason, repeats_exercise
        )
    return _item_advice(learner_record, skill_state, reason)


def _variant_advice(
    learner_record: LearnerRecord,
    skill: PractisedSkill,
    level: int,
    reason: str,
    repeats_exercise: bool = False,
) -> Advice:
    """A new variant: after a mistake of the same exercise, else of the one that was not asked for longest."""
    exercise_id = None
    if repeats_exercise:
        exercise_id = _last_exercise_id(learner_record, skill)
    if exercise_id is None:
        exercise_id = min(
            skill.exercise_ids,
            key=lambda exercise_id: asking_order_key(learner_record, skill, exercise_id, level),
        )
    seed = _fresh_seed(learner_record, practice_item_id(exercise_id, level))
    return Advice(skill.id, reason, exercise_id, level, seed=seed)


def _last_exercise_id(learner_record: LearnerRecord, skill: PractisedSkill) -> str | None:
    if learner_record.last_answer is None:
        return None
    item = learner_record.course.items.get(learner_record.last_answer.item_id)
    if not isinstance(item, Generated):
        return None
    exercise_id = newest_exercise_id(learner_record.course.exercises, item.exercise)
    if exercise_id in skill.exercise_ids:
        return exercise_id
    return None


def asking_order_key(
    learner_record: LearnerRecord, skill: PractisedSkill, exercise_id: str, level: int
) -> tuple[AnswerMoment, bool]:
    """A key by which exercises are sorted: those come first that were asked longest ago, or never. Of these,
    tables come first at the lowest level, and last at others: they show how."""
    latest_answer_by_item_id = learner_record.skill_state_by_skill_id[
        skill.id
    ].practice.latest_answer_by_item_id
    item_ids = {practice_item_id(exercise_id, level_number) for level_number in range(1, HARDEST_LEVEL + 1)}
    newest_answer_moment = max(
        (
            counted_answer.moment
            for item_id, counted_answer in latest_answer_by_item_id.items()
            if item_id in item_ids
        ),
        default=BEFORE_ALL_ANSWERS,
    )
    is_table_exercise = learner_record.course.exercises[exercise_id].kind == "steps"
    return newest_answer_moment, is_table_exercise != (level == 1)


def _item_advice(learner_record: LearnerRecord, skill_state: SkillState, reason: str) -> Advice | None:
    """An item that was not answered today."""
    item_id = next_item_id(learner_record, skill_state)
    if item_id is None:
        return None
    return Advice(skill_state.skill.id, reason, item_id=item_id, seed=_fresh_seed(learner_record, item_id))


def next_item_id(learner_record: LearnerRecord, skill_state: SkillState) -> str | None:
    """Of the items of a skill that were taught and not answered today: those never answered first, then those
    that failed; None where there is none."""
    sort_key_by_item_id = {}
    for item_id in learner_record.taught_item_ids(skill_state.skill):
        latest_answer = skill_state.practice.latest_answer_by_item_id.get(item_id)
        if latest_answer is None:
            is_answered = item_id in learner_record.answered_item_ids
            sort_key_by_item_id[item_id] = (is_answered, False, BEFORE_ALL_ANSWERS)
        elif latest_answer.day != learner_record.today:
            sort_key_by_item_id[item_id] = (True, latest_answer.is_right_at_once, latest_answer.moment)
    return min(sort_key_by_item_id, key=lambda item_id: sort_key_by_item_id[item_id], default=None)


def _fresh_seed(learner_record: LearnerRecord, item_id: str) -> int:
    """A seed of which this learner has not answered the variant; the same one until they do."""
    used_seeds = learner_record.find_used_seeds(item_id)
    used_seed_count = len(used_seeds)
    while (seed := _seed_from_key(f"{learner_record.salt}:{item_id}:{used_seed_count}")) in used_seeds:
        used_seed_count += 1
    return seed


def _seed_from_key(seed_key: str) -> int:
    return FIRST_SEED + number_from_key(seed_key) % SEED_COUNT


def _quoted_name(learner_record: LearnerRecord, skill_id: str) -> str:
    return f"“{learner_record.course.practised_skills[skill_id].name}”"
