"""What a teacher may do about a question: exactly one thing, the most urgent, in plain words."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from app.course.insight.item_analysis import FEWEST_ANSWERS_FOR_FIGURES, ItemFigures

Urgency = Literal["wait", "now", "talk", "adjust", "keep"]
HARD_FACILITY, EASY_FACILITY, SURELY_EASY_FACILITY = 0.4, 0.95, 0.75
LOW_DISCRIMINATION = 0.15
ANSWERS_TO_BE_SURE = 20
"""How many answers that can be compared it takes to say that a question does not tell apart."""
FEWEST_ALIKE_ANSWERS = 4
"""How many must have given the same wrong answer for it to be a common mistake."""
SLOW_FACTOR = 3
"""How many times longer than meant is long."""
SAME_ANSWER_WORDS = "同一个答案"
"""What an answer is called that has no words."""


class QuestionAdvice(NamedTuple):
    """What to do, and why. `urgency`: wait | now | talk | adjust | keep, the first first."""

    urgency: Urgency
    action_words: str
    reason: str


class ObservedQuestion(NamedTuple):
    """A question as a class answered it: its figures with wrong answers in words, its minutes by plan, how
    many reported it."""

    figures: ItemFigures
    planned_minutes: int
    report_count: int
    has_two_answers: bool = False
    """Whether there are only two answers: then all who are wrong say the same."""

    @property
    def wrong_count(self) -> int:
        return self.figures.answer_count - self.figures.right_count


AdviceRule = Callable[[ObservedQuestion], QuestionAdvice | None]


def advice_on_question(observed_question: ObservedQuestion) -> QuestionAdvice:
    """What the first rule says that applies."""
    for advice_rule in ADVICE_RULES:
        question_advice = advice_rule(observed_question)
        if question_advice is not None:
            return question_advice
    return KEEPING_ADVICE


def advise_on_few_answers(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    if observed_question.figures.is_enough:
        return None
    return QuestionAdvice(
        "wait", "样本太少，先别下结论。", f"只有{observed_question.figures.answer_count}个人答过。"
    )


def advise_on_reports(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    if not observed_question.report_count:
        return None
    return QuestionAdvice(
        "now", "先读同学的报告，把题目和答案核对一遍。", f"{observed_question.report_count}个人说这题有问题。"
    )


def advise_on_reversal(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    item_figures = observed_question.figures
    if (
        item_figures.discrimination_interval is None
        or item_figures.discrimination_interval.upper >= 0
        or item_figures.compared_answer_count < FEWEST_ANSWERS_FOR_FIGURES
    ):
        return None
    return QuestionAdvice("now", "核对答案和题目的说法。", "别的题做得好的人，这道反而错得多。")


def advise_on_common_mistake(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    """Advice where half of those who were wrong, and a quarter of all, gave the same wrong answer."""
    wrong_answers_with_counts = observed_question.figures.wrong_answers_with_counts
    if observed_question.has_two_answers or not wrong_answers_with_counts:
        return None
    wrong_answer_words, same_answer_count = wrong_answers_with_counts[0]
    if same_answer_count < FEWEST_ALIKE_ANSWERS:
        return None
    if (
        2 * same_answer_count < observed_question.wrong_count
        or 4 * same_answer_count < observed_question.figures.answer_count
    ):
        return None
    same_answer_words = wrong_answer_words or SAME_ANSWER_WORDS
    return QuestionAdvice(
        "talk",
        "讲评时就讲这一处。",
        f"错的{observed_question.wrong_count}人里，{same_answer_count}人都是：{same_answer_words}。",
    )


def advise_on_difficulty(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    if observed_question.figures.facility_interval.upper >= HARD_FACILITY:
        return None
    return QuestionAdvice("talk", "课上重讲这一步，再布置几道变式。", "大多数人第一次没做对，错得也散。")


def advise_on_hints(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    if 2 * observed_question.figures.hinted_count <= observed_question.figures.answer_count:
        return None
    return QuestionAdvice("talk", "提示里的那句话，课上先讲。", "过半的人看了提示才动手。")


def advise_on_time(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    median_seconds = observed_question.figures.median_time.average
    if median_seconds is None or median_seconds < SLOW_FACTOR * 60 * observed_question.planned_minutes:
        return None
    return QuestionAdvice(
        "adjust", "拆成两步，或者多给些时间。", f"一半的人花了{median_seconds / 60:.0f}分钟以上。"
    )


def advise_on_ease(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    if (
        observed_question.figures.facility < EASY_FACILITY
        or observed_question.figures.facility_interval.lower < SURELY_EASY_FACILITY
    ):
        return None
    return QuestionAdvice("adjust", "下次换一道难一点的。", "几乎人人第一次就对。")


def advise_on_flatness(observed_question: ObservedQuestion) -> QuestionAdvice | None:
    discrimination = observed_question.figures.discrimination
    if (
        discrimination is None
        or discrimination >= LOW_DISCRIMINATION
        or observed_question.figures.compared_answer_count < ANSWERS_TO_BE_SURE
    ):
        return None
    return QuestionAdvice("adjust", "下次换一道。", "这道对不对，和别的题对不对，看不出关系。")


ADVICE_RULES: Sequence[AdviceRule] = (
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
KEEPING_ADVICE = QuestionAdvice("keep", "留着用。", "难易合适，没有看出毛病。")
"""Where no rule applies."""
