"""Reconciling: whatever convention printed a figure is among those that are named, and none that did not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine import CONVENTIONS, Convention, identify, probes, reconcile, telling_list
from app.engine.probing import PROBES
from app.engine.reconciling import (
    ScoredList,
    all_conventions,
    axis_answers_of,
    conventions_with_ndcgs,
    figure_and_decimals,
    rounds_to,
)

QUERY = st.integers(1, 6).flatmap(
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


@given(QUERY)
@settings(max_examples=12)
def test_every_value_of_the_product_is_that_of_the_one_list_engine(query: dict[str, Any]) -> None:
    scored = ScoredList(**query)
    for convention, value in conventions_with_ndcgs(scored):
        assert value == pytest.approx(scored.printed_by(convention), abs=1e-12)


@given(QUERY, st.sampled_from(all_conventions()), st.integers(2, 6))
@settings(max_examples=60)
def test_the_convention_that_printed_it_is_named_and_nothing_else(
    query: dict[str, Any], convention: Any, decimals: int
) -> None:
    value = ScoredList(**query).printed_by(convention)
    assert value is not None
    printed = f"{value:.{decimals}f}"
    matches = reconcile(printed=printed, **query)
    assert convention in [match.convention for match in matches]
    assert all(rounds_to(match.value, float(printed), decimals) for match in matches)


def test_there_are_560_and_each_is_another() -> None:
    product = all_conventions()
    assert len(product) == len({convention.name for convention in product}) == 560
    assert {axis_answers_of(preset) for preset in CONVENTIONS.values()} <= {
        axis_answers_of(member) for member in product
    }


def test_libraries_come_first_with_their_names() -> None:
    matches = reconcile([3, 2, 3, 0, 1, 2], "0.9488")
    named = [name for match in matches for name in match.presets]
    assert {"lightgbm", "xgboost", "ranklib", "ranx-burges", "catboost-exp"} <= set(named)
    assert "scikit-learn" not in named
    assert [bool(match.presets) for match in matches] == sorted(
        (bool(match.presets) for match in matches), reverse=True
    )


def test_what_only_a_librarys_own_reading_prints() -> None:
    """Fractions are truncated by ranx alone; near ties are ties in single precision alone."""
    assert [match.presets for match in reconcile([0.5, 2.5, 1, 0, 1.5], "0.686286")] == [("ranx",)]
    near = reconcile([0, 1], "0.8155", scores=[1.0, 1.0 + 1e-9])
    assert "torchmetrics" in [name for match in near for name in match.presets]


@pytest.mark.parametrize("printed", ["", "many", "nan", "inf", "1/2", None, f"1e-{10**19}"])
def test_a_figure_that_is_none_is_refused(printed: Any) -> None:
    with pytest.raises(ValueError, match="printed"):
        reconcile([3, 2], printed)


def test_decimals_are_those_of_the_text_unless_they_are_given() -> None:
    assert figure_and_decimals("1.00") == (1.0, 2)
    assert figure_and_decimals("0.9") == (0.9, 1)
    assert figure_and_decimals("1e-3") == (0.001, 3)
    assert figure_and_decimals("0.95") == (0.95, 2)
    assert [figure_and_decimals(whole) for whole in ("1", 1, "1.", "1.0", 1.0, "1e2")] == [
        (1.0, 3),
        (1.0, 3),
        (1.0, 3),
        (1.0, 3),
        (1.0, 3),
        (100.0, 3),
    ]
    assert len(reconcile([3, 2, 1, 0], "0.9", decimals=1)) == len(reconcile([3, 2, 1, 0], 0.9))
    assert not reconcile([3, 2, 1, 0], "0.9", decimals=3)


def test_a_bare_one_is_exactly_one() -> None:
    assert len(reconcile([3, 2, 1, 0], "1")) == len(reconcile([3, 2, 1, 0], "1.000")) > 0
    assert reconcile([3, 2, 3, 0, 1, 2], 1.0) == reconcile([3, 2, 3, 0, 1, 2], 1)
    in_wrong_order = reconcile([0, 1, 2, 3], "1")
    assert {(match.presets, match.convention.discount) for match in in_wrong_order} == {((), "none")}
    assert reconcile([0, 1, 2, 3], "1", decimals=0)[0].presets


def test_a_figure_with_an_exponent_is_the_same_figure() -> None:
    grades = [3, 2, 3, 0, 1, 2]
    assert reconcile(grades, "9.488e-01") == reconcile(grades, "0.9488") != ()


@pytest.mark.parametrize("decimals", [2.7, -1, 10, True, "3"])
def test_decimals_are_a_whole_number(decimals: Any) -> None:
    with pytest.raises(ValueError, match="decimals"):
        reconcile([3, 2], "0.9", decimals=decimals)


def test_the_probes_tell_every_convention_apart_at_three_decimals() -> None:
    printed: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    columns = [dict(conventions_with_ndcgs(probe)) for probe in PROBES]
    for convention in all_conventions():
        figures = tuple(f"{column[convention]:.3f}" for column in columns)
        printed.setdefault(figures, set()).add(axis_answers_of(convention))
    assert len(printed) == len(all_conventions())


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_library_is_known_by_its_three_figures(name: str) -> None:
    figures = []
    for probe in probes():
        value = probe.printed_by(name)
        figures.append(f"{value or 0.0:.3f}")
    identified = identify(figures)
    assert CONVENTIONS[name] in identified
    assert len({axis_answers_of(convention) for convention in identified}) == 1


def test_a_convention_that_no_library_has_is_named_by_its_axes() -> None:
    preset_axes = {axis_answers_of(preset) for preset in CONVENTIONS.values()}
    unnamed = next(
        convention for convention in all_conventions() if axis_answers_of(convention) not in preset_axes
    )
    figures = []
    for probe in PROBES:
        figure = probe.printed_by(unnamed)
        figures.append(f"{figure or 0.0:.3f}")
    assert identify(figures) == (unnamed,)


@pytest.mark.parametrize("figures", [[], [1, 1], [1, 1, 1, 1], "111"])
def test_three_figures_are_asked_for(figures: Any) -> None:
    with pytest.raises(ValueError, match="3 numbers"):
        identify(figures)


def test_no_figure_stands_where_rounding_is_a_toss() -> None:
    """A library that adds in another order would else fall on the other side."""
    for probe in PROBES:
        for _, value in conventions_with_ndcgs(probe):
            assert abs(value * 1000 % 1 - 0.5) > 0.001 or value in (0.0, 1.0)


def test_grades_below_zero_are_reconciled_with_who_takes_them_for_a_loss() -> None:
    matches = reconcile([-1, 2, 1], "0.357524", scores=[3, 2, 1])
    named = [name for match in matches for name in match.presets]
    assert {"torchmetrics", "catboost", "xgboost-linear"} <= set(named)
    assert "scikit-learn" not in named


def presets_that_print(printed: str, query: dict[str, Any], are_negatives_unjudged: bool) -> set[str]:
    presets: set[str] = set()
    for match in reconcile(printed=printed, **query, are_negatives_unjudged=are_negatives_unjudged):
        presets.update(match.presets)
    return presets


def test_below_zero_may_be_unjudged_for_conventions_of_no_library() -> None:
    query: dict[str, Any] = {"grades": [-1, 2, 1], "scores": [3, 2, 1], "pool": [-1, 2, 1, -2]}
    presets = presets_that_print("0.66967", query, True)
    assert {"course", "trec_eval", "ranx"} <= presets
    assert not {"scikit-learn", "torchmetrics", "quepid", "tf-ranking"} & presets
    assert "course" not in presets_that_print("0.66967", query, False)


def test_a_library_counts_a_loss_whatever_others_do() -> None:
    query: dict[str, Any] = {"grades": [-1, 2, 1], "scores": [3, 2, 1]}
    matches = reconcile(printed="0.357524", **query, are_negatives_unjudged=True)
    assert {match.convention.name for match in matches} <= CONVENTIONS.keys()
    assert "torchmetrics" in presets_that_print("0.357524", query, True)


def test_a_large_figure_has_fewer_dependable_decimals() -> None:
    assert figure_and_decimals("396.0329594603174") == (396.0329594603174, 10)
    assert figure_and_decimals("1.6309297535714575") == (1.6309297535714575, 12)
    assert figure_and_decimals("1E-3") == (0.001, 3)


@given(st.lists(st.sampled_from(all_conventions()), min_size=2, max_size=6, unique=True), st.integers(3, 6))
@settings(max_examples=40)
def test_a_list_that_tells_conventions_apart_is_found_unless_only_an_empty_query_does(
    remaining: list[Convention], decimals: int
) -> None:
    probe = telling_list(remaining, decimals)
    assert probe is not None
    figures = set()
    for convention in remaining:
        figures.add(f"{probe.printed_by(convention) or 0.0:.{decimals}f}")
    assert len(figures) > 1


def test_what_only_an_empty_query_tells_apart_is_told_by_one() -> None:
    remaining = [
        member
        for member in all_conventions()
        if axis_answers_of(member)[:5] == axis_answers_of(CONVENTIONS["lightgbm"])[:5]
    ]
    assert len(remaining) == 2
    probe = telling_list(remaining)
    assert probe is not None
    assert set(probe.grades) == {0}


def test_nothing_tells_twins_apart() -> None:
    assert telling_list([CONVENTIONS["trec_eval"], CONVENTIONS["ir-measures"]]) is None
    assert telling_list([]) is None
