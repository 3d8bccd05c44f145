"""A guest, and the account they sign in to."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from app.course.games.duel_play import DuelState, moves_through
from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning import lesson_pages
from app.records.learning.values import LessonPageData
from app.records.people import signing_in
from tests.records.cast import (
    COURSE,
    EXAMPLE,
    NOW,
    STAGE,
    Desk,
    newcomer,
)

GUEST, STUDENT = Caller(proposed_token="guest"), Caller(proposed_token="student")


HIDDEN = "$argon2$"


def signed_up(desk: Desk, caller: Caller = STUDENT) -> int:
    """小糖 with an account; the rest of the tests say what was done before and after."""
    desk.write(accounts.create_account, Caller(), *newcomer("小糖", caller.proposed_token or "", HIDDEN), NOW)
    learner_id = desk.read(learners.find_learner_id, Caller(caller.proposed_token))
    assert learner_id is not None
    return learner_id


def sign_in(
    desk: Desk, caller: Caller = GUEST, token: str = "home", days: float = 1, ends_code: bool = False
) -> Caller:
    """小糖, so many days after `NOW`; who they are from then on."""
    credentials, browser = newcomer("小糖", token, HIDDEN)
    desk.write(
        signing_in.sign_in,
        Caller(caller.proposed_token),
        credentials,
        replace(browser, ends_code=ends_code),
        COURSE,
        NOW + timedelta(days=days),
    )
    return Caller(token)


def lesson_data(desk: Desk, caller: Caller) -> LessonPageData:
    return desk.read(lesson_pages.load_lesson, caller, STAGE, (EXAMPLE,))


PLAY = Play("duel", 0, 7)


def play(moves: int) -> Callable[[Desk, Caller], None]:
    def act(desk: Desk, caller: Caller) -> None:
        for position, (move, raw) in enumerate(list(moves_through(7))[:moves], start=1):
            desk.write(plays.make_move, caller, PLAY, Move(position, move, raw), DuelState(7), NOW)

    return act
