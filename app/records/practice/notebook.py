"""错题本, from sums by item: what was wrong, what was right since, and the answers that are shown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import starmap
from typing import NamedTuple

from sqlalchemy import bindparam, func, literal_column, select, union_all

from app.course import Course
from app.course.practice.item_mistakes import (
    MOST_WRONG_RESPONSES,
    ItemMistakes,
    MistakeElsewhere,
    WrongResponse,
)
from app.course.practice.notebook import Notebook, notebook_of_answers
from app.course.practice.skill_states import AnswerMoment
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import attempt_seeds
from app.records.cards.rows import REVIEW
from app.records.db.days import DayOf
from app.records.db.portable import StoredMoment, is_one_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.games.plays import GAME_MOVE
from app.records.learning import attempts, past_answers
from app.records.learning.item_sums import unpack_wrong_answers
from app.records.learning.rows import ARE_RESULTS_OUT, ATTEMPT, RESPONSE

MOST_KINDS = 12
"""So many of the open kinds are shown with their answers; the others wait behind their titles."""
MOST_ANSWERS = 3
"""How many answers of a kind are shown; where it is looked at alone, all that are known."""

MISTAKES_IN_CARDS = (
    select(
        literal_column("'cards'"),
        StoredMoment(func.max(REVIEW.reviewed_at)),
        REVIEW.misconception_code,
        func.count(),
    )
    .where(
        REVIEW.learner_id == bindparam("learner"),
        REVIEW.undone_at.is_(None),
        REVIEW.misconception_code.is_not(None),
    )
    .group_by(REVIEW.misconception_code)
)
MISTAKES_IN_GAMES = (
    select(
        literal_column("'games'"),
        StoredMoment(func.max(GAME_MOVE.created_at)),
        GAME_MOVE.misconception_code,
        func.count(),
    )
    .where(GAME_MOVE.learner_id == bindparam("learner"), GAME_MOVE.misconception_code.is_not(None))
    .group_by(GAME_MOVE.misconception_code)
)
MISTAKES_ELSEWHERE = PreparedStatement(union_all(MISTAKES_IN_CARDS, MISTAKES_IN_GAMES))


class WrongAnswer(NamedTuple):
    """A wrong answer as it was given, to the variant of a seed, with the attempt it was given in."""

    response_id: int
    item_ref: str
    attempt_id: int
    source: str
    seed: int
    raw_json: str
    try_number: int

    @property
    def raw_answer(self) -> tuple[str, ...]:
        """As it was typed or chosen."""
        return attempts.answer_texts(self.raw_json)


@dataclass(frozen=True, slots=True)
class NotebookData:
    """错题本: its entries, and by id those answers that are shown; None where its question is gone."""

    learner_id: int | None = None
    notebook: Notebook = field(default_factory=lambda: Notebook((), (), {}))
    wrong_answer_by_response_id: Mapping[int, WrongAnswer | None] = field(default_factory=dict)


def load_notebook(
    session: VerbSession, caller: Caller, course: Course, now: datetime, mistake_kind: str = ""
) -> NotebookData:
    """The mistakes, and the answers to be shown: a few of each open kind, or those of the one named."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return NotebookData()
    return notebook_of_learner(session, learner_id, course, now, mistake_kind)


def notebook_of_learner(
    session: VerbSession, learner_id: int, course: Course, now: datetime, mistake_kind: str = ""
) -> NotebookData:
    """The notebook of one learner; whoever asks was allowed to."""
    day_of_moment = learners.time_zones_of(session, learner_id).day_of_moment
    most_answers = MOST_WRONG_RESPONSES if mistake_kind else MOST_ANSWERS
    learner_notebook = load_bare_notebook(session, learner_id, course, now, day_of_moment, most_answers)
    shown_response_ids = list(response_ids_shown(learner_notebook, mistake_kind))
    wrong_answer_by_response_id = load_wrong_answer_by_response_id(
        session, learner_id, shown_response_ids, now
    )
    return NotebookData(learner_id, learner_notebook, wrong_answer_by_response_id)


MOST_NOTEBOOKS = 24
"""Of so many learners the notebook is remembered, at some 0.5 MB each."""
REMEMBERED_NOTEBOOKS = past_answers.RememberedBySums[Notebook](MOST_NOTEBOOKS)


