"""How long does a diagnosis take, how long a variant? Beside one NDCG: ``python -m bench.diagnosis``.

All take turns within one run, so that a slow moment of the machine falls on all of them; each figure is
the median over the rounds. Nothing is compared with another program: no other one diagnoses a DCG.
"""

import timeit
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

from app.engine import Question, answer, diagnose, generate, generator_names, ndcg, predictions

GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 2] * 2
ROUNDS = 9
VARIANTS = 1000
BASELINE = "ndcg of the list of 20"


def main() -> None:
    """Measure diagnoses of a list of 20 and the making of 1,000 variants."""
    micros = _measured(_diagnoses(), calls=20)
    print(f"one list of {len(GRADES)}: microseconds per call, and times one NDCG")
    for name, value in micros.items():
        print(f"  {name:44}{value:10.1f}{value / micros[BASELINE]:10.1f} x")
    millis = _measured({f"{VARIANTS} variants, all skills and levels": _variants}, calls=1)
    for name, value in millis.items():
        variant_us = value / VARIANTS
        times = variant_us / micros[BASELINE]
        print(f"\n{name}: {value / 1000:.0f} ms, {variant_us:.0f} µs each, {times:.0f} x one NDCG")


def _diagnoses() -> dict[str, Callable[[], Any]]:
    ratio, total = (Question(quantity, GRADES, k=10) for quantity in ("ndcg", "dcg"))
    wrong = predictions(total)["natural_log"]
    return {
        BASELINE: lambda: ndcg(GRADES),
        "diagnose, a right answer": lambda: diagnose(total, answer(total)),
        "predictions, every model of a DCG": lambda: predictions(total),
        "predictions, every model of an NDCG": lambda: predictions(ratio),
        "diagnose a DCG, one model explains it": lambda: diagnose(total, wrong),
        "diagnose an NDCG, nothing explains it": lambda: diagnose(ratio, 0.1234),
        "diagnose a DCG, nothing does, pairs tried": lambda: diagnose(total, 1.2345),
    }


def _variants() -> None:
    names = generator_names()
    for seed in range(VARIANTS):
        generate(names[seed % len(names)], seed % 3 + 1, seed)


def _measured(contenders: Mapping[str, Callable[[], Any]], calls: int) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            seconds[name].append(timeit.timeit(run, number=calls))
    return {name: median(times) / calls * 1e6 for name, times in seconds.items()}


if __name__ == "__main__":
    main()
