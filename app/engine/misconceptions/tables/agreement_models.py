"""Wrong agreement: what is counted as agreed, what chance is taken for, and how it is taken off."""

from app.engine.labelling.agreement import CountTable, first_and_second_margins
from app.engine.misconceptions.misconception import Misconception, wrong_steps_with
from app.engine.misconceptions.working import quotient
from app.engine.terms import sum_in_order


def agreement_on_first_label(table: CountTable) -> float:
    """Return the share of the documents to which both gave the first label.

    >>> agreement_on_first_label([[6, 2], [1, 11]])
    0.3
    """
    return table[0][0] / sum(map(sum, table))


def chance_of_first_label(table: CountTable) -> float:
    """Return how often both would give the first label by chance."""
    first_margin, second_margin = first_and_second_margins(table)
    return first_margin[0] * second_margin[0]


def chance_of_even_labels(table: CountTable) -> float:
    """Return one over the number of labels.

    >>> chance_of_even_labels([[6, 2], [1, 11]])
    0.5
    """
    return 1 / len(table)


def chance_of_first_rater(table: CountTable) -> float:
    """Return how often two raters like the first one would agree by chance."""
    first_margin, _ = first_and_second_margins(table)
    return sum_in_order(label_share**2 for label_share in first_margin)


def chance_of_both_mixed(table: CountTable) -> float:
    """Return how often two raters would agree by chance who both label like the mean of the two.

    >>> round(chance_of_both_mixed([[6, 2], [1, 11]]), 5)
    0.53125
    """
    mixed_margin = [
        sum(shares_of_label) / 2 for shares_of_label in zip(*first_and_second_margins(table), strict=True)
    ]
    return sum_in_order(label_share**2 for label_share in mixed_margin)


def observed_agreement_alone(agreement: float, chance: float) -> float:  # noqa: ARG001
    """Return the agreement as it was seen."""
    return agreement


def agreement_beyond_chance(agreement: float, chance: float) -> float:
    """Return the agreement less that of chance."""
    return agreement - chance


def beyond_chance_over_chance(agreement: float, chance: float) -> float:
    """Return the agreement beyond chance, over that of chance."""
    return quotient(agreement - chance, chance)


def chance_less_agreement(agreement: float, chance: float) -> float:
    """Return the agreement that chance is above the one seen, over what chance leaves.

    >>> round(chance_less_agreement(0.85, 0.53), 4)
    -0.6809
    """
    return quotient(chance - agreement, 1 - chance)


def beyond_chance_over_one_plus_chance(agreement: float, chance: float) -> float:
    """Return the agreement beyond chance, over one and chance together."""
    return (agreement - chance) / (1 + chance)


def chance_agreement_alone(agreement: float, chance: float) -> float:  # noqa: ARG001
    """Return the agreement of chance."""
    return chance


class WrongAgreement(Misconception):
    """Something else is counted as agreed."""

    step = "一致"
    quantities = ("kappa",)


class FirstLabelAlone(WrongAgreement):
    """Only the documents that both called relevant count as agreed."""

    id = "first_label_alone"
    name = "只数了都说有用的"
    thoughts = ("两人都说有用，才叫一致。",)
    mistake_clause = "你只把两人都说有用的算成一致"
    hint = "都说没用，也是一致，表里从左上到右下的每一格都要数。"
    wrong_steps = wrong_steps_with(agreement=agreement_on_first_label)


class WrongChance(Misconception):
    """Chance is taken for something else."""

    step = "碰巧"
    quantities = ("kappa",)


class ChanceOfFirstLabel(WrongChance):
    """Chance agreement on the first label alone."""

    id = "chance_of_first_label"
    name = "碰巧只算了都说有用"
    thoughts = ("碰巧一致，就是碰巧都说有用。",)
    mistake_clause = "你的碰巧一致只算了两人都说有用的机会"
    hint = "两人也会碰巧都说没用，每种标签各算一份机会，再加起来。"
    wrong_steps = wrong_steps_with(chance=chance_of_first_label)


class EvenChance(WrongChance):
    """Chance agreement as if every label were as frequent as another."""

    id = "even_chance"
    name = "碰巧按平均分摊算了"
    thoughts = ("两种标签，碰巧就是一半。", "代码里写的是标签数的倒数。")
    mistake_clause = "你把碰巧一致当成了几种标签里随便抽一种"
    hint = "标签不是平均用的，要按两人各自用得有多勤来算。"
    wrong_steps = wrong_steps_with(chance=chance_of_even_labels)


