"""The presets: each against the figures its library was seen to print, and scikit-learn also live."""

import math
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import CONVENTIONS, Convention, mean_over_queries, ndcg, scored_ndcg
from app.engine.scoring import broken_rule, read_query
from tests.tables import each

LIST = [3, 2, 3, 0, 1, 2]
LINEAR, EXPONENTIAL = 0.9608081943360617, 0.9488107485678985
BY_LIST = {
    "scikit-learn": LINEAR,
    "scikit-learn-ignore-ties": LINEAR,
    "torchmetrics": LINEAR,
    "trec_eval": LINEAR,
    "pytrec_eval": LINEAR,
    "ranx": LINEAR,
    "xgboost-linear": LINEAR,
    "catboost": LINEAR,
    "course": LINEAR,
    "gdeval": 0.94881,
    "ranx-burges": EXPONENTIAL,
    "lightgbm": EXPONENTIAL,
    "xgboost": EXPONENTIAL,
    "catboost-exp": EXPONENTIAL,
    "ranklib": EXPONENTIAL,
    "jk2002": 0.9315085232327253,
    "ir-measures": LINEAR,
    "quepid": EXPONENTIAL,
    "opensearch": 0.95,
    "elasticsearch": EXPONENTIAL,
    "tf-ranking": EXPONENTIAL,
}
ALL_TIED = {  # labels [3, 0, 2, 0], one score, documents d000 … d003
    "scikit-learn": 0.751317,
    "torchmetrics": 0.751317,
    "scikit-learn-ignore-ties": 0.599243,
    "trec_eval": 0.599243,
    "pytrec_eval": 0.599243,
    "ranx": 0.938557,
    "xgboost-linear": 0.938557,
    "lightgbm": 0.955831,
    "xgboost": 0.955831,
    "catboost": 0.537800,
    "gdeval": 0.55185,
}
FRACTIONAL = {  # labels [.5, 2.5, 1, 0, 1.5] in this order
    "scikit-learn": 0.758723,
    "torchmetrics": 0.758723,
    "xgboost-linear": 0.758723,
    "catboost": 0.758723,
    "catboost-exp": 0.702696,
    "ranx": 0.686286,
    "ranx-burges": 0.672885,
}
NEGATIVE = {  # labels [-1, 2, 1] in this order
    "trec_eval": 0.669672,
    "pytrec_eval": 0.669672,
    "gdeval": 0.659,
    "ranx": 0.669672,
    "tf-ranking": 1.0,
    "torchmetrics": 0.357524,
    "xgboost-linear": 0.357524,
    "catboost": 0.357524,
    "catboost-exp": 0.559843,
}
WIDER_POOL = {  # [1, 0] returned, 3 and 2 judged as well: at no cut, and at 2
    "scikit-learn": (1.0, 1.0),
    "torchmetrics": (1.0, 1.0),
    "lightgbm": (1.0, 1.0),
    "xgboost": (1.0, 1.0),
    "catboost": (1.0, 1.0),
    "ranklib": (1.0, 1.0),
    "trec_eval": (0.210002, 0.234639),
    "pytrec_eval": (0.210002, 0.234639),
    "ranx": (0.210002, 0.234639),
}
NOTHING_RELEVANT = {
    "scikit-learn": 0.0,
    "torchmetrics": 0.0,
    "trec_eval": 0.0,
    "pytrec_eval": 0.0,
    "gdeval": 0.0,
    "ranx": 0.0,
    "ranklib": 0.0,
    "lightgbm": 1.0,
    "xgboost": 1.0,
    "xgboost-linear": 1.0,
    "catboost": 1.0,
    "catboost-exp": 1.0,
}
LIMITS = {"lightgbm": 30, "xgboost": 31, "gdeval": 4}


def down(labels: list[Any]) -> list[float]:
    """Scores that keep the order of the labels as given."""
    return [float(-place) for place in range(len(labels))]


