"""Records what the installed libraries print, for `tests/data/library_figures.json`.

Prints the record; with `--below-zero` before the names that of lists with negative grades, for
`negative_figures.json`. To be run in an environment that has them (scikit-learn, torch, torchmetrics,
pytrec-eval-terrier, ir-measures, perl for its gdeval, ranx, lightgbm, xgboost-cpu, catboost); nothing of
ours is imported. The record is what `test_libraries.py` holds our presets against, so that no machine needs
a gigabyte of libraries to check them.

Names of libraries may be given: then only they are run. tensorflow-ranking wants an environment of its own
(tensorflow-cpu before 2.16); it shuffles tied documents, so those lists have no figure.
"""

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from random import Random
from typing import Any

LISTS = 200
SEED = 20261122
LISTS_BELOW_ZERO = 60
REFUSED = "refused"
"""What stands for a figure where the library raises instead."""
PACKAGES = {
    "scikit-learn": ("scikit-learn", "scikit-learn-ignore-ties"),
    "torchmetrics": ("torchmetrics",),
    "pytrec-eval-terrier": ("pytrec_eval",),
    "ir-measures": ("ir-measures",),
    "ranx": ("ranx", "ranx-burges"),
    "lightgbm": ("lightgbm",),
    "xgboost-cpu": ("xgboost", "xgboost-linear"),
    "catboost": ("catboost", "catboost-exp"),
    "tensorflow-ranking": ("tf-ranking",),
}
ALONE = ("tf-ranking",)
"""Run only where they are named."""
GDEVAL = "1.2a"
"""As the script says that ir-measures brings along."""
List = dict[str, Any]


def main() -> None:
    """Print the record as JSON, a list or a library a line."""
    named_libraries = sys.argv[1:]
    lists = list(random_lists())
    if named_libraries[:1] == ["--below-zero"]:
        named_libraries = named_libraries[1:]
        lists = list(lists_below_zero())
    libraries = named_libraries or [name for name in LIBRARIES if name not in ALONE]
    figures = {name: [printed_figure(name, query) for query in lists] for name in libraries}
    versions = dict.fromkeys(libraries, GDEVAL)
    for package, names in PACKAGES.items():
        for name in set(names).intersection(libraries):
            versions[name] = metadata.version(package)
    record = {"versions": versions, "lists": lists, "figures": figures}
    lines = []
    for part, content in record.items():
        entries = content.items() if isinstance(content, dict) else enumerate(content)
        rows = [
            json.dumps(entry) if part == "lists" else f"{json.dumps(name)}: {json.dumps(entry)}"
            for name, entry in entries
        ]
        opening, closing = "[]" if part == "lists" else "{}"
        lines.append(f"{json.dumps(part)}: {opening}\n" + ",\n".join(rows) + f"\n{closing}")
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


def random_lists() -> Iterator[List]:
    """Lists of 2 to 9 documents, half of them with tied scores, some without anything relevant."""
    random = Random(SEED)
    for number in range(LISTS):
        count = random.randint(2, 9)
        top = random.choice([1, 3, 4]) if number % 20 else 0
        grades = [random.randint(0, top) for _ in range(count)]
        beyond = [random.randint(0, top) for _ in range(random.choice([0, 0, 1, 3]))]
        levels = random.choice([2, 3, 1000])
        scores = [random.randint(1, levels) / 4 for _ in range(count)]
        docs = random.sample("abcdefghijklmnop", count)
        yield {
            "grades": grades,
            "scores": scores,
            "docs": docs,
            "beyond": beyond,
            "k": random.randint(1, count + 2),
        }


def lists_below_zero() -> Iterator[List]:
    """Lists with a negative grade, a sixth without anything relevant; a third with tied scores."""
    random = Random(SEED + 1)
    for number in range(LISTS_BELOW_ZERO):
        count = random.randint(2, 7)
        top = random.choice([1, 3]) if number % 6 else 0
        grades = [random.randint(-2, top) for _ in range(count)]
        grades[random.randrange(count)] = -random.randint(1, 2)
        scores = random.sample(range(1, 99), count)
        if number % 3 == 0:
            scores = [random.randint(1, 2) for _ in range(count)]
        yield {
            "grades": grades,
            "scores": [score / 4 for score in scores],
            "docs": random.sample("abcdefghijklmnop", count),
            "beyond": [random.randint(-1, top) for _ in range(random.choice([0, 0, 2]))],
            "k": random.randint(1, count + 1),
        }


