"""Tables: plays."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text

from app.records.db.metadata import IdentifiedRow, column_named, owner_key


class GameMove(IdentifiedRow, table=True):
    """One move in a play of a game. A play is a game with a level and a seed; the first move stands.

    `outcome`, `score`, `total` stand with the move that ended the play: its kept result.
    """

    __tablename__ = "game_move"
    __table_args__ = (
        UniqueConstraint("learner_id", "game", "level", "seed", "position"),
        Index(None, "learner_id", "id"),  # the last move of somebody
        Index(
            "ix_game_move_mistakes",
            *("learner_id", "misconception_code", "created_at"),
            sqlite_where=text("misconception IS NOT NULL"),
        ),
    )

    learner_id: int = owner_key("learner.id")
    game: str  # duel | monster | judging | interleaving | pushing
    level: int  # 0 for a game without levels
    seed: int
    position: int
    move: str  # guess | open | all | on | answer | estimate | quick | potion | heal | help
    raw: str  # as it came
    step: str  # what it was about: 3.1, term-2
    verdict: str  # right | estimated | finished | wrong | graze | hint | read | healed | shown | open | …
    value: str | None = None  # what was understood
    misconception_code: str | None = column_named("misconception", default=None)
    outcome: str | None = None  # done | won | retreat
    score: int | None = None
    total: int | None = None
    created_at: datetime
