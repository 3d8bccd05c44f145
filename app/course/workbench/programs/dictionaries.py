"""What programs print, in Python or JSON: dictionaries as the lines of qrels and run, objects as a table.

`{"q1": {"d1": 3}}`, as pytrec_eval and ranx take it, with or without the query around the documents;
`[{"doc": "d1", "grade": 3}, …]`, a document an object; or `y_true = [3, 2]` among other lines of a program.
Nothing is evaluated: a text is read once, from token to token.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from app.course.workbench.cells import are_figures, pieces_of
from app.course.workbench.documents import column_index_by_role_of, role_of_heading
from app.course.workbench.programs.cutoffs import CUTOFF_NAMES
from app.course.workbench.trec import NumberedRow

UNNAMED_QUERY = "q"
"""The query of documents that stand in no other dictionary."""
RUN_NAME_PARTS = ("run", "score", "pred", "result")
QREL_NAME_PARTS = ("qrel", "judg", "truth", "relevance", "label", "true", "target", "grade")
QUOTED_STRING = r"(?:\"(?:[^\"\\\n]|\\.){0,2000}+\"|'(?:[^'\\\n]|\\.){0,2000}+')"
_TOKEN_PATTERN = re.compile(
    rf"(?P<end>\n)|(?P<string>{QUOTED_STRING})"
    r"|(?P<brace>[{}])|(?P<name>[A-Za-z_][A-Za-z0-9_]{0,60})|(?P<figure>[-+]?[0-9.][-+0-9.eE]{0,30})"
)
_FIRST_ENTRY_PATTERN = re.compile(rf"\{{\s*+{QUOTED_STRING}\s*+:(?!\s*\[)")
"""A key and its value; of a list as a value no line is made."""
_OBJECT_IN_LIST_PATTERN = re.compile(r"\[\s*+\{")
"""So a list of objects begins, which are no queries."""

_BRACE_OR_STRING_PATTERN = re.compile(rf"[{{}}]|{QUOTED_STRING}|\\.")
_ENTRY_PATTERN = re.compile(rf"(?P<key>{QUOTED_STRING})\s*+:\s*+(?P<text>{QUOTED_STRING}|[^\[,}}\s]++)")
"""A key and its value; of a list as a value no cell is made."""

_NAMED_LIST_PATTERN = re.compile(
    r"(?<![A-Za-z0-9_])(?P<name>[A-Za-z_][A-Za-z0-9_]{0,60}+)['\"]?\s{0,9}+[:=]\s{0,9}+"
    r"(?:[A-Za-z_.]{1,40}+\(\s{0,9}+)?"
    r"\[\s{0,99}+(?P<lists>\[[^\[\]]*\](?:[,\s]{0,99}+\[[^\[\]]*\])*|[^\[\]]*)"
)
"""A list, or some in one, behind a name: `y_true = np.asarray([[3, 2]])`."""
_FIGURE_BY_TRUTH = {"True": "1", "False": "0", "true": "1", "false": "0"}


class NamedList(NamedTuple):
    """Figures that a program puts under a name."""

    line_number: int
    name: str
    figures: tuple[str, ...]


@dataclass
class OuterDictionary:
    """One dictionary of a program, under the name before it, or its key where several stand in one.

    Entries: line, query, document and figure. `outer_count`: how many dictionaries it stands in.
    """

    name: str
    entries: list[tuple[int, str, str, str]] = field(default_factory=list)
    outer_count: int = 0


def trec_rows_of(pasted_text: str) -> list[NumberedRow]:
    """What the dictionaries of a text say, as cells of qrels and run; nothing for a text without any.

    Names tell which is which; where they do not, qrels come first.

    >>> trec_rows_of("qrel = {'q1': {'d1': 3}}\\nrun = {'q1': {'d1': 0.9}}")
    [(1, ['q1', '0', 'd1', '3']), (2, ['q1', 'Q0', 'd1', '1', '0.9', 'run'])]
    >>> trec_rows_of("3 2 3 0 1 2")
    []
    """
    if not _FIRST_ENTRY_PATTERN.search(pasted_text) or _OBJECT_IN_LIST_PATTERN.search(pasted_text):
        return []
    numbered_rows: list[NumberedRow] = []
    dictionary_reader = DictionaryReader()
    for token_match in _TOKEN_PATTERN.finditer(pasted_text):
        dictionary_reader.read_token(token_match)
    for dictionary, is_run in zip(
        dictionary_reader.dictionaries, _run_flags(dictionary_reader.dictionaries), strict=True
    ):
        for line_number, query_id, docno, figure_text in dictionary.entries:
            row_cells = [query_id, "0", docno, figure_text]
            if is_run:
                row_cells = [query_id, "Q0", docno, "1", figure_text, "run"]
            numbered_rows.append((line_number, row_cells))
    return numbered_rows


class DictionaryReader:
    """Reads tokens one after the other: `dictionaries` holds the outer ones that were closed."""

    def __init__(self) -> None:
        self.dictionaries: list[OuterDictionary] = []
        self._line_number = 1
        self._name = ""
        self._key = ""
        self._open_dictionary_keys: list[str] = []
        self._outer_dictionary = OuterDictionary("")

    def read_token(self, token_match: re.Match[str]) -> None:
        """The next sign of the text."""
        match token_match.lastgroup:
            case "end":
                self._line_number += 1
            case "name":
                self._name = token_match[0].lower()
            case "string":
                self._key = unquoted_text(token_match[0])
            case "figure":
                self._add_entry(token_match[0])
            case _ if token_match[0] == "{":
                self._open_dictionary()
            case _:
                self._close_dictionary()

    def _add_entry(self, figure_text: str) -> None:
        if self._open_dictionary_keys and self._key:
            self._outer_dictionary.entries.append(
                (self._line_number, self._open_dictionary_keys[-1], self._key, figure_text)
            )
        self._key = ""

    def _open_dictionary(self) -> None:
        if not self._open_dictionary_keys:
            self._outer_dictionary = OuterDictionary(self._name)
        elif len(self._open_dictionary_keys) == 2:
            self._outer_dictionary.name = self._open_dictionary_keys[-1].lower()
            self._outer_dictionary.outer_count = 1
        self._open_dictionary_keys.append(self._key or UNNAMED_QUERY)
        self._key = ""

    def _close_dictionary(self) -> None:
        if not self._open_dictionary_keys:
            return
        self._open_dictionary_keys.pop()
        if (
            len(self._open_dictionary_keys) == self._outer_dictionary.outer_count
            and self._outer_dictionary.entries
        ):
            self.dictionaries.append(self._outer_dictionary)
            self._outer_dictionary = OuterDictionary("")


def _run_flags(dictionaries: Sequence[OuterDictionary]) -> list[bool]:
    """For each dictionary whether it is a run; of two with one name, the other is what that one is not."""
    named_run_flags = [_is_run_as_named(dictionary.name) for dictionary in dictionaries]
    if len(named_run_flags) == 2 and named_run_flags[0] is None and named_run_flags[1] is not None:
        return [not named_run_flags[1], named_run_flags[1]]
    run_flags: list[bool] = []
    for is_run in named_run_flags:
        if is_run is None:
            run_flags.append(False in run_flags)  # there are qrels already
        else:
            run_flags.append(is_run)
    return run_flags


def _is_run_as_named(list_name: str) -> bool | None:
    """What a name says; None for one that says nothing."""
    list_name = list_name.lower()
    if any(name_part in list_name for name_part in QREL_NAME_PARTS):
        return False
    if any(name_part in list_name for name_part in RUN_NAME_PARTS):
        return True
    return None


def used_and_unused_lists_of(pasted_text: str) -> tuple[list[NamedList], list[NamedList]]:
    """The lists of figures in a program: the one of grades, and that of their scores if there is one; then
    the others. Nothing for a text in which no name says that its list holds grades; but where all that it has
    are scores, they are the others.

    Of two lists one name is enough: the other list is what that one is not.

    >>> program = "preds = tensor([.9, .1])\\nk = 2\\ntarget = tensor([True, False])"
    >>> used_lists, _ = used_and_unused_lists_of(program)
    >>> [(named_list.line_number, named_list.figures) for named_list in used_lists]
    [(3, ('1', '0')), (1, ('.9', '.1'))]
    """
    all_lists = [*_all_named_lists_of(pasted_text)]
    list_by_is_run: dict[bool | None, NamedList] = {}
    for named_list in all_lists:
        list_by_is_run.setdefault(_is_run_as_named(named_list.name), named_list)
    unnamed_list = list_by_is_run.pop(None, None)
    if unnamed_list and len(all_lists) == 2 and len(list_by_is_run) == 1:
        [is_named_list_run] = list_by_is_run
        list_by_is_run[not is_named_list_run] = unnamed_list
    if False not in list_by_is_run:
        return [], [named_list for named_list in all_lists if _are_scores_alone(all_lists, pasted_text)]
    used_lists = [named_list for _, named_list in sorted(list_by_is_run.items())]
    return used_lists, [named_list for named_list in all_lists if named_list not in used_lists]


def _are_scores_alone(named_lists: Sequence[NamedList], pasted_text: str) -> bool:
    """Whether a text has scores and no other figures."""
    are_named_scores = all(role_of_heading(named_list.name) == "score" for named_list in named_lists)
    return are_named_scores and not any(map(str.isdecimal, _NAMED_LIST_PATTERN.sub("", pasted_text)))


def _all_named_lists_of(pasted_text: str) -> Iterator[NamedList]:
    line_number, former_start_index = 1, 0
    for list_match in _NAMED_LIST_PATTERN.finditer(pasted_text):
        line_number += pasted_text.count("\n", former_start_index, list_match.start())
        former_start_index = list_match.start()
        if list_match["name"].lower() in CUTOFF_NAMES:
            continue
        for inner_text in re.split(r"[\[\]]", list_match["lists"]):
            figures = [_FIGURE_BY_TRUTH.get(piece, piece) for piece in pieces_of(inner_text)]
            if len(figures) > 1 and are_figures(figures):
                yield NamedList(line_number, list_match["name"], tuple(figures))


def numbered_table_lines_of(pasted_text: str, needed_role: str = "grade") -> list[tuple[int, str]]:
    """The objects of a text as numbered lines of a table, after its header; nothing without a grade in them,
    or what else they must have.

    >>> numbered_table_lines_of('[{"doc": "d1", "rel": 3, "lang": "zh"},\\n {"doc": "d2", "rel": null}]')
    [(1, 'doc\\trel'), (1, 'd1\\t3'), (2, 'd2\\tnull')]
    >>> numbered_table_lines_of("{'q1': {'d1': 3}}")
    []
    """
    numbered_rows = [*_numbered_rows_of(pasted_text)]
    headings = [
        *dict.fromkeys(
            heading for _, cell_text_by_heading in numbered_rows for heading in cell_text_by_heading
        )
    ]
    if needed_role not in column_index_by_role_of(headings):
        return []
    numbered_lines = [(1, "\t".join(headings))]
    for line_number, cell_text_by_heading in numbered_rows:
        cells = [cell_text_by_heading.get(heading, "") for heading in headings]
        numbered_lines.append((line_number, "\t".join(cells)))
    return numbered_lines


def _numbered_rows_of(pasted_text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Of each object that says something of a document: the line on which it begins, and what it says."""
    line_number, former_start_index = 1, 0
    for start_index, end_index in _innermost_objects_of(pasted_text):
        line_number += pasted_text.count("\n", former_start_index, start_index)
        former_start_index = start_index
        cell_text_by_heading = {}
        for entry_match in _ENTRY_PATTERN.finditer(pasted_text, start_index, end_index):
            heading = unquoted_text(entry_match["key"])
            if role_of_heading(heading):
                cell_text_by_heading[heading] = unquoted_text(entry_match["text"])
        if cell_text_by_heading:
            yield line_number, cell_text_by_heading


def _innermost_objects_of(pasted_text: str) -> Iterator[tuple[int, int]]:
    """Where the objects stand in which there is no other one."""
    start_index = None
    schema_end_index = max(
        0, pasted_text.find('"pandas_version"')
    )  # its fields are objects, and no documents
    for token_match in _BRACE_OR_STRING_PATTERN.finditer(pasted_text, schema_end_index):
        if token_match[0] == "{":
            start_index = token_match.start()
        elif token_match[0] == "}" and start_index is not None:
            yield start_index, token_match.end()
            start_index = None


def unquoted_text(pasted_text: str) -> str:
    """What stands between quotes, in one line; a text without quotes as it is.

    >>> unquoted_text('"\\\\u706b\\\\u9505"'), unquoted_text("'a b'"), unquoted_text("0.9")
    ('火锅', 'a b', '0.9')
    """
    if pasted_text[0] not in "\"'":
        return pasted_text
    inner_text = pasted_text[1:-1]
    if pasted_text[0] == '"':
        with suppress(ValueError):  # an escape that JSON does not know stays as it stands
            inner_text = json.loads(pasted_text, strict=False)
    return " ".join(inner_text.split())
