"""What a teacher looks for in the picker: words, a knowledge point, a kind, a level, tried or not."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.course import Course
from app.course.exercises.exercises import NAME_BY_LEVEL, Exercise, offered_exercises
from app.course.items.kinds import Item, Order, TrueFalse
from app.course.text import typed

ALL_SKILLS = "all"
"""In place of a knowledge point: all of them."""
PAGE_LENGTH = 20
"""Questions on a page: as many as somebody reads through."""
LONGEST_SEARCH = 60
WORDS_BY_TRIED_CHOICE = {"yes": "班里做过", "no": "班里没做过"}
GENERATED_KIND = "generated"
"""The kind of what an exercise draws."""
FieldReader = Callable[[str, str], str]


class ItemSearch(NamedTuple):
    """What is looked for. `skill_ref`: a knowledge point, `ALL_SKILLS`, or nothing for all; `kind`: a kind of
    items; `level`: of what exercises draw; `tried_choice`: yes or no, whether one of the class met it."""

    skill_ref: str
    search_text: str = ""
    kind: str = ""
    level: str = ""
    tried_choice: str = ""
    page: int = 1

    @property
    def is_narrowed(self) -> bool:
        """Whether more is asked than a knowledge point."""
        return bool(self.search_text or self.kind or self.level or self.tried_choice)


def search_of(read_field: FieldReader) -> ItemSearch:
    """What an address or a form asks for; what makes no sense is passed over."""
    search_text = typed.folded_text(read_field("q", ""), LONGEST_SEARCH)
    level_text = read_field("item_level", "")
    if level_text not in map(str, NAME_BY_LEVEL):
        level_text = ""
    tried_choice = read_field("tried", "")
    if tried_choice not in WORDS_BY_TRIED_CHOICE:
        tried_choice = ""
    page_number = typed.whole_number(read_field("page", "1")) or 1
    return ItemSearch(
        read_field("skill", ""),
        search_text,
        read_field("item_kind", ""),
        level_text,
        tried_choice,
        page_number,
    )


class ExerciseAtLevel(NamedTuple):
    """An exercise at one of its levels, as it can be picked: each student's question is drawn later."""

    course: Course
    exercise_id: str
    exercise: Exercise
    level: int

    @property
    def form_value(self) -> str:
        """How a form names it."""
        return f"{self.course.ref(self.exercise_id)}/{self.level}"


def exercises_at_levels(course: Course, skill_ref: str, item_search: ItemSearch) -> Iterator[ExerciseAtLevel]:
    """The exercises of a course that are looked for, level by level; `skill_ref`: the bare one, or `all`."""
    for exercise_id, exercise in offered_exercises(course.exercises).items():
        if skill_ref not in (ALL_SKILLS, exercise.skill) or item_search.kind not in ("", GENERATED_KIND):
            continue
        if not holds_words(item_search.search_text, [exercise_id, exercise.title, exercise.summary]):
            continue
        for level in NAME_BY_LEVEL:
            if item_search.level in ("", str(level)):
                yield ExerciseAtLevel(course, exercise_id, exercise, level)


def is_match(item: Item, item_search: ItemSearch, tried_count: int) -> bool:
    """Whether an item is what is looked for; only what is drawn has a level."""
    if item_search.level or (item_search.kind and item.kind != item_search.kind):
        return False
    return fits_tried_choice(item_search, tried_count) and holds_words(
        item_search.search_text, searchable_texts(item)
    )


def fits_tried_choice(item_search: ItemSearch, tried_count: int) -> bool:
    if not item_search.tried_choice:
        return True
    return (item_search.tried_choice == "yes") == (tried_count > 0)


def holds_words(search_text: str, searched_texts: Sequence[str]) -> bool:
    """Whether each of the words stands somewhere in the texts; width and case make no difference.

    >>> holds_words("ndcg 分母", ["ＮＤＣＧ的分母是？"]), holds_words("分子", ["分母"])
    (True, False)
    """
    if not search_text:
        return True
    searched_text = " ".join(
        typed.folded_text(searched_text, len(searched_text)) for searched_text in searched_texts
    ).casefold()
    return all(word in searched_text for word in search_text.casefold().split())


def searchable_texts(item: Item) -> list[str]:
    """What can be searched of an item: its id, its stem, and what may be chosen in it."""
    searched_texts = [item.id, item.stem]
    if isinstance(item, Order):
        searched_texts += [document.text for document in item.documents]
    if not isinstance(item, TrueFalse):  # each of them offers the same two
        searched_texts += [choice.text for choice in item.choices]
    return searched_texts
