"""The movable row: its address, its moves, and every task, done and not done."""

from itertools import permutations

import pytest

from app import engine
from app.course.items.reordering import move_count_by_reachable_row
from app.course.learning.toys.setting import FIELD_NAMES, MOST_CANDIES, ToySetting, fields_of_setting, read
from app.course.learning.toys.tasks import (
    Handle,
    Task,
    fewest_move_count_to_reach,
    is_allowed,
    judge,
    solving_setting,
)
from tests.course.learning.made_toys import RIGHT, TOYS
from tests.course.small import changed, faults
from tests.tables import each

B = ToySetting(row=[0, 3, 2, 1])
ORDER: frozenset[Handle] = frozenset({"order"})


@each(
    "setting",
    [
        ToySetting(row=[3, 2]),
        ToySetting(row=[0] * MOST_CANDIES, k=MOST_CANDIES, gain="exponential", beside=[5, 0], pool=[1] * 12),
        ToySetting(row=[5, 4], k=1, pool=[5, 4, 3]),
    ],
)
def test_an_address_says_the_whole_setting(setting: ToySetting) -> None:
    query = {name: [text] for name, text in fields_of_setting(setting)}
    assert read(query, B).setting.model_copy() == setting
    start = ToySetting(row=[1, 1], k=2, gain="linear", beside=[3, 2])
    query = {name: [text] for name, text in fields_of_setting(setting, start)}
    assert read(query, start).setting == setting.model_copy(update={"beside": setting.beside or start.beside})