def test_every_preset_is_held_against_a_figure() -> None:
    assert set(BY_LIST) == set(CONVENTIONS)


@each("name", CONVENTIONS)
def test_a_preset_knows_its_name_and_whose_it_is(name: str) -> None:
    preset = CONVENTIONS[name]
    assert preset.name == name
    assert preset.library


@each(("name", "expected"), BY_LIST.items())
def test_one_list_as_each_library_prints_it(name: str, expected: float) -> None:
    assert scored_ndcg(LIST, down(LIST), name) == pytest.approx(expected, abs=1e-12)


@each(("name", "expected"), ALL_TIED.items())
def test_a_constant_score(name: str, expected: float) -> None:
    docs = ["d000", "d001", "d002", "d003"]
    assert scored_ndcg([3, 0, 2, 0], [1, 1, 1, 1], name, docs=docs) == pytest.approx(expected, abs=1e-6)


def test_renaming_documents_changes_what_trec_eval_prints() -> None:
    docs = ["d003", "d002", "d001", "d000"]
    assert scored_ndcg([3, 0, 2, 0], [1] * 4, "trec_eval", docs=docs) == pytest.approx(0.938557, abs=1e-6)


@each(
    ("name", "expected"),
    {
        "ranx": 1.0,
        "scikit-learn": 1.0,
        "trec_eval": 1.0,
        "pytrec_eval": 0.6309,
        "xgboost": 0.6309,
        "torchmetrics": 0.8155,
    }.items(),
)
def test_scores_that_single_precision_cannot_tell_apart(name: str, expected: float) -> None:
    labels, scores, docs = [0, 1], [1.0, 1.0 + 1e-9], ["d001", "d000"]
    assert scored_ndcg(labels, scores, name, docs=docs) == pytest.approx(expected, abs=1e-4)


def test_whole_scores_too_large_for_single_precision_tie_as_well() -> None:
    value = scored_ndcg([0, 1], [16777216, 16777217], "pytrec_eval", docs=["d001", "d000"])
    assert value == pytest.approx(0.6309, abs=1e-4)


@each(("name", "expected"), FRACTIONAL.items())
def test_fractional_grades(name: str, expected: float) -> None:
    labels = [0.5, 2.5, 1, 0, 1.5]
    assert scored_ndcg(labels, down(labels), name) == pytest.approx(expected, abs=1e-6)


def test_ranklib_truncates_fractional_grades_too() -> None:
    assert scored_ndcg([0.5, 2.5, 1], [3, 2, 1], "ranklib") == pytest.approx(0.659, abs=1e-5)


@each("name", ["trec_eval", "pytrec_eval", "lightgbm", "xgboost"])
def test_fractional_grades_are_refused_where_the_library_does(name: str) -> None:
    with pytest.raises(ValueError, match=rf"labels\[0\] = 0.5: expected a whole number.*{name}"):
        scored_ndcg([0.5, 2], [2, 1], name)


@each(("name", "expected"), NEGATIVE.items())
def test_negative_grades(name: str, expected: float) -> None:
    assert scored_ndcg([-1, 2, 1], [3, 2, 1], name) == pytest.approx(expected, abs=1e-6)


@each("name", ["scikit-learn", "lightgbm", "xgboost", "ranklib", "course", "quepid"])
def test_negative_grades_are_refused_where_the_library_does(name: str) -> None:
    with pytest.raises(ValueError, match=rf"labels\[0\] = -1: expected a grade >= 0.*{name}"):
        scored_ndcg([-1, 2, 1], [3, 2, 1], name)


def test_ranklib_looks_at_the_sign_before_it_truncates() -> None:
    with pytest.raises(ValueError, match=r"labels\[0\] = -0.5: expected a grade >= 0.*ranklib"):
        scored_ndcg([-0.5, 2, 1], [3, 2, 1], "ranklib")
    assert scored_ndcg([-0.5, 2, 1], [3, 2, 1], "ranx") == scored_ndcg([0, 2, 1], [3, 2, 1], "ranx")


