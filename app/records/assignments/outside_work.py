"""What an assignment asks for outside of its questions: sections, cards, games. Read from their own logs.

What a form said of itself counts for nothing: a section is done when its questions were answered, a card when
it was new or had come back, each once, and a game when it was played to its end: a battle when it was won,
whoever struck, and no retreat. A card that was learnt before and does not come back in the whole time counts
too: nobody can be asked for it. An assignment from before this rule takes the pages at their word.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import bindparam, func, or_, select

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.course.content.refs import StepPlace, own_content_id_of, with_twins
from app.records.accounts import learners
from app.records.assignments.deadlines import ends_at
from app.records.assignments.rows import ASSIGNMENT, PART
from app.records.assignments.values import PartRow, StudentAssignment
from app.records.cards.rows import REVIEW
from app.records.cards.scheduling import unpack_memory_and_status
from app.records.db.days import TimeZones, calendar
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.games.plays import GAME_MOVE
from app.records.learning import lesson_progress
from app.records.learning.rows import ATTEMPT, RESPONSE

OUTSIDE_KINDS = ("section", "cards", "game")
UNTIL_PARAMETER: Any = bindparam("until")
SINCE_PARAMETER: Any = bindparam("since")

ANSWERED_ITEMS = PreparedStatement(
    select(RESPONSE.item_ref, func.min(RESPONSE.created_at))
    .where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "lesson",
        ATTEMPT.ref == bindparam("stage"),
        RESPONSE.attempt_id == ATTEMPT.id,
        RESPONSE.created_at <= UNTIL_PARAMETER,
    )
    .group_by(RESPONSE.item_ref)
)
"""What was answered in the lesson of a stage, in whichever round, and when first."""
ASSIGNED_OWN_ITEM_REFS = PreparedStatement(
    select(PART.ref).where(
        ASSIGNMENT.id == PART.assignment_id,
        ASSIGNMENT.published_at.is_not(None),
        PART.kind == "item",
        PART.ref.startswith(bindparam("prefix")),
    )
)
"""The items of own content that assignments ask: its lessons may be without them."""
REVIEWED_CARDS = PreparedStatement(
    select(REVIEW.card_ref, REVIEW.state_before, REVIEW.reviewed_at, REVIEW.packed_before).where(
        REVIEW.learner_id == bindparam("learner"),
        REVIEW.undone_at.is_(None),
        REVIEW.reviewed_at.between(SINCE_PARAMETER, UNTIL_PARAMETER),
    )
)
EARLIER_REVIEWS = (
    select(REVIEW.card_ref, REVIEW.packed_after, REVIEW.reviewed_at)
    .where(
        REVIEW.learner_id == bindparam("learner"),
        REVIEW.card_ref.in_(bindparam("cards", expanding=True)),
        REVIEW.undone_at.is_(None),
        REVIEW.reviewed_at < SINCE_PARAMETER,
    )
    .order_by(REVIEW.review_number)
)
"""Of these cards alone: whoever has reviewed for a year has thousands of others in the log."""
PLAYED_GAMES = PreparedStatement(
    select(GAME_MOVE.game, GAME_MOVE.level, func.min(GAME_MOVE.created_at))
    .where(
        GAME_MOVE.learner_id == bindparam("learner"),
        or_(GAME_MOVE.outcome == "done", GAME_MOVE.outcome == "won"),
        GAME_MOVE.created_at.between(SINCE_PARAMETER, UNTIL_PARAMETER),
    )
    .group_by(GAME_MOVE.game, GAME_MOVE.level, GAME_MOVE.seed)
)
"""Each play once and when first, also what a merge set aside of it: that may be what was played in time."""


Thing = TypeVar("Thing")
DoneAt = tuple[Thing, datetime]
"""What was done, and when."""


def things_done_until(done_things: Iterable[DoneAt[Thing]], moment: datetime) -> list[Thing]:
    """What was done until a moment."""
    return [thing for thing, done_at in done_things if done_at <= moment]


@dataclass(slots=True)
class OutsideLog:
    """What a learner did for these parts, each with its moment; `assigned_item_refs`: items that need no
    answer."""

    outside_parts: Sequence[PartRow]
    course_by_prefix: MarkingCourseByPrefix
    checks_outside_work: bool
    learnt_sections: Sequence[DoneAt[tuple[str, str]]] = ()
    furthest_step_by_section: Mapping[tuple[str, str], StepPlace] = field(default_factory=dict)
    reviewed_cards: Sequence[DoneAt[str]] = ()
    games_played: Sequence[DoneAt[tuple[str, int]]] = ()
    answered_items: Sequence[DoneAt[str]] = ()
    assigned_item_refs: frozenset[str] = frozenset()

    def share_by_part_id_at(self, moment: datetime) -> dict[int, float]:
        """How much of each part was done until a moment, 0..1, by its id."""
        card_refs = things_done_until(self.reviewed_cards, moment)
        outside_work = OutsideWork(
            learnt_sections=things_done_until(self.learnt_sections, moment),
            furthest_step_by_section=self.furthest_step_by_section,
            reviewed_card_refs=set(card_refs) if self.checks_outside_work else card_refs,
            games_played=things_done_until(self.games_played, moment),
            answered_item_refs=self.assigned_item_refs.union(things_done_until(self.answered_items, moment)),
            checks_outside_work=self.checks_outside_work,
        )
        return {part.id: outside_work.done_share(part, self.course_by_prefix) for part in self.outside_parts}

    def last_earning_moment(self, counts_until: datetime) -> datetime | None:
        """When something was last done, until `counts_until`, by which the points of a part grew; None where
        nothing was."""
        done_things_with_times = [
            *self.learnt_sections,
            *self.reviewed_cards,
            *self.games_played,
            *self.answered_items,
        ]
        moments = sorted({done_at for _, done_at in done_things_with_times if done_at <= counts_until})
        final_shares = self.earning_shares_at(counts_until)
        if final_shares == self.earning_shares_of(self.share_by_part_id_without_work):
            return None
        # Shares only grow: of the moments that have the last ones the first was the last to earn.
        last_earning_index = bisect_left(
            moments, True, key=lambda moment: self.earning_shares_at(moment) == final_shares
        )
        return moments[last_earning_index]

    def earning_shares_at(self, moment: datetime) -> list[float]:
        """The shares of the parts that earn points."""
        return self.earning_shares_of(self.share_by_part_id_at(moment))

    def earning_shares_of(self, share_by_part_id: Mapping[int, float]) -> list[float]:
        """Of these shares those of the parts that earn points."""
        return [share_by_part_id[part.id] for part in self.outside_parts if part.points]

    @property
    def share_by_part_id_without_work(self) -> dict[int, float]:
        """How much of each part is done by whoever did nothing."""
        return {part.id: float(asks_own_cards(part)) for part in self.outside_parts}

    def is_anything_done(self, moment: datetime) -> bool:
        """Whether something was done until a moment that counts for a part."""
        return self.share_by_part_id_at(moment) != self.share_by_part_id_without_work


def load_outside_log(
    session: VerbSession,
    student_assignment: StudentAssignment,
    course_by_prefix: MarkingCourseByPrefix,
    counts_until: datetime,
) -> OutsideLog:
    """What was done for the parts that make no questions: from the opening until `counts_until`, and before
    time was up for this student. A query for each kind, and one or two for each stage of which a section is
    asked.

    A section counts once it has been learnt, even before it was assigned: nobody is sent through it twice; so
    does a card that was put off beyond the end by a review before the opening.
    """
    assignment = student_assignment.assignment
    learner_id = student_assignment.learner_id
    parts = student_assignment.parts
    earliest_time = assignment.opens_at or assignment.published_at or assignment.created_at
    latest_time = min(counts_until, ends_at(assignment, student_assignment.extension))
    part_kinds = {part.kind for part in parts}
    period_parameters = {"learner": learner_id, "since": earliest_time, "until": latest_time}
    checks_outside_work = assignment.checks_outside_work
    outside_parts = [part for part in parts if part.kind in OUTSIDE_KINDS]
    outside_log = OutsideLog(outside_parts, course_by_prefix, checks_outside_work)
    if "section" in part_kinds:
        learnt_places = [
            reached_place
            for reached_place in lesson_progress.reached_places_of_learner(session, learner_id)
            if reached_place.is_done and reached_place.updated_at <= latest_time
        ]
        outside_log.learnt_sections = [(place.stage_and_section, place.updated_at) for place in learnt_places]
        outside_log.furthest_step_by_section = {
            place.stage_and_section: (place.step_id, place.step_number) for place in learnt_places
        }
    if "section" in part_kinds and checks_outside_work:
        outside_log.answered_items = list(answered_items_with_times(session, learner_id, parts, latest_time))
        outside_log.assigned_item_refs = frozenset(assigned_item_refs(session, parts, course_by_prefix))
    if "cards" in part_kinds:
        review_rows = session.all(REVIEWED_CARDS, **period_parameters)
        outside_log.reviewed_cards = [(card_ref, reviewed_at) for card_ref, _, reviewed_at, _ in review_rows]
        if checks_outside_work:
            time_zones = learners.time_zones_of(session, learner_id)
            refs_of_assigned_cards = assigned_card_refs(course_by_prefix, parts)
            earlier_review_rows = session.execute(
                EARLIER_REVIEWS,
                {"learner": learner_id, "cards": [*refs_of_assigned_cards], "since": earliest_time},
            ).all()
            class_ends_at = ends_at(assignment, None)  # an extension takes nothing away
            outside_log.reviewed_cards = [
                *cards_in_turn_with_times(review_rows, time_zones),
                *put_off_cards_with_times(earlier_review_rows, class_ends_at),
            ]
    if "game" in part_kinds:
        game_rows = session.all(PLAYED_GAMES, **period_parameters)
        outside_log.games_played = [((game, level), played_at) for game, level, played_at in game_rows]
    return outside_log


def stage_refs_of_sections(parts: Iterable[PartRow]) -> set[str]:
    """The stages of the sections that these parts ask for."""
    return {part.ref.partition("/")[0] for part in parts if part.kind == "section"}


def answered_items_with_times(
    session: VerbSession, learner_id: int, parts: Sequence[PartRow], latest_time: datetime
) -> Iterator[DoneAt[str]]:
    """The items that were answered in the lessons of these sections, and when first."""
    for stage_ref in stage_refs_of_sections(parts):
        item_rows = session.all(ANSWERED_ITEMS, learner=learner_id, stage=stage_ref, until=latest_time)
        yield from ((item_ref, answered_at) for item_ref, answered_at in item_rows)


def assigned_item_refs(
    session: VerbSession, parts: Sequence[PartRow], course_by_prefix: MarkingCourseByPrefix
) -> Iterator[str]:
    """The items that need no answer in the lessons of these sections: there they may be closed, with their
    twins."""
    for stage_ref in stage_refs_of_sections(parts):
        if own_content_id_of(stage_ref) is not None:
            course_prefix, *_ = stage_ref.partition(":")
            item_ref_rows = session.all(ASSIGNED_OWN_ITEM_REFS, prefix=f"{course_prefix}:")
            item_refs = {item_ref for (item_ref,) in item_ref_rows}
            if course := course_by_prefix.get(course_prefix):
                item_refs = with_twins(item_refs, course.ref_by_twin_ref)
            yield from item_refs


def cards_in_turn_with_times(review_rows: Sequence[Row], time_zones: TimeZones) -> Iterator[DoneAt[str]]:
    """The reviews of cards that were new or had come back by the end of the day."""
    for card_ref, state_before, reviewed_at, packed_memory in review_rows:
        if state_before != "new":
            memory, _ = unpack_memory_and_status(packed_memory)
            day_in_zone_of_then = calendar(time_zones.zone_at(reviewed_at))
            if memory.due_at is None or day_in_zone_of_then(memory.due_at) > day_in_zone_of_then(reviewed_at):
                continue
        yield card_ref, reviewed_at


def put_off_cards_with_times(
    earlier_review_rows: Iterable[Row], class_ends_at: datetime
) -> Iterator[DoneAt[str]]:
    """The last reviews of cards that put these off until `class_ends_at` or later."""
    last_memory_and_time_by_card_ref = {
        card_ref: memory_and_time for card_ref, *memory_and_time in earlier_review_rows
    }
    for card_ref, (packed_memory, reviewed_at) in last_memory_and_time_by_card_ref.items():
        memory, _ = unpack_memory_and_status(packed_memory)
        if memory.due_at is not None and memory.due_at >= class_ends_at:
            yield card_ref, reviewed_at


@dataclass(slots=True)
class OutsideWork:
    """What a learner did: stage and section, items answered in lessons, cards as reviewed, game and level as
    played. `furthest_step_by_section`: how far the sections went when they were walked through."""

    learnt_sections: Sequence[tuple[str, str]] = ()
    furthest_step_by_section: Mapping[tuple[str, str], StepPlace] = field(default_factory=dict)
    reviewed_card_refs: Collection[str] = ()
    games_played: Sequence[tuple[str, int]] = ()
    answered_item_refs: frozenset[str] = field(default_factory=frozenset)
    checks_outside_work: bool = False

    def done_share(self, part: PartRow, course_by_prefix: MarkingCourseByPrefix) -> float:
        """How much of a part is done, 0..1."""
        if part.kind == "section":
            return float(self.is_learnt(part.ref, course_by_prefix))
        if asks_own_cards(part):
            return 1.0
        required_count = part.count
        if part.kind == "cards":
            card_refs = card_refs_of_stage(course_by_prefix, part.ref)
            done_count = sum(card_ref in card_refs for card_ref in self.reviewed_card_refs)
            if self.checks_outside_work:  # each card counts once: no more can be asked for than there are
                card_count = len(card_refs)
                required_count = max(1, min(required_count, card_count))
        else:
            levels_played = [level for game, level in self.games_played if game == part.ref]
            done_count = sum(level >= part.level for level in levels_played)
        return min(1.0, done_count / required_count)

    def is_learnt(self, section_ref: str, course_by_prefix: MarkingCourseByPrefix) -> bool:
        """Whether a section was walked through to its end, and its questions were answered, but for
        those that were put behind the end since."""
        stage_ref, _, section_id = section_ref.partition("/")
        stage_and_section = (stage_ref, section_id)
        if stage_and_section not in self.learnt_sections:
            return False
        if not self.checks_outside_work:
            return True
        furthest_step = self.furthest_step_by_section.get(stage_and_section)
        asked_item_refs = item_refs_asked_in_section(course_by_prefix, section_ref, furthest_step)
        return asked_item_refs <= self.answered_item_refs


def asks_own_cards(part: PartRow) -> bool:
    """Whether a part asks for cards of own content. Whoever takes these has cards of their own, which no log
    can tell from others: nobody could do it, so that it is done by everybody. No more of it can be added."""
    return part.kind == "cards" and own_content_id_of(part.ref) is not None


def item_refs_asked_in_section(
    course_by_prefix: MarkingCourseByPrefix, section_ref: str, furthest_step: StepPlace | None
) -> frozenset[str]:
    """The items that a section, `content:concepts/sweetness`, asks up to a step; none where its course is
    gone."""
    course_prefix, _, section_path = section_ref.partition(":")
    if course_prefix not in course_by_prefix:
        return frozenset()
    stage_id, section_id = section_path.split("/", 1)
    return course_by_prefix[course_prefix].refs_asked_in_section(stage_id, section_id, furthest_step)


def card_refs_of_stage(course_by_prefix: MarkingCourseByPrefix, stage_ref: str) -> frozenset[str]:
    """The cards of a stage, `content:concepts`, as the log names them; none where its course is gone."""
    course_prefix, _, stage_id = stage_ref.partition(":")
    if course_prefix not in course_by_prefix:
        return frozenset()
    card_ids = course_by_prefix[course_prefix].card_ids_by_stage_id.get(stage_id, ())
    return frozenset(f"{course_prefix}:{card_id}" for card_id in card_ids)


def assigned_card_refs(course_by_prefix: MarkingCourseByPrefix, parts: Iterable[PartRow]) -> frozenset[str]:
    """The cards of all stages that these parts ask for."""
    stage_refs = {part.ref for part in parts if part.kind == "cards"}
    refs_of_stages = [card_refs_of_stage(course_by_prefix, stage_ref) for stage_ref in stage_refs]
    return frozenset().union(*refs_of_stages)
