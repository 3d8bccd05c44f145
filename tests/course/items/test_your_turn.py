"""换你: the same question with one thing changed, and a different answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import engine
from app.course.items import rounding
from app.course.items.asked_tables import (
    AnyTable,
    AskedAgreement,
    AskedClicks,
    AskedCoins,
    AskedPosition,
    AskedSwap,
)
from app.course.items.examples import Document, Example, Ranking
from app.course.items.kinds import AskedQuantity, Numeric
from app.course.items.your_turn import has_turn, turn_item_id, turn_of_example, turn_of_item
from tests.course.small import changed, course, parsed
from tests.tables import each


def asked_of(item: Numeric) -> AskedQuantity:
    assert isinstance(item.question, AskedQuantity)
    return item.question


def numeric(asked_quantity: AskedQuantity, decimals: int = 3) -> Numeric:
    return Numeric(kind="numeric", id="one", skill="s", stem="?", question=asked_quantity, decimals=decimals)


def clicks(*positions: tuple[int, int, float]) -> AskedClicks:
    """Positions as they were shown, clicked and looked at."""
    asked_positions = []
    for shown_times, click_count, propensity in positions:
        position = AskedPosition(shown_times=shown_times, clicks=click_count, propensity=propensity)
        asked_positions.append(position)
    return AskedClicks(quantity="ips", positions=asked_positions)


def differs(item: Numeric, turn: Numeric) -> bool:
    low, high = rounding.accepted_range(item.question.engine_question, item.decimals)
    return not low <= round(turn.answer, item.decimals) <= high


@each(
    ("quantity", "grades", "more"),
    [
        ("cg", [3, 2, 1], {"k": 1}),
        ("cg", [0, 0], {}),
        ("dcg", [3, 2, 1], {"k": 1}),
        ("dcg", [3], {}),
        ("idcg", [3, 1, 3, 3], {"k": 2}),
        ("idcg", [3, 3, 3, 0, 0], {"k": 2}),
        ("ndcg", [3, 2, 1], {"k": 3}),
        ("ndcg", [1, 0, 0], {"k": 3}),
        ("ndcg", [3, 3], {}),
        ("ndcg", [0, 0, 0], {}),
        ("ndcg", [None, 3, None], {}),
        ("dcg", [3] * 12, {"k": 10}),
        ("ndcg", [2, 0.5, 1.5], {}),
        ("ndcg", [2, 1, 2], {"k": 3, "gain": "exponential", "pool": [3, 2, 2, 1, 0, 0]}),
        ("gain", [4], {"rank": 1, "gain": "exponential"}),
        ("gain", [3, 3, 3], {"rank": 3}),
        ("term", [3, 2, 1], {"rank": 3}),
        ("discount", [3, 2, 1], {"rank": 3}),
        ("discount", [3], {"rank": 1}),
        ("discount", [0] * 15, {"rank": 15}),
    ],
)
def test_the_answer_is_another_one(
    quantity: str, grades: list[float | None], more: dict[str, object]
) -> None:
    item = numeric(AskedQuantity.model_validate({"quantity": quantity, "grades": grades, **more}), 2)
    turn = turn_of_item(item)
    assert differs(item, turn)
    assert turn.question.quantity == quantity
    assert (turn.id, turn.twin) == ("one-turn", None)


grades_of = st.lists(st.integers(0, 4), min_size=2, max_size=8)


@given(grades_of, st.sampled_from(["cg", "dcg", "idcg", "ndcg"]), st.sampled_from(["linear", "exponential"]))
def test_one_grade_changes_and_stays_on_the_scale(grades: list[float], quantity: str, gain: str) -> None:
    asked_quantity = AskedQuantity.model_validate({"quantity": quantity, "grades": grades, "gain": gain})
    item, turn = numeric(asked_quantity), turn_of_item(numeric(asked_quantity))
    changed = asked_of(turn).grades or []
    assert sum(old != new for old, new in zip(grades, changed, strict=True)) == 1
    assert all(0 <= grade <= max(3, *grades) for grade in changed if grade is not None)
    assert differs(item, turn)


@given(grades_of.filter(lambda grades: len(grades) > 2))
def test_an_ndcg_is_not_seen_at_a_glance(grades: list[float]) -> None:
    turn = turn_of_item(numeric(AskedQuantity.model_validate({"quantity": "ndcg", "grades": grades})))
    assert 0 < turn.answer < 1


@each(
    ("quantity", "grades", "k"),
    [
        ("precision", [0, 1, 0], 3),
        ("precision", [1, 0, 1], 2),
        ("recall", [1, 0, 0, 1, 1], 2),
        ("average_precision", [1, 0, 1], None),
        ("average_precision", [0, 1, 0], None),
        ("reciprocal_rank", [0, 1, 0], None),
        ("reciprocal_rank", [1, 0, 0], None),
        ("auc", [1, 0, 1, 0], None),
        ("err", [0, 3, 0], None),
        ("rbp", [0, 1, 0], None),
    ],
)
def test_a_share_is_not_seen_at_a_glance(quantity: str, grades: list[float], k: int | None) -> None:
    item = numeric(AskedQuantity.model_validate({"quantity": quantity, "grades": grades, "k": k}))
    turn = turn_of_item(item)
    assert 0 < turn.answer < 1
    assert differs(item, turn)


def test_where_each_grade_would_show_the_answer_two_documents_change_places() -> None:
    turn = turn_of_item(numeric(AskedQuantity(quantity="reciprocal_rank", grades=[0, 1, 0])))
    assert turn.stem == "换你：把第2位和第3位对调，别的都不动，甜度成了0、0、1。现在RR是多少？"
    assert turn.answer == 1 / 3


def test_an_unjudged_document_is_judged_and_comes_into_the_pool() -> None:
    asked_quantity = AskedQuantity(quantity="dcg", grades=[None, None], pool=[0, 2])
    turn = turn_of_item(numeric(asked_quantity))
    words = "换你：第2位原来未标注，现在标成1，别的都不动，甜度成了未标注、1，评判池是0、2、1。"
    assert turn.stem == f"{words}现在DCG是多少？"
    assert asked_of(turn).pool == [0, 2, 1]


@each("rank", [1, 2, 9, 10, 11, 15])
def test_another_rank_has_a_logarithm_in_the_table_and_is_not_the_first(rank: int) -> None:
    turn = turn_of_item(numeric(AskedQuantity(quantity="discount", grades=[0] * 15, rank=rank)))
    assert 1 < (asked_of(turn).rank or 0) <= rounding.TABLE_RANKS


@given(grades_of, st.lists(st.integers(0, 4), max_size=4))
def test_the_pool_changes_with_the_list(grades: list[float], pool_grades: list[float]) -> None:
    asked_quantity = AskedQuantity.model_validate(
        {"quantity": "ndcg", "grades": grades, "pool": [*pool_grades, *grades]}
    )
    turn = turn_of_item(numeric(asked_quantity))
    changed = [grade for grade in asked_of(turn).grades or [] if grade is not None]
    assert sorted(asked_of(turn).pool or []) == sorted([*pool_grades, *changed])
    assert turn.answer <= 1 + 1e-12


def test_the_question_says_everything_that_its_answer_depends_on() -> None:
    asked_quantity = AskedQuantity.model_validate(
        {"quantity": "ndcg", "grades": [2, 1], "k": 2, "gain": "exponential", "pool": [2, 1, 3]}
    )
    stem = turn_of_item(numeric(asked_quantity)).stem
    changed_to = "换你：把第2位的甜度从1改成2，别的都不动，甜度成了2、2，评判池是2、2、3，照旧用指数增益"
    assert stem == f"{changed_to}。现在NDCG@2是多少？"


def test_a_discount_asks_for_another_rank() -> None:
    turn = turn_of_item(numeric(AskedQuantity(quantity="discount", grades=[3, 2, 1], rank=3)))
    assert turn.stem == "换你：名次换成第4位。现在第4位的折损是多少？"
    assert turn.answer == engine.discount_weight(4)


def test_what_belongs_to_the_old_numbers_is_dropped() -> None:
    old = course().items["sum"]
    turn = course().items["sum-turn"]
    assert old.hints
    assert not turn.hints
    assert turn.explanation is None


def test_the_documents_are_drawn_with_the_grades_that_are_asked_about_now() -> None:
    ranking = Ranking(query="茶", documents=[Document(title="甲", grade=3), Document(title="乙", grade=1)])
    item = numeric(AskedQuantity(quantity="dcg", grades=[3, 1])).model_copy(update={"ranking": ranking})
    turn = turn_of_item(item)
    assert turn.ranking is not None
    assert [document.grade for document in turn.ranking.documents] == asked_of(turn).grades
    assert asked_of(turn).grades != [3, 1]
    shorter = Ranking(query="茶", documents=[Document(title="甲", grade=3)])
    assert turn_of_item(item.model_copy(update={"ranking": shorter})).ranking is None


def test_a_numeric_item_has_its_turn_as_a_twin_and_an_example_has_one_by_name() -> None:
    small = course()
    assert small.items["sum"].twin == "sum-turn"
    assert small.item_id_by_twin_id["sum-turn"] == "sum"
    assert turn_item_id("tea") in small.items
    assert small.items[turn_item_id("tea")].hints


@each("grades", [[3, 2, 1], [3], [0, 0], [1] * 12, [None, None], [None, 2]])
def test_every_example_has_a_turn(grades: list[float | None]) -> None:
    documents = [Document(title="一篇", grade=grade) for grade in grades]
    turn = turn_of_example(Example(title="例", documents=documents, id="e"))
    assert turn.id == "e-example-turn"
    assert turn.mark([f"{turn.answer:.3f}"]).verdict == "right"


def test_a_twin_gets_no_turn_of_its_own() -> None:
    """A wrong twin shows its explanation; nothing would ever ask the twin of a twin."""
    files = changed("01-first/items.yaml", "  hints: [先写三项。]", "  twin: of-pairs")
    files["01-first/items.yaml"] += TWIN
    small = parsed(files)
    assert small.items["sum"].twin == "of-pairs"
    assert small.items["of-pairs"].twin is None
    assert "of-pairs-turn" not in small.items


TWIN = """\
of-pairs:
  kind: numeric
  skill: dcg
  stem: 多少？
  question: {quantity: dcg, grades: [1, 2]}