class ChanceOfFirstRater(WrongChance):
    """The shares of the first rater are taken twice."""

    id = "chance_of_first_rater"
    name = "碰巧只看了第一个人"
    thoughts = ("拿第一个人的比例自己乘自己。",)
    mistake_clause = "你的碰巧一致只用了第一个人的比例"
    hint = "要拿第一个人的比例乘第二个人的比例，行的合计和列的合计都要用上。"
    wrong_steps = wrong_steps_with(chance=chance_of_first_rater)


class ChanceOfBothMixed(WrongChance):
    """The shares of both raters are averaged first: Scott's pi."""

    id = "chance_of_both_mixed"
    name = "先把两人的比例平均了"
    thoughts = ("两个人合起来，有用占几成，再平方。",)
    mistake_clause = "你先把两人的比例平均成一个人，再算碰巧一致"
    hint = "那样算出来的叫Scott的π。Cohen的κ让两人各用各的比例，一种标签一种标签地相乘。"
    mostly_showing_generators = ("kappa",)
    wrong_steps = wrong_steps_with(chance=chance_of_both_mixed)


class WrongCorrection(Misconception):
    """Chance is not taken off, or not rightly."""

    step = "扣除"
    quantities = ("kappa",)


class AgreementUncorrected(WrongCorrection):
    """The agreement as it was seen."""

    id = "agreement_uncorrected"
    name = "没有扣掉碰巧"
    thoughts = ("几条一样，除以一共几条，就是一致程度。",)
    mistake_clause = "你给出的是看到的一致，碰巧的还在里面"
    hint = "两人闭着眼也会撞上一些，先减掉碰巧的一致，再除以一减碰巧。"
    wrong_steps = wrong_steps_with(correction=observed_agreement_alone)


class ChanceAlone(WrongCorrection):
    """The agreement of chance."""

    id = "chance_alone"
    name = "停在了碰巧的一致"
    thoughts = ("碰巧那一步最难，算出来就完了。",)
    mistake_clause = "你给出的是碰巧的一致"
    hint = "这一步算对了，还要拿看到的一致减去它，再除以一减碰巧。"
    mostly_showing_generators = ("kappa",)
    wrong_steps = wrong_steps_with(correction=chance_agreement_alone)


class ChanceSubtractedAlone(WrongCorrection):
    """The difference is not divided."""

    id = "chance_subtracted_alone"
    name = "减了碰巧就停了"
    thoughts = ("看到的减去碰巧的，就是真本事。",)
    mistake_clause = "你减掉了碰巧的一致，没有再除"
    hint = "碰巧占了一大块，留给真本事的只有一减碰巧，要再除以这一块，满分才是一。"
    wrong_steps = wrong_steps_with(correction=agreement_beyond_chance)


class DividedByChance(WrongCorrection):
    """The difference is divided by chance."""

    id = "divided_by_chance"
    name = "除以了碰巧的一致"
    thoughts = ("比碰巧多出几成，就除以碰巧。",)
    mistake_clause = "你除以的是碰巧的一致"
    hint = "分母是碰巧以外还够得着的那一块，也就是一减碰巧。"
    wrong_steps = wrong_steps_with(correction=beyond_chance_over_chance)


class SubtractedFromChance(WrongCorrection):
    """The agreement is taken from chance, or the sign of the difference is lost."""

    id = "subtracted_from_chance"
    name = "减反了"
    thoughts = ("碰巧的减去看到的。", "正的负的都一样，写个差就行。")
    mistake_clause = "你拿碰巧的一致减了看到的一致，正负号反了"
    hint = "看到的在前，碰巧的在后，比碰巧还不如的，才是负数。"
    mostly_showing_generators = ("kappa",)
    wrong_steps = wrong_steps_with(correction=chance_less_agreement)


class DividedByOnePlusChance(WrongCorrection):
    """One and chance are added below the line."""

    id = "divided_by_one_plus_chance"
    name = "除以了一加碰巧"
    thoughts = ("上面是减，下面就是加。",)
    mistake_clause = "你除以的是一加碰巧的一致"
    hint = "分母是碰巧以外还够得着的那一块，要从满分里减掉碰巧。"
    mostly_showing_generators = ("kappa",)
    wrong_steps = wrong_steps_with(correction=beyond_chance_over_one_plus_chance)


AGREEMENT_MODELS = (
    FirstLabelAlone(),
    ChanceOfFirstLabel(),
    EvenChance(),
    ChanceOfFirstRater(),
    ChanceOfBothMixed(),
    AgreementUncorrected(),
    ChanceAlone(),
    ChanceSubtractedAlone(),
    DividedByChance(),
    SubtractedFromChance(),
    DividedByOnePlusChance(),
)
