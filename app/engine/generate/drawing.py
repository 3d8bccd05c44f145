"""Drawing: from a skill, a level and a seed to a question in which the typical mistakes look different."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import pairwise

from app.engine.checks import checked_choice, refusal
from app.engine.generate.random_stream import RandomStream
from app.engine.generate.skill_kinds import ListSkill
from app.engine.generate.skills import LEVELS, SKILL_BY_NAME
from app.engine.misconceptions.table import MISCONCEPTIONS, differs_from_right, predictions
from app.engine.misconceptions.wrong_figure import early_rounded_values
from app.engine.questions import AnyQuestion, answer

ASKED_DECIMALS = 3  # what the questions are made to be asked with
LEAST_FIGURE_GAP = 0.003  # three units of the third decimal …
LEAST_FIGURE_GAP_SHARE = 0.003
"""… and this share of the greater figure: weights of 3 decimals blur less than that."""
LEAST_GAP_FROM_RIGHT = 0.002
LEAST_GAP_FROM_RIGHT_SHARE = 0.0015
"""The same for what is only kept from being taken for right: truth and mistake with weights of 3 decimals."""
MOST_DRAWS = 10_000
FEWEST_MISCONCEPTIONS_SHOWN = 2


def generate(skill: str, level: int, seed: int) -> AnyQuestion:
    """Return the question of a skill, a level and a seed: always the same one.

    按知识点、难度和种子出题；同一个种子，在哪台机器上都是同一道题。

    level 1: 3 or 4 documents, grades 0 to 3; one rank: the 2nd or 3rd; a pool of 1 or 2 more documents.
    level 2: 4 or 5 documents, grades 0 to 3; one rank: the 2nd to 4th; a pool of 2 more.
    level 3: 5 or 6 documents, grades 0 to 4; one rank: the 2nd to 6th; a pool of 2 more.
    Gains are asked one rank further down at levels 1 and 2; ``discount-far`` at the 4th or 5th, the 4th
    to 6th, the 5th or 6th rank. ``k`` lies between 2 and one less than the list where the skill is about
    cutting, is the length of the list where there is a pool, and None elsewhere. Tables: see `*_skills.py`.

    Kept in all of them: whole grades, at most 4 documents of one grade and 2 of grade 4 (the pool
    included), something relevant in the list, a list that is not sorted, an NDCG below 1 where the ideal
    matters; a pool begins with the grades of the list, in its order. What each misconception in
    ``misconception_ids_told_apart(skill)`` leads to lies at least ``LEAST_FIGURE_GAP + LEAST_FIGURE_GAP_SHARE
    * greater`` from the answer, from what the others lead to, and from what early rounding gives (greater: of
    the two).
    A skill ``name@2`` is the second version of ``name``, whose seeds keep their numbers. Of a skill with
    ``never_right_misconception_ids`` these lie at least ``LEAST_GAP_FROM_RIGHT + LEAST_GAP_FROM_RIGHT_SHARE *
    answer`` from the answer, unless they lead to it; its ``always_wrong_misconception_ids`` never do.
    Raises ValueError naming the argument, the value and what is allowed.

    >>> generate("dcg", 1, 7) == generate("dcg", 1, 7)
    True
    >>> generate("dcg", 4, 7)
    Traceback (most recent call last):
        ...
    ValueError: level = 4: expected 1, 2 or 3
    """
    checked_choice(skill, "skill", SKILL_BY_NAME)
    random_stream = RandomStream(f"{skill}/{checked_level(level)}/{checked_seed(seed)}")
    generated_skill = SKILL_BY_NAME[skill]
    misconception_ids = (
        *generated_skill.told_apart_misconception_ids,
        *generated_skill.hidden_misconception_ids,
    )
    for _ in range(MOST_DRAWS):
        question = generated_skill.draw(level, random_stream)
        if question is None:
            continue
        shown_misconception_ids = misconception_ids
        if isinstance(generated_skill, ListSkill) and generated_skill.asks_any_grade:
            shown_misconception_ids = _misconception_ids_leading_astray(question, misconception_ids)
        if (
            len(shown_misconception_ids) >= FEWEST_MISCONCEPTIONS_SHOWN
            and _shows_each(question, shown_misconception_ids)
            and _takes_none_for_right(question, generated_skill.never_right_misconception_ids)
            and _are_always_wrong(question, generated_skill.always_wrong_misconception_ids)
        ):
            return question
    raise RuntimeError(f"no variant of {skill}, level {level}, seed {seed} in {MOST_DRAWS} draws")


def _misconception_ids_leading_astray(
    question: AnyQuestion, misconception_ids: Sequence[str]
) -> tuple[str, ...]:
    """The models that do not lead to the truth of this question."""
    predicted_value_by_misconception_id = predictions(question)
    return tuple(
        misconception_id
        for misconception_id in misconception_ids
        if misconception_id in predicted_value_by_misconception_id
    )


def _shows_each(question: AnyQuestion, misconception_ids: Sequence[str]) -> bool:
    """Whether each of the models shows, by a number of its own."""
    misconceptions = [MISCONCEPTIONS[misconception_id] for misconception_id in misconception_ids]
    if not all(misconception.applies(question) for misconception in misconceptions):
        return False
    predicted_values = [misconception.compute(question) for misconception in misconceptions]
    neighbouring_figures = pairwise(sorted([answer(question), *predicted_values]))
    if not all(_are_apart(lower_figure, upper_figure) for lower_figure, upper_figure in neighbouring_figures):
        return False
    predicted_values.sort()
    for early_rounded_value in early_rounded_values(question, ASKED_DECIMALS):
        if not _stands_apart(early_rounded_value, predicted_values):
            return False
    return True


def _takes_none_for_right(question: AnyQuestion, misconception_ids: Collection[str]) -> bool:
    """Whether what each of the models leads to lies apart from the answer, if it is not the answer itself."""
    if not misconception_ids:
        return True
    right_value = answer(question)
    least_gap = LEAST_GAP_FROM_RIGHT + LEAST_GAP_FROM_RIGHT_SHARE * right_value
    return all(
        abs(predicted_value - right_value) >= least_gap
        for misconception_id, predicted_value in predictions(question).items()
        if misconception_id in misconception_ids
    )


def _are_always_wrong(question: AnyQuestion, misconception_ids: Sequence[str]) -> bool:
    """Whether none of the models leads to the answer, nor its mirror."""
    right_value = answer(question)
    for misconception_id in misconception_ids:
        misconception = MISCONCEPTIONS[misconception_id]
        for model in filter(None, (misconception, misconception.mirror_model)):
            if model.applies(question) and not differs_from_right(model.compute(question), right_value):
                return False
    return True


def _stands_apart(figure: float, sorted_figures: Sequence[float]) -> bool:
    """Whether a number lies apart from figures in their order: from the nearest one on either side."""
    insertion_index = bisect_left(sorted_figures, figure)
    figures_below = sorted_figures[max(0, insertion_index - 1) : insertion_index]
    figures_above = sorted_figures[insertion_index : insertion_index + 1]
    neighbouring_figures = pairwise([*figures_below, figure, *figures_above])
    return all(_are_apart(lower_figure, upper_figure) for lower_figure, upper_figure in neighbouring_figures)


def _are_apart(lower_figure: float, upper_figure: float) -> bool:
    least_gap = LEAST_FIGURE_GAP + LEAST_FIGURE_GAP_SHARE * upper_figure
    return upper_figure - lower_figure >= least_gap  # a nan never is


def checked_level(level: object) -> int:
    if isinstance(level, bool) or not isinstance(level, int) or level not in LEVELS:
        raise refusal("level", level, "1, 2 or 3")
    return level


def checked_seed(seed: object) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise refusal("seed", seed, "a whole number")
    return seed
