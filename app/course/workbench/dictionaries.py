"""Dictionaries as pytrec_eval and ranx take them, pasted out of a program: as the lines of qrels and run.

`{"q1": {"d1": 3}}`, with or without the query around the documents, in Python or JSON. Nothing is evaluated:
the text is read from sign to sign, once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.course.workbench.trec import Line

UNNAMED_QUERY = "q"
"""The query of documents that stand in no other dictionary."""
RUN_NAMES = ("run", "score", "pred", "result")
QREL_NAMES = ("qrel", "judg", "truth", "relevance", "label")
_SIGN = re.compile(
    r"(?P<end>\n)"
    r"|\"(?P<double>[^\"\n]{1,200})\"|'(?P<single>[^'\n]{1,200})'"
    r"|(?P<brace>[{}])|(?P<name>[A-Za-z_][A-Za-z0-9_]{0,60})|(?P<figure>[-+]?[0-9.][-+0-9.eE]{0,30})"
)
_ENTRY = re.compile(r"\{\s*(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')\s*:")


@dataclass
class OuterDictionary:
    """One dictionary of a program, under the name before it, or its key where several stand in one.

    Entries: line, query, document and figure. `outer_count`: how many dictionaries it stands in.
    """

    name: str
    entries: list[tuple[int, str, str, str]] = field(default_factory=list)
    outer_count: int = 0


def lines_of(text: str) -> list[Line]:
    """What the dictionaries of a text say, as cells of qrels and run; nothing for a text without any.

    Names tell which is which; where they do not, qrels come first.

    >>> lines_of("qrel = {'q1': {'d1': 3}}\\nrun = {'q1': {'d1': 0.9}}")
    [(1, ['q1', '0', 'd1', '3']), (2, ['q1', 'Q0', 'd1', '1', '0.9', 'run'])]
    >>> lines_of("3 2 3 0 1 2")
    []
    """
    if not _ENTRY.search(text):
        return []
    lines: list[Line] = []
    reader = DictionaryReader()
    for sign in _SIGN.finditer(text):
        reader.take(sign)
    for dictionary, is_run in zip(reader.dictionaries, _which_are_runs(reader.dictionaries), strict=True):
        for line_number, query, document, figure in dictionary.entries:
            cells = [query, "0", document, figure]
            if is_run:
                cells = [query, "Q0", document, "1", figure, "run"]
            lines.append((line_number, cells))
    return lines


class DictionaryReader:
    """Reads signs one after the other: `read` holds the outer dictionaries that were closed."""

    def __init__(self) -> None:
        self.dictionaries: list[OuterDictionary] = []
        self._line = 1
        self._name = ""
        self._key = ""
        self._queries: list[str] = []
        self._outer = OuterDictionary("")

    def take(self, sign: re.Match[str]) -> None:
        """The next sign of the text."""
        match sign.lastgroup:
            case "end":
                self._line += 1
            case "name":
                self._name = sign[0].lower()
            case "double" | "single":
                self._key = sign[sign.lastgroup]
            case "figure":
                self._enter(sign[0])
            case _ if sign[0] == "{":
                self._open()
            case _:
                self._close()

    def _enter(self, figure: str) -> None:
        if self._queries and self._key:
            self._outer.entries.append((self._line, self._queries[-1], self._key, figure))
        self._key = ""

    def _open(self) -> None:
        if not self._queries:
            self._outer = OuterDictionary(self._name)
        elif len(self._queries) == 2:
            self._outer.name = self._queries[-1].lower()
            self._outer.outer_count = 1
        self._queries.append(self._key or UNNAMED_QUERY)
        self._key = ""

    def _close(self) -> None:
        if not self._queries:
            return
        self._queries.pop()
        if len(self._queries) == self._outer.outer_count and self._outer.entries:
            self.dictionaries.append(self._outer)
            self._outer = OuterDictionary("")


def _which_are_runs(dictionaries: Sequence[OuterDictionary]) -> list[bool]:
    """For each dictionary whether it is a run; of two with one name, the other is what that one is not."""
    are_runs_by_name = [_is_run_by_name(dictionary.name) for dictionary in dictionaries]
    if len(are_runs_by_name) == 2 and are_runs_by_name[0] is None and are_runs_by_name[1] is not None:
        return [not are_runs_by_name[1], are_runs_by_name[1]]
    are_runs: list[bool] = []
    for is_run in are_runs_by_name:
        if is_run is None:
            are_runs.append(False in are_runs)  # there are qrels already
        else:
            are_runs.append(is_run)
    return are_runs


def _is_run_by_name(name: str) -> bool | None:
    """What a name says; None for one that says nothing."""
    if any(word in name for word in QREL_NAMES):
        return False
    if any(word in name for word in RUN_NAMES):
        return True
    return None
