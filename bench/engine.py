"""How fast is NDCG of one list, and of ten thousand? Beside other libraries: ``python -m bench.engine``.

The contenders take turns within one run, so that a slow moment of the machine falls on all of them; each
figure is the median over the rounds; of many lists also in time of processors, which neighbours on the
machine disturb less. All of them check their input. scikit-learn gets arrays made
beforehand; it sorts by score and (unless told not to) averages over ties, so one row of ours sorts too.
"""

import timeit
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module, metadata
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np

from app.engine import batch, ndcg, trace

GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 2]
GOAL = 50  # times scikit-learn's speed, for a list of 10
ROUNDS = 15
SPINNING_SECONDS = 0.2
"""So long the threads of OpenBLAS and OpenMP keep a processor busy after their work is done."""
OURS = "ndcg"
THEIRS = "scikit-learn ndcg_score"
BOOSTED = "XGBoost's evaluation, ties as handed in"


def main() -> None:
    """Measure lists of 10, 100 and 1000 and print the ratios; without scikit-learn only our own figures."""
    sklearn = _sklearn_ndcg_score()
    version = metadata.version("scikit-learn") if sklearn else "not installed"
    print(f"numpy {metadata.version('numpy')}, scikit-learn {version}")
    if sklearn is None:
        print("scikit-learn is missing, so there is nothing to compare with: pip install scikit-learn")
    for times in (1, 10, 100):
        _report(GRADES * times, sklearn)
    _report_many(sklearn)


def ratio() -> float | None:
    """Times the speed of scikit-learn for one list of 10; None where it is not installed."""
    sklearn = _sklearn_ndcg_score()
    if sklearn is None:
        return None
    contenders = {OURS: _ours(GRADES)[OURS], THEIRS: _theirs(GRADES, sklearn)[THEIRS]}
    micros = _measured(contenders, calls=200)
    return micros[THEIRS] / micros[OURS]


def _report_many(sklearn: Callable[..., float] | None) -> None:
    """10,000 lists of 100 at 10 in one call: milliseconds, and times the speed of scikit-learn."""
    random = np.random.default_rng(7)
    grades, scores = random.integers(0, 5, (10_000, 100)), random.random((10_000, 100))
    tied = np.round(scores, 1)
    contenders: dict[str, Callable[[], Any]] = {
        "batch.ndcg": lambda: batch.ndcg(grades, scores, k=10),
        "batch.ndcg, ties averaged": lambda: batch.ndcg(grades, scores, k=10, convention="scikit-learn"),
        "batch.ndcg, ties averaged, ten scores": lambda: batch.ndcg(
            grades, tied, k=10, convention="scikit-learn"
        ),
    }
    if sklearn:
        averaged = sklearn(grades, tied, k=10)
        if abs(contenders["batch.ndcg, ties averaged, ten scores"]().mean() - averaged) > 1e-9:
            raise AssertionError(f"scikit-learn says {averaged}")
        contenders[THEIRS] = lambda: sklearn(grades, scores, k=10)
        contenders[f"{THEIRS}, ten scores"] = lambda: sklearn(grades, tied, k=10)
        contenders[f"{THEIRS}, ignore_ties"] = lambda: sklearn(grades, scores, k=10, ignore_ties=True)
    boosted = _xgboost_evaluation(grades, scores)
    if boosted:
        contenders["batch.ndcg, as XGBoost"] = lambda: batch.ndcg(grades, scores, k=10, convention="xgboost")
        evaluated, computed = boosted(), contenders["batch.ndcg, as XGBoost"]().mean()
        if abs(computed - evaluated) > 1e-6:
            raise AssertionError(f"XGBoost says {evaluated}, not {computed}")
        contenders[BOOSTED] = boosted
    millis, processor = _measured_in_peace(contenders)
    print(f"\n10,000 lists of 100 at 10: milliseconds a call, of processors, and times {THEIRS} in both")
    for name, value in millis.items():
        ratios = ""
        if sklearn:
            ratios = f"{millis[THEIRS] / value:8.1f} x{processor[THEIRS] / processor[name]:8.1f} x"
        print(f"  {name:40}{value:8.2f}{processor[name]:8.2f}{ratios}")
    if boosted:
        share = millis["batch.ndcg"] / millis[BOOSTED]
        print(f"  goal: batch.ndcg in at most half of XGBoost's time: {share:.2f} of it")


