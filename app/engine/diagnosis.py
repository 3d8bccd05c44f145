"""Diagnosis: from a wrong number to the mistake that made it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.engine.checks import checked_decimals, checked_number, checked_whole_number
from app.engine.misconceptions.misconception import STEPS, Misconception
from app.engine.misconceptions.table import MISCONCEPTIONS, misconceptions_about
from app.engine.misconceptions.working import Ranking, sorted_candidate_grades
from app.engine.misconceptions.wrong_figure import (
    WrongFigure,
    early_rounded_values,
    figures_cut_off_to,
    figures_rounded_to,
    pairs_rounded_to,
    wrong_figure_of,
)
from app.engine.questions import SHARE_QUANTITIES, AnyQuestion, Question, answer

TRUNCATED_ID = "truncated"
ROUNDED_EACH_TERM_ID = "rounded_each_term"
FEWER_DECIMALS_ID = "fewer_decimals"
PERCENT_WITHOUT_SIGN_ID = "percent_without_sign"
ROUNDING_STEP = "舍入"  # the step of the verdicts that are no misconceptions
NAME_BY_ROUNDING_ID: Mapping[str, str] = {
    TRUNCATED_ID: "截断而不是四舍五入",
    ROUNDED_EACH_TERM_ID: "中途就四舍五入",
    FEWER_DECIMALS_ID: "少留了小数位",
    PERCENT_WITHOUT_SIGN_ID: "写成了百分数",
}
QUANTITIES_WRITTEN_IN_PERCENT = SHARE_QUANTITIES | {
    "ndcg",
    "delta_ndcg",
    "kappa",
    "ips",
    "sign_test",
    "randomisation_test",
}


class Diagnosis(NamedTuple):
    """What explains a wrong number.

    一个错数的来历：哪个误区（或哪几个可能的误区），错在哪一步，怎么说给学习者听。

    ids: the misconception, two that act together, or one of ``NAME_BY_ROUNDING_ID``.
    are_alternatives: each of several misconceptions explains the number by itself, and equally well.
    name: 中文. step: one of ``STEPS``, or 舍入; several are joined by 、.
    explanation: one to three Chinese sentences to the learner, which never give the answer away.
    predicted_value: the number the mistake leads to, unrounded (of several: the nearest one).

    >>> diagnose(Question("dcg", [3, 2, 0, 1], k=4), 6.77).explanation
    '你用的是自然对数ln：公式里是以2为底的对数，手边只有ln，就用ln（名次加1）÷ln2来代替它。'
    """

    ids: tuple[str, ...]
    are_alternatives: bool
    name: str
    step: str
    explanation: str
    predicted_value: float

    @property
    def code(self) -> str:
        """One id, two that act together ``a+b``, or several that are possible ``a|b``.

        >>> diagnose(Question("dcg", [3, 2, 0, 1], gain="exponential"), 6.77).code
        'linear_for_exponential+natural_log'
        """
        separator = "|" if self.are_alternatives else "+"
        return separator.join(self.ids)


def diagnose(
    question: AnyQuestion,
    value: float,
    decimals: int = 3,
    accepted: tuple[float, float] | None = None,
    written_decimals: int | None = None,
) -> Diagnosis | None:
    """Return the mistake that explains a number, or None: it is right, or nothing explains it.

    从一个错数认出错在哪里；答对了，或者说不清，就不说。

    decimals: places the question asks for. accepted: lowest and highest number that counts as right, if
    the contract is wider than the answer ± half a unit of the last place (e.g. because a printed table
    of weights may be used). It must contain the answer. written_decimals: places in which the number was
    written, if that is known. "Short" is what has fewer than are asked for. Judged in this order:

    ==  =======================  ==========================================================================
    1   None                     right within ``accepted``, be it by an early rounding
    2   ``fewer_decimals``       right to at least 2 places, or to 1 if no more were written; the method is
                                 praised unless a mistake leads there too; in full, it is that mistake
    3   ``truncated``            the answer with its further decimals cut off
    4   ``rounded_each_term``    the right formula with terms, weights or sums rounded on the way; but
                                 ``fewer_decimals`` where it is the answer to 1 place, and a mistake that
                                 leads there where the last place is off by more than 2.5
    5   one misconception        the only one whose figure it is, to half a unit; where ``accepted`` is given,
                                 also as worked on paper, with weights or divisors of 3 decimals
        several as possible      more of them; of a short number all whose figures are written so, unless it
                                 is just what a mistake leads to
        another quantity         of the list, where no broken step leads there
    6   ``fewer_decimals``       right to 2 places, with zeros behind; in full
    7   5, cut off               a figure of a misconception with its further decimals cut off; not short, and
                                 at least 200 units of the last place
    8   a pair                   the only one that leads there; it breaks two steps, by beliefs that plausibly
                                 stand together; term, dcg and idcg, with at least 3 decimals; not short
    9   ``fewer_decimals``       right to 1 place, or cut off behind at least 2
    10  ``percent_without_sign`` 100 times an NDCG or another share, right or to 2 places
    11  5, rounded too far       short, with at least 2 places: all whose figures are written so
    ==  =======================  ==========================================================================

    Raises ValueError for a value that is no finite number, and for bad decimals, accepted or
    written_decimals.

    >>> question = Question("idcg", [3, 3, 2, 1, 0])
    >>> diagnose(question, 6.323) is None, diagnose(question, 6.324).code
    (True, 'rounded_each_term')
    >>> diagnose(question, 6.324, accepted=(6.3229, 6.3245)) is None
    True
    >>> diagnose(Question("dcg", [2, 3, 0]), 3.892).code   # 3.8928, cut off
    'truncated'
    >>> diagnose(Question("dcg", [3, 2, 0, 1], gain="exponential"), 6.770).ids
    ('linear_for_exponential', 'natural_log')
    >>> question = Question("idcg", [2, 1, 0])   # 2.631
    >>> [diagnose(question, 2.6, written_decimals=places).explanation[:6] for places in (1, 3)]
    ['算对了，只是', '只差在舍入：']
    """
    typed_value = checked_number(value, "value")
    decimals = checked_decimals(decimals)
    if written_decimals is not None:
        written_decimals = checked_whole_number(written_decimals, "written_decimals", 0)
    wrong_figure = wrong_figure_of(typed_value, answer(question), decimals, accepted, written_decimals)
    if wrong_figure is None:
        return None
    return (
        _diagnosed_by_decimals(question, wrong_figure)
        or _diagnosed_by_rounding(question, wrong_figure)
        or _diagnosed_by_model(question, wrong_figure)
        or _diagnosed_by_zeros_at_end(wrong_figure)
        or _diagnosed_by_cut_off_figure(question, wrong_figure)
        or _diagnosed_by_pair(question, wrong_figure)
        or _diagnosed_by_one_place_or_percent(question, wrong_figure)
        or _diagnosed_by_coarse_figure(question, wrong_figure)
    )


def diagnose_ideal(question: Question, ranking: Sequence[float]) -> Diagnosis | None:
    """Return the mistake that explains a wrong ideal ranking, or None: it is right, or nothing explains it.

    从一个排错的理想顺序认出错在哪里。

    ranking: the grades as the learner put them, from rank 1 to the last that counts; unjudged is 0.

    >>> diagnose_ideal(Question("ndcg", [2, 3, 0]), [0, 2, 3]).code
    'ideal_ascending'
    >>> diagnose_ideal(Question("ndcg", [2, 3, 0]), [3, 2, 0]) is None
    True
    """
    ideal_question = replace(question, quantity="idcg")
    typed_ranking = list(ranking)
    typed_length = len(typed_ranking)
    if typed_ranking == _as_grades(sorted_candidate_grades(ideal_question), ideal_question, typed_length):
        return None
    explaining_models = []
    for model in misconceptions_about(ideal_question.quantity):
        if "ideal" in model.wrong_steps and model.applies(ideal_question):
            wrong_order = model.wrong_steps["ideal"](ideal_question)
            if typed_ranking == _as_grades(wrong_order, ideal_question, typed_length):
                explaining_models.append(model)
    if not explaining_models:
        return None
    return _diagnosis_of(explaining_models, explaining_models[0].compute(ideal_question))


def _as_grades(ranking: Ranking, question: Question, place_count: int) -> list[float]:
    """A ranking as it is written into so many places: cut, unjudged as 0, nothing as 0."""
    grades = [grade or 0 for grade in ranking[: question.k]]
    return grades + [0] * (place_count - len(grades))


def _diagnosed_by_decimals(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """Right as far as it was written; who went astray may have stopped at the same place."""
    if wrong_figure.is_written_in_full or not wrong_figure.is_answer_to_fewer_places:
        return None
    if _diagnosed_by_model(question, wrong_figure) is None:
        return _fewer_decimals_diagnosis(wrong_figure)
    explanation = (
        f"写出来的这几位是对的，只是少留了位数：要{wrong_figure.decimals}位小数。"
        "要是往下算全是0，就回头看看方法。"
    )
    return _diagnosis_with_rounding_id(FEWER_DECIMALS_ID, explanation, wrong_figure.value)


def _diagnosed_by_zeros_at_end(wrong_figure: WrongFigure) -> Diagnosis | None:
    if wrong_figure.is_written_in_full and wrong_figure.is_answer_to_fewer_places:
        return _fewer_decimals_diagnosis(wrong_figure)
    return None


def _fewer_decimals_diagnosis(wrong_figure: WrongFigure) -> Diagnosis:
    decimals = wrong_figure.decimals
    explanation = f"算对了，只是少留了位数：要{decimals}位小数。"
    if wrong_figure.is_written_in_full:
        explanation = f"只差在舍入：要四舍五入到{decimals}位小数，后面补0不算。"
    elif wrong_figure.written_decimals is None and wrong_figure.is_cut_off(
        decimals
    ):  # 0.63 for 0.6309: it may have been written 0.630
        explanation = f"算对了，只差末位：四舍五入到{decimals}位小数，先看下一位够不够进位。"
    return _diagnosis_with_rounding_id(FEWER_DECIMALS_ID, explanation, wrong_figure.value)


def _diagnosis_with_rounding_id(rounding_id: str, explanation: str, predicted_value: float) -> Diagnosis:
    return Diagnosis(
        (rounding_id,), False, NAME_BY_ROUNDING_ID[rounding_id], ROUNDING_STEP, explanation, predicted_value
    )


def _diagnosed_by_rounding(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """Rounding on the way, or the mistake that is likelier where rounding would have to be coarse."""
    decimals = wrong_figure.decimals
    if wrong_figure.is_cut_off(decimals):
        explanation = f"你把后面的小数位直接截掉了：要四舍五入到{decimals}位小数，先看下一位够不够进位。"
        return _diagnosis_with_rounding_id(TRUNCATED_ID, explanation, wrong_figure.value)
    for early_rounded_value in early_rounded_values(question, decimals):
        if wrong_figure.is_explained_by(early_rounded_value):
            # Only coarse rounding goes so far: a mistake that leads there too is likelier.
            if wrong_figure.is_off_by_more_than_last_place:
                model_diagnosis = _diagnosed_by_model(question, wrong_figure)
                if model_diagnosis is not None:
                    return model_diagnosis
            if wrong_figure.is_answer_to_one_place:
                return _fewer_decimals_diagnosis(wrong_figure)
            explanation = (
                f"方法是对的，只是中途就四舍五入了：中间结果多留几位，最后一步再取{decimals}位小数。"
            )
            return _diagnosis_with_rounding_id(ROUNDED_EACH_TERM_ID, explanation, early_rounded_value)
    return None


def _diagnosed_by_one_place_or_percent(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """One place alone, more of them but cut off, or a share told in hundredths."""
    is_cut_off = any(map(wrong_figure.is_cut_off, range(2, wrong_figure.decimals)))
    if wrong_figure.is_answer_to_one_place or (wrong_figure.value and is_cut_off):
        return _fewer_decimals_diagnosis(wrong_figure)
    if question.quantity not in QUANTITIES_WRITTEN_IN_PERCENT:
        return None
    figure_as_share = wrong_figure._replace(value=wrong_figure.value / 100)
    if figure_as_share.is_explained_by(*wrong_figure.right_interval) or figure_as_share.is_answer_to_places(
        2
    ):
        return _diagnosis_with_rounding_id(
            PERCENT_WITHOUT_SIGN_ID, "这是百分数的写法：补上“%”，或者除以100再交。", wrong_figure.value
        )
    return None


def _diagnosed_by_coarse_figure(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """The mistakes whose figure was rounded too far."""
    coarse_figure = wrong_figure.as_written
    if coarse_figure is None:
        return None
    return _diagnosis_of_figures(figures_rounded_to(question, coarse_figure), coarse_figure)


def _diagnosed_by_cut_off_figure(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """The mistakes whose figure was cut off instead of rounded."""
    if wrong_figure.is_written_short:
        return None
    return _diagnosis_of_figures(figures_cut_off_to(question, wrong_figure), wrong_figure)


def _diagnosed_by_model(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """What one mistake explains; of a number that was written short, all whose figures are written like it,
    unless it is just what a mistake leads to."""
    figure_by_misconception_id = figures_rounded_to(question, wrong_figure)
    is_exact = any(map(wrong_figure.is_figure, figure_by_misconception_id.values()))
    if figure_by_misconception_id and wrong_figure.as_written and not is_exact:
        figure_by_misconception_id = figures_rounded_to(question, wrong_figure.as_written)
    return _diagnosis_of_figures(figure_by_misconception_id, wrong_figure)


def _diagnosis_of_figures(
    figure_by_misconception_id: Mapping[str, float], wrong_figure: WrongFigure
) -> Diagnosis | None:
    if not figure_by_misconception_id:
        return None
    models = [MISCONCEPTIONS[misconception_id] for misconception_id in figure_by_misconception_id]
    # Who broke a step is nearer than who answered another question, where both lead to the number.
    models = [model for model in models if not model.yields_to_broken_steps] or models
    nearest_figure = min(
        figure_by_misconception_id.values(), key=lambda figure: abs(figure - wrong_figure.value)
    )
    return _diagnosis_of(models, nearest_figure)


def _diagnosis_of(models: list[Misconception], predicted_value: float) -> Diagnosis:
    """The one model that leads to the number, or all that do: then none of them is it."""
    model = models[0]
    if len(models) == 1:
        explanation = f"{model.mistake_clause}：{model.hint}"
        return Diagnosis((model.id,), False, model.name, model.step, explanation, predicted_value)
    misconception_ids = tuple(model.id for model in models)
    return Diagnosis(
        misconception_ids,
        True,
        "有几种可能",
        _broken_steps_words(models),
        _possibilities_sentence(models),
        predicted_value,
    )


def _possibilities_sentence(models: list[Misconception]) -> str:
    """Two mistakes, each with its cure, so that a learner knows which one it was; of more, their names."""
    if len(models) == 2:
        possibilities_text = "".join(f"要是{model.mistake_clause}：{model.hint}" for model in models)
        return f"两种做法都会得到这个数，看看哪一种像你的做法。{possibilities_text}"
    names_words = "，或者".join(f"“{model.name}”" for model in models)
    return f"不止一种做法会得到这个数：{names_words}。看看哪一种像你的做法，从那一步再算一遍。"


def _diagnosed_by_pair(question: AnyQuestion, wrong_figure: WrongFigure) -> Diagnosis | None:
    """What two mistakes at once explain. Where several pairs lead to the number, none of them is named."""
    explaining_pairs = pairs_rounded_to(question, wrong_figure)
    if len(explaining_pairs) != 1:
        return None
    return _diagnosis_of_pair(*explaining_pairs[0])


def _diagnosis_of_pair(
    first_model: Misconception, second_model: Misconception, predicted_value: float
) -> Diagnosis:
    pair_name = f"{first_model.name}，并且{second_model.name}"
    steps_words = _broken_steps_words([first_model, second_model])
    explanation = "这个数里有两处错。"
    for model in (first_model, second_model):
        explanation += f"{model.mistake_clause}：{model.hint}"
    return Diagnosis(
        (first_model.id, second_model.id), False, pair_name, steps_words, explanation, predicted_value
    )


def _broken_steps_words(models: list[Misconception]) -> str:
    broken_steps = {model.step for model in models}
    return "、".join(step for step in STEPS if step in broken_steps)