@each(("name", "expected"), WIDER_POOL.items())
def test_more_was_judged_than_returned(name: str, expected: tuple[float, float]) -> None:
    whole = scored_ndcg([1, 0], [2, 1], name, pool=[1, 0, 3, 2])
    at_two = scored_ndcg([1, 0], [2, 1], name, k=2, pool=[1, 0, 3, 2])
    assert [whole, at_two] == pytest.approx(expected, abs=1e-6)


@each(
    ("name", "grade", "sees_pool"),
    [
        ("lightgbm", 2.5, False),
        ("xgboost", 32, False),
        ("scikit-learn", -1, False),
        ("ranx", 3, True),
    ],
)
def test_a_library_refuses_of_the_pool_only_what_it_sees(name: str, grade: float, sees_pool: bool) -> None:
    """Its ideal is made of the list, or of the pool."""
    query: dict[str, Any] = {"labels": [1, 3, 2], "scores": [3, 2, 1], "convention": name}
    of_list = scored_ndcg(**query)
    assert (scored_ndcg(**query, pool=[1, 3, 2, 3, grade]) != of_list) == sees_pool


@each(("name", "expected"), NOTHING_RELEVANT.items())
def test_nothing_relevant(name: str, expected: float) -> None:
    assert scored_ndcg([0, 0, 0], [3, 2, 1], name) == expected


def test_a_query_may_be_left_out_of_the_mean() -> None:
    skipping = replace(CONVENTIONS["torchmetrics"], zero_ideal="skip")
    assert scored_ndcg([0, 0], [2, 1], skipping) is None
    means = [
        mean_over_queries([scored_ndcg(labels, [2, 1], rule) for labels in ([1, 0], [0, 0])])
        for rule in (CONVENTIONS["torchmetrics"], replace(skipping, zero_ideal="one"), skipping)
    ]
    assert means == [0.5, 1.0, 1.0]


def test_a_mean_of_no_query_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one query that is not left out"):
        mean_over_queries([None, None])


@each("value", [math.nan, math.inf, "0.5", True, 10**400])
def test_a_query_with_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"values\[1\] = .*: expected a finite number"):
        mean_over_queries([0.5, value])


@each(("name", "limit"), LIMITS.items())
def test_the_largest_grade_a_library_takes(name: str, limit: int) -> None:
    assert scored_ndcg([limit, 0], [2, 1], name) == 1.0
    with pytest.raises(ValueError, match=f"at most {limit}"):
        scored_ndcg([limit + 1, 0], [2, 1], name)


def test_scikit_learn_wants_two_documents_and_others_do_not() -> None:
    assert scored_ndcg([1], [0.3], "trec_eval") == 1.0
    with pytest.raises(ValueError, match="at least 2 documents, as scikit-learn does"):
        scored_ndcg([1], [0.3], "scikit-learn")


def test_a_preset_can_be_changed_in_one_point() -> None:
    flattering = replace(CONVENTIONS["scikit-learn"], ties="best")
    assert scored_ndcg([0, 3], [1, 1], flattering) == 1.0


