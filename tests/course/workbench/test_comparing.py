"""The convention card: figures and refusals are those of the engine, and every way leads where it says."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.course.workbench.comparing import (
    COMPARED_AXES,
    are_same_figure,
    compare_conventions,
    convention_card_of,
)
from app.course.workbench.documents import ListedDocument
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import WorkbenchState, read_state
from app.engine.conventions import CONVENTIONS, COURSE
from app.engine.cumulative import discounted_sum
from app.engine.reconciling import all_conventions
from app.engine.scoring import scored_ndcg
from tests.tables import each

DOCUMENTS = st.builds(
    ListedDocument,
    st.none() | st.integers(0, 4) | st.sampled_from([0.5, 2.5, 31, 40]),
    st.integers(0, 3).map(float) | st.just(1.0 + 1e-9),
    st.just(""),
)
NAMED = st.lists(DOCUMENTS, min_size=1, max_size=7).flatmap(
    lambda listed: st.permutations([f"d{place}" for place in range(len(listed))]).map(
        lambda names: [document._replace(title=name) for document, name in zip(listed, names, strict=True)]
    )
)
ORDERED = st.lists(
    st.builds(ListedDocument, st.integers(0, 3), st.none(), st.just("")), min_size=1, max_size=6
)
STATES = st.builds(
    WorkbenchState,
    (NAMED | st.lists(DOCUMENTS, min_size=1, max_size=7) | ORDERED).map(tuple),
    st.lists(st.integers(0, 4), max_size=4).map(tuple),
    st.none() | st.integers(1, 9),
)


def printed(workbench_state: WorkbenchState, convention: object) -> float | None:
    """What the engine says; "refused" where it raises."""
    listed = workbench_state.pasted_list
    scores = listed.scores or [-float(place) for place in range(len(workbench_state.documents))]
    return scored_ndcg(
        listed.grades,
        scores,
        convention,  # type: ignore[arg-type]
        workbench_state.k,
        workbench_state.written_pool,
        listed.unique_titles,
    )


@given(STATES)
def test_the_card_prints_what_the_engine_prints(workbench_state: WorkbenchState) -> None:
    evaluation = ListEvaluation(workbench_state)
    for convention in [*CONVENTIONS.values(), *all_conventions()]:
        listed_state = (
            replace(workbench_state, unlisted_grades=()) if convention.pool == "list" else workbench_state
        )
        if evaluation.refusal_words(convention):
            try:
                printed(listed_state, convention)
            except ValueError:
                continue
            raise AssertionError(convention.name)
        assert are_same_figure(printed(listed_state, convention), evaluation.ndcg(convention)), (
            convention.name
        )


@given(STATES)
def test_the_order_gives_the_gains(workbench_state: WorkbenchState) -> None:
    evaluation = ListEvaluation(workbench_state)
    for convention in CONVENTIONS.values():
        if convention.ties == "average" or evaluation.refusal_words(convention):
            continue
        gains = evaluation.listed_documents.gains(convention)
        assert [
            gains[place] for place in evaluation.ranked_indexes(convention)
        ] == evaluation.gains_in_rank_order(convention)


@settings(max_examples=40)
@given(STATES, st.sampled_from([COURSE, CONVENTIONS["trec_eval"], CONVENTIONS["catboost-exp"]]))
def test_every_way_leads_to_the_figure(workbench_state: WorkbenchState, ours: object) -> None:
    evaluation = ListEvaluation(workbench_state)
    for theirs in CONVENTIONS.values():
        if evaluation.refusal_words(ours) or evaluation.refusal_words(theirs):  # type: ignore[arg-type]
            continue
        comparison = compare_conventions(evaluation, ours, theirs)  # type: ignore[arg-type]
        figure = evaluation.ndcg(ours)  # type: ignore[arg-type]
        for change in comparison.axis_changes:
            if change.ndcg_change is None:
                assert (figure is None) != (change.ndcg is None)
            else:
                assert are_same_figure(change.ndcg_change, (change.ndcg or 0.0) - (figure or 0.0))
            figure = change.ndcg
        assert are_same_figure(figure, evaluation.ndcg(theirs))
        different = {axis for axis in COMPARED_AXES if getattr(ours, axis) != getattr(theirs, axis)}
        changed_axes, unseen_axes = (
            {change.axis for change in comparison.axis_changes},
            {*comparison.unseen_axes},
        )
        assert changed_axes | unseen_axes == different
        assert not changed_axes & unseen_axes


def test_every_library_stands_on_the_card_once() -> None:
    card = convention_card_of(ListEvaluation(read_state({"list": ["40 2.5 0"]}).state))
    computing = [convention.name for group in card.groups for convention in group.conventions]
    refusing = [convention.name for convention, _ in card.conventions_with_refusals]
    assert sorted(computing + refusing) == sorted(CONVENTIONS)
    reasons = {convention.name: words for convention, words in card.conventions_with_refusals}
    assert reasons["lightgbm"].startswith("不收半颗糖")
    card = convention_card_of(ListEvaluation(read_state({"list": ["40 2 0"]}).state))
    reasons = {convention.name: words for convention, words in card.conventions_with_refusals}
    assert reasons["gdeval"].startswith("甜度最多4，")
    assert reasons["lightgbm"].startswith("甜度最多30，")
    values = [group.figure or 0 for group in card.groups]
    assert values == sorted(values, reverse=True)


def test_half_a_candy_below_zero_is_no_half_to_those_who_count_it_as_nothing() -> None:
    evaluation = ListEvaluation(read_state({"list": ["-0.5 2 1"]}).state)
    card = convention_card_of(evaluation)
    figure_by_name = {
        convention.name: group.figure for group in card.groups for convention in group.conventions
    }
    for name in ("trec_eval", "pytrec_eval", "ir-measures", "gdeval"):
        single_list_figure = scored_ndcg([-0.5, 2, 1], [3, 2, 1], name)
        assert figure_by_name[name] == pytest.approx(single_list_figure, abs=5e-6)  # gdeval prints five
    reasons = {convention.name: words for convention, words in card.conventions_with_refusals}
    assert reasons["ranklib"] == reasons["lightgbm"] == "不收负的甜度：-0.5"


def test_below_zero_each_library_stands_with_what_it_does() -> None:
    evaluation = ListEvaluation(read_state({"list": ["-1 2 1"]}).state)
    card = convention_card_of(evaluation)
    figure_by_name = {
        convention.name: group.figure for group in card.groups for convention in group.conventions
    }
    assert figure_by_name["catboost"] == pytest.approx(0.357524, abs=1e-6)
    assert figure_by_name["tf-ranking"] == 1.0
    as_unjudged = evaluation.ndcg(COURSE)
    assert as_unjudged == figure_by_name["course"] == figure_by_name["trec_eval"]
    assert as_unjudged == pytest.approx(0.669672, abs=1e-6)
    reasons = {convention.name: words for convention, words in card.conventions_with_refusals}
    assert reasons["scikit-learn"] == reasons["lightgbm"] == "不收负的甜度：-1"
    assert reasons["elasticsearch"] == reasons["quepid"] == "遇到负的甜度会怎样，没跑过，不知道"
    comparison = compare_conventions(evaluation, COURSE, CONVENTIONS["catboost"])
    assert [change.axis for change in comparison.axis_changes] == ["negative"]
    comparison = compare_conventions(evaluation, COURSE, CONVENTIONS["catboost-exp"])
    assert [change.axis for change in comparison.axis_changes] == ["negative", "gain"]


@each(
    ("query", "theirs", "axes"),
    [
        ({"list": ["3 2 3 0 1 2"]}, "xgboost", ["gain"]),
        ({"list": ["3 2 3 0 1 2"]}, "scikit-learn", []),
        ({"list": ["3 1\n0 1\n2 1\n0 1"]}, "scikit-learn", ["ties"]),
        ({"list": ["3 1\n0 1\n2 1\n0 1"]}, "catboost-exp", ["gain", "ties"]),
        ({"list": ["1 0"], "pool": ["3 2"]}, "scikit-learn", ["pool"]),
        ({"list": ["1 2"], "pool": ["3"]}, "lightgbm", ["gain", "pool"]),
        ({"list": ["0 0"]}, "lightgbm", ["zero_ideal"]),
        ({"list": ["3 0 0"], "pool": ["3x65"], "k": ["2"]}, "quepid", ["cut"]),
        ({"list": ["1 2.5"]}, "ranx", ["fractional"]),
        ({"list": ["0 3 2"]}, "opensearch", ["gain", "decimals"]),
    ],
)
def test_a_way_has_few_steps(query: dict[str, list[str]], theirs: str, axes: list[str]) -> None:
    evaluation = ListEvaluation(read_state(query).state)
    changes = compare_conventions(evaluation, COURSE, CONVENTIONS[theirs]).axis_changes
    assert [change.axis for change in changes] == axes
    assert all(change.ndcg_change for change in changes)


def test_terms_add_up_and_the_range_holds_the_list() -> None:
    workbench_state = read_state({"list": ["3 1\n0 1\n2 1\n0 1"], "k": ["3"], "pool": ["3"]}).state
    evaluation = ListEvaluation(workbench_state)
    for convention in CONVENTIONS.values():
        terms = evaluation.terms(convention)
        assert len(terms) == 3
        assert are_same_figure(terms[-1].running_total, evaluation.dcg(convention))
        assert are_same_figure(
            evaluation.ideal_terms(convention)[-1].running_total, evaluation.idcg(convention)
        )
        bounds = evaluation.ndcg_range(convention)
        value = evaluation.dcg(convention) / evaluation.idcg(convention)
        assert bounds.worst - 1e-12 <= value <= bounds.best + 1e-12
        assert bounds.worst <= bounds.mean <= bounds.best


def test_the_mean_of_all_orders_is_the_same_on_every_python() -> None:
    evaluation = ListEvaluation(read_state({"list": ["\n".join(["0.1"] * 10)]}).state)
    sum_of_gains = 0.0
    for gain in [0.1] * 10:
        sum_of_gains += gain
    assert sum_of_gains == 0.9999999999999999, "the `sum` of Python 3.12 says 1.0"
    sum_of_weights = discounted_sum([1.0] * 10, evaluation.weights(COURSE.discount))
    expected_mean = sum_of_gains / 10 * sum_of_weights / evaluation.idcg(COURSE)
    assert evaluation.ndcg_range(COURSE).mean == expected_mean


def test_a_score_beyond_single_precision_is_read_as_the_engine_reads_it() -> None:
    workbench_state = WorkbenchState((ListedDocument(0, 1e39, "a"), ListedDocument(1, 1.0, "b")), ())
    convention = CONVENTIONS["pytrec_eval"]
    assert ListEvaluation(workbench_state).ndcg(convention) == printed(workbench_state, convention)
