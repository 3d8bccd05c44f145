"""What the tutor promises of a movable row before a hand moves it, for rows added one by one."""

from collections.abc import Callable, Mapping

import pytest

from app import engine
from app.course.learning.steps import ToyStep
from app.course.learning.toys.setting import ToySetting
from app.course.learning.toys.tasks import fewest_move_count_to_reach, judge, solving_setting
from tests.course.learning.made_toys import RIGHT, TOYS
from tests.published import published
from tests.tables import each

COURSE = published()
BY_ID = {toy.id: toy for toy in TOYS}
Truth = Callable[[ToyStep], bool]


def ndcg_by_k(setting: ToySetting) -> list[float]:
    """The NDCG of a row cut after each rank."""
    return [setting.model_copy(update={"k": k}).trace.ndcg for k in range(1, len(setting.row) + 1)]


def outcomes(toy: ToyStep, rows: list[list[int]]) -> list[str]:
    """How the task stands for each of these rows."""
    settings = [toy.start.model_copy(update={"row": row}) for row in rows]
    return [judge(toy.task, toy.start, setting, frozenset(toy.handles)).state for setting in settings]


def winning_cuts(toy: ToyStep) -> list[int]:
    """The k at which the row is ahead of the one beside it."""
    cuts = []
    for k in range(1, len(toy.start.row) + 1):
        setting = toy.start.model_copy(update={"k": k})
        if setting.trace.ndcg > setting.trace_beside.ndcg:
            cuts.append(k)
    return cuts


PREDICTED: Mapping[str, tuple[str, Truth]] = {
    "play-one-grade": (
        "第1位",
        lambda toy: outcomes(toy, [[2, 1, 1], [1, 2, 1], [1, 1, 2]]) == ["right", "wrong", "wrong"],
    ),
    "play-cut": ("3步", lambda toy: fewest_move_count_to_reach(toy.start, 1) == 3),
    "play-clinic": (
        "第2位的4",
        lambda toy: outcomes(toy, [[4, 1, 0, 2], [1, 4, 2, 0]]) == ["right", "wrong"],
    ),
    "play-scissors": (
        "更低",
        lambda toy: ndcg_by_k(toy.start)[3] < ndcg_by_k(toy.start)[2] < toy.start.trace.ndcg,
    ),
    "play-cat": (
        "先平，再跌，又涨",
        lambda toy: (one := ndcg_by_k(toy.start))[0] == one[1] == 1 > one[3] > one[2],
    ),
    "play-untasted": (
        "涨",
        lambda toy: outcomes(toy, [[3, 3, 2, 0, 1]]) == ["right"],
    ),
    "play-tied": ("五成上下", lambda toy: 0.5 < toy.start.range.worst < 0.55),
    "play-one-label": (
        "1个",
        lambda toy: outcomes(toy, [[4, 2, 2, 1], [4, 1, 2, 1]]) == ["right", "wrong"],
    ),
    "play-one-sweet": (
        "第3位",
        lambda toy: (
            outcomes(toy, [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]) == ["wrong", "right", "wrong"]
        ),
    ),
    "play-two-gains": (
        "涨",
        lambda toy: engine.ndcg(toy.start.row, gain="exponential") > toy.task.ndcg > toy.start.trace.ndcg,
    ),
    "play-turn-one": (
        "一颗挪一步",
        lambda toy: outcomes(toy, [[3, 2, 1], toy.start.row]) == ["right", "wrong"],
    ),
    "play-find-a-k": ("一个", lambda toy: winning_cuts(toy) == [4]),
    "play-swing": ("四成上下", lambda toy: 0.35 < 1 - toy.start.range.worst < 0.45),
}


@each("name", PREDICTED)
def test_the_right_option_says_what_happens(name: str) -> None:
    toy = BY_ID[name]
    words, truth = PREDICTED[name]
    assert toy.guess.options[toy.guess.right - 1] == words
    assert truth(toy)


def test_every_toy_is_held_against_the_engine() -> None:
    assert set(BY_ID) == set(RIGHT) | set(PREDICTED)


def test_before_ndcg_is_taught_a_row_shows_what_is_left_of_the_sweetness() -> None:
    toy = BY_ID["play-order"]
    step_ids = [step.id for step in TOYS if step.task.measure == "dcg"]
    assert step_ids == ["play-order", "play-swap", "play-discount", "play-one-grade", "play-trip"]
    halfway = toy.start.model_copy(update={"row": [3, 0, 2, 1]})
    left, most = halfway.trace.dcg, halfway.trace.idcg
    handles = frozenset(toy.handles)
    assert judge(toy.task, toy.start, halfway, handles).result_words == (
        f"现在是{left:.3f}，离{most:.3f}还差{most - left:.3f}。"
    )
    done = solving_setting(toy.task, toy.start, handles)
    assert done
    assert (
        judge(toy.task, toy.start, done, handles).result_words
        == f"到了，{most:.3f}。这样摆最少3步，没有更省的。"
    )


@each(
    ("toy_id", "row", "words"),
    [
        ("play-one-grade", [2, 1, 1], "换人了：3.131对3.000，用的是线性增益，全都算。"),
        ("play-one-grade", [1, 2, 1], "2.762对3.000，冠军还是原来那一排。"),
        ("play-discount", [0, 0, 4, 0, 0], "正好2.000。"),
        ("play-discount", [0, 4, 0, 0, 0], "现在是2.524，要的是2.000。"),
    ],
)
def test_a_verdict_speaks_of_what_the_row_shows(toy_id: str, row: list[int], words: str) -> None:
    toy = BY_ID[toy_id]
    setting = toy.start.model_copy(update={"row": row})
    assert judge(toy.task, toy.start, setting, frozenset(toy.handles)).result_words == words


def test_an_exchange_is_told_in_the_words_of_its_place() -> None:
    toy = BY_ID["play-swap"]
    poor = toy.start.with_swap(0, 1)
    result = judge(toy.task, toy.start, poor, frozenset(toy.handles))
    assert result.result_words.startswith("这一换，剩下的甜变了−0.738。")
    assert poor.trace.dcg - toy.start.trace.dcg == pytest.approx(-0.738, abs=1e-3)


def test_a_row_shows_no_full_marks_before_the_lesson_looks_for_them() -> None:
    """成都3天游 has its DCG, and the recap asks how much that is; `ruler-needed` goes to find the ideal."""
    row = COURSE.examples["chengdu-3-days"].grades
    step_ids = [step.id for step in COURSE.steps]
    search_number = step_ids.index("ruler-needed")
    toys_before = [step for step in COURSE.steps[:search_number] if isinstance(step, ToyStep)]
    assert {step.task.measure for step in toys_before if step.start.row == row} == {"dcg"}
