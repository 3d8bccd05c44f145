"""The misconceptions of a test by coins, in the order of the steps they break."""

from collections.abc import Mapping

from app.engine.misconceptions.misconception import Misconception, Quantities, wrong_steps_with
from app.engine.misconceptions.tables.coin_working import (
    RIGHT_COIN_WORKING_BY_QUANTITY,
    SignedWeights,
    weights_as_sizes,
    weights_as_wins,
)
from app.engine.significance.coin_tests import CoinTest
from app.engine.significance.shuffling import signs_of_differences, subset_count_up_to

COIN_TESTS: Quantities = ("sign_test", "randomisation_test")
CountBySum = Mapping[int, int]


def weights_with_ties_against_winner(coin_test: CoinTest) -> SignedWeights:
    """Return 1 or -1 for every query; a tie lies on the side that is behind.

    >>> from app.engine.significance import SignTest
    >>> weights_with_ties_against_winner(SignTest([0.1, 0.2, 0, -0.1]))
    [1, 1, -1, -1]
    """
    win_signs = signs_of_differences(coin_test.differences_in_thousandths)
    sign_of_side_behind = -1
    if sum(win_signs) < 0:
        sign_of_side_behind = 1
    return [win_sign or sign_of_side_behind for win_sign in win_signs]


def exact_outcome_count(count_by_sum: CountBySum, lesser_sum: int) -> int:
    """Return how many subsets add up to `lesser_sum` itself."""
    return count_by_sum.get(lesser_sum, 0)


def farther_shuffle_count(count_by_sum: CountBySum, lesser_sum: int) -> int:
    """Return how many subsets add up to less."""
    return subset_count_up_to(count_by_sum, lesser_sum - 1)


def tally_count(count_by_sum: CountBySum, lesser_sum: int) -> int:  # noqa: ARG001
    """Return how many tallies there are from none to `lesser_sum`, each counted once."""
    return lesser_sum + 1


def tally_count_of_all(coin_count: int) -> int:
    """Return how many tallies so many coins can show."""
    return coin_count + 1


def twice_the_coins(coin_count: int) -> int:
    """Return twice the coins.

    >>> twice_the_coins(5)
    10
    """
    return 2 * coin_count


def remaining_share(share: float, signed_weights: SignedWeights) -> float:  # noqa: ARG001
    """Return 1 less the share."""
    return 1 - share


def share_of_wins(share: float, signed_weights: SignedWeights) -> float:  # noqa: ARG001
    """Return the share of the weights on the side of the new system."""
    return sum(signed_weight > 0 for signed_weight in signed_weights) / len(signed_weights)


def share_of_losses(share: float, signed_weights: SignedWeights) -> float:
    """Return the share of the weights on the side of the old system."""
    return 1 - share_of_wins(share, signed_weights)


class CoinMisconception(Misconception):
    """A mistake in a test by coins: none can be made where every query is a tie."""

    def fits(self, coin_test: CoinTest) -> bool:
        return any(coin_test.differences_in_thousandths)


class WrongCoins(CoinMisconception):
    """The wrong queries are tossed, or they weigh the wrong thing."""

    step = "硬币"


class TiesTossed(WrongCoins):
    """A tie is counted as a query that the winner did not win."""

    id = "ties_tossed"
    name = "平手也掷了硬币"
    thoughts = ("查询一共这么多个，就掷这么多枚。", "没赢就算输。")
    mistake_clause = "你把平手的查询也算成了一枚硬币"
    hint = "差是0的查询，对调了也看不出来，先请它下场，只数分出胜负的。"
    quantities = ("sign_test",)
    mostly_showing_generators = ("sign-test",)
    wrong_steps = wrong_steps_with(signed_weights=weights_with_ties_against_winner)

    def fits(self, coin_test: CoinTest) -> bool:
        return super().fits(coin_test) and 0 in coin_test.differences_in_thousandths


class SizesIgnored(WrongCoins):
    """Only who won is counted where sizes were asked for."""

    id = "sizes_ignored"
    name = "只数了输赢，没管差多大"
    thoughts = ("赢几个输几个，就是全部证据。",)
    mistake_clause = "你只数了谁输谁赢，那是符号检验"
    hint = "这里比的是平均差，对调以后要把差连同大小加起来，看离0有多远。"
    quantities = ("randomisation_test",)
    wrong_steps = wrong_steps_with(signed_weights=weights_as_wins)


class SizesWeighed(WrongCoins):
    """Sizes are weighed where only wins were asked for."""

    id = "sizes_weighed"
    name = "把差的大小也算进去了"
    thoughts = ("赢得多的，当然该多算一点。",)
    mistake_clause = "你把差的大小也放上了秤，那是随机化检验"
    hint = "这里只问谁赢，赢一点和赢很多，都只是硬币的一面。"
    quantities = ("sign_test",)
    mostly_showing_generators = ("sign-test",)
    wrong_steps = wrong_steps_with(signed_weights=weights_as_sizes)


class WrongCount(CoinMisconception):
    """The wrong shuffles are counted as far enough."""

    step = "够远"


