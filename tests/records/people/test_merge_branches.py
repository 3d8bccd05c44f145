"""A guest's work moves into an account: both ways that each decision can go, one after the other."""

import pytest

from app.course.items.marks import ItemGone
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.learning import responding, reveals
from app.records.learning.values import AttemptKey, Guess
from app.records.people import signing_in
from tests.records.cast import COURSE, EXAMPLE, ITEM, LESSON, NOW, STAGE, TWIN, Desk, SmallCourse, answer
from tests.records.people.merging import GUEST, PLAY, STUDENT, lesson_data, play, sign_in, signed_up

RIGHT, WRONG = "4.26", "1"
OTHER_SEED = AttemptKey(source="lesson", ref=STAGE, seed=8)


def respond(
    desk: Desk, caller: Caller, raw: str, item: str = ITEM, attempt_key: AttemptKey = LESSON, number: int = 1
) -> None:
    desk.write(responding.respond, caller, attempt_key, answer(raw, number, item), COURSE, NOW)


def hint(desk: Desk, caller: Caller, position: int, item: str = ITEM) -> None:
    desk.write(responding.open_next_hint, caller, LESSON, item, position, NOW)


RESPONSES = (
    "SELECT a.round, r.raw FROM response r JOIN attempt a ON a.id = r.attempt_id ORDER BY a.round, r.id"
)
HINTS = (
    "SELECT a.round, h.item, h.position FROM hint h JOIN attempt a ON a.id = h.attempt_id ORDER BY 1, 2, 3"
)


@pytest.mark.parametrize(
    ("account", "guest", "verdict"),
    [(WRONG, RIGHT, RIGHT), (RIGHT, WRONG, RIGHT), (WRONG, "2", WRONG), (RIGHT, "4.2", RIGHT)],
)
def test_of_two_answers_the_account_s_is_shown_unless_only_the_guest_was_right(
    desk: Desk, account: str, guest: str, verdict: str
) -> None:
    signed_up(desk)
    respond(desk, STUDENT, account)
    respond(desk, GUEST, guest)
    [response] = lesson_data(desk, sign_in(desk)).responses
    assert response.raw == (verdict,)
    assert [number for number, _ in desk.rows(RESPONSES)] == [0, 1]


def test_with_the_finished_answers_come_their_hints(desk: Desk) -> None:
    signed_up(desk)
    for position in (1, 2):
        hint(desk, STUDENT, position)
    hint(desk, STUDENT, 1, TWIN)
    respond(desk, STUDENT, WRONG)
    hint(desk, GUEST, 1)
    respond(desk, GUEST, RIGHT)
    sign_in(desk)
    assert desk.rows(HINTS) == [(0, ITEM, 1), (0, ITEM, 2), (1, ITEM, 1), (1, TWIN, 1)]


def test_hints_join_where_nobody_or_only_the_guest_has_answered(desk: Desk) -> None:
    signed_up(desk)
    hint(desk, STUDENT, 1)
    hint(desk, GUEST, 1)
    hint(desk, GUEST, 2)
    hint(desk, GUEST, 1, TWIN)
    respond(desk, GUEST, RIGHT, TWIN)
    sign_in(desk)
    assert desk.rows(HINTS) == [(0, ITEM, 1), (1, ITEM, 1), (1, ITEM, 2), (1, TWIN, 1)]
    assert [number for number, _ in desk.rows(RESPONSES)] == [1]


def test_hints_stay_behind_where_the_account_has_answered(desk: Desk) -> None:
    signed_up(desk)
    respond(desk, STUDENT, WRONG)
    hint(desk, GUEST, 1)
    sign_in(desk)
    assert desk.rows(HINTS) == [(0, ITEM, 1)]


class Forgetful(SmallCourse):
    """No longer has the item."""

    def version_hash_and_body(self, item: str, _seed: int) -> tuple[str, str]:
        raise ItemGone(item)


def test_of_another_seed_only_the_very_same_question_comes_along(desk: Desk) -> None:
    """`SmallCourse` asks the same with every seed."""
    signed_up(desk)
    respond(desk, STUDENT, WRONG, TWIN)
    respond(desk, GUEST, RIGHT, attempt_key=OTHER_SEED)
    assert [response.item_ref for response in lesson_data(desk, sign_in(desk)).responses] == [TWIN, ITEM]
    assert desk.rows("SELECT round, seed FROM attempt") == [(1, 7)], (
        "the empty attempt of the guest is no more"
    )


@pytest.mark.parametrize(("seed", "rounds"), [(7, [1, 1]), (8, [0, 1])])
def test_what_is_no_longer_in_the_course_comes_along_with_the_same_seed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, seed: int, rounds: list[int]
) -> None:
    signed_up(desk)
    respond(desk, STUDENT, WRONG, TWIN)
    respond(desk, GUEST, RIGHT, attempt_key=AttemptKey(source="lesson", ref=STAGE, seed=seed))
    monkeypatch.setattr("tests.records.people.merging.COURSE", Forgetful())
    sign_in(desk)
    assert [number for number, _ in desk.rows(RESPONSES)] == rounds


# The opening of an example.

