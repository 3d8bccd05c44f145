"""Snippets that run a library on the three lists of the check-up and print three figures."""

from functools import cache
from typing import NamedTuple

from app.engine.probing import Probe, probes

_LISTS_CODE = """# 每一列：甜度，分数，文档名，另外评过的甜度，k
LISTS = [
{lists}
]
"""
_QUERY = """    judged = dict(zip(docs, grades)) | {f"x{n}": grade for n, grade in enumerate(more)}
    run = {doc: float(score) for doc, score in zip(docs, scores)}
"""
_LOOP = "for grades, scores, docs, more, k in LISTS:\n"

_SCIKIT_LEARN = f"""from sklearn.metrics import ndcg_score

{_LOOP}    print(ndcg_score([grades], [scores], k=k))
"""
_RANX = f"""from ranx import Qrels, Run, evaluate

{_LOOP}{_QUERY}    print(evaluate(Qrels({{"q": judged}}), Run({{"q": run}}), f"ndcg@{{k}}"))
"""
_PYTREC_EVAL = f"""import pytrec_eval

{_LOOP}{_QUERY}    evaluator = pytrec_eval.RelevanceEvaluator({{"q": judged}}, {{f"ndcg_cut.{{k}}"}})
    print(evaluator.evaluate({{"q": run}})["q"][f"ndcg_cut_{{k}}"])
"""
_LIGHTGBM = f"""import lightgbm
import numpy

{_LOOP}    data = lightgbm.Dataset(
        numpy.zeros((len(grades), 1)), grades, group=[len(grades)], init_score=scores,
        params={{"verbose": -1}}, free_raw_data=False,
    )
    params = {{"objective": "lambdarank", "metric": "ndcg", "eval_at": [k], "verbose": -1}}
    print(lightgbm.Booster(params, data).eval_train()[0][2])
"""
_XGBOOST = f"""import numpy
import xgboost

{_LOOP}    data = xgboost.DMatrix(numpy.zeros((len(grades), 1)), grades, base_margin=scores)
    data.set_group([len(grades)])
    params = {{"objective": "rank:ndcg", "eval_metric": f"ndcg@{{k}}"}}
    print(xgboost.train(params, data, num_boost_round=0).eval(data).split(":")[-1])
"""
_TORCHMETRICS = f"""from torch import tensor
from torchmetrics.functional.retrieval import retrieval_normalized_dcg

{_LOOP}    predictions = tensor([float(score) for score in scores])
    print(retrieval_normalized_dcg(predictions, tensor(grades), top_k=k).item())
"""
_OWN_FUNCTION = f"""def my_ndcg(grades, scores, docs, more, k):
    ...  # 换成你的函数；用不上的参数不管它

{_LOOP}    print(my_ndcg(grades, scores, docs, more, k))
"""


class Snippet(NamedTuple):
    """A program for one library. preset: the convention that it turned out to have; None: who knows."""

    id: str
    library_name: str
    code: str
    preset: str | None


@cache
def snippets() -> tuple[Snippet, ...]:
    """The programs, whole: each can be run as it stands.

    >>> [snippet.id for snippet in snippets()][:3]
    ['scikit-learn', 'ranx', 'pytrec_eval']
    """
    lists_text = "\n".join(map(list_line, probes()))
    lists_code = _LISTS_CODE.format(lists=lists_text)
    programs = (
        ("scikit-learn", "scikit-learn", _SCIKIT_LEARN, "scikit-learn"),
        ("ranx", "ranx", _RANX, "ranx"),
        ("pytrec_eval", "pytrec_eval", _PYTREC_EVAL, "pytrec_eval"),
        ("lightgbm", "LightGBM", _LIGHTGBM, "lightgbm"),
        ("xgboost", "XGBoost", _XGBOOST, "xgboost"),
        ("torchmetrics", "torchmetrics", _TORCHMETRICS, "torchmetrics"),
        ("own", "自己写的函数", _OWN_FUNCTION, None),
    )
    whole_snippets = []
    for library_id, library_name, program_pattern, preset in programs:
        imports_text, loop_line, loop_body_text = program_pattern.partition(_LOOP)
        program_text = f"{imports_text}{lists_code}{loop_line}{loop_body_text}"
        whole_snippets.append(Snippet(library_id, library_name, program_text, preset))
    return tuple(whole_snippets)


def list_line(probe: Probe) -> str:
    """A list as a program writes it: what was judged beyond it stands for itself.

    >>> list_line(probes()[2])
    '    ([0, 0, 0], [3, 2, 1], "abc", [], 3),'
    """
    docnos_text = "".join(probe.docs)
    unlisted_grades = list(probe.pool[len(probe.grades) :])
    return f'    ({list(probe.grades)}, {list(probe.scores)}, "{docnos_text}", {unlisted_grades}, {probe.k}),'