class _ExactOutcomeTwice(WrongCount):
    """Exactly what was seen, and its mirror image."""

    id = "exact_outcome_alone"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(far_count=exact_outcome_count)


class ExactOutcomeAlone(WrongCount):
    """Exactly what was seen, and nothing farther."""

    id = "exact_outcome_alone"
    name = "只数了正好这一种结果"
    thoughts = ("要算的就是出现这个结果的机会。",)
    mistake_clause = "你只数了正好偏成这样的掷法"
    hint = "偏得更厉害的也要算进来，问的是至少偏成这样，不是正好。"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(far_count=exact_outcome_count, tail_count=1)
    mirror_model = _ExactOutcomeTwice()


class OnlyFarther(WrongCount):
    """What was seen is not counted itself."""

    id = "only_farther"
    name = "漏了观察到的这一种"
    thoughts = ("要比我们更极端的才算。",)
    mistake_clause = "你只数了偏得更厉害的，把我们看到的那一种漏在外面"
    hint = "一样远的也算，先把看到的这一种自己数进去。"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(far_count=farther_shuffle_count)


class EveryTallyAlike(WrongCount):
    """From no win to all wins, every tally is taken to be as likely as the next."""

    id = "every_tally_alike"
    name = "以为赢几个的机会都一样"
    thoughts = ("赢0个、赢1个、赢2个，各占一份。",)
    mistake_clause = "你把赢几个当成了机会均等的几种"
    hint = "每一枚硬币正反都行，要一枚一枚地数掷法，赢一半的掷法很多，全赢的只有一种。"
    quantities = ("sign_test",)
    mostly_showing_generators = ("sign-test",)
    wrong_steps = wrong_steps_with(far_count=tally_count, shuffle_count=tally_count_of_all)


class WrongShuffleCount(CoinMisconception):
    """The wrong number of shuffles."""

    step = "总数"


class TwoACoin(WrongShuffleCount):
    """Twice the coins in place of a power of two."""

    id = "two_a_coin"
    name = "总数用了乘2，没有连乘"
    thoughts = ("每个查询两种，几个查询就乘几。",)
    mistake_clause = "你拿查询个数乘2当作一共几种"
    hint = "每多一枚硬币，掷法就翻一倍，要一个2一个2地连乘。"
    quantities = COIN_TESTS
    mostly_showing_generators = ("randomisation-test",)
    wrong_steps = wrong_steps_with(shuffle_count=twice_the_coins)

    def fits(self, coin_test: CoinTest) -> bool:
        """Nobody writes a p above 1; of two coins both totals are the same."""
        return super().fits(coin_test) and self.unbounded_p(coin_test) <= 1

    def unbounded_p(self, coin_test: CoinTest) -> float:
        """What is written down, before it is cut at 1."""
        right_working = RIGHT_COIN_WORKING_BY_QUANTITY[coin_test.quantity]
        return (
            right_working.tail_count
            * right_working.far_shuffle_count(coin_test)
            / twice_the_coins(len(right_working.signed_weights(coin_test)))
        )


class WrongTails(CoinMisconception):
    """The wrong number of tails."""

    step = "两头"


class OneTail(WrongTails):
    """Only shuffles in favour of the winner are counted."""

    id = "one_tail"
    name = "只数了一头"
    thoughts = ("新的赢了，只看新的赢得更多的就行。",)
    mistake_clause = "你只数了偏向赢家的那一头"
    hint = "事先没说好谁会赢，反过来偏得一样远的也吓人，两头都要数。"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(tail_count=1)


class WrongReading(CoinMisconception):
    """The share is taken for something else."""

    step = "读法"


class ChanceOfBetter(WrongReading):
    """1 - p: the chance that the new system is really better, as people believe."""

    id = "chance_of_better"
    name = "报成了新系统更好的把握"
    thoughts = ("p是没差别的机会，一减就是真的更好的机会。",)
    mistake_clause = "你拿一去减，想得到“真的更好”的把握"
    hint = "p先假定两边一样好，再问碰巧能偏成这样的机会，算到它就停，一减出来的不是谁更好的把握。"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(reading=remaining_share)


class _ShareOfLosses(WrongReading):
    """The share of the queries that were lost."""

    id = "share_of_wins"
    quantities = COIN_TESTS
    wrong_steps = wrong_steps_with(reading=share_of_losses)


class ShareOfWins(WrongReading):
    """The share of the queries that were won."""

    id = "share_of_wins"
    name = "报成了赢的比例"
    thoughts = ("十个赢了八个，就是八成。",)
    mistake_clause = "你报的是赢（或输）的占几成"
    hint = "赢几成是看到的结果，p问的是，要是两边一样好，碰巧也能偏成这样的掷法占几成。"
    quantities = COIN_TESTS
    mostly_showing_generators = ("randomisation-test",)
    wrong_steps = wrong_steps_with(reading=share_of_wins)
    mirror_model = _ShareOfLosses()


COIN_MODELS = (
    TiesTossed(),
    SizesIgnored(),
    SizesWeighed(),
    ExactOutcomeAlone(),
    OnlyFarther(),
    EveryTallyAlike(),
    TwoACoin(),
    OneTail(),
    ChanceOfBetter(),
    ShareOfWins(),
)
