"""How long does a diagnosis take, how long a variant? Beside one NDCG: ``python -m bench.diagnosis``.

All take turns within one run, so that a slow moment of the machine falls on all of them; each figure is
the median over the rounds. Nothing is compared with another program: no other one diagnoses a DCG.
"""

from collections.abc import Callable
from typing import Any

from app.engine import Question, answer, diagnose, generate, generator_names, ndcg, predictions
from bench.contenders import microseconds

GRADES = [3, 2, 3, 0, 1, 2, 0, 0, 1, 2] * 2
ROUNDS = 9
VARIANTS = 1000
BASELINE = "ndcg of the list of 20"


def main() -> None:
    """Measure diagnoses of a list of 20 and the making of 1,000 variants."""
    micros = microseconds(_diagnoses(), calls=20, rounds=ROUNDS)
    print(f"one list of {len(GRADES)}: microseconds per call, and times one NDCG")
    for name, value in micros.items():
        print(f"  {name:44}{value:10.1f}{value / micros[BASELINE]:10.1f} x")
    [variants_us] = microseconds({"variants": _variants}, calls=1, rounds=ROUNDS).values()
    variant_us = variants_us / VARIANTS
    times = variant_us / micros[BASELINE]
    print(f"\n{VARIANTS} variants, all skills and levels: {variants_us / 1000:.0f} ms", end="")
    print(f", {variant_us:.0f} µs each, {times:.0f} x one NDCG")


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


if __name__ == "__main__":
    main()
