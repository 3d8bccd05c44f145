"""Addresses of plays, and the shelf on which the games stand with their results."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.exercises.exercises import newest_exercise_id
from app.course.games import Games
from app.course.games.days import seed_of_day
from app.course.games.duel_play import DuelState
from app.records.games.values import Game, Play, PlayRow
from app.web.items.variants import exercise_url
from app.web.site.rendering import line_html
from app.web.site.responses import Context

DUEL_PATH, MONSTER_PATH = "/games/duel", "/games/monster"
JUDGING_PATH, INTERLEAVING_PATH, PUSHING_PATH = "/games/judging", "/games/interleaving", "/games/pushing"
MOST_LISTED_PLAYS = 6
MOST_PRACTICE_LINKS = 3
GAMES_AND_LEVELS_OF_DAY: Sequence[tuple[Game, int]] = (
    ("duel", 0),
    ("monster", 1),
    ("judging", 0),
    ("interleaving", 0),
    ("pushing", 0),
)
"""What has a play of the day; of the battles the easiest, whose end leads to the harder ones."""
WORDS_BY_OUTCOME = {"won": "赢了", "retreat": "先撤了", "done": "打完了", None: "还没打完"}


class PlayLink(NamedTuple):
    """A play in the list of the last ones."""

    name: str
    seed: int
    url: str
    result_words: str
    score_text: str


def seed_url(game_name: str, seed: int) -> str:
    """Where a play of a game without levels stands."""
    return f"/games/{game_name}?seed={seed}"


def fresh_play_url(game_name: str) -> str:
    """Where a play that nobody has begun yet starts; its address gets a seed."""
    return f"/games/{game_name}"


def fresh_battle_url(level: int) -> str:
    """Where a battle of this level starts that nobody has begun yet."""
    return f"{MONSTER_PATH}?level={level}"


def monster_url(level: int, seed: int) -> str:
    return f"{MONSTER_PATH}?level={level}&seed={seed}"


def play_url(play: Play | PlayRow) -> str:
    if play.game == "monster":
        return monster_url(play.level, play.seed)
    return seed_url(play.game, play.seed)


class GameLink(NamedTuple):
    """The way to a game, with its title and what it is about."""

    title: str
    lead_html: Markup
    url: str


def game_link_of(course: Course, game_name: str) -> GameLink:
    """The way to a game that the course has."""
    assert course.games is not None  # checked with the names of the course
    game_words = course.games.words_of(game_name)
    return GameLink(game_words.title, line_html(course, game_words.lead), fresh_play_url(game_name))


class PracticeLink(NamedTuple):
    """An exercise at a level."""

    title: str
    url: str


def practice_links(course: Course, exercise_ids_and_levels: Iterable[tuple[str, int]]) -> list[PracticeLink]:
    """The ways to a few exercises, each at a level; an exercise that the course does not have is left out."""
    exercise_links = []
    for exercise_id, level in dict.fromkeys(exercise_ids_and_levels):
        if exercise_id in course.exercises:
            offered_exercise_id = newest_exercise_id(course.exercises, exercise_id)
            exercise_links.append(
                PracticeLink(
                    course.exercises[offered_exercise_id].title, exercise_url(offered_exercise_id, level)
                )
            )
    return exercise_links[:MOST_PRACTICE_LINKS]


def games_context(game_words: Games, plays: Sequence[PlayRow], today: date) -> Context:
    """The context of `games/index.html`."""
    plays_by_game = defaultdict[Game, list[PlayRow]](list)
    for play in plays:
        plays_by_game[play.game].append(play)
    finished_duels = [play for play in plays_by_game["duel"] if play.outcome]
    return {
        "words": game_words,
        "duel_guess_count": DuelState(1).highest_score,
        "best_duel": max(finished_duels, key=lambda play: play.score or 0, default=None),
        "unfinished_duel": _unfinished_url(plays_by_game["duel"]),
        "unfinished_battle": _unfinished_url(plays_by_game["monster"]),
        "unfinished_judging": _unfinished_url(plays_by_game["judging"]),
        "unfinished_serving": _unfinished_url(plays_by_game["interleaving"]),
        "unfinished_pushing": _unfinished_url(plays_by_game["pushing"]),
        "won_levels": {play.level for play in plays_by_game["monster"] if play.outcome == "won"},
        "today": today,
        "links_of_today": list(_play_links_of_day(game_words, plays, today)),
        "play_links": [_play_link(game_words, play) for play in plays[:MOST_LISTED_PLAYS]],
    }


def _unfinished_url(plays: Sequence[PlayRow]) -> str | None:
    """The way to the latest play; None where it has ended."""
    if not plays or plays[0].outcome:
        return None
    return play_url(plays[0])


def _play_links_of_day(game_words: Games, plays: Sequence[PlayRow], day: date) -> Iterator[PlayLink]:
    """The play of the day in every game; with its result, where this learner has one."""
    seed = seed_of_day(day)
    play_by_game_and_level = {(play.game, play.level): play for play in plays if play.seed == seed}
    for game, level in GAMES_AND_LEVELS_OF_DAY:
        play = play_by_game_and_level.get((game, level))
        if play is not None:
            yield _play_link(game_words, play)
            continue
        play_of_day_url = play_url(Play(game, level, seed))
        yield PlayLink(_play_name(game_words, game, level), seed, play_of_day_url, "", "")


def _play_name(game_words: Games, game: Game, level: int) -> str:
    if game == "monster":
        return game_words.monster.levels[level - 1].name
    return game_words.words_of(game).title


def _play_link(game_words: Games, play: PlayRow) -> PlayLink:
    play_name = _play_name(game_words, play.game, play.level)
    score_text = ""
    if play.score is not None:
        score_text = f"{play.score}／{play.total}"
    return PlayLink(play_name, play.seed, play_url(play), WORDS_BY_OUTCOME[play.outcome], score_text)
