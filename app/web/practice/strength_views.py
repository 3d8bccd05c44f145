"""How firmly somebody stands at each knowledge point, by shares of first tries: what teachers see of a class.

会了 is said by `app.course.practice.mastery` alone, which looks at days and hints as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import item_of
from app.records.learning.values import FirstTries

BANDS = ((0.85, 4), (0.65, 3), (0.4, 2), (0.0, 1))
WORDS = ("没做过", "刚起步", "一半一半", "多半会", "很稳")


@dataclass(frozen=True)
class Strength:
    """Of `of` items tried, `right` were right at once and without a hint; `band` 0 (nothing yet) to 4."""

    right: int = 0
    of: int = 0

    @property
    def band(self) -> int:
        share = self.right / self.of if self.of else -1.0
        return next((band for least, band in BANDS if share >= least), 0)

    @property
    def word(self) -> str:
        return WORDS[self.band]

    @property
    def figure(self) -> str:
        """What stands in the cell, so that it reads without its colour."""
        return f"{self.right}/{self.of}" if self.of else "·"

    @property
    def cell(self) -> Markup:
        """A cell of a table: the figure says it without colour, the word says it aloud."""
        return cell(self.right, self.of)


@lru_cache(4096)
def cell(right: int, of: int) -> Markup:
    strength = Strength(right, of)
    more = f"，{of}题里一次就对{right}题" if of else ""
    return Markup(
        '<td class="heat b{}"><span aria-hidden="true">{}</span><span class="vh">{}{}</span></td>'
    ).format(strength.band, strength.figure, strength.word, more)


NOTHING = Strength()


def strengths(skills: Mapping[str, str], firsts: FirstTries) -> Mapping[str, Strength]:
    """The strength at each knowledge point that was met, from first tries alone; `skills`: of `skills_of`."""
    right, of = dict[str, int](), dict[str, int]()
    for tried, count in firsts.items():
        skill = skills.get(item_of(tried[1:]))
        if skill is None:
            continue
        of[skill] = of.get(skill, 0) + count
        if tried[0] == "+":
            right[skill] = right.get(skill, 0) + count
    return {skill: Strength(right.get(skill, 0), count) for skill, count in of.items()}


def skills_of(course: Course) -> Mapping[str, str]:
    """The knowledge point of every scored item, by the name that the records have for it."""
    scored = [item for item in course.items.values() if item.id not in course.unscored]
    return {course.ref(item.id): item.skill for item in scored}
