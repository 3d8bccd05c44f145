"""Plays of games: moves are added, never changed; the first at a position stands; each to their own."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from app.course.games.days import seed_of_day
from app.course.games.duel_play import DuelState, moves_through
from app.records.accounts.values import Caller
from app.records.db.errors import Stale
from app.records.games import plays as play_records
from app.records.games.values import Move, MoveRow, Play, PlayData, RecentPlays
from tests.records.cast import NOW, XIAOTANG, XIAOXU, Desk, UnreadableError
from tests.records.own_progress import load_progress

KNOWN, OTHER = Caller(XIAOTANG.proposed_token), Caller(XIAOXU.proposed_token)
RETURNING = Caller(XIAOTANG.proposed_token, XIAOTANG.proposed_token)
PLAY = Play("duel", 0, 7)
MOVES = list(moves_through(7))


@dataclass(frozen=True)
class Strict:
    """A judge that can read nothing."""

    def judge(self, _moves: tuple[MoveRow, ...], _move: str, raw: str, /) -> None:
        raise UnreadableError(raw)


def make(
    desk: Desk, position: int, move: str, raw: str = "", player: Caller = RETURNING, play: Play = PLAY
) -> PlayData:
    return desk.write(
        play_records.make_move, player, play, Move(position, move, raw), DuelState(play.seed), NOW
    )


def test_moves_are_kept_in_their_order_with_what_they_came_to(desk: Desk) -> None:
    make(desk, 1, "guess", "x")
    play = make(desk, 2, "open")
    assert [(row.position, row.move, row.raw, row.step, row.verdict) for row in play.moves] == [
        (1, "guess", "x", "1.1", "wrong"),
        (2, "open", "", "1.1", "open"),
    ]
    assert desk.read(play_records.load_play, KNOWN, PLAY, NOW).moves == play.moves


def test_a_double_click_and_an_old_page_change_nothing(desk: Desk) -> None:
    make(desk, 1, "guess", "x")
    assert make(desk, 1, "guess", "y").moves[0].raw == "x"
    assert len(make(desk, 5, "open").moves) == 1
    assert len(make(desk, 2, "on").moves) == 1, "not to be made now"
    assert desk.count("game_move") == 1


def test_two_clicks_at_once_are_one_move(desk: Desk) -> None:
    desk.write_together(
        lambda session: play_records.make_move(
            session, XIAOTANG, PLAY, Move(1, "guess", "x"), DuelState(7), NOW
        ),
        lambda session: play_records.make_move(
            session, XIAOTANG, PLAY, Move(1, "guess", "y"), DuelState(7), NOW
        ),
    )
    assert desk.rows("SELECT position, raw FROM game_move") == [(1, "x")]
    assert desk.count("learner") == 1


def test_what_cannot_be_read_leaves_nothing(desk: Desk) -> None:
    with pytest.raises(UnreadableError):
        desk.write(play_records.make_move, XIAOTANG, PLAY, Move(1, "answer", "甜"), Strict(), NOW)
    assert desk.count("game_move") == desk.count("learner") == 0


def test_the_last_move_holds_the_result(desk: Desk) -> None:
    for position, (move, raw) in enumerate(MOVES, 1):
        make(desk, position, move, raw)
    make(desk, 1, "guess", "x", play=Play("duel", 0, 8))
    [begun, done] = desk.read(play_records.load_recent_plays, KNOWN, NOW).plays
    assert (begun.seed, begun.move_count, begun.outcome, begun.score) == (8, 1, None, None)
    assert (done.seed, done.move_count, done.outcome, done.score, done.total) == (
        7,
        len(MOVES),
        "done",
        12,
        12,
    )
    assert len(make(desk, len(MOVES) + 1, "on").moves) == len(MOVES), "it is over"


def test_each_game_level_and_seed_is_a_play_of_its_own(desk: Desk) -> None:
    for play in (PLAY, Play("duel", 0, 8), Play("monster", 1, 7), Play("monster", 2, 7)):
        make(desk, 1, "guess", "x", play=play)
        assert len(desk.read(play_records.load_play, KNOWN, play, NOW).moves) == 1
    assert len(desk.read(play_records.load_recent_plays, KNOWN, NOW).plays) == 4


def test_nobody_sees_the_moves_of_others(desk: Desk) -> None:
    make(desk, 1, "guess", "x")
    assert desk.read(play_records.load_play, Caller(), PLAY, NOW) == PlayData()
    assert desk.read(play_records.load_recent_plays, Caller(), NOW) == RecentPlays(NOW.date())
    make(desk, 1, "guess", "y", player=XIAOXU)
    assert [row.raw for row in desk.read(play_records.load_play, OTHER, PLAY, NOW).moves] == ["y"]
    assert [row.raw for row in desk.read(play_records.load_play, KNOWN, PLAY, NOW).moves] == ["x"]


def test_a_day_on_which_one_played_is_a_day_of_learning(desk: Desk) -> None:
    make(desk, 1, "guess", "x")
    assert desk.read(load_progress, KNOWN).day_count == 1


def test_nobody_moves_without_saying_who(desk: Desk) -> None:
    with pytest.raises(Stale):
        make(desk, 1, "guess", "x", player=Caller())


def test_a_star_the_best_and_what_stands_open_outlast_many_later_plays(desk: Desk) -> None:
    for position, (move, raw) in enumerate(MOVES, 1):
        make(desk, position, move, raw)
    open_play = Play("judging", 0, 3)
    make(desk, 1, "guess", "x", play=open_play)
    of_today = Play("duel", 0, seed_of_day(NOW.date()))
    make(desk, 1, "guess", "x", play=of_today)
    for seed in range(1000, 1000 + play_records.MOST_LISTED_PLAYS):
        make(desk, 1, "guess", "x", play=Play("monster", 1, seed))
    plays = desk.read(play_records.load_recent_plays, KNOWN, NOW).plays
    assert [Play(*play[:3]) for play in plays[play_records.MOST_LISTED_PLAYS :]] == [
        of_today,
        open_play,
        PLAY,
    ]
    assert (plays[-1].outcome, plays[-1].score) == ("done", 12)


def test_a_list_of_plays_ends_somewhere(desk: Desk) -> None:
    for seed in range(1, play_records.MOST_LISTED_PLAYS + 3):
        move = Move(1, "guess", "x")
        now = NOW + timedelta(minutes=seed)
        desk.write(play_records.make_move, RETURNING, Play("duel", 0, seed), move, DuelState(seed), now)
    plays = desk.read(play_records.load_recent_plays, KNOWN, NOW).plays
    assert [play.seed for play in plays] == list(range(play_records.MOST_LISTED_PLAYS + 2, 2, -1))
