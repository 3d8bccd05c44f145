"""哪一家印的: a printed figure with its list, four libraries to choose from, and in what each differs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app import engine
from app.course.text.model_base import NAME_BY_GAIN
from app.course.workbench.comparing import AxisChange, compare_conventions
from app.course.workbench.documents import ListedDocument
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import WorkbenchState, query_string_of
from app.course.workbench.wording import NAME_BY_ANY_AXIS, answer_words, change_text, short_name
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.generate.random_stream import shuffled
from app.engine.terms import discount_weights

FIGURE_DECIMALS = 3
CLAUSE_BY_ANSWER_BY_AXIS: Mapping[str, Mapping[str, str]] = {
    "gain": NAME_BY_GAIN,
    "pool": {"list": "理想取自返回的这一列", "judged": "理想取自评判池"},
    "cut": {"k": "理想切到k", "whole": "理想不切"},
    "ties": {
        "average": "同分取平均",
        "input": "同分照给的先后",
        "worst": "同分淡的在前",
        "docno-descending": "同分文档名大的在前",
    },
}
"""Axis → answer → how an option says it."""
_PARAGRAPH_BREAK = "\n\n"


def value_by_placeholder(convention_question: engine.ConventionQuestion) -> Mapping[str, str]:
    """What a text of the exercise may name: the measure and the printed figure.

    >>> value_by_placeholder(engine.which_convention(1, 7))
    {'name': 'NDCG@4', 'printed': '0.510'}
    """
    return {
        "name": f"NDCG@{convention_question.k}",
        "printed": _figure_text(convention_question, convention_question.answer),
    }


def item_fields_of(
    convention_question: engine.ConventionQuestion, stem: str, shuffle_key: str, seed: int
) -> dict[str, Any]:
    """What a `SingleChoice` is made of; its options stand in the order of the seed, also when it is
    thawed."""
    options = [_option_fields(convention_question, library) for library in convention_question.libraries]
    return {
        "stem": _PARAGRAPH_BREAK.join(
            [stem, _list_table_markdown(convention_question), _conditions_sentence(convention_question)]
        ),
        "options": shuffled(options, seed, shuffle_key),
        "shuffle": False,
        "explanation": _explanation_markdown(convention_question),
    }


def workbench_state_of(convention_question: engine.ConventionQuestion) -> WorkbenchState:
    """The list on the workbench, under the convention that printed the figure."""
    documents = []
    for grade, score, document_name in zip(
        convention_question.grades, convention_question.scores, convention_question.docs, strict=True
    ):
        documents.append(ListedDocument(grade, score, document_name))
    return WorkbenchState(
        tuple(documents),
        convention_question.unlisted_grades,
        convention_question.k,
        CONVENTIONS[convention_question.answer],
    )


def _list_table_markdown(convention_question: engine.ConventionQuestion) -> str:
    """The list as it was handed over, in Markdown."""
    table_lines = ["| 文档名 | 分数 | 甜度 |", "|---|---|---|"]
    for document_name, score, grade in zip(
        convention_question.docs, convention_question.scores, convention_question.grades, strict=True
    ):
        table_lines.append(f"| {document_name} | {score} | {grade} |")
    return "\n".join(table_lines)


def _conditions_sentence(convention_question: engine.ConventionQuestion) -> str:
    """What was judged beyond the list, the cut-off, and the weights of the ranks."""
    pool_words = "评判过的就是这几篇"
    if convention_question.unlisted_grades:
        pool_words = f"评判过、没端上来的还有甜度{'、'.join(map(str, convention_question.unlisted_grades))}"
    pool_size = len(convention_question.pool)
    discounts = discount_weights(pool_size, "log2")
    discounts_text = "、".join(f"{discount:.{FIGURE_DECIMALS}f}" for discount in discounts)
    return f"{pool_words}；k={convention_question.k}。第1位起的折损：{discounts_text}。"


def _option_fields(convention_question: engine.ConventionQuestion, library: str) -> dict[str, Any]:
    convention = CONVENTIONS[library]
    clauses = [
        CLAUSE_BY_ANSWER_BY_AXIS[axis][getattr(convention, axis)] for axis in _asked_axes(convention_question)
    ]
    return {
        "id": library.replace("_", "-"),
        "text": f"**{short_name(convention)}**：{'·'.join(clauses)}",
        "right": library == convention_question.answer,
        "feedback": _feedback_sentence(convention_question, convention),
    }


def _asked_axes(convention_question: engine.ConventionQuestion) -> list[str]:
    """The axes on which the four do not answer alike, as far as the list shows them."""
    hidden_axes = set()
    if len(set(convention_question.scores)) == len(convention_question.scores):
        hidden_axes.add("ties")
    if not convention_question.unlisted_grades:
        hidden_axes.add("pool")
    asked_axes = []
    for axis in CLAUSE_BY_ANSWER_BY_AXIS:
        distinct_answers = {getattr(CONVENTIONS[library], axis) for library in convention_question.libraries}
        if len(distinct_answers) > 1 and axis not in hidden_axes:
            asked_axes.append(axis)
    return asked_axes


def _feedback_sentence(convention_question: engine.ConventionQuestion, convention: Convention) -> str:
    printed_figure_text = _figure_text(convention_question, convention.name)
    if convention.name == convention_question.answer:
        return f"{short_name(convention)}印的就是{printed_figure_text}。"
    axis_changes = _axis_changes_between(convention_question, convention)
    difference_words = "，".join(map(_difference_words, axis_changes))
    answer_figure_text = _figure_text(convention_question, convention_question.answer)
    change_sentence = f"把印出{answer_figure_text}的那一家改成它：{difference_words}。"
    return f"{short_name(convention)}会印{printed_figure_text}。{change_sentence}"


def _axis_changes_between(
    convention_question: engine.ConventionQuestion, convention: Convention
) -> Sequence[AxisChange]:
    """From the convention that printed the figure to another, axis by axis."""
    printing_convention = replace(CONVENTIONS[convention_question.answer], decimals=None)
    unrounded_convention = replace(convention, decimals=None)
    return compare_conventions(
        ListEvaluation(workbench_state_of(convention_question)), printing_convention, unrounded_convention
    ).axis_changes


def _difference_words(axis_change: AxisChange) -> str:
    axis_name = NAME_BY_ANY_AXIS[axis_change.axis]
    words_of_answer = answer_words(axis_change.axis, axis_change.answer_after)
    return f"**{axis_name}**换成“{words_of_answer}”（{change_text(axis_change.ndcg_change)}）"


def _explanation_markdown(convention_question: engine.ConventionQuestion) -> str:
    """The four figures, and the way to the workbench."""
    libraries_high_first = sorted(
        convention_question.libraries, key=convention_question.printed_by, reverse=True
    )
    figure_texts = [
        f"{short_name(CONVENTIONS[library])} {_figure_text(convention_question, library)}"
        for library in libraries_high_first
    ]
    workbench_url = f"/workbench?{query_string_of(workbench_state_of(convention_question))}#result"
    return f"同一列，四家四个数：{'，'.join(figure_texts)}。[到实验台看这一列的每一项]({workbench_url})"


def _figure_text(convention_question: engine.ConventionQuestion, library: str) -> str:
    return f"{convention_question.printed_by(library):.{FIGURE_DECIMALS}f}"
