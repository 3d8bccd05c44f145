"""What a movable row is asked for, and whether it was done: judged by the row as it stands, on the server."""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, NamedTuple

from pydantic import Field

from app import engine
from app.course.items.printed_figures import figure_and_gap_texts, signed_text
from app.course.items.reordering import move_count_by_reachable_row
from app.course.learning.toys.setting import HIGHEST_GRADE, ToySetting
from app.course.text.model_base import NAME_BY_GAIN, ContentPart, Text
from app.engine.rounding import FLOAT_NOISE

Handle = Literal["order", "swap", "k", "gain", "grade"]
"""What a hand may change: the order candy by candy, or by exchanging two; k; the gain; a grade."""


class Task(ContentPart):
    """`reach` an NDCG in the fewest moves, or `hit` one exactly; `worsen` the row with its first candy
    held; make it the `worst`; `flip` which of the two rows is ahead; exchange the two candies of which the
    `swap` is worth most.

    `measure` is what the row shows and the verdict speaks of: before NDCG is taught, what is left of the
    sweetness, which is the DCG. `most_added_grades`: one candy alone may become sweeter, by so many grades;
    without it every grade may be changed.
    """

    kind: Literal["reach", "hit", "worsen", "worst", "flip", "swap"]
    measure: Literal["ndcg", "dcg"] = "ndcg"
    ndcg: float = Field(default=1.0, gt=0, le=1)
    most_added_grades: int | None = Field(default=None, ge=1, le=HIGHEST_GRADE)
    words: Text


NAME_BY_MEASURE = {"ndcg": "DCG", "dcg": "剩下的甜"}
"""What the sum of a row is called, by the `measure` of its task."""


class Prediction(ContentPart):
    """What is guessed before a hand moves anything; `right` is the number of an option, from 1."""

    ask: Text
    options: list[Text] = Field(min_length=2, max_length=4)
    right: int = Field(ge=1, le=4)


class TaskResult(NamedTuple):
    """How it stands: `close` is done, but not as well as it can be."""

    state: Literal["right", "close", "wrong"]
    result_words: str


def judge(
    task: Task, start_setting: ToySetting, toy_setting: ToySetting, handles: frozenset[Handle]
) -> TaskResult:
    """Whether a task is done."""
    if not is_allowed(start_setting, toy_setting, handles):
        return TaskResult("wrong", "这一排不是题里的那一排了：从头来一次。")
    if task.most_added_grades and not is_one_candy_sweeter(
        start_setting, toy_setting, task.most_added_grades
    ):
        added_words = "加甜"
        if task.most_added_grades < HIGHEST_GRADE:
            added_words = f"加甜，最多加{task.most_added_grades}分"
        return TaskResult("wrong", f"这一题只许给一颗糖{added_words}，别的都不动：从头来一次。")
    return JUDGE_BY_KIND[task.kind](task, start_setting, toy_setting, handles)


def is_one_candy_sweeter(start_setting: ToySetting, toy_setting: ToySetting, most_added_grades: int) -> bool:
    """Whether one candy at most was changed, and only to be sweeter, by so many grades."""
    grade_pairs = zip(start_setting.row, toy_setting.row, strict=True)
    grade_changes = [grade - start_grade for start_grade, grade in grade_pairs if grade != start_grade]
    return len(grade_changes) <= 1 and all(
        0 < grade_change <= most_added_grades for grade_change in grade_changes
    )


def is_allowed(start_setting: ToySetting, toy_setting: ToySetting, handles: frozenset[Handle]) -> bool:
    """Whether only that was changed which has a handle, and the pool with it."""
    if len(toy_setting.row) != len(start_setting.row):
        return False
    has_same_candies = sorted(toy_setting.row) == sorted(start_setting.row)
    if not has_same_candies and "grade" not in handles:
        return False
    is_row_changed = toy_setting.row != start_setting.row
    if is_row_changed and handles.isdisjoint({"order", "swap", "grade"}):
        return False
    if toy_setting.k != start_setting.k and "k" not in handles:
        return False
    if toy_setting.gain != start_setting.gain and "gain" not in handles:
        return False
    expected_setting = start_setting.with_row(toy_setting.row)
    return (toy_setting.beside, toy_setting.pool) == (expected_setting.beside, expected_setting.pool)


def measured_value(task: Task, row_trace: engine.Trace) -> float:
    """What a row shows for this task: its NDCG, or what is left of its sweetness."""
    if task.measure == "dcg":
        return row_trace.dcg
    return row_trace.ndcg