def _sklearn_ndcg_score() -> Callable[..., float] | None:
    try:
        return import_module("sklearn.metrics").ndcg_score  # type: ignore[no-any-return]
    except ModuleNotFoundError:
        return None


def _xgboost_evaluation(grades: Any, scores: Any) -> Callable[[], float] | None:
    """XGBoost's ndcg@10 over all lists, by all processors; the scores are the margin of a tree-less model.

    What is measured is its public call, which predicts (here: nothing) before it evaluates.
    """
    try:
        library = import_module("xgboost")
    except ModuleNotFoundError:
        return None
    features = np.zeros((grades.size, 1), dtype=np.float32)
    data = library.DMatrix(features, grades.ravel(), base_margin=scores.ravel())
    data.set_group([grades.shape[1]] * len(grades))
    params = {"objective": "rank:ndcg", "eval_metric": "ndcg@10"}
    booster = library.train(params, data, num_boost_round=0)
    return lambda: float(booster.eval(data).split(":")[-1])


def _report(grades: list[int], sklearn: Callable[..., float] | None) -> None:
    contenders = _ours(grades) | (_theirs(grades, sklearn) if sklearn else {})
    _check_same_value(contenders)
    micros = _measured(contenders, calls=max(20, 2000 // len(grades)))
    print(f"\none list of {len(grades)}: microseconds per call, and times the speed of {THEIRS}")
    for name, value in micros.items():
        ratio = f"{micros[THEIRS] / value:8.1f} x" if sklearn else ""
        print(f"  {name:36}{value:10.2f}{ratio}")
    if sklearn and len(grades) == len(GRADES):
        _print_verdict(micros[THEIRS] / micros[OURS])


def _ours(grades: list[int]) -> dict[str, Callable[[], float]]:
    array, scores = np.array(grades), _scores(len(grades))
    return {
        OURS: lambda: ndcg(grades),
        "ndcg, k=10": lambda: ndcg(grades, 10),
        "ndcg, exponential gain": lambda: ndcg(grades, gain="exponential"),
        "ndcg, a pool": lambda: ndcg(grades, pool=grades),
        "ndcg, from a NumPy array": lambda: ndcg(array),
        "sorting by score first, then ndcg": lambda: ndcg(_by_score(grades, scores)),
        "trace (every term kept)": lambda: trace(grades).ndcg,
    }


def _theirs(grades: list[int], ndcg_score: Callable[..., float]) -> dict[str, Callable[[], float]]:
    truth, scores = np.array([grades]), np.array([_scores(len(grades))])
    return {
        THEIRS: lambda: ndcg_score(truth, scores),
        f"{THEIRS}, ignore_ties": lambda: ndcg_score(truth, scores, ignore_ties=True),
    }


def _scores(count: int) -> list[float]:
    return [float(count - place) for place in range(count)]


def _by_score(grades: Sequence[int], scores: Sequence[float]) -> list[int]:
    order = sorted(range(len(grades)), key=scores.__getitem__, reverse=True)
    return [grades[place] for place in order]


def _check_same_value(contenders: Mapping[str, Callable[[], Any]]) -> None:
    expected = contenders[OURS]()
    for name, run in contenders.items():
        if "k=10" not in name and "exponential" not in name and abs(run() - expected) > 1e-9:
            raise AssertionError(f"{name} computes {run()}, not {expected}")


def _measured_in_peace(
    contenders: Mapping[str, Callable[[], Any]],
) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds of a call, and of its processors: the second call in a row, for each has the caches of the
    processor for itself then; the first begins when the threads of the contender before sleep."""
    walls: dict[str, list[float]] = {name: [] for name in contenders}
    processors: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            sleep(SPINNING_SECONDS)
            run()
            began, used = perf_counter(), process_time()
            run()
            walls[name].append((perf_counter() - began) * 1000)
            processors[name].append((process_time() - used) * 1000)
    millis = {name: median(times) for name, times in walls.items()}
    return millis, {name: median(times) for name, times in processors.items()}


def _measured(contenders: Mapping[str, Callable[[], Any]], calls: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            seconds[name].append(timeit.timeit(run, number=calls))
    return {name: median(times) / calls * 1e6 for name, times in seconds.items()}


def _print_verdict(ratio: float) -> None:
    print(f"  goal: at least {GOAL} x. {'Reached' if ratio >= GOAL else 'NOT reached'}: {ratio:.0f} x")


if __name__ == "__main__":
    main()
