"""The 22 worked examples of the course's sources: the engine gives their true figures."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine import Question, answer, trace
from tests.tables import each

EXAMPLES = json.loads((Path(__file__).parents[1] / "data" / "seed_examples.json").read_text("utf-8"))


def test_there_are_22_examples() -> None:
    assert len(EXAMPLES) == 22


@each("example", EXAMPLES)
def test_the_trace_gives_the_true_figures(example: dict[str, Any]) -> None:
    steps = trace(example["grades"], example["k"], example["gain"], pool=example["pool"])
    measured = {"cg": steps.cg, "dcg": steps.dcg, "idcg": steps.idcg, "ndcg": steps.ndcg}
    assert measured == pytest.approx(example["true"], abs=1e-9)


@each("example", EXAMPLES)
@each("quantity", ["cg", "dcg", "idcg", "ndcg"])
def test_a_question_has_the_true_answer(example: dict[str, Any], quantity: str) -> None:
    question = Question(quantity, example["grades"], example["k"], example["gain"], example["pool"])
    assert answer(question) == pytest.approx(example["true"][quantity], abs=1e-9)
