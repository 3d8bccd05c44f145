"""How firmly somebody stands at each knowledge point: the one place that says so to teachers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.course import Course
from app.records.values import First

BANDS = ((0.85, 4), (0.65, 3), (0.4, 2), (0.0, 1))
WORDS = ("没做过", "刚起步", "一半一半", "多半会", "会了")


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


NOTHING = Strength()


def strengths(course: Course, firsts: Iterable[First]) -> Mapping[str, Strength]:
    """The strength at each knowledge point with at least one scored answer, from first tries alone."""
    found: dict[str, Strength] = {}
    for one in firsts:
        item = course.items.get(course.bare(one.item))
        if item is None or item.id in course.unscored:
            continue
        before = found.get(item.skill, NOTHING)
        found[item.skill] = Strength(before.right + one.right, before.of + one.tries)
    return found