"""


@each(
    ("asked_table", "words"),
    [
        (
            AskedCoins(quantity="sign_test", differences=[0.1, 0.2, 0.1, -0.1]),
            "有一个查询从输变成赢，别的都不动，成了4赢0输。现在",
        ),
        (
            AskedCoins(quantity="sign_test", differences=[0.1, 0.2, 0.1, 0, 0.3]),
            "有一个查询从赢变成输，别的都不动，成了3赢1输1平。现在",
        ),
        (
            AskedCoins(quantity="randomisation_test", differences=[0.06, 0.03, -0.02]),
            "从+0.06变成−0.06，别的都不动，成了−0.06；+0.03；−0.02。现在",
        ),
        (
            AskedAgreement(quantity="kappa", counts=[[1, 4], [2, 8]]),
            "第2列的8换成6，第1列的2换成4，别的都不动：\n\n| | 乙：有用 | 乙：没用 |\n",
        ),
        (clicks((100, 24, 0.8), (300, 12, 0.2)), "靠后的点击从12次变成6次"),
        (clicks((100, 24, 0.8), (300, 0, 0.2)), "靠前的点击从24次变成12次"),
    ],
)
def test_one_thing_in_a_table_is_changed(asked_table: AnyTable, words: str) -> None:
    item = Numeric(kind="numeric", id="one", skill="s", stem="?", question=asked_table, decimals=3)
    turn = turn_of_item(item)
    assert has_turn(item)
    assert words in turn.stem
    assert differs(item, turn)


def test_the_changed_table_keeps_the_names_of_its_own() -> None:
    stem = "| | 人：有用 | 人：没用 |\n|---|---|---|\n| 模型：有用 | 9 | 2 |\n| 模型：没用 | 3 | 6 |\n\nκ？"
    asked_agreement = AskedAgreement(quantity="kappa", counts=[[9, 2], [3, 6]])
    turn = turn_of_item(
        Numeric(kind="numeric", id="one", skill="s", stem=stem, question=asked_agreement, decimals=2)
    )
    changed_rows = [line for line in turn.stem.splitlines() if line.startswith("|")]
    assert changed_rows == [
        "| | 人：有用 | 人：没用 |",
        "|---|---|---|",
        "| 模型：有用 | 9 | 2 |",  # of 7, 4, 3, 6 Scott's π is 0.30 as well
        "| 模型：没用 | 5 | 4 |",
    ]


def test_a_swap_is_left_as_it_is() -> None:
    swap = AskedSwap(quantity="delta_ndcg", grades=[1, 3], first=1, second=2)
    assert not has_turn(Numeric(kind="numeric", id="one", skill="s", stem="?", question=swap, decimals=3))


@pytest.mark.parametrize("grades", [[1, 0, 1, 0], [2, 0, 1], [1, 0]])
def test_auc_is_turned_where_it_stays_an_auc(grades: list[int]) -> None:
    """It has no cut, and needs a document of each kind."""
    item = Numeric.model_validate(
        {"kind": "numeric", "id": "auc", "skill": "ndcg", "stem": "AUC是多少？", "minutes": 1}
        | {"question": {"quantity": "auc", "grades": grades}}
    )
    changed_question = turn_of_item(item).question
    assert isinstance(changed_question, AskedQuantity)
    assert changed_question.grades != grades
    assert changed_question.k is None