@each(
    ("name", "text"),
    [
        ("row", "3"), ("row", "6-1"), ("row", "3-2-"), ("row", "-3-2"), ("row", "3-2-1-0-3-2-1-0-3"),
        ("row", ""), ("row", "３-2"), ("row", "1" * 9999), ("beside", "1-2-3-4-5-0-1-2-3"),
        ("pool", "1-" * 12 + "1"),
        ("k", "0"), ("k", "9"), ("k", "12"), ("k", "-1"), ("gain", "log"), ("gain", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_and_the_rest_is_kept(name: str, text: str) -> None:
    reading = read({"k": ["2"], name: [text]}, B)
    assert list(reading.fault_by_field) == [name]
    assert getattr(reading.setting, name) == getattr(B, name)


def test_a_copy_counts_anew() -> None:
    assert B.trace.ndcg != B.with_move(0, 3).trace.ndcg == 1
    assert B.with_move(0, 1).row == [3, 0, 2, 1] == B.with_swap(0, 1).row
    assert B.with_move(3, 5).row == B.row


def test_moves_are_counted_as_exchanges_of_neighbours() -> None:
    """The oracle counts the pairs that stand the other way round."""
    start = (0, 3, 2, 1)
    for row in permutations(start):
        places = [start.index(grade) for grade in row]
        inversions = sum(places[i] > places[j] for i in range(4) for j in range(i, 4))
        assert move_count_by_reachable_row(start)[row] == inversions
    assert (
        fewest_move_count_to_reach(B, 1),
        fewest_move_count_to_reach(B, 0.95),
        fewest_move_count_to_reach(B, 0.5),
    ) == (3, 2, 0)


SWAP = ToySetting(row=[4, 2, 0, 1, 3])
FLIP = ToySetting(row=[2, 1, 2], beside=[3, 0, 0], k=3, pool=[3, 2, 2, 1, 0, 0])
CUT = ToySetting(row=[3, 1, 2, 0, 0, 3], beside=[3, 1, 0, 3, 2, 0], k=3)
CANDY = ToySetting(row=[4, 0, 0, 0, 0])


@each(
    ("kind", "ndcg", "start", "handles", "changes", "state"),
    [
        ("reach", 1.0, B, "order", {}, "wrong"),
        ("reach", 1.0, B, "order", {"row": [3, 2, 1, 0]}, "right"),
        ("reach", 0.95, B, "order", {"row": [3, 2, 0, 1]}, "right"),
        ("reach", 0.95, B, "order", {"row": [3, 2, 1, 0]}, "close"),
        ("reach", 1.0, B, "order", {"row": [5, 4, 3, 2]}, "wrong"),
        ("reach", 1.0, B, "k", {"row": [3, 2, 1, 0]}, "wrong"),
        ("reach", 1.0, B, "order", {"row": [3, 2, 1, 0], "k": 1}, "wrong"),
        ("reach", 1.0, B, "order", {"row": [3, 2, 1, 0], "gain": "exponential"}, "wrong"),
        ("reach", 1.0, B, "order", {"row": [3, 2, 1, 0], "pool": [3, 2]}, "wrong"),
        ("reach", 1.0, B, "grade", {"row": [3, 3, 2, 1]}, "right"),
        ("reach", 1.0, B, "grade", {"row": [3, 3, 2]}, "wrong"),
        ("reach", 1.0, B, "grade", {"row": [3, 3, 2, 1], "k": 1}, "wrong"),
        ("reach", 1.0, B, "grade", {"row": [3, 3, 2, 1], "gain": "exponential"}, "wrong"),
        ("reach", 1.0, B, "grade", {"row": [3, 3, 2, 1], "pool": [3, 2]}, "wrong"),
        ("hit", 0.5, CANDY, "order", {"row": [0, 0, 4, 0, 0]}, "right"),
        ("hit", 0.5, CANDY, "order", {"row": [0, 4, 0, 0, 0]}, "wrong"),
        ("worsen", 1.0, B, "order", {"row": [0, 1, 2, 3]}, "right"),
        ("worsen", 1.0, B, "order", {"row": [0, 3, 2, 1]}, "wrong"),
        ("worsen", 1.0, SWAP, "order", {"row": [2, 4, 0, 1, 3]}, "wrong"),
        ("worst", 1.0, B, "order", {"row": [0, 1, 2, 3]}, "right"),
        ("worst", 1.0, B, "order", {"row": [0, 1, 3, 2]}, "wrong"),
        ("flip", 1.0, FLIP, "gain", {"gain": "exponential"}, "right"),
        ("flip", 1.0, FLIP, "gain", {}, "wrong"),
        ("flip", 1.0, FLIP, "gain", {"gain": "exponential", "beside": [0, 0]}, "wrong"),
        ("flip", 1.0, CUT, "k", {"k": 4}, "right"),
        ("flip", 1.0, CUT, "k", {"k": 6}, "wrong"),
        ("flip", 1.0, CUT, "k", {"k": 3}, "wrong"),
        ("swap", 1.0, SWAP, "swap", {"row": [4, 2, 3, 1, 0]}, "right"),
        ("swap", 1.0, SWAP, "swap", {"row": [4, 3, 0, 1, 2]}, "wrong"),
        ("swap", 1.0, SWAP, "swap", {"row": [4, 3, 2, 1, 0]}, "wrong"),
        ("swap", 1.0, SWAP, "swap", {}, "wrong"),
    ],
)
def test_a_task_is_judged_by_what_stands_there(
    kind: str, ndcg: float, start: ToySetting, handles: Handle, changes: dict[str, object], state: str
) -> None:
    task = Task.model_validate({"kind": kind, "ndcg": ndcg, "words": "做。"})
    setting = start.model_copy(update=changes)
    result = judge(task, start, setting, frozenset({handles}))
    assert result.state == state, result.result_words
    assert result.result_words


@each(
    ("start", "handles", "ndcg", "changes", "words"),
    [
        (
            ToySetting(row=[3, 1, 2], pool=[3, 3, 2, 1]),
            ["order", "k"],
            1.0,
            {"row": [3, 2, 1], "k": 1},
            "到了：1.000。",
        ),
        (ToySetting(row=[0, 1, 3, 2]), ["order", "k"], 0.95, {"row": [3, 0, 1, 2], "k": 1}, "到了：1.000。"),
        (
            ToySetting(row=[0, 1, 3]),
            ["swap"],
            1.0,
            {"row": [3, 1, 0]},
            "到了，1.000。这样摆最少1步，没有更省的。",
        ),
    ],
)
def test_steps_are_counted_by_the_handle_and_where_the_order_alone_was_changed(
    start: ToySetting, handles: list[Handle], ndcg: float, changes: dict[str, object], words: str
) -> None:
    task = Task(kind="reach", ndcg=ndcg, words="做。")
    result = judge(task, start, start.model_copy(update=changes), frozenset(handles))
    assert (result.state, result.result_words) == ("right", words)


def test_what_lies_near_its_goal_is_told_apart_from_it() -> None:
    near = ToySetting(row=[3, 2, 1, 2, 3])
    for kind, words in (
        ("reach", "现在是0.94998，离0.95还差0.00002。"),
        ("hit", "现在是0.94998，要的是0.95。"),
    ):
        task = Task.model_validate({"kind": kind, "ndcg": 0.95, "words": "做。"})
        assert judge(task, near, near, frozenset({"order"})).result_words == words


def cuts(setting: ToySetting) -> list[float]:
    """The NDCG of a row for every k."""
    return [
        engine.ndcg(setting.row, k, setting.gain, pool=setting.pool) for k in range(1, len(setting.row) + 1)
    ]


def falls_and_rises(from_one: list[float]) -> bool:
    """Whether NDCG first falls and then rises when k goes down to 1."""
    lowest = min(from_one)
    return from_one[-1] > lowest < from_one[0]


@each("name", RIGHT)
def test_the_prediction_of_every_toy_is_what_happens(name: str) -> None:
    """What the right option says, computed here by the engine."""
    [toy] = [step for step in TOYS if step.id == name]
    done = solving_setting(toy.task, toy.start, frozenset(toy.handles))
    assert done
    orders = [list(row) for row in permutations(toy.start.row)]
    held = [engine.ndcg(row, gain=toy.start.gain) for row in orders if row[0] == toy.start.row[0]] or [0]
    lowest = min(engine.ndcg(row, gain=toy.start.gain) for row in orders)
    lists = {"九成上下": 0.88 < min(held, default=0) < 0.95, "六成上下": 0.57 < lowest < 0.65}
    row = done.row
    truths = {
        "play-order": name == "play-order" and fewest_move_count_to_reach(toy.start, 1) == 3,
        "play-trip": name == "play-trip" and fewest_move_count_to_reach(toy.start, 0.95) == 2,
        "play-swap": row[2] == 3,
        "play-first-stays": lists["九成上下"],
        "play-lipstick": lists["九成上下"],
        "play-range": lists["六成上下"],
        "play-discount": row[2] == 4,
        "play-ideal": done.trace.idcg == toy.start.trace.idcg,
        "play-gain": done.trace_beside.ndcg > done.trace.ndcg,
        "play-two-tables": row == [4, 4, 3, 1, 0],
        "play-k": done.k == 4,
        "play-three-ks": name == "play-three-ks" and falls_and_rises(cuts(toy.start)),
        "play-ceiling": name == "play-ceiling" and fewest_move_count_to_reach(toy.start, toy.task.ndcg) == 3,
        "play-all-sweet": done.trace.ndcg == 1,
        "play-pork": done.k == 3,
        "play-head-or-tail": row == [4, 3, 0, 1],
        "play-which-swap": row == [3, 1, 2, 0],
    }
    prediction = toy.guess.options[toy.guess.right - 1]
    assert prediction == RIGHT[name]
    assert truths[name]


@each(
    ("old", "new", "complaint"),
    [
        ("{row: [0, 3, 1]}", "{row: [3, 1, 0]}", "一开始就完成了"),
        ("handles: [order]", "handles: [k]", "怎么动都完不成"),
        ("right: 2}", "right: 3}", "要是一个选项的号"),
        ("{row: [0, 3, 1]}", "{row: [0, 3, 1, 0, 0, 0, 0]}", "最多6颗"),
    ],
)
def test_a_task_that_cannot_be_done_is_refused(old: str, new: str, complaint: str) -> None:
    assert complaint in "".join(faults(changed("01-first/lesson.yaml", old, new)))


def test_the_strip_is_that_of_the_engine() -> None:
    orders = [engine.ndcg(row, 2) for row in permutations([0, 3, 2, 1])]
    around = ToySetting(row=[0, 3, 2, 1], k=2).range
    assert around.worst == pytest.approx(min(orders))
    assert around.mean == pytest.approx(sum(orders) / len(orders))
    assert around.best == pytest.approx(max(orders))
    assert FIELD_NAMES[0] == "row"


POOLED, FREE = ToySetting(row=[2, 3, 0], pool=[3, 2, 0, 0]), ToySetting(row=[0, 0])


@each(
    ("start", "address", "row", "pool"),
    [
        (POOLED, {"row": ["3-3-0"]}, [3, 3, 0], [3, 3, 0, 0]),
        (POOLED, {"row": ["0-3-2"]}, [0, 3, 2], [3, 2, 0, 0]),
        (POOLED, {"row": ["3-3-0"], "to": ["4-3-0"]}, [4, 3, 0], [4, 3, 0, 0]),
        (
            ToySetting(row=[0, 0]),
            {"row": ["3-3-0"], "pool": ["3-3-0-0"], "to": ["4-3-0"]},
            [4, 3, 0],
            [4, 3, 0, 0],
        ),
        (ToySetting(row=[1, 1], pool=[3, 3]), {"row": ["3-3"], "to": ["4-3"]}, [4, 3], [3, 3]),
    ],
)
def test_the_pool_goes_along_with_a_candy_that_gets_sweeter(
    start: ToySetting, address: dict[str, list[str]], row: list[int], pool: list[int]
) -> None:
    """As the script moves it: no row is better than its ideal. A pool that is another one stays."""
    reading = read(address, start)
    assert (reading.setting.row, reading.setting.pool, reading.fault_by_field) == (row, pool, {})
    if "pool" not in address:
        assert is_allowed(start, reading.setting, frozenset({"grade"}))
        assert "pool" not in dict(fields_of_setting(reading.setting, start))
        assert not is_allowed(
            start, reading.setting.model_copy(update={"pool": [5, 5]}), frozenset({"grade"})
        )


@each(
    ("name", "row", "state", "words"),
    [
        ("play-one-grade", [2, 1, 1], "right", "换人了"),
        ("play-one-grade", [1, 2, 1], "wrong", "冠军还是原来那一排"),
        ("play-one-grade", [2, 2, 2], "wrong", "只许给一颗糖加甜，最多加1分"),
        ("play-one-grade", [1, 3, 1], "wrong", "只许给一颗糖加甜，最多加1分"),
        ("play-untasted", [3, 3, 2, 0, 1], "right", "到了"),
        ("play-untasted", [3, 0, 0, 0, 0], "wrong", "只许给一颗糖加甜，别的都不动"),
        ("play-untasted", [3, 0, 2, 0, 1], "wrong", "现在是"),
        ("play-all-sweet", [3, 3, 3], "right", "到了"),
    ],
)
def test_where_one_candy_is_to_be_sweetened_no_other_is(
    name: str, row: list[int], state: str, words: str
) -> None:
    [toy] = [toy for toy in TOYS if toy.id == name]
    result = judge(toy.task, toy.start, toy.start.with_row(row), frozenset(toy.handles))
    assert result.state == state
    assert words in result.result_words
