"""Tables of CSV. Those of strangers are read: short ones in place, long ones in a process of their own; ours
are written for spreadsheets.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.course.text import csv_reader, sandbox
from app.course.text.csv_reader import CsvReading

CSV_READER = Path(csv_reader.__file__)
LONGEST_READ_IN_PLACE = 20_000
"""Characters of a table that is read in place: that takes 10 ms, whatever is in it, and a process 60 ms to
start. Two hundred students are some 6000."""
UTF8_MARK = "\ufeff"
"""By which spreadsheets know the encoding of a file."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for a formula at the beginning of a cell, some also in full width."""
FORMULA_SIGN = "'"
"""Before such a cell: a spreadsheet then takes it for text."""
TEXT_FORMULA_PATTERN = re.compile('="([^"]*)"')
"""How other programs write a cell that a spreadsheet shall take for text."""
TAB_PATTERN = r'(?<=[^,;，；])(?<!^")(?<![,;，；]")\t(?=[^,;，；\r])(?!"\r?$)(?!"[,;，；])'
PATTERN_BY_SEPARATOR = {",": ",", "\t": TAB_PATTERN, ";": ";", "，": "，", "；": "；"}
"""How what stands between two cells is known. A tab that begins or ends a line, or a cell between others,
also within its quotes, only keeps a number from being taken for a quantity."""
ROUNDED_NUMBER_PATTERN = re.compile(r"[0-9](\.[0-9]+)?[eE]\+?[0-9]+")
"""What Excel leaves of a long number that it took for a quantity."""
MONTH_NAMES = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
DATE_PATTERN = re.compile(
    r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+"
    r"|([0-9]{4}年)?[0-9]{1,2}月([0-9]{1,2}日)?"
    rf"|[0-9]{{1,2}}-{MONTH_NAMES}|{MONTH_NAMES}-[0-9]{{2}}"
)
"""What it makes of a number with a dash or a stroke in it that it took for a date."""


def read(table_text: str, separator: str) -> CsvReading:
    """The rows of a table; raises `sandbox.ProgramStopped` where reading it took too much.

    >>> read("小糖;01", ";").rows
    [(1, ['小糖', '01'])]
    """
    if len(table_text) <= LONGEST_READ_IN_PLACE:
        return csv_reader.read(table_text, separator)
    reader_input = f"{separator}{table_text}".encode("utf-8", "surrogatepass")
    return CsvReading(*sandbox.json_output(CSV_READER, reader_input))


def separator_of_lines(table_lines: Sequence[str]) -> str:
    """What stands between two cells of a table: what most of its lines have; a tab, which nobody types within
    a cell, before all others; then what is most frequent.

    >>> separator_of_lines(["请核对，有误", "01\\t小糖", "02\\t小序"]), separator_of_lines(["小糖;01;8,5"])
    ('\\t', ';')
    """
    sort_key_by_separator = {}
    for separator, separator_pattern in PATTERN_BY_SEPARATOR.items():
        separator_counts = [len(re.findall(separator_pattern, line)) for line in table_lines]
        line_count = sum(map(bool, separator_counts))
        is_tab_used = separator == "\t" and line_count > 0
        sort_key_by_separator[separator] = (line_count, is_tab_used, sum(separator_counts))
    return max(sort_key_by_separator, key=sort_key_by_separator.__getitem__)


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """CSV that spreadsheets open as it is meant: with a mark of UTF-8, and no cell taken for a formula.

    >>> csv_text([["a", "=1+1", None]])
    "\\ufeffa,'=1+1,\\r\\n"
    """
    csv_file = io.StringIO()
    csv_file.write(UTF8_MARK)
    csv_writer = csv.writer(csv_file)
    for table_row in rows:
        csv_writer.writerow([_with_formula_sign(cell_value) for cell_value in table_row])
    return csv_file.getvalue()


def _with_formula_sign(cell_value: object) -> str:
    """A value as the text of a cell that is no formula. One that has the sign already gets another: both come
    back as they were."""
    cell_text = "" if cell_value is None else str(cell_value)
    if cell_text.lstrip(FORMULA_SIGN).startswith(FORMULA_SIGNS):
        return FORMULA_SIGN + cell_text
    return cell_text


def without_formula_sign(cell_text: str) -> str:
    """A cell as it was before `csv_text` wrote it.

    >>> without_formula_sign("'=1+1"), without_formula_sign("''=1+1"), without_formula_sign("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    if cell_text.lstrip(FORMULA_SIGN).startswith(FORMULA_SIGNS):
        return cell_text.removeprefix(FORMULA_SIGN)
    return cell_text


def without_text_signs(cell_text: str) -> str:
    """A cell without what keeps spreadsheets from taking it for a number or a formula.

    >>> without_text_signs('="007"'), without_text_signs("'-007"), without_text_signs('"007"')
    ('007', '-007', '"007"')
    """
    text_formula_match = TEXT_FORMULA_PATTERN.fullmatch(cell_text)
    if text_formula_match:
        return text_formula_match[1]
    return without_formula_sign(cell_text)


def spreadsheet_change_words(cell_text: str) -> str:
    """What a spreadsheet made of a number that was to be text; empty where it left it alone.

    >>> spreadsheet_change_words("2026/1/5"), spreadsheet_change_words("2026-1-05")
    ('被Excel当成了日期', '')
    """
    if ROUNDED_NUMBER_PATTERN.fullmatch(cell_text):
        return "被Excel当成数，后几位丢了"
    if DATE_PATTERN.fullmatch(cell_text):
        return "被Excel当成了日期"
    return ""
