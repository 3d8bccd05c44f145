"""A pasted text as one list of documents: whatever shape it has, and whatever else stands in it.

One row of grades; two rows, of grades and of scores; a column of grades; (grade, score); (title, grade);
(title, grade, score); a table with its header, an object a row, or out of a data frame; one query of a TREC
run with its qrels, as files or as dictionaries of a program; one of a LETOR file. A line that cannot be read
is named and left out; a document that is graded below 0 is named, and stays as an unjudged one.
"""

import re
from collections.abc import Sequence

from app.course.items.marks import Unreadable
from app.course.workbench import trec, two_tables
from app.course.workbench.cells import (
    cells_of,
    excerpt,
    grade_of,
    narrow_text,
    pieces_of,
    score_of,
)
from app.course.workbench.documents import LineFault, ListedDocument, PastedList, chosen_query_words
from app.course.workbench.layouts import (
    LAYOUT_BY_NAME,
    Layout,
    are_grades_and_scores,
    are_rows_of_grades,
    labelled_row_of,
    layout_and_header_count,
)
from app.course.workbench.programs import dictionaries, frames
from app.course.workbench.programs.dictionaries import NamedList
from app.course.workbench.programs.printed_lines import (
    LONGEST_LINE,
    NumberedLine,
    decimal_comma_faults,
    lines_and_faults_of,
)
from app.course.workbench.trec import NumberedRow

LARGEST_TEXT = 300_000
"""Characters of a text: cut before anything is read."""
MOST_DOCUMENTS, MOST_FAULTS, MOST_UNLISTED_GRADES = 1000, 12, 1000

PERCENT_OR_FRACTION_WORDS = (
    "80%、1/2这样的不是甜度：甜度写成0、1、2、3这样的数；要真是标题，标题和甜度之间用Tab隔开"
)
_PERCENT_OR_FRACTION_PATTERN = re.compile(r"[-+.,0-9\s]*+(?:[%/][-+.,0-9\s]*+)+")
_END_OF_SERIES_PATTERN = re.compile(r"(?:[^\n]{0,200}, )?dtype: \w{1,20}")
"""The last line of what pandas prints of a Series; each value above stands behind its index."""


def pasted_list_of(pasted_text: str) -> PastedList:
    """The list in a text; each line that could not be read is named, the others stay.

    >>> pasted_list_of("3 2 ３ - 1").grades
    [3, 2, 3, None, 1]
    >>> reading = pasted_list_of("火锅\\t3\\t0.9\\n串串\\t很甜\\t0.8\\n冒菜\\t1\\t0.7")
    >>> reading.grades, reading.scores, reading.faults[0]
    ([3, 1], [0.9, 0.7], LineFault(line_number=2, fault_words='甜度“很甜”不是数'))
    >>> pasted_list_of("0    3.0\\n1    2.0\\nName: rel, dtype: float64").grades
    [3, 2]
    """
    plain_text = frames.plain_text(pasted_text[:LARGEST_TEXT])
    numbered_lines, line_faults = lines_and_faults_of(plain_text)
    if len(pasted_text) > LARGEST_TEXT:
        line_faults.insert(0, LineFault(0, f"太长了：只读了前{LARGEST_TEXT}个字"))
    # Of a program no line is too long: it is read from brace to brace.
    faults_of_text = [line_fault for line_fault in line_faults if not line_fault.line_number]
    numbered_object_lines = dictionaries.numbered_table_lines_of(
        plain_text
    ) or frames.numbered_table_lines_of(plain_text)
    if numbered_object_lines:
        documents, row_faults = _documents_and_faults_in(numbered_object_lines)
        return _bounded_list(documents, [*faults_of_text, *row_faults])
    used_lists, unused_lists = dictionaries.used_and_unused_lists_of(plain_text)
    dictionary_rows = dictionaries.trec_rows_of(plain_text)
    # Beside a list that is named as grades a dictionary holds parameters.
    if dictionary_rows and not used_lists:
        trec_query = trec.read(dictionary_rows)
        all_faults = [*faults_of_text, *trec_query.faults]
        return _bounded_list(trec_query.documents, all_faults, trec_query.unlisted_grades)
    if used_lists or unused_lists:
        documents, list_faults = _documents_and_faults_of_named_lists(used_lists, unused_lists)
        return _bounded_list(documents, [*faults_of_text, *list_faults])
    rows_of_tables, table_faults = two_tables.trec_rows_of_tables(numbered_lines)
    trec_rows = rows_of_tables or trec.with_judgements_of_beir(
        [(line_number, trec.cells_of(line)) for line_number, line in numbered_lines]
    )
    if trec.is_trec(trec_rows):
        trec_query = trec.read(trec_rows)
        all_faults = [*line_faults, *table_faults, *trec_query.faults]
        return _bounded_list(trec_query.documents, all_faults, trec_query.unlisted_grades)
    if trec.is_letor(numbered_lines):
        letor_query = trec.read_letor(numbered_lines)
        return _bounded_list(letor_query.documents, [*line_faults, *letor_query.faults])
    roles_with_lists = _roles_with_lists_of(numbered_lines)
    if roles_with_lists:
        documents, row_faults = _documents_and_faults_of_lists_with_roles(roles_with_lists)
        return _bounded_list(documents, [*line_faults, *row_faults])
    # What has scores alone is refused for what it lacks.
    numbered_lines = dictionaries.numbered_table_lines_of(plain_text, "score") or numbered_lines
    documents, layout_faults = _documents_and_faults_in(numbered_lines)
    return _bounded_list(documents, [*line_faults, *decimal_comma_faults(numbered_lines), *layout_faults])


