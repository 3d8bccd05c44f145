"""Which questions the parts of an assignment make, with which numbers, and what they are worth.

A part asks one item, draws several variants of an exercise, or names something that is done outside of it (a
section, cards, a game). Only the first two make questions. A question is named by its item and its number in
the whole set, `content:dcg-at-3#1`, so that the same item may be asked twice.

Items of one bank are not asked of everybody: each student gets as many of them as the `count` of each says,
drawn by the secret of the assignment. A question keeps its number whoever gets it.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from app.course.content.refs import StepPlace, item_ref_of, prefix_of
from app.course.exercises.exercises import LAST_SEED, practice_item_id
from app.course.items.kinds import Rubric
from app.course.items.marks import ItemGone, Mark
from app.engine.generate.random_stream import number_from_key

LAST_KEYED_SEED = 2**31 - 1
"""Seeds that come from a secret lie above `LAST_SEED`, where no address of practice reaches."""
BANK_SALT = 200_000
"""Far above all seeds that are tried: who gets which questions has nothing to do with their numbers."""


class QuestionPart(Protocol):
    """What a set of questions must know of a part."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def ref(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def same(self) -> bool: ...
    @property
    def points(self) -> float: ...
    @property
    def bank(self) -> int: ...


class MarkingCourse(Protocol):
    """What an assignment asks of a course; `Course` can do it."""

    @property
    def card_ids_by_stage_id(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def ref_by_twin_ref(self) -> Mapping[str, str]: ...
    def refs_asked_in_section(self, stage: str, section: str, end: StepPlace | None, /) -> frozenset[str]: ...
    def mark(
        self,
        item_ref: str,
        seed: int,
        raw_answer: Sequence[str],
        try_number: int = 1,
        raw_answer_before: Sequence[str] | None = None,
        /,
    ) -> Mark: ...
    def version_hash_and_body(self, item_ref: str, seed: int = 0, /) -> tuple[str, str]: ...
    def has_one_try_only(self, item_ref: str, /) -> bool: ...
    def rubric(self, item_ref: str, /) -> Rubric: ...


MarkingCourseByPrefix = Mapping[str, MarkingCourse]
"""Prefix to course: `{"content": course}`."""


class AssignedQuestion(NamedTuple):
    """A question of an assignment. `number` counts from 1, `part_id` is that of the part that asks it."""

    number: int
    ref: str
    part_id: int
    points: float
    is_same_for_all: bool

    @property
    def item_ref(self) -> str:
        """The item without the number: `content:dcg-at-3`."""
        return item_ref_of(self.ref)


def questions_of_parts(question_parts: Iterable[QuestionPart]) -> tuple[AssignedQuestion, ...]:
    """Every question of an assignment, in order; of a bank all that can be drawn."""
    numbered_questions: list[AssignedQuestion] = []
    for question_part in question_parts:
        for item_ref in item_refs_of(question_part):
            question_number = len(numbered_questions) + 1
            assigned_question = AssignedQuestion(
                question_number,
                f"{item_ref}#{question_number}",
                question_part.id,
                question_part.points,
                question_part.same,
            )
            numbered_questions.append(assigned_question)
    return tuple(numbered_questions)


def item_refs_of(question_part: QuestionPart) -> list[str]:
    """The items that a part asks, as records name them; none for what is done outside of it."""
    if question_part.kind == "item":
        return [question_part.ref]
    if question_part.kind == "practice":
        course_prefix, _, exercise_id = question_part.ref.partition(":")
        return [f"{course_prefix}:{practice_item_id(exercise_id, question_part.level)}"] * question_part.count
    return []


def parts_by_bank_number(question_parts: Iterable[QuestionPart]) -> dict[int, list[QuestionPart]]:
    """The parts of each bank, by its number."""
    parts_by_number: dict[int, list[QuestionPart]] = {}
    for question_part in question_parts:
        if question_part.bank:
            parts_by_number.setdefault(question_part.bank, []).append(question_part)
    return parts_by_number


def hmac_key_of(secret: str, assignment_id: int) -> bytes:
    """What the seeds of one assignment come from. `secret`: that of the site, in hexadecimal; empty for an
    assignment from the time before there was one.

    >>> hmac_key_of("", 7), hmac_key_of("5e", 7) == hmac_key_of("5e", 7) != hmac_key_of("5e", 8)
    (b'', True)
    """
    if not secret:
        return b""
    return hmac.digest(bytes.fromhex(secret), f"assignment {assignment_id}".encode(), "sha256")


def question_seed(
    assignment_seed: int,
    enrolment_id: int,
    attempt_number: int,
    question_number: int,
    is_same_for_all: bool = False,
    hmac_key: bytes = b"",
    salt: int = 0,
) -> int:
    """Which numbers a question shows: to each student own ones, in each attempt others, and always the same.

    With `is_same_for_all` everybody gets one variant, in every attempt.
    Without the `hmac_key` nobody can say which seed it is; an assignment from before has none, and keeps
    its numbers. With another `salt` it is another seed: the next one to be tried.

    >>> question_seed(7, 31, 1, 2) == question_seed(7, 31, 1, 2) != question_seed(7, 32, 1, 2)
    True
    >>> question_seed(7, 31, 1, 2, is_same_for_all=True) == question_seed(7, 32, 2, 2, is_same_for_all=True)
    True
    >>> question_seed(7, 31, 1, 2, hmac_key=b"secret") > LAST_SEED >= question_seed(7, 31, 1, 2)
    True
    """
    owner_text = "all" if is_same_for_all else f"{enrolment_id}.{attempt_number}"
    seed_text = f"paper {assignment_seed} {owner_text} {question_number}"
    if salt:
        seed_text += f" {salt}"
    if hmac_key:
        digest = hmac.digest(hmac_key, seed_text.encode(), "sha256")
        return LAST_SEED + 1 + int.from_bytes(digest[:8]) % (LAST_KEYED_SEED - LAST_SEED)
    return number_from_key(seed_text) % LAST_SEED + 1


class SeedSource(NamedTuple):
    """What the seeds of one attempt come from."""

    seed: int
    enrolment_id: int
    attempt_number: int
    hmac_key: bytes

    def formula_seed_of(self, assigned_question: AssignedQuestion, salt: int = 0) -> int:
        """The seed that a question has by itself, or the one of its `salt`, to choose from."""
        attempt_key = (self.seed, self.enrolment_id, self.attempt_number)
        is_same_for_all = assigned_question.is_same_for_all
        return question_seed(*attempt_key, assigned_question.number, is_same_for_all, self.hmac_key, salt)


@dataclass(frozen=True)
class QuestionSet:
    """The questions of one attempt of one student. Marks and freezes them, each by the course it lives in.

    `course_by_prefix`: `{"content": course}`. A question whose item, or course, is gone raises
    `ItemGone`, one that is not in it KeyError. `drawn_seed_by_question_number`: the seeds that were
    drawn for it; the others come from the formula.
    """

    course_by_prefix: MarkingCourseByPrefix
    parts: Sequence[QuestionPart]
    seed: int
    enrolment_id: int = 0
    attempt_number: int = 1
    hmac_key: bytes = b""
    drawn_seed_by_question_number: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def questions(self) -> tuple[AssignedQuestion, ...]:
        """What this attempt asks, in order."""
        left_out_part_ids = self._left_out_part_ids
        return tuple(
            assigned_question
            for assigned_question in questions_of_parts(self.parts)
            if assigned_question.part_id not in left_out_part_ids
        )

    def asks_question(self, part_id: int) -> bool:
        """Whether a part is in this attempt: of a bank some are not."""
        return part_id not in self._left_out_part_ids

    @cached_property
    def _left_out_part_ids(self) -> frozenset[int]:
        """The parts of banks that this attempt does not ask, by id."""
        parts_by_number_of_bank = parts_by_bank_number(self.parts)
        if not parts_by_number_of_bank:
            return frozenset()
        draw_key_by_part_id: dict[int, int] = {}
        for assigned_question in questions_of_parts(self.parts):
            draw_key_by_part_id[assigned_question.part_id] = self.seed_source.formula_seed_of(
                assigned_question._replace(is_same_for_all=False), BANK_SALT
            )
        left_out_part_ids: set[int] = set()
        for bank_parts in parts_by_number_of_bank.values():
            part_ids_in_drawn_order = sorted(
                (question_part.id for question_part in bank_parts), key=draw_key_by_part_id.__getitem__
            )
            left_out_part_ids.update(part_ids_in_drawn_order[bank_parts[0].count :])
        return frozenset(left_out_part_ids)

    def variant_seed_of(self, assigned_question: AssignedQuestion) -> int:
        """The seed that makes the variant of a question."""
        drawn_seed = self.drawn_seed_by_question_number.get(assigned_question.number)
        if drawn_seed is None:
            return self.seed_source.formula_seed_of(assigned_question)
        return drawn_seed

    @property
    def seed_source(self) -> SeedSource:
        """What gives the seeds of this attempt."""
        return SeedSource(self.seed, self.enrolment_id, self.attempt_number, self.hmac_key)

    @cached_property
    def seed_by_question_ref(self) -> Mapping[str, int]:
        """The seed of each question by its name."""
        return {
            assigned_question.ref: self.variant_seed_of(assigned_question)
            for assigned_question in self.questions
        }

    def mark(
        self,
        item_ref: str,
        _seed: int,
        raw_answer: Sequence[str],
        try_number: int = 1,
        raw_answer_before: Sequence[str] | None = None,
    ) -> Mark:
        """Mark an answer; the question has a seed of its own, whatever that of the attempt.

        What is right and earns nothing by itself, words that nobody judges, earns its points here: else full
        marks could not be reached. Words that a teacher marks wait for that.
        """
        mark = self._course(item_ref).mark(
            item_ref, self.seed_by_question_ref[item_ref], raw_answer, try_number, raw_answer_before
        )
        if mark.verdict == "right" and mark.score == 0 and not self.rubric(item_ref):
            return mark._replace(score=1.0)
        return mark

    def version_hash_and_body(self, item_ref: str, _seed: int = 0) -> tuple[str, str]:
        """What is frozen with the first answer."""
        return self._course(item_ref).version_hash_and_body(item_ref, self.seed_by_question_ref[item_ref])

    def has_one_try_only(self, item_ref: str) -> bool:
        """Whether a second try would be a gift."""
        return self._course(item_ref).has_one_try_only(item_ref)

    def rubric(self, item_ref: str) -> Rubric:
        """What a teacher holds an answer against; empty where a program marks, or nobody does."""
        return self._course(item_ref).rubric(item_ref)

    def _course(self, item_ref: str) -> MarkingCourse:
        course = self.course_by_prefix.get(prefix_of(item_ref))
        if course is None:
            raise ItemGone(item_ref)
        return course


class AttemptPoints(NamedTuple):
    """What an attempt is worth: `points` of `full_points`, and the points of each part."""

    points: float
    full_points: float
    points_by_part_id: Mapping[int, float]


def points_of_attempt(
    question_parts: Sequence[QuestionPart],
    score_by_question_ref: Mapping[str, float],
    share_by_part_id: Mapping[int, float],
) -> AttemptPoints:
    """Add up an attempt. `score_by_question_ref`: 0..1 by question. `share_by_part_id`: 0..1 of parts that
    are done outside."""
    points_by_part_id = {
        question_part.id: question_part.points * share_by_part_id.get(question_part.id, 0.0)
        for question_part in question_parts
    }
    asked_questions = questions_of_parts(question_parts)
    for assigned_question in asked_questions:
        points_by_part_id[assigned_question.part_id] = 0.0
    for assigned_question in asked_questions:
        points_by_part_id[assigned_question.part_id] += assigned_question.points * score_by_question_ref.get(
            assigned_question.ref, 0.0
        )
    rounded_points_by_part_id = {
        part_id: round(part_points, 4) for part_id, part_points in points_by_part_id.items()
    }
    return AttemptPoints(
        round(sum(points_by_part_id.values()), 4), full_points_of(question_parts), rounded_points_by_part_id
    )


def question_count(question_parts: Sequence[QuestionPart]) -> int:
    """How many questions each student gets."""
    asked_question_count = sum(
        len(item_refs_of(question_part)) for question_part in question_parts if not question_part.bank
    )
    for bank_parts in parts_by_bank_number(question_parts).values():
        asked_question_count += min(bank_parts[0].count, len(bank_parts))
    return asked_question_count


def full_points_of(question_parts: Sequence[QuestionPart]) -> float:
    """Full marks; all questions of a bank are worth the same."""
    full_points = 0.0
    for question_part in question_parts:
        if not question_part.bank:
            full_points += question_part.points * (len(item_refs_of(question_part)) or 1)
    for bank_parts in parts_by_bank_number(question_parts).values():
        full_points += bank_parts[0].points * min(bank_parts[0].count, len(bank_parts))
    return round(full_points, 4)