def printed_figure(name: str, query: List) -> float | str | None:
    """What a library prints, or that it refuses; errors have a type of their own in each of them."""
    try:
        return round_off(LIBRARIES[name](query))
    except Exception as error:
        if min(query["grades"]) >= 0:
            raise
        print(f"{name}: {error}", file=sys.stderr)
        return REFUSED


def round_off(value: float | None) -> float | None:
    if value is None:
        return None
    return float(f"{value:.15g}")


def judged(query: List) -> dict[str, int]:
    extra = {f"x{number}": grade for number, grade in enumerate(query["beyond"])}
    return dict(zip(query["docs"], query["grades"], strict=True)) | extra


def run(query: List) -> dict[str, float]:
    return dict(zip(query["docs"], query["scores"], strict=True))


def scikit_learn(query: List, *, ignore_ties: bool = False) -> float:
    score = import_module("sklearn.metrics").ndcg_score
    return float(score([query["grades"]], [query["scores"]], k=query["k"], ignore_ties=ignore_ties))


def torchmetrics(query: List) -> float:
    tensor = import_module("torch").tensor
    score = import_module("torchmetrics.functional.retrieval").retrieval_normalized_dcg
    return float(score(tensor(query["scores"]), tensor(query["grades"]), top_k=query["k"]))


def pytrec_eval(query: List) -> float:
    evaluator = import_module("pytrec_eval").RelevanceEvaluator(
        {"q": judged(query)}, {f"ndcg_cut.{query['k']}"}
    )
    return float(evaluator.evaluate({"q": run(query)})["q"][f"ndcg_cut_{query['k']}"])


def ir_measures(query: List, **params: Any) -> float:
    """gdeval, which it runs for exponential gains, wants a number for the name of a query."""
    library = import_module("ir_measures")
    measure = library.nDCG(cutoff=query["k"], **params)
    return float(library.calc_aggregate([measure], {"1": judged(query)}, {"1": run(query)})[measure])


def ranx(query: List, measure: str = "ndcg") -> float:
    library = import_module("ranx")
    qrels, results = library.Qrels({"q": judged(query)}), library.Run({"q": run(query)})
    return float(library.evaluate(qrels, results, f"{measure}@{query['k']}"))


def lightgbm(query: List) -> float:
    library, numpy = import_module("lightgbm"), import_module("numpy")
    count = len(query["grades"])
    features = numpy.zeros((count, 1))
    quiet = {"verbose": -1}
    data = library.Dataset(features, query["grades"], group=[count], init_score=query["scores"], params=quiet)
    params = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [query["k"]], "verbose": -1}
    return float(library.Booster(params, data).eval_train()[0][2])


def xgboost(query: List, **params: Any) -> float:
    library, numpy = import_module("xgboost"), import_module("numpy")
    count = len(query["grades"])
    data = library.DMatrix(numpy.zeros((count, 1)), query["grades"], base_margin=query["scores"])
    data.set_group([count])
    parameters = {"objective": "rank:ndcg", "eval_metric": f"ndcg@{query['k']}"} | params
    return float(library.train(parameters, data, num_boost_round=0).eval(data).split(":")[-1])


def catboost(query: List, kind: str = "Base") -> float:
    evaluate = import_module("catboost.utils").eval_metric
    measure = f"NDCG:top={query['k']};type={kind}"
    groups = [0] * len(query["grades"])
    return float(evaluate(query["grades"], query["scores"], measure, group_id=groups)[0])


def tf_ranking(query: List) -> float | None:
    if len(set(query["scores"])) < len(query["scores"]):
        return None
    metric = import_module("tensorflow_ranking").keras.metrics.NDCGMetric(topn=query["k"])
    return float(metric([list(map(float, query["grades"]))], [query["scores"]]))


LIBRARIES: dict[str, Callable[[List], float | None]] = {
    "scikit-learn": scikit_learn,
    "scikit-learn-ignore-ties": lambda query: scikit_learn(query, ignore_ties=True),
    "torchmetrics": torchmetrics,
    "pytrec_eval": pytrec_eval,
    "ir-measures": ir_measures,
    "gdeval": lambda query: ir_measures(query, dcg="exp-log2"),
    "ranx": ranx,
    "ranx-burges": lambda query: ranx(query, "ndcg_burges"),
    "lightgbm": lightgbm,
    "xgboost": xgboost,
    "xgboost-linear": lambda query: xgboost(query, ndcg_exp_gain=False),
    "catboost": catboost,
    "catboost-exp": lambda query: catboost(query, "Exp"),
    "tf-ranking": tf_ranking,
}

if __name__ == "__main__":
    main()
