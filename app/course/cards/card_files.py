"""Cards in and out of files: tables of CSV or TSV, and packages that Anki opens."""

import re
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from typing import NamedTuple

import nh3

from app.course.text import csv_tables, sandbox
from app.course.text.card_markdown import LONGEST_SIDE, fault_of_sides
from app.course.text.untrusted import decode_text

MOST_ROWS = 1000
TOO_MANY_ROWS_FORMAT = f"有{{}}行，一次最多{MOST_ROWS}行，分几次来。"
MOST_FILE_BYTES = 200_000
FILE_ENCODINGS = ("utf-8", "gb18030", "utf-16-le")
"""A text is as long as its shortest file: what was read from a file comes once more as a text."""
LONGEST_CELL = 4 * LONGEST_SIDE
"""Characters of a cell, where HTML may be longer than what it says."""
MOST_READING_SECONDS = 5.0
"""Of work for one file: a thousand usual cards take less than one."""
OUR_HEADINGS = {"正面", "背面", "卡片"}
"""In the head of a table that a deck was written to: what stands in its cells is Markdown already."""
FIELD_BY_HEADING = {
    "正面": "front", "front": "front", "问题": "front", "question": "front",
    "背面": "back", "back": "back", "答案": "back", "answer": "back",
    "标签": "tags", "tags": "tags", "卡片": "card_name", "card": "card_name",
}  # fmt: skip
"""What the head of a table may call a field."""
ANKI_HEAD_LINE_PATTERN = re.compile(
    r"#(separator|html|columns|notetype|deck|tags|if matches|(?:notetype|deck|tags|guid) column):(.*)"
)
"""What Anki writes above the rows of a text file."""
SEPARATOR_BY_NAME = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
TAG_NAMES = "|".join(sorted(nh3.ALLOWED_TAGS | {"script", "style", "font", "input", "iframe", "svg"}))
REST_OF_TAG = rf"/?(?:{TAG_NAMES})(?:\s*/?>|\s+[a-z-]+\s*=)"
TAG_OPENING_PATTERN = re.compile(f"<(?={REST_OF_TAG})", re.IGNORECASE)
"""Where a tag of HTML begins. In `a<b，c>d` none does."""
LESS_THAN_SIGN_PATTERN = re.compile(f"<(?!{REST_OF_TAG})", re.IGNORECASE)
"""Where none does."""
ANKI_BRACKETS = ((r"\(", r"\)"), (r"\[", r"\]"))
"""Around a formula of Anki."""
ANKI_MODEL_ID, ANKI_DECK_ID = 1_742_026_091, 1_742_026_000
"""Never to be changed: by these Anki knows our notes again."""
NOTE_FIELDS = [{"name": "正面"}, {"name": "背面"}]
NOTE_TEMPLATE = {"name": "卡片", "qfmt": "{{正面}}", "afmt": '{{FrontSide}}<hr id="answer">{{背面}}'}
CARD_CSS = ".card { font: 20px/1.7 system-ui, sans-serif; max-width: 34rem; margin: auto; padding: 1rem; }"


class CardFileRow(NamedTuple):
    """A row of a table: where it stands, what it says, what is wrong with it. `card_name`: of the card
    that it was; `guid`: by which Anki knows its note, where it says that."""

    line_number: int
    front: str
    back: str
    tags: str
    card_name: str = ""
    guid: str = ""
    fault: str = ""


PACKED_FILE_BEGINNING = b"PK\x03\x04"
"""The first bytes of a package of Anki, and of an Excel file."""
PACKED_FILE_FAULT = (
    "这里只认文字。Anki卡片包（.apkg）先在Anki里导出成纯文本（.txt），Excel表格先另存为CSV，再传过来。"
)


class UnfitFile(ValueError):
    """A whole file that cannot be taken, with the reason."""


