"""Figures in texts come from the engine."""

import re
import time
from typing import Any

import pytest
from pydantic import ValidationError

from app import engine
from app.course.learning.figures_in_text import BadReference, ListValue, fill, typed_figures
from tests.course.small import course
from tests.tables import each

EXAMPLES = course().examples
VALUES = {"half": ListValue(quantity="discount", grades=[1, 1, 1], rank=3)}


def filled(text: str) -> str:
    return fill(text, EXAMPLES, VALUES)


@each(
    ("text", "printed"),
    [
        ("{{ tea.dcg | 3 }}", "3.893"),
        ("{{tea.dcg|3}}", "3.893"),
        ("{{ tea.idcg | 3 }}", "4.262"),
        ("{{ tea.ndcg | 3 }}", "0.913"),
        ("{{ tea.ndcg | percent 1 }}", "91.3%"),
        ("{{ tea.ndcg | percent 0 }}", "91%"),
        ("{{ tea.cg | 0 }}", "5"),
        ("{{ tea.k | 0 }}", "3"),
        ("{{ tea.best | 1 }}", "1.0"),
        ("{{ tea.worst | 3 }}", "0.648"),
        ("{{ tea.terms[2].value | 2 }}", "1.89"),
        ("{{ tea.terms[2].running_total | 2 }}", "3.89"),
        ("{{ tea.ideal_terms[1].gain | 0 }}", "3"),
        ("{{ tea.discount[3] | 2 }}", "0.50"),
        ("{{ tea.discount[10] | 3 }}", "0.289"),
        ("{{ half | 2 }}", "0.50"),
        ("{{ half | percent 0 }}", "50%"),
        ("$\\frac{ {{ half | 1 }} }{2}$", "$\\frac{ 0.5 }{2}$"),
        ("$\\frac{{{ half | 1 }}}{2}$", "$\\frac{0.5}{2}$"),
        ("没有数", "没有数"),
        ("{{ half | 1 }}和{{ half | 2 }}", "0.5和0.50"),
    ],
)
def test_a_reference_is_printed(text: str, printed: str) -> None:
    assert filled(text) == printed


@each(
    "text",
    [
        "{{ gone.dcg | 3 }}",
        "{{ gone | 3 }}",
        "{{ tea | 3 }}",
        "{{ tea.gone | 3 }}",
        "{{ tea.terms[0].value | 3 }}",
        "{{ tea.terms[4].value | 3 }}",
        "{{ tea.terms[2] | 3 }}",
        "{{ tea.terms[2].colour | 3 }}",
        "{{ tea.discount[0] | 3 }}",
        "{{ tea.dcg }}",
        "{{ tea.dcg | 7 }}",
        "{{ tea.dcg | 12 }}",
        "{{ tea.dcg | percent }}",
        "{{ tea.__class__ | 3 }}",
        "{{ tea.trace | 3 }}",
        "{{ }}",
        "{{ tea.dcg | 3",
    ],
)
def test_a_wrong_reference_is_refused(text: str) -> None:
    with pytest.raises(BadReference):
        filled(text)


@each(
    ("text", "figures"),
    [
        ("0.63", ["0.63"]),
        ("０．63", ["０．63"]),
        ("涨了3%", ["3%"]),
        ("涨了3 ％", ["3 ％"]),
        ("92.9%", ["92.9%"]),
        ("$0.5$", ["0.5"]),
        ("{{ tea.dcg | 3 }}", []),
        ("{{ tea.dcg | percent 1 }}", []),
        ("一共6颗，第3位，1/2", []),
        ("第1.版", []),
    ],
)
def test_figures_typed_by_hand_are_found(text: str, figures: list[str]) -> None:
    assert typed_figures(text) == figures


@each(
    ("quantity", "figure", "more"),
    [
        ("precision", 3 / 4, {}),
        ("recall", 3 / 5, {}),
        ("f1", 2 / 3, {}),
        ("accuracy", 7 / 10, {"collection": 10}),
        ("reciprocal_rank", 1.0, {}),
        ("average_precision", (1 + 1 + 1) / 5, {}),
        ("auc", 1.0, {}),
        ("err", engine.err([3, 2, 1, 0], 4, 3), {"max_grade": 3}),
        ("rbp", 0.5 * (1 + 0.5 + 0.25), {"p": 0.5}),
        ("cg", 6.0, {}),
        ("worst", 0.0, {}),
        ("mean", None, {}),
        ("best", 1.0, {"pool": None}),
    ],
)
def test_values_of_every_quantity(quantity: str, figure: float | None, more: dict[str, Any]) -> None:
    parameters = {"quantity": quantity, "grades": [3, 2, 1, 0], "k": 4, "pool": [3, 2, 1, 1, 1, 0, 0], **more}
    item = ListValue.model_validate(parameters)
    assert 0 < item.figure() <= 6
    if figure:
        assert item.figure() == pytest.approx(figure)


