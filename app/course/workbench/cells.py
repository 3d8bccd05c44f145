"""Lines of a pasted text in cells, and cells as grades, scores, titles and printed figures.

Nothing is normalised but wide digits and signs, letter by letter, so that no text is slow to read.
"""

import csv
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple

from app.course.items.marks import Unreadable
from app.course.text.typed import folded_text
from app.engine.checks import Grade

HIGHEST_GRADE, LARGEST_SCORE = 100, 1e12
LONGEST_TITLE, LONGEST_NUMBER = 80, 30
LONGEST_FIGURE, LONGEST_NAMED_FIGURE = 40, 200
"""Characters of a figure, and of one with what stands around it."""
FIGURE_TOO_LONG_SENTENCE = "这个数太长了，抄前十几位就够。"
UNJUDGED_CELLS = frozenset({"-", "?", "na", "n/a", "nan", "none", "null", "未标注", "没标注", "未标", "没标"})

UNJUDGED = "-"
"""How an unjudged document is written."""

_NARROW_LETTERS = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_HYPHENS_FOR_MINUSES = dict.fromkeys(map(ord, "−–—－"), "-")
_PLAIN_LETTERS = _NARROW_LETTERS | _HYPHENS_FOR_MINUSES | {0x3000: " "}
_NUMBER_PATTERN = re.compile(r"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]{1,3})?")
_COMMA_PATTERN = re.compile("[,，;；]")
_SEPARATOR_PATTERN = re.compile(r"[\s,，、;；]+")
DECIMAL_COMMA_PATTERN = re.compile(r"[-+]?[0-9]{1,15},[0-9]{1,15}")
_OPENING_BRACKETS, _CLOSING_BRACKETS = "([{（［｛【", ")]}）］｝】"
_MARKDOWN_RULE_PATTERN = re.compile(r":?-{2,}:?")
_SPACES_FOR_BRACKETS = dict.fromkeys(map(ord, "[]［］"), " ")
_FIGURE_PATTERN = re.compile(r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]{1,3})?")
_FIGURE_WITH_THOUSANDS_PATTERN = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_SIGNS_BEHIND_FIGURES = " ,;}]"
_PRINTED_FIGURE_PATTERN = re.compile(
    # The name of the measure: ndcg, NDCG@10, 'ndcg_cut_5'; of trec_eval the query stands behind it.
    r"(?:(?:(?!ndcg).)*(?<![a-z])ndcg(?:_cut)?(?:[@_.]?(?P<cutoff>[0-9]{1,4}))?['\"]?"
    r"(?:\s*[:=]\s*|\s*\t\S+\t\s*|\s+(?:all\s+)?))?"
    # The figure: 0.9488, 94.88 %, np.float64(0.9488).
    r"(?:[a-z][a-z0-9_.]*+\()?(?P<figure>[^\s(){}\[\]%]++(?:\s?%)?)\)?",
    re.IGNORECASE,
)


class PrintedFigure(NamedTuple):
    """A figure as it was printed. is_in_percent: it was read as hundredths. cutoff: as its name says it."""

    text: str
    is_in_percent: bool = False
    cutoff: int | None = None

    @property
    def number(self) -> float:
        """The figure as a share."""
        if self.is_in_percent:
            return float(self.text) / 100
        return float(self.text)

    @property
    def decimals(self) -> int:
        """Of the share."""
        decimals = len(self.text.partition(".")[2])
        if self.is_in_percent:
            decimals += 2
        return decimals

    @property
    def signed_text(self) -> str:
        """The figure as it was printed, with its sign of percent."""
        return self.text + "%" * self.is_in_percent

    @property
    def share_text(self) -> str:
        """The share with as many decimals as were printed.

        >>> PrintedFigure("63.1", is_in_percent=True).share_text
        '0.631'
        """
        return f"{self.number:.{self.decimals}f}"


def cells_of(line: str) -> list[str]:
    """The cells of a line: parted by tabs; else by commas or by spaces, whichever leaves a number at its end.

    >>> cells_of("成都火锅\\t3\\t0.9"), cells_of("[3, 2, 0]"), cells_of("好吃，不贵 ３ 0.9")
    (['成都火锅', '3', '0.9'], ['3', '2', '0'], ['好吃，不贵', '３', '0.9'])
    """
    if "\t" in line:
        return [_with_decimal_point(cell) for cell in _without_empty_end(line.split("\t"))]
    if line.startswith("|"):
        return _cells_between_bars(line)
    csv_cells = _cells_in_quotes(line) or _cells_with_decimal_commas(line)
    if csv_cells:
        return csv_cells
    bare_line = _inside_brackets(line.rstrip(" 。"))
    space_separated_cells = bare_line.split()
    figure_texts = pieces_of(bare_line)
    is_row_of_figures = "、" in bare_line and are_figures(figure_texts)  # whatever other commas there are
    for row_cells in (_without_empty_end(_COMMA_PATTERN.split(bare_line)), space_separated_cells):
        if len(row_cells) > 1 and is_figure(row_cells[-1]) and not is_row_of_figures:
            return row_cells
    if figure_texts and is_figure(figure_texts[-1]):
        return figure_texts
    if len(space_separated_cells) > 1:
        return space_separated_cells
    return figure_texts