def decode_file(file_bytes: bytes) -> str:
    """The text of a file: UTF-8, or what a Chinese Excel saves.

    >>> decode_file("折损".encode("gb18030"))
    '折损'
    """
    if file_bytes.startswith(PACKED_FILE_BEGINNING):
        raise UnfitFile(PACKED_FILE_FAULT)
    if len(file_bytes) > MOST_FILE_BYTES:
        raise UnfitFile(f"文件太大了：最多{MOST_FILE_BYTES // 1000}KB，分几次来。")
    file_text = decode_text(file_bytes)
    if file_text is None:
        raise UnfitFile("认不出这个文件的编码：另存为UTF-8的CSV再试。")
    return file_text


class CellsInLine(NamedTuple):
    """The cells of a row, and the line where it begins."""

    line_number: int
    cells: Sequence[str]


def read_card_rows(file_text: str, tidy_tags: Callable[[str], str]) -> Sequence[CardFileRow]:
    """The rows of a table, each with line and fault. A head names the columns; else front, back, tags.

    They are counted before the first is drawn, and no file is worked at for longer than
    `MOST_READING_SECONDS`.

    >>> [row] = read_card_rows("正面,背面\\n几折？,对折", str)
    >>> row.line_number, row.front, row.back
    (2, '几折？', '对折')
    """
    if all(len(file_text.encode(encoding)) > MOST_FILE_BYTES for encoding in FILE_ENCODINGS):
        raise UnfitFile(f"太长了：最多{MOST_FILE_BYTES // 1000}KB，分几次来。")
    anki_head, table_text = anki_head_and_table_text(file_text)
    column_index_by_field = column_index_by_field_of(anki_head)
    table_rows = _table_rows_of(
        table_text, separator_of(anki_head, table_text), file_text.removesuffix(table_text).count("\n")
    )
    markdown_of_cell: Callable[[str], str] = partial(
        cell_as_markdown, is_html=anki_head.get("html") != "false"
    )
    while table_rows and (index_by_field_in_row := _index_by_field_in_row(table_rows[0].cells)):
        column_index_by_field = index_by_field_in_row
        if OUR_HEADINGS.issubset(table_rows[0].cells):
            markdown_of_cell = csv_tables.without_formula_sign
        table_rows = table_rows[1:]
    if not table_rows:
        raise UnfitFile("里面一张卡片也没有：每行先写正面，再写背面，中间用逗号或者Tab隔开。")
    if len(table_rows) > MOST_ROWS:
        raise UnfitFile(TOO_MANY_ROWS_FORMAT.format(len(table_rows)))
    card_rows = []
    deadline = time.thread_time() + MOST_READING_SECONDS
    for line_number, cells in table_rows:
        if time.thread_time() > deadline:
            raise UnfitFile(f"读到第{line_number}行还没读完：格子里的写法太复杂了，分几次来。")
        card_rows.append(
            _card_file_row(line_number, cells, column_index_by_field, tidy_tags, markdown_of_cell)
        )
    return card_rows


def _table_rows_of(table_text: str, separator: str, line_count_above: int) -> Sequence[CellsInLine]:
    """The rows with something in them, as they stand in the file; UnfitFile where a quote is missing."""
    try:
        csv_reading = csv_tables.read(table_text, separator)
    except sandbox.ProgramStopped as error:
        raise UnfitFile("这张表读不下去：也许太大，也许坏了。分几次来。") from error
    if csv_reading.broken_line_number:
        raise UnfitFile(
            f"第{line_count_above + csv_reading.broken_line_number}行起读不下去：多半是少了一个引号。"
        )
    if csv_reading.row_count > len(csv_reading.rows):
        raise UnfitFile(TOO_MANY_ROWS_FORMAT.format(csv_reading.row_count))
    return [CellsInLine(line_count_above + line_number, cells) for line_number, cells in csv_reading.rows]


def anki_head_and_table_text(remaining_text: str) -> tuple[dict[str, str], str]:
    """What stands above the rows, and the rows.

    >>> anki_head_and_table_text("#separator:tab\\n#html:true\\n#1\\t一")
    ({'separator': 'tab', 'html': 'true'}, '#1\\t一')
    """
    anki_head: dict[str, str] = {}
    while head_line_match := ANKI_HEAD_LINE_PATTERN.match(remaining_text):
        anki_head[head_line_match[1]] = head_line_match[2]
        remaining_text = remaining_text.partition("\n")[2]
    return anki_head, remaining_text