def read_pool(pool_text: str, pasted_grade_count: int = 0) -> tuple[float, ...]:
    """Grades of judged documents beyond the list; `3x65` is sixty-five of grade 3. Raises `Unreadable`.

    pasted_grade_count: how many came with the list; an address has room for all of them together.

    >>> read_pool("3 2，1x3")
    (3, 2, 1, 1, 1)
    """
    grades: list[float] = []
    for cell_text in pieces_of(pool_text[:LONGEST_LINE]):
        grade, document_count = _grade_and_count(cell_text)
        grades += [grade] * document_count
        if pasted_grade_count + len(grades) > MOST_UNLISTED_GRADES:
            raise Unreadable(_too_many_grades_words(pasted_grade_count))
    return tuple(grades)


def _too_many_grades_words(pasted_grade_count: int) -> str:
    if pasted_grade_count:
        return (
            f"评判池里还有的，最多{MOST_UNLISTED_GRADES}个甜度：列表里没检索到的已经有{pasted_grade_count}个"
        )
    return f"评判池里还有的，最多写{MOST_UNLISTED_GRADES}个甜度"


def _grade_and_count(cell_text: str) -> tuple[float, int]:
    """A grade, and how many documents have it: 3 of one, 3x65 of sixty-five."""
    product_text = narrow_text(cell_text).lower().replace("*", "x").replace("×", "x")
    grade_text, times_sign, count_text = product_text.partition("x")
    document_count = 1
    if times_sign:
        if not (count_text.isascii() and count_text.isdigit() and len(count_text) <= 4):
            raise Unreadable(f"“{excerpt(cell_text)}”看不懂：65个甜度3写成3x65")
        document_count = int(count_text)
    grade = None
    if not grade_text.startswith("-"):
        grade = grade_of(grade_text)
    if grade is None:
        raise Unreadable("评判池里还有的，只写标注过的甜度，0以上")
    return grade, document_count


def _roles_with_lists_of(numbered_lines: Sequence[NumberedLine]) -> list[tuple[str, NamedList]]:
    """Where each line is a row of figures behind its label: the rows, each after its role; else nothing."""
    roles_with_lists = []
    for line_number, line in numbered_lines:
        labelled_row = labelled_row_of(line)
        if labelled_row is None:
            return []
        named_list = NamedList(line_number, labelled_row.label, tuple(labelled_row.figures.split()))
        roles_with_lists.append((labelled_row.role, named_list))
    return roles_with_lists


def _documents_and_faults_of_lists_with_roles(
    roles_with_lists: Sequence[tuple[str, NamedList]],
) -> tuple[list[ListedDocument], list[LineFault]]:
    """The documents of the row whose label says grades, else of the first that says nothing; with the scores
    below or above.
    """
    lists_by_role: dict[str, list[NamedList]] = {"grade": [], "": [], "score": []}
    for role, named_list in roles_with_lists:
        lists_by_role[role].append(named_list)
    used_lists = (lists_by_role["grade"] or lists_by_role[""])[:1]
    if not used_lists:
        return _documents_and_faults_of_named_lists([], lists_by_role["score"])
    # Beside several systems nothing says whose scores they are.
    if lists_by_role["grade"] or len(lists_by_role[""]) == 1:
        used_lists += lists_by_role["score"][:1]
    unused_lists = [named_list for _, named_list in roles_with_lists if named_list not in used_lists]
    return _documents_and_faults_of_named_lists(used_lists, unused_lists)


