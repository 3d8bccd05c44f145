"""Addresses of plays, and the shelf on which both games stand with their results."""

from collections.abc import Sequence
from typing import Any

from app.course import Course
from app.course.games import Games
from app.course.games.duel_play import total
from app.course.games.words import DuelWords, MonsterWords
from app.records.games.values import PlayRow
from app.web.site.responses import markup

DUEL, MONSTER = "/games/duel", "/games/monster"
SHOWN = 6
OUTCOMES = {"won": "赢了", "retreat": "先撤了", "done": "打完了"}


def duel_url(seed: int) -> str:
    return f"{DUEL}?seed={seed}"


def monster_url(level: int, seed: int) -> str:
    return f"{MONSTER}?level={level}&seed={seed}"


def card(course: Course, game: str) -> dict[str, Any]:
    """A game as a lesson shows it: a card that leads to it."""
    assert course.games is not None  # checked with the names of the course
    words = course.games.duel if game == "duel" else course.games.monster
    return {"title": words.title, "lead": markup(course.line(words.lead)), "url": f"/games/{game}"}


def shelf(words: Games, plays: Sequence[PlayRow]) -> dict[str, Any]:
    """The context of `games/index.html`."""
    duels = [play for play in plays if play.game == "duel"]
    battles = [play for play in plays if play.game == "monster"]
    return {
        "duel": _duel(words.duel, duels),
        "monster": _monster(words.monster, battles),
        "plays": [_row(words, play) for play in plays[:SHOWN]],
    }


def _duel(words: DuelWords, plays: Sequence[PlayRow]) -> dict[str, Any]:
    best = max((play for play in plays if play.outcome), key=lambda one: one.score or 0, default=None)
    return {
        "title": words.title,
        "lead": words.lead,
        "url": DUEL,
        "guesses": total(1),
        "best": best,
        **_unfinished(plays),
    }


def _monster(words: MonsterWords, plays: Sequence[PlayRow]) -> dict[str, Any]:
    won = {play.level for play in plays if play.outcome == "won"}
    levels = [
        {
            "number": number,
            "name": level.name,
            "text": level.text,
            "minutes": level.minutes,
            "url": f"{MONSTER}?level={number}",
            "won": number in won,
        }
        for number, level in enumerate(words.levels, 1)
    ]
    return {"title": words.title, "lead": words.lead, "levels": levels, **_unfinished(plays)}


def _unfinished(plays: Sequence[PlayRow]) -> dict[str, Any]:
    """The latest play, where it has not ended."""
    last = plays[0] if plays else None
    return {"unfinished": _url(last) if last and not last.outcome else None}


def _url(play: PlayRow) -> str:
    return duel_url(play.seed) if play.game == "duel" else monster_url(play.level, play.seed)


def _row(words: Games, play: PlayRow) -> dict[str, Any]:
    name = words.duel.title if play.game == "duel" else words.monster.levels[play.level - 1].name
    result = f"{OUTCOMES.get(play.outcome or '', '还没打完')}"
    score = f"{play.score}／{play.total}" if play.score is not None else ""
    return {"name": name, "seed": play.seed, "url": _url(play), "result": result, "score": score}
