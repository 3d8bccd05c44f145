"""What a teacher is told to do about a question: each threshold just below it and just above it."""

from app.course.insight.advising import ObservedQuestion, advice_on_question
from app.course.insight.intervals import Interval
from app.course.insight.item_analysis import Average, ItemFigures
from tests.tables import each

PLAIN = ItemFigures(
    item_ref="a",
    answer_count=30,
    right_count=20,
    facility_interval=Interval(0.5, 0.8),
    discrimination=0.4,
    discrimination_interval=Interval(0.1, 0.6),
    compared_answer_count=30,
    median_time=Average(40.0, 20),
    hinted_count=0,
    wrong_answers_with_counts=[(f"w{number}", 1) for number in range(10)],
)


def herd(answers: int, right: int, count: int, words: str = "x") -> ItemFigures:
    singles = [(f"w{number}", 1) for number in range(answers - right - count)]
    return PLAIN._replace(
        answer_count=answers, right_count=right, wrong_answers_with_counts=[(words, count), *singles]
    )


EASY = Interval(0.75, 0.99)
TURNED_FIGURES = PLAIN._replace(discrimination_interval=Interval(-0.5, -0.01))
HARD_FIGURES = PLAIN._replace(facility_interval=Interval(0.1, 0.39))
EASY_FIGURES = PLAIN._replace(
    answer_count=100, right_count=95, facility_interval=EASY, wrong_answers_with_counts=[]
)
FEW, TURNED, HERD = "样本太少，先别下结论。", "核对答案和题目的说法。", "讲评时就讲这一处。"
HARD, HELPED = "课上重讲这一步，再布置几道变式。", "提示里的那句话，课上先讲。"
SLOW, TOO_EASY = "拆成两步，或者多给些时间。", "下次换一道难一点的。"
FLAT, KEEP = "下次换一道。", "留着用。"


@each(
    ("figures", "do"),
    [
        (PLAIN, KEEP),
        (PLAIN._replace(answer_count=9, right_count=7, wrong_answers_with_counts=[]), FEW),
        (PLAIN._replace(answer_count=10, right_count=7, wrong_answers_with_counts=[]), KEEP),
        (TURNED_FIGURES, TURNED),
        (PLAIN._replace(discrimination_interval=Interval(-0.5, 0.0)), KEEP),
        (PLAIN._replace(discrimination_interval=None), KEEP),
        (herd(16, 8, 4), HERD),
        (herd(12, 9, 3), KEEP),
        (herd(16, 7, 4), KEEP),
        (herd(17, 9, 4), KEEP),
        (HARD_FIGURES, HARD),
        (PLAIN._replace(facility_interval=Interval(0.1, 0.4)), KEEP),
        (PLAIN._replace(hinted_count=15), KEEP),
        (PLAIN._replace(hinted_count=16), HELPED),
        (PLAIN._replace(median_time=Average(None, 0)), KEEP),
        (PLAIN._replace(median_time=Average(359.0, 20)), KEEP),
        (PLAIN._replace(median_time=Average(360.0, 20)), SLOW),
        (EASY_FIGURES, TOO_EASY),
        (
            PLAIN._replace(
                answer_count=100, right_count=94, facility_interval=EASY, wrong_answers_with_counts=[]
            ),
            KEEP,
        ),
        (
            PLAIN._replace(
                answer_count=100,
                right_count=95,
                facility_interval=Interval(0.74, 0.99),
                wrong_answers_with_counts=[],
            ),
            KEEP,
        ),
        (PLAIN._replace(discrimination=0.14), FLAT),
        (PLAIN._replace(discrimination=0.15), KEEP),
        (PLAIN._replace(discrimination=None), KEEP),
        (PLAIN._replace(discrimination=0.14, compared_answer_count=20), FLAT),
        (PLAIN._replace(discrimination=0.14, compared_answer_count=19), KEEP),
        (TURNED_FIGURES._replace(compared_answer_count=10), TURNED),
        (TURNED_FIGURES._replace(compared_answer_count=9), KEEP),
    ],
)
def test_each_rule_begins_at_its_threshold(figures: ItemFigures, do: str) -> None:
    assert advice_on_question(ObservedQuestion(figures, planned_minutes=2, report_count=0)).action_words == do


@each(
    ("observed", "urgency", "reason"),
    [
        (ObservedQuestion(PLAIN, 2, 1), "now", "1个人说这题有问题。"),
        (ObservedQuestion(PLAIN._replace(answer_count=9), 2, 0), "wait", "只有9个人答过。"),
        (ObservedQuestion(herd(16, 8, 4, "忘了折损"), 2, 0), "talk", "错的8人里，4人都是：忘了折损。"),
        (ObservedQuestion(herd(16, 8, 4, ""), 2, 0), "talk", "错的8人里，4人都是：同一个答案。"),
        (ObservedQuestion(TURNED_FIGURES, 2, 0), "now", "别的题做得好的人，这道反而错得多。"),
        (ObservedQuestion(HARD_FIGURES, 2, 0), "talk", "大多数人第一次没做对，错得也散。"),
        (ObservedQuestion(PLAIN._replace(hinted_count=16), 2, 0), "talk", "过半的人看了提示才动手。"),
        (
            ObservedQuestion(PLAIN._replace(median_time=Average(400.0, 20)), 2, 0),
            "adjust",
            "一半的人花了7分钟以上。",
        ),
        (
            ObservedQuestion(PLAIN._replace(median_time=Average(3632.0, 20)), 2, 0),
            "adjust",
            "一半的人花了61分钟以上。",
        ),
        (ObservedQuestion(EASY_FIGURES, 2, 0), "adjust", "几乎人人第一次就对。"),
        (
            ObservedQuestion(PLAIN._replace(discrimination=0.14), 2, 0),
            "adjust",
            "这道对不对，和别的题对不对，看不出关系。",
        ),
        (ObservedQuestion(PLAIN, 2, 0), "keep", "难易合适，没有看出毛病。"),
    ],
)
def test_the_advice_says_why(observed: ObservedQuestion, urgency: str, reason: str) -> None:
    assert (advice_on_question(observed).urgency, advice_on_question(observed).reason) == (urgency, reason)


def test_a_report_comes_before_every_figure() -> None:
    observed = ObservedQuestion(PLAIN._replace(answer_count=9), planned_minutes=2, report_count=3)
    assert advice_on_question(observed).action_words == "先读同学的报告，把题目和答案核对一遍。"
