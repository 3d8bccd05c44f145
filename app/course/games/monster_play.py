"""A battle after its moves: what was struck, what struck back, who still stands.

A right step strikes. A recognised mistake is an attack and costs a heart; the shield, which is the IDCG,
takes one instead. A number that was only rounded badly grazes and costs nothing. A potion is a hint, and a
heart if one is missing. The tutor may be called in for a step that did not work: nobody gets stuck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import engine
from app.course.games.monster import Battle, Stroke, battle
from app.course.games.moves import JudgedMove, MadeMove
from app.course.items import numbers, rounding
from app.engine.diagnosis import ROUNDING

HEARTS = {1: 5, 2: 4, 3: 4}
POTIONS = 3
NEAR = 1.5
"""As many units of the last place beside the accepted numbers still graze."""
SHIELD = "idcg"
"""The kind of stroke that raises the shield."""


@dataclass(frozen=True)
class StruckBack:
    """What struck back: at which stroke, and by which mistake. `code` None: nothing explains the number."""

    stroke: int
    code: str | None = None


@dataclass(frozen=True)
class BattleState:
    """Where a battle stands. `at` counts strokes from 0; `hints` and `tried` are those of the present one.

    `last`: what the last move came to: right, wrong, blocked, graze, hint, shown; empty at the beginning.
    """

    battle: Battle
    hearts: int
    potions: int = POTIONS
    at: int = 0
    shield: bool = False
    hints: int = 0
    tried: tuple[str, ...] = ()
    struck: tuple[int, ...] = ()
    helped: tuple[int, ...] = ()
    attacks: tuple[StruckBack, ...] = ()
    last: str = ""

    @property
    def stroke(self) -> Stroke:
        """The stroke that is asked now. IndexError once the battle is won."""
        return self.battle.strokes[self.at]

    @property
    def all_hearts(self) -> int:
        return HEARTS[self.battle.level]

    @property
    def layers(self) -> int:
        """How many strokes the monster still stands."""
        return len(self.battle.strokes) - self.at

    @property
    def outcome(self) -> str | None:
        """won: the last stroke is done; retreat: no heart is left; None: it goes on."""
        if self.hearts == 0:
            return "retreat"
        if self.layers == 0:
            return "won"
        return None

    def may(self, move: str, hints: int) -> bool:
        """Whether a move can be made: a potion while it has something to say, help once one has tried."""
        match move:
            case "potion":
                return self.potions > 0 and self.hints < hints
            case "help":
                return bool(self.tried) or self.hints > 0
        return move == "answer"


def state_after_moves(level: int, seed: int, moves: Sequence[MadeMove]) -> BattleState:
    """The battle after these moves."""
    state = BattleState(battle(level, seed), HEARTS[level])
    for move in moves:
        state = _state_after(state, move.verdict, move.raw, move.misconception)
    return state


def _state_after(state: BattleState, verdict: str, raw: str, misconception_code: str | None) -> BattleState:
    tried_answers = (*state.tried, raw)
    match verdict:
        case "right":
            return _next_state(replace(state, struck=(*state.struck, state.at), last=verdict))
        case "shown":
            return _next_state(replace(state, helped=(*state.helped, state.at), last=verdict))
        case "wrong":
            return _state_after_attack(
                replace(state, tried=tried_answers), StruckBack(state.at, misconception_code)
            )
        case "graze":
            return replace(state, tried=tried_answers, last=verdict)
    hearts = min(state.hearts + 1, state.all_hearts)
    return replace(state, potions=state.potions - 1, hints=state.hints + 1, hearts=hearts, last=verdict)


def _next_state(state: BattleState) -> BattleState:
    """On to the next stroke; the IDCG is the shield, whoever found it."""
    shield = state.shield or state.stroke.kind == SHIELD
    return replace(state, at=state.at + 1, hints=0, tried=(), shield=shield)


def _state_after_attack(state: BattleState, attack: StruckBack) -> BattleState:
    attacks = (*state.attacks, attack)
    if state.shield:
        return replace(state, attacks=attacks, shield=False, last="blocked")
    return replace(state, attacks=attacks, hearts=state.hearts - 1, last="wrong")


@dataclass(frozen=True)
class Fight:
    """The judge of a battle, as the records ask it. `hints`: how many there are to each stroke."""

    level: int
    seed: int
    hints: int = 2

    def judge(self, moves: Sequence[MadeMove], move: str, raw: str) -> JudgedMove | None:
        """What a further move comes to; None if it is not to be made now. Raises `Unreadable`.

        >>> fight, first = Fight(1, 7), battle(1, 7).strokes[0]
        >>> fight.judge([], "answer", first.right_answer_text).verdict, fight.judge([], "help", "")
        ('right', None)
        """
        old_state = state_after_moves(self.level, self.seed, moves)
        if old_state.outcome or raw in old_state.tried or not old_state.may(move, self.hints):
            return None
        judged_move = _judge_move(old_state.stroke, move, raw)
        if judged_move is None:
            return None
        new_state = _state_after(old_state, judged_move.verdict, raw, judged_move.misconception)
        if new_state.outcome is None:
            return judged_move
        stroke_count = len(new_state.battle.strokes)
        return replace(
            judged_move, outcome=new_state.outcome, score=len(new_state.struck), total=stroke_count
        )


def _judge_move(stroke: Stroke, move: str, raw: str) -> JudgedMove | None:
    if move == "potion":
        return JudgedMove(stroke.name, "hint")
    if move == "help":
        return JudgedMove(stroke.name, "shown")
    if not stroke.choices:
        return _judge_number(stroke, raw)
    for choice in stroke.choices:
        if choice.value == raw:
            if choice.misconception is None:
                return JudgedMove(stroke.name, "right", raw)
            return JudgedMove(stroke.name, "wrong", raw, choice.misconception)
    return None


def _judge_number(stroke: Stroke, raw: str) -> JudgedMove:
    number = numbers.read(raw)
    low, high = stroke.accepted
    if low <= number.value <= high:
        return JudgedMove(stroke.name, "right", number.echo)
    mistake = diagnosis(stroke, number.value)
    if mistake:
        misconception_code = mistake.code
        if mistake.step == ROUNDING:
            return JudgedMove(stroke.name, "graze", number.echo, misconception_code)
        return JudgedMove(stroke.name, "wrong", number.echo, misconception_code)
    nearness = NEAR * 10**-stroke.decimals
    if stroke.decimals and low - nearness <= number.value <= high + nearness:
        return JudgedMove(stroke.name, "graze", number.echo)
    return JudgedMove(stroke.name, "wrong", number.echo)


def diagnosis(stroke: Stroke, typed_number: float) -> engine.Diagnosis | None:
    """What explains a wrong number."""
    return rounding.diagnose(stroke.question, typed_number, stroke.decimals)


def slips(stroke: Stroke) -> dict[str, str]:
    """Mistake → what a player who makes it sends: for proofs and tests.

    >>> list(slips(battle(1, 7).strokes[-1]))[-1]
    'share_of_full_marks'
    """
    if stroke.choices:
        return {choice.misconception: choice.value for choice in stroke.choices if choice.misconception}
    decimals = max(stroke.decimals, 3)
    numbers_by_mistake = engine.predictions(stroke.question)
    return {
        misconception_id: f"{number:.{decimals}f}" for misconception_id, number in numbers_by_mistake.items()
    }