def _cells_between_bars(line: str) -> list[str]:
    """The cells of a row of a table in Markdown; none of the line below its header.

    >>> _cells_between_bars("| a b | 3 |"), _cells_between_bars("|:---|---:|")
    (['a b', '3'], [])
    """
    row_cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if all(map(_MARKDOWN_RULE_PATTERN.fullmatch, row_cells)):
        return []
    return row_cells


def _cells_in_quotes(line: str) -> list[str]:
    """The cells of a line of CSV with quotes around some of them; nothing for another line.

    >>> _cells_in_quotes('"a, b",3'), _cells_in_quotes('24" TV,3')
    (['a, b', '3'], [])
    """
    if not line.startswith('"') and ',"' not in line:
        return []
    try:
        [row_cells] = csv.reader([line], strict=True)
    except csv.Error:
        return []
    return row_cells if len(row_cells) > 1 else []


def _cells_with_decimal_commas(line: str) -> list[str]:
    """The cells of a line of CSV as half of Europe writes it; nothing for another line.

    Where no cell is without a comma, commas may part grades: `3,2;1,0` are four.

    >>> _cells_with_decimal_commas("a;3;0,9"), _cells_with_decimal_commas("3,2;1,0")
    (['a', '3', '0.9'], [])
    """
    row_cells = _without_empty_end(line.split(";"))
    if all("," in cell for cell in row_cells) or not any(map(DECIMAL_COMMA_PATTERN.fullmatch, row_cells)):
        return []
    return [cell.replace(",", ".") if DECIMAL_COMMA_PATTERN.fullmatch(cell) else cell for cell in row_cells]


def _with_decimal_point(cell_text: str) -> str:
    """A cell with a decimal comma; any other as it is, also where the comma may part thousands.

    >>> _with_decimal_point("0,9"), _with_decimal_point("1,900"), _with_decimal_point("3,2,1")
    ('0.9', '1,900', '3,2,1')
    """
    if DECIMAL_COMMA_PATTERN.fullmatch(cell_text) and not _FIGURE_WITH_THOUSANDS_PATTERN.fullmatch(cell_text):
        return cell_text.replace(",", ".")
    return cell_text


def pieces_of(separated_text: str) -> list[str]:
    """What stands between spaces, commas and ends of lines.

    >>> pieces_of("3 2，1、0,")
    ['3', '2', '1', '0']
    """
    return [piece for piece in _SEPARATOR_PATTERN.split(separated_text) if piece]


def figure_count_at_end(row_cells: Sequence[str]) -> int:
    """How many cells at the end of a line are figures.

    >>> figure_count_at_end(["iPhone", "15", "3"]), figure_count_at_end(["甜"])
    (2, 0)
    """
    return len([*takewhile(is_figure, reversed(row_cells))])


def are_figures(row_cells: Sequence[str]) -> bool:
    """Whether all of the cells are figures, as in a row without a title.

    >>> are_figures(["3", "-"]), are_figures(["iPhone", "15"])
    (True, False)
    """
    return all(map(is_figure, row_cells))


def is_figure(cell_text: str) -> bool:
    """Whether a cell looks like a grade or a score.

    >>> is_figure("３"), is_figure("-"), is_figure("甜")
    (True, True, False)
    """
    if len(cell_text) > LONGEST_NUMBER:
        return False
    narrow_cell_text = narrow_text(cell_text)
    return narrow_cell_text.lower() in UNJUDGED_CELLS or bool(_NUMBER_PATTERN.fullmatch(narrow_cell_text))


def grade_of(cell_text: str) -> Grade:
    """The grade in a cell, also one below 0, which some tools give to unjudged documents and others count as
    a loss; None for an unjudged document, as for one below all losses. Raises `Unreadable`.

    >>> grade_of("３"), grade_of("2.5"), grade_of("未标注"), grade_of("-1"), grade_of("-999")
    (3, 2.5, None, -1, None)
    """
    if narrow_text(cell_text).lower() in UNJUDGED_CELLS:
        return None
    grade = _number_of(cell_text, "甜度")
    if grade < -HIGHEST_GRADE:
        return None
    if grade > HIGHEST_GRADE:
        raise Unreadable(f"甜度“{excerpt(cell_text)}”太甜了：最多{HIGHEST_GRADE}")
    if grade == int(grade):
        return int(grade)
    return grade


def score_of(cell_text: str) -> float:
    """The score in a cell. Raises `Unreadable`.

    >>> score_of("－0.25")
    -0.25
    """
    score = _number_of(cell_text, "分数")
    if abs(score) > LARGEST_SCORE:
        raise Unreadable(f"分数“{excerpt(cell_text)}”太大了")
    return score + 0.0  # never -0.0


