"""A battle after its moves: what was struck, what struck back, who still stands.

A right step strikes. Who dares strikes otherwise: an estimate that lies near enough takes two layers, a quick
blow names the ratio at once and ends the battle. A recognised mistake is an attack and costs a heart; the
shield, which is the IDCG, takes one instead. A number that was only rounded badly grazes and costs nothing. A
potion is a hint or a heart. The tutor may be called in for a step that did not work: nobody gets stuck.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app import engine
from app.course.games.monster import HINTS_OF_STROKE, Battle, IdealChoice, Stroke, drawn_battle
from app.course.games.moves import JudgedMove, MadeMove
from app.course.items import numbers, rounding
from app.engine.diagnosis import ROUNDING_STEP

HEARTS_BY_LEVEL = {1: 5, 2: 4, 3: 4}
POTION_COUNT = 3
GRAZE_UNITS = 1.5
"""As many units of the last place beside the accepted numbers still graze."""
SHIELD_KIND = "idcg"
"""The kind of stroke that raises the shield."""
ESTIMATE_TOLERANCE = 0.05
"""So far from the number, as a share of it, an estimate still strikes."""
SHORTCUT_MOVES = ("estimate", "quick")
"""The moves that strike otherwise than step by step."""


class Attack(NamedTuple):
    """What struck back: at which stroke, and by which mistake. `misconception_code` None: nothing explains
    the number."""

    stroke_index: int
    misconception_code: str | None


class BattleState(NamedTuple):
    """Where a battle stands. `stroke_index` counts strokes from 0; `open_hint_count` and `tried_answers`
    are those of the present one: of each answer which stroke it was about, and what was written.

    `last_verdict`: what the last move came to: right, estimated, finished, wrong, blocked, graze, shown,
    read, healed, or hint, which was the two before at once, in battles of former times; empty at the
    beginning.
    """

    battle: Battle
    heart_count: int
    potion_count: int = POTION_COUNT
    stroke_index: int = 0
    has_shield: bool = False
    open_hint_count: int = 0
    tried_answers: tuple[tuple[int, str], ...] = ()
    struck_indexes: tuple[int, ...] = ()
    helped_indexes: tuple[int, ...] = ()
    attacks: tuple[Attack, ...] = ()
    last_verdict: str = ""

    @property
    def stroke(self) -> Stroke:
        """The stroke that is asked now. IndexError once the battle is won."""
        return self.battle.strokes[self.stroke_index]

    @property
    def untried_choices(self) -> list[IdealChoice]:
        """What can still be chosen at the present stroke; none where a number is to be written."""
        tried_letters = {raw_answer for _, raw_answer in self.tried_answers}
        return [
            ideal_choice for ideal_choice in self.stroke.choices if ideal_choice.letter not in tried_letters
        ]

    @property
    def most_hearts(self) -> int:
        return HEARTS_BY_LEVEL[self.battle.level]

    @property
    def remaining_stroke_count(self) -> int:
        """How many strokes the monster still stands."""
        return len(self.battle.strokes) - self.stroke_index

    @property
    def outcome(self) -> str | None:
        """won: the last stroke is done; retreat: no heart is left; None: it goes on."""
        if self.heart_count == 0:
            return "retreat"
        if self.remaining_stroke_count == 0:
            return "won"
        return None

    def is_allowed(self, move_name: str) -> bool:
        """Whether a move can be made: a potion while it helps, help after a try, a bold blow in time."""
        following_stroke_count = self.remaining_stroke_count - 1
        match move_name:
            case "potion":
                return self.potion_count > 0 and self.open_hint_count < HINTS_OF_STROKE
            case "heal":
                return self.potion_count > 0 and self.heart_count < self.most_hearts
            case "help":
                return bool(self.tried_answers) or self.open_hint_count > 0
            case "estimate":
                return following_stroke_count > 1 and self.stroke.decimals > 0 and not self.stroke.choices
            case "quick":
                return following_stroke_count > 0 and not self.stroke.choices
        return move_name == "answer"


def state_after_moves(level: int, seed: int, made_moves: Sequence[MadeMove]) -> BattleState:
    """The battle after these moves."""
    battle_state = BattleState(drawn_battle(level, seed), HEARTS_BY_LEVEL[level])
    for made_move in made_moves:
        battle_state = _state_after(battle_state, made_move)
    return battle_state


def _state_after(battle_state: BattleState, made_move: MadeMove) -> BattleState:
    stroke_index_and_answer = (_stroke_index_of(battle_state, made_move.move), made_move.raw)
    tried_answers = (*battle_state.tried_answers, stroke_index_and_answer)
    match made_move.verdict:
        case "right":
            return _state_after_hit(battle_state, 1, made_move.verdict)
        case "estimated":
            return _state_after_hit(battle_state, 2, made_move.verdict)
        case "finished":
            return _state_after_hit(battle_state, battle_state.remaining_stroke_count, made_move.verdict)
        case "shown":
            return _next_state(
                battle_state._replace(
                    helped_indexes=(*battle_state.helped_indexes, battle_state.stroke_index),
                    last_verdict=made_move.verdict,
                )
            )
        case "wrong":
            attack = Attack(_stroke_index_of(battle_state, made_move.move), made_move.misconception_code)
            return _state_after_attack(battle_state._replace(tried_answers=tried_answers), attack)
        case "graze":
            return battle_state._replace(tried_answers=tried_answers, last_verdict=made_move.verdict)
    return _state_after_potion(battle_state, made_move.verdict)


def _state_after_potion(battle_state: BattleState, verdict: str) -> BattleState:
    """A bottle read is a hint, one that is drunk a heart; in battles of former times it was both."""
    open_hint_count = battle_state.open_hint_count
    heart_count = battle_state.heart_count
    if verdict != "healed":
        open_hint_count += 1
    if verdict != "read":
        heart_count = min(heart_count + 1, battle_state.most_hearts)
    return battle_state._replace(
        potion_count=battle_state.potion_count - 1,
        open_hint_count=open_hint_count,
        heart_count=heart_count,
        last_verdict=verdict,
    )


def _stroke_index_of(battle_state: BattleState, move_name: str) -> int:
    """The stroke that a move is about: a quick blow is about the last one."""
    if move_name == "quick":
        return len(battle_state.battle.strokes) - 1
    return battle_state.stroke_index


def _state_after_hit(battle_state: BattleState, struck_count: int, verdict: str) -> BattleState:
    for _ in range(struck_count):
        battle_state = _next_state(
            battle_state._replace(
                struck_indexes=(*battle_state.struck_indexes, battle_state.stroke_index), last_verdict=verdict
            )
        )
    return battle_state


def _next_state(battle_state: BattleState) -> BattleState:
    """On to the next stroke; the IDCG is the shield, whoever found it."""
    has_shield = battle_state.has_shield or battle_state.stroke.kind == SHIELD_KIND
    return battle_state._replace(
        stroke_index=battle_state.stroke_index + 1, open_hint_count=0, tried_answers=(), has_shield=has_shield
    )


def _state_after_attack(battle_state: BattleState, attack: Attack) -> BattleState:
    attacks = (*battle_state.attacks, attack)
    if battle_state.has_shield:
        return battle_state._replace(attacks=attacks, has_shield=False, last_verdict="blocked")
    return battle_state._replace(
        attacks=attacks, heart_count=battle_state.heart_count - 1, last_verdict="wrong"
    )


class TriedMove(NamedTuple):
    """A move that is being judged, as the records will keep it."""

    move: str
    raw: str
    verdict: str
    misconception_code: str | None


class BattleJudge(NamedTuple):
    """The judge of a battle, as the records ask it."""

    level: int
    seed: int

    def judge(self, made_moves: Sequence[MadeMove], move_name: str, raw_move: str) -> JudgedMove | None:
        """What a further move comes to; None if it is not to be made now. Raises `Unreadable`.

        >>> fight, first = BattleJudge(1, 7), drawn_battle(1, 7).strokes[0]
        >>> fight.judge([], "answer", first.right_answer_text).verdict, fight.judge([], "help", "")
        ('right', None)
        """
        state_before = state_after_moves(self.level, self.seed, made_moves)
        if state_before.outcome or not state_before.is_allowed(move_name):
            return None
        stroke_index = _stroke_index_of(state_before, move_name)
        stroke = state_before.battle.strokes[stroke_index]
        judged_move = _judge_move(stroke, move_name, raw_move)
        if judged_move is None:
            return None
        # What failed as one move may hit as another: only what would fail again is not to be made again.
        is_failure = judged_move.verdict in ("wrong", "graze")
        if is_failure and (stroke_index, raw_move) in state_before.tried_answers:
            return None
        tried_move = TriedMove(move_name, raw_move, judged_move.verdict, judged_move.misconception_code)
        state_after = _state_after(state_before, tried_move)
        if state_after.outcome is None:
            return judged_move
        stroke_count = len(state_after.battle.strokes)
        return judged_move._replace(
            outcome=state_after.outcome, score=len(state_after.struck_indexes), total=stroke_count
        )


VERDICT_BY_ANSWERLESS_MOVE = {"potion": "read", "heal": "healed", "help": "shown"}
"""The moves that give no answer, and what they come to."""


def _judge_move(stroke: Stroke, move_name: str, raw_move: str) -> JudgedMove | None:
    if move_name in VERDICT_BY_ANSWERLESS_MOVE:
        return JudgedMove(stroke.name, VERDICT_BY_ANSWERLESS_MOVE[move_name])
    if move_name == "estimate":
        return _judge_estimate(stroke, raw_move)
    if not stroke.choices:
        judged_move = _judge_number(stroke, raw_move)
        if move_name == "quick" and judged_move.verdict == "right":
            return judged_move._replace(verdict="finished")
        return judged_move
    for ideal_choice in stroke.choices:
        if ideal_choice.letter == raw_move:
            if ideal_choice.misconception_id is None:
                return JudgedMove(stroke.name, "right", raw_move)
            return JudgedMove(stroke.name, "wrong", raw_move, ideal_choice.misconception_id)
    return None


def _judge_estimate(stroke: Stroke, raw_move: str) -> JudgedMove:
    typed_number = numbers.read(raw_move)
    if abs(typed_number.value - stroke.answer) <= ESTIMATE_TOLERANCE * stroke.answer:
        return JudgedMove(stroke.name, "estimated", typed_number.echo_text)
    diagnosis = stroke_diagnosis(stroke, typed_number, "estimate")
    if diagnosis:
        return JudgedMove(stroke.name, "wrong", typed_number.echo_text, diagnosis.code)
    return JudgedMove(stroke.name, "wrong", typed_number.echo_text)


def _judge_number(stroke: Stroke, raw_move: str) -> JudgedMove:
    typed_number = numbers.read(raw_move)
    lowest_accepted_value, highest_accepted_value = stroke.accepted_range
    if lowest_accepted_value <= typed_number.value <= highest_accepted_value:
        return JudgedMove(stroke.name, "right", typed_number.echo_text)
    diagnosis = stroke_diagnosis(stroke, typed_number)
    if diagnosis:
        misconception_code = diagnosis.code
        if diagnosis.step == ROUNDING_STEP:
            return JudgedMove(stroke.name, "graze", typed_number.echo_text, misconception_code)
        return JudgedMove(stroke.name, "wrong", typed_number.echo_text, misconception_code)
    graze_width = GRAZE_UNITS * 10**-stroke.decimals
    if (
        stroke.decimals
        and lowest_accepted_value - graze_width <= typed_number.value <= highest_accepted_value + graze_width
    ):
        return JudgedMove(stroke.name, "graze", typed_number.echo_text)
    return JudgedMove(stroke.name, "wrong", typed_number.echo_text)


def stroke_diagnosis(
    stroke: Stroke, typed_number: numbers.Number, move_name: str = "answer"
) -> engine.Diagnosis | None:
    """What explains a wrong number; an estimate never by its rounding, for which nobody asked."""
    diagnosis = rounding.diagnose(stroke.question, typed_number.value, stroke.decimals, typed_number.decimals)
    if move_name == "estimate" and diagnosis and diagnosis.step == ROUNDING_STEP:
        return None
    return diagnosis
