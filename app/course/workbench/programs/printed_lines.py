"""The lines of a pasted text: a list over several lines in one, and without what is drawn between rows."""

import re

from app.course.workbench.cells import are_figures, cells_of, pieces_of
from app.course.workbench.documents import LineFault
from app.course.workbench.layouts import are_numbered_grades, is_ellipsis_line, is_ruling_line
from app.course.workbench.programs.frames import is_remark_on_table

LONGEST_LINE = 20_000
"""Characters of a line that is read."""
NumberedLine = tuple[int, str]
"""The number of a line, from 1, and its text."""
_INNERMOST_LIST_PATTERN = re.compile(r"\[([^\[\]]*)\]")
_R_LINE_NUMBER_PATTERN = re.compile(r"^\s{0,9}\[[0-9]{1,4}\]\s{1,9}(?=[-0-9.])")
"""What R writes before a line, `[1] 3 2`: the number of its first figure."""
_BRACKETS_OF_PAIRS = str.maketrans("()", "[]")
_COMMA_BETWEEN_DIGITS_PATTERN = re.compile(r"[-+]?[0-9]{1,2},[0-9]{1,6}")
"""So half of the world writes 2.5."""


def lines_and_faults_of(pasted_text: str) -> tuple[list[NumberedLine], list[LineFault]]:
    """The lines in which something stands, and what is too long."""
    line_faults = []
    tidy_text = pasted_text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if tidy_text.lstrip().startswith("[("):
        tidy_text = tidy_text.translate(_BRACKETS_OF_PAIRS)
    numbered_lines = []
    line_number = 1
    # A list over several lines becomes one; by the signs in place of their ends the lines are counted on.
    for line in _with_lists_in_one_line(tidy_text).split("\n"):
        if len(line) > LONGEST_LINE:
            line_faults.append(LineFault(line_number, f"这一行太长了，最多{LONGEST_LINE}个字"))
        elif is_ellipsis_line(line.strip()):
            line_faults.append(LineFault(line_number, "这里省略了一段，没有印全：后面的名次都不对"))
        else:
            numbered_lines += [(line_number, row_text) for row_text in _row_texts_of_line(line)]
        line_number += 1 + line.count("\r")
    return numbered_lines, line_faults


def _row_texts_of_line(line: str) -> list[str]:
    """A line with several lists of figures, as that of a call is, has a row for each; brackets alone have
    none.
    """
    lists_of_figures = _printed_lists_of_figures(line)
    if len(lists_of_figures) > 1:
        return lists_of_figures
    stripped_line = line.strip()
    is_ruling_or_remark = is_ruling_line(stripped_line) or is_remark_on_table(stripped_line)
    if line.strip(" \u3000\t[](){},") and not is_ruling_or_remark:
        return [_R_LINE_NUMBER_PATTERN.sub("", line).strip("\u3000 ")]
    return []


def _printed_lists_of_figures(pasted_text: str) -> list[str]:
    """The lists of two figures and more in a text, without their brackets.

    >>> _printed_lists_of_figures("ndcg_score([[3, 2]], [[.9, .8]]) [1] [精选]")
    ['3, 2', '.9, .8']
    """
    inner_texts = [list_match[1] for list_match in _INNERMOST_LIST_PATTERN.finditer(pasted_text)]
    return [inner_text for inner_text in inner_texts if _is_list_of_figures(inner_text)]


def _with_lists_in_one_line(pasted_text: str) -> str:
    """The text with a carriage return in place of each end of a line inside of a list of figures: NumPy and
    JSON write a list over several lines.

    >>> _with_lists_in_one_line("[[3 2\\n  1]]\\n[精选\\n]")
    '[[3 2\\r  1]]\\n[精选\\n]'
    """
    return _INNERMOST_LIST_PATTERN.sub(_in_one_line, pasted_text)


def _in_one_line(list_match: re.Match[str]) -> str:
    if _is_list_of_figures(list_match[1]):
        return list_match[0].replace("\n", "\r").replace("\t", " ")
    return list_match[0]


def _is_list_of_figures(inner_text: str) -> bool:
    figure_texts = pieces_of(inner_text)
    return len(figure_texts) > 1 and are_figures(figure_texts)


def decimal_comma_faults(numbered_lines: list[NumberedLine]) -> list[LineFault]:
    """That a comma was taken for the end of a number, where each comma of a list may stand before decimals.

    >>> decimal_comma_faults([(1, "3"), (2, "2,5")])
    [LineFault(line_number=2, fault_words='“2,5”读成了两个数。要是小数，写成2.5；要是两个数，中间空一格')]
    >>> decimal_comma_faults([(1, "3,2,5")]), decimal_comma_faults([(1, "3,2"), (2, "2,0.5")])
    ([], [])
    """
    numbered_pieces: list[NumberedLine] = []
    for line_number, line in numbered_lines:
        numbered_pieces += [(line_number, piece) for piece in line.split() if "," in piece]
    if not numbered_pieces or any("\t" in line for _, line in numbered_lines):
        return []
    if not all(_COMMA_BETWEEN_DIGITS_PATTERN.fullmatch(piece) for _, piece in numbered_pieces):
        return []
    if are_numbered_grades([cells_of(line) for _, line in numbered_lines]):
        return []
    line_number, piece = numbered_pieces[0]
    point_text = piece.replace(",", ".")
    fault_words = f"“{piece}”读成了两个数。要是小数，写成{point_text}；要是两个数，中间空一格"
    return [LineFault(line_number, fault_words)]
