"""Stage 7 tells of four videos in figures: each stands where it belongs, as the engine has it."""

import math
import re
from collections.abc import Iterator, Sequence

from app.course.items.kinds import SingleChoice
from app.course.items.kinds.options import Option
from app.course.learning import figures_in_text
from app.course.learning.figures_in_text import ListValue
from app.course.learning.labs.walk import Walk
from app.course.learning.steps import Lab, Say
from app.engine import ndcg
from app.engine.pairwise import lambdarank
from app.engine.pairwise.descent import DescentState, descent
from tests.published import published

GRADES, SCORES, RATE = [1, 3, 2, 0], [3.0, 2.0, 1.0, 0.0], 4
NAMES = "ABCD"

COURSE = published()
STEPS = {
    step.id: step
    for stage in COURSE.stages
    if stage.id == "optimisation"
    for section in stage.sections
    for step in section.steps
}


def step_text(name: str) -> str:
    """The words of a step, with its figures filled in."""
    step = STEPS[name]
    assert isinstance(step, Say)
    return figures_in_text.fill(step.text, COURSE.examples, COURSE.value_by_name)


def rows(text: str) -> Iterator[list[str]]:
    """The rows of a Markdown table, its head and rule left out."""
    cells = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if "|" in line
    ]
    yield from cells[2:]


def test_every_pair_of_the_table_is_the_engines() -> None:
    table = list(rows(step_text("pair-by-pair").split("\n\n")[1]))
    pairs = sorted(lambdarank.pairs(GRADES, SCORES, gain="linear"), key=lambda pair: -pair.force)
    assert table == [
        [f"{NAMES[pair.better_index]}·{NAMES[pair.worse_index]}", *(f"{figure:.3f}" for figure in figures)]
        for pair in pairs
        for figures in [(pair.rho, pair.delta_ndcg, pair.force)]
    ]


def test_the_surprise_of_each_gap() -> None:
    for gap, surprise, _ in rows(step_text("surprise").split("\n\n")[2]):
        (pair,) = lambdarank.pairs([1, 0], [float(gap.replace("−", "-")), 0.0])
        assert f"{pair.rho:.3f}" == surprise


def test_the_slope_of_the_smooth_penalty_is_the_surprise() -> None:
    loss, nearby_loss = (lambdarank.ranknet_loss([1, 0], [gap, 0.0]) for gap in (-1.0, -0.99))
    text = step_text("smooth-penalty")
    assert f"罚{loss:.4f}" in text
    assert f"罚{nearby_loss:.4f}" in text
    assert f"约−{(loss - nearby_loss) / 0.01:.2f}" in text


def test_what_the_coach_cannot_see() -> None:
    by_name = {
        NAMES[pair.better_index]: pair
        for pair in lambdarank.pairs(GRADES, SCORES, gain="linear")
        if pair.gap < 0
    }
    text = step_text("earnest-coach")
    assert f"力气{by_name['C'].rho:.3f}" in text
    assert f"轻一些，{by_name['B'].rho:.3f}" in text
    assert f"NDCG涨{by_name['B'].delta_ndcg:.3f}" in text
    assert f"只涨{by_name['C'].delta_ndcg:.3f}" in text


def test_the_forces_add_up_as_the_engine_adds_them() -> None:
    grad = lambdarank.gradients(GRADES, SCORES, gain="linear").grad
    sentences = re.findall(r"- ([A-D]).*\*\*往(上|下)([0-9.]+)\*\*", step_text("add-up"))
    assert sentences == [
        (name, "下" if slope > 0 else "上", f"{abs(slope):.3f}")
        for name, slope in zip(NAMES, grad, strict=True)
    ]


def test_one_step_moves_the_scores_as_printed() -> None:
    _, after = descent(GRADES, SCORES, steps=1, rate=RATE, gain="linear")
    sentences = re.findall(r"([A-D])：\d变成(−?[0-9.]+\d)", step_text("one-step"))
    assert sentences == [
        (name, f"{score:.3f}".replace("-", "−")) for name, score in zip(NAMES, after.scores, strict=True)
    ]
    assert after.ranks == (2, 1, 3, 4)


def test_after_one_step_the_heaviest_push_is_not_the_pair_still_reversed() -> None:
    _, after = descent(GRADES, SCORES, steps=1, rate=RATE, gain="linear")
    value = COURSE.value_by_name["ltr-next-rho-ba"]
    assert isinstance(value, ListValue)
    assert value.scores == [round(score, 3) for score in after.scores]
    pairs = lambdarank.pairs(GRADES, after.scores, gain="linear")
    [reversed_one] = [pair for pair in pairs if pair.gap < 0]
    heaviest = max(pairs, key=lambda pair: pair.force)
    assert NAMES[reversed_one.better_index] + NAMES[reversed_one.worse_index] == "CA"
    assert NAMES[heaviest.better_index] + NAMES[heaviest.worse_index] == "BA"
    assert max(pairs, key=lambda pair: pair.rho) == reversed_one
    asked_item = COURSE.items["ltr-next-push"]
    assert isinstance(asked_item, SingleChoice)
    said_of = {option.id: option.feedback for option in asked_item.options}
    assert f"{heaviest.force:.3f}" in COURSE.html(said_of["ba"])


