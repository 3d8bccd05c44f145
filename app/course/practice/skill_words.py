"""Where a learner stands with a skill, in sentences: why it is in its state, and what to do with it now."""

from collections.abc import Sequence

from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import NAME_BY_LEVEL
from app.course.practice.mastery import COUNTING_LEVEL, FEWEST_RIGHT_IN_WINDOW, WINDOW_LENGTH
from app.course.practice.skill_states import SkillState

MASTERY_GOAL = (
    f"课文里的题、练习里“{NAME_BY_LEVEL[COUNTING_LEVEL]}”以上的题，"
    f"最近{WINDOW_LENGTH}道里一次就对{FEWEST_RIGHT_IN_WINDOW}道，就算会了。"
)
"""What practice asks for of a skill with exercises."""


def state_reason(skill_state: SkillState) -> str:
    """Why a skill is in its state, in one sentence."""
    answer_window = skill_state.practice.window
    window_words = f"最近{answer_window.size}道里，一次就对了{answer_window.right_count}道"
    match skill_state.mastery:
        case "new":
            missing_skill_names = [skill.name for skill in skill_state.missing_skills]
            return f"先要会{_names_words(missing_skill_names)}。" if missing_skill_names else "还没学到这里。"
        case "met":
            return _sentence_of_met(skill_state)
        case "learning":
            return _sentence_of_learning(skill_state, window_words)
        case "mastered":
            return _sentence_of_mastered(skill_state, window_words)
        case "remembered":
            rust_words = ""
            if skill_state.practice.is_rusty:
                rust_words = f"；{skill_state.practice.untouched_days}天没碰了"
            return f"{window_words}，而且不止一天{rust_words}。"


def next_step_words(skill_state: SkillState) -> str:
    """What to do with a skill now, as a link says it; what is new is read first."""
    if skill_state.mastery == "new":
        return "先学课文"
    return practice_step_words(skill_state)


def practice_step_words(skill_state: SkillState) -> str:
    """What the next question of a skill is, as a link says it."""
    match skill_state.mastery:
        case "new" | "met":
            return "练第一道"
        case "learning":
            return "接着练"
        case "mastered":
            return "今天再来一道" if skill_state.is_due else "再练一道"
        case "remembered":
            return "来道难的" if skill_state.skill.exercise_ids else "再练一道"


def success_words(skill_state: SkillState, level: int | None) -> str:
    """How it goes, after a right answer to a variant of this level, or to an item. A variant at a level that
    counts is in the window, unless a hint was read."""
    if level is not None and level < COUNTING_LEVEL:
        return "刚才对了"
    if skill_state.practice.window.right_count:
        return "正顺手"
    if level is not None:
        return "刚才对了，看了提示的不算"
    return "刚才对了"


def step_back_reason(skill: PractisedSkill, needed_skill: PractisedSkill) -> str:
    """Why a skill that fails again and again gives way to one that it needs."""
    return f"“{skill.name}”先放一放，退一步：它要用到“{needed_skill.name}”。"


def firm_ground_reason(skill: PractisedSkill, needed_skill: PractisedSkill) -> str:
    """Why a skill gives way to one that it needs and that does not bear yet."""
    return f"“{skill.name}”要用到“{needed_skill.name}”，先把它练稳。"


def _sentence_of_met(skill_state: SkillState) -> str:
    """What was met of a skill in lessons, and what practice asks for."""
    practised_words = "课文学过了"
    if skill_state.met_count:
        practised_words = f"答过它的{skill_state.met_count}题"
    if not skill_state.skill.exercise_ids:
        needed_count = skill_state.practice.window.needed_count
        return f"{practised_words}；它自己的题，没看提示一次做对{needed_count}道，就算会了。"
    return f"{practised_words}；{MASTERY_GOAL}"


def _sentence_of_learning(skill_state: SkillState, window_words: str) -> str:
    """What is still missing until a skill is held."""
    answer_window = skill_state.practice.window
    if not answer_window.size:
        level_below = NAME_BY_LEVEL[COUNTING_LEVEL - 1]
        tried_count = skill_state.practice.tried_count
        at_least_words = "以上" if tried_count >= WINDOW_LENGTH else ""
        return f"“{level_below}”练过{min(tried_count, WINDOW_LENGTH)}道{at_least_words}；{MASTERY_GOAL}"
    item_count = len(skill_state.skill.item_ids)
    if not skill_state.skill.exercise_ids and 0 < item_count < WINDOW_LENGTH:
        return f"一共{item_count}道题，{window_words}；对了{answer_window.needed_count}道，就算会了。"
    counting_words = ""
    if skill_state.skill.exercise_ids:
        counting_words = f"课文里的也算，“{NAME_BY_LEVEL[COUNTING_LEVEL - 1]}”的不算，"
    return f"{window_words}；{counting_words}{WINDOW_LENGTH}道里对{answer_window.needed_count}道，就算会了。"


def _sentence_of_mastered(skill_state: SkillState, window_words: str) -> str:
    """What is still missing until a skill is remembered."""
    mastered_day = skill_state.practice.due_since
    if mastered_day is None:
        return f"{window_words}；隔天再对一道，就是还记得。"
    return f"{mastered_day.month}月{mastered_day.day}日会了；今天再来一道，一次做对就是还记得。"


def _names_words(skill_names: Sequence[str]) -> str:
    """“增益”和“折损”.

    >>> _names_words(["增益", "折损"])
    '“增益”和“折损”'
    """
    return "和".join(f"“{skill_name}”" for skill_name in skill_names)
