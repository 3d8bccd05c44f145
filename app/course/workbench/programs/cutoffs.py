"""At which rank a program cuts its list, as it writes it beside the list."""

import re

CUTOFF_NAMES = ("k", "ks", "k_values", "topk", "top_k", "cutoff", "cutoffs", "eval_at")
_WRITTEN_CUTOFF_PATTERN = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:{'|'.join(CUTOFF_NAMES)})['\"]?\s{{0,9}}+[=:]\s{{0,9}}+"
    r"(?:\[(?P<figures>[0-9,\s]{1,60})\]|(?P<figure>[0-9]{1,4})(?![0-9.]))"
    r"|ndcg(?:@|_cut[._])(?P<suffix>[0-9]{1,4})",
    re.IGNORECASE,
)
_FIGURE_PATTERN = re.compile("[0-9]{1,4}")


def written_cutoffs_of(pasted_text: str) -> list[int]:
    """The cut-offs that a program names, each once, the least first; nothing for a text without brackets,
    which is no program.

    >>> written_cutoffs_of("ndcg_score([[3, 2]], [[.9, .8]], k=5)"), written_cutoffs_of("k=5")
    ([5], [])
    >>> written_cutoffs_of('params = {"eval_at": [3, 1]}'), written_cutoffs_of("[3, 2]  # nDCG@10")
    ([1, 3], [10])
    """
    if "[" not in pasted_text:
        return []
    cutoffs: set[int] = set()
    for cutoff_match in _WRITTEN_CUTOFF_PATTERN.finditer(pasted_text):
        figures_text = cutoff_match["figures"] or cutoff_match["figure"] or cutoff_match["suffix"]
        cutoffs.update(map(int, _FIGURE_PATTERN.findall(figures_text)))
    return sorted(cutoffs - {0})
