"""How firmly somebody stands at each knowledge point, by shares of first tries: what teachers see of a class.

The rule and its words are those of `app.course.practice.strength`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from markupsafe import Markup

from app.course import Course
from app.course.content.recently_used import RecentlyUsed
from app.course.content.skills import RowOfItems
from app.course.practice.strength import STRENGTH_WORDS, strength_band
from app.records.learning.values import FirstTries


@dataclass(frozen=True)
class Strength:
    """How many items were tried, and right at once without a hint; `band` 0 (nothing yet) to 4."""

    right_count: int = 0
    tried_count: int = 0

    @cached_property
    def band(self) -> int:
        return strength_band(self.right_count, self.tried_count)

    @property
    def band_word(self) -> str:
        return STRENGTH_WORDS[self.band]

    @property
    def figure_text(self) -> str:
        """What stands in the cell, so that it reads without its colour."""
        if not self.tried_count:
            return "·"
        return f"{self.right_count}/{self.tried_count}"

    @property
    def cell_html(self) -> Markup:
        """A cell of a table: the figure says it without colour, the word says it aloud."""
        return strength_cell(self.right_count, self.tried_count)


shared_strength = lru_cache(4096)(Strength)
"""A strength, made once for all students who have it."""


@lru_cache(4096)
def strength_cell(right_count: int, tried_count: int) -> Markup:
    strength = Strength(right_count, tried_count)
    counts_words = ""
    if tried_count:
        counts_words = f"，{tried_count}题里一次就对{right_count}题"
    return Markup(
        '<td class="heat b{}"><span aria-hidden="true">{}</span><span class="vh">{}{}</span></td>'
    ).format(strength.band, strength.figure_text, strength.band_word, counts_words)


NO_STRENGTH = Strength()


MOST_STUDENTS = 800
"""Of so many students the strengths are remembered, at some 6 KB each."""
REMEMBERED_STRENGTHS = RecentlyUsed[tuple[RowOfItems, str], Mapping[str, Strength]](MOST_STUDENTS)
"""By the items that somebody has tried, and their figures."""


def strength_by_skill_id_of(course: Course, first_tries: FirstTries) -> Mapping[str, Strength]:
    """The strength at each knowledge point that was met, from first tries at scored items alone.

    It is worked out once for the same tries: most of a class have tried nothing new since its teacher last
    looked. CPU of a class of 200 with 454 items each (`python -m bench.year`), in ms: 同学 59 → 44.
    """
    row_of_items = course.scored_positions.row(first_tries.joined_items)
    strength_by_skill_id = REMEMBERED_STRENGTHS.recall((row_of_items, first_tries.joined_figures))
    if strength_by_skill_id is not None:
        return strength_by_skill_id
    strength_by_skill_id = {}
    for skill_id, (tried_count, right_count) in first_tries.tried_and_right_by_skill_id(row_of_items).items():
        strength_by_skill_id[skill_id] = shared_strength(right_count, tried_count)
    return REMEMBERED_STRENGTHS.keep((row_of_items, first_tries.joined_figures), strength_by_skill_id)
