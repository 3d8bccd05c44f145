"""Many lists at once: whatever the lists, what the engine says of each of them alone."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import engine
from app.engine import CONVENTIONS, TIES, batch, scored_ndcg
from app.engine.batch.lists import read_lists
from app.engine.batch.ranking import DOCUMENTS_PER_THREAD, ranked_gains_of
from app.engine.conventions import Convention
from app.engine.reconciling import all_conventions
from app.engine.ties import indexes_in_rank_order

GRADE = st.sampled_from([0, 1, 2, 3, 4, None])
ROW = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.lists(GRADE, min_size=n, max_size=n),
        st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0]), min_size=n, max_size=n),
        st.permutations([f"d{place}" for place in range(n)]),
        st.lists(st.integers(0, 4), min_size=1, max_size=9),
    )
)
ROWS = st.lists(ROW, min_size=1, max_size=5)
K = st.none() | st.integers(1, 10)


def columns(rows: Sequence[Any]) -> tuple[list[Any], ...]:
    return tuple([*column] for column in zip(*rows, strict=True))


@given(ROWS, K, st.sampled_from([*all_conventions(), *CONVENTIONS.values()]), st.booleans(), st.booleans())
@settings(max_examples=300)
def test_ndcg_is_that_of_each_list(
    rows: list[Any], k: int | None, convention: Any, named: bool, pooled: bool
) -> None:
    rows = [row for row in rows if len(row[0]) >= convention.shortest]
    if not rows:
        return
    grades, scores, docs, pools = columns(rows)
    ndcgs = batch.ndcg(
        grades,
        scores,
        k=k,
        convention=convention,
        docs=docs if named else None,
        pool=pools if pooled else None,
    )
    for row, value in zip(rows, ndcgs, strict=True):
        names = row[2] if named else None
        alone = scored_ndcg(row[0], row[1], convention, k, row[3] if pooled else None, names)
        assert value == pytest.approx(np.nan if alone is None else alone, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("levels", [3, 1000, 10**9])
def test_the_first_of_long_lists_are_chosen_before_they_are_sorted(ties: str, levels: int) -> None:
    """Longer than twice k, as arrays: with heavy ties, with nearly none, and with none."""
    random = np.random.default_rng(levels)
    grades, scores = random.integers(0, 5, (40, 50)), random.integers(0, levels, (40, 50))
    docs = [[f"d{place}" for place in random.permutation(50)] for _ in range(40)]
    convention = engine.Convention("mine", ties=ties, gain="exponential")
    ndcgs = batch.ndcg(grades, scores, k=7, convention=convention, docs=docs)
    for row in range(40):
        alone = scored_ndcg(grades[row], scores[row], convention, 7, docs=docs[row])
        assert ndcgs[row] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("parts", [2, 3])
def test_lists_that_are_parted_among_processors_come_back_in_their_order(ties: str, parts: int) -> None:
    random = np.random.default_rng(11)
    grades = random.integers(0, 5, (7, 60))
    scores = random.integers(0, 9, (7, 60)) / 2
    names = [[f"d{place}" for place in random.permutation(60)] for _ in range(7)]
    lists = read_lists(grades, scores, Convention("parted", ties=ties), names)
    ranked = [ranked_gains_of(part, 10) for part in lists.parts(parts)]
    assert len(ranked) == parts
    assert np.array_equal(np.vstack(ranked), ranked_gains_of(lists, 10))


def test_a_batch_for_several_processors_is_that_of_its_rows() -> None:
    random = np.random.default_rng(12)
    grades = random.integers(0, 5, (2 * DOCUMENTS_PER_THREAD // 100 + 7, 100))
    scores = random.integers(0, 40, grades.shape)
    together = batch.ndcg(grades, scores, k=10, convention="scikit-learn")
    in_small_batches = [
        batch.ndcg(grades[i : i + 500], scores[i : i + 500], k=10, convention="scikit-learn")
        for i in range(0, len(grades), 500)
    ]
    assert np.array_equal(together, np.concatenate(in_small_batches))


@pytest.mark.parametrize("width", [255, 256, 600])
def test_a_level_is_counted_however_many_documents_have_it(width: int) -> None:
    grades = np.ones((2, width), dtype=np.int64)
    grades[1, -1] = 3
    scores = np.arange(2 * width).reshape(2, width)
    figures = batch.ndcg(grades, scores)
    for row in range(2):
        assert figures[row] == pytest.approx(scored_ndcg(grades[row], scores[row]), abs=1e-12)


def test_fractions_and_large_grades_are_sorted_for_the_ideal() -> None:
    for grades in ([[0.5, 2.5, 1.0, 0.0]], [[40, 3, 35, 0]]):
        ndcgs = batch.ndcg(grades, [[1, 2, 3, 4]], k=2)
        assert ndcgs[0] == pytest.approx(scored_ndcg(grades[0], [1, 2, 3, 4], "course", 2), abs=1e-12)


Measure = Callable[..., Any]
MEASURES: list[tuple[str, dict[str, Any], Measure]] = [
    ("precision", {"k": 3}, lambda grades: engine.precision(grades, 3)),
    ("precision", {"k": None}, engine.precision),
    ("recall", {"k": 2}, lambda grades: engine.recall(grades, 2)),
    ("average_precision", {"relevant": 2}, lambda grades: engine.average_precision(grades, relevant=2)),
    ("reciprocal_rank", {}, engine.reciprocal_rank),
    ("err", {"k": 4}, lambda grades: engine.err(grades, 4)),
    ("rbp", {"p": 0.9}, lambda grades: engine.rbp(grades, 0.9)),
    ("dcg", {"k": 5}, lambda grades: engine.dcg(grades, 5)),
]


@pytest.mark.parametrize(("name", "arguments", "alone"), MEASURES)
@given(rows=ROWS)
@settings(max_examples=40)
def test_every_measure_is_that_of_each_ranked_list(
    name: str, arguments: dict[str, Any], alone: Measure, rows: list[Any]
) -> None:
    grades, scores, _, _ = columns(rows)
    result = getattr(batch, name)(grades, scores, **arguments)
    for row, value in zip(rows, result, strict=True):
        ranked = [row[0][place] for place in indexes_in_rank_order(row[1])]
        assert value == pytest.approx(alone(ranked), abs=1e-12)


@given(ROWS)
def test_pools_count_what_was_not_returned(rows: list[Any]) -> None:
    grades, scores, _, pools = columns(rows)
    recalls = batch.recall(grades, scores, pool=pools)
    precisions = batch.average_precision(grades, scores, pool=pools)
    for place, row in enumerate(rows):
        ranked = [row[0][index] for index in indexes_in_rank_order(row[1])]
        assert recalls[place] == pytest.approx(engine.recall(ranked, pool=row[3]), abs=1e-12)
        alone = engine.average_precision(ranked, row[3])
        assert precisions[place] == pytest.approx(alone, abs=1e-12)


def test_auc_counts_pairs_and_says_nan_where_there_are_none() -> None:
    auc = batch.auc([[1, 0, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1]], [[4, 3, 2, 1]] * 3)
    assert auc[0] == engine.auc([1, 0, 1, 0])
    assert auc[1] == engine.auc([1, 1, 0, 1])
    assert np.isnan(auc[2])


@pytest.mark.parametrize(
    ("grades", "scores", "message"),
    [
        ([], [], "grades"),
        ([[]], [[]], "grades"),
        ([[3, 2]], [[1]], "scores"),
        ([[3, 2], [1]], [[1], [1, 2]], "scores"),
        ([[3, "x"]], [[1, 2]], "grades"),
        ([[3, 2]], [[1, float("nan")]], "scores"),
        ([[3, 2]], [[1, float("inf")]], "scores"),
        ([[3, -1]], [[1, 2]], "grades"),
        ([[3, float("inf")]], [[1, 2]], "grades"),
        (np.zeros(3), np.zeros(3), "grades"),
        (np.array([["a"]]), np.array([[1.0]]), "grades"),
        (["30"], [[2, 1]], "grades"),
        ([[2, 1]], ["12"], "scores"),
        ([["3", "0"]], [[1, 2]], "grades"),
        ([[True, False]], [[1, 2]], "grades"),
        ([np.array([True, False])], [[1, 2]], "grades"),
        ([{3: 1, 0: 2}], [[1, 2]], "grades"),
        ([[3, 10**400]], [[1, 2]], "grades"),
        ([[3, 2]], [[1, 10**400]], "scores"),
        ([[3, None]], [[1, None]], "scores"),
        (None, [[1, 2]], "grades"),
        ((row for row in [[3, 2]]), [[1, 2]], "grades"),
        ([3, 2], [1, 2], "grades"),
        (np.zeros((1, 2, 3), dtype=object), [[1, 2]], "grades"),
    ],
)
def test_bad_lists_are_refused_in_words(grades: Any, scores: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batch.ndcg(grades, scores)


def test_what_a_library_refuses_is_refused_here() -> None:
    for convention, grades in (("gdeval", [[5, 0]]), ("trec_eval", [[0.5, 0]]), ("scikit-learn", [[1]])):
        with pytest.raises(ValueError, match="grades"):
            batch.ndcg(grades, [[2, 1][: len(grades[0])]], convention=convention)
    with pytest.raises(ValueError, match="pool"):
        batch.ndcg([[1, 0]], [[2, 1]], pool=[[1], [1]])
    with pytest.raises(ValueError, match="ties"):
        batch.precision([[1, 0]], [[2, 1]], ties="average")


@pytest.mark.parametrize("docs", [[["a", "a"]], [["a"]], [[10, 9]], ["ab"], [{"a": 1, "b": 2}], 5])
def test_names_are_different_texts(docs: Any) -> None:
    with pytest.raises(ValueError, match="docs"):
        batch.ndcg([[1, 0]], [[2, 1]], docs=docs, convention="trec_eval")


@pytest.mark.parametrize("ties", TIES)
def test_a_score_that_single_precision_takes_for_infinite_stays_first_or_last(ties: str) -> None:
    convention = engine.Convention("mine", ties=ties, single=True)
    grades = [[0, 3, 1, 2], [3, 1]]
    scores = [[1e39, 1.0, 1e40, -1e39], [-1e39, 2.0]]
    ndcgs = batch.ndcg(grades, scores, convention=convention)
    for row, ndcg in enumerate(ndcgs):
        assert ndcg == pytest.approx(scored_ndcg(grades[row], scores[row], convention), abs=1e-12)
    assert scored_ndcg([0, 1], [1e39, 1], "pytrec_eval") == pytest.approx(0.631, abs=5e-4)


def test_figures_of_a_convention_with_decimals_are_rounded_as_those_of_one_list() -> None:
    convention = Convention("mine", discount="none", decimals=2)
    scores = [*range(80, 0, -1)]
    grades = [[1] * hits + [0] * (40 - hits) + [1] * (40 - hits) + [0] * hits for hits in range(41)]
    ndcgs = batch.ndcg(grades, [scores] * 41, k=40, convention=convention)
    assert ndcgs.tolist() == [scored_ndcg(row, scores, convention, 40) for row in grades]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("scores", [np.array([[2, 1, 0]], dtype=np.uint8), np.array([[3, 2, -(2**63)]])])
def test_whole_scores_of_any_width_rank_as_they_stand(ties: str, scores: Any) -> None:
    convention = engine.Convention("mine", ties=ties)
    ndcgs = batch.ndcg([[3, 0, 1]], scores, convention=convention)
    assert ndcgs[0] == pytest.approx(scored_ndcg([3, 0, 1], [2, 1, 0], convention), abs=1e-12)


@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("grades", [[-0.5, 1, 0], [2.5, -1, 3], [-0.5, 2.5, 4], [-1.5, 1, 2]])
def test_what_is_below_zero_is_read_as_in_a_single_list(name: str, grades: list[float]) -> None:
    try:
        alone = scored_ndcg(grades, [3, 2, 1], name)
    except ValueError:
        with pytest.raises(ValueError, match="grades"):
            batch.ndcg([grades], [[3, 2, 1]], convention=name)
    else:
        assert batch.ndcg([grades], [[3, 2, 1]], convention=name)[0] == pytest.approx(alone, abs=1e-12)


def test_numpy_is_not_imported_with_the_engine() -> None:
    import subprocess
    import sys

    program = "import sys, app.engine; print('numpy' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "False"
