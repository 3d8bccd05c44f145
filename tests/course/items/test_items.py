"""Every kind of item: what a learner sees, how it is marked, what is said."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pytest

from app.course.content.model import ADAPTER_BY_FILE
from app.course.items.kinds import (
    AskedQuantity,
    Item,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.course.items.marks import ItemGone, Mark, Unreadable
from app.engine.generate.random_stream import shuffled
from tests.course.small import course
from tests.published import published
from tests.tables import each

KINDS: dict[str, type[Item]] = {
    "which": SingleChoice, "holds": TrueFalse, "all-of-them": MultipleChoice, "sum": Numeric,
    "sort": Order, "find": Spot, "why": ShortAnswer,
}  # fmt: skip
IDS = tuple(KINDS)


def test_whatever_number_is_typed_is_judged_or_cannot_be_read() -> None:
    """In every item of the course: an answer that breaks its marking would hold up the work of a class."""
    main_course = published()
    for item_id in main_course.items:
        variant = main_course.variant(item_id, 1)
        for typed in ("0", "-1", "1024"):
            with suppress(Unreadable):
                variant.mark([typed] * len(getattr(variant, "blanks", "1")))


def item(item_id: str) -> Item:
    return course().items[item_id]


def item_with(**fields: object) -> Item:
    """An item as a file would hold it."""
    whole: dict[str, object] = {"skill": "s", "stem": "?", **fields}
    items: dict[str, Item] = ADAPTER_BY_FILE["items.yaml"].validate_python({"one": whole})
    return items["one"]


def judged(item_id: str, *raw: str) -> Mark:
    return item(item_id).mark(raw)


@each("item_id", IDS)
def test_the_small_course_has_every_kind(item_id: str) -> None:
    assert type(item(item_id)) is KINDS[item_id]


@each("item_id", IDS)
@each("seed", [0, 1, 2**31])
def test_a_variant_is_the_same_for_the_same_seed(item_id: str, seed: int) -> None:
    assert item(item_id).variant(seed) == item(item_id).variant(seed)
    assert course().variant(item_id, seed) == item(item_id).variant(seed)


@each("item_id", ["which", "all-of-them"])
def test_options_stand_in_different_orders_for_different_seeds(item_id: str) -> None:
    original = item(item_id)
    assert isinstance(original, SingleChoice | MultipleChoice)
    orders = set()
    for seed in range(60):
        variant = original.variant(seed)
        assert isinstance(variant, SingleChoice | MultipleChoice)
        orders.add(tuple(option.id for option in variant.options))
        assert sorted(variant.options, key=lambda option: option.id) == list(original.options)
    assert len(orders) > 4, "some orders, and not two"


def test_every_place_gets_the_right_option_about_equally_often() -> None:
    places = [0, 0, 0, 0]
    choice_item = item("which")
    for seed in range(400):
        variant = choice_item.variant(seed)
        assert isinstance(variant, SingleChoice)
        places[[option.right for option in variant.options].index(True)] += 1
    assert min(places) > 60


def test_two_items_are_shuffled_differently_by_one_seed() -> None:
    assert any(shuffled("abcd", seed, "one") != shuffled("abcd", seed, "two") for seed in range(5))


def test_shuffling_is_the_same_on_every_machine() -> None:
    """Typed once: a change here moves the options under learners who are in the middle of an item."""
    assert ["".join(shuffled("abcd", seed, "x")) for seed in range(4)] == ["adbc", "cbad", "acdb", "cdab"]


def test_without_shuffle_the_order_stays() -> None:
    options = [
        {"id": letter, "text": letter, "feedback": letter, "right": letter == "a"} for letter in "abcd"
    ]
    fixed = item_with(kind="single", options=options, shuffle=False)
    assert all(fixed.variant(seed) is fixed for seed in range(5))


def test_single_says_why_an_option_is_chosen() -> None:
    assert judged("which", "a") == Mark("right", "a", ("对，甜的在前。",), 1.0)
    assert judged("which", "b") == Mark("wrong", "b", ("再看看第一位。",), 0.0)


@each("raw", [(), ("z",), ("a", "b"), ("",)])
def test_single_without_one_option_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="选"):
        item("which").mark(raw)


def test_three_options_are_a_one_shot_and_four_are_not() -> None:
    options = [
        {"id": letter, "text": letter, "feedback": letter, "right": letter == "a"} for letter in "abcd"
    ]
    assert item_with(kind="single", options=options[:3]).has_one_try_only
    assert not item_with(kind="single", options=options).has_one_try_only


def test_true_false() -> None:
    assert judged("holds", "true") == Mark("right", "true", ("是的。",), 1.0)
    assert judged("holds", "false") == Mark("wrong", "false", ("想想第一位。",), 0.0)
    assert judged("holds-again", "false").verdict == "right"
    assert item("holds").has_one_try_only


@each("raw", [(), ("yes",), ("true", "false"), ("True",)])
def test_true_false_without_an_answer_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="请选"):
        item("holds").mark(raw)


def test_multiple_counts_each_option_judged_rightly() -> None:
    assert judged("all-of-them", "a", "b") == Mark("right", "a b", ("一个不多，一个不少。",), 1.0)
    assert judged("all-of-them", "b", "a", "a").verdict == "right"
    missed = judged("all-of-them", "a")
    assert (missed.verdict, missed.understood_answer) == ("wrong", "a")
    assert missed.score == pytest.approx(2 / 3)
    assert missed.feedback == ("有1个该选的没选上。看看每一项后面的话，再调整一次。",)
    both = judged("all-of-them", "c", "a")
    assert both.understood_answer == "a c"
    assert both.feedback == ("有1个该选的没选上，有1个不该选的选上了。看看每一项后面的话，再调整一次。",)
    assert judged("all-of-them", "c").score == 0.0


@each("raw", [(), ("z",)])
def test_multiple_without_an_option_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="选"):
        item("all-of-them").mark(raw)


@each("raw", ["4.762", "４。７６２", "3+2/1.585+1/2", "3+2*0.631+0.5", "3/1 + 2/log2(3) + 1/2"])
def test_numeric_takes_any_honest_number(raw: str) -> None:
    mark = judged("sum", raw)
    assert mark.verdict == "right"
    assert mark.feedback == ("对，DCG@3≈4.762。",)


@each(
    ("raw", "message"),
    [
        ("4.763", "就差最后一位了"),
        ("4.7", "小了些。先看清要算的是DCG@3"),
        ("9.9", "大了些。先看清要算的是DCG@3"),
        ("-4.762", "小了些"),
    ],
)
def test_numeric_says_how_near_a_wrong_number_is(raw: str, message: str) -> None:
    mark = judged("sum", raw)
    assert mark.verdict == "wrong"
    assert mark.feedback[0].startswith(message)


@each(
    ("raw", "misconception", "sentence"),
    [
        ("6.870", "natural_log", "**卡在“折损”这一步。**你用的是自然对数ln"),
        ("6", "no_discount", "**卡在“折损”这一步。**你没有按名次打折"),
        ("4.761", "truncated", "**卡在“舍入”这一步。**你把后面的小数位直接截掉了"),
        ("4.76", "fewer_decimals", "**卡在“舍入”这一步。**算对了，只是少留了位数：要3位小数"),
        ("9.9", None, "大了些"),
    ],
)
def test_numeric_says_which_mistake_made_a_number(raw: str, misconception: str | None, sentence: str) -> None:
    mark = judged("sum", raw)
    assert mark.verdict == "wrong"
    assert mark.misconception_code == misconception
    assert mark.feedback[0].startswith(sentence)


@each(
    ("quantity", "raw", "said"),
    [
        ("ndcg", "7.698", "大了些：NDCG@2不会超过1。先看清要算的是什么，再一步一步核对。"),
        ("precision", "1.3", "大了些：精确率@2不会超过1。先看清要算的是什么，再一步一步核对。"),
        ("ndcg", "0.9", "大了些。先看清要算的是NDCG@2，再一步一步核对。"),
        ("dcg", "7.698", "大了些。先看清要算的是DCG@2，再一步一步核对。"),
    ],
)
def test_a_number_that_no_list_can_reach_is_said(quantity: str, raw: str, said: str) -> None:
    """Where no mistake explains it, the upper end of the measure is what there is to hold on to."""
    question = {"quantity": quantity, "grades": [0, 3, 2], "k": 2}
    assert item_with(kind="numeric", question=question).mark([raw]).feedback == (said,)


def test_numeric_keeps_what_was_understood() -> None:
    assert judged("sum", "3+2÷1.585").understood_answer == "4.2618"


@each("raw", [(), ("",), ("abc",), ("4,762",)])
def test_numeric_that_cannot_be_read_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable):
        item("sum").mark(raw)


def test_a_whole_number_is_not_a_matter_of_rounding() -> None:
    bag = item_with(kind="numeric", question={"quantity": "cg", "grades": [3, 2, 1]}, decimals=0)
    assert isinstance(bag, Numeric)
    assert bag.rounding_words == "写整数"
    assert bag.mark(["6"]).feedback == ("对，CG@3=6。",)
    assert bag.mark(["7"]).feedback == ("大了些。先看清要算的是CG@3，再一步一步核对。",)


def test_the_contract_mentions_the_table_where_it_is_of_use() -> None:
    total = item("sum")
    assert isinstance(total, Numeric)
    assert total.rounding_words == "四舍五入到3位小数；用折损表上的数来算也可以"
    assert total.accepted_interval_words == "4.7614到4.7625"


def test_a_numeric_item_takes_the_grades_and_the_convention_of_its_example() -> None:
    tea = item("of-tea")
    assert isinstance(tea, Numeric)
    assert isinstance(tea.question, AskedQuantity)
    assert (tea.question.grades, tea.question.k, tea.question.gain) == ([2, 3, 0], 3, "linear")
    assert tea.mark(["0.913"]).verdict == "right"


def test_what_a_numeric_item_states_itself_wins_over_the_example() -> None:
    own = item_with(
        kind="numeric", question={"quantity": "ndcg", "example": "tea", "gain": "exponential", "k": 1}
    )
    resolved = own.resolved(course().examples)
    assert isinstance(resolved, Numeric)
    assert isinstance(resolved.question, AskedQuantity)
    assert (resolved.question.k, resolved.question.gain) == (1, "exponential")
    assert resolved.answer == pytest.approx(3 / 7)


def test_a_question_about_an_example_has_no_answer_before_its_grades_are_looked_up() -> None:
    unresolved = item_with(kind="numeric", question={"quantity": "ndcg", "example": "tea"})
    assert isinstance(unresolved, Numeric)
    with pytest.raises(ValueError, match="example tea"):
        _ = unresolved.answer


def test_a_question_of_before_about_an_empty_list_is_still_answered() -> None:
    item = item_with(kind="numeric", question={"quantity": "dcg", "grades": []})
    assert isinstance(item, Numeric)
    assert item.answer == 0


@each("raw", [("y", "z", "x"), ("z", "y", "x")])
def test_equal_grades_stand_in_any_order(raw: Sequence[str]) -> None:
    mark = item("sort").mark(raw)
    assert mark == Mark("right", " ".join(raw), ("NDCG是1.000，满分：再也排不出更高的了。",), 1.0)


def test_an_order_with_a_slip_says_where_it_is() -> None:
    mark = judged("sort", "y", "x", "z")
    assert mark.verdict == "wrong"
    assert mark.score == pytest.approx((2 + 2 * 0.5) / (2 + 2 * 0.63093), abs=1e-4)
    assert mark.feedback == ("看第2位和第3位：后面那颗更甜，它该往前挪。满分是1，刚才那样排，NDCG是0.920。",)


@each("raw", [(), ("x", "y"), ("x", "y", "y"), ("x", "y", "z", "z"), ("x", "y", "w")])
def test_an_order_that_is_not_all_documents_once_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="每一颗"):
        item("sort").mark(raw)


def test_spot_says_why_a_sound_line_is_in_order() -> None:
    assert judged("find", "first") == Mark("wrong", "first", ("第1位不打折。",), 0.0)
    assert judged("find", "second") == Mark("right", "second", ("第2位要除以3的对数。",), 1.0)


@each("raw", [(), ("",), ("ninth",), ("first", "second")])
def test_spot_without_one_line_is_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="哪一行"):
        item("find").mark(raw)


TABLE = {"kind": "steps", "question": {"quantity": "dcg", "grades": [3, 2], "k": 2}, "given": ["discount"]}
ALL_RIGHT = ("3", "3", "2", "1.262", "4.262")


def test_a_cell_is_carried_over_from_the_answer_before_where_it_was_right() -> None:
    table, before = item_with(**TABLE), ("3", "9", "2", "1.262", "10.262")
    assert table.mark(before).score == pytest.approx(2 / 3)
    assert table.mark(("3", "3", "~", "~", "~"), 2, before).score == 1
    with pytest.raises(Unreadable, match="第1项还空着"):
        table.mark(("~",) * 5, 2, before)


@each("before", [("3", "9", "2", "1.262", "5"), ("3", "9", "2", "1.262", "="), ("3", "9")])
def test_a_cell_that_was_not_right_carries_nothing_over(before: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="DCG还空着"):
        item_with(**TABLE).mark((*ALL_RIGHT[:4], "~"), 2, before)


@each("raw", [("~",) * 5, (*ALL_RIGHT[:4], "~")])
def test_nothing_was_right_before_the_first_answer(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="还空着"):
        item_with(**TABLE).mark(raw)
    with pytest.raises(Unreadable, match="还空着"):
        item_with(**TABLE).mark(raw, 2, ())


def test_what_was_recorded_of_a_later_try_was_looked_into_then() -> None:
    assert item_with(**TABLE).mark((*ALL_RIGHT[:4], "~"), 2).score == 1


def lines(*ids: str, wrong: Sequence[str] = ("b",)) -> list[dict[str, object]]:
    return [{"id": letter, "text": letter, "feedback": letter, "wrong": letter in wrong} for letter in ids]


def test_a_sheet_of_three_lines_is_a_one_shot_and_one_of_four_is_not() -> None:
    assert item_with(kind="spot", correction="c", lines=lines(*"abc")).has_one_try_only
    assert not item_with(kind="spot", correction="c", lines=lines(*"abcd")).has_one_try_only


@each(
    ("fields", "message"),
    [
        ({"lines": lines(*"abcd", wrong="")}, "正好一个wrong: true"),
        ({"lines": lines(*"abcd", wrong="ab")}, "正好一个wrong: true"),
        ({"lines": lines(*"abbc", wrong="c")}, "有重复"),
        ({"lines": lines(*"ab")}, "at least 3"),
        ({"lines": lines(*"abc"), "published": {"DCG": "5.5"}}, "就要有source"),
    ],
)
def test_a_sheet_has_one_slip_and_its_figures_have_a_source(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        item_with(kind="spot", correction="c", **fields)


def test_the_lines_of_a_calculation_are_never_shuffled() -> None:
    assert all(item("find").variant(seed) is item("find") for seed in range(5))


@each("raw", ["因为位置", "  不知道\r\n", "<b>"])
def test_any_words_will_do_and_earn_nothing(raw: str) -> None:
    assert judged("why", raw) == Mark("right", raw.strip(), (), 0.0)


@each("raw", [(), ("",), (" \r\n　",)])
def test_no_words_are_unreadable(raw: Sequence[str]) -> None:
    with pytest.raises(Unreadable, match="写几个字就行"):
        item("why").mark(raw)


def test_short_items_and_probes_count_for_nothing() -> None:
    first = course().stages[0]
    assert course().unscored_item_ids == {"which", "why"}
    assert set(first.asked_item_ids) - set(course().scored_item_ids(first)) == {"why"}


@each("item_id", IDS)
def test_a_solution_is_lines_without_the_marks_of_a_list(item_id: str) -> None:
    lines = item(item_id).solution()
    assert lines
    assert all(line and not line.startswith(("- ", "* ")) and "\n" not in line for line in lines)


def test_solutions_tell_the_answer() -> None:
    assert item("which").solution() == ["答案是：甲", "对，甜的在前。"]
    assert item("holds-again").solution() == ["这句话不对。", "是的。"]
    assert item("all-of-them").solution() == ["该选：甲", "该选：乙"]
    assert item("sort").solution()[0] == "第1位：甜（甜度2）"
    assert item("find").solution() == ["写错的是第3行。", "第2位要除以3的对数。"]
    assert item("why").solution()[:2] == ["要提到：人从上往下看", "要提到：看的人越来越少"]
    assert item("sum").solution()[-1].endswith("≈**4.762**")


def test_of_a_course_only_what_is_answered_is_made_ready_to_be_frozen() -> None:
    """All of it took 23 ms of the first answer after a start, and the answers of others waited."""
    course_with_items = replace(course())  # that of the other tests remembers what they asked
    course_with_items.version_hash_and_body("content:which")
    assert list(course_with_items._hash_and_body_by_item_id) == ["which"]


def test_a_version_is_the_item_without_what_a_seed_changes() -> None:
    number, body = course().version_hash_and_body("content:which")
    assert (number, body) == course().version_hash_and_body("which")
    assert len(number) == 32
    assert '"甲"' in body
    assert len({course().version_hash_and_body(version)[0] for version in course().items}) == len(
        course().items
    )


def test_a_mark_is_found_by_ref_and_an_unknown_item_is_gone() -> None:
    assert course().mark("content:which", 3, ["a"]).verdict == "right"
    with pytest.raises(ItemGone, match=r"^gone$"):
        course().mark("content:gone", 3, ["a"])
    with pytest.raises(ItemGone, match="own-42:which"):
        course().version_hash_and_body("own-42:which")


@each("kind", ["numeric", "steps"])
def test_who_answers_with_the_ideal_sum_is_told_which_term_it_is_and_what_is_left(kind: str) -> None:
    question = {"quantity": "ndcg", "grades": [2, 3, 0]}  # 3.893 over 4.262
    asked = item_with(kind=kind, question=question)
    raw = ["4.262"]
    if isinstance(asked, Steps):
        raw = [f"{asked.table.true_value_by_cell_name()[cell.name]:.3f}" for cell in asked.blanks]
        raw[-1] = "4.262"
    mark = asked.mark(raw)
    assert mark.misconception_code == "idcg_for_ndcg"
    assert "你给出的是IDCG，理想顺序的总和：它是分母，还差最后一步，拿系统顺序的DCG除以它" in mark.feedback[0]
