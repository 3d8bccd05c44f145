"""错题本, from the log: what was wrong, what was right since, and the words of the answers that are shown."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import bindparam, literal_column, select, union_all

from app.course import Course
from app.course.practice.notebook import CleanResponse, MistakeElsewhere, Notebook, WrongResponse, notebook
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards.tables import ReviewLog
from app.records.db.days import calendar
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, time_of
from app.records.games.tables import GameMove
from app.records.grading import submissions
from app.records.learning import attempts
from app.records.learning.mastery import attempt, clean, mine, response
from app.records.practice.values import NotebookData, WrongAnswer

review, played = table(ReviewLog).c, table(GameMove).c
SHOWN, SHOWN_OF_ONE = 3, 50
"""How many answers of a kind are shown; and where it is looked at alone."""
WRONGS = Prepared(
    select(response.id, response.item, response.created_at, response.misconception)
    .where(mine, response.verdict == "wrong")
    .order_by(response.id)
)
CLEANS = Prepared(select(response.id, response.item).where(mine, clean))
SLIPS = Prepared(
    union_all(
        select(literal_column("'cards'"), review.reviewed_at, review.misconception).where(
            review.learner_id == bindparam("learner"),
            review.undone_at.is_(None),
            review.misconception.is_not(None),
        ),
        select(literal_column("'games'"), played.created_at, played.misconception).where(
            played.learner_id == bindparam("learner"), played.misconception.is_not(None)
        ),
    )
)
ANSWER = Prepared(
    select(response.item, attempt.id, attempt.source, attempt.seed, response.raw, response.try_number).where(
        mine, response.id == bindparam("number")
    )
)


def load_notebook(
    session: VerbSession, who: Caller, course: Course, now: datetime, kind: str = ""
) -> NotebookData:
    """The mistakes, and the answers to be shown: a few of each open kind, or those of the one named."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return NotebookData()
    day_of = calendar(learners.time_zone_of(session, learner_id))
    wrongs = [
        WrongResponse(number, course.bare(item), day_of(time_of(at)), misconception)
        for number, item, at, misconception in session.each(WRONGS, learner=learner_id, now=now)
    ]
    cleans = [
        CleanResponse(number, course.bare(item))
        for number, item in session.each(CLEANS, learner=learner_id, now=now)
    ]
    slips = [
        MistakeElsewhere(place, day_of(time_of(at)), misconception)
        for place, at, misconception in session.each(SLIPS, learner=learner_id)
    ]
    found = notebook(course, wrongs, cleans, slips)
    answers = {one: answer(session, learner_id, course, one, now) for one in shown(found, kind)}
    return NotebookData(learner_id, found, answers)


def shown(found: Notebook, kind: str) -> Iterator[int]:
    """The numbers of the answers that a page shows."""
    for entry in found.entries:
        if entry.kind.id == kind:
            yield from (wrong.number for wrong in entry.wrongs[:SHOWN_OF_ONE])
        elif not entry.cleared and not kind:
            yield from (wrong.number for wrong in entry.wrongs[:SHOWN])


def answer(
    session: VerbSession, learner_id: int, course: Course, number: int, now: datetime
) -> WrongAnswer | None:
    """A wrong answer as it was given; None where its assignment is gone, and with it the question."""
    row = session.all(ANSWER, learner=learner_id, number=number, now=now)[0]
    item, attempt_id, source, seed, raw, tries = row
    if source == "assignment":
        seed = submissions.seed_of(session, attempt_id, item)
        if seed is None:
            return None
    return WrongAnswer(course.bare(item), attempt_id, seed, attempts.typed(raw), tries)