def separator_of(anki_head: Mapping[str, str], table_text: str) -> str:
    """What stands between two cells, by the head; else a tab where the first row has one; else a comma.

    >>> separator_of({"separator": "Semicolon"}, "")
    ';'
    >>> separator_of({}, "几折？\\t对折"), separator_of({}, "几折？")
    ('\\t', ',')
    """
    if "separator" in anki_head:
        separator = anki_head["separator"]
        return SEPARATOR_BY_NAME.get(separator.lower(), separator[:1] or ",")
    first_line = table_text.lstrip("\n").partition("\n")[0]
    return "\t" if "\t" in first_line else ","


def column_index_by_field_of(anki_head: Mapping[str, str]) -> dict[str, int]:
    """Which column holds which field, by what stands above; else front, back, tags.

    >>> column_index_by_field_of({"guid column": "1", "tags column": "4"})
    {'front': 1, 'back': 2, 'tags': 3, 'guid': 0}
    """
    index_by_field_in_row = _index_by_field_in_row(re.split("[\t,;|]", anki_head.get("columns", "")))
    if index_by_field_in_row:
        return index_by_field_in_row
    column_index_by_head_name: dict[str, int] = {}
    for column_name, column_number_text in anki_head.items():
        if re.fullmatch("[1-9][0-9]?", column_number_text):
            column_index_by_head_name[column_name] = int(column_number_text) - 1
    free_column_indexes = set(range(len(column_index_by_head_name) + 3)).difference(
        column_index_by_head_name.values()
    )
    front_column_index, back_column_index, tags_column_index, *_ = sorted(free_column_indexes)
    column_index_by_field = {
        "front": front_column_index,
        "back": back_column_index,
        "tags": column_index_by_head_name.get("tags column", tags_column_index),
    }
    if "guid column" in column_index_by_head_name:
        column_index_by_field["guid"] = column_index_by_head_name["guid column"]
    return column_index_by_field


def _index_by_field_in_row(cells: Sequence[str]) -> dict[str, int] | None:
    """Which column holds which field, where a row names front and back; None where it does not."""
    column_index_by_field: dict[str, int] = {}
    for column_index, cell in enumerate(cells):
        field_name = FIELD_BY_HEADING.get(cell.strip().lower())
        if field_name:
            column_index_by_field[field_name] = column_index
    if "front" in column_index_by_field and "back" in column_index_by_field:
        return column_index_by_field
    return None


def _card_file_row(
    line_number: int,
    cells: Sequence[str],
    column_index_by_field: Mapping[str, int],
    tidy_tags: Callable[[str], str],
    markdown_of_cell: Callable[[str], str],
) -> CardFileRow:
    text_by_field = {"front": "", "back": "", "tags": "", "card_name": "", "guid": ""}
    row_fault_sentence = ""
    for field_name, column_index in column_index_by_field.items():
        if column_index >= len(cells):
            continue
        cell_text = cells[column_index]
        if field_name == "guid":  # no text: `&` and `<` in it are themselves
            text_by_field["guid"] = cell_text
            continue
        if len(cell_text) > LONGEST_CELL:
            row_fault_sentence = (
                f"这一格有{len(cell_text)}个字，太长了：一面最多{LONGEST_SIDE}字。一张卡只记一件事。"
            )
            cell_text = cell_text[:LONGEST_SIDE]
        text_by_field[field_name] = markdown_of_cell(cell_text)
    row_fault_sentence = (
        row_fault_sentence or fault_of_sides(text_by_field["front"], text_by_field["back"]).sentence
    )
    if len(cells) < 2:
        row_fault_sentence = "只有一列：正面和背面中间要有逗号或者Tab。"
    text_by_field["tags"] = tidy_tags(text_by_field["tags"])
    return CardFileRow(line_number, fault=row_fault_sentence, **text_by_field)


