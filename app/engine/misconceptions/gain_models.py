"""Wrong gains: what a document is worth before its place is counted."""

from dataclasses import replace

from app.engine.checks import Grade
from app.engine.gains import GAINS
from app.engine.misconceptions.model import Misconception
from app.engine.misconceptions.working import candidates
from app.engine.questions import Question

WITH_GAIN = ("gain", "term", "dcg", "idcg", "ndcg")
FACTOR_SHOWS = WITH_GAIN[:-1]  # in NDCG a factor common to all gains cancels
BEYOND_FLOATS = 1024  # 2**1024 is no float


def power(grade: float) -> float:
    """Return ``2**grade``: 0 sugar is worth 1.

    >>> power(3), power(0)
    (8.0, 1.0)
    """
    powered: float = 2.0**grade
    return powered


def power_of_one_less(grade: float) -> float:
    """Return ``2**(grade - 1)``: the -1 has slipped into the exponent.

    >>> power_of_one_less(3)
    4.0
    """
    return power(grade - 1)


def twice(grade: float) -> float:
    """Return ``2 * grade``: a power read as a product.

    >>> twice(3)
    6
    """
    return 2 * grade


def ranks_for_grades(question: Question) -> list[Grade]:
    """Return the ranks where the grades should be read."""
    return list(range(1, (question.rank or 0) + 1))


def _asks_exponential(question: Question) -> bool:
    return question.gain == "exponential"


def _asks_linear(question: Question) -> bool:
    return (question.gain == "linear" or question.quantity == "cg") and _gains_differ(question)


def _gains_differ(question: Question) -> bool:
    grades = [grade for grade in (*question.grades, *candidates(question)) if grade is not None]
    return any(grade > 1 for grade in grades) and max(grades) < BEYOND_FLOATS


MIXED = Misconception(
    id="mixed_gains",
    name="分子分母用了两种增益",
    step="增益",
    thoughts=("DCG照论文用指数，IDCG把甜度加起来就行。", "只有DCG才分线性和指数。"),
    said="你的DCG和IDCG用的不是同一种增益",
    hint="分子和分母要用同一种增益，也就是题目约定的那一种，才比得出占几成。",
    quantities=("ndcg",),
    instead={"gain": GAINS["exponential"], "ideal_gain": GAINS["linear"]},
    fits=_gains_differ,
)

GAIN_MODELS = (
    Misconception(
        id="exponential_for_linear",
        name="线性的题用了指数增益",
        step="增益",
        thoughts=("我看到的公式都是2的甜度次方减一。", "甜度高的应该格外重要，所以要放大。"),
        said="你用的是指数增益",
        hint="这道题约定的是线性增益，甜度（等级）是几，增益就是几。",
        quantities=(*WITH_GAIN, "cg"),
        instead={"gain": GAINS["exponential"]},
        fits=_asks_linear,
        in_pairs=True,
    ),
    Misconception(
        id="linear_for_exponential",
        name="指数的题用了线性增益",
        step="增益",
        thoughts=("甜度是几，增益就是几。", "2的甜度次方减一，和甜度本身应该差不多。"),
        said="你直接把甜度（等级）当成了增益",
        hint="这道题约定的是指数增益，先求2的甜度次方，再减一。",
        quantities=WITH_GAIN,
        instead={"gain": GAINS["linear"]},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        id="power_without_minus_one",
        name="指数增益忘了减一",
        step="增益",
        thoughts=("指数增益就是2的甜度次方。", "最后的减一对结果影响不大。"),
        said="你的增益只算到2的甜度次方",
        hint="指数增益还要再减一，这样甜度（等级）为零的文档才一分不得。",
        quantities=WITH_GAIN,
        instead={"gain": power},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        id="minus_one_in_exponent",
        name="减一放进了指数里",
        step="增益",
        thoughts=("公式写成一行，减一看起来就在指数上。",),
        said="你把减一放进了指数里",
        hint="要先求2的甜度次方，求完再减一，减一不在指数上。",
        quantities=FACTOR_SHOWS,
        instead={"gain": power_of_one_less},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        id="twice_the_grade",
        name="乘方算成了乘二",
        step="增益",
        thoughts=("2的甜度次方，就是2乘甜度。",),
        said="你把乘方算成了2乘甜度",
        hint="2的甜度次方，是把那么多个2连乘起来，然后再减一。",
        quantities=FACTOR_SHOWS,
        instead={"gain": twice},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        id="rank_for_grade",
        name="名次当成了甜度",
        step="增益",
        thoughts=("公式里的下标就是要代进去的数。", "第几名，增益就从几算起。"),
        said="你代进增益里的是名次",
        hint="增益看的是这篇文档的甜度（等级），名次只在算折损时用。",
        quantities=("gain", "term"),
        instead={"read": ranks_for_grades},
    ),
    replace(
        MIXED, mirror=replace(MIXED, instead={"gain": GAINS["linear"], "ideal_gain": GAINS["exponential"]})
    ),
)
