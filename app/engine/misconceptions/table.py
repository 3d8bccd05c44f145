"""The table of all misconceptions, in the order of the steps they break, and what they predict."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType

from app.engine.misconceptions.discount_models import DISCOUNT_MODELS
from app.engine.misconceptions.divisor_models import DIVISOR_MODELS
from app.engine.misconceptions.gain_models import GAIN_MODELS
from app.engine.misconceptions.ideal_models import CUT_MODELS, IDEAL_MODELS
from app.engine.misconceptions.misconception import Misconception
from app.engine.misconceptions.rank_models import RANK_MODELS
from app.engine.misconceptions.ratio_models import RATIO_MODELS
from app.engine.misconceptions.reader_models import READER_MODELS
from app.engine.misconceptions.relevance_models import RELEVANCE_MODELS
from app.engine.misconceptions.sum_models import SUM_MODELS
from app.engine.misconceptions.tables.agreement_models import AGREEMENT_MODELS
from app.engine.misconceptions.tables.click_models import CLICK_MODELS
from app.engine.misconceptions.tables.coin_models import COIN_MODELS
from app.engine.misconceptions.tables.pair_models import PAIR_MODELS
from app.engine.questions import AnyQuestion, answer
from app.engine.rounding import FLOAT_NOISE

ALL_MISCONCEPTIONS: tuple[Misconception, ...] = (
    *GAIN_MODELS,
    *DISCOUNT_MODELS,
    *SUM_MODELS,
    *IDEAL_MODELS,
    *CUT_MODELS,
    *RATIO_MODELS,
    *RELEVANCE_MODELS,
    *RANK_MODELS,
    *READER_MODELS,
    *DIVISOR_MODELS,
    *PAIR_MODELS,
    *COIN_MODELS,
    *AGREEMENT_MODELS,
    *CLICK_MODELS,
)
MISCONCEPTIONS: Mapping[str, Misconception] = MappingProxyType(
    {model.id: model for model in ALL_MISCONCEPTIONS}
)


@cache
def misconceptions_about(quantity: str) -> Sequence[Misconception]:
    """Return the models that are about a quantity, as they are or as their mirror: others never apply.

    关于这个量的误区。

    >>> len(misconceptions_about("discount")) < len(ALL_MISCONCEPTIONS)
    True
    """
    misconceptions = []
    for misconception in ALL_MISCONCEPTIONS:
        model_quantities = set(misconception.quantities)
        if misconception.mirror_model:
            model_quantities.update(misconception.mirror_model.quantities)
        if quantity in model_quantities:
            misconceptions.append(misconception)
    return tuple(misconceptions)


def predictions(question: AnyQuestion) -> dict[str, float]:
    """Return, model by model, the wrong number it leads to.

    每个误区在这道题上会算出什么；算出来仍然是对的，就不列。

    Only models that apply to the question and whose figure differs from the answer; unrounded; in the
    order of the table. Units are those of the quantity.

    >>> from app.engine.questions import Question
    >>> wrong = predictions(Question("ndcg", [3, 2, 0, 1], k=4, pool=[3, 3, 2, 1, 0, 0]))
    >>> round(wrong["ideal_from_retrieved"], 4), round(wrong["ratio_inverted"], 4), "natural_log" in wrong
    (0.9854, 1.3476, False)
    """
    models_and_values = _models_with_wrong_values(misconceptions_about(question.quantity), question)
    return {model.id: predicted_value for model, predicted_value in models_and_values}


@lru_cache(256)  # a diagnosis asks up to three times, and once more for the next number that is tried
def models_with_wrong_values(question: AnyQuestion) -> Sequence[tuple[Misconception, float]]:
    """Return each model and each mirror that applies and does not lead to the answer, with its number.

    每个误区和它的镜像，各算出什么错数。

    >>> from app.engine.questions import Question
    >>> [model.id for model, _ in models_with_wrong_values(Question("gain", [3], rank=1))][:2]
    ['exponential_for_linear', 'rank_for_grade']
    """
    models_and_mirrors = []
    for listed_model in misconceptions_about(question.quantity):
        models_and_mirrors.append(listed_model)
        if listed_model.mirror_model:
            models_and_mirrors.append(listed_model.mirror_model)
    return tuple(_models_with_wrong_values(models_and_mirrors, question))


def _models_with_wrong_values(
    models: Sequence[Misconception], question: AnyQuestion
) -> Iterator[tuple[Misconception, float]]:
    right_value = answer(question)
    for model in models:
        if model.applies(question):
            predicted_value = model.compute(question)
            if differs_from_right(predicted_value, right_value):
                yield model, predicted_value


def differs_from_right(predicted_value: float, right_value: float) -> bool:
    """Return whether a model's figure is a number, and not that of the truth.

    >>> differs_from_right(1.5, 1.0), differs_from_right(1.0, 1.0), differs_from_right(math.nan, 1.0)
    (True, False, False)
    """
    return math.isfinite(predicted_value) and not math.isclose(
        predicted_value, right_value, rel_tol=FLOAT_NOISE, abs_tol=FLOAT_NOISE
    )
