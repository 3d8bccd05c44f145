"""What a teacher may do about a question: exactly one thing, the most urgent, in plain words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.course.insight.item_analysis import Figures

Urgency = Literal["wait", "now", "talk", "adjust", "keep"]
HARD, EASY, SURELY_EASY = 0.4, 0.95, 0.75
FLAT = 0.15
SURE_OF = 20
"""How many answers it takes to say that a question does not tell apart."""
HERD = 4
"""How many must have said the same wrong thing to be a herd."""
SLOW = 3
"""How many times longer than meant is long."""


@dataclass(frozen=True)
class QuestionAdvice:
    """What to do, and why. `urgency`: wait | now | talk | adjust | keep, the first first."""

    urgency: Urgency
    do: str
    why: str


@dataclass(frozen=True)
class Observed:
    """A question: its figures, its minutes by plan, how many reported it."""

    figures: Figures
    minutes: int
    reports: int
    wrong: str
    """What most of the wrong ones said, in words."""
    two_answers: bool = False
    """Whether there are only two answers: then all who are wrong say the same."""

    @property
    def herd(self) -> int:
        """How many said the most frequent wrong thing."""
        return self.figures.wrong[0][1] if self.figures.wrong else 0

    @property
    def missed(self) -> int:
        return self.figures.answers - self.figures.right


Rule = Callable[[Observed], QuestionAdvice | None]


def advice(observed: Observed) -> QuestionAdvice:
    """What the first rule says that applies."""
    for rule in RULES:
        advice_of_rule = rule(observed)
        if advice_of_rule is not None:
            return advice_of_rule
    return KEEP


def advise_on_few_answers(observed: Observed) -> QuestionAdvice | None:
    if observed.figures.is_enough:
        return None
    return QuestionAdvice("wait", "样本太少，先别下结论。", f"只有{observed.figures.answers}个人答过。")


def advise_on_reports(observed: Observed) -> QuestionAdvice | None:
    if not observed.reports:
        return None
    return QuestionAdvice(
        "now", "先读同学的报告，把题目和答案核对一遍。", f"{observed.reports}个人说这题有问题。"
    )


def advise_on_reversal(observed: Observed) -> QuestionAdvice | None:
    if observed.figures.discrimination_interval is None or observed.figures.discrimination_interval.high >= 0:
        return None
    return QuestionAdvice("now", "核对答案和题目的说法。", "别的题做得好的人，这道反而错得多。")


def advise_on_common_mistake(observed: Observed) -> QuestionAdvice | None:
    """Half of the wrong ones went the same way, and they are many."""
    herd = observed.herd
    if (
        observed.two_answers
        or herd < HERD
        or 2 * herd < observed.missed
        or 4 * herd < observed.figures.answers
    ):
        return None
    wrong_in_words = observed.wrong or "同一个答案"
    return QuestionAdvice(
        "talk", "讲评时就讲这一处。", f"错的{observed.missed}人里，{herd}人都是：{wrong_in_words}。"
    )


def advise_on_difficulty(observed: Observed) -> QuestionAdvice | None:
    if observed.figures.facility_interval.high >= HARD:
        return None
    return QuestionAdvice("talk", "课上重讲这一步，再布置几道变式。", "大多数人第一次没做对，错得也散。")


def advise_on_hints(observed: Observed) -> QuestionAdvice | None:
    if 2 * observed.figures.hinted <= observed.figures.answers:
        return None
    return QuestionAdvice("talk", "提示里的那句话，课上先讲。", "过半的人看了提示才动手。")


def advise_on_time(observed: Observed) -> QuestionAdvice | None:
    seconds = observed.figures.time.middle
    if seconds is None or seconds < SLOW * 60 * observed.minutes:
        return None
    return QuestionAdvice("adjust", "拆成两步，或者多给些时间。", f"一半的人花了{seconds / 60:.0f}分钟以上。")


def advise_on_ease(observed: Observed) -> QuestionAdvice | None:
    if observed.figures.facility < EASY or observed.figures.facility_interval.low < SURELY_EASY:
        return None
    return QuestionAdvice("adjust", "下次换一道难一点的。", "几乎人人第一次就对。")


def advise_on_flatness(observed: Observed) -> QuestionAdvice | None:
    discrimination = observed.figures.discrimination
    if discrimination is None or discrimination >= FLAT or observed.figures.answers < SURE_OF:
        return None
    return QuestionAdvice("adjust", "下次换一道。", "这道对不对，和别的题对不对，看不出关系。")


RULES: Sequence[Rule] = (
    advise_on_reports,
    advise_on_few_answers,
    advise_on_reversal,
    advise_on_common_mistake,
    advise_on_difficulty,
    advise_on_hints,
    advise_on_time,
    advise_on_ease,
    advise_on_flatness,
)
KEEP = QuestionAdvice("keep", "留着用。", "难易合适，没有看出毛病。")
"""Where no rule applies."""