@each(
    ("field", "value"),
    {
        "gain": "square",
        "discount": "ln",
        "pool": "all",
        "ties": "mean",
        "zero_ideal": "nan",
        "negative": "abs",
        "fractional": "rounded",
    }.items(),
)
def test_a_convention_that_does_not_exist_is_refused(field: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{field} = '{value}': expected one of "):
        Convention("mine", **{field: value})  # type: ignore[arg-type]


def test_an_unknown_library_is_refused_with_the_list_of_the_known() -> None:
    with pytest.raises(ValueError, match="convention = 'numpy': expected one of course, scikit-learn"):
        scored_ndcg([1, 0], [2, 1], "numpy")


@each("labels", [[], "31", {3, 1}, [[1, 2]], [None, "3"]])
def test_what_is_no_list_of_grades_is_refused(labels: Any) -> None:
    with pytest.raises(ValueError, match="labels"):
        scored_ndcg(labels, [2, 1])


@given(st.lists(st.integers(0, 4) | st.none(), min_size=1, max_size=8), st.none() | st.integers(1, 9))
def test_the_course_computes_as_ndcg_does(labels, k) -> None:  # type: ignore[no-untyped-def]
    assert scored_ndcg(labels, down(labels), "course", k) == pytest.approx(ndcg(labels, k))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=12),
    st.none() | st.integers(1, 12),
)
def test_scikit_learn_itself_says_the_same(drawn, k) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("sklearn", reason="only `make bench` needs scikit-learn")
    theirs = import_module("sklearn.metrics").ndcg_score
    labels, scores = [label for label, _ in drawn], [score for _, score in drawn]
    expected = theirs([labels], [scores], k=k)
    assert scored_ndcg(labels, scores, "scikit-learn", k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "alone", "late"), [("elasticsearch", 1.0, 0.54), ("opensearch", 0.34, 0.54)]
)
def test_an_ideal_of_the_returned_number_flatters_a_short_list(name: str, alone: float, late: float) -> None:
    """The example of https://github.com/elastic/elasticsearch/pull/154362: five documents rated 3, k = 10."""
    pool = [3] * 5
    assert scored_ndcg([3], [1], name, 10, pool) == pytest.approx(alone, abs=0.005)
    assert scored_ndcg([0] * 5 + pool, down([0] * 10), name, 10, pool) == pytest.approx(late, abs=0.005)


def test_an_ideal_that_is_not_cut_grows_with_the_pool() -> None:
    """Three documents rated 1 are judged, one is returned first: 1 against 1 + 0.63093 + 0.5."""
    judged = scored_ndcg([1], [1], "quepid", 1, [1, 1, 1])
    assert judged == pytest.approx(1 / (1 + 0.6309297535714575 + 0.5), abs=1e-12)
    assert scored_ndcg([1], [1], "ranx-burges", 1, [1, 1, 1]) == 1.0


@each("name", CONVENTIONS)
def test_a_query_that_was_read_once_is_cut_and_given_more_judged_documents(name: str) -> None:
    grades, scores, docs = [3, 0, 2, 0], [1, 1, 0.5, 0.5], ["b", "d", "a", "c"]
    query = read_query(grades, scores, name, docs=docs)
    for k in (None, 1, 3, 9):
        for more in ([], [3], [3, 1]):
            at_once = scored_ndcg(grades, scores, name, k, [*grades, *more], docs)
            assert query.with_judged_grades(more).ndcg(k) == at_once, (k, more)


def test_judged_documents_are_read_by_the_rules_of_the_library() -> None:
    assert read_query([1, 1], [2, 1], "ranx").with_judged_grades([2.5]).judged_gains == [1, 1, 2]
    with pytest.raises(ValueError, match="at most 4: that is the rule of gdeval"):
        read_query([1, 1], [2, 1], "gdeval").with_judged_grades([5])


def test_what_computes_so_says_how_it_is_known() -> None:
    of_no_library = [name for name, convention in CONVENTIONS.items() if not convention.is_library]
    assert of_no_library == ["course", "jk2002"]
    read_not_run = [name for name, convention in CONVENTIONS.items() if convention.source_date]
    assert read_not_run == ["quepid", "opensearch", "elasticsearch"]
    for name in read_not_run:
        assert not CONVENTIONS[name].version, name


@each("name", CONVENTIONS)
def test_a_grade_is_refused_where_a_rule_of_the_library_says_so(name: str) -> None:
    for grade in (-1, -0.5, 0, 2, 2.5, 4.5, 30.5, 31, 32):
        rule = broken_rule(grade, CONVENTIONS[name])
        if rule is None:
            scored_ndcg([grade, 1], [2, 1], name)
            continue
        with pytest.raises(ValueError, match=f"the rule of {name}"):
            scored_ndcg([grade, 1], [2, 1], name)
