"""What a pasted list holds: documents with a grade, perhaps a score and a title; and how they are written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from app.course.items.marks import Unreadable
from app.course.workbench.cells import LONGEST_TITLE, excerpt, figure_count_at_end, narrow_text
from app.engine.checks import Grade, is_negative

HEADER_CELLS = ("title", "grade", "score")
"""How a list is written: not as one of ids, for titles may be alike."""
MOST_GRADES_NAMED = 3
HEADINGS_BY_ROLE: Mapping[str, tuple[str, ...]] = {
    "grade": (
        *("甜度", "相关性", "相关度", "真实相关性", "标注", "标签", "等级"),
        *("grade", "grades", "rel", "relevance", "label", "labels", "rating", "y_true", "target"),
        *("qrel", "judgement", "judgment"),
    ),
    "score": (
        *("分数", "得分", "打分", "预测", "预测分", "score", "scores", "_score", "sim", "similarity"),
        *("pred", "preds", "prediction", "y_score", "y_pred"),
    ),
    "title": (
        *("标题", "题目", "文档", "名称", "名字", "编号", "title", "doc", "document", "docno", "docid"),
        *("doc_id", "corpus-id", "corpus_id", "pid", "name", "id", "_id"),
    ),
    "query": ("查询", "查询号", "query", "query_id", "query-id", "qid", "topic"),
}
"""How the columns of a table are called."""
ID_HEADINGS = frozenset(
    {"编号", "doc", "document", "docno", "docid", "doc_id", "corpus-id", "corpus_id", "pid", "id", "_id"}
)
"""Of the columns of titles those whose cells name a document."""
_BRACKET_PATTERN = re.compile(r"[(（\[【]")


def role_of_heading(heading: str) -> str:
    """What the column of a table holds, or a row behind a label; nothing for what is called otherwise.

    >>> role_of_heading("甜度（0-3）"), role_of_heading("Score"), role_of_heading("备注")
    ('grade', 'score', '')
    """
    plain_heading = _plain_heading(heading)
    for column_role, headings in HEADINGS_BY_ROLE.items():
        if plain_heading in headings:
            return column_role
    return ""


def is_heading_of_ids(heading: str) -> bool:
    """Whether a column holds ids: no document is in a list twice, where two may have one title.

    >>> is_heading_of_ids("DocNo"), is_heading_of_ids("标题")
    (True, False)
    """
    return _plain_heading(heading) in ID_HEADINGS


def _plain_heading(heading: str) -> str:
    return _BRACKET_PATTERN.split(narrow_text(heading).lower())[0].strip()


def column_index_by_role_of(row_cells: Sequence[str]) -> dict[str, int]:
    """Which column holds what, if the cells are a header; else nothing.

    >>> column_index_by_role_of(["排名", "标题", "甜度"]), column_index_by_role_of(["甜度", "3"])
    ({'title': 1, 'grade': 2}, {})
    """
    column_index_by_role: dict[str, int] = {}
    if figure_count_at_end(row_cells):
        return column_index_by_role
    for column_index, cell_text in enumerate(row_cells):
        column_role = role_of_heading(cell_text[:LONGEST_TITLE])
        if column_role:
            column_index_by_role.setdefault(column_role, column_index)
    return column_index_by_role


def repeated_document_words(docno: str) -> str:
    """What is said to a line with a document that was in the list before."""
    return f"“{excerpt(docno)}”前面出现过了，只算第一次"


class ListedDocument(NamedTuple):
    """One document of a list. grade: as it was written; None = unjudged. score: None = the list stands in its
    order."""

    grade: Grade
    score: float | None = None
    title: str = ""

    @property
    def judged_grade(self) -> Grade:
        """The grade as we count it: below 0 the document is unjudged. Some libraries count a loss.

        >>> ListedDocument(-1).judged_grade is None, ListedDocument(0).judged_grade
        (True, 0)
        """
        return judged_grade(self.grade)


def judged_grade(grade: Grade) -> Grade:
    """A grade as those count it who take what is below 0 for unjudged."""
    if is_negative(grade):
        return None
    return grade


class OtherQuery(Unreadable):
    """A line of another query than the one that is looked at."""

    def __init__(self, query: str, chosen_query: str) -> None:
        super().__init__(f"这一行是查询“{excerpt(query)}”的：{chosen_query_words(chosen_query)}")
        self.chosen_query = chosen_query


def chosen_query_words(chosen_query: str) -> str:
    """Which query is looked at."""
    return f"一次只看一个查询，这次看“{excerpt(chosen_query)}”"


@dataclass(frozen=True)
class LineFault:
    """A line of a pasted text that was not read, or not wholly: its number, from 1, and why.

    chosen_query: of a line of another query, the one that is looked at.
    """

    line_number: int
    fault_words: str
    chosen_query: str | None = field(default=None, compare=False, repr=False)

    @property
    def is_note(self) -> bool:
        """Whether no line is wrong: it says how the text was taken, or what was left out of it."""
        return self.line_number == 0 or self.chosen_query is not None

    @classmethod
    def of(cls, line_number: int, error: Unreadable) -> Self:
        """What is said to a line that could not be read."""
        if isinstance(error, OtherQuery):
            return cls(line_number, f"{error}", error.chosen_query)
        return cls(line_number, f"{error}")


@dataclass(frozen=True)
class PastedList:
    """The documents of a text, in its order. unlisted_grades: of judged documents that are not in the list.

    faults: the first lines that could not be read; more_fault_count: how many others there are.
    """

    documents: tuple[ListedDocument, ...]
    unlisted_grades: tuple[float, ...] = ()
    faults: tuple[LineFault, ...] = field(default=())
    more_fault_count: int = 0

    @cached_property
    def is_scored(self) -> bool:
        """Whether every document has a score."""
        return bool(self.documents) and self.documents[0].score is not None

    @cached_property
    def is_titled(self) -> bool:
        return any(document.title for document in self.documents)

    @cached_property
    def grades(self) -> list[Grade]:
        return [document.judged_grade for document in self.documents]

    @cached_property
    def written_grades(self) -> list[Grade]:
        """The grades as libraries are given them, some of them below 0."""
        return [document.grade for document in self.documents]

    @cached_property
    def below_zero_words(self) -> str:
        """What becomes of grades below 0, where there are some.

        >>> PastedList((ListedDocument(-1), ListedDocument(2))).below_zero_words
        '小于0的甜度（-1），这里算未标注'
        """
        negative_grades = [grade for grade in self.written_grades if is_negative(grade)]
        if not negative_grades:
            return ""
        grades_text = "、".join(map(grade_text, dict.fromkeys(negative_grades[:MOST_GRADES_NAMED])))
        return f"小于0的甜度（{grades_text}），这里算未标注"

    @cached_property
    def scores(self) -> list[float] | None:
        """The scores, one a document; None where the list stands in its order."""
        if not self.is_scored:
            return None
        return [document.score or 0.0 for document in self.documents]

    @cached_property
    def unique_titles(self) -> list[str] | None:
        """The titles as names of the documents, if each has one of its own; else None."""
        titles = [document.title for document in self.documents]
        if "" in titles or len(set(titles)) < len(titles):
            return None
        return titles

    @cached_property
    def pool(self) -> list[Grade]:
        """The grades of all judged documents: those of the list, and those beyond it."""
        return [*self.grades, *self.unlisted_grades]


def text_of(documents: Sequence[ListedDocument]) -> str:
    """The documents as a text that reads back as the same documents.

    >>> text_of([ListedDocument(3), ListedDocument(None)])
    '3 -'
    >>> text_of([ListedDocument(3, 0.9), ListedDocument(2.5, 0.8)])
    '3 0.9\\n2.5 0.8'
    >>> text_of([ListedDocument(3), ListedDocument(-1)])
    '3 -1'
    >>> text_of([ListedDocument(3, title="火锅")])
    'title\\tgrade\\n火锅\\t3'
    """
    pasted_list = PastedList(tuple(documents))
    if pasted_list.is_titled:
        return _text_with_header(pasted_list, "\t")
    if not pasted_list.is_scored:
        return " ".join(grade_text(document.grade) for document in documents)
    if len(documents) == 1:  # alone on its line, a score would be read as a second grade
        return _text_with_header(pasted_list, " ")
    return "\n".join([_document_line(document, False, " ") for document in documents])


def grade_text(grade: Grade) -> str:
    """A grade as it is written; `-` for an unjudged document.

    >>> grade_text(3), grade_text(2.5), grade_text(None)
    ('3', '2.5', '-')
    """
    if grade is None:
        return "-"
    return number_text(grade)


def number_text(number: float) -> str:
    """A number in full, without the zero behind a whole one.

    >>> number_text(3.0), number_text(0.1)
    ('3', '0.1')
    """
    return repr(number).removesuffix(".0")


def _text_with_header(pasted_list: PastedList, separator: str) -> str:
    shown_column_flags = [pasted_list.is_titled, True, pasted_list.is_scored]
    header_cells = [
        heading for heading, is_shown in zip(HEADER_CELLS, shown_column_flags, strict=True) if is_shown
    ]
    document_lines = [
        _document_line(document, pasted_list.is_titled, separator) for document in pasted_list.documents
    ]
    return "\n".join([separator.join(header_cells), *document_lines])


def _document_line(document: ListedDocument, is_titled: bool, separator: str) -> str:
    cells = [grade_text(document.grade)]
    if is_titled:
        cells.insert(0, document.title)
    if document.score is not None:
        cells.append(number_text(document.score))
    return separator.join(cells)
