"""Word files made for tests, as Word writes them: a zip with a document, its lists and its styles."""

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
NAMESPACES = f'xmlns:w="{W}" xmlns:m="{M}"'
PICTURE = "<w:r><w:drawing><inline/></w:drawing></w:r>".replace("<inline/>", "<w:t>图里的字</w:t>")


def zipped(parts: Mapping[str, bytes | str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def docx(
    *paragraphs: str, numbering: str = "", styles: str = "", more: Mapping[str, str | bytes] | None = None
) -> bytes:
    """A document of these paragraphs; plain text stands in one run. `more`: other parts of the file."""
    body = "".join(part if part.startswith("<") else para(part) for part in paragraphs)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
    }
    if numbering:
        parts["word/numbering.xml"] = f"<w:numbering {NAMESPACES}>{numbering}</w:numbering>"
    if styles:
        parts["word/styles.xml"] = f"<w:styles {NAMESPACES}>{styles}</w:styles>"
    return zipped(parts | dict(more or {}))


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def symbol(font: str, code: str) -> str:
    """A sign by its place in a font."""
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def para(*runs: str, number: tuple[int, int] | None = None, style: str = "") -> str:
    """A paragraph; `number`: its list and its level there."""
    inner = "".join(part if part.startswith("<") else run(part) for part in runs)
    properties = ""
    if style:
        properties += f'<w:pStyle w:val="{style}"/>'
    if number:
        list_id, level = number
        properties += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def level(place: int, style: str, pattern: str, start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{place}"><w:start w:val="{start}"/><w:numFmt w:val="{style}"/>'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


def counted(kind: int, *levels: str) -> str:
    """What a list counts like."""
    return f'<w:abstractNum w:abstractNumId="{kind}">{"".join(levels)}</w:abstractNum>'


def listed(list_id: int, kind: int, restart: bool = False) -> str:
    """A list that counts so; with `restart` from its beginning."""
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>' if restart else ""
    return f'<w:num w:numId="{list_id}"><w:abstractNumId w:val="{kind}"/>{override}</w:num>'


def table(*rows: tuple[str, ...]) -> str:
    lines = []
    for row in rows:
        cells = "".join(f"<w:tc>{cell if cell.startswith('<') else para(cell)}</w:tc>" for cell in row)
        lines.append(f"<w:tr>{cells}</w:tr>")
    return f"<w:tbl>{''.join(lines)}</w:tbl>"


def math(inner: str) -> str:
    return f"<m:oMath>{inner}</m:oMath>"


def sign(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def frac(top: str, bottom: str) -> str:
    return f"<m:f><m:num>{top}</m:num><m:den>{bottom}</m:den></m:f>"