@each(
    ("quantity", "figure"),
    [
        ("precision", 2 / 4),
        ("recall", 2 / 2),
        ("f1", 2 / 3),
        ("accuracy", 8 / 10),
        ("reciprocal_rank", 1 / 2),
        ("average_precision", (1 / 2 + 2 / 3) / 2),
        ("auc", 2 / 4),
        ("rbp", 0.2 * (0.8 + 0.8**2)),
    ],
)
def test_a_threshold_says_from_which_grade_on_a_document_is_relevant(quantity: str, figure: float) -> None:
    parameters = {"quantity": quantity, "grades": [1, 3, 2, 0], "threshold": 2}
    more = {"collection": 10} if quantity == "accuracy" else {}
    assert ListValue.model_validate({**parameters, **more}).figure() == pytest.approx(figure)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"quantity": "accuracy", "grades": [1, 0]}, "accuracy要写collection"),
        ({"quantity": "recall", "grades": [1, 0], "collection": 9}, "别的quantity不写"),
        ({"quantity": "accuracy", "grades": [1, 0], "collection": 1}, "collection = 1"),
        ({"quantity": "err", "grades": [5, 0]}, "现在是4"),
        ({"quantity": "auc", "grades": [1, 1]}, "auc要既有相关的"),
        ({"quantity": "rbp", "grades": [1], "p": 1}, "less than 1"),
    ],
)
def test_a_value_that_cannot_be_computed_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ListValue.model_validate(values)


FOUR = {"grades": [1, 3, 2, 0], "scores": [3, 2, 1, 0]}


@each(
    ("fields", "figure"),
    [
        ({"quantity": "rho", "rank": 2, "other": 1}, 0.731),
        ({"quantity": "rho", "rank": 1, "other": 2}, 0.731),
        ({"quantity": "delta_ndcg", "rank": 2, "other": 1}, 0.155),
        ({"quantity": "lambda", "rank": 3, "other": 1}, 0.092),
        ({"quantity": "lambda", "rank": 2, "other": 1, "sigma": 2}, 0.273),
        ({"quantity": "force", "rank": 1}, 0.200),
        ({"quantity": "force", "rank": 2}, 0.136),
        ({"quantity": "stepped", "rank": 2, "rate": 4}, 2.543),
    ],
)
def test_pushes_are_those_of_lambdarank(fields: dict[str, object], figure: float) -> None:
    assert ListValue.model_validate(FOUR | fields).figure() == pytest.approx(figure, abs=5e-4)


def test_a_swap_needs_no_scores() -> None:
    listed = ListValue(quantity="delta_ndcg", grades=[1, 3, 2, 0], rank=2, other=1)
    assert listed.figure() == ListValue.model_validate({**listed.model_dump(), **FOUR}).figure()


@each(
    ("wrong", "sentence"),
    [
        ({"quantity": "rho", "rank": 2}, "rho要写rank（第几篇）和other（另一篇）"),
        ({"quantity": "force", "rank": 2, "other": 1}, "force要写rank（第几篇）"),
        ({"quantity": "lambda", "rank": 5, "other": 1}, "rank和other要在1到4之间"),
        ({"quantity": "lambda", "rank": 2, "other": 1, "scores": [1]}, "scores要写4个，一篇一个"),
        ({"quantity": "lambda", "rank": 2, "other": 1, "scores": None}, "lambda要写scores"),
        ({"quantity": "rho", "rank": 2, "other": 1, "grades": [1, None, 2, 0]}, "rho要每一篇都有甜度"),
        ({"quantity": "rho", "rank": 2, "other": 2}, "第2篇和第2篇一样甜"),
    ],
)
def test_a_push_that_does_not_exist_is_refused(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ListValue.model_validate(FOUR | wrong)


def test_a_number_below_0_has_a_true_minus_sign() -> None:
    values = {"last": ListValue.model_validate(FOUR | {"quantity": "stepped", "rank": 4, "rate": 4})}
    assert fill("D变成{{ last | 3 }}", {}, values) == "D变成−0.114"


def test_a_figure_that_never_closes_is_refused_at_once() -> None:
    """With four thousand spaces the old pattern was busy for minutes."""
    begun = time.monotonic()
    for text in ("{{ a" + " " * 4000, "{{" + " a" * 4000, "{{ a |" + " " * 4000 + "x }}"):
        with pytest.raises(BadReference):
            fill(text, {}, {})
    assert time.monotonic() - begun < 1
