"""Figures in texts come from the engine."""

import pytest

from app.course.references import BadReference, Value, fill, typed_figures

from .small import course

EXAMPLES = course().examples
VALUES = {"half": Value(quantity="discount", grades=[1, 1, 1], rank=3)}


def filled(text: str) -> str:
    return fill(text, EXAMPLES, VALUES)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("text", "found"),
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
def test_figures_typed_by_hand_are_found(text: str, found: list[str]) -> None:
    assert typed_figures(text) == found


@pytest.mark.parametrize(
    ("quantity", "figure"),
    [
        ("precision", 0.75),
        ("recall", 0.6),
        ("reciprocal_rank", 1.0),
        ("average_precision", (1 + 1 + 1) / 5),
        ("cg", 3.0),
        ("worst", None),
        ("mean", None),
    ],
)
def test_values_of_every_quantity(quantity: str, figure: float | None) -> None:
    made = Value.model_validate(
        {"quantity": quantity, "grades": [1, 1, 1, 0], "k": 4, "pool": [1, 1, 1, 1, 1, 0, 0]}
    )
    assert 0 < made.figure() <= 3
    if figure is not None:
        assert made.figure() == pytest.approx(figure)
