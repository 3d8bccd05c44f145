"""Both games keep their promises for thousands of seeds, and nobody gets stuck in them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from app import engine
from app.course import Course
from app.course.exercises.scenes import dressed_ranking
from app.course.games import duel, monster
from app.course.games.duel import DuelRound, DuelRule, draw_rounds
from app.course.games.duel_play import DuelState, moves_through
from app.course.games.monster import drawn_battle, practice_exercise_id_of
from app.course.games.monster_play import HEARTS_BY_LEVEL, POTION_COUNT, BattleJudge, TriedMove
from app.course.games.monster_play import state_after_moves as fought
from app.course.games.words import striking_misconception_ids
from app.course.items.marks import Unreadable
from tests.course.games.made_games import Made
from tests.course.games.ways_through import answer_by_mistake
from tests.course.small import FILES, changed, course, faults
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
DUELS, BATTLES = range(1, 401), range(1, 151)
MORE_DUELS, MORE_BATTLES = range(401, 2001), range(151, 1001)
"""The long form of the same promises: `make test-all`."""

LEVELS = (1, 2, 3)


def play(judge: DuelState | BattleJudge, *moves: tuple[str, str]) -> list[Made]:
    """These moves, each of which must be possible."""
    moves_so_far: list[Made] = []
    for move, raw in moves:
        judged = judge.judge(moves_so_far, move, raw)
        assert judged, (move, raw)
        moves_so_far.append(Made(move, raw, judged.verdict, judged.misconception_code))
    return moves_so_far


# 谁的推荐更懂我


@cache
def duels() -> tuple[tuple[DuelRound, ...], ...]:
    return tuple(map(draw_rounds, DUELS))


def test_every_round_keeps_its_promises() -> None:
    assert [fault for rows in duels() for row in rows for fault in duel.broken_promises(row)] == []


@pytest.mark.long
def test_every_round_of_thousands_keeps_its_promises() -> None:
    many = [*duels(), *map(draw_rounds, MORE_DUELS)]
    assert [fault for rows in many for row in rows for fault in duel.broken_promises(row)] == []
    _turns_on_the_gain(many)
    _differs_in_every_seed(many)


def test_round_one_asks_what_was_never_answered() -> None:
    for seed in (1, 7, 4821):
        first = draw_rounds(seed)[0]
        assert (first.grades("x"), first.grades("y")) == ((0, 1, 2, 3), (3, 2, 1, 0))
        assert (first.measure, first.rule, first.winner(first.rule)) == ("DCG", DuelRule(4), "y")
        assert (round(first.score("x", first.rule), 3), round(first.score("y", first.rule), 3)) == (
            2.923,
            4.762,
        )


def test_somewhere_the_gain_decides_in_every_duel() -> None:
    _turns_on_the_gain(duels())


def _turns_on_the_gain(many: Sequence[tuple[DuelRound, ...]]) -> None:
    for rows in many:
        turning = [
            row for row in rows if row.does_winner_turn and row.twist and row.rule.gain != row.twist.gain
        ]
        assert turning
        for row in turning:
            assert row.twist
            assert {row.winner(row.rule), row.winner(row.twist)} == {"x", "y"}


def test_the_rounds_are_what_they_are_called() -> None:
    for rows in duels():
        by_kind = {row.kind: row for row in rows}
        near = by_kind["neighbours"]
        differing = [place for place in range(4) if near.ranking_of_x[place] != near.ranking_of_y[place]]
        assert len(differing) == 2
        assert differing[1] - differing[0] == 1
        cut = by_kind["cut"]
        assert cut.twist
        assert cut.rule.k < cut.twist.k
        assert sorted(cut.ranking_of_x) == sorted(cut.ranking_of_y)
        both = by_kind["both"]
        assert {rule.gain for rule in both.rules} == {"exponential"}


def test_neither_side_and_no_outcome_can_be_guessed_blindly() -> None:
    counts_by_kind = {kind: Counter[str]() for kind in duel.DRAW_BY_KIND}
    for rows in duels()[:400]:
        for row in rows:
            counts_by_kind[row.kind].update([row.winner(row.rule), f"turns={row.does_winner_turn}"])
    for kind in list(duel.DRAW_BY_KIND)[1:]:
        assert min(counts_by_kind[kind]["x"], counts_by_kind[kind]["y"]) > 60, kind
    assert 100 < counts_by_kind["ties"]["tie"] < 300
    for kind in ("cut", "gain", "both"):
        assert 100 < counts_by_kind[kind]["turns=True"] < 300, kind


def test_another_seed_brings_other_lists() -> None:
    _differs_in_every_seed(duels())


def _differs_in_every_seed(many: Sequence[tuple[DuelRound, ...]]) -> None:
    grade_pairs = {tuple((row.grades("x"), row.grades("y")) for row in rows[1:]) for rows in many}
    assert len(grade_pairs) == len(many)


OF_SECOND_EDITION = range(20_001, 20_201)


def test_the_sweeter_head_loses_in_half_of_the_rounds() -> None:
    views, hits = 0, 0
    for seed in OF_SECOND_EDITION:
        rows = draw_rounds(seed)
        assert sum(row.does_head_lose for row in rows) == duel.UPSETS_PER_PLAY, seed
        assert [fault for row in rows for fault in duel.broken_promises(row)] == []
        for row in rows:
            views += len(row.rules)
            hits += sum(row.winner(rule) == row.side_with_sweeter_head for rule in row.rules)
    assert hits / views < 0.6
    _turns_on_the_gain([draw_rounds(seed) for seed in OF_SECOND_EDITION])


def test_a_duel_that_was_handed_out_keeps_its_lists() -> None:
    """Seeds of fresh plays, of days and of what follows them, before the second edition."""
    handed_out = [*range(1, 61), 20261124, 20261125, 120261125]
    lists = []
    for seed in handed_out:
        round_values = []
        for duel_round in draw_rounds(seed):
            rules = [tuple(rule) for rule in duel_round.rules]
            ranking = (duel_round.ranking_of_x, duel_round.ranking_of_y)
            round_values.append(
                (duel_round.kind, duel_round.pool, *ranking, rules, duel_round.does_winner_turn)
            )
        lists.append(repr(round_values))
    assert sha256("\n".join(lists).encode()).hexdigest()[:16] == "f60c42c900f1ffd5"


def test_a_stake_pays_for_who_is_sure_and_costs_who_is_not() -> None:
    right, wrong = "y", "x"
    for stake, won, lost in ((1, 1, 0), (2, 2, -1), (3, 3, -3)):
        moves = play(DuelState(7), ("guess", f"{stake};{right}"))
        assert DuelState(7).after_moves(moves).candy_count == won
        moves = play(DuelState(7), ("guess", f"{stake};{wrong}"))
        assert DuelState(7).after_moves(moves).candy_count == lost
    former = play(DuelState(7), ("guess", right))
    assert DuelState(7).after_moves(former).candy_count == 1
    assert DuelState(7).judge([], "guess", "4;y") is DuelState(7).judge([], "guess", "2") is None


@each(
    ("change", "message"),
    [
        ({"does_winner_turn": True}, "does_winner_turn=True"),
        ({"ranking_of_x": (0, 1, 2, 2)}, "not made of judged"),
        ({"ranking_of_y": (0, 1, 2, 3)}, "nobody wins"),
        ({"rule": DuelRule(5)}, "ends before k"),
        ({"pool": (3, 3, 3, 3, 3, 2, 1)}, "titles"),
        ({"pool": (3, 3, 2, 2)}, "too few"),
    ],
)
def test_a_broken_promise_is_named(change: dict[str, object], message: str) -> None:
    good = DuelRound("", (0, 1, 2, 3), (0, 1, 2, 3), (3, 2, 1, 0), DuelRule(4))
    assert list(duel.broken_promises(good)) == []
    assert any(message in fault for fault in duel.broken_promises(good._replace(**change)))  # type: ignore[arg-type]


@each("right", [True, False])
def test_a_duel_from_its_first_guess_to_its_end(right: bool) -> None:
    for seed in range(1, 60):
        moves = play(DuelState(seed), *moves_through(seed, right))
        duel_state = DuelState(seed).after_moves(moves)
        assert duel_state.is_over
        assert (duel_state.score, len(duel_state.guesses)) == (12 if right else 0, 12)
        assert duel_state.highest_score == 12


def test_the_last_move_of_a_duel_holds_its_result() -> None:
    moves = list(moves_through(7))
    moves_so_far = play(DuelState(7), *moves[:-1])
    last = DuelState(7).judge(moves_so_far, *moves[-1])
    assert last
    assert (last.outcome, last.score, last.total) == ("done", 12, 12)
    over = [*moves_so_far, Made("all", "", "all")]
    assert not any(
        DuelState(7).judge(over, move, raw) for move, raw in (("on", ""), ("open", ""), ("guess", "x"))
    )


def test_terms_open_one_by_one_and_nothing_opens_before_a_guess() -> None:
    first_state = DuelState(7)
    for move, raw in (("open", ""), ("on", ""), ("guess", "z")):
        assert first_state.judge([], move, raw) is None
    moves = play(first_state, ("guess", "x"), ("open", ""), ("open", ""))
    assert DuelState(7).after_moves(moves).open_rank_count == 2
    assert first_state.judge(moves, "guess", "y") is None
    assert first_state.judge(moves, "on", "") is None


def test_a_wider_view_keeps_what_is_open_another_gain_does_not() -> None:
    moves = list(moves_through(7))
    for kind, kept_rank in (("cut", 2), ("gain", 0)):
        at = [duel_round.kind for duel_round in draw_rounds(7)].index(kind)
        twist = 3 * sum(len(duel_round.rules) for duel_round in draw_rounds(7)[:at]) + 3
        duel_state = DuelState(7).after_moves(play(DuelState(7), *moves[:twist]))
        assert (
            duel_state.round_index,
            duel_state.rule_index,
            duel_state.guess,
            duel_state.open_rank_count,
        ) == (
            at,
            1,
            None,
            kept_rank,
        )


# 击败DCG怪兽


@each("level", LEVELS)
def test_every_battle_keeps_its_promises(level: int) -> None:
    assert [fault for seed in BATTLES for fault in monster.broken_promises(drawn_battle(level, seed))] == []


@pytest.mark.long
@each("level", LEVELS)
def test_every_battle_of_thousands_keeps_its_promises(level: int) -> None:
    assert [
        fault for seed in MORE_BATTLES for fault in monster.broken_promises(drawn_battle(level, seed))
    ] == []
    _asks_for_nothing_in_hand(level, MORE_BATTLES)


def test_a_mistake_that_was_described_later_changes_no_battle() -> None:
    """A seed that was handed out is the same battle: what it promises is about the mistakes of its day."""
    battle = drawn_battle(1, 7)
    nearly_the_same_from_below = monster.Stroke("dcg", engine.Question("dcg", [2, 1, 2.001]))
    battle = battle._replace(strokes=(nearly_the_same_from_below, *battle.strokes))
    assert not any("would count as right" in fault for fault in monster.broken_promises(battle))


@each("level", LEVELS)
def test_no_great_blow_asks_for_a_number_that_is_in_hand(level: int) -> None:
    _asks_for_nothing_in_hand(level, BATTLES)


def _asks_for_nothing_in_hand(level: int, seeds: Iterable[int]) -> None:
    for seed in seeds:
        answers: list[str] = []
        for stroke in drawn_battle(level, seed).strokes:
            if not stroke.choices:
                printed = f"{stroke.answer:.3f}"
                assert stroke.kind not in ("idcg", "dcg", "ndcg") or printed not in answers, (
                    seed,
                    stroke.name,
                )
                answers.append(printed)


@each("level", LEVELS)
def test_numbers_vary_and_a_seed_is_a_battle(level: int) -> None:
    lists = {(drawn_battle(level, seed).question, drawn_battle(level, seed).strokes) for seed in BATTLES}
    assert len(lists) > len(BATTLES) // 2
    assert drawn_battle(level, 5) == drawn_battle(level, 5)


@each("level", LEVELS)
def test_each_right_step_strikes_and_the_ratio_is_the_last_blow(level: int) -> None:
    for seed in range(1, 60):
        battle, fight = drawn_battle(level, seed), BattleJudge(level, seed)
        moves = play(fight, *(("answer", stroke.right_answer_text) for stroke in battle.strokes[:-1]))
        assert fought(level, seed, moves).has_shield
        last = fight.judge(moves, "answer", battle.strokes[-1].right_answer_text)
        assert last
        assert (last.verdict, last.outcome, last.score, last.total) == (
            "right", "won", len(battle.strokes), len(battle.strokes),
        )  # fmt: skip
        assert battle.strokes[-1].kind == "ndcg"


RARE = {"minus_one_in_exponent", "twice_the_grade", "mixed_gains", "upside_down_is_zero"}
"""What needs an exponential gain, or a list that is upside down: not in every few seeds."""


def test_every_recognised_mistake_is_an_attack_of_its_name() -> None:
    """Over a few seeds, each misconception that shows somewhere strikes back under its own name."""
    seen_counts: Counter[str] = Counter()
    for level in LEVELS:
        for seed in range(1, 13):
            for place, stroke in enumerate(drawn_battle(level, seed).strokes):
                before = [
                    Made("answer", earlier_stroke.right_answer_text, "right")
                    for earlier_stroke in drawn_battle(level, seed).strokes[:place]
                ]
                seen_counts.update(_strike_back(BattleJudge(level, seed), before, stroke))
    never = striking_misconception_ids() - set(seen_counts)
    assert never <= RARE - set(seen_counts), never


def _strike_back(fight: BattleJudge, before: list[Made], stroke: monster.Stroke) -> Iterator[str]:
    for name, raw in answer_by_mistake(stroke).items():
        judged = fight.judge(before, "answer", raw)
        assert judged
        assert judged.verdict in ("wrong", "graze"), (stroke.name, name)
        if judged.misconception_code == name:
            assert judged.verdict == "wrong"
            yield name


def test_an_attack_costs_a_heart_and_the_shield_takes_one() -> None:
    strokes = drawn_battle(2, 7).strokes
    wrong = [next(iter(answer_by_mistake(stroke).values())) for stroke in strokes]
    fight = BattleJudge(2, 7)
    moves = play(fight, ("answer", wrong[0]))
    assert fought(2, 7, moves).heart_count == HEARTS_BY_LEVEL[2] - 1
    moves = play(
        fight, *(("answer", stroke.right_answer_text) for stroke in strokes[:-1]), ("answer", wrong[-1])
    )
    battle_state = fought(2, 7, moves)
    assert (battle_state.heart_count, battle_state.has_shield, battle_state.last_verdict) == (
        HEARTS_BY_LEVEL[2],
        False,
        "blocked",
    )
    battle_state = fought(2, 7, [*moves, Made("answer", "9", "wrong")])
    assert (battle_state.heart_count, battle_state.last_verdict) == (HEARTS_BY_LEVEL[2] - 1, "wrong")


def test_a_potion_is_a_hint_or_a_heart_and_there_are_three() -> None:
    fight = BattleJudge(1, 7)
    moves = play(fight, ("answer", "40"), ("potion", ""))
    battle_state = fought(1, 7, moves)
    assert (battle_state.heart_count, battle_state.potion_count, battle_state.open_hint_count) == (
        HEARTS_BY_LEVEL[1] - 1,
        POTION_COUNT - 1,
        1,
    )
    moves = play(fight, ("answer", "40"), ("heal", ""))
    battle_state = fought(1, 7, moves)
    assert (battle_state.heart_count, battle_state.potion_count, battle_state.open_hint_count) == (
        HEARTS_BY_LEVEL[1],
        POTION_COUNT - 1,
        0,
    )
    assert fight.judge(moves, "heal", "") is None
    moves = play(fight, ("potion", ""), ("potion", ""))
    assert fought(1, 7, moves).heart_count == HEARTS_BY_LEVEL[1]
    assert fight.judge(moves, "potion", "") is None
    right = ("answer", drawn_battle(1, 7).strokes[0].right_answer_text)
    moves = play(fight, ("potion", ""), ("potion", ""), right, ("potion", ""))
    assert fight.judge(moves, "potion", "") is None


def test_a_potion_of_former_times_was_both() -> None:
    """A battle that was begun then stands as it stood."""
    moves = [Made("answer", "40", "wrong"), Made("potion", "", "hint")]
    battle_state = fought(1, 7, moves)
    assert (battle_state.heart_count, battle_state.potion_count, battle_state.open_hint_count) == (
        HEARTS_BY_LEVEL[1],
        POTION_COUNT - 1,
        1,
    )


def right_moves(level: int, count: int) -> list[tuple[str, str]]:
    return [("answer", stroke.right_answer_text) for stroke in drawn_battle(level, 7).strokes[:count]]


def test_an_estimate_that_is_near_takes_two_layers() -> None:
    strokes = drawn_battle(1, 7).strokes
    at = [stroke.kind for stroke in strokes].index("idcg")
    fight = BattleJudge(1, 7)
    near = f"{strokes[at].answer * 1.04:.2f}"
    moves = play(fight, *right_moves(1, at), ("estimate", near))
    battle_state = fought(1, 7, moves)
    assert (
        battle_state.stroke_index,
        battle_state.has_shield,
        battle_state.heart_count,
        battle_state.last_verdict,
    ) == (
        at + 2,
        True,
        HEARTS_BY_LEVEL[1],
        "estimated",
    )
    assert battle_state.struck_indexes == tuple(range(at + 2))
    far = f"{strokes[at].answer * 1.06:.2f}"
    moves = play(fight, *right_moves(1, at), ("estimate", far))
    assert fought(1, 7, moves).heart_count == HEARTS_BY_LEVEL[1] - 1


def test_the_last_blow_and_the_ideal_order_are_not_estimated() -> None:
    strokes = drawn_battle(1, 7).strokes
    kinds = [stroke.kind for stroke in strokes]
    for kind in ("ideal-order", "dcg", "ndcg"):
        moves = play(BattleJudge(1, 7), *right_moves(1, kinds.index(kind)))
        assert BattleJudge(1, 7).judge(moves, "estimate", "1") is None, kind


def test_a_quick_blow_names_the_ratio_and_wins_at_once() -> None:
    ratio = drawn_battle(2, 7).strokes[-1]
    judged = BattleJudge(2, 7).judge([], "quick", ratio.right_answer_text)
    assert judged
    total_strokes = len(drawn_battle(2, 7).strokes)
    assert (judged.step, judged.verdict, judged.outcome) == ("ndcg", "finished", "won")
    assert (judged.score, judged.total) == (total_strokes, total_strokes)


def test_a_quick_blow_that_fails_costs_a_heart_and_names_the_mistake_of_the_ratio() -> None:
    strokes = drawn_battle(2, 7).strokes
    mistake, raw = next(iter(answer_by_mistake(strokes[-1]).items()))
    moves = play(BattleJudge(2, 7), ("quick", raw))
    battle_state = fought(2, 7, moves)
    assert (battle_state.stroke_index, battle_state.heart_count) == (0, HEARTS_BY_LEVEL[2] - 1)
    assert (battle_state.attacks[0].stroke_index, battle_state.attacks[0].misconception_code) == (
        len(strokes) - 1,
        mistake,
    )
    last = play(BattleJudge(2, 7), *right_moves(2, len(strokes) - 1))
    assert BattleJudge(2, 7).judge(last, "quick", strokes[-1].right_answer_text) is None


def test_rounding_grazes_and_costs_nothing_and_so_does_what_cannot_be_read() -> None:
    stroke = drawn_battle(1, 7).strokes[1]
    fight, before = (
        BattleJudge(1, 7),
        [Made("answer", drawn_battle(1, 7).strokes[0].right_answer_text, "right")],
    )
    judged = fight.judge(before, "answer", f"{stroke.accepted_range[1] + 0.001:.3f}")
    assert judged
    assert judged.verdict == "graze"
    assert fought(1, 7, [*before, Made("answer", "x", "graze")]).heart_count == HEARTS_BY_LEVEL[1]
    with pytest.raises(Unreadable):
        fight.judge(before, "answer", "甜")


def test_the_same_wrong_number_is_not_punished_twice() -> None:
    fight = BattleJudge(1, 7)
    assert fight.judge(play(fight, ("answer", "40")), "answer", "40") is None


@each(("raw", "verdict"), [("0.43", "graze"), ("0.45", "wrong")])
def test_a_number_that_grazed_or_missed_may_still_be_an_estimate(raw: str, verdict: str) -> None:
    """For 0.431 it was judged to its last place; as an estimate it is near enough."""
    fight = BattleJudge(1, 1)
    moves = play(fight, ("answer", raw))
    assert moves[-1].verdict == verdict
    assert fight.judge(moves, "answer", raw) is None
    estimate = fight.judge(moves, "estimate", raw)
    assert estimate
    assert estimate.verdict == "estimated"


def test_an_estimate_that_is_far_is_not_punished_for_a_number_that_grazed() -> None:
    """0.4 for 0.431: the places are missing, and it is 7 % away."""
    fight = BattleJudge(1, 1)
    moves = play(fight, ("answer", "0.4"))
    assert moves[-1].verdict == "graze"
    assert fight.judge(moves, "estimate", "0.4") is None


@each("level", LEVELS)
def test_losing_all_hearts_is_a_retreat(level: int) -> None:
    fight = BattleJudge(level, 7)
    moves = play(fight, *(("answer", f"{40 + times}") for times in range(HEARTS_BY_LEVEL[level] - 1)))
    last = fight.judge(moves, "answer", "77")
    assert last
    assert (last.outcome, last.score) == ("retreat", 0)
    over = [*moves, Made("answer", "77", "wrong")]
    assert fight.judge(over, "answer", "1") is fight.judge(over, "help", "") is None


def test_nobody_gets_stuck() -> None:
    """Whatever a player does, some move is possible until the battle is over, and it ends."""
    chance = Random(7)
    for seed in range(1, 60):
        level = chance.choice(LEVELS)
        fight, moves, outcome = BattleJudge(level, seed), list[Made](), None
        for _ in range(60):
            stroke = drawn_battle(level, seed).strokes[fought(level, seed, moves).stroke_index]
            ways = [("answer", stroke.right_answer_text), ("potion", ""), ("heal", ""), ("help", "")]
            ways += [("estimate", f"{stroke.answer * 1.04:.3f}"), ("quick", "0.123")]
            ways += [("answer", raw) for raw in answer_by_mistake(stroke).values()]
            possible = [(way, judged_move) for way in ways if (judged_move := fight.judge(moves, *way))]
            assert possible
            (move, raw), judged = chance.choice(possible)
            moves.append(Made(move, raw, judged.verdict, judged.misconception_code))
            outcome = judged.outcome
            if outcome:
                break
        assert outcome in ("won", "retreat")


def test_help_comes_after_a_try() -> None:
    fight = BattleJudge(1, 7)
    assert fight.judge([], "help", "") is None
    moves = play(fight, ("answer", "40"), ("help", ""))
    battle_state = fought(1, 7, moves)
    assert (battle_state.stroke_index, battle_state.struck_indexes, battle_state.helped_indexes) == (
        1,
        (),
        (0,),
    )


# games.yaml


@pytest.fixture(scope="module")
def content() -> Course:
    return published()


def test_every_striking_misconception_has_its_attack(content: Course) -> None:
    assert content.games
    assert set(content.games.monster.attacks) == striking_misconception_ids()
    assert content.games.monster.attacks["natural_log"].name == "对数底弄错之爪"


def test_no_cry_quotes_a_number_of_another_board(content: Course) -> None:
    """A cry is the same for every list: a number in it must be true of all of them."""
    assert content.games
    true_of_all = {
        "log10": {"10", "2"},
        "log2_of_rank": {"0", "1"},
        "twice_the_grade": {"2"},
        "zeros_dropped": {"0"},
        "ratio_inverted": {"1"},
    }
    for name, attack in content.games.monster.attacks.items():
        assert set(re.findall("[0-9]+", attack.cry)) <= true_of_all.get(name, set()), name


def test_every_stroke_can_be_practised(content: Course) -> None:
    for level in LEVELS:
        for seed in range(1, 100):
            fight = drawn_battle(level, seed)
            names = {practice_exercise_id_of(stroke, fight) for stroke in fight.strokes} | {
                f"steps-{fight.generator_name}"
            }
            assert names <= set(content.exercises)


def test_every_list_can_be_dressed(content: Course) -> None:
    scenes = list(content.scenes.values())
    for seed in range(1, 300):
        for later_round in draw_rounds(seed)[1:]:
            dressed_ranking(scenes[seed % len(scenes)], later_round.pool, [], seed)
        for level in LEVELS:
            fight = drawn_battle(level, seed)
            dressed_ranking(scenes[seed % len(scenes)], fight.grades, fight.unlisted_grades, seed)


@each(
    ("old", "new", "message"),
    [
        ("    natural_log: {name: natural_log之爪, cry: 嗷。}\n", "", "attacks里少了：natural_log"),
        ("    log10: {name: log10之爪,", "    log10: {name: natural_log之爪,", "同名"),
        ("    finale: {name", "    final: {name", "rounds里少了：finale"),
        ("第2, grade: 2", "第2, grade: 3", "依次是0、1、2、3"),
        ("cry: 咦。", "cry: 咦，0.5。", "手写的数字"),
    ],
)
def test_a_game_without_its_words_is_refused(old: str, new: str, message: str) -> None:
    [line] = [line for line in faults(changed("games.yaml", old, new)) if message in line]
    assert line.startswith("games.yaml")


def test_a_lesson_may_not_send_to_games_that_are_not_there() -> None:
    without = {name: text for name, text in FILES.items() if name != "games.yaml"}
    assert any("先写games.yaml" in line for line in faults(without))
    assert course().games


def test_what_missed_the_last_stroke_may_hit_the_present_one() -> None:
    """A quick blow is about another stroke: its number may be right for the one that is asked."""
    judge = BattleJudge(1, 7)
    right_text = drawn_battle(1, 7).strokes[0].right_answer_text
    quick = judge.judge([], "quick", right_text)
    assert quick
    assert quick.verdict == "wrong"
    tried_move = TriedMove("quick", right_text, quick.verdict, quick.misconception_code)
    assert judge.judge([tried_move], "quick", right_text) is None
    present_move = judge.judge([tried_move], "answer", right_text)
    assert present_move
    assert present_move.verdict == "right"
