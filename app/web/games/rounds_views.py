"""What the pages of games in named rounds have in common: addresses, words, the title at the end."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.games.moves import PlayState
from app.course.games.words import Ending, RoundsWords, RoundWords
from app.records.games.values import MoveRow
from app.web.games.game_views import PracticeLink, fresh_play_url, practice_links
from app.web.site.rendering import line_html


class RoundSummary(NamedTuple):
    """A round at the end of a play: its name, what it brought, and what it shows. `is_full`: no more could
    be had."""

    name: str
    score_text: str
    explanation_html: Markup
    is_full: bool


@dataclass(frozen=True)
class RoundsView(ABC):
    """The play of a seed after the moves."""

    course: Course
    game_words: RoundsWords
    seed: int
    moves: Sequence[MoveRow]

    game_name: ClassVar[str]

    @property
    @abstractmethod
    def state(self) -> PlayState:
        """Where it stands."""

    @property
    def highest_score(self) -> int:
        return self.state.highest_score

    @property
    @abstractmethod
    def exercise_ids_and_levels(self) -> Sequence[tuple[str, int]]:
        """Exercises for afterwards, each at a level."""

    @property
    def moves_url(self) -> str:
        return f"/games/{self.game_name}/{self.seed}/moves"

    @property
    def next_play_url(self) -> str:
        return fresh_play_url(self.game_name)

    @property
    def round_words(self) -> RoundWords:
        return self.game_words.rounds[self.state.round.kind]

    def line_html(self, markdown_text: str) -> Markup:
        return line_html(self.course, markdown_text)

    def round_summary(self, round_kind: str, score: int, highest_score: int) -> RoundSummary:
        """A round by its kind, once it is over; `highest_score`: what it could have brought."""
        round_words = self.game_words.rounds[round_kind]
        return RoundSummary(
            round_words.name,
            f"{score}／{highest_score}",
            self.line_html(round_words.told),
            is_full=score == highest_score,
        )

    @property
    def ending(self) -> Ending:
        """The title for the score."""
        score_share = self.state.score / self.highest_score
        return next(ending for ending in self.game_words.endings if score_share >= ending.share)

    @property
    def exercise_links(self) -> list[PracticeLink]:
        """Exercises for whoever wants to go on with what the game was about."""
        return practice_links(self.course, self.exercise_ids_and_levels)
