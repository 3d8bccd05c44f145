"""Searching: terms, sections, examples, cases, skills and exercises by their words. Never items.

What is asked is no place to be found: an item may be asked in an assignment that is still running.

折损 is found by `zs`, too, the first letters of its pinyin. GB 2312 lists its 3,755 frequent characters by
pinyin, so 23 limits say each one's first letter: no table of readings is needed. A character with several
readings stands under one of them.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from app.course.content.course import Course
from app.course.content.recently_used import RecentlyUsed
from app.course.exercises.exercises import offered_exercises
from app.course.text import typed

TargetKind = Literal["term", "section", "skill", "exercise", "example", "case", "tool"]
WORKBENCH_WORDS = (
    "workbench | scikit-learn | sklearn | trec_eval | ranx | LightGBM | XGBoost | CatBoost | RankLib | Quepid"
    " | OpenSearch | Elasticsearch | torchmetrics | 约定 | 约定串 | 对不上 | 计算器 | qrels | run | Excel"
    " | ndcg_score | 为什么NDCG对不上 | 两个库算出来不一样 | 对账"
)
"""By what the workbench is found."""
LONGEST_QUERY = 60
"""So many characters of what is looked for are read."""
LONGEST_TEXT = 4000
"""So many characters of a target are looked through."""
MOST_HITS_OF_KIND = 12
"""So many targets of one kind are shown."""

FIRST_CODE, LAST_CODE = 0xB0A1, 0xD7F9
FIRST_CODE_OF_LETTER = (
    *(0xB0A1, 0xB0C5, 0xB2C1, 0xB4EE, 0xB6EA, 0xB7A2, 0xB8C1, 0xB9FE, 0xBBF7, 0xBFA6, 0xC0AC, 0xC2E8),
    *(0xC4C3, 0xC5B6, 0xC5BE, 0xC6DA, 0xC8BB, 0xC8F6, 0xCBFA, 0xCDDA, 0xCEF4, 0xD1B9, 0xD4D1),
)
LETTERS = "abcdefghjklmnopqrstwxyz"
"""The letter from each limit on. No syllable begins with i, u or v."""


class SearchTarget(NamedTuple):
    """What can be found: its id (of a section: with its stage), a title, and what else is searched."""

    kind: TargetKind
    id: str
    title: str
    other_words: str = ""
    note: str = ""


@dataclass(frozen=True)
class SearchEntry:
    """A target with its texts as they are compared; `names`: what it is called beside its title."""

    target: SearchTarget
    title: str
    names: Sequence[str]
    searched_text: str

    @cached_property
    def title_initials(self) -> str:
        """The first letters of the pinyin of the title: made for the first search by letters, then kept."""
        return initials(self.title)


_INDEXES: RecentlyUsed[str, Sequence[SearchEntry]] = RecentlyUsed(2)
"""The index of the course, and of what it was before its files changed, by their digests."""


def search_course(course: Course, query_text: str) -> Sequence[SearchTarget]:
    """The targets in which every word of a text occurs: those called so before those that mention it."""
    query_tokens = comparable_text(query_text[:LONGEST_QUERY]).split()
    if not query_tokens:
        return ()
    targets_by_match_rank: dict[int, list[SearchTarget]] = {}
    for search_entry in search_entries_of(course):
        match_rank = _match_rank(search_entry, query_tokens)
        if match_rank is not None:
            targets_by_match_rank.setdefault(match_rank, []).append(search_entry.target)
    targets_in_order: list[SearchTarget] = []
    for match_rank in sorted(targets_by_match_rank):
        targets_in_order += targets_by_match_rank[match_rank]
    return targets_in_order


def search_entries_of(course: Course) -> Sequence[SearchEntry]:
    """Every target of a course, ready to be compared; kept."""
    search_entries = _INDEXES.recall(course.digest)
    if search_entries is None:
        search_entries = _INDEXES.keep(
            course.digest, [entry_of(search_target) for search_target in search_targets(course)]
        )
    return search_entries


def entry_of(search_target: SearchTarget) -> SearchEntry:
    """A target with its texts folded."""
    title = comparable_text(search_target.title)
    folded_text = comparable_text(search_target.other_words)
    return SearchEntry(search_target, title, folded_text.split(" | "), f"{title} {folded_text}")


def comparable_text(searched_text: str) -> str:
    """A text as it is compared: full-width letters and capitals are the same as small ones.

    >>> comparable_text("ＮＤＣＧ@K")
    'ndcg@k'
    """
    return typed.folded_text(searched_text, LONGEST_TEXT).casefold()


def _match_rank(search_entry: SearchEntry, query_tokens: Sequence[str]) -> int | None:
    """0: called exactly so; 1: begins so; 2: so within its title; 3: mentions it; None: does not.

    A title is called by the first letters of its pinyin, too.
    """
    phrase = " ".join(query_tokens)
    if not all(query_token in search_entry.searched_text for query_token in query_tokens):
        return _match_rank_of_initials(search_entry, phrase)
    if phrase == search_entry.title or phrase in search_entry.names:
        return 0
    if search_entry.title.startswith(phrase):
        return 1
    if all(query_token in search_entry.title for query_token in query_tokens):
        return 2
    return 3


def _match_rank_of_initials(search_entry: SearchEntry, phrase: str) -> int | None:
    """0: these are its letters; 1: it begins with them; None: neither. A single letter says too little."""
    if len(phrase) < 2 or not phrase.isascii() or not search_entry.title_initials.startswith(phrase):
        return None
    if search_entry.title_initials == phrase:
        return 0
    return 1


def search_targets(course: Course) -> Iterator[SearchTarget]:
    """Everything that can be found, in the order of the course: some three hundred targets."""
    for glossary_term in course.glossary:
        yield SearchTarget(
            "term",
            glossary_term.id,
            glossary_term.zh,
            f"{glossary_term.en} | {glossary_term.text}",
            glossary_term.en,
        )
    yield from _section_targets(course)
    for skill_id, skill in course.skills.items():
        yield SearchTarget("skill", skill_id, skill.name)
    for exercise_id, exercise in offered_exercises(course.exercises).items():
        yield SearchTarget("exercise", exercise_id, exercise.title, exercise.summary)
    shown_example_ids: set[str] = set().union(*[stage.example_ids for stage in course.stages])
    for example_id, example in course.examples.items():
        if example_id in shown_example_ids:
            yield SearchTarget("example", example_id, example.title, example.query or "", example.query or "")
    for case_id, case in course.errata.items():
        yield SearchTarget("case", case_id, case.title, case.source, case.source)
    yield SearchTarget("tool", "workbench", "实验台", WORKBENCH_WORDS, "贴一列，看各家怎么算")


def _section_targets(course: Course) -> Iterator[SearchTarget]:
    """The sections, to be found by what they teach, too."""
    skill_names_by_section_ref: dict[str, list[str]] = {}
    for skill_id, (stage, section) in course.section_by_skill_id.items():
        skill_names_by_section_ref.setdefault(f"{stage.id}/{section.id}", []).append(
            course.skills[skill_id].name
        )
    for stage in course.stages:
        for section in stage.sections:
            section_ref = f"{stage.id}/{section.id}"
            yield SearchTarget(
                "section",
                section_ref,
                section.title,
                " | ".join(skill_names_by_section_ref.get(section_ref, ())),
                stage.title,
            )


def initials(searched_text: str) -> str:
    """The first letter of each character, Latin letters and digits as they are; others are left out.

    >>> initials("折损"), initials("累计增益cg"), initials("第1位，不打折")
    ('zs', 'ljzycg', 'd1wbdz')
    """
    return "".join(initial(character) for character in searched_text)


def initial(character: str) -> str:
    """One character's letter; empty for a sign, and for a rare character, which is listed by its strokes."""
    if character.isascii():
        return character if character.isalnum() else ""
    gb2312_code = int.from_bytes(character.encode("gb2312", "ignore"))
    if not FIRST_CODE <= gb2312_code <= LAST_CODE:
        return ""
    return LETTERS[bisect_right(FIRST_CODE_OF_LETTER, gb2312_code) - 1]
