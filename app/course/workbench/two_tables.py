"""Grades and scores in a table each, below one another: qrels and a run as a data frame writes them.

Read as one list the scores would be grades.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.course.workbench.cells import cells_of
from app.course.workbench.documents import LineFault, column_index_by_role_of
from app.course.workbench.programs.printed_lines import NumberedLine
from app.course.workbench.trec import NumberedRow


class HeadedTable(NamedTuple):
    """The rows below a header, each with its line number."""

    header_line_number: int
    column_index_by_role: dict[str, int]
    rows: list[NumberedRow]

    def cell(self, row_cells: Sequence[str], column_role: str) -> str:
        """What a row has in the column of a role; empty where it has none."""
        column_index = self.column_index_by_role.get(column_role, len(row_cells))
        return "".join(row_cells[column_index : column_index + 1])

    def query_ids(self, default_query_id: str) -> list[str]:
        """The query of each row: of cells that were joined only the first is filled."""
        query_ids = []
        query_id = default_query_id
        for _, row_cells in self.rows:
            query_id = self.cell(row_cells, "query") or query_id
            query_ids.append(query_id)
        return query_ids


def trec_rows_of_tables(
    numbered_lines: Sequence[NumberedLine],
) -> tuple[list[NumberedRow], list[LineFault]]:
    """The first table of grades as lines of qrels and the first of scores as those of a run, with a fault for
    each other table; nothing for a text that does not begin with such a table, or lacks one of the two.

    >>> text = "doc,grade", "d1,3", "d2,0", "doc,score", "d2,0.8"
    >>> lines, faults = trec_rows_of_tables([*enumerate(text, 1)])
    >>> lines[0], lines[-1], faults
    ((2, ['1', '0', 'd1', '3']), (5, ['1', 'Q0', 'd2', '', '0.8', 'run']), [])
    """
    headed_tables = _headed_tables_of(numbered_lines)
    filled_tables = [table for table in headed_tables if table.rows]
    tables_of_grades = [table for table in filled_tables if "grade" in table.column_index_by_role]
    tables_of_scores = [table for table in filled_tables if "score" in table.column_index_by_role]
    if not tables_of_grades or not tables_of_scores:
        return [], []
    judgement_table, run_table = tables_of_grades[0], tables_of_scores[0]
    default_query_id = next(filter(None, [*judgement_table.query_ids(""), *run_table.query_ids("")]), "1")
    trec_rows = []
    for query_id, (line_number, row_cells) in zip(
        judgement_table.query_ids(default_query_id), judgement_table.rows, strict=True
    ):
        judgement_cells = [
            query_id,
            "0",
            judgement_table.cell(row_cells, "title"),
            judgement_table.cell(row_cells, "grade"),
        ]
        trec_rows.append((line_number, judgement_cells))
    for query_id, (line_number, row_cells) in zip(
        run_table.query_ids(default_query_id), run_table.rows, strict=True
    ):
        title, score_cell = run_table.cell(row_cells, "title"), run_table.cell(row_cells, "score")
        trec_rows.append((line_number, [query_id, "Q0", title, "", score_cell, "run"]))
    table_faults = [
        LineFault(table.header_line_number, "从这里起是另一张表，没有读：一次只看一份标注和一个系统")
        for table in headed_tables
        if table not in (judgement_table, run_table)
    ]
    return trec_rows, table_faults


def _headed_tables_of(numbered_lines: Sequence[NumberedLine]) -> list[HeadedTable]:
    """The tables of a text that begins with the header of one; each names documents, and either their grades
    or their scores."""
    headed_tables: list[HeadedTable] = []
    for line_number, line in numbered_lines:
        row_cells = cells_of(line)
        column_index_by_role = column_index_by_role_of(row_cells)
        has_one_figure = ("grade" in column_index_by_role) != ("score" in column_index_by_role)
        if "title" in column_index_by_role and has_one_figure:
            headed_tables.append(HeadedTable(line_number, column_index_by_role, []))
        elif not headed_tables:
            return []
        elif any(row_cells):
            headed_tables[-1].rows.append((line_number, row_cells))
    return headed_tables