def load_bare_notebook(
    session: VerbSession,
    learner_id: int,
    course: Course,
    now: datetime,
    day_of_moment: DayOf,
    most_answers: int,
) -> Notebook:
    """The notebook without the answers, remembered while nothing is answered. `most_answers`: so many wrong
    answers to an item are read.

    CPU of the page (`python -m bench.year`), in ms: 7.5 → 2.4, of somebody with 20,000 answers 14.0 → 3.7.
    """
    mistake_sums = past_answers.load_mistake_sums(session, learner_id)
    mistake_rows_elsewhere = tuple(session.stream(MISTAKES_ELSEWHERE, learner=learner_id))

    def make_notebook() -> Notebook:
        mistakes_of_items = []
        mistake_totals_by_item_ref = past_answers.mistake_totals_by_item_ref(
            session, learner_id, mistake_sums, now
        )
        for item_ref, mistake_totals in mistake_totals_by_item_ref.items():
            item_id = course.bare_id(item_ref)
            read_wrong_responses = partial(
                wrong_responses, item_id, mistake_totals.packed_wrong_answers, most_answers, day_of_moment
            )
            item_mistakes = ItemMistakes(
                item_id,
                mistake_totals.clean_moments,
                mistake_totals.wrong_count,
                read_wrong_responses,
                mistake_totals.mistake_totals_by_misconception_code,
            )
            mistakes_of_items.append(item_mistakes)
        mistakes_elsewhere = starmap(MistakeElsewhere, mistake_rows_elsewhere)
        return notebook_of_answers(course, mistakes_of_items, day_of_moment, mistakes_elsewhere)

    return REMEMBERED_NOTEBOOKS.recall_or_make(
        (course.digest, most_answers, day_of_moment, mistake_rows_elsewhere), mistake_sums, now, make_notebook
    )


def wrong_responses(
    item_id: str, packed_answers: str, most_answers: int, day_of_moment: DayOf
) -> list[WrongResponse]:
    """The newest wrong answers to an item, so many at most, in the learner's days. `packed_answers`: as the
    sum of the item keeps them."""
    responses = []
    for answered_at, response_id, misconception_code in unpack_wrong_answers(packed_answers, most_answers):
        answer_moment = AnswerMoment(answered_at, response_id)
        answer_day = day_of_moment(answered_at)
        responses.append(WrongResponse(answer_moment, item_id, answer_day, misconception_code or None))
    return responses


def response_ids_shown(learner_notebook: Notebook, mistake_kind: str) -> Iterator[int]:
    """The answers that a page shows."""
    most_answers = MOST_ANSWERS
    shown_entries = learner_notebook.open_entries[:MOST_KINDS]
    if mistake_kind:
        most_answers = MOST_WRONG_RESPONSES
        shown_entries = [
            notebook_entry
            for notebook_entry in learner_notebook.entries
            if notebook_entry.kind.id == mistake_kind
        ]
    for notebook_entry in shown_entries:
        for wrong_response in notebook_entry.wrong_responses[:most_answers]:
            yield wrong_response.response_id


# `+ 0`, for which there is no index: else SQLite goes through all attempts of the learner for the numbers.
IS_OF_LEARNER = ATTEMPT.learner_id + 0 == bindparam("learner")
WRONG_ANSWERS = RowQuery(
    WrongAnswer,
    select(
        RESPONSE.id.label("response_id"),
        RESPONSE.item_ref,
        ATTEMPT.id.label("attempt_id"),
        ATTEMPT.source,
        ATTEMPT.seed,
        RESPONSE.raw.label("raw_json"),
        RESPONSE.try_number,
    ).where(
        is_one_of(RESPONSE.id, "responses"), RESPONSE.attempt_id == ATTEMPT.id, IS_OF_LEARNER, ARE_RESULTS_OUT
    ),
)


def load_wrong_answer_by_response_id(
    session: VerbSession, learner_id: int, response_ids: Sequence[int], now: datetime
) -> dict[int, WrongAnswer | None]:
    """Wrong answers as they were given; None where an assignment is gone, and with it the question."""
    wrong_answer_by_response_id = {}
    for wrong_answer in session.all(WRONG_ANSWERS, learner=learner_id, now=now, responses=response_ids):
        wrong_answer_by_response_id[wrong_answer.response_id] = with_seed_of_question(session, wrong_answer)
    return wrong_answer_by_response_id


def with_seed_of_question(session: VerbSession, wrong_answer: WrongAnswer) -> WrongAnswer | None:
    """A wrong answer with the seed of its question; None for one that is gone."""
    seed: int | None = wrong_answer.seed
    if wrong_answer.source == "assignment":  # its questions have seeds of their own
        seed = attempt_seeds.load_variant_seed(session, wrong_answer.attempt_id, wrong_answer.item_ref)
    if seed is None:
        return None
    return wrong_answer._replace(seed=seed)
