"""One query of a TREC run with its qrels: `qid Q0 docno rank score tag`, and `qid 0 docno grade`; either may
be a table of three columns, as MS MARCO has runs (`qid docno rank`) and BEIR qrels (`qid docno grade`). Or of
a file for learning to rank, LETOR or libsvm: `grade qid:1 1:0.3 2:0.5 # docno`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.course.items.marks import Unreadable
from app.course.workbench.cells import (
    excerpt,
    figure_count_at_end,
    grade_of,
    is_figure,
    printable_line_of,
    score_of,
    title_of,
)
from app.course.workbench.documents import LineFault, ListedDocument, OtherQuery, repeated_document_words
from app.engine.checks import Grade

LONGEST_GRADE = 3
"""Digits: a number with more of them is a document."""
CELLS_OF_RUN = 6
BEIR_HEADER = ["query-id", "corpus-id", "score"]
NumberedRow = tuple[int, list[str]]
"""The number of a line, from 1, and its cells."""
_LETOR_PATTERN = re.compile(
    r"(?P<grade>\S{1,30})(?:\s+qid:(?P<qid>\S{1,80}))?(?P<features>(?:\s+[0-9]{1,9}:[-+0-9.eE]{1,30})*+)"
    r"\s*(?:#\s*(?:docid\s*=\s*(?P<docid>\S+))?(?P<comment>.*))?"
)


@dataclass
class TrecQuery:
    """The documents of a run in its order, graded; `unlisted_grades` holds the grades of those it did not
    return.
    """

    documents: list[ListedDocument] = field(default_factory=list)
    unlisted_grades: tuple[float, ...] = ()
    faults: list[LineFault] = field(default_factory=list)


def cells_of(line: str) -> list[str]:
    """The cells of a line of a TREC file, without empty ones behind the last that it may have.

    >>> cells_of("q1 Q0 d7 1 0.9 bm25"), cells_of("q1\\t0\\td7\\t3\\t")
    (['q1', 'Q0', 'd7', '1', '0.9', 'bm25'], ['q1', '0', 'd7', '3'])
    """
    if "\t" not in line:
        return line.split()
    row_cells = [cell.strip() for cell in line.split("\t")]
    fewest_cells = 1
    if row_cells[1].upper() == "Q0":  # a run may lack its scores and its tag
        fewest_cells = CELLS_OF_RUN
    while len(row_cells) > fewest_cells and not row_cells[-1]:
        row_cells.pop()
    return row_cells


def with_judgements_of_beir(numbered_rows: Sequence[NumberedRow]) -> list[NumberedRow]:
    """The lines; those below the header of qrels as BEIR keeps them as lines of qrels, without that header.

    >>> with_judgements_of_beir([(1, ["query-id", "corpus-id", "score"]), (2, ["q1", "d1", "3"])])
    [(2, ['q1', '0', 'd1', '3'])]
    """
    headers = [[cell.lower() for cell in row_cells] for _, row_cells in numbered_rows]
    if BEIR_HEADER not in headers:
        return [*numbered_rows]
    header_index = headers.index(BEIR_HEADER)
    plain_rows = [*numbered_rows[:header_index]]
    for line_number, row_cells in numbered_rows[header_index + 1 :]:
        if len(row_cells) == 3 and row_cells[2].removeprefix("-").isdecimal():
            query_id, docno, grade_cell = row_cells
            plain_rows.append((line_number, [query_id, "0", docno, grade_cell]))
        else:
            plain_rows.append((line_number, row_cells))
    return plain_rows


def is_run(row_cells: Sequence[str]) -> bool:
    """Whether a line is one of a run; its tag may be missing, or have spaces in it.

    >>> is_run(["q1", "Q0", "d7", "1", "0.9"]), is_run(["q1", "Q0", "d7", "1"])
    (True, False)
    >>> is_run("q1 Q0 d7 1 0.9 bm25 with rm3".split())
    True
    """
    if len(row_cells) < CELLS_OF_RUN - 1 or row_cells[1].upper() != "Q0":
        return False
    return len(row_cells) >= CELLS_OF_RUN or is_figure(row_cells[4])


def is_judgement(row_cells: Sequence[str]) -> bool:
    """Whether a line is one of qrels; a row of four grades looks alike but for its document.

    >>> is_judgement(["q1", "0", "d7", "3"]), is_judgement(["5", "0", "3", "2"])
    (True, False)
    >>> is_judgement(["19335", "0", "1017759", "0"])
    True
    """
    if len(row_cells) != 4 or row_cells[1].upper() not in ("0", "Q0") or not is_figure(row_cells[3]):
        return False
    is_long_number = row_cells[2].isdecimal() and len(row_cells[2]) > LONGEST_GRADE
    return is_long_number or not is_figure(row_cells[2])


def is_trec(numbered_rows: Sequence[NumberedRow]) -> bool:
    """Whether a text holds a run or, on its first line, a judgement; or judgements below a run of three
    columns.

    >>> is_trec([(1, ["7", "d1", "1"]), (2, ["7", "0", "d1", "3"])]), is_trec([(1, ["7", "d1", "1"])])
    (True, False)
    """
    if not numbered_rows:
        return False
    if is_judgement(numbered_rows[0][1]) or any(is_run(row_cells) for _, row_cells in numbered_rows):
        return True
    return _is_triple(numbered_rows[0][1]) and any(is_judgement(row_cells) for _, row_cells in numbered_rows)


def read(numbered_rows: Sequence[NumberedRow]) -> TrecQuery:
    """The first query of the run that has qrels; of qrels alone the judged documents, as they stand.

    >>> text = ["q1 0 a 3", "q1 0 b 1", "q1 Q0 b 1 2.5 x", "q1 Q0 c 2 2.0 x"]
    >>> query = read([(number, cells_of(line)) for number, line in enumerate(text, 1)])
    >>> [(document.title, document.grade) for document in query.documents], query.unlisted_grades
    ([('b', 1), ('c', None)], (3,))
    """
    trec_query = TrecQuery()
    run_rows: list[NumberedRow] = []
    judgement_rows: list[NumberedRow] = []
    numbered_rows = _without_triples(numbered_rows)
    for line_number, row_cells in numbered_rows:
        if is_run(row_cells):
            run_rows.append((line_number, row_cells))
        elif len(row_cells) == 4 and figure_count_at_end(row_cells[3:]):
            judgement_rows.append((line_number, row_cells))
        else:
            fault_words = f"“{excerpt(' '.join(row_cells[:9]))}”不是run（6格），也不是qrels（4格）"
            trec_query.faults.append(LineFault(line_number, fault_words))
    if not run_rows and not judgement_rows:
        return trec_query
    judged_query_ids = [*dict.fromkeys(row_cells[0] for _, row_cells in judgement_rows)]
    query_ids = [row_cells[0] for _, row_cells in run_rows] or judged_query_ids
    query_id = next(
        (possible_query_id for possible_query_id in query_ids if possible_query_id in judged_query_ids),
        query_ids[0],
    )
    grade_by_docno = _grade_by_docno(judgement_rows, query_id, trec_query)
    if run_rows:
        _read_run(run_rows, query_id, grade_by_docno, trec_query)
        if query_id not in judged_query_ids:
            trec_query.faults.append(LineFault(0, _no_judgements_words(query_id, judged_query_ids)))
    else:
        trec_query.documents = [
            ListedDocument(grade, None, title_of(docno)) for docno, grade in grade_by_docno.items()
        ]
        trec_query.faults.append(LineFault(0, "只有qrels，没有run：先按标注的先后排成一列"))
    trec_query.faults.sort(key=lambda fault: fault.line_number)
    return trec_query


def _no_judgements_words(query_id: str, judged_query_ids: Sequence[str]) -> str:
    """What is said of a run without qrels; the queries are named where there are qrels of others."""
    if not judged_query_ids:
        return "只有run，没有qrels：每一篇都算未标注，NDCG是0"
    return (
        f"run和qrels没有共同的查询：qrels里没有“{excerpt(query_id)}”，有“{excerpt(judged_query_ids[0])}”。"
        "每一篇都算未标注，NDCG是0"
    )


def _is_triple(row_cells: Sequence[str]) -> bool:
    return len(row_cells) == 3 and is_figure(row_cells[2])


def _without_triples(numbered_rows: Sequence[NumberedRow]) -> list[NumberedRow]:
    """The lines, those of three columns as what the others are not: qrels beside a run, a run beside qrels.

    >>> _without_triples([(1, ["7", "d2", "2"]), (2, ["7", "d1", "1"]), (3, ["7", "0", "d1", "3"])])[0]
    (2, ['7', 'Q0', 'd1', '1', '', ''])
    """
    has_run = any(is_run(row_cells) for _, row_cells in numbered_rows)
    if has_run == any(is_judgement(row_cells) for _, row_cells in numbered_rows):
        return [*numbered_rows]
    triples = [(line_number, row_cells) for line_number, row_cells in numbered_rows if _is_triple(row_cells)]
    are_ranked = not has_run and all(row_cells[2].isdecimal() for _, row_cells in triples)
    if are_ranked:
        triples.sort(key=lambda triple: int(triple[1][2]))
    completed_rows = []
    for line_number, (query_id, docno, figure_text) in triples:
        row_cells = [query_id, "Q0", docno, "", figure_text, "run"]
        if are_ranked:
            row_cells = [query_id, "Q0", docno, figure_text, "", ""]
        if has_run:
            row_cells = [query_id, "0", docno, figure_text]
        completed_rows.append((line_number, row_cells))
    return completed_rows + [
        (line_number, row_cells) for line_number, row_cells in numbered_rows if not _is_triple(row_cells)
    ]


def is_letor(numbered_lines: Sequence[tuple[int, str]]) -> bool:
    """Whether the first line that is no comment is one of LETOR: a query or features behind a grade.

    >>> is_letor([(1, "# query 1"), (2, "2 qid:1 1:0.3")]), is_letor([(1, "3 2 1")])
    (True, False)
    """
    for _, line in numbered_lines:
        if not line.startswith("#"):
            letor_match = _letor_match_of(line)
            return letor_match is not None and is_figure(letor_match["grade"])
    return False


def read_letor(numbered_lines: Sequence[tuple[int, str]]) -> TrecQuery:
    """The first query of a LETOR file, in the order of its lines: they say no score.

    >>> query = read_letor([(1, "2 qid:1 1:0.3 # d7"), (2, "0 qid:1 1:0.1 # d8")])
    >>> [(document.title, document.grade) for document in query.documents]
    [('d7', 2), ('d8', 0)]
    """
    trec_query = TrecQuery(faults=[LineFault(0, "LETOR的行没有分数：照行的先后排成一列，特征没用上")])
    chosen_query_id = None
    for line_number, line in numbered_lines:
        if line.startswith("#"):
            continue
        letor_match = _letor_match_of(line)
        if letor_match is None:
            fault_words = f"“{excerpt(line)}”不是LETOR的行：甜度、qid:查询、1:特征"
            trec_query.faults.append(LineFault(line_number, fault_words))
            continue
        query_id = letor_match["qid"] or ""
        if chosen_query_id is None:
            chosen_query_id = query_id
        if not _is_of_query(line_number, [query_id], chosen_query_id, trec_query):
            continue
        title = title_of(letor_match["docid"] or letor_match["comment"] or "")
        try:
            trec_query.documents.append(ListedDocument(grade_of(letor_match["grade"]), None, title))
        except Unreadable as error:
            trec_query.faults.append(LineFault.of(line_number, error))
    return trec_query


def _letor_match_of(line: str) -> re.Match[str] | None:
    letor_match = _LETOR_PATTERN.fullmatch(line)
    if letor_match is None or not (letor_match["qid"] or letor_match["features"]):
        return None
    return letor_match


def _grade_by_docno(
    judgement_rows: Sequence[NumberedRow], query_id: str, trec_query: TrecQuery
) -> dict[str, Grade]:
    """The grades of a query by its whole name of a document, which may be an address longer than a title."""
    grade_by_docno: dict[str, Grade] = {}
    for line_number, row_cells in judgement_rows:
        if not _is_of_query(line_number, row_cells, query_id, trec_query):
            continue
        docno = printable_line_of(row_cells[2])
        try:
            grade = grade_of(row_cells[3])
        except Unreadable as error:
            trec_query.faults.append(LineFault.of(line_number, error))
            continue
        if grade_by_docno.setdefault(docno, grade) != grade:
            fault_words = f"“{excerpt(docno)}”在qrels里标过别的甜度了，只算第一次"
            trec_query.faults.append(LineFault(line_number, fault_words))
    return grade_by_docno


def _read_run(
    run_rows: Sequence[NumberedRow], query_id: str, grade_by_docno: dict[str, Grade], trec_query: TrecQuery
) -> None:
    """The documents of the run, and the grades of those that it lacks; a run may have ranks alone."""
    returned_docnos: set[str] = set()
    for line_number, row_cells in run_rows:
        docno = printable_line_of(row_cells[2])
        if not _is_of_query(line_number, row_cells, query_id, trec_query):
            continue
        if docno in returned_docnos:
            trec_query.faults.append(LineFault(line_number, repeated_document_words(docno)))
            continue
        try:
            score = score_of(row_cells[4]) if any(row_cells[4:]) else None
            trec_query.documents.append(ListedDocument(grade_by_docno.get(docno), score, title_of(docno)))
        except Unreadable as error:
            trec_query.faults.append(LineFault.of(line_number, error))
            continue
        returned_docnos.add(docno)
    unlisted_grades = [grade for docno, grade in grade_by_docno.items() if docno not in returned_docnos]
    trec_query.unlisted_grades = tuple(grade for grade in unlisted_grades if grade is not None and grade >= 0)


def _is_of_query(line_number: int, row_cells: Sequence[str], query_id: str, trec_query: TrecQuery) -> bool:
    """Whether a line belongs to the query; else it is named."""
    if row_cells[0] == query_id:
        return True
    trec_query.faults.append(LineFault.of(line_number, OtherQuery(row_cells[0], query_id)))
    return False
