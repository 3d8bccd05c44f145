"""Wrong clicks: how a click is weighted by its position, and what the sum is divided by."""

from app.engine.labelling.clicks import Position
from app.engine.misconceptions.misconception import Misconception, wrong_steps_with
from app.engine.misconceptions.tables.label_workings import Positions, weighted_click_count
from app.engine.misconceptions.working import divisor_always_one, quotient
from app.engine.terms import sum_in_order


def unweighted_click_count(position: Position) -> float:
    """Return the clicks of a position."""
    return position.clicks


def clicks_times_propensity(position: Position) -> float:
    """Return the clicks of a position, the fewer the less it is looked at.

    >>> clicks_times_propensity(Position(100, 30, 0.5))
    15.0
    """
    return position.clicks * position.propensity


def clicks_over_blindness(position: Position) -> float:
    """Return the clicks over the chance that nobody looks; nan where everybody does."""
    return quotient(position.clicks, 1 - position.propensity)


def click_rate_of_lookers(position: Position) -> float:
    """Return the click rate of a position over its propensity.

    >>> click_rate_of_lookers(Position(100, 30, 0.5))
    0.6
    """
    return weighted_click_count(position) / position.shown_times


def click_total(positions: Positions) -> float:
    """Return how often the document was clicked in all."""
    return sum(position.clicks for position in positions)


def position_count(positions: Positions) -> float:
    """Return how many positions there are."""
    return len(positions)


def weighted_showing_count(positions: Positions) -> float:
    """Return the showings, each over the propensity of its position."""
    return sum_in_order(position.shown_times / position.propensity for position in positions)


def expected_look_count(positions: Positions) -> float:
    """Return how many showings somebody is expected to have looked at.

    >>> expected_look_count([Position(100, 30, 0.5), Position(10, 0, 1)])
    60.0
    """
    return sum_in_order(position.shown_times * position.propensity for position in positions)


def showings_at_mean_propensity(positions: Positions) -> float:
    """Return the showings times the plain mean of the propensities."""
    mean_propensity = sum_in_order(position.propensity for position in positions) / len(positions)
    return mean_propensity * sum(position.shown_times for position in positions)


class WrongWeight(Misconception):
    """A click is weighted wrongly."""

    step = "加权"
    quantities = ("ips",)


class ClicksUnweighted(WrongWeight):
    """The click rate."""

    id = "clicks_unweighted"
    name = "没有理会位置"
    thoughts = ("点了几次，除以摆了几次，就是几成人喜欢。",)
    mistake_clause = "你算的是原样的点击率，没人看的位置也照样平摊"
    hint = "靠后的位置多半没人看到，那里的一次点击要顶好几次，先除以被看到的机会。"
    wrong_steps = wrong_steps_with(amount=unweighted_click_count)


class WeightsUpsideDown(WrongWeight):
    """Multiplied by the propensity."""

    id = "weights_upside_down"
    name = "权重乘反了"
    thoughts = ("越显眼的位置越重要，所以乘上机会。",)
    mistake_clause = "你拿点击乘了被看到的机会"
    hint = "要除以它，越少人看的地方，点一下越难得，权重越大。"
    wrong_steps = wrong_steps_with(amount=clicks_times_propensity)


class WeightsOfUnseen(WrongWeight):
    """Divided by the chance that nobody looks."""

    id = "weights_of_unseen"
    name = "除以了没看到的机会"
    thoughts = ("有偏差的是没看到的那部分，就除以它。",)
    mistake_clause = "你除以的是没被看到的机会"
    hint = "权重是被看到的机会的倒数，不是一减它以后的倒数。"
    mostly_showing_generators = ("ips",)
    wrong_steps = wrong_steps_with(amount=clicks_over_blindness)


class OneMeanWeight(WrongWeight):
    """All clicks over the mean propensity."""

    id = "one_mean_weight"
    name = "用了平均的机会"
    thoughts = ("先把几个位置的机会平均一下，省得一个一个除。",)
    mistake_clause = "你给所有点击用了同一个平均的机会"
    hint = "每个位置的点击要除以它自己的机会，再加起来，平均以后再除就不是一回事了。"
    wrong_steps = wrong_steps_with(amount=unweighted_click_count, whole=showings_at_mean_propensity)


class WrongAverage(Misconception):
    """The weighted clicks are averaged over something else."""

    step = "平均"
    quantities = ("ips",)


class AveragedOverClicks(WrongAverage):
    """Averaged over the clicks."""

    id = "averaged_over_clicks"
    name = "平均到了点击上"
    thoughts = ("有权重的只有点击，就除以点击的次数。", "日志里只留了点过的行。")
    mistake_clause = "你除以的是点击的次数"
    hint = "没点的那些次也是回答，要除以摆出来的总次数。"
    wrong_steps = wrong_steps_with(whole=click_total)


class MeanOfPositions(WrongAverage):
    """Every position counts the same, however often the document was shown there."""

    id = "mean_of_positions"
    name = "每个位置算一票"
    thoughts = ("先算每个位置的，再几个位置一平均。",)
    mistake_clause = "你先算每个位置的喜欢率，再按位置平均"
    hint = "摆得多的位置该说得多，要把所有加权的点击放在一起，除以摆出来的总次数。"
    wrong_steps = wrong_steps_with(amount=click_rate_of_lookers, whole=position_count)


class ShowingsWeightedToo(WrongAverage):
    """The showings are weighted like the clicks."""

    id = "showings_weighted_too"
    name = "分母也加了权"
    thoughts = ("分子除以机会，分母也要除以机会才公平。",)
    mistake_clause = "你把摆出来的次数也除以了机会"
    hint = "机会只用来补回没看到的点击，摆出来几次就是几次，分母不用动。"
    wrong_steps = wrong_steps_with(whole=weighted_showing_count)


class ClicksOverExpectedLooks(WrongAverage):
    """Clicks over the expected number of looks: another estimate, and a good one."""

    id = "clicks_over_expected_looks"
    name = "换成了另一种估法"
    thoughts = ("先估有几个人看到了，再拿点击除以他们。",)
    mistake_clause = "你拿点击除以了估计看到的人次"
    hint = "这也是正经的估法，只是不叫IPS，这里要每次点击各除以自己位置的机会，再除以摆出来的总次数。"
    wrong_steps = wrong_steps_with(amount=unweighted_click_count, whole=expected_look_count)


class WeightedClicksNotDivided(WrongAverage):
    """The weighted clicks, added up."""

    id = "weighted_clicks_not_divided"
    name = "停在了加权的点击"
    thoughts = ("补回来的点击加起来就行。",)
    mistake_clause = "你给出的是补回来的点击总数，还没有除"
    hint = "还要除以摆出来的总次数，才是几成人喜欢。"
    wrong_steps = wrong_steps_with(whole=divisor_always_one)


CLICK_MODELS = (
    ClicksUnweighted(),
    WeightsUpsideDown(),
    WeightsOfUnseen(),
    OneMeanWeight(),
    AveragedOverClicks(),
    MeanOfPositions(),
    ShowingsWeightedToo(),
    ClicksOverExpectedLooks(),
    WeightedClicksNotDivided(),
)
