"""The shapes that a pasted list comes in: from the cells of a line to its documents.

Without a header the shape is that of most lines, the first of them where two are as many.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app.course.items.marks import Unreadable
from app.course.workbench.cells import (
    UNJUDGED,
    are_figures,
    excerpt,
    figure_count_at_end,
    grade_of,
    is_figure,
    pieces_of,
    printable_line_of,
    score_of,
    title_of,
)
from app.course.workbench.documents import (
    ListedDocument,
    OtherQuery,
    column_index_by_role_of,
    is_heading_of_ids,
    repeated_document_words,
    role_of_heading,
)

Cells = Sequence[str]
Layout = Callable[[Cells], list[ListedDocument]]
"""From the cells of a line to the documents in it; raises `Unreadable`."""

NO_GRADE_WORDS = "甜度这一格空着：未标注的写成-"
NO_GRADE_COLUMN_WORDS = (
    "表头里没有甜度这一栏，分数和名次都不是甜度：装甜度的那一栏，叫甜度、grade、label或者rel"
)
RUN_WITHOUT_GRADES_WORDS = "每行像是run的查询、文档、名次、分数，没有甜度：连qrels一起贴，或者写上表头"
_LABEL_PATTERN = re.compile(r"(?P<label>[^:：=\[\]]{1,40}?)(?P<sign>\s*[:：=]\s*|\s+)(?P<figures>[^:：=]+)")
_RULE_PATTERN = re.compile(r"[+|\s]*+(?:[-=:]{2,}+[+|\s]*+)++")
_AROUND_FIGURES_PATTERN = re.compile(r"(?:shape|dtype)=.*|[A-Za-z_]{0,20}\(|[\[\])|]")
GAPS = ("..", "...", "…")
FEWEST_NUMBERED_LINES = 4
FEWEST_LABELLED_FIGURES = 3
"""Behind any label; two may be the grade and the score of a title."""


class LabelledRow(NamedTuple):
    """Figures behind their label, `甜度：3 2 0`. role: what the label says they are; nothing for another."""

    role: str
    label: str
    figures: str


def labelled_row_of(line: str) -> LabelledRow | None:
    """A line of figures with a label before them; None for any other line.

    >>> labelled_row_of("系统A：3、2、1"), labelled_row_of("甜度 3 2").role, labelled_row_of("火锅：3 0.9")
    (LabelledRow(role='', label='系统A', figures='3 2 1'), 'grade', None)
    """
    label_match = _LABEL_PATTERN.fullmatch(line)
    if label_match is None:
        return None
    label, label_sign, figures_text = (
        label_match["label"].strip(),
        label_match["sign"].strip(),
        label_match["figures"],
    )
    column_role = role_of_heading(label)
    if column_role not in ("grade", "score"):
        column_role = ""
    figure_texts = pieces_of(figures_text)
    fewest_figures = 2 if column_role else FEWEST_LABELLED_FIGURES
    is_label = bool(column_role or label_sign) and not is_figure(label)
    if not is_label or len(figure_texts) < fewest_figures or not are_figures(figure_texts):
        return None
    return LabelledRow(column_role, label, " ".join(figure_texts))


def layout_and_header_count(cell_rows: Sequence[Cells]) -> tuple[Layout, int]:
    """How the lines are read, and how many of them are a header. Raises `Unreadable` where none holds grades.

    >>> layout, header_line_count = layout_and_header_count([["标题", "甜度"], ["火锅", "3"]])
    >>> layout(["串串", "2"]), header_line_count
    ([ListedDocument(grade=2, score=None, title='串串')], 1)
    """
    header_cells, header_line_count = cell_rows[0], 1
    if _has_named_index(cell_rows):
        header_cells, header_line_count = [*cell_rows[1], *header_cells], 2
    column_index_by_role = column_index_by_role_of(header_cells)
    if "grade" in column_index_by_role:
        return _table_layout(cell_rows[header_line_count:], header_cells), header_line_count
    if _lacks_grades(column_index_by_role, len(header_cells)):
        raise Unreadable(NO_GRADE_COLUMN_WORDS)
    if is_run_without_header(cell_rows):
        raise Unreadable(RUN_WITHOUT_GRADES_WORDS)
    unknown_header_line_count = int(figure_count_at_end(cell_rows[0]) == 0)
    if are_numbered_grades(cell_rows[unknown_header_line_count:]):
        return _numbered_documents, unknown_header_line_count
    return LAYOUT_BY_NAME[_most_frequent_layout_name(cell_rows)], 0


def _lacks_grades(column_index_by_role: Mapping[str, int], column_count: int) -> bool:
    """Whether a header without a grade is one all the same: of a first line, a word alone may be a title."""
    if "title" in column_index_by_role and column_count > 1:
        return True
    return "score" in column_index_by_role or len(column_index_by_role) > 1


def is_run_without_header(cell_rows: Sequence[Cells]) -> bool:
    """Whether each line is a query, a document, its rank and its score: the ranks count from 0 or 1.

    >>> is_run_without_header([["1", "a", "0", "22.1"], ["1", "b", "1", "20"]])
    True
    """
    if len(cell_rows) < 2 or any(len(row_cells) != 4 for row_cells in cell_rows):
        return False
    query_texts, titles, rank_texts, _ = zip(*cell_rows, strict=True)
    if len({*query_texts}) > 1 or not any(map(str.isdecimal, query_texts[0])) or any(map(is_figure, titles)):
        return False
    return [*rank_texts] in _line_numbers_from_zero_and_one(len(cell_rows))


def _line_numbers_from_zero_and_one(line_count: int) -> list[list[str]]:
    """The numbers of lines, from 0 and from 1."""
    return [[f"{line_index + first_number}" for line_index in range(line_count)] for first_number in (0, 1)]


def _has_named_index(cell_rows: Sequence[Cells]) -> bool:
    """Whether the second line is the name of the index, as pandas writes it below the other headings."""
    if len(cell_rows) < 3 or len(cell_rows[1]) != 1 or len(cell_rows[2]) != len(cell_rows[0]) + 1:
        return False
    return "title" not in column_index_by_role_of(cell_rows[0]) and not is_figure(cell_rows[1][0])


def is_ruling_line(line: str) -> bool:
    """Whether a line is drawn between rows.

    >>> [*map(is_ruling_line, ("+----+======+", "|----+----|", "---- | ----", "- -"))]
    [True, True, True, False]
    """
    return _RULE_PATTERN.fullmatch(line) is not None


def is_ellipsis_line(line: str) -> bool:
    """Whether a line stands for rows that were left out, or leaves some of its own figures out.

    >>> [*map(is_ellipsis_line, ("..    ...   ...", "array([3, 2, ..., 0, 1])", "3", "... 火锅 3"))]
    [True, True, False, False]
    """
    if not any(gap_sign in line for gap_sign in GAPS):
        return False
    figure_texts = pieces_of(_AROUND_FIGURES_PATTERN.sub(" ", line))
    return any(piece in GAPS for piece in figure_texts) and are_figures(
        [piece for piece in figure_texts if piece not in GAPS]
    )


def has_index_column(
    cell_rows: Sequence[Cells], column_index_by_role: Mapping[str, int], column_count: int
) -> bool:
    """Whether each row begins with a number of its own that has no heading, as pandas writes a table.

    >>> has_index_column([["0", "3", ".9"], ["2", "1", ".8"]], {"grade": 0, "score": 1}, 2)
    True
    >>> has_index_column([["3", ".9", "好"], ["2", ".8", "坏"]], {"grade": 0, "score": 1}, 2)
    False
    """
    row_index_texts = set()
    figure_column_indexes = [
        column_index
        for column_role, column_index in column_index_by_role.items()
        if column_role in ("grade", "score")
    ]
    for row_cells in cell_rows:
        if len(row_cells) != column_count + 1 or not row_cells[0].isdecimal():
            return False
        if not all(is_figure(row_cells[1:][column_index]) for column_index in figure_column_indexes):
            return False
        row_index_texts.add(row_cells[0])
    return bool(cell_rows) and len(row_index_texts) == len(cell_rows)


def are_numbered_grades(cell_rows: Sequence[Cells]) -> bool:
    """Whether each line is its number, from 0 or 1, and a whole grade: what a Series prints, or ranks.

    Of fewer lines the numbers may be grades, and of broken numbers the second may be scores.

    >>> are_numbered_grades([["1", "3"], ["2", "2"], ["3", "0"], ["4", "-"]])
    True
    >>> are_numbered_grades([["0", ".9"], ["1", ".8"], ["2", ".7"], ["3", ".1"]])
    False
    """
    if len(cell_rows) < FEWEST_NUMBERED_LINES or any(len(row_cells) != 2 for row_cells in cell_rows):
        return False
    number_texts = [row_cells[0] for row_cells in cell_rows]
    return number_texts in _line_numbers_from_zero_and_one(len(cell_rows)) and all(
        row_cells[1].isdecimal() or row_cells[1] == UNJUDGED for row_cells in cell_rows
    )


def are_grades_and_scores(cell_rows: Sequence[Cells]) -> bool:
    """Whether two rows are the grades and the scores of the same documents.

    >>> are_grades_and_scores([["3", "2", "0"], [".9", ".8", ".1"]])
    True
    >>> are_grades_and_scores([["3", "2"], ["1", "0"]])
    False
    """
    if len(cell_rows) != 2 or len(cell_rows[0]) != len(cell_rows[1]) or len(cell_rows[0]) < 3:
        return False
    return all(map(are_figures, cell_rows))


def are_rows_of_grades(cell_rows: Sequence[Cells]) -> bool:
    """Whether the lines hold nothing but grades, some in a line; of a single line a cell or two may be bad.

    >>> are_rows_of_grades([["3", "2", "x", "0", "1"]]), are_rows_of_grades([["火锅", "3", "2"]])
    (True, False)
    >>> are_rows_of_grades([["3", "2"], ["1", "0"]])
    False
    """
    if len(cell_rows) == 1:
        row_cells = cell_rows[0]
        figure_cells = [cell for cell in row_cells if is_figure(cell)]
        return is_figure(row_cells[0]) and 2 * len(figure_cells) > len(row_cells)
    largest_cell_count = max(map(len, cell_rows))
    return largest_cell_count > 3 and all(map(are_figures, cell_rows))


def _most_frequent_layout_name(cell_rows: Sequence[Cells]) -> str:
    count_by_layout_name = Counter(_layout_name(row_cells) for row_cells in cell_rows)
    del count_by_layout_name[""]
    if not count_by_layout_name:
        return "grades"
    return count_by_layout_name.most_common(1)[0][0]


def _layout_name(row_cells: Cells) -> str:
    """The name of a layout; nothing for a line without figures."""
    figure_count = figure_count_at_end(row_cells)
    if figure_count == 0:
        return ""
    if figure_count == len(row_cells):
        return {1: "grades", 2: "scored"}.get(figure_count, "full")
    if figure_count == 1:
        return "titled"
    return "full"


def _bare_documents(row_cells: Cells) -> list[ListedDocument]:
    if len(row_cells) > 1:
        raise _wrong_cell_count_error(row_cells, "每行一个甜度")
    return [ListedDocument(grade_of(row_cells[0]))]


def _scored_documents(row_cells: Cells) -> list[ListedDocument]:
    if len(row_cells) != 2:
        raise _wrong_cell_count_error(row_cells, "每行两格：甜度、分数")
    grade_cell, score_cell = row_cells
    return [ListedDocument(grade_of(grade_cell), score_of(score_cell))]


def _numbered_documents(row_cells: Cells) -> list[ListedDocument]:
    return _bare_documents(row_cells[1:])


def _titled_documents(row_cells: Cells) -> list[ListedDocument]:
    if len(row_cells) < 2:
        raise _wrong_cell_count_error(row_cells, "每行两格：标题、甜度")
    *title_cells, grade_cell = row_cells
    return [ListedDocument(grade_of(grade_cell), None, title_of(" ".join(title_cells)))]


def _titled_and_scored_documents(row_cells: Cells) -> list[ListedDocument]:
    if len(row_cells) < 3:
        raise _wrong_cell_count_error(row_cells, "每行三格：标题、甜度、分数")
    *title_cells, grade_cell, score_cell = row_cells
    title = title_of(" ".join(title_cells))
    return [ListedDocument(grade_of(grade_cell), score_of(score_cell), title)]


LAYOUT_BY_NAME: Mapping[str, Layout] = {
    "grades": _bare_documents,
    "scored": _scored_documents,
    "titled": _titled_documents,
    "full": _titled_and_scored_documents,
}


def _table_layout(cell_rows: Sequence[Cells], header_cells: Cells) -> Layout:
    """How the rows of a table with a header are read; of several queries those of the first. A document with
    an id is in it once."""
    column_index_by_role, column_count = column_index_by_role_of(header_cells), len(header_cells)
    has_ids = is_heading_of_ids(header_cells[column_index_by_role.get("title", 0)])
    index_column_count = int(has_index_column(cell_rows, column_index_by_role, column_count))

    def cell_text_by_role_of(row_cells: Cells) -> dict[str, str]:
        row_cells = row_cells[index_column_count:]
        surplus_cell_count = len(row_cells) - column_count
        if column_index_by_role.get("title") == 0 and surplus_cell_count > 0:  # spaces in a title
            row_cells = [" ".join(row_cells[: surplus_cell_count + 1]), *row_cells[surplus_cell_count + 1 :]]
        cell_text_by_role = {}
        for column_role, column_index in column_index_by_role.items():
            cell_text_by_role[column_role] = row_cells[column_index] if column_index < len(row_cells) else ""
        return cell_text_by_role

    query_texts = [cell_text_by_role_of(row_cells).get("query") for row_cells in cell_rows]
    chosen_query = next(filter(None, query_texts), "")
    query_of_row = chosen_query
    read_docnos: set[str] = set()

    def documents_of(row_cells: Cells) -> list[ListedDocument]:
        nonlocal query_of_row
        cell_text_by_role = cell_text_by_role_of(row_cells)
        # Of cells that were joined only the first is filled.
        query_of_row = cell_text_by_role.get("query") or query_of_row
        if query_of_row.casefold() != chosen_query.casefold():
            raise OtherQuery(query_of_row, chosen_query)
        docno = printable_line_of(cell_text_by_role.get("title", ""))
        if docno in read_docnos:
            raise Unreadable(repeated_document_words(docno))
        document = _document_of_table(cell_text_by_role)
        if has_ids and docno:
            read_docnos.add(docno)
        return [document]

    return documents_of


def _document_of_table(cell_text_by_role: Mapping[str, str]) -> ListedDocument:
    """The document in a row of a table."""
    if not cell_text_by_role["grade"]:
        raise Unreadable(NO_GRADE_WORDS)
    score = None
    if "score" in cell_text_by_role:
        score = score_of(cell_text_by_role["score"])
    return ListedDocument(
        grade_of(cell_text_by_role["grade"]), score, title_of(cell_text_by_role.get("title", ""))
    )


def _wrong_cell_count_error(row_cells: Cells, expected_shape: str) -> Unreadable:
    return Unreadable(f"“{excerpt(' '.join(row_cells[:9]))}”有{len(row_cells)}格，别的行是{expected_shape}")
