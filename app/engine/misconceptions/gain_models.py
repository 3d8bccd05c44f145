"""Wrong gains: what a document is taken to be worth."""

from app.engine.checks import Grade
from app.engine.misconceptions.misconception import (
    Misconception,
    NeighbourGiven,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.working import Ranking, candidate_grades
from app.engine.pair_questions import SWAP_QUANTITIES
from app.engine.questions import Question
from app.engine.terms import exponential_gain, linear_gain

QUANTITIES_WITH_GAIN: Quantities = ("gain", "term", "dcg", "idcg", "ndcg")
QUANTITIES_SHOWING_FACTOR = QUANTITIES_WITH_GAIN[:-1]  # in NDCG a factor common to all gains cancels
FIRST_GRADE_BEYOND_FLOATS = 1024  # 2**1024 is no float


def power_of_two(grade: float) -> float:
    """Return ``2**grade``: 0 sugar is worth 1.

    >>> power_of_two(3), power_of_two(0)
    (8.0, 1.0)
    """
    gain: float = 2.0**grade
    return gain


def power_of_one_less(grade: float) -> float:
    """Return ``2**(grade - 1)``: the -1 has slipped into the exponent.

    >>> power_of_one_less(3)
    4.0
    """
    return power_of_two(grade - 1)


def twice_the_grade(grade: float) -> float:
    """Return ``2 * grade``: a power read as a product.

    >>> twice_the_grade(3)
    6
    """
    return 2 * grade


def ranks_for_grades(question: Question) -> list[Grade]:
    """Return the ranks where the grades should be read."""
    return list(range(1, (question.rank or 0) + 1))


def _gains_differ(question: Question) -> bool:
    grades = [grade for grade in (*question.grades, *candidate_grades(question)) if grade is not None]
    return any(grade > 1 for grade in grades) and max(grades) < FIRST_GRADE_BEYOND_FLOATS


class WrongGain(Misconception):
    """A wrong gain; it shows wherever there is one."""

    step = "增益"
    quantities = QUANTITIES_WITH_GAIN
    can_join_another = True


class WrongExponential(WrongGain):
    """A wrong gain where the exponential one is asked."""

    def fits(self, question: Question) -> bool:
        return question.gain == "exponential"


class ExponentialForLinear(WrongGain):
    """``2**grade - 1`` where the grade itself is asked."""

    id = "exponential_for_linear"
    name = "线性的题用了指数增益"
    thoughts = ("我看到的公式都是2的甜度次方减1。", "甜度高的应该格外重要，所以要放大。")
    mistake_clause = "你用的是指数增益"
    hint = "这道题约定的是线性增益，甜度是几，增益就是几。"
    quantities = (*QUANTITIES_WITH_GAIN, "cg", *SWAP_QUANTITIES)
    wrong_steps = wrong_steps_with(gain_of_grade=exponential_gain)

    def fits(self, question: Question) -> bool:
        is_linear = question.gain == "linear" or question.quantity == "cg"
        return is_linear and _gains_differ(question)


class LinearForExponential(WrongExponential):
    """The grade itself where ``2**grade - 1`` is asked."""

    id = "linear_for_exponential"
    name = "指数的题用了线性增益"
    thoughts = ("甜度是几，增益就是几。", "2的甜度次方减1，和甜度本身应该差不多。")
    mistake_clause = "你直接把甜度当成了增益"
    hint = "这道题约定的是指数增益，先求2的甜度次方，再减1。"
    quantities = (*QUANTITIES_WITH_GAIN, *SWAP_QUANTITIES)
    wrong_steps = wrong_steps_with(gain_of_grade=linear_gain)


class PowerWithoutMinusOne(WrongExponential):
    """``2**grade``: the -1 is forgotten."""

    id = "power_without_minus_one"
    name = "指数增益忘了减1"
    thoughts = ("指数增益就是2的甜度次方。", "最后的减1对结果影响不大。")
    mistake_clause = "你的增益只算到2的甜度次方"
    hint = "指数增益还要再减1，这样甜度是0的文档才一分不得。"
    wrong_steps = wrong_steps_with(gain_of_grade=power_of_two)


class MinusOneInExponent(WrongExponential):
    """``2**(grade - 1)``."""

    id = "minus_one_in_exponent"
    name = "减1放进了指数里"
    thoughts = ("公式写成一行，减1看起来就在指数上。",)
    mistake_clause = "你把减1放进了指数里"
    hint = "要先求2的甜度次方，求完再减1，减1不在指数上。"
    quantities = QUANTITIES_SHOWING_FACTOR
    wrong_steps = wrong_steps_with(gain_of_grade=power_of_one_less)


class TwiceTheGrade(WrongExponential):
    """``2 * grade``: a power read as a product."""

    id = "twice_the_grade"
    name = "乘方算成了乘2"
    thoughts = ("2的甜度次方，就是2乘甜度。",)
    mistake_clause = "你把乘方算成了2乘甜度"
    hint = "2的甜度次方，是那么多个2连乘起来；乘完再减1，才是增益。"
    quantities = QUANTITIES_SHOWING_FACTOR
    wrong_steps = wrong_steps_with(gain_of_grade=twice_the_grade)


class RankForGrade(WrongGain):
    """The rank is put in where the grade belongs."""

    id = "rank_for_grade"
    name = "名次当成了甜度"
    thoughts = ("公式里的下标就是要代进去的数。", "第几位，增益就从几算起。")
    mistake_clause = "你代进增益里的是名次"
    hint = "增益看的是这篇文档的甜度，名次只在算折损时用。"
    quantities = ("gain", "term")
    can_join_another = False
    wrong_steps = wrong_steps_with(read_grades=ranks_for_grades)


class MirroredGains(WrongGain):
    """Linear above the line, exponential below it."""

    id = "mixed_gains"
    name = "分子分母用了两种增益"
    thoughts = ("DCG照论文用指数，IDCG把甜度加起来就行。", "只有DCG才分线性和指数。")
    mistake_clause = "你的DCG和IDCG用的不是同一种增益"
    hint = "分子和分母要用同一种增益，也就是题目约定的那一种，才比得出占几成。"
    quantities = ("ndcg",)
    can_join_another = False
    wrong_steps = wrong_steps_with(gain_of_grade=linear_gain, ideal_gain_of_grade=exponential_gain)

    def fits(self, question: Question) -> bool:
        return _gains_differ(question)


class MixedGains(MirroredGains):
    """Exponential above the line, linear below it."""

    wrong_steps = wrong_steps_with(gain_of_grade=exponential_gain, ideal_gain_of_grade=linear_gain)
    mirror_model = MirroredGains()


def grades_to_next_rank(question: Question) -> Ranking:
    """Return the grades from rank 1 to the one after the rank asked about."""
    return question.grades[: (question.rank or 0) + 1]


def grades_to_rank_before(question: Question) -> Ranking:
    """Return the grades from rank 1 to the one before the rank asked about."""
    return question.grades[: (question.rank or 0) - 1]


class RankBeforeRead(WrongGain):
    """The term of the rank before."""

    id = "next_rank_read"
    quantities = ("term",)
    can_join_another = False
    wrong_steps = wrong_steps_with(read_grades=grades_to_rank_before)

    def fits(self, question: Question) -> bool:
        return (question.rank or 0) > 1


class NextRankRead(WrongGain):
    """The term of the rank after."""

    id = "next_rank_read"
    name = "看错了一位"
    thoughts = ("第几位，从0数起。", "手一滑，看到了旁边那一行。")
    mistake_clause = "你算的是旁边那一位的项"
    hint = "名次从上往下数，最前面的是第1位，问哪一位，甜度和折损就都看那一位。"
    quantities = ("term",)
    can_join_another = False
    mostly_showing_generators = ("term", "term-exponential")
    wrong_steps = wrong_steps_with(read_grades=grades_to_next_rank)
    mirror_model = RankBeforeRead()

    def fits(self, question: Question) -> bool:
        return (question.rank or 0) < len(question.grades)


class GainForgotten(NeighbourGiven):
    """The weight of the rank, where its term is asked."""

    id = "gain_forgotten"
    name = "停在了折损"
    step = "增益"
    thoughts = ("第几位就是几折，这一项就是这个折。",)
    mistake_clause = "你给出的是折损，还没有乘增益"
    hint = "折损只说这一位打几折，还要拿这篇文档的增益去乘它。"
    quantities = ("term",)
    given_quantity = "discount"
    yields_to_broken_steps = False
    mostly_showing_generators = ("term", "term-exponential")


class WeightForGain(NeighbourGiven):
    """The weight of the rank, where its gain is asked."""

    id = "weight_for_gain"
    name = "给成了折损"
    step = "增益"
    thoughts = ("问的是第几位，那就是这一位的折损。",)
    mistake_clause = "你给出的是这一位的折损"
    hint = "增益只看这篇文档有多甜，和排第几位没有关系。"
    quantities = ("gain",)
    given_quantity = "discount"
    mostly_showing_generators = ("gain", "gain-exponential")


class TermForWeight(NeighbourGiven):
    """The term of the rank, where its weight is asked."""

    id = "term_for_weight"
    name = "把增益也乘了进去"
    step = "增益"
    thoughts = ("有糖有座位，就该乘起来。",)
    mistake_clause = "你给出的是这一项，增益已经乘进去了"
    hint = "折损只看名次，坐在那里的糖甜不甜，都是一样的折。"
    quantities = ("discount",)
    given_quantity = "term"
    yields_to_broken_steps = False
    mostly_showing_generators = ("discount", "discount-far")


GAIN_MODELS = (
    ExponentialForLinear(),
    LinearForExponential(),
    PowerWithoutMinusOne(),
    MinusOneInExponent(),
    TwiceTheGrade(),
    RankForGrade(),
    MixedGains(),
    NextRankRead(),
    GainForgotten(),
    WeightForGain(),
    TermForWeight(),
)