def test_the_stairs_are_where_the_table_says() -> None:
    for (_, order, printed), score in zip(
        rows(step_text("stairs").split("\n\n")[1]), (-1.0, 0.5, 2.0, 4.0), strict=True
    ):
        ranks = lambdarank.ranks([3.0, score, 1.0, 0.0])
        places = sorted(range(4), key=lambda place: ranks[place])
        assert order == " ".join(NAMES[place] for place in places)
        assert printed == f"{ndcg([GRADES[place] for place in places]):.3f}"


def test_soft_ranks_and_chances() -> None:
    soft = [
        1 + sum(1 / (1 + math.exp(own - other_score)) for other_score in SCORES if other_score != own)
        for own in SCORES
    ]
    assert "、".join(f"{rank:.3f}" for rank in soft) in step_text("soft-ranks")
    table = list(rows(step_text("list-net").split("\n\n")[1]))
    assert [row[1:] for row in table] == [chances(SCORES), chances([float(grade) for grade in GRADES])]


def chances(listed: Sequence[float]) -> list[str]:
    """Softmax: the first two of the chances to stand first."""
    powers = [math.exp(score) for score in listed]
    return [f"{power / sum(powers):.3f}" for power in powers[:2]]


def test_dividing_by_the_gap() -> None:
    pairs = [pair for pair in lambdarank.pairs(GRADES, SCORES, gain="linear") if pair.gap < 0]
    damped = [f"{pair.force / (0.01 - pair.gap):.3f}" for pair in pairs]
    for pair, printed in zip(pairs, damped, strict=True):
        assert f"从{pair.force:.3f}到{printed}" in step_text("two-norms")
    assert set(COURSE.items["ltr-norm"].literal) == {"0.01", *damped}


def test_the_penalty_of_each_gap() -> None:
    for gap, sure, penalty in rows(step_text("bet").split("\n\n")[3]):
        written = float(gap.replace("−", "-"))
        (pair,) = lambdarank.pairs([1, 0], [written, 0.0])
        assert f"{1 - pair.rho:.3f}" == sure
        assert f"{lambdarank.ranknet_loss([1, 0], [written, 0.0]):.3f}" == penalty


def test_what_the_lab_shows_is_what_the_tutor_says_of_it() -> None:
    """λ never behind and first from the lab's start; pairs alone first from the start of the lesson."""
    [lab] = [step for step in COURSE.steps if isinstance(step, Lab)]
    walk = Walk(lab.start.model_copy(update={"steps": 12}))
    assert all(
        ours.ndcg >= alone.ndcg for ours, alone in zip(walk.states_so_far, walk.other_states, strict=True)
    )
    assert (arrival(walk.states_so_far), arrival(walk.other_states)) == (7, 10)
    start = {"names": list(NAMES), "grades": GRADES, "scores": SCORES, "rate": RATE, "steps": 12}
    worked = Walk(lab.start.model_copy(update=start))
    assert (arrival(worked.states_so_far), arrival(worked.other_states)) == (5, 3)
    text = step_text("even-push")
    assert "第7步到顶；只看成对，要到第10步" in text
    assert "只看成对，第3步就到顶；用λ，要到第5步" in text


def arrival(states: Sequence[DescentState]) -> int:
    """The step with which the best order is reached."""
    return next(step for step, descent_state in enumerate(states) if descent_state.ndcg > 1 - 1e-9)


def test_what_each_leaf_says() -> None:
    gradients = lambdarank.gradients(GRADES, SCORES, gain="linear")
    for row, grad, hess in zip(rows(step_text("leaf").split("\n\n")[2]), *gradients, strict=True):
        assert row[2] == f"{hess:.3f}"
        assert row[3] == f"{-grad / hess:+.1f}".replace("-", "−")
    both = sum(gradients.grad[1:3]) / sum(gradients.hess[1:3])
    [right] = [option for option in options("ltr-leaf") if option.right]
    assert f"{-both:.1f}" in right.text


def options(item: str) -> Sequence[Option]:
    asked_item = COURSE.items[item]
    assert isinstance(asked_item, SingleChoice)
    return asked_item.options


def test_the_first_tree_hears_the_order_of_the_rows() -> None:
    equal = [0.0] * 4
    pairs = sorted(lambdarank.pairs(GRADES, equal, gain="linear"), key=lambda pair: -pair.force)
    heaviest = [
        f"{NAMES[pair.better_index]}·{NAMES[pair.worse_index]} {pair.force:.3f}" for pair in pairs[:4]
    ]
    assert "、".join(heaviest) in step_text("first-tree")
    assert {pair.rho for pair in pairs} == {0.5}


def test_one_sweet_candy_among_four() -> None:
    [_, chance] = chances(SCORES)
    assert f"B分到{chance}，罚{-math.log(math.exp(2) / sum(map(math.exp, SCORES))):.3f}" in step_text(
        "one-sweet"
    )


def test_a_pair_at_the_tail_weighs_next_to_nothing() -> None:
    tail = [pair for pair in lambdarank.pairs([4, 3, 0, 1], SCORES, gain="linear") if pair.gap < 0]
    [right] = [option for option in options("ltr-quiz-lambda-number") if option.right]
    assert COURSE.line_html(right.text) == f"{tail[0].force:.3f}" == "0.008"