def goal_value_and_text(task: Task, toy_setting: ToySetting) -> tuple[float, str]:
    """What the row is to show, and how that is written."""
    if task.measure == "dcg":
        goal_value = task.ndcg * toy_setting.trace.idcg
        return goal_value, f"{goal_value:.3f}"
    return task.ndcg, f"{task.ndcg:g}"


def _judge_reach(
    task: Task, start_setting: ToySetting, toy_setting: ToySetting, handles: frozenset[Handle]
) -> TaskResult:
    reached_value = measured_value(task, toy_setting.trace)
    goal_value, goal_text = goal_value_and_text(task, toy_setting)
    if reached_value < goal_value - FLOAT_NOISE:
        reached_text, gap_text = figure_and_gap_texts(reached_value, goal_value)
        return TaskResult("wrong", f"现在是{reached_text}，离{goal_text}还差{gap_text}。")
    # Steps are counted only where nothing but the order was changed.
    is_only_reordered = toy_setting == start_setting.model_copy(update={"row": toy_setting.row})
    has_same_candies = sorted(toy_setting.row) == sorted(start_setting.row)
    if toy_setting.row == start_setting.row or not (is_only_reordered and has_same_candies):
        return TaskResult("right", f"到了：{reached_value:.3f}。")
    is_by_exchange = "swap" in handles
    move_count_by_row = move_count_by_reachable_row(tuple(start_setting.row), is_by_exchange)
    needed_move_count = move_count_by_row[tuple(toy_setting.row)]
    fewest_move_count = fewest_move_count_to_reach(start_setting, task.ndcg, is_by_exchange)
    if needed_move_count > fewest_move_count:
        return TaskResult(
            "close",
            f"到了，{reached_value:.3f}。这样摆至少走{needed_move_count}步，其实{fewest_move_count}步就够：再省省？",
        )
    return TaskResult("right", f"到了，{reached_value:.3f}。这样摆最少{fewest_move_count}步，没有更省的。")


def _judge_hit(
    task: Task, _start: ToySetting, toy_setting: ToySetting, _handles: frozenset[Handle]
) -> TaskResult:
    reached_value = measured_value(task, toy_setting.trace)
    goal_value, goal_text = goal_value_and_text(task, toy_setting)
    if abs(reached_value - goal_value) > FLOAT_NOISE:
        reached_text, _ = figure_and_gap_texts(reached_value, goal_value)
        return TaskResult("wrong", f"现在是{reached_text}，要的是{goal_text}。")
    return TaskResult("right", f"正好{reached_value:.3f}。")


def _judge_worsen(
    _task: Task, start_setting: ToySetting, toy_setting: ToySetting, _handles: frozenset[Handle]
) -> TaskResult:
    if toy_setting.row[0] != start_setting.row[0]:
        return TaskResult("wrong", "第1位换人了。把它请回来，只动后面的。")
    if toy_setting.trace.ndcg > start_setting.trace.ndcg - FLOAT_NOISE:
        return TaskResult("wrong", f"还是{toy_setting.trace.ndcg:.3f}，没有变差：再试试。")
    ndcg_text_before, loss_text = figure_and_gap_texts(start_setting.trace.ndcg, toy_setting.trace.ndcg)
    ndcg_text, _ = figure_and_gap_texts(toy_setting.trace.ndcg, start_setting.trace.ndcg)
    return TaskResult("right", f"变差了：从{ndcg_text_before}掉到{ndcg_text}，少了{loss_text}。")


def _judge_worst(
    _task: Task, _start: ToySetting, toy_setting: ToySetting, _handles: frozenset[Handle]
) -> TaskResult:
    worst_ndcg = toy_setting.range.worst
    ndcg = toy_setting.trace.ndcg
    if ndcg > worst_ndcg + FLOAT_NOISE:
        ndcg_text, gap_text = figure_and_gap_texts(ndcg, worst_ndcg)
        return TaskResult("wrong", f"{ndcg_text}，还能更差：最差的排法比它低{gap_text}。")
    return TaskResult("right", f"差到底了：{worst_ndcg:.3f}，不能再低。")


