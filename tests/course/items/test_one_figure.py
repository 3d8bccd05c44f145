"""An item prints one figure: the key, the praise and the solution have it alike, with one sign before it."""

import re

from app import engine
from app.course.items.kinds import Generated, Item, Numeric, Steps
from app.course.items.kinds.numeric import AskedQuantity
from app.course.items.kinds.order import Candy, Order
from tests.published import published
from tests.tables import each

PUBLISHED = published()
NUMBER_PATTERN = r"([=≈])?(?:\*\*)?(-?\d+(?:\.\d+)?)(?:\*\*)?"


def signed_figures(text: str) -> list[tuple[str, str]]:
    """The numbers in a text, each with the sign before it."""
    return re.findall(NUMBER_PATTERN, text)


def printed_ends(item: Numeric | Steps) -> tuple[tuple[str, str], ...]:
    """The figure at the end of the key, of the praise and of the solution."""
    raw_answer = next(raw for raw, is_right in item.proofs() if is_right)
    praise = item.mark(raw_answer).feedback[0]
    bold_figures = re.findall(r"([=≈])?\*\*(-?[\d.]+)\*\*", item.solution()[-1])
    return signed_figures(item.key_text)[-1], signed_figures(praise)[-1], bold_figures[-1]


def items_with_figures() -> list[Numeric | Steps]:
    items: list[Item] = []
    for item in PUBLISHED.items.values():
        if isinstance(item, Generated):
            items += [PUBLISHED.variant(item.id, seed) for seed in range(3)]
        items.append(item)
    return [item for item in items if isinstance(item, Numeric | Steps)]


def test_every_published_item_prints_one_figure() -> None:
    checked = 0
    for item in items_with_figures():
        key, praise, solution = printed_ends(item)
        assert praise == key, item.id
        assert float(solution[1]) == float(key[1]), item.id
        assert solution[0] in ("", key[0]), item.id
        checked += 1
    assert checked > 300


def question_fields(quantity: str, grades: list[float]) -> dict[str, object]:
    question = AskedQuantity.of(engine.Question(quantity, grades))
    return {"id": "q", "skill": "dcg", "stem": "算一算", "question": question, "minutes": 1}


def test_a_half_goes_up_in_all_three() -> None:
    """2.25 at the third rank is 1.125: Python prints it as 1.12."""
    item = Steps.model_validate(question_fields("dcg", [0, 0, 2.25]) | {"kind": "steps", "decimals": 2})
    assert item.key_text == "DCG≈1.13"
    assert printed_ends(item) == (("≈", "1.13"), ("≈", "1.13"), ("≈", "1.13"))


@each(
    ("decimals", "grades", "signed_figure"),
    [(0, [3, 2, 3], ("≈", "1")), (0, [3, 2, 1], ("=", "1")), (3, [3, 2, 1], ("=", "1.000"))],
)
def test_an_equals_sign_stands_where_nothing_was_rounded(
    decimals: int, grades: list[float], signed_figure: tuple[str, str]
) -> None:
    item = Numeric.model_validate(question_fields("ndcg", grades) | {"kind": "numeric", "decimals": decimals})
    assert printed_ends(item) == (signed_figure, signed_figure, signed_figure)


def test_an_order_with_a_slip_is_not_said_to_have_full_marks() -> None:
    grades = [30, 30, 30, 30, 30, 30, 1, 1.1]
    documents = [Candy(id=f"d{rank}", text="糖", grade=grade) for rank, grade in enumerate(grades, 1)]
    item = Order(kind="order", id="o", skill="dcg", stem="排一排", minutes=1, documents=documents)
    (sentence,) = item.mark([document.id for document in documents]).feedback
    assert "NDCG是0.99998" in sentence
