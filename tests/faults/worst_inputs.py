"""The worst that the limits of the site admit, kind by kind: what takes longest to read or to draw."""

import io
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, urlencode

from tests.faults.visitors import FORM, with_file

SIDE = 2000
"""Characters of one side of a card."""
IMPORT_BYTES, OWN_BYTES, ROSTER_BYTES, FORM_BYTES = 200_000, 100_000, 2**20, 65_536
DENSE = ("![", "[", "  - a\n", "$a$", "[[dcg|", "**甜**", "<", "`a``")
"""Pieces of Markdown of which a text takes longest to draw."""


class WorstInput(NamedTuple):
    """A request: its kind in words, what it asks, and what it sends."""

    kind: str
    path: str
    body: bytes = b""
    media_type: str = ""

    @property
    def method(self) -> str:
        if self.media_type:
            return "POST"
        return "GET"


def worst_inputs(classroom: str, own: str) -> Iterator[WorstInput]:
    """All kinds, those of visitors first. `classroom`, `own`: the addresses of a class and of own content of
    the teacher who sends; a `{number}` in a path is another one each time."""
    yield from of_visitors()
    yield from of_teachers(classroom, own)


def of_visitors() -> Iterator[WorstInput]:
    """What needs no account."""
    tables = {f"rows of {piece!r}": f'"{repeated(piece, 150)}","{repeated(piece, 45)}"\n' for piece in DENSE}
    tables |= {
        "long rows": f'"{repeated("![", SIDE)}","{repeated("  - a", SIDE)}"\n',
        "wide tables": f'"{wide_table(SIDE)}","{wide_table(SIDE)}"\n',
        "short rows": "a,b\n",
        "quotes": '"',
        "HTML": "<b>a</b><br>&amp;,b\n",
        "escapes": "<",
    }
    for kind, row in tables.items():
        content = row.encode() * min(990, IMPORT_BYTES // len(row.encode()))
        yield sent_file(f"cards, {kind}", "/cards/imports", "cards.csv", content)
    yield posted("cards, pasted", "/cards/imports", text="a*b*,[c\n" * 990)
    for name, side in [("table", wide_table(SIDE)), *[(piece, repeated(piece, SIDE)) for piece in DENSE]]:
        yield posted(f"a card of {name!r}", "/cards/own", front=side, back=side, look="yes")
    yield WorstInput("many fields", "/cards/own", b"a=&" * (FORM_BYTES // 3 - 1), FORM)
    yield WorstInput("many escapes", "/cards/own", b"front=" + b"%F0" * (FORM_BYTES // 3 - 9), FORM)
    question = {"item": "practice-dcg-1", "seed": "1"}
    answers = {
        "a number of marks": {"try": "\u0301\u0316" * 5000, "answer": "3"},
        "an expression": {"try": "1", "answer": "(" * 20_000},
        "a sum": {"try": "1", "answer": "1+" * 10_000},
        "digits": {"try": "1", "answer": "9" * 60_000},
    }
    for kind, fields in answers.items():
        yield posted(f"an answer, {kind}", "/practice/dcg-1-1/responses", **question, **fields)
    yield posted("a name", "/accounts/sign-ins", login="甜" * 7000, password="甜" * 100)
    yield posted("a report", "/problem-reports", text="\x1b[0m" * 7000, item="practice-dcg-1")
    yield WorstInput("grades", f"/bands?{urlencode({'grades': '3,' * 15_000, 'k': '9' * 999})}")
    yield WorstInput("a search in the deck", f"/cards/all?q={quote('甜' * 3000)}&page=99999")
    yield WorstInput("a search", f"/search?q={quote('甜 a' * 2000)}")
    yield WorstInput(
        "a row of candies", f"/play?row={'3-' * 15_000}&k={'9' * 9000}&names={quote('甜' * 999)}"
    )
    yield WorstInput("many rows of candies", f"/play?{'row=3-2&' * 5000}")
    yield WorstInput(
        "a lab", f"/labs/lambdarank?{'grades=9&scores=1e9&' * 2000}k={'9' * 9000}&steps={'9' * 9000}"
    )
    yield WorstInput("ever new sheets", "/practice/ndcg/print?level=3&n=40&seed={number}")
    yield WorstInput("ever new questions", "/practice/ndcg?level=3&seed={number}")


def of_teachers(classroom: str, own: str) -> Iterator[WorstInput]:
    """What a teacher may send."""
    previews = f"{classroom}/roster-previews"
    lines = {
        "one line": b"," * (ROSTER_BYTES - 99),
        "empty lines": b"\n" * (ROSTER_BYTES - 99),
        "short lines": b"a\n" * (ROSTER_BYTES // 2 - 99),
        "quotes": b'"' * (ROSTER_BYTES - 99),
        "one cell": b"a" * (ROSTER_BYTES - 99),
        "marks": (("\u0301\u0316" * 125 + ",") * 3 + "\n").encode() * 690,
        "names": "".join(f"小糖{number},{number}\n" for number in range(200)).encode(),
        "many columns": (b"a," * 520 + b"\n") * 1000,
        "gb18030": "糖\n".encode("gb18030") * (ROSTER_BYTES // 3 - 99),
    }
    for kind, content in lines.items():
        yield sent_file(f"a roster, {kind}", previews, "roster.csv", content)
    yield sent_file("a roster, a full sheet", previews, "roster.xlsx", workbook(990, 59))
    yield sent_file("a roster, far cells", previews, "roster.xlsx", workbook(2, 2, far=(15_000, 60)))
    for kind, text in own_texts().items():
        yield posted(f"own content, {kind}", "/own/previews", text=text[:OWN_BYTES])
    yield WorstInput("own content, its page", own)
    yield WorstInput("own content, its lesson", f"{own}/lessons/part-1")
    yield WorstInput("own content, a question", f"{own}/items/a1")
    yield WorstInput("own content, many fields", "/own/previews", b"a=&" * 100_000, FORM)


def own_texts() -> dict[str, str]:
    """Own content within all its limits, but for some that break one at their end."""
    options = "".join(f"      - text: a{number}\n" for number in range(24))
    head = "title: 甜\nskill: dcg\nitems:\n"
    return {
        "items": head + items(25, repeated("![", 3800), "    answer: true\n"),
        "options": head + items(60, "$a$" * 200, f"    options:\n{options}"),
        "tables": head + items(25, wide_table(1100), "    answer: true\n"),
        "lists": head + items(25, repeated("  - a\n", 1500), "    answer: true\n"),
        "short nodes": "a: [" + "[],\n" * 25_000,
        "dense nodes": "".join(f"k{number}: [{'[1], ' * 24}]\n" for number in range(106)),
        "keys": "title: 甜\n" + "".join(f"k{number}: a\n" for number in range(9000)),
        "faults": head + "".join(f"  a{number}: 3\n" for number in range(60)),
        "brackets": "[" * 99_000,
        "comments": "#\n" * 49_000,
    }


def items(count: int, stem: str, fields: str) -> str:
    return "".join(item(f"a{number}", f"{number}{stem}", fields) for number in range(count))


def item(name: str, stem: str, fields: str) -> str:
    block = "".join(f"      {line}\n" for line in stem.split("\n"))
    return f"  {name}:\n    stem: |\n{block}{fields}"


def wide_table(most: int) -> str:
    """A table with a wide head and rows of one sign, each of which is drawn as wide."""
    head = "|" + "a|" * 22 + "\n|" + "-|" * 22 + "\n"
    return head + "|\n" * ((most - len(head)) // 2)


def workbook(rows: int, columns: int, far: tuple[int, int] | None = None) -> bytes:
    """A sheet of words, and perhaps one more that stands far away."""
    import xlsxwriter  # type: ignore[import-untyped]

    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row in range(rows):
            sheet.write_row(row, 0, [f"糖{row}{column}" for column in range(columns)])
        if far:
            sheet.write(*far, "糖")
    return content.getvalue()


def repeated(piece: str, most: int) -> str:
    return piece * (most // len(piece))


def posted(kind: str, path: str, **fields: str) -> WorstInput:
    return WorstInput(kind, path, urlencode(fields).encode(), FORM)


def sent_file(kind: str, path: str, name: str, content: bytes) -> WorstInput:
    return WorstInput(kind, path, *with_file(name, content))
