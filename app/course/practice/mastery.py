"""Mastery: from what was answered to a state of each skill, by one rule, with its numbers and its words.

A skill is 会了 when of its last six questions at least five were right at once and without hints; it is
还记得 when such answers lie on two days. The last ones are those that were answered last, whenever they were
marked. The questions of a skill are its items in the lessons, each by its latest answer, and the variants of
its exercises at `COUNTING_LEVEL` and above. One without exercises has no more than its items: of fewer than
five, all must be right; where exercises came later, these still hold it alone. What was read of a skill, or
answered with hints, makes it 学过. A mistake is cleared from 错题本 by `FEWEST_RIGHT_TO_CLEAR` such answers.
A state itself: `skill_states.py`; what is said of it: `skill_words.py`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from types import MappingProxyType

from app.course.content.course import Course
from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import NAME_BY_LEVEL
from app.course.practice.exercise_levels import next_level
from app.course.practice.skill_states import (
    AnswerWindow,
    CountedAnswer,
    MasteryState,
    SkillPractice,
    SkillState,
)

WINDOW_LENGTH, FEWEST_RIGHT_IN_WINDOW = 6, 5
"""How many questions are looked at, and how many of them must be right at once.

The sums of a learner keep no more answers than it takes: after a change, `python -m app rebuild` makes them
anew."""
COUNTING_LEVEL = 2
"""The lowest level whose variants count for mastery: 中."""
FEWEST_RIGHT_TO_BUILD_ON = 2
"""So many right answers at least, before other skills build on this one."""
FEWEST_RIGHT_TO_CLEAR = 3
"""So many right at once, without hints, after the last mistake of a kind."""
COUNTING_LEVEL_WORDS = "和".join(
    f"“{name}”" for level, name in NAME_BY_LEVEL.items() if level >= COUNTING_LEVEL
)
MASTERY_RULES = (
    f"最近{WINDOW_LENGTH}道里，{FEWEST_RIGHT_IN_WINDOW}道一次就对、没看提示，就是“会了”；隔一天再做对一道，就是“还记得”。看了提示的不算，也不扣。",
    (
        f"课文里它的题，练习里{COUNTING_LEVEL_WORDS}的题，都算数；同一道题再做，只看最近一天的头一次。"
        f"没有练习的知识点，看教它的那一阶段里的几道，不到{WINDOW_LENGTH}道就要全对；练习后来才有的，有这几道也够。"
        "课文学完了，题还没做，或者做的都看了提示，是“学过”。"
    ),
)
"""The rule of mastery as pages tell it."""
CLEARING_RULE = f"同一类再有{'零一二三四五六七八九'[FEWEST_RIGHT_TO_CLEAR]}道一次就对，就清掉。"
RUST_AFTER = timedelta(days=7)
"""So long after its last answer, what is remembered may be asked again."""
NO_MET_COUNTS: Mapping[str, int] = MappingProxyType({})


def skill_state_by_skill_id_without_answers(course: Course, today: date) -> Mapping[str, SkillState]:
    """The state of every skill, in the order of the course, of who has answered nothing yet."""
    practice_by_skill_id = {}
    for skill_id, skill in course.practised_skills.items():
        practice_by_skill_id[skill_id] = skill_practice(course, skill, (), {}, today)
    return skill_state_by_skill_id_of_practice(course, practice_by_skill_id)


def skill_state_by_skill_id_of_practice(
    course: Course,
    practice_by_skill_id: Mapping[str, SkillPractice],
    met_count_by_skill_id: Mapping[str, int] = NO_MET_COUNTS,
) -> Mapping[str, SkillState]:
    """The states of all skills, from the practice of each, with what was met and what they need.

    `met_count_by_skill_id`: how many questions were answered of the skills of which any was, or whose
    section was read.
    """
    firm_skill_ids = frozenset(_firm_skill_ids(course, practice_by_skill_id))
    skill_state_by_skill_id = {}
    for skill_id, practice in practice_by_skill_id.items():
        skill = course.practised_skills[skill_id]
        met_count = None
        if practice.mastery == "new":
            met_count = met_count_by_skill_id.get(skill_id)
        missing_skill_ids = [
            needed_id for needed_id in skill.needed_skill_ids if needed_id not in firm_skill_ids
        ]
        missing_skills = tuple(course.practised_skills[needed_id] for needed_id in missing_skill_ids)
        skill_state_by_skill_id[skill_id] = SkillState(skill, practice, met_count, missing_skills)
    return skill_state_by_skill_id


def _firm_skill_ids(course: Course, practice_by_skill_id: Mapping[str, SkillPractice]) -> Iterator[str]:
    """What others may build on; what is held is firm, and so is everything below it."""
    for skill_id, practice in practice_by_skill_id.items():
        if practice.is_mastered:
            yield from (skill_id, *course.practised_skills[skill_id].all_needed_skill_ids)
        elif practice.is_firm:
            yield skill_id


def skill_practice(
    course: Course,
    skill: PractisedSkill,
    counted_answers: Sequence[CountedAnswer],
    first_day_by_item_id: Mapping[str, date],
    today: date,
) -> SkillPractice:
    """The practice of one skill. Answers and first days are its own.

    `counted_answers`: of each item at least the last `WINDOW_LENGTH` and the first one of its newest day, in
    any order: they are sorted here, and whatever is called from here takes them from the oldest on.
    `first_day_by_item_id`: the first day on which an item was right at once and without hints, for every one
    that ever was.
    """
    counted_answers = sorted(counted_answers)
    latest_answer_by_item_id = _latest_answer_by_item_id(counted_answers)
    answers_to_items = sorted(
        latest_answer
        for item_id, latest_answer in latest_answer_by_item_id.items()
        if item_id in skill.item_ids
    )
    variant_answers = [
        counted_answer for counted_answer in counted_answers if counted_answer.item_id not in skill.item_ids
    ]
    recent_answers = sorted([*answers_to_items, *variant_answers])
    answers_that_count, answer_window = _deciding_answers(course, skill, answers_to_items, recent_answers)
    days_right_at_once = {
        day for item_id, day in first_day_by_item_id.items() if _level_of(course, item_id) >= COUNTING_LEVEL
    }
    days_right_at_once |= {answer.day for answer in _answers_right_at_once(answers_that_count)}
    lowest_level, answers_at_levels = COUNTING_LEVEL, counted_answers
    if skill.exercise_ids:
        lowest_level, answers_at_levels = 1, variant_answers
    last_levels_with_results = _last_levels_with_results(course, answers_at_levels)
    first_level = COUNTING_LEVEL if _is_held_in_lessons(answers_to_items) else 1
    untouched_days = _untouched_days(counted_answers, today)
    return SkillPractice(
        mastery=_mastery_of(len(counted_answers), answer_window, days_right_at_once),
        window=answer_window,
        next_level=next_level(last_levels_with_results, first_level),
        is_failing=last_levels_with_results == [(lowest_level, False)] * 2,
        tried_count=len(counted_answers),
        due_since=_due_since(answer_window, days_right_at_once, today),
        untouched_days=untouched_days,
        latest_answer_by_item_id=latest_answer_by_item_id,
        is_firm=_is_half_right(recent_answers),
        is_rusty=untouched_days is not None and untouched_days >= RUST_AFTER.days,
    )


def _deciding_answers(
    course: Course,
    skill: PractisedSkill,
    answers_to_items: Sequence[CountedAnswer],
    recent_answers: Sequence[CountedAnswer],
) -> tuple[Sequence[CountedAnswer], AnswerWindow]:
    """The answers by which a skill is held or not, and their window: the last ones that count, or those to
    the items that held it before its exercises came."""
    needed_right_count = FEWEST_RIGHT_IN_WINDOW
    if not skill.exercise_ids:
        needed_right_count = _needed_right_count(skill.item_ids)
    answers_that_count = _last_counting_answers(course, recent_answers)
    answer_window = _window_of(answers_that_count, needed_right_count)
    if skill.holding_item_ids and not answer_window.is_enough:
        holding_answers = [answer for answer in answers_to_items if answer.item_id in skill.holding_item_ids]
        last_holding_answers = _last_counting_answers(course, holding_answers)
        holding_window = _window_of(last_holding_answers, _needed_right_count(skill.holding_item_ids))
        if holding_window.is_enough:
            return last_holding_answers, holding_window
    return answers_that_count, answer_window


def _answers_right_at_once(counted_answers: Sequence[CountedAnswer]) -> Sequence[CountedAnswer]:
    return [counted_answer for counted_answer in counted_answers if counted_answer.is_right_at_once]


def _window_of(answers_that_count: Sequence[CountedAnswer], needed_right_count: int) -> AnswerWindow:
    return AnswerWindow(
        len(_answers_right_at_once(answers_that_count)), len(answers_that_count), needed_right_count
    )


def _is_held_in_lessons(answers_to_items: Sequence[CountedAnswer]) -> bool:
    """Whether the last items of the lessons went as well as is wanted of a skill, however few they were."""
    last_answers = answers_to_items[-WINDOW_LENGTH:]
    needed_count = min(FEWEST_RIGHT_IN_WINDOW, len(last_answers))
    return bool(last_answers) and len(_answers_right_at_once(last_answers)) >= needed_count


def _latest_answer_by_item_id(counted_answers: Sequence[CountedAnswer]) -> dict[str, CountedAnswer]:
    """Each item by its latest answer; of a day its first one, for after that the solution is known."""
    latest_answer_by_item_id: dict[str, CountedAnswer] = {}
    for counted_answer in counted_answers:
        if (
            counted_answer.item_id not in latest_answer_by_item_id
            or latest_answer_by_item_id[counted_answer.item_id].day != counted_answer.day
        ):
            latest_answer_by_item_id[counted_answer.item_id] = counted_answer
    return latest_answer_by_item_id


def _last_counting_answers(
    course: Course, counted_answers: Sequence[CountedAnswer]
) -> Sequence[CountedAnswer]:
    """The last `WINDOW_LENGTH` answers at a level that counts, the newest first."""
    answers_from_newest = reversed(counted_answers)
    answers_that_count = (
        counted_answer
        for counted_answer in answers_from_newest
        if _level_of(course, counted_answer.item_id) >= COUNTING_LEVEL
    )
    return list(islice(answers_that_count, WINDOW_LENGTH))


def _level_of(course: Course, item_id: str) -> int:
    """The level of a variant; a fixed item has the one from which answers count."""
    return course.skill_credit_by_item_id[item_id].level or COUNTING_LEVEL


def _needed_right_count(item_ids: Sequence[str]) -> int:
    """How many of the last questions must be right at once where a skill has no more than these items: all
    of a few, for guesses at some of them succeed too often."""
    return min(FEWEST_RIGHT_IN_WINDOW, max(1, len(item_ids)))


def _mastery_of(
    tried_count: int, answer_window: AnswerWindow, days_right_at_once: Collection[date]
) -> MasteryState:
    """The rule itself.

    >>> monday, tuesday = date(2026, 9, 7), date(2026, 9, 8)
    >>> four_of_six, five_of_six = AnswerWindow(4, 6, 5), AnswerWindow(5, 6, 5)
    >>> _mastery_of(0, AnswerWindow(0, 0, 5), ()), _mastery_of(6, four_of_six, {monday, tuesday})
    ('new', 'learning')
    >>> _mastery_of(6, five_of_six, {monday}), _mastery_of(6, five_of_six, {monday, tuesday})
    ('mastered', 'remembered')
    """
    if not tried_count:
        return "new"
    if not answer_window.is_enough:
        return "learning"
    if len(days_right_at_once) > 1:
        return "remembered"
    return "mastered"


def _due_since(answer_window: AnswerWindow, days_right_at_once: Collection[date], today: date) -> date | None:
    """The one day on which a mastered skill was right at once; None where that is today, or one of several.

    >>> monday, five_of_six = date(2026, 9, 7), AnswerWindow(5, 6, 5)
    >>> str(_due_since(five_of_six, {monday}, date(2026, 9, 8))), _due_since(five_of_six, {monday}, monday)
    ('2026-09-07', None)
    """
    if not answer_window.is_enough or len(days_right_at_once) != 1 or today in days_right_at_once:
        return None
    [day_right_at_once] = days_right_at_once
    return day_right_at_once


def _untouched_days(counted_answers: Sequence[CountedAnswer], today: date) -> int | None:
    if not counted_answers:
        return None
    latest_day = max(counted_answer.day for counted_answer in counted_answers)
    return (today - latest_day).days


def _last_levels_with_results(
    course: Course, counted_answers: Sequence[CountedAnswer]
) -> Sequence[tuple[int, bool]]:
    """The level of each of the last two answers, and whether it was right at once."""
    return [
        (_level_of(course, counted_answer.item_id), counted_answer.is_right_at_once)
        for counted_answer in counted_answers[-2:]
    ]


def _is_half_right(counted_answers: Sequence[CountedAnswer]) -> bool:
    """Whether a skill is firm enough to build on: of its last questions, at any level, half were right."""
    recent_answers = counted_answers[-WINDOW_LENGTH:]
    right_count = sum(counted_answer.is_right_at_once for counted_answer in recent_answers)
    return right_count >= FEWEST_RIGHT_TO_BUILD_ON and 2 * right_count >= len(recent_answers)
