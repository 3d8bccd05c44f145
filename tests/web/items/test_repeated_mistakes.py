"""A mistake that comes back gets another help each time."""

import pytest

from app.course.items.kinds import AskedQuantity, Numeric, Steps
from app.engine import MISCONCEPTIONS, Question, differing_row
from app.web.items.feedback import another_help_sentence, same_mistake_count_of
from tests.published import published
from tests.tables import each

COURSE = published()
GUIDED = COURSE.items["dcg-by-hand"]  # grades 2, 3, 1
NATURAL = "6.337"  # 2/ln 2 + 3/ln 3 + 1/ln 4


def helped(*sent: str) -> str:
    """What is said in addition to the last of these answers to the same item."""
    answers = [(text,) for text in sent]
    mark = GUIDED.mark(answers[-1], len(answers))
    return another_help_sentence(GUIDED, mark, same_mistake_count_of(GUIDED, answers, mark))


def test_the_first_time_there_is_nothing_to_add() -> None:
    assert helped(NATURAL) == ""
    assert helped("5.074", NATURAL) == "", "another mistake before"


def test_the_second_time_the_row_that_differs_is_shown() -> None:
    assert helped(NATURAL, NATURAL) == (
        "同一个地方，第二次了。别的先放下，只看**第1项**：它该是2，你那样算是2.885。差在哪里？"
    )


def test_the_third_time_leads_to_something_easier() -> None:
    assert "下面有一道简单的" in helped(NATURAL, NATURAL, NATURAL)
    assert helped(NATURAL, NATURAL, NATURAL).startswith("第三次走到同一个路口")


def test_the_fourth_time_is_not_called_the_third() -> None:
    assert helped(*[NATURAL] * 10).startswith("还卡在这里")
    assert "下面有一道简单的" in helped(*[NATURAL] * 10)


def test_who_sends_one_number_after_the_other_that_nothing_explains_is_helped_too() -> None:
    assert "把整条算式写进格子里" in helped("77", "78")
    assert helped("77", "77") == helped("77", "78")
    assert helped("77", "78", "79").startswith("三回都没对上")
    assert "下面有一道简单的" in helped("77", "78", "79")
    assert helped("77", NATURAL, "78") == "", "a mistake with a name came between"


def test_who_rounds_too_early_twice_is_not_told_to_begin_anew() -> None:
    assert helped("4.39", "4.4").startswith("还差在写法上")
    assert helped("4.392", "4.392").startswith("还差在写法上")


def numeric(asked_quantity: AskedQuantity) -> Numeric:
    return Numeric(kind="numeric", id="one", skill="s", stem="?", question=asked_quantity, decimals=3)


def test_a_row_beyond_the_cut_is_not_called_nothing() -> None:
    item = numeric(AskedQuantity(quantity="dcg", grades=[3, 2, 1, 2], k=2))
    mark = item.mark(("5.623",), 1)
    assert mark.misconception_code == "k_ignored"
    assert "**第3项**：它不该加进来，你那样算，加了0.5。" in another_help_sentence(item, mark, 1)


def test_a_row_that_is_the_whole_answer_is_not_shown() -> None:
    item = numeric(AskedQuantity(quantity="dcg", grades=[0, 3]))
    assert another_help_sentence(item, item.mark(("3",), 1), 1).count("1.893") == 0


def test_a_right_answer_is_never_helped() -> None:
    assert isinstance(GUIDED, Numeric)
    assert helped(NATURAL, f"{GUIDED.answer:.3f}") == ""


def test_without_an_easier_question_the_tutor_offers_to_compute() -> None:
    item = GUIDED.model_copy(update={"easier": None})
    mark = item.mark((NATURAL,), 3)
    assert "算给我看" in another_help_sentence(item, mark, 2)
    assert "下面有一道" not in another_help_sentence(item, mark, 2)


def test_a_mistake_in_which_every_row_is_right_is_told_by_its_thought() -> None:
    item = COURSE.variant("practice-dcg-sum-1", 3)
    assert isinstance(item, Numeric)
    mean = MISCONCEPTIONS["mean_not_sum"].compute(item.question.engine_question)
    raw = (f"{mean:.3f}",)
    assert MISCONCEPTIONS["mean_not_sum"].thoughts[0] in another_help_sentence(item, item.mark(raw), 1)


def test_the_same_wrong_cell_of_a_table_is_noticed() -> None:
    table = COURSE.variant("practice-steps-dcg-1", 9)
    assert isinstance(table, Steps)
    truth = table.table.true_value_by_cell_name()
    raw = ["77", *(f"{truth[cell.name]:.3f}" for cell in table.blanks[1:])]
    mark = table.mark(raw)
    assert same_mistake_count_of(table, [raw, raw], mark) == 1
    assert another_help_sentence(table, mark, 1).startswith("还是这个数")


@each(
    ("question", "name", "expected"),
    [
        (Question("dcg", [3, 2, 0]), "no_discount", (2, 2 / 1.584962500721156, 2, False)),
        (Question("idcg", [2, 3]), "ideal_ascending", (1, 3, 2, True)),
        (Question("ndcg", [3, 0, 2, 3]), "ideal_not_sorted", (2, 3 / 1.584962500721156, 0, True)),
        (Question("dcg", [3, 2, 1]), "last_term_dropped", None),
        (Question("term", [3, 2], rank=2), "natural_log", None),
        (Question("dcg", [3, 2]), "ratio_inverted", None),
        (Question("reciprocal_rank", [0, 1, 0]), "rank_plus_one", None),
        (Question("auc", [0, 1, 1, 0]), "neighbours_alone", None),
        (Question("ndcg", [2, 3, 0]), "mixed_logs", None),  # one of the two is right, and which is not known
    ],
)
def test_the_row_that_differs(
    question: Question, name: str, expected: tuple[int, float, float, bool] | None
) -> None:
    row = differing_row(question, name)
    if expected is None:
        assert row is None
    else:
        assert row is not None
        assert (row.rank, row.is_ideal) == (expected[0], expected[3])
        assert (row.right_amount, row.wrong_amount) == pytest.approx(expected[1:3])
