"""What the games say: `games.yaml`. Every misconception that a stroke can show has its attack."""

from collections.abc import Iterable
from typing import Self

from pydantic import Field, model_validator

from app import engine
from app.course.games import interleaving, judging, pushing
from app.course.games.duel import DRAW_BY_KIND
from app.course.games.monster import HINTS_OF_STROKE
from app.course.items.examples import Document
from app.course.text.model_base import ContentPart, Text, Title

STROKE_KINDS = ("gain", "discount", "term", "cg", "dcg", "ideal-order", "idcg", "ndcg")


class OpeningVideos(ContentPart):
    """The four videos of the first round, from the least liked on."""

    query: Title
    engine: Title
    documents: list[Document] = Field(min_length=4, max_length=4)


class RoundWords(ContentPart):
    """A round: its name, what is asked, what is asked after the twist, and what it shows."""

    name: Title
    ask: Text
    twist: Text | None = None
    told: Text


class Ending(ContentPart):
    """What the end says to those who got at least this share of all."""

    share: float = Field(ge=0, le=1)
    name: Title
    text: Text


class RoundsWords(ContentPart):
    """A game in named rounds. `rounds`: by the kinds that its seed draws."""

    title: Title
    lead: Text
    rounds: dict[str, RoundWords]
    endings: list[Ending] = Field(min_length=2)


class DuelWords(RoundsWords):
    """谁的推荐更懂我. `opening`: what its first round compares."""

    opening: OpeningVideos

    @model_validator(mode="after")
    def _every_round_has_words(self) -> Self:
        _check_names(set(self.rounds), set(DRAW_BY_KIND), "rounds")
        return self

    @model_validator(mode="after")
    def _opening_grades_rise_by_one(self) -> Self:
        if [document.grade for document in self.opening.documents] != [0, 1, 2, 3]:
            raise ValueError("opening的四条视频，甜度要依次是0、1、2、3")
        return self


class PushingWords(RoundsWords):
    """分力气. `mistakes`: what is said to a spread that shows one; `stray`: to one that shows none."""

    mistakes: dict[str, Text]
    right: Text
    stray: Text

    @model_validator(mode="after")
    def _every_mistake_has_words(self) -> Self:
        _check_names(set(self.mistakes), set(pushing.NAMED_SPREAD_IDS), "mistakes")
        return self


class AttackWords(ContentPart):
    """How the monster uses a mistake: the name of its attack, and what it shouts."""

    name: Title
    cry: Text


class StrokeWords(ContentPart):
    """A stroke: its name as a weapon, what is asked, hints (potions), and what is said when it hits."""

    name: Title
    ask: Text
    hints: list[Text] = Field(min_length=HINTS_OF_STROKE, max_length=HINTS_OF_STROKE)
    hit: Text


class LevelWords(ContentPart):
    """A difficulty: its name, what lies ahead, how long it takes."""

    name: Title
    text: Text
    minutes: int = Field(ge=3, le=12)


def striking_misconception_ids() -> set[str]:
    """The mistakes that can be made in a stroke: those of NDCG, none of the measures beside it.

    >>> "natural_log" in striking_misconception_ids(), "rank_from_zero" in striking_misconception_ids()
    (True, False)
    """
    stroke_kinds = set(STROKE_KINDS)
    return {
        misconception.id
        for misconception in engine.MISCONCEPTIONS.values()
        if stroke_kinds & set(misconception.quantities)
    }


class MonsterWords(ContentPart):
    """击败DCG怪兽，赢得归一化之剑."""

    title: Title
    lead: Text
    levels: list[LevelWords] = Field(min_length=3, max_length=3)
    begin: list[Text] = Field(min_length=1)
    strokes: dict[str, StrokeWords]
    attacks: dict[str, AttackWords]
    stumble: AttackWords
    graze: Text
    blocked: Text
    helped: Text
    estimated: Text
    healed: Text
    won: Text
    retreat: Text

    @model_validator(mode="after")
    def _every_striking_misconception_has_its_attack(self) -> Self:
        _check_names(set(self.attacks), striking_misconception_ids(), "attacks")
        _check_names(set(self.strokes), set(STROKE_KINDS), "strokes")
        attack_names = [attack_words.name for attack_words in self.attacks.values()]
        if len(set(attack_names)) < len(attack_names):
            raise ValueError("attacks里有两招同名")
        return self

    def attack_words_of(self, misconception_ids: Iterable[str]) -> AttackWords:
        """The attack that a mistake becomes: of two that act together both names and the first cry."""
        offered_attack_words = list(filter(None, map(self.attacks.get, misconception_ids)))
        if not offered_attack_words:
            return self.stumble
        combined_attack_name = "＋".join(attack_words.name for attack_words in offered_attack_words)
        return offered_attack_words[0].model_copy(update={"name": combined_attack_name})


class Games(ContentPart):
    """`games.yaml`: the words of the games; what they ask comes from a seed."""

    duel: DuelWords
    monster: MonsterWords
    judging: RoundsWords
    interleaving: RoundsWords
    pushing: PushingWords

    @model_validator(mode="after")
    def _every_kind_of_round_has_words(self) -> Self:
        _check_names(set(self.judging.rounds), set(judging.DOCUMENT_COUNTS_BY_KIND), "judging.rounds")
        _check_names(
            set(self.interleaving.rounds), set(interleaving.SHARED_DISH_COUNT_BY_KIND), "interleaving.rounds"
        )
        _check_names(
            set(self.pushing.rounds), set(pushing.DOCUMENT_COUNT_AND_MISTAKE_BY_KIND), "pushing.rounds"
        )
        return self

    def words_of(self, game_name: str) -> MonsterWords | RoundsWords:
        """The words of a game, by its name in addresses and records."""
        game_words: MonsterWords | RoundsWords = getattr(self, game_name)
        return game_words


def _check_names(written_names: set[str], expected_names: set[str], field_name: str) -> None:
    """Exactly the expected names. Raises ValueError."""
    if missing_names := sorted(expected_names - written_names):
        raise ValueError(f"{field_name}里少了：{'、'.join(missing_names)}")
    if unknown_names := sorted(written_names - expected_names):
        raise ValueError(f"{field_name}里多了：{'、'.join(unknown_names)}")