OPENINGS = "SELECT round, position FROM reveal ORDER BY round, position"


def open_up_to(desk: Desk, caller: Caller, last: int) -> None:
    for position in range(1, last + 1):
        desk.write(reveals.open_position, caller, EXAMPLE, Guess(position, "more", True), NOW)


@pytest.mark.parametrize(
    ("account", "guest", "openings"),
    [
        (0, 2, [(1, 1), (1, 2)]),
        (1, 3, [(0, 1), (1, 1), (1, 2), (1, 3)]),
        (2, 2, [(0, 1), (0, 2), (1, 1), (1, 2)]),
        (3, 1, [(0, 1), (1, 1), (1, 2), (1, 3)]),
    ],
)
def test_the_opening_goes_on_where_the_account_stopped(
    desk: Desk, account: int, guest: int, openings: list[tuple[int, int]]
) -> None:
    signed_up(desk)
    open_up_to(desk, STUDENT, account)
    open_up_to(desk, GUEST, guest)
    sign_in(desk)
    assert desk.rows(OPENINGS) == openings


# Plays.


@pytest.mark.parametrize(
    ("account", "guest", "owner"), [(2, 5, "guest"), (5, 2, "account"), (3, 3, "account"), (3, 4, "guest")]
)
def test_of_two_plays_the_longer_one_is_shown_and_of_equal_ones_the_account_s(
    desk: Desk, account: int, guest: int, owner: str
) -> None:
    signed_up(desk)
    play(account)(desk, STUDENT)
    account_ids = {number for (number,) in desk.rows("SELECT id FROM game_move")}
    play(guest)(desk, GUEST)
    caller = sign_in(desk)
    assert len(desk.read(plays.load_play, caller, PLAY, NOW).moves) == max(account, guest)
    shown_ids = {number for (number,) in desk.rows("SELECT id FROM game_move WHERE position > 0")}
    assert (shown_ids == account_ids) == (owner == "account")
    assert desk.count("game_move") == account + guest


@pytest.mark.parametrize(("account", "guest"), [(2, 5), (5, 2)])
def test_a_guest_into_whom_another_was_merged_comes_along_too(desk: Desk, account: int, guest: int) -> None:
    """What was set aside the first time stays set aside, below what is now."""
    signed_up(desk)
    play(account)(desk, STUDENT)
    play(guest)(desk, GUEST)
    first_guest = Caller(proposed_token="first-guest")
    play(3)(desk, first_guest)
    code = desk.write(learners.give_resume_code, GUEST, NOW).code
    desk.write(signing_in.enter_with_code, Caller("first-guest"), code, "elsewhere", COURSE, NOW)
    caller = sign_in(desk, Caller(proposed_token="elsewhere"), ends_code=True)
    assert len(desk.read(plays.load_play, caller, PLAY, NOW).moves) == max(account, guest)
    assert desk.count("game_move") == account + guest + 3


End = tuple[int, str | None, int | None]
"""How a play stands: how many moves, outcome, score."""


def put_play(desk: Desk, learner_id: int, end: End) -> None:
    desk.is_summed = False
    move_count, outcome, score = end

    def write(session: VerbSession) -> None:
        move = {"learner_id": learner_id, **PLAY._asdict(), "move": "guess", "raw": "", "step": "1"}
        move |= {"verdict": "right", "value": None, "misconception_code": None, "created_at": NOW}
        for position in range(1, move_count):
            session.run(plays.ADD_MOVE, **move, position=position, outcome=None, score=None, total=None)
        session.run(plays.ADD_MOVE, **move, position=move_count, outcome=outcome, score=score, total=9)

    desk.write(write)


@pytest.mark.parametrize(
    ("account", "guest", "shown"),
    [
        ((2, "done", 0), (5, None, None), "account"),
        ((5, None, None), (2, "retreat", 0), "guest"),
        ((2, "won", 3), (5, "retreat", 4), "account"),
        ((5, "retreat", 4), (2, "won", 3), "guest"),
        ((2, "done", 7), (5, "done", 6), "account"),
        ((5, "done", 6), (2, "done", 7), "guest"),
        ((2, "done", 6), (5, "done", 6), "guest"),
        ((2, "done", 6), (2, "done", 6), "account"),
    ],
)
def test_of_two_plays_the_better_one_is_shown(desk: Desk, account: End, guest: End, shown: str) -> None:
    """One that has ended, then one that was won, then the score; of a tie the longer one."""
    put_play(desk, signed_up(desk), account)
    account_ids = {number for (number,) in desk.rows("SELECT id FROM game_move")}
    hint(desk, GUEST, 1)
    guest_id = desk.read(learners.find_learner_id, Caller(GUEST.proposed_token))
    assert guest_id is not None
    put_play(desk, guest_id, guest)
    caller = sign_in(desk)
    shown_ids = {number for (number,) in desk.rows("SELECT id FROM game_move WHERE position > 0")}
    assert (shown_ids == account_ids) == (shown == "account")
    [recent_play] = desk.read(plays.load_recent_plays, caller, NOW).plays
    assert recent_play.outcome == (account if shown == "account" else guest)[1]
    assert desk.count("game_move") == account[0] + guest[0]
