"""Wrong ratios: what becomes of DCG and IDCG at the end."""

from app.engine.misconceptions.model import Misconception
from app.engine.misconceptions.working import quotient


def inverted(dcg: float, idcg: float) -> float:
    """Return ``idcg / dcg``; nan when the DCG is 0.

    >>> inverted(2, 3)
    1.5
    """
    return quotient(idcg, dcg)


def dcg_alone(dcg: float, idcg: float) -> float:  # noqa: ARG001
    """Return the DCG as it is, without dividing."""
    return dcg


RATIO_MODELS = (
    Misconception(
        id="ratio_inverted",
        name="分子分母放反了",
        step="归一",
        thoughts=("理想的放在上面。", "大的除以小的。"),
        said="你把分子和分母放反了",
        hint="NDCG是DCG除以IDCG，看实际得到的占理想的几成。",
        quantities=("ndcg",),
        instead={"ratio": inverted},
    ),
    Misconception(
        id="dcg_for_ndcg",
        name="停在了DCG",
        step="归一",
        thoughts=("DCG就是NDCG。", "算出DCG就算完了。"),
        said="你给出的是DCG，还没有归一",
        hint="还差最后一步，再除以IDCG，看占理想的几成。",
        quantities=("ndcg",),
        instead={"ratio": dcg_alone},
    ),
)
