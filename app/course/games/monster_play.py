"""A battle after its moves: what was struck, what struck back, who still stands.

A right step strikes. Who dares strikes otherwise: an estimate that lies near enough takes two layers, a quick
blow names the ratio at once and ends the battle. A recognised mistake is an attack and costs a heart; the
shield, which is the IDCG, takes one instead. A number that was only rounded badly grazes and costs nothing. A
potion is a hint or a heart. The tutor may be called in for a step that did not work: nobody gets stuck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app import engine
from app.course.games.monster import Battle, Stroke, battle
from app.course.games.moves import JudgedMove, MadeMove
from app.course.items import numbers, rounding
from app.engine.diagnosis import ROUNDING_STEP

HEARTS_OF_LEVEL = {1: 5, 2: 4, 3: 4}
POTION_COUNT = 3
GRAZE_UNITS = 1.5
"""As many units of the last place beside the accepted numbers still graze."""
SHIELD_KIND = "idcg"
"""The kind of stroke that raises the shield."""
ESTIMATE_TOLERANCE = 0.05
"""So far from the number, as a share of it, an estimate still strikes."""
BOLD_MOVES = ("estimate", "quick")
"""The moves that strike otherwise than step by step."""


@dataclass(frozen=True)
class Attack:
    """What struck back: at which stroke, and by which mistake. `code` None: nothing explains the number."""

    stroke: int
    code: str | None = None


@dataclass(frozen=True)
class BattleState:
    """Where a battle stands. `at` counts strokes from 0; `hints` and `tried` are those of the present one.

    `last`: what the last move came to: right, estimated, finished, wrong, blocked, graze, shown, read,
    healed, or hint, which was the two before at once, in battles of former times; empty at the beginning.
    """

    battle: Battle
    hearts: int
    potions: int = POTION_COUNT
    at: int = 0
    shield: bool = False
    hints: int = 0
    tried: tuple[str, ...] = ()
    struck: tuple[int, ...] = ()
    helped: tuple[int, ...] = ()
    attacks: tuple[Attack, ...] = ()
    last: str = ""

    @property
    def stroke(self) -> Stroke:
        """The stroke that is asked now. IndexError once the battle is won."""
        return self.battle.strokes[self.at]

    @property
    def all_hearts(self) -> int:
        return HEARTS_OF_LEVEL[self.battle.level]

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
        """Whether a move can be made: a potion while it helps, help after a try, a bold blow in time."""
        layers_behind = self.layers - 1
        match move:
            case "potion":
                return self.potions > 0 and self.hints < hints
            case "heal":
                return self.potions > 0 and self.hearts < self.all_hearts
            case "help":
                return bool(self.tried) or self.hints > 0
            case "estimate":
                return layers_behind > 1 and self.stroke.decimals > 0 and not self.stroke.choices
            case "quick":
                return layers_behind > 0 and not self.stroke.choices
        return move == "answer"


def state_after_moves(level: int, seed: int, moves: Sequence[MadeMove]) -> BattleState:
    """The battle after these moves."""
    state = BattleState(battle(level, seed), HEARTS_OF_LEVEL[level])
    for move in moves:
        state = _state_after(state, move)
    return state


def _state_after(state: BattleState, move: MadeMove) -> BattleState:
    tried_answers = (*state.tried, move.raw)
    match move.verdict:
        case "right":
            return _state_after_hit(state, 1, move.verdict)
        case "estimated":
            return _state_after_hit(state, 2, move.verdict)
        case "finished":
            return _state_after_hit(state, state.layers, move.verdict)
        case "shown":
            return _next_state(replace(state, helped=(*state.helped, state.at), last=move.verdict))
        case "wrong":
            attack = Attack(_stroke_index_of(state, move.move), move.misconception)
            return _state_after_attack(replace(state, tried=tried_answers), attack)
        case "graze":
            return replace(state, tried=tried_answers, last=move.verdict)
    return _state_after_potion(state, move.verdict)


def _state_after_potion(state: BattleState, verdict: str) -> BattleState:
    """A bottle read is a hint, one that is drunk a heart; in battles of former times it was both."""
    hints = state.hints
    hearts = state.hearts
    if verdict != "healed":
        hints += 1
    if verdict != "read":
        hearts = min(hearts + 1, state.all_hearts)
    return replace(state, potions=state.potions - 1, hints=hints, hearts=hearts, last=verdict)


def _stroke_index_of(state: BattleState, move: str) -> int:
    """The stroke that a move is about: a quick blow is about the last one."""
    if move == "quick":
        return len(state.battle.strokes) - 1
    return state.at


def _state_after_hit(state: BattleState, layer_count: int, verdict: str) -> BattleState:
    for _ in range(layer_count):
        state = _next_state(replace(state, struck=(*state.struck, state.at), last=verdict))
    return state


def _next_state(state: BattleState) -> BattleState:
    """On to the next stroke; the IDCG is the shield, whoever found it."""
    shield = state.shield or state.stroke.kind == SHIELD_KIND
    return replace(state, at=state.at + 1, hints=0, tried=(), shield=shield)


def _state_after_attack(state: BattleState, attack: Attack) -> BattleState:
    attacks = (*state.attacks, attack)
    if state.shield:
        return replace(state, attacks=attacks, shield=False, last="blocked")
    return replace(state, attacks=attacks, hearts=state.hearts - 1, last="wrong")


class TriedMove(NamedTuple):
    """A move that is being judged, as the records will keep it."""

    move: str
    raw: str
    verdict: str
    misconception: str | None = None


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
        stroke = old_state.battle.strokes[_stroke_index_of(old_state, move)]
        judged_move = _judge_move(stroke, move, raw)
        if judged_move is None:
            return None
        tried_move = TriedMove(move, raw, judged_move.verdict, judged_move.misconception)
        new_state = _state_after(old_state, tried_move)
        if new_state.outcome is None:
            return judged_move
        stroke_count = len(new_state.battle.strokes)
        return replace(
            judged_move, outcome=new_state.outcome, score=len(new_state.struck), total=stroke_count
        )


VERDICT_WITHOUT_ANSWER = {"potion": "read", "heal": "healed", "help": "shown"}
"""The moves that give no answer, and what they come to."""


def _judge_move(stroke: Stroke, move: str, raw: str) -> JudgedMove | None:
    if move in VERDICT_WITHOUT_ANSWER:
        return JudgedMove(stroke.name, VERDICT_WITHOUT_ANSWER[move])
    if move == "estimate":
        return _judge_estimate(stroke, raw)
    if not stroke.choices:
        judged_number = _judge_number(stroke, raw)
        if move == "quick" and judged_number.verdict == "right":
            return replace(judged_number, verdict="finished")
        return judged_number
    for choice in stroke.choices:
        if choice.value == raw:
            if choice.misconception is None:
                return JudgedMove(stroke.name, "right", raw)
            return JudgedMove(stroke.name, "wrong", raw, choice.misconception)
    return None


def _judge_estimate(stroke: Stroke, raw: str) -> JudgedMove:
    number = numbers.read(raw)
    if abs(number.value - stroke.answer) <= ESTIMATE_TOLERANCE * stroke.answer:
        return JudgedMove(stroke.name, "estimated", number.echo)
    mistake = diagnosis_of(stroke, number.value)
    if mistake and mistake.step != ROUNDING_STEP:
        return JudgedMove(stroke.name, "wrong", number.echo, mistake.code)
    return JudgedMove(stroke.name, "wrong", number.echo)


def _judge_number(stroke: Stroke, raw: str) -> JudgedMove:
    number = numbers.read(raw)
    low, high = stroke.accepted
    if low <= number.value <= high:
        return JudgedMove(stroke.name, "right", number.echo)
    mistake = diagnosis_of(stroke, number.value)
    if mistake:
        misconception_code = mistake.code
        if mistake.step == ROUNDING_STEP:
            return JudgedMove(stroke.name, "graze", number.echo, misconception_code)
        return JudgedMove(stroke.name, "wrong", number.echo, misconception_code)
    graze_width = GRAZE_UNITS * 10**-stroke.decimals
    if stroke.decimals and low - graze_width <= number.value <= high + graze_width:
        return JudgedMove(stroke.name, "graze", number.echo)
    return JudgedMove(stroke.name, "wrong", number.echo)


def diagnosis_of(stroke: Stroke, typed_number: float) -> engine.Diagnosis | None:
    """What explains a wrong number."""
    return rounding.diagnose(stroke.question, typed_number, stroke.decimals)


def answer_by_mistake(stroke: Stroke) -> dict[str, str]:
    """Mistake → what a player who makes it sends: for proofs and tests.

    >>> list(answer_by_mistake(battle(1, 7).strokes[-1]))[-1]
    'share_of_full_marks'
    """
    if stroke.choices:
        return {choice.misconception: choice.value for choice in stroke.choices if choice.misconception}
    decimals = max(stroke.decimals, 3)
    numbers_by_mistake = engine.predictions(stroke.question)
    return {
        misconception_id: f"{number:.{decimals}f}" for misconception_id, number in numbers_by_mistake.items()
    }
