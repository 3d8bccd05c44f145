"""总评 as a formula: in words for the page, and as one that a spreadsheet computes."""

from collections.abc import Mapping, Sequence

from app.records.grading.gradebook import GradebookColumn, GradebookRow
from app.records.grading.marks import short
from app.records.grading.totals import TotalRules

LONGEST_FORMULA = 8000
"""Characters; a spreadsheet takes 8192."""
ABSENCE = {"left_out": "缺交不算进去", "zero": "缺交记0分"}


def in_words(rules: TotalRules, columns: Sequence[GradebookColumn]) -> str:
    """How the total comes about, in one sentence.

    >>> in_words(TotalRules(), [])
    '总评＝得分加起来÷满分加起来×100。缺交不算进去。'
    >>> in_words(TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}), [])
    '总评＝（平时得分率×40＋期末得分率×60）÷100×100；一类里得分加起来÷满分加起来，没有分数的类不算。缺交记0分。'
    """
    absence = ABSENCE[rules.missing]
    if rules.weighing == "categories":
        terms = [f"{name}得分率×{short(weight)}" for name, weight in rules.categories.items() if weight]
        sum_of_weights = short(sum(rules.categories.values()))
        weighted = "＋".join(terms)
        rest = "一类里得分加起来÷满分加起来，没有分数的类不算"
        return f"总评＝（{weighted}）÷{sum_of_weights}×100；{rest}。{absence}。"
    if rules.weighing == "assignments":
        weighed = [column for column in columns if rules.weight_of(column.rule, column.full_marks)]
        terms = [f"{column.assignment.title}×{short(column.rule.weight)}" for column in weighed]
        weighted = "＋".join(terms)
        return f"总评＝（每份得分率×权重）加起来÷权重加起来×100：{weighted}。{absence}。"
    return f"总评＝得分加起来÷满分加起来×100。{absence}。"


def uncounted(rules: TotalRules, columns: Sequence[GradebookColumn]) -> list[str]:
    """The titles of assignments that do not enter the total."""
    left_out = [column for column in columns if not rules.weight_of(column.rule, column.full_marks)]
    return [column.assignment.title for column in left_out]


def excel_formula(
    rules: TotalRules, columns: Sequence[GradebookColumn], row: GradebookRow, addresses: Sequence[str]
) -> str:
    """The formula of a row; `addresses`: where the marks stand. Empty where a spreadsheet cannot take it.

    A mark that is typed over a word counts from then on; absence that counts as 0 is in the formula.
    """
    earned = dict[str, list[str]]()
    possible = dict[str, list[str]]()
    for cell, column, address in zip(row.cells, columns, addresses, strict=True):
        weight = rules.weight_of(column.rule, column.full_marks)
        if not weight:
            continue
        group = rules.group_of(column.rule)
        earned.setdefault(group, []).append(f"{weight / column.full_marks!r}*N({address})")
        presence = f"{weight!r}*ISNUMBER({address})"
        if cell.absent and cell.points is None and rules.missing == "zero":
            presence = repr(weight)
        possible.setdefault(group, []).append(presence)
    formula = weighted_formula(rules, earned, possible)
    if len(formula) > LONGEST_FORMULA:
        return ""
    return formula


def weighted_formula(
    rules: TotalRules, earned: Mapping[str, Sequence[str]], possible: Mapping[str, Sequence[str]]
) -> str:
    """The groups of assignments, each by its weight; a group without a mark is left out."""
    if not possible:
        return '=""'
    shares = []
    weights = []
    for group, presences in possible.items():
        weight = repr(float(rules.weight_of_group(group)))
        below = f"({'+'.join(presences)})"
        above = f"({'+'.join(earned[group])})"
        shares.append(f"IF({below}>0,{weight}*{above}/{below},0)")
        weights.append(f"IF({below}>0,{weight},0)")
    sum_of_shares = "+".join(shares)
    sum_of_weights = "+".join(weights)
    return f'=IF(({sum_of_weights})=0,"",ROUND(100*({sum_of_shares})/({sum_of_weights}),1))'
