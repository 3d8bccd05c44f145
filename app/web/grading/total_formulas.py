"""总评 as a formula: in words for the page, and as one that a spreadsheet computes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.records.grading.marks import unrounded_text
from app.records.grading.totals.weighted_marks import MissingRule, TotalRules
from app.records.grading.values import GradebookCell, GradebookColumn, GradebookRow

LONGEST_FORMULA = 8000
"""Characters; a spreadsheet takes 8192."""
MARKS_SHEET = "成绩册"
"""The sheet with the marks and 总评."""
WEIGHTS_SHEET = "计入"
"""The sheet with what each mark weighs, where the lowest are left out."""
WORDS_BY_MISSING_RULE: dict[MissingRule, str] = {"left_out": "不算进去", "zero": "记0分"}
"""What becomes of work that is not handed in."""


def total_rule_words(total_rules: TotalRules, columns: Sequence[GradebookColumn]) -> str:
    """How the total comes about, a sentence a rule.

    >>> total_rule_words(TotalRules(), [])
    '总评＝得分加起来÷满分加起来×100。缺交不算进去。'
    >>> total_rule_words(TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}), [])
    '总评＝平时得分率×40＋期末得分率×60；一类里得分加起来÷满分加起来，没有分数的类不算。缺交记0分。'
    >>> total_rule_words(TotalRules("categories", "zero", {"平时": 0.25, "期末": 0.15}), [])[:26]
    '总评＝（平时得分率×0.25＋期末得分率×0.15）'
    >>> total_rule_words(TotalRules("categories", "zero", {"平时": 1.0}, {"平时": 2}), [])[-35:]
    '没有分数的类不算。平时去掉得分率最低的2份（至少留1份）。缺交记0分。'
    """
    absence_words = f"缺交{WORDS_BY_MISSING_RULE[total_rules.missing]}"
    if total_rules.weighing == "categories":
        summands = []
        for category, weight in total_rules.categories.items():
            if weight:
                summands.append(f"{category}得分率×{unrounded_text(weight)}")
        sum_words = "＋".join(summands)
        weight_sum_text = unrounded_text(sum(total_rules.categories.values()))
        if weight_sum_text != "100":
            sum_words = f"（{sum_words}）÷{weight_sum_text}×100"
        category_rule_words = "一类里得分加起来÷满分加起来，没有分数的类不算"
        return f"总评＝{sum_words}；{category_rule_words}。{dropped_sentence(total_rules)}{absence_words}。"
    if total_rules.weighing == "assignments":
        weighed_columns = [
            column for column in columns if total_rules.weight_of(column.rule, column.full_marks)
        ]
        summands = [f"{column.title}×{unrounded_text(column.rule.weight)}" for column in weighed_columns]
        weighted_sum_words = "＋".join(summands)
        return f"总评＝（每份得分率×权重）加起来÷权重加起来×100：{weighted_sum_words}。{absence_words}。"
    return f"总评＝得分加起来÷满分加起来×100。{absence_words}。"


def dropped_sentence(total_rules: TotalRules) -> str:
    """Which of the lowest marks are left out, in words."""
    drop_clauses = []
    for category, weight in total_rules.categories.items():
        drop_count = total_rules.drop_count_of(category)
        if drop_count and weight:
            drop_clauses.append(f"{category}去掉得分率最低的{drop_count}份")
    if not drop_clauses:
        return ""
    return f"{'，'.join(drop_clauses)}（至少留1份）。"


def drops_any(total_rules: TotalRules) -> bool:
    """Whether the lowest marks of a category are left out."""
    return any(
        total_rules.drop_count_of(category) for category, weight in total_rules.categories.items() if weight
    )


def uncounted_titles(total_rules: TotalRules, columns: Sequence[GradebookColumn]) -> list[str]:
    """The titles of assignments that do not enter the total."""
    uncounted_columns = [
        column for column in columns if not total_rules.weight_of(column.rule, column.full_marks)
    ]
    return [column.title for column in uncounted_columns]


def excel_formula(
    total_rules: TotalRules,
    columns: Sequence[GradebookColumn],
    student_row: GradebookRow,
    mark_addresses: Sequence[str],
) -> str:
    """The formula of a row; `mark_addresses`: where the marks stand. Empty where a spreadsheet cannot take
    it.

    A mark that is typed over a word counts from then on; absence that counts as 0 is in the formula. Where
    lowest marks are left out, the weight of a mark stands on a sheet of its own, at the same place.
    """
    weighs_on_own_sheet = drops_any(total_rules)
    earned_terms_by_mark_group = dict[str, list[str]]()
    weight_terms_by_mark_group = dict[str, list[str]]()
    for cell, column, address in zip(student_row.cells, columns, mark_addresses, strict=True):
        weight = total_rules.weight_of(column.rule, column.full_marks)
        if not weight:
            continue
        mark_group = total_rules.mark_group_of(column.rule)
        share_term = f"{weight / column.full_marks!r}*N({address})"
        weight_term = f"{weight!r}*{presence_formula(total_rules, cell, address)}"
        if weighs_on_own_sheet:
            weight_term = f"{WEIGHTS_SHEET}!{address}"
            share_term = f"{weight_term}*N({address})/{column.full_marks!r}"
        earned_terms_by_mark_group.setdefault(mark_group, []).append(share_term)
        weight_terms_by_mark_group.setdefault(mark_group, []).append(weight_term)
    formula = weighted_formula(total_rules, earned_terms_by_mark_group, weight_terms_by_mark_group)
    if len(formula) > LONGEST_FORMULA:
        return ""
    return formula


def presence_formula(total_rules: TotalRules, gradebook_cell: GradebookCell, address: str) -> str:
    """Whether a mark is there: 1 or 0; always for absence that counts as 0."""
    if gradebook_cell.is_absent and gradebook_cell.points is None and total_rules.missing == "zero":
        return "1"
    return f"ISNUMBER({address})"


def weight_formulas(
    total_rules: TotalRules,
    columns: Sequence[GradebookColumn],
    student_row: GradebookRow,
    mark_addresses: Sequence[str],
) -> list[str]:
    """What each mark of a row weighs once the lowest of its category are left out; empty where it is not
    counted, or a spreadsheet cannot take it. `mark_addresses`: where the marks stand on the sheet with the
    marks.
    """
    # The formulas stand on another sheet, where an address alone would be that of the formula itself.
    mark_addresses = [f"{MARKS_SHEET}!{address}" for address in mark_addresses]
    cells_by_mark_group = dict[str, list[MarkCell]]()
    for cell, column, address in zip(student_row.cells, columns, mark_addresses, strict=True):
        if total_rules.weight_of(column.rule, column.full_marks):
            cells_of_group = cells_by_mark_group.setdefault(total_rules.mark_group_of(column.rule), [])
            cells_of_group.append(
                MarkCell(address, column.full_marks, presence_formula(total_rules, cell, address))
            )
    formulas = []
    for column, address in zip(columns, mark_addresses, strict=True):
        weight = total_rules.weight_of(column.rule, column.full_marks)
        formula = ""
        if weight:
            mark_group = total_rules.mark_group_of(column.rule)
            drop_count = total_rules.drop_count_of(mark_group)
            formula = weight_formula(weight, address, cells_by_mark_group[mark_group], drop_count)
        if len(formula) > LONGEST_FORMULA:
            formula = ""
        formulas.append(formula)
    return formulas


class MarkCell(NamedTuple):
    """Where a mark stands, its full marks, and the formula for whether it is there."""

    address: str
    full_marks: float
    presence_formula: str


def weight_formula(weight: float, address: str, cells_of_group: Sequence[MarkCell], drop_count: int) -> str:
    """The weight of one mark: 0 while it is not there, or among the lowest."""
    own_index = [mark_cell.address for mark_cell in cells_of_group].index(address)
    own_cell = cells_of_group[own_index]
    if not drop_count:
        return f"={weight!r}*{own_cell.presence_formula}"
    lower_mark_terms = []
    for other_index, other_cell in enumerate(cells_of_group):
        if other_index == own_index:
            continue
        # Of equal shares that of more full marks goes first, as `totals.is_lower_mark` has it.
        is_dropped_first = (-other_cell.full_marks, other_index) < (-own_cell.full_marks, own_index)
        comparison_sign = "<=" if is_dropped_first else "<"
        own_product_formula = f"N({address})*{other_cell.full_marks!r}"
        comparison_formula = (
            f"N({other_cell.address})*{own_cell.full_marks!r}{comparison_sign}{own_product_formula}"
        )
        lower_mark_terms.append(f"{other_cell.presence_formula}*({comparison_formula})")
    lower_count_formula = "+".join(lower_mark_terms) or "0"
    count_formula = "+".join(mark_cell.presence_formula for mark_cell in cells_of_group)
    keeping_formula = f"(({lower_count_formula})>=MIN({drop_count},{count_formula}-1))"
    return f"=IF({own_cell.presence_formula}*{keeping_formula}>0,{weight!r},0)"


def weighted_formula(
    total_rules: TotalRules,
    earned_terms_by_mark_group: Mapping[str, Sequence[str]],
    weight_terms_by_mark_group: Mapping[str, Sequence[str]],
) -> str:
    """The groups of assignments, each by its weight; a group without a mark is left out."""
    if not weight_terms_by_mark_group:
        return '=""'
    share_terms = []
    group_weight_terms = []
    for mark_group, weight_terms in weight_terms_by_mark_group.items():
        weight_formula = repr(float(total_rules.weight_of_group(mark_group)))
        divisor_formula = f"({'+'.join(weight_terms)})"
        dividend_formula = f"({'+'.join(earned_terms_by_mark_group[mark_group])})"
        share_terms.append(f"IF({divisor_formula}>0,{weight_formula}*{dividend_formula}/{divisor_formula},0)")
        group_weight_terms.append(f"IF({divisor_formula}>0,{weight_formula},0)")
    share_sum_formula = "+".join(share_terms)
    weight_sum_formula = "+".join(group_weight_terms)
    return f'=IF(({weight_sum_formula})=0,"",ROUND(100*({share_sum_formula})/({weight_sum_formula}),1))'