def _scores_alone_fault(named_list: NamedList) -> LineFault:
    list_label = excerpt(named_list.name)
    return LineFault(
        named_list.line_number, f"“{list_label}”是分数，不是甜度：再写一行甜度，像“甜度：3 2 0”，和分数一样多"
    )


def _documents_and_faults_of_named_lists(
    used_lists: Sequence[NamedList], unused_lists: Sequence[NamedList]
) -> tuple[list[ListedDocument], list[LineFault]]:
    """The documents of a list of grades, with the scores of another if there is one; scores are none."""
    if not used_lists:
        return [], [_scores_alone_fault(named_list) for named_list in unused_lists]
    line_faults = [_other_row_fault(named_list.line_number, named_list.name) for named_list in unused_lists]
    numbered_rows = [(named_list.line_number, [*named_list.figures]) for named_list in used_lists]
    grade_line_number, grade_cells = numbered_rows[0]
    if len(numbered_rows) == 2:
        score_line_number, score_cells = numbered_rows[1]
        if len(grade_cells) == len(score_cells):
            documents, row_faults = _documents_and_faults_of_two_rows(numbered_rows)
            return documents, [*line_faults, *row_faults]
        count_words = f"甜度有{len(grade_cells)}个，分数有{len(score_cells)}个：对不上，分数没用上"
        line_faults.append(LineFault(score_line_number, count_words))
    documents, row_faults = _documents_and_faults_in([(grade_line_number, " ".join(grade_cells))])
    return documents, [*line_faults, *row_faults]


def _other_row_fault(line_number: int, row_label: str) -> LineFault:
    return LineFault(line_number, f"“{excerpt(row_label)}”是另一列：一次只看一列")


def _documents_and_faults_in(
    numbered_lines: Sequence[NumberedLine],
) -> tuple[list[ListedDocument], list[LineFault]]:
    """The documents in either of three layouts: grades above and scores below, grades alone, one a line."""
    numbered_rows = _rows_of(numbered_lines)
    documents: list[ListedDocument] = []
    line_faults: list[LineFault] = []
    if not numbered_rows:
        return documents, line_faults
    [*other_lines, (last_line_number, last_line)] = numbered_lines
    if not other_lines and _is_row_of_shares(last_line):  # else all but its end would be a title
        return [], [LineFault(last_line_number, PERCENT_OR_FRACTION_WORDS)]
    cells_of_lines = [row_cells for _, row_cells in numbered_rows]
    may_be_table = any("\t" in line for _, line in numbered_lines) and len(numbered_rows) > 1
    is_wide = len(cells_of_lines[0]) > 3
    if are_grades_and_scores(cells_of_lines) and (is_wide or not may_be_table):
        return _documents_and_faults_of_two_rows(numbered_rows)
    if are_rows_of_grades(cells_of_lines) and not may_be_table:
        numbered_rows = [
            (line_number, [cell]) for line_number, row_cells in numbered_rows for cell in row_cells
        ]
    try:
        documents_of_row, header_line_count = layout_and_header_count(
            [row_cells for _, row_cells in numbered_rows]
        )
    except Unreadable as error:
        return [], [LineFault.of(numbered_rows[0][0], error)]
    for line_number, row_cells in numbered_rows[header_line_count:]:
        row_documents, row_faults = _documents_and_faults_of_row(documents_of_row, line_number, row_cells)
        documents += row_documents
        line_faults += row_faults
    return documents, line_faults


def _is_row_of_shares(line: str) -> bool:
    """Whether a line without tabs holds nothing but figures, some of them in percent or as fractions.

    >>> _is_row_of_shares("80% 1/2 3"), _is_row_of_shares("50%折扣 3")
    (True, False)
    """
    return "\t" not in line and _PERCENT_OR_FRACTION_PATTERN.fullmatch(narrow_text(line)) is not None


