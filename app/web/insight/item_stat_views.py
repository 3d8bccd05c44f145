"""题目分析 as a page shows it: a row for each question, and the one thing to do about it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.course.insight.advising import Observed, QuestionAdvice, advice
from app.course.insight.item_analysis import Figures, Middle, analysed, tries, unmet
from app.records.insight.item_stats import ClassReport, ItemStats
from app.web.insight.question_words import Courses, Title, said_of, titled

ORDER = ("now", "talk", "adjust", "keep", "wait")
MOST = 60
"""So many rows are shown at first; the rest by 全部."""
WRONG = 3


@dataclass(frozen=True)
class ItemRow:
    """A question with its figures in words. `again`: the further tries of each who tried again."""

    title: Title
    figures: Figures
    advice: QuestionAdvice
    again: Sequence[int]
    wrong: Sequence[tuple[str, int]]
    reports: Sequence[ClassReport]

    @cached_property
    def tries(self) -> Middle:
        """How often one tried, on average; reckoned for the rows that are shown."""
        return tries(self.again, self.figures.answers)


def rows(courses: Courses, look: ItemStats) -> list[ItemRow]:
    """All questions: those of an assignment in order, those of a class by how urgent they are."""
    every = [*analysed(look.firsts).values(), *map(unmet, look.unanswered)]
    found = [row(courses, look, one) for one in every]
    if look.task is not None:
        return sorted(found, key=lambda one: one.title.number or 0)
    return sorted(found, key=lambda one: (ORDER.index(one.advice.urgency), -one.figures.answers))


def row(courses: Courses, look: ItemStats, figures: Figures) -> ItemRow:
    title = titled(courses, figures.item)
    wrong = wrong_of(courses, figures)
    reports = look.reports_of(figures.item)
    again = look.again.get(figures.item, ())
    who = {one.student for one in reports}
    observed = Observed(figures, title.minutes, len(who), wrong[0][0] if wrong else "", title.two)
    return ItemRow(title, figures, advice(observed), again, wrong, reports)


def wrong_of(courses: Courses, figures: Figures) -> list[tuple[str, int]]:
    """The most frequent wrong answers in words; those of which the same is told are one."""
    found: Counter[str] = Counter()
    for said, count in figures.wrong[:WRONG]:
        found[said_of(courses, figures.item, said)] += count
    return found.most_common()
