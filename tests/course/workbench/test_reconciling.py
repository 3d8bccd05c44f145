"""对账: what prints a figure is told in groups that hold exactly the conventions that print it."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.course.items.marks import Unreadable
from app.course.workbench.cells import PrintedFigure, read_printed
from app.course.workbench.reconciling import (
    ANSWERS_BY_AXIS,
    Evidence,
    matching_conventions,
    reconciliation_of,
)
from app.course.workbench.suspecting import suspicions
from app.engine import CONVENTIONS, reconcile, scored_ndcg
from app.engine.reconciling import AXES, all_conventions, axis_answers_of

LIST = st.integers(1, 6).flatmap(
    lambda n: st.fixed_dictionaries(
        {
            "grades": st.lists(st.integers(0, 4), min_size=n, max_size=n),
            "scores": st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=n, max_size=n),
            "docs": st.permutations([f"d{place}" for place in range(n)]),
            "k": st.none() | st.integers(1, 8),
            "pool": st.none() | st.lists(st.integers(0, 4), min_size=1, max_size=8),
        }
    )
)


def printed(text: str) -> PrintedFigure:
    return PrintedFigure(text)


@given(LIST, st.sampled_from(all_conventions()), st.integers(2, 5))
@settings(max_examples=40)
def test_every_combination_of_a_group_prints_the_figure_and_no_other(
    query: dict[str, Any], convention: Any, decimals: int
) -> None:
    value = scored_ndcg(
        query["grades"], query["scores"], convention, query["k"], query["pool"], query["docs"]
    )
    text = f"{value:.{decimals}f}"
    groups = matching_conventions([Evidence(printed_figure=printed(text), **query)])
    combinations = []
    for group in groups:
        if not group.is_own_reading:
            combinations += list(product(*(group.answers_by_axis[axis] for axis in AXES)))
    assert len(combinations) == len(set(combinations))
    pool, cut = AXES.index("pool"), AXES.index("cut")
    spelt_once = {
        answers for answers in combinations if (answers[pool], answers[cut]) != ("list", "returned")
    }
    matches = reconcile(printed=text, **query)
    expected = {
        axis_answers_of(match.convention) for match in matches if match.convention.name not in CONVENTIONS
    }
    assert spelt_once == expected


def test_libraries_stand_first_and_say_what_differs() -> None:
    first, *_ = reconciliation_of(Evidence([3, 2, 3, 0, 1, 2], printed("0.9488"))).groups
    assert first.different_axes == ("gain",)
    assert {"lightgbm", "xgboost", "ranklib"} <= set(first.presets)
    assert first.hidden_axes == ("pool", "cut", "ties", "zero_ideal")
    assert first.nearest_convention.gain == "exponential"
    assert first.nearest_convention.pool == "judged"


def test_a_further_list_leaves_those_that_print_both() -> None:
    first = Evidence([3, 2, 3, 0, 1, 2], printed("0.9488"))
    explained = reconciliation_of(first)
    probe = explained.next_probe
    assert probe is not None
    value = scored_ndcg(probe.grades, probe.scores, "lightgbm", probe.k, probe.pool, probe.docs)
    second = Evidence(probe.grades, printed(f"{value:.4f}"), probe.scores, probe.docs, probe.k, probe.pool)
    narrowed = reconciliation_of(first, second)
    names = {name for group in narrowed.groups for name in group.presets}
    assert {"lightgbm", "xgboost", "ranklib"} <= names
    assert not {"catboost-exp", "gdeval", "quepid"} & names


def test_two_figures_that_no_convention_prints_together_leave_nothing() -> None:
    first = Evidence([3, 2, 3, 0, 1, 2], printed("0.9488"))
    second = Evidence([2, 3], printed("0.9"))
    assert reconciliation_of(first, second).groups == ()


def test_what_only_a_librarys_own_reading_prints_is_a_group_of_its_own() -> None:
    explained = reconciliation_of(Evidence([0.5, 2.5, 1, 0, 1.5], printed("0.686286")))
    group = next(group for group in explained.groups if "ranx" in group.presets)
    assert group.is_own_reading
    assert group.nearest_convention is CONVENTIONS["ranx"]


def test_the_mistake_is_made_in_ranked_order() -> None:
    scored = Evidence([10, 0, 0, 1, 5], printed("1.00"), [0.1, 0.2, 0.3, 4, 70], k=3)
    diagnosis = reconciliation_of(scored).diagnosis
    assert diagnosis is not None
    assert "ideal_from_first_k" in diagnosis.code


def test_hundredths_are_read_as_a_share_if_nothing_else_prints_them() -> None:
    assert reconciliation_of(Evidence([1, 1], printed("100"))).printed_figure.is_in_percent
    assert reconciliation_of(Evidence([1, 1], PrintedFigure("100", is_in_percent=True))).groups
    assert not reconciliation_of(Evidence([1, 1], printed("1.63"), pool=[1])).printed_figure.is_in_percent
    assert not reconciliation_of(Evidence([3, 2], printed("77"))).printed_figure.is_in_percent


@pytest.mark.parametrize(
    ("first_text", "further_text"),
    [
        ("94.88", "{:.2f}"),
        ("94.88%", "{:.2f}"),
        ("94.88", "{:.2f}%"),
        ("94.88", "{share:.4f}"),
        ("0.9488", "{:.2f}"),
    ],
)
def test_further_figures_are_in_percent_where_the_first_is(first_text: str, further_text: str) -> None:
    first = Evidence([3, 2, 3, 0, 1, 2], read_printed(first_text))
    probe = reconciliation_of(first).next_probe
    assert probe is not None
    share = scored_ndcg(probe.grades, probe.scores, "ranx-burges", probe.k, probe.pool, probe.docs)
    printed_figure = read_printed(further_text.format((share or 0) * 100, share=share))
    second = Evidence(probe.grades, printed_figure, probe.scores, probe.docs, probe.k, probe.pool)
    names = {name for group in reconciliation_of(first, second).groups for name in group.presets}
    assert "ranx-burges" in names


@pytest.mark.parametrize(
    ("typed", "text", "percent"),
    [
        ("0.95", "0.95", False),
        (" ０．９５ ", "0.95", False),
        ("0。95", "0.95", False),
        ("63.1%", "63.1", True),
        ("63.1％", "63.1", True),
        (".5", ".5", False),
        ("1.", "1.", False),
        ("1e-3", "0.001", False),
        ("9.50E-01", "0.950", False),
        ("6.31e1%", "63.1", True),
        ("-0.2", "-0.2", False),
        ("−0.2", "-0.2", False),
        ("0,9488", "0.9488", False),
        ("0，9488", "0.9488", False),
        ("94,88%", "94.88", True),
        ("1,234.5", "1234.5", False),
        ("12,345", "12345", False),
    ],
)
def test_a_figure_is_read_as_people_copy_it(typed: str, text: str, percent: bool) -> None:
    assert read_printed(typed) == PrintedFigure(text, percent)


@pytest.mark.parametrize(
    ("line", "text", "cutoff"),
    [
        ("ndcg@5: 0.9488", "0.9488", 5),
        ("NDCG@10 = 0.95", "0.95", 10),
        ("'ndcg_cut_5': 0.9488", "0.9488", 5),
        ('{"ndcg_cut_5": np.float64(0.9488)}', "0.9488", 5),
        ("nDCG@10\t0.95", "0.95", 10),
        ("ndcg_cut_10           \tall\t0.9488", "0.9488", 10),
        ("ndcg                  \t301\t0.9488", "0.9488", None),
        ("[1]\tvalid_0's ndcg@5: 0.9488", "0.9488", 5),
        ("[0]\teval-ndcg@5:0.94880", "0.94880", 5),
        ("map: 0.31, ndcg: 0.9488,", "0.9488", None),
        ("ＮＤＣＧ＠５：０．９４８８", "0.9488", 5),
        ("ndcg 0.95", "0.95", None),
        ("np.float64(0.9488)", "0.9488", None),
    ],
)
def test_a_figure_is_read_behind_the_name_of_ndcg(line: str, text: str, cutoff: int | None) -> None:
    assert read_printed(line) == PrintedFigure(text, cutoff=cutoff)


@pytest.mark.parametrize(
    "line",
    [
        "map@5: 0.31",
        "dcg@5: 6.861",
        "xndcg@5: 0.9",
        "ndcg@5",
        "ndcg@5:",
        "{'ndcg_cut_5': 0.94, 'ndcg_cut_10': 0.95}",
        "ndcg@5: 0.9 0.8",
        "ndcg 5 0.95",
    ],
)
def test_what_is_no_figure_of_ndcg_or_several_is_shown_beside_what_is_expected(line: str) -> None:
    with pytest.raises(Unreadable, match=r"看到的是“.+”。把别处印出来的那一个NDCG抄在这里，比如0.9488，或者"):
        read_printed(line)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "抄在这里"),
        ("nan", "抄在这里"),
        ("inf", "抄在这里"),
        ("很高", "抄在这里"),
        ("0.9 0.8", "抄在这里"),
        ("0.9,0.8", "抄在这里"),
        ("0,9,8", "抄在这里"),
        (".", "抄在这里"),
        ("e5", "抄在这里"),
        ("1e999", "大得不像"),
        ("12345678", "大得不像"),
        ("0." + "1" * 60, "太长"),
        ("1e-99", "太长"),
        ("٣", "抄在这里"),
    ],
)
def test_what_is_no_figure_is_told(typed: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        read_printed(typed)


def test_another_cut_is_suspected() -> None:
    (suspicion,) = suspicions(Evidence([3, 2, 3, 0, 1, 2], printed("0.9608"), k=4))
    assert (suspicion.k, suspicion.unlisted_grades) == (None, ())
    assert "scikit-learn" in suspicion.presets


def test_documents_beyond_the_list_are_suspected() -> None:
    (suspicion,) = suspicions(Evidence([3], printed("0.2201"), k=10))
    assert suspicion.unlisted_grades == (3,) * 9


def test_nothing_is_suspected_of_a_long_list() -> None:
    assert suspicions(Evidence([1] * 26, printed("0.5"))) == []


def test_the_answers_are_those_of_the_product() -> None:
    for place, axis in enumerate(AXES):
        assert {axis_answers_of(member)[place] for member in all_conventions()} == set(ANSWERS_BY_AXIS[axis])


def test_libraries_that_refuse_the_list_or_read_it_otherwise_are_not_suspected() -> None:
    (suspicion,) = suspicions(Evidence([2.5, 1, 3], printed("0.8333"), k=2))
    assert suspicion.k == 1
    assert {"course", "scikit-learn", "catboost"} <= set(suspicion.presets)
    assert not {"trec_eval", "lightgbm", "ranx"} & set(suspicion.presets)


def test_a_list_is_matched_once_however_often_it_is_asked() -> None:
    first = Evidence([3, 2, 3, 0, 1, 2], printed("0.9488"))
    assert first.match_by_answers is first.match_by_answers
    assert reconciliation_of(first).groups == reconciliation_of(replace(first)).groups


@pytest.mark.parametrize("unlisted_grade", [2.5, 40])
def test_what_a_library_never_sees_does_not_leave_it_out(unlisted_grade: float) -> None:
    """LightGBM counts no half candies and none above 30; its ideal is of the list, where there are none."""
    printed_figure = printed(f"{scored_ndcg([1, 3, 2], [3, 2, 1], 'lightgbm'):.6f}")
    evidence = Evidence((1, 3, 2), printed_figure, None, None, None, (1, 3, 2, unlisted_grade))
    presets = {preset for group in reconciliation_of(evidence).groups for preset in group.presets}
    assert {"lightgbm", "xgboost"} <= presets


def test_a_bare_one_is_not_what_a_wrong_order_prints() -> None:
    right_order = reconciliation_of(Evidence([3, 2, 1, 0], printed("1")))
    assert "scikit-learn" in right_order.groups[0].presets
    wrong_order = Evidence([0, 1, 2, 3], printed("1"))
    [group] = reconciliation_of(wrong_order).groups
    assert not group.presets
    assert group.answers_by_axis["discount"] == {"none"}
    assert suspicions(wrong_order) == []
    assert reconciliation_of(Evidence([3, 2, 3, 0, 1, 2], printed("96"))).groups, "percent has two decimals"


def test_another_cut_explains_a_figure_of_single_precision() -> None:
    """What torchmetrics prints at the cut of 2, copied in full."""
    figure = printed("0.5307212471961975")
    [suspicion, *_] = suspicions(Evidence([1, 2, 3], figure, k=3))
    assert "torchmetrics" in suspicion.presets