def cell_as_markdown(cell_text: str, is_html: bool = True) -> str:
    r"""A cell as Markdown: HTML goes, what it says stays; Anki's formulas become ours.

    >>> cell_as_markdown("<b>几</b>折？<br>\\(k=3\\)<script>alert(1)</script>"), cell_as_markdown("'=1+1")
    ('几折？\n$k=3$', '=1+1')
    >>> cell_as_markdown("若a<b，c>d怎样？"), cell_as_markdown("a<b 且 c>d &amp; e")
    ('若a<b，c>d怎样？', 'a<b 且 c>d & e')
    >>> cell_as_markdown("<b>", is_html=False)
    '<b>'
    """
    cell_markdown = cell_text.strip()
    if is_html and (
        TAG_OPENING_PATTERN.search(cell_markdown) or re.search(r"&(?:[a-z]+|#[0-9]+);", cell_markdown)
    ):
        cell_markdown = re.sub(r"<(br|/p|/div|/li)\b[^<>]*>", "\n", cell_markdown, flags=re.IGNORECASE)
        cell_markdown = LESS_THAN_SIGN_PATTERN.sub("&lt;", cell_markdown)
        cell_markdown = unescape(
            nh3.clean(cell_markdown, tags=set(), clean_content_tags={"script", "style"})
        ).strip()
    cell_markdown = "\n".join(map(with_dollar_formulas, cell_markdown.split("\n")))
    return csv_tables.without_formula_sign(cell_markdown)


def with_dollar_formulas(line: str) -> str:
    r"""A line with Anki's formulas as ours; each sign is looked for once, also where none is ever closed.

    >>> with_dollar_formulas(r"\(k=3\)，\[ n \]"), with_dollar_formulas(r"\(\(a\) b \(")
    ('$k=3$，$n$', '$\\(a$ b \\(')
    """
    for opening_bracket, closing_bracket in ANKI_BRACKETS:
        markdown_pieces = []
        last_formula_end_index = 0
        while (formula_start_index := line.find(opening_bracket, last_formula_end_index)) >= 0:
            formula_end_index = line.find(closing_bracket, formula_start_index + len(opening_bracket) + 1)
            if formula_end_index < 0:
                break
            latex = line[formula_start_index + len(opening_bracket) : formula_end_index].strip()
            markdown_pieces += [line[last_formula_end_index:formula_start_index], f"${latex}$"]
            last_formula_end_index = formula_end_index + len(closing_bracket)
        line = "".join([*markdown_pieces, line[last_formula_end_index:]])
    return line


class AnkiNote(NamedTuple):
    """A card for Anki. `note_key`: the same note at every export. Both sides are HTML with MathJax."""

    note_key: str
    front: str
    back: str
    deck_name: str
    tags: Sequence[str]


def anki_guid(note_key: str) -> str:
    """By which Anki knows a note of ours again.

    >>> anki_guid("content:rank")
    'uitLXd8T,z'
    """
    import genanki

    guid: str = genanki.guid_for("tangxu", note_key)
    return guid


def anki_package(anki_notes: Iterable[AnkiNote], built_at: float) -> bytes:
    """An `.apkg`: imported a second time it updates its notes instead of doubling them."""
    import genanki

    note_type = genanki.Model(
        ANKI_MODEL_ID, "糖序", fields=NOTE_FIELDS, templates=[NOTE_TEMPLATE], css=CARD_CSS
    )
    deck_by_name: dict[str, genanki.Deck] = {}
    for anki_note in anki_notes:
        deck = deck_by_name.setdefault(
            anki_note.deck_name, genanki.Deck(_deck_id(anki_note.deck_name), anki_note.deck_name)
        )
        anki_tags = [re.sub(r"\s+", "_", tag) for tag in anki_note.tags]
        sides, guid = [anki_note.front, anki_note.back], anki_guid(anki_note.note_key)
        deck.add_note(genanki.Note(model=note_type, fields=sides, tags=anki_tags, guid=guid))
    with tempfile.TemporaryDirectory() as temporary_folder:
        package_path = Path(temporary_folder) / "tangxu.apkg"
        genanki.Package(list(deck_by_name.values())).write_to_file(package_path, timestamp=built_at)
        return package_path.read_bytes()


def _deck_id(deck_name: str) -> int:
    """The number by which Anki knows a deck again."""
    return ANKI_DECK_ID + zlib.crc32(deck_name.encode()) % 1_000_000
