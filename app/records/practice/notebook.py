"""错题本, from the log: what was wrong, what was right since, and the words of the answers that are shown."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, select, union_all

from app.course import Course
from app.course.practice.notebook import CleanResponse, MistakeElsewhere, Notebook, WrongResponse, notebook
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards.tables import ReviewLog
from app.records.db.days import calendar
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, time_of
from app.records.games.tables import GameMove
from app.records.grading import attempt_work
from app.records.learning import attempts
from app.records.learning.mastery import attempt, clean, mine, response
from app.records.practice.values import NotebookData, WrongAnswer

REVIEW = table(ReviewLog).c
MOVE = table(GameMove).c
MOST_ANSWERS, MOST_ANSWERS_OF_KIND = 3, 50
"""How many answers of a kind are shown; and where it is looked at alone."""

WRONG_ANSWERS = Prepared(
    select(response.id, response.item, response.created_at, response.misconception)
    .where(mine, response.verdict == "wrong")
    .order_by(response.id)
)
CLEAN_ANSWERS = Prepared(select(response.id, response.item).where(mine, clean))
MISTAKES_ELSEWHERE = Prepared(
    union_all(
        select(literal_column("'cards'"), REVIEW.reviewed_at, REVIEW.misconception).where(
            REVIEW.learner_id == bindparam("learner"),
            REVIEW.undone_at.is_(None),
            REVIEW.misconception.is_not(None),
        ),
        select(literal_column("'games'"), MOVE.created_at, MOVE.misconception).where(
            MOVE.learner_id == bindparam("learner"), MOVE.misconception.is_not(None)
        ),
    )
)


def load_notebook(
    session: VerbSession, caller: Caller, course: Course, now: datetime, kind: str = ""
) -> NotebookData:
    """The mistakes, and the answers to be shown: a few of each open kind, or those of the one named."""
    learner_id = learners.load_visitor(session, caller)
    if learner_id is None:
        return NotebookData()
    day_of = calendar(learners.time_zone_of(session, learner_id))
    wrongs, cleans, slips = [], [], []
    for number, item, at, misconception in session.each(WRONG_ANSWERS, learner=learner_id, now=now):
        wrongs.append(WrongResponse(number, course.bare(item), day_of(time_of(at)), misconception))
    for number, item in session.each(CLEAN_ANSWERS, learner=learner_id, now=now):
        cleans.append(CleanResponse(number, course.bare(item)))
    for place, at, misconception in session.each(MISTAKES_ELSEWHERE, learner=learner_id):
        slips.append(MistakeElsewhere(place, day_of(time_of(at)), misconception))
    mistakes = notebook(course, wrongs, cleans, slips)
    answers = {}
    for number in answer_numbers(mistakes, kind):
        answers[number] = load_answer(session, learner_id, course, number, now)
    return NotebookData(learner_id, mistakes, answers)


def answer_numbers(mistakes: Notebook, kind: str) -> Iterator[int]:
    """The numbers of the answers that a page shows."""
    for entry in mistakes.entries:
        most = 0
        if entry.kind.id == kind:
            most = MOST_ANSWERS_OF_KIND
        elif not entry.cleared and not kind:
            most = MOST_ANSWERS
        for wrong in entry.wrongs[:most]:
            yield wrong.number


class WrongAnswerRow(NamedTuple):
    """A wrong answer with the attempt it was given in."""

    item: str
    attempt_id: int
    source: str
    seed: int
    raw: str
    try_number: int


WRONG_ANSWER = RowQuery(
    WrongAnswerRow,
    select(
        response.item,
        attempt.id.label("attempt_id"),
        attempt.source,
        attempt.seed,
        response.raw,
        response.try_number,
    ).where(mine, response.id == bindparam("number")),
)


def load_answer(
    session: VerbSession, learner_id: int, course: Course, number: int, now: datetime
) -> WrongAnswer | None:
    """A wrong answer as it was given; None where its assignment is gone, and with it the question."""
    [row] = session.all(WRONG_ANSWER, learner=learner_id, number=number, now=now)
    seed = row.seed
    if row.source == "assignment":  # its questions have seeds of their own
        question_seed = attempt_work.seed_of(session, row.attempt_id, row.item)
        if question_seed is None:
            return None
        seed = question_seed
    return WrongAnswer(course.bare(row.item), row.attempt_id, seed, attempts.typed(row.raw), row.try_number)
