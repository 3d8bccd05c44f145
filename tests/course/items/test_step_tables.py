"""分步题: what is asked, how it is marked, what is said."""

import pytest

from app.course.items.kinds import Steps
from app.course.items.kinds.base import UNFILLED_SIGN
from app.course.items.marks import Unreadable
from tests.course.small import changed, course, faults
from tests.tables import each

ITEMS = "01-first/items.yaml"


def table() -> Steps:
    items = course().items["table"]
    assert isinstance(items, Steps)
    return items


def truth(item: Steps) -> list[str]:
    return [f"{item.table.true_value_by_cell_name()[cell.name]:.3f}" for cell in item.blanks]


def with_slip(item: Steps, name: str, text: str) -> list[str]:
    names = [cell.name for cell in item.blanks]
    raw = truth(item)
    raw[names.index(name)] = text
    return raw


def test_what_is_given_is_not_asked() -> None:
    assert [cell.name for cell in table().blanks] == [
        "term-2", "term-3", "dcg", "ideal-1", "ideal-term-1", "ideal-2", "ideal-term-2",
        "ideal-3", "ideal-term-3", "idcg", "ndcg",
    ]  # fmt: skip


def test_the_whole_table_right() -> None:
    mark = table().mark(truth(table()))
    assert (mark.verdict, mark.score) == ("right", 1.0)
    assert mark.feedback == ("一步都没走岔：NDCG≈0.913。",)


def test_a_slip_loses_its_step_and_is_diagnosed() -> None:
    mark = table().mark(with_slip(table(), "ideal-1", "0"))
    assert mark.verdict == "wrong"
    assert mark.score == pytest.approx(5 / 6)
    assert mark.feedback[0].startswith("走岔在**理想第1位的甜度**。理想排序从最甜的排起")
    mark = table().mark(with_slip(table(), "term-2", "4.755"))  # 3 × 1.585
    assert mark.misconception_code == "multiplied_by_log"
    assert mark.feedback[0].startswith("走岔在**第2项**。**卡在“折损”这一步。**")


def test_a_cell_that_is_right_as_far_as_it_was_typed_is_too_short() -> None:
    assert table().mark(with_slip(table(), "idcg", "4.3")).misconception_code == "fewer_decimals"  # 4.262
    assert table().mark(with_slip(table(), "ndcg", "0.9")).misconception_code == "fewer_decimals"  # 0.913


@each(
    ("order", "misconception"),
    [
        ("0 2 3", "ideal_ascending"),
        ("2 3 0", "ideal_not_sorted"),
        ("3 0 2", None),
        ("0 3 2", None),
    ],
)
def test_an_ideal_order_is_diagnosed_as_a_whole(order: str, misconception: str | None) -> None:
    own = dict(zip(["ideal-1", "ideal-2", "ideal-3"], order.split(), strict=True))
    raw = [own.get(cell.name, text) for cell, text in zip(table().blanks, truth(table()), strict=True)]
    mark = table().mark(raw)
    assert (mark.verdict, mark.misconception_code) == ("wrong", misconception)


def test_an_ideal_order_of_what_was_returned_is_named() -> None:
    question = {"quantity": "ndcg", "grades": [1, 2, 0], "pool": [1, 2, 0, 3, 3], "k": 2}
    pooled = Steps.model_validate(
        table().model_dump() | {"question": question, "given": ["gain", "discount"]}
    )
    own = {"ideal-1": "2", "ideal-2": "1"}
    raw = [own.get(cell.name, text) for cell, text in zip(pooled.blanks, truth(pooled), strict=True)]
    assert pooled.mark(raw).misconception_code == "ideal_from_retrieved|ideal_from_first_k"


def test_a_term_of_the_ideal_is_diagnosed_too() -> None:
    mark = table().mark(with_slip(table(), "ideal-term-2", f"{2 * 1.58496:.3f}"))
    assert mark.misconception_code == "multiplied_by_log"


def test_what_follows_is_said_to_be_right_by_ones_own_numbers() -> None:
    item = table()
    raw = with_slip(item, "term-2", "3")
    names = [cell.name for cell in item.blanks]
    raw[names.index("dcg")] = "5"
    raw[names.index("ndcg")] = f"{5 / item.table.true_value_by_cell_name()['idcg']:.3f}"
    mark = item.mark(raw)
    assert mark.score == pytest.approx(5 / 6)
    assert mark.feedback[0].endswith("\n\n后面的DCG、NDCG照你自己的数来看，算得没错，不重复扣分。")


def test_cells_can_be_left_to_the_tutor() -> None:
    raw = [
        "=" if cell.column in ("ideal", "ideal-term") else text
        for cell, text in zip(table().blanks, truth(table()), strict=True)
    ]
    mark = table().mark(raw)
    assert mark.verdict == "right"
    assert mark.score == pytest.approx(4 / 6)
    assert mark.feedback[0] == "你填的都对。理想排序、理想的各项是我替你填的，最后NDCG≈0.913。"


def test_each_step_that_was_filled_counts_at_the_hand_in() -> None:
    def handed_in(*columns: str) -> list[str]:
        cells_and_texts = zip(table().blanks, truth(table()), strict=True)
        return [text if cell.column in columns else UNFILLED_SIGN for cell, text in cells_and_texts]

    mark = table().mark(handed_in("term"))
    assert mark.verdict == "wrong"
    assert mark.score == pytest.approx(1 / 6)
    assert mark.feedback[0] == "填了的都对，DCG、理想排序、理想的各项、IDCG、NDCG没有填完。"
    assert table().mark(handed_in("term", "dcg", "ideal")).verdict == "right"
    half_a_step = handed_in("term")
    half_a_step[0] = UNFILLED_SIGN
    with pytest.raises(Unreadable, match="还没有一步是填完的"):
        table().mark(half_a_step)


@each(
    ("raw", "message"),
    [
        (lambda item: with_slip(item, "dcg", " "), "DCG还空着。填上再交"),
        (lambda item: ["", "", *truth(item)[2:]], "第2项等2格还空着"),
        (lambda item: with_slip(item, "dcg", "x"), "DCG：认不出“x”"),
        (lambda item: ["="] * len(item.blanks), "留给我的太多了"),
        (lambda item: truth(item)[:-1], "格子的数目对不上"),
    ],
)
def test_what_cannot_be_read_costs_nothing_and_is_named(raw, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Unreadable, match=message):
        table().mark(raw(table()))


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("given: [gain, fun]", "given里有这张表没有的格子：fun"),
        ("given: [gain, discount, term, dcg, ideal, ideal-term, idcg, ndcg]", "given把格子都填满了"),
    ],
)
def test_a_table_that_cannot_be_asked_is_a_fault(new: str, message: str) -> None:
    [line] = faults(changed(ITEMS, "given: [gain, discount, term-1]", new))
    assert message in line


def test_only_sums_and_ratios_have_a_table() -> None:
    old = "question: {quantity: ndcg, grades: [2, 3, 0], k: 3}"
    [line] = faults(changed(ITEMS, old, old.replace("ndcg", "idcg")))
    assert "quantity只能是dcg或ndcg" in line