def _judge_flip(
    task: Task, start_setting: ToySetting, toy_setting: ToySetting, _handles: frozenset[Handle]
) -> TaskResult:
    first_value = measured_value(task, toy_setting.trace)
    second_value = measured_value(task, toy_setting.trace_beside)
    lead = first_value - second_value
    lead_before = measured_value(task, start_setting.trace) - measured_value(task, start_setting.trace_beside)
    if abs(lead) <= FLOAT_NOISE:
        return TaskResult("wrong", f"{first_value:.3f}对{second_value:.3f}，打平了：再挪一挪。")
    first_text, _ = figure_and_gap_texts(first_value, second_value)
    second_text, _ = figure_and_gap_texts(second_value, first_value)
    values_text = f"{first_text}对{second_text}"
    if (lead > 0) == (lead_before > 0):
        return TaskResult("wrong", f"{values_text}，冠军还是原来那一排。")
    return TaskResult(
        "right", f"换人了：{values_text}，用的是{NAME_BY_GAIN[toy_setting.gain]}，{k_words(toy_setting)}。"
    )


def _judge_swap(
    task: Task, start_setting: ToySetting, toy_setting: ToySetting, _handles: frozenset[Handle]
) -> TaskResult:
    dcg_by_row = {
        tuple(swapped_setting.row): swapped_setting.trace.dcg
        for swapped_setting in swapped_settings(start_setting)
    }
    dcg = dcg_by_row.get(tuple(toy_setting.row))
    if dcg is None:
        return TaskResult("wrong", "要正好换一次：两颗对调，别的不动。可以从头来。")
    dcg_increase = dcg - start_setting.trace.dcg
    largest_increase = max(dcg_by_row.values()) - start_setting.trace.dcg
    measure_name = NAME_BY_MEASURE[task.measure]
    if dcg_increase < largest_increase - FLOAT_NOISE:
        increase_words = f"{measure_name}变了{signed_text(dcg_increase, '+.3f')}"
        return TaskResult("wrong", f"这一换，{increase_words}。还有更值的一换，值{largest_increase:+.3f}。")
    return TaskResult("right", f"最值的就是这一换：{measure_name}多了{dcg_increase:.3f}。")


JUDGE_BY_KIND = {
    "reach": _judge_reach,
    "hit": _judge_hit,
    "worsen": _judge_worsen,
    "worst": _judge_worst,
    "flip": _judge_flip,
    "swap": _judge_swap,
}


def k_words(toy_setting: ToySetting) -> str:
    """How many candies count."""
    if toy_setting.k is None:
        return "全都算"
    return f"k＝{toy_setting.k}"


def swapped_settings(start_setting: ToySetting) -> Iterator[ToySetting]:
    """The rows in which two different candies have changed places."""
    for first_index, second_index in combinations(range(len(start_setting.row)), 2):
        if start_setting.row[first_index] != start_setting.row[second_index]:
            yield start_setting.with_swap(first_index, second_index)


def sweetened_settings(start_setting: ToySetting) -> Iterator[ToySetting]:
    """The rows in which one candy is sweeter, by one grade and by more.

    >>> [setting.row for setting in sweetened_settings(ToySetting(row=[5, 3]))]
    [[5, 4], [5, 5]]
    """
    for candy_index, grade in enumerate(start_setting.row):
        for higher_grade in range(grade + 1, HIGHEST_GRADE + 1):
            candy_row = [
                *start_setting.row[:candy_index],
                higher_grade,
                *start_setting.row[candy_index + 1 :],
            ]
            yield start_setting.with_row(candy_row)


def fewest_move_count_to_reach(start_setting: ToySetting, ndcg: float, is_by_exchange: bool = False) -> int:
    """How many moves it takes at least to reach an NDCG. ValueError where no order does."""
    sufficient_move_counts = []
    move_count_by_row = move_count_by_reachable_row(tuple(start_setting.row), is_by_exchange)
    for candy_row, move_count in move_count_by_row.items():
        ndcg_of_row = engine.ndcg(candy_row, start_setting.k, start_setting.gain, pool=start_setting.pool)
        if ndcg_of_row >= ndcg - FLOAT_NOISE:
            sufficient_move_counts.append(move_count)
    return min(sufficient_move_counts)


def solving_setting(task: Task, start_setting: ToySetting, handles: frozenset[Handle]) -> ToySetting | None:
    """A setting that does the task, for the check of the course; None where there is none."""
    candidate_settings = [*sweetened_settings(start_setting), *swapped_settings(start_setting)]
    candidate_settings += [
        start_setting.model_copy(update={"row": list(candy_row)})
        for candy_row in move_count_by_reachable_row(tuple(start_setting.row))
    ]
    candidate_settings += [
        start_setting.model_copy(update={"k": k}) for k in range(1, len(start_setting.row) + 1)
    ]
    candidate_settings += [start_setting.model_copy(update={"gain": gain}) for gain in NAME_BY_GAIN]
    for toy_setting in candidate_settings:
        if judge(task, start_setting, toy_setting, handles).state == "right":
            return toy_setting
    return None
