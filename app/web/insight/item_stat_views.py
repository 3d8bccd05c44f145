"""题目分析 as a page shows it: a row for each question, and the one thing to do about it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.course.insight.advising import Observed, QuestionAdvice, advice
from app.course.insight.item_analysis import Figures, Middle, analysed, tries, unmet
from app.records.insight.item_stats import ClassReport, ItemStats
from app.web.insight.question_words import Courses, Title, titled, wrong_in_words

ORDER = ("now", "talk", "adjust", "keep", "wait")
MOST = 60
"""So many rows are shown at first; the others by 全部."""
MOST_WRONG = 3


@dataclass(frozen=True)
class ItemRow:
    """A question with its figures in words. `further_tries`: of each who tried again."""

    title: Title
    figures: Figures
    advice: QuestionAdvice
    further_tries: Sequence[int]
    wrong: Sequence[tuple[str, int]]
    reports: Sequence[ClassReport]

    @cached_property
    def tries(self) -> Middle:
        """How often one tried, on average; reckoned for the rows that are shown."""
        return tries(self.further_tries, self.figures.answers)


def item_rows(courses: Courses, stats: ItemStats) -> list[ItemRow]:
    """All questions: those of an assignment in order, those of a class by how urgent they are."""
    questions = [*analysed(stats.firsts).values(), *map(unmet, stats.unanswered)]
    rows = [item_row(courses, stats, figures) for figures in questions]
    if stats.task is not None:
        return sorted(rows, key=lambda row: row.title.number or 0)
    return sorted(rows, key=lambda row: (ORDER.index(row.advice.urgency), -row.figures.answers))


def item_row(courses: Courses, stats: ItemStats, figures: Figures) -> ItemRow:
    title = titled(courses, figures.item)
    wrong = wrong_answers(courses, figures)
    most_wrong = ""
    if wrong:
        most_wrong = wrong[0][0]
    reports = stats.reports_of(figures.item)
    observed = Observed(
        figures,
        minutes=title.minutes,
        reports=len({report.enrolment_id for report in reports}),
        wrong=most_wrong,
        two_answers=title.two_answers,
    )
    further_tries = stats.further_tries.get(figures.item, ())
    return ItemRow(title, figures, advice(observed), further_tries, wrong, reports)


def wrong_answers(courses: Courses, figures: Figures) -> list[tuple[str, int]]:
    """The most frequent wrong answers in words; those with the same words are one."""
    counts: Counter[str] = Counter()
    for wrong_answer, count in figures.wrong[:MOST_WRONG]:
        counts[wrong_in_words(courses, figures.item, wrong_answer)] += count
    return counts.most_common()
