"""算给我看: the tutor's calculation, line by line."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app import engine
from app.course.items.solutions import quantity_name, solution_lines, term_line
from tests.tables import each

QUANTITIES = list(engine.MEASURE_BY_QUANTITY)


def question(quantity: str, grades: list[float | None], **more: object) -> engine.Question:
    rank = 2 if quantity in ("gain", "discount", "term") else None
    return engine.Question(quantity, grades, rank=rank, **more)  # type: ignore[arg-type]  # spread of plain options


def test_dcg_line_by_line() -> None:
    assert solution_lines(question("dcg", [3, 2, 1])) == [
        "第1位：增益3，3÷log₂(2)=3÷1=3.000",
        "第2位：增益2，2÷log₂(3)=2÷1.585≈1.262",
        "第3位：增益1，1÷log₂(4)=1÷2=0.500",
        "加起来：DCG@3=3.000+1.262+0.500≈**4.762**",
    ]


def test_a_sum_that_the_printed_terms_miss_says_why() -> None:
    *_, last = solution_lines(question("dcg", [1, 3, 0, 1]))
    assert last == "加起来：DCG@4=1.000+1.893+0.000+0.431≈**3.323**（先加完，再收小数）"
    *_, to_two_places = solution_lines(question("dcg", [1, 3, 0, 1]), 2)
    assert to_two_places.endswith("≈**3.32**"), "3.324 is 3.32 too"


def test_ndcg_ends_with_the_ratio() -> None:
    solution = solution_lines(question("ndcg", [1, 3, 2, 0]))
    assert "把所有甜度从高到低排好，再取前4位：3、2、1、0。" in solution
    assert solution[-1] == "相除：NDCG@4=3.8928÷4.7619≈**0.817**"


def test_an_ideal_that_goes_on_behind_the_list_is_not_called_cut() -> None:
    """@5 would promise that five perfect documents get 1: trec_eval calls that ndcg_cut_5, and this ndcg."""
    solution = solution_lines(question("ndcg", [1, 1], pool=[1, 1, 1]))
    assert solution[-1].startswith("相除：NDCG=")
    assert not [line for line in solution if "@" in line]
    assert quantity_name(question("idcg", [1, 1], pool=[1, 1, 1])) == "IDCG"
    assert quantity_name(question("ndcg", [1, 1], k=2, pool=[1, 1, 1])) == "NDCG@2"
    assert quantity_name(question("ndcg", [1, 1], pool=[1, 1])) == "NDCG@2"


def test_cg_adds_grades_as_they_are() -> None:
    assert solution_lines(question("cg", [4, 2, 0, 1, 3]), 0) == ["前5位的甜度加起来：4+2+0+1+3=**10**"]
    assert solution_lines(question("cg", [4, 2, 0], k=2), 0) == ["前2位的甜度加起来：4+2=**6**"]
    assert solution_lines(question("cg", [0.5, 2.5]), 1) == ["前2位的甜度加起来：0.5+2.5=**3.0**"]
    assert solution_lines(question("cg", [2, 3], gain="exponential"), 0) == ["前2位的甜度加起来：2+3=**5**"]


def test_exponential_gains_are_worked_out_and_large_ones_are_whole() -> None:
    assert (
        solution_lines(question("dcg", [3, 1], gain="exponential"))[0]
        == "第1位：增益2³−1=7，7÷log₂(2)=7÷1=7.000"
    )
    assert solution_lines(question("gain", [1, 20], gain="exponential"), 0) == [
        "第2位的甜度是20，指数增益是2的20次方减1，等于**1048575**。"
    ]


def test_equal_signs_stand_where_nothing_was_rounded() -> None:
    trace = engine.trace([3, 2, 3, 1, 1, 1, 1])
    signs = {term.rank: re.findall("[=≈]", term_line(term))[-1] for term in trace.terms}
    assert signs == {1: "=", 2: "≈", 3: "=", 4: "≈", 5: "≈", 6: "≈", 7: "≈"}, "1÷3 is no whole truth"


def test_a_pool_is_named() -> None:
    solution = solution_lines(question("idcg", [2, 1], pool=[2, 1, 3], k=2))
    assert solution[0] == "把评判池里的所有甜度从高到低排好，再取前2位：3、2。"


def test_without_anything_sweet_the_rule_is_told() -> None:
    assert solution_lines(question("ndcg", [0, 0]))[-1].endswith("按约定，NDCG记作**0**。")


def test_agreement_line_by_line() -> None:
    assert solution_lines(engine.Agreement([[9, 2], [3, 6]])) == [
        "一共20条。看到的一致：(9+6)÷20=0.75。",
        "碰巧都说“有用”：11/20×12/20=0.33。",
        "碰巧都说“没用”：9/20×8/20=0.18。",
        "碰巧的一致，加起来：0.33+0.18=0.51。",
        "扣掉碰巧：κ=(0.75−0.51)÷(1−0.51)≈**0.490**",
    ]


def test_clicks_line_by_line() -> None:
    positions = [engine.Position(200, 80, 0.8), engine.Position(100, 15, 0.25)]
    assert solution_lines(engine.Clicks(positions)) == [
        "靠前：每次点击顶1.25次，80÷0.8=100。",
        "靠后：每次点击顶4次，15÷0.25=60。",
        "加起来，除以一共摆出的300次：IPS=(100+60)÷300≈**0.533**",
    ]


@each("skill", ["kappa", "ips"])
def test_the_last_line_about_a_table_follows_from_the_figures_in_it(skill: str) -> None:
    """Worked out again from what is printed, to the last place."""
    for level in engine.LEVELS:
        for seed in range(60):
            drawn = engine.generate(skill, level, seed)
            sums, printed = re.split("[=≈]", solution_lines(drawn)[-1])[-2:]
            factors = sums.replace("−", "-").replace("÷", "/")
            figure = float(eval(factors))  # our own digits
            assert abs(figure - float(printed.strip("*"))) <= 0.0005 + 1e-9, (skill, level, seed)


def test_a_precision_is_divided_by_what_is_looked_at_not_by_the_list() -> None:
    assert solution_lines(question("precision", [1, 0, 3], k=2)) == [
        "甜度≥1算相关。前2位里有1篇：第1位。",
        "只看前2位，所以除以2。精确率@2=1÷2=**0.500**",
    ]


def test_a_pool_holds_what_was_missed() -> None:
    assert solution_lines(question("recall", [0, 2, 1], k=2, pool=[0, 2, 1, 3])) == [
        "甜度≥1算相关。前2位里有1篇：第2位。",
        "评判池里相关的一共3篇。召回率@2=1÷3≈**0.333**",
    ]


def test_pairs_are_counted_from_the_losers() -> None:
    assert solution_lines(question("auc", [1, 0, 3, 0])) == [
        "甜度≥1算相关。",
        "第2位不相关，前面有1篇相关的：站对1对。",
        "第4位不相关，前面有2篇相关的：站对2对。",
        "2篇相关、2篇不相关，一共2×2=4对。AUC=3÷4=**0.750**",
    ]


def test_readers_leave_or_lose_patience() -> None:
    assert (
        solution_lines(question("err", [1, 0, 3]))[-1]
        == "加起来：ERR=0.063+0.137≈**0.199**（先加完，再收小数）"
    )
    assert solution_lines(question("rbp", [1, 0, 3]))[1:] == [
        "走到第1位的读者：0.8自乘0次=1.000。",
        "走到第3位的读者：0.8自乘2次=0.640。",
        "加起来，再乘“1减耐心”：RBP=(1.000+0.640)×(1−0.8)=**0.328**",
    ]


@each("quantity", QUANTITIES)
def test_no_line_speaks_of_none(quantity: str) -> None:
    assert "None" not in "".join(solution_lines(question(quantity, [None, 2, None]))) + quantity_name(
        question(quantity, [0, 2])
    )


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=10),
    st.sampled_from(QUANTITIES),
    st.sampled_from(["linear", "exponential"]),
    st.integers(0, 4),
)
def test_the_last_line_holds_the_answer(grades: list[float], quantity: str, gain: str, decimals: int) -> None:
    assume(quantity != "auc" or (0 in grades and any(grades)))
    task = question(quantity, list(grades), gain=gain)
    solution = solution_lines(task, decimals)[-1]
    bold = re.findall(r"\*\*([\d.]+)\*\*", solution)
    assert float(bold[-1]) == pytest.approx(engine.answer(task), abs=0.5 * 10**-decimals + 1e-9)


@each(
    ("test", "last_lines"),
    [
        (
            engine.SignTest([0.1, 0.04, 0.0, 0.07, -0.03, 0.02, 0.12]),
            [
                "平手的1个不算。剩下6个，赢5个，输1个。",
                "6枚硬币，一共2⁶=64种掷法。",
                "至少偏成这样，就是输的最多1枚：1+6=7种。",
                "反过来偏得一样远的，也有7种。p=2×7÷64≈**0.219**",
            ],
        ),
        (
            engine.SignTest([0.1, 0.2, -0.1, -0.3]),
            ["两头各11种，中间的数了两遍，比16种还多：怎么掷都至少偏成这样。p=**1.000**"],
        ),
        (
            engine.SignTest([0.02, 0.05, 0.01, 0.08, 0.03]),
            ["反过来偏得一样远的，也有1种。p=2×1÷32≈**0.063**"],  # 0.0625: a half goes up, as at school
        ),
        (
            engine.RandomisationTest([-0.078, -0.14, 0.5]),
            ["反过来偏得一样远的，也有4种。p=2×4÷8=**1.000**"],
        ),
    ],
)
def test_coins_are_counted_line_by_line(test: engine.CoinTest, last_lines: list[str]) -> None:
    assert solution_lines(test, 3)[-len(last_lines) :] == last_lines


def test_too_many_shuffles_are_counted_without_a_list() -> None:
    differences = [number / 100 for number in range(1, 9)]
    solution = solution_lines(engine.RandomisationTest([*differences, -0.1, -0.05]), 3)
    assert solution[2].endswith("那一边合计不能超过0.15。一共146种。")