def _documents_and_faults_of_row(
    documents_of_row: Layout, line_number: int, row_cells: list[str]
) -> tuple[list[ListedDocument], list[LineFault]]:
    try:
        return documents_of_row(row_cells), []
    except Unreadable as error:
        return [], [LineFault.of(line_number, error)]


def _rows_of(numbered_lines: Sequence[NumberedLine]) -> list[NumberedRow]:
    """The cells of each line in which there are some; of a Series those behind its index."""
    is_series = bool(numbered_lines) and _END_OF_SERIES_PATTERN.fullmatch(numbered_lines[-1][1]) is not None
    if is_series:
        # without the name of the index
        numbered_lines = numbered_lines[len(cells_of(numbered_lines[0][1])) == 1 : -1]
    numbered_rows = []
    for line_number, line in numbered_lines:
        row_cells = cells_of(line)
        # What is no number before a value is an id, which names a document.
        if is_series and len(row_cells) > 1 and row_cells[0].isdigit():
            row_cells = row_cells[1:]
        if any(row_cells):  # not commas alone
            numbered_rows.append((line_number, row_cells))
    return numbered_rows


def _documents_and_faults_of_two_rows(
    numbered_rows: Sequence[NumberedRow],
) -> tuple[list[ListedDocument], list[LineFault]]:
    """Grades above, scores below; a document of which one cannot be read is left out."""
    (grade_line_number, grade_cells), (score_line_number, score_cells) = numbered_rows
    documents: list[ListedDocument] = []
    line_faults: list[LineFault] = []
    for grade_cell, score_cell in zip(grade_cells, score_cells, strict=True):
        unscored_documents, grade_faults = _documents_and_faults_of_row(
            LAYOUT_BY_NAME["grades"], grade_line_number, [grade_cell]
        )
        line_faults += grade_faults
        for document in unscored_documents:
            try:
                documents.append(document._replace(score=score_of(score_cell)))
            except Unreadable as error:
                line_faults.append(LineFault.of(score_line_number, error))
    return documents, line_faults


def _bounded_list(
    documents: Sequence[ListedDocument],
    line_faults: Sequence[LineFault],
    unlisted_grades: tuple[float, ...] = (),
) -> PastedList:
    """The list with no more documents, grades and faults than a page can hold."""
    faults_of_list = []
    surplus_document_count = len(documents) - MOST_DOCUMENTS
    if surplus_document_count > 0:
        faults_of_list.append(LineFault(0, f"最多{MOST_DOCUMENTS}篇：后面{surplus_document_count}篇没有算"))
    if len(unlisted_grades) > MOST_UNLISTED_GRADES:
        faults_of_list.append(
            LineFault(0, f"没检索到的标注有{len(unlisted_grades)}个，只留最甜的{MOST_UNLISTED_GRADES}个")
        )
    all_faults = [*faults_of_list, *_with_other_queries_told_once(line_faults)]
    return PastedList(
        tuple(documents[:MOST_DOCUMENTS]),
        tuple(sorted(unlisted_grades, reverse=True)[:MOST_UNLISTED_GRADES]),
        tuple(all_faults[:MOST_FAULTS]),
        max(0, len(all_faults) - MOST_FAULTS),
    )


def _with_other_queries_told_once(line_faults: Sequence[LineFault]) -> list[LineFault]:
    """The faults; of the lines of other queries, of which a run has thousands, the first with their number.

    >>> lines = [f"{query} Q0 d1 1 0.9 x" for query in "1 2 2 3".split()]
    >>> pasted_list_of("\\n".join([*lines, "1 0 d1 3"])).faults
    (LineFault(line_number=2, fault_words='从这里起有3行是别的查询的：一次只看一个查询，这次看“1”'),)
    """
    chosen_queries = [
        line_fault.chosen_query for line_fault in line_faults if line_fault.chosen_query is not None
    ]
    if len(chosen_queries) < 2:
        return [*line_faults]
    first_line_number = next(
        line_fault.line_number for line_fault in line_faults if line_fault.chosen_query is not None
    )
    fault_words = f"从这里起有{len(chosen_queries)}行是别的查询的：{chosen_query_words(chosen_queries[0])}"
    faults_of_query = [line_fault for line_fault in line_faults if line_fault.chosen_query is None]
    faults_of_query.append(LineFault(first_line_number, fault_words, chosen_queries[0]))
    return sorted(faults_of_query, key=lambda fault: fault.line_number)
