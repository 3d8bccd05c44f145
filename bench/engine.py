"""How fast is NDCG of one list, and of ten thousand? Beside other libraries: ``python -m bench.engine``.

The contenders take turns within one run, so that a slow moment of the machine falls on all of them; each
figure is the median over the rounds; of many lists also in time of processors, which neighbours on the
machine disturb less. All of them check their input. scikit-learn gets arrays made
beforehand; it sorts by score and (unless told not to) averages over ties, so one row of ours sorts too.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module, metadata
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np

from app.engine import batch, ndcg, trace
from bench.contenders import Contenders, microseconds

GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 2]
GOAL = 50  # times scikit-learn's speed, for a list of 10
ROUNDS = 15
SPINNING_SECONDS = 0.2
"""So long the threads of OpenBLAS and OpenMP keep a processor busy after their work is done."""
OURS = "ndcg"
THEIRS = "scikit-learn ndcg_score"
OURS_TIED = "batch.ndcg, ties averaged, ten scores"
THEIRS_TIED = f"{THEIRS}, ten scores"
AS_BOOSTED = "batch.ndcg, as XGBoost"
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
    micros = microseconds(contenders, calls=200, rounds=ROUNDS)
    return micros[THEIRS] / micros[OURS]


def _report_many(sklearn: Callable[..., float] | None) -> None:
    """10,000 lists of 100 at 10 in one call: milliseconds, and times the speed of scikit-learn."""
    dice = np.random.default_rng(7)
    grades = dice.integers(0, 5, (10_000, 100))
    scores = dice.random((10_000, 100))
    contenders = _our_batches(grades, scores)
    if sklearn:
        contenders |= _their_batches(grades, scores, sklearn)
    xgboost_evaluation = _xgboost_evaluation(grades, scores)
    if xgboost_evaluation:
        contenders |= _boosted_batches(grades, scores, xgboost_evaluation)
    _check_averages(contenders)
    millis, processor = _measured_in_peace(contenders)
    print(f"\n10,000 lists of 100 at 10: milliseconds a call, of processors, and times {THEIRS} in both")
    for name, value in millis.items():
        ratios = ""
        if sklearn:
            ratios = f"{millis[THEIRS] / value:8.1f} x{processor[THEIRS] / processor[name]:8.1f} x"
        print(f"  {name:40}{value:8.2f}{processor[name]:8.2f}{ratios}")
    if xgboost_evaluation:
        share = millis["batch.ndcg"] / millis[BOOSTED]
        print(f"  goal: batch.ndcg in at most half of XGBoost's time: {share:.2f} of it")


def _our_batches(grades: Any, scores: Any) -> Contenders:
    tied = np.round(scores, 1)
    averaging = partial(batch.ndcg, grades, k=10, convention="scikit-learn")
    return {
        "batch.ndcg": lambda: batch.ndcg(grades, scores, k=10),
        "batch.ndcg, ties averaged": lambda: averaging(scores),
        OURS_TIED: lambda: averaging(tied),
    }


def _their_batches(grades: Any, scores: Any, sklearn: Callable[..., float]) -> Contenders:
    tied = np.round(scores, 1)
    return {
        THEIRS: lambda: sklearn(grades, scores, k=10),
        THEIRS_TIED: lambda: sklearn(grades, tied, k=10),
        f"{THEIRS}, ignore_ties": lambda: sklearn(grades, scores, k=10, ignore_ties=True),
    }


def _boosted_batches(grades: Any, scores: Any, xgboost_evaluation: Callable[[], float]) -> Contenders:
    return {
        AS_BOOSTED: lambda: batch.ndcg(grades, scores, k=10, convention="xgboost"),
        BOOSTED: xgboost_evaluation,
    }


def _check_averages(contenders: Contenders) -> None:
    """The mean of our lists is what the other libraries say."""
    for ours, theirs, tolerance in ((OURS_TIED, THEIRS_TIED, 1e-9), (AS_BOOSTED, BOOSTED, 1e-6)):
        if theirs in contenders:
            computed = contenders[ours]().mean()
            expected = contenders[theirs]()
            if abs(computed - expected) > tolerance:
                raise AssertionError(f"{theirs} says {expected}, not {computed}")


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
    micros = microseconds(contenders, calls=max(20, 2000 // len(grades)), rounds=ROUNDS)
    print(f"\none list of {len(grades)}: microseconds per call, and times the speed of {THEIRS}")
    for name, value in micros.items():
        ratio = f"{micros[THEIRS] / value:8.1f} x" if sklearn else ""
        print(f"  {name:36}{value:10.2f}{ratio}")
    if sklearn and len(grades) == len(GRADES):
        _print_verdict(micros[THEIRS] / micros[OURS])


def _ours(grades: list[int]) -> dict[str, Callable[[], float]]:
    array = np.array(grades)
    scores = _scores(len(grades))
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
    truth = np.array([grades])
    scores = np.array([_scores(len(grades))])
    return {
        THEIRS: lambda: ndcg_score(truth, scores),
        f"{THEIRS}, ignore_ties": lambda: ndcg_score(truth, scores, ignore_ties=True),
    }


def _scores(count: int) -> list[float]:
    return [float(count - place) for place in range(count)]


def _by_score(grades: Sequence[int], scores: Sequence[float]) -> list[int]:
    order = sorted(range(len(grades)), key=scores.__getitem__, reverse=True)
    return [grades[place] for place in order]


def _check_same_value(contenders: Contenders) -> None:
    expected = contenders[OURS]()
    for name, run in contenders.items():
        if "k=10" not in name and "exponential" not in name and abs(run() - expected) > 1e-9:
            raise AssertionError(f"{name} computes {run()}, not {expected}")


def _measured_in_peace(
    contenders: Contenders,
) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds of a call, and of its processors: the second call in a row, for each has the caches of the
    processor for itself then; the first begins when the threads of the contender before sleep."""
    wall_times: dict[str, list[float]] = {name: [] for name in contenders}
    processor_times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            sleep(SPINNING_SECONDS)
            run()
            wall, processor = _timed(run)
            wall_times[name].append(wall)
            processor_times[name].append(processor)
    millis = {name: median(times) for name, times in wall_times.items()}
    return millis, {name: median(times) for name, times in processor_times.items()}


def _timed(run: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of a call, and of its processors."""
    began = perf_counter()
    used = process_time()
    run()
    return (perf_counter() - began) * 1000, (process_time() - used) * 1000


def _print_verdict(ratio: float) -> None:
    print(f"  goal: at least {GOAL} x. {'Reached' if ratio >= GOAL else 'NOT reached'}: {ratio:.0f} x")


if __name__ == "__main__":
    main()
