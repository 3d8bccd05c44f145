"""Plays beside each other: the same game, and each with moves of its own."""

from collections.abc import Sequence

from app.course.games.duel_play import DuelState
from app.records.accounts.values import Caller
from app.records.games import plays
from app.records.games.values import Move, Play
from tests.records.cast import NOW, Desk
from tests.records.long_histories import large_desk as lonely_desk
from tests.records.neighbours import expect_apart

__all__ = ["lonely_desk"]

PLAYS = (Play("duel", 0, 7), Play("duel", 0, 8), Play("duel", 1, 7), Play("monster", 0, 7))
MOVES = ((), ("guess",), ("guess", "open"))


def play(desk: Desk, caller: Caller, moves_of_plays: Sequence[Sequence[str]]) -> None:
    for duel, moves in zip(PLAYS, moves_of_plays, strict=True):
        for position, move in enumerate(moves, 1):
            sent_move = Move(position, move, "x")
            desk.write(plays.make_move, caller, duel, sent_move, DuelState(duel.seed), NOW)
    played = [desk.read(plays.load_play, caller, duel, NOW).moves for duel in PLAYS]
    assert [tuple(row.move for row in move_rows) for move_rows in played] == list(moves_of_plays)


def test_each_play_is_read_and_gone_on_with_by_its_player_alone(desk: Desk, lonely_desk: Desk) -> None:
    expect_apart(
        desk,
        lonely_desk,
        lambda at_desk, caller: play(at_desk, caller, (*MOVES, MOVES[2])),
        lambda at_desk, caller: play(at_desk, caller, (*MOVES[::-1], MOVES[1])),
        lambda at_desk, caller: [
            [at_desk.read(plays.load_play, caller, duel, NOW) for duel in PLAYS],
            at_desk.read(plays.load_recent_plays, caller, NOW),
        ],
    )
