"""Wrong cuts: where the list and the ideal end."""

from app.engine.misconceptions.model import Misconception
from app.engine.misconceptions.working import candidates, cuts_the_list
from app.engine.questions import Question


def no_cut(question: Question) -> None:  # noqa: ARG001
    """Return None: everything counts."""
    return


def _cuts_the_ideal(question: Question) -> bool:
    return question.k is not None and question.k < len(candidates(question))


CUT_MODELS = (
    Misconception(
        id="ideal_not_cut",
        name="理想排序没有截断",
        step="截断",
        thoughts=("理想就该把好文档全算上。", "截断只管系统的列表。"),
        said="你的理想排序没有截断",
        hint="理想排序排好以后，也只取前k名。",
        quantities=("idcg", "ndcg"),
        instead={"ideal_depth": no_cut},
        fits=_cuts_the_ideal,
        in_pairs=True,
    ),
    Misconception(
        id="k_ignored",
        name="没有截断到前k名",
        step="截断",
        thoughts=("列表里有几篇就算几篇。", "@后面的数只是个名字。"),
        said="你把整个列表都算进去了",
        hint="题目只看前k名，后面的文档不参加计算。",
        quantities=("cg", "dcg", "ndcg"),  # in IDCG it is the same as ideal_not_cut
        instead={"depth": no_cut, "ideal_depth": no_cut},
        fits=cuts_the_list,
        in_pairs=True,
    ),
)