def read_printed(printed_text: str) -> PrintedFigure:
    """The figure of a text, as people copy it: alone, or behind the name of NDCG. Raises `Unreadable`.

    >>> read_printed(" ０。９５0 "), read_printed("63.1%").number
    (PrintedFigure(text='0.950', is_in_percent=False, cutoff=None), 0.631)
    >>> read_printed("9.50e-01").text, read_printed("'ndcg_cut_5': 0.9488,").cutoff
    ('0.950', 5)
    """
    if len(printed_text.strip()) > LONGEST_NAMED_FIGURE:
        raise Unreadable(FIGURE_TOO_LONG_SENTENCE)
    tidy_text = folded_text(printed_text, LONGEST_NAMED_FIGURE).replace("。", ".").replace("−", "-")
    printed_match = _PRINTED_FIGURE_PATTERN.fullmatch(tidy_text.rstrip(_SIGNS_BEHIND_FIGURES))
    if not printed_match:
        raise Unreadable(_no_figure_words(printed_text))
    shown_figure_text = printed_match["figure"]
    figure_text = _without_commas(shown_figure_text.removesuffix("%").strip())
    if len(figure_text) > LONGEST_FIGURE:
        raise Unreadable(FIGURE_TOO_LONG_SENTENCE)
    if not _FIGURE_PATTERN.fullmatch(figure_text):
        raise Unreadable(_no_figure_words(printed_text))
    if abs(float(figure_text)) > 1e6:
        raise Unreadable("这个数大得不像NDCG：NDCG一般在0和1之间。")
    cutoff = None
    if printed_match["cutoff"]:
        cutoff = int(printed_match["cutoff"])
    return PrintedFigure(_without_exponent(figure_text), shown_figure_text.endswith("%"), cutoff)


def _without_commas(figure_text: str) -> str:
    if _FIGURE_WITH_THOUSANDS_PATTERN.match(figure_text):
        figure_text = figure_text.replace(",", "")
    return figure_text.replace(",", ".")  # what is left of them are decimal commas


def _without_exponent(figure_text: str) -> str:
    if "e" not in figure_text.lower():
        return figure_text
    full_figure_text = f"{Decimal(figure_text):f}"
    if len(full_figure_text) > LONGEST_FIGURE:
        raise Unreadable(FIGURE_TOO_LONG_SENTENCE)
    return full_figure_text


def title_of(cell_text: str) -> str:
    """A title in one line, without what cannot be seen, and no longer than can be shown.

    >>> title_of(" 成都\\x00 火锅 ")
    '成都 火锅'
    """
    return printable_line_of(cell_text[: 2 * LONGEST_TITLE])[:LONGEST_TITLE].strip()


def printable_line_of(cell_text: str) -> str:
    """A cell in one line, without what cannot be seen, whole.

    >>> printable_line_of("成都\\u3000火锅\\xa0加\\x00辣")
    '成都 火锅 加辣'
    """
    # Wide and unbreakable spaces are not printable, but they part words.
    printable_tokens = ["".join(filter(str.isprintable, token)) for token in cell_text.split()]
    return " ".join(filter(None, printable_tokens))


def narrow_text(cell_text: str) -> str:
    """A cell with plain digits, letters and signs in place of wide ones."""
    return cell_text.strip().translate(_PLAIN_LETTERS).strip()


def excerpt(cell_text: str) -> str:
    """The begin of a cell, to name it."""
    return title_of(cell_text)[:20]


def _no_figure_words(printed_text: str) -> str:
    no_figure_sentence = "把别处印出来的那一个NDCG抄在这里，比如0.9488，或者ndcg@5: 0.9488。"
    if printed_text.strip():
        return f"看到的是“{excerpt(printed_text)}”。{no_figure_sentence}"
    return no_figure_sentence


def _number_of(cell_text: str, figure_name: str) -> float:
    narrow_cell_text = narrow_text(cell_text[:LONGEST_NUMBER])
    if len(cell_text) > LONGEST_NUMBER or not _NUMBER_PATTERN.fullmatch(narrow_cell_text):
        raise Unreadable(f"{figure_name}“{excerpt(cell_text)}”不是数")
    number = float(narrow_cell_text)
    if not math.isfinite(number):
        raise Unreadable(f"{figure_name}“{excerpt(cell_text)}”太大了")
    return number


def _inside_brackets(line: str) -> str:
    """The figures in the brackets of a list, or in any brackets around the whole line; else the line."""
    inner_texts = []
    stripped_line = line.strip(" ,;")
    if stripped_line and stripped_line[0] in _OPENING_BRACKETS and stripped_line[-1] in _CLOSING_BRACKETS:
        inner_texts.append(stripped_line[1:-1])
    opening_index, closing_index = line.find("["), line.rfind("]")
    if 0 <= opening_index < closing_index and not line[closing_index + 1 :].strip(" ),;}"):
        inner_texts.append(line[opening_index + 1 : closing_index])
    for inner_text in inner_texts:
        figures_text = inner_text.translate(_SPACES_FOR_BRACKETS).strip()
        figure_texts = pieces_of(figures_text)
        if figure_texts and are_figures(figure_texts):
            return figures_text
    return line


def _without_empty_end(row_cells: Sequence[str]) -> list[str]:
    stripped_cells = [cell.strip() for cell in row_cells]
    while stripped_cells and not stripped_cells[-1]:
        stripped_cells.pop()
    return stripped_cells
