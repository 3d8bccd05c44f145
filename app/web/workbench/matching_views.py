"""Libraries, axes and lists to run a library on, as 对账 and 体检 show them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.course.workbench.snippets import list_line
from app.course.workbench.wording import NAME_BY_AXIS, WORD_BY_ANSWER_BY_AXIS
from app.engine.conventions import CONVENTIONS, COURSE
from app.engine.probing import Probe

MOST_NAMED_LIBRARIES = 4
"""Libraries in a sentence."""
WELL_KNOWN_PRESETS = (
    "scikit-learn",
    "trec_eval",
    "pytrec_eval",
    "lightgbm",
    "xgboost",
    "ranx",
    "torchmetrics",
    "catboost",
)
_FUNCTION_NAME_PATTERN = re.compile("[ （](?:ndcg|NDCG|nDCG|retrieval_|rank_eval|ir_measures)|（")


class AxisAnswers(NamedTuple):
    """What others answer on an axis, and what we do."""

    axis_name: str
    their_answer: str
    our_answer: str

    @property
    def is_same(self) -> bool:
        return self.their_answer == self.our_answer


def axis_answers(axis: str, their_answer: str) -> AxisAnswers:
    """Their answer, in words, beside ours."""
    our_answer = WORD_BY_ANSWER_BY_AXIS[axis][getattr(COURSE, axis)]
    return AxisAnswers(NAME_BY_AXIS[axis], their_answer, our_answer)


class ProbeView(NamedTuple):
    """A list to run a library on: each row a document, its grade and score; and as a line of a program."""

    rows: Sequence[tuple[str, int, int]]
    unlisted_grades_text: str
    k: int
    code_line: str


def probe_view(probe: Probe) -> ProbeView:
    """A list to run a library on, as a table and as a line of a program."""
    return ProbeView(
        list(zip(probe.docs, probe.grades, probe.scores, strict=True)),
        "、".join(map(str, probe.pool[len(probe.grades) :])),
        probe.k,
        list_line(probe).strip().rstrip(","),
    )


def library_names_words(presets: Iterable[str]) -> str:
    """Some libraries by name in a clause, those that most people use first.

    >>> library_names_words(["course", "scikit-learn", "ranx", "ranx-burges", "lightgbm", "xgboost"])
    'scikit-learn、LightGBM、XGBoost、ranx等5家'
    """
    library_names: dict[str, None] = {}
    for preset in sorted(presets, key=_rank_of_fame):
        library_names[without_function(CONVENTIONS[preset].library)] = None
    names_words = "、".join(list(library_names)[:MOST_NAMED_LIBRARIES])
    if len(library_names) > MOST_NAMED_LIBRARIES:
        names_words += f"等{len(library_names)}家"
    return names_words


def without_function(library: str) -> str:
    """A library without the name of its function.

    >>> [without_function(name) for name in ("scikit-learn ndcg_score", "CatBoost NDCG:type=Exp", "糖序")]
    ['scikit-learn', 'CatBoost', '糖序']
    """
    return _FUNCTION_NAME_PATTERN.split(library)[0]


def _rank_of_fame(preset: str) -> int:
    return (*WELL_KNOWN_PRESETS, *CONVENTIONS).index(preset)
