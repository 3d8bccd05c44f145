"""What the course says of papers and libraries has its witness beside it, as `# 依据：…`.

A witness is a paper with what was read of it, a page that can be looked up, or a test of ours that runs the
claim again. It stands in the step, the question or the card, or at the top of the file for all of them; in a
step, where the learner may read it too, as `cited: …`. The cases of 勘误馆 carry links instead.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from app.course.learning.steps import Say
from app.course.text.markdown import TERM_PATTERN
from app.course.text.text_fields import texts_with_paths
from tests.published import published

ROOT = Path(__file__).resolve().parents[3]
FILES = [path for path in sorted((ROOT / "content").glob("*/*.yaml")) if path.name != "examples.yaml"]
FILES.append(ROOT / "content" / "glossary.yaml")
NAMES = "InfoNCE|RBP|scikit-learn|torchmetrics|LightGBM|XGBoost|CatBoost|RankLib|trec_eval|ranx|BEIR|MTEB"
YEAR = r"(?<![\d第])(?:19[5-9]\d|20[0-2]\d)(?!\d)"
CLAIM = re.compile(f"{NAMES}|{YEAR}")
MADE_BY_SOMEBODY = {
    "ndcg", "err", "rbp", "gauc", "ranknet", "lambdarank", "lambdamart", "listnet", "softrank", "approxndcg",
    "lambdaloss", "infonce", "kappa", "krippendorff-alpha", "bpref", "condensed-list", "sampled-metric",
}  # fmt: skip
"""Terms of the glossary that stand in a paper."""
STEP = re.compile(r"\s*- \{?id: (?P<id>[a-z][a-z0-9-]*)")
ENTRY = re.compile(r"(?P<id>[a-z][a-z0-9-]*):(?:\s|$)")
WITNESS = re.compile(r"\s*(?:# 依据：|cited: )(?P<words>.+)")


def blocks(text: str, beginning: re.Pattern[str]) -> Iterator[tuple[str, list[str]]]:
    """The steps, items or cards of a file with their lines; what stands before them has no name."""
    name = ""
    lines: list[str] = []
    for line in text.splitlines():
        match = beginning.match(line)
        if match:
            yield name, lines
            name, lines = match["id"], []
        lines.append(line)
    yield name, lines


def witnesses(lines: list[str]) -> str:
    matches = map(WITNESS.match, lines)
    return " ".join(match["words"] for match in matches if match)


def without_witness(text: str, beginning: re.Pattern[str]) -> list[tuple[str, str]]:
    """Each claim with its step or item, that no witness there or at the top of the file speaks of."""
    of_file = witnesses(list(takewhile(lambda line: line.startswith("#"), text.splitlines())))
    missing = []
    for name, lines in blocks(text, beginning):
        key = f"{of_file} {witnesses(lines)}"
        spoken = [line for line in lines if not line.lstrip().startswith("#")]
        claims = sorted(set(CLAIM.findall("\n".join(spoken))))
        missing += [(name, claim) for claim in claims if claim not in key]
    return missing


def beginning_of(path: Path) -> re.Pattern[str]:
    if path.name in ("lesson.yaml", "glossary.yaml"):
        return STEP
    return ENTRY


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_claim_has_a_witness(path: Path) -> None:
    assert without_witness(path.read_text("utf-8"), beginning_of(path)) == []


def test_a_claim_without_a_witness_is_seen() -> None:
    step = "steps:\n  - id: since\n    text: 2018年，LightGBM添了一样。\n"
    assert without_witness(step, STEP) == [("since", "2018"), ("since", "LightGBM")]
    text = step.replace("    text", "    # 依据：LightGBM的说明书，2018\n    text")
    assert without_witness(text, STEP) == []


def test_what_somebody_made_is_cited_where_it_is_linked_first() -> None:
    introduced: dict[str, str] = {}
    for step in published().steps:
        for _, text, _ in texts_with_paths(step):
            for match in TERM_PATTERN.finditer(text):
                introduced.setdefault(match[1], getattr(step, "cited", None) or "")
    assert sorted(term for term in MADE_BY_SOMEBODY if not introduced[term]) == []


def test_what_is_cited_says_what_was_read_and_where_it_stood() -> None:
    """A paper has its year, and one reads whether its text, its abstract or somebody's account was read."""
    cited_texts = [step.cited for step in published().steps if isinstance(step, Say) and step.cited]
    assert len(cited_texts) > 20
    for text in cited_texts:
        assert re.search("读|说明|照|源码", text), text
        assert re.search(YEAR, text) or "说明" in text or "源码" in text, text


def test_a_witness_that_is_a_test_is_there() -> None:
    for path in FILES:
        for name in re.findall(r"tests/[a-z_/]+\.[a-z]+", witnesses(path.read_text("utf-8").splitlines())):
            assert (ROOT / name).exists(), (path, name)
