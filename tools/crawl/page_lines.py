"""What people, their tools and htmx notice of a page, as lines in the order of reading."""

import hashlib
import re

from .elements import Element, word_set

BLOCK_TAGS = word_set(
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main math nav ol option p pre "
    "section select summary svg table tbody td textarea tfoot th thead title tr ul"
)
"""Elements that end a line of text; whether a block is a `div` or a `section` nobody sees."""
MEANINGFUL_TAGS = word_set(
    "a button caption dd details dialog dt form h1 h2 h3 h4 h5 h6 img input label legend li ol option "
    "select summary table td textarea th title tr ul"
)
"""Elements that mean something to people, and are written down even without attributes."""
NOTICED_ATTRIBUTES = word_set(
    "accept action alt autocomplete checked colspan content dir disabled download enctype for form "
    "formaction formmethod headers hidden href http-equiv id inert inputmode lang list max maxlength "
    "method min minlength multiple name open pattern placeholder readonly rel required role rowspan "
    "scope selected size src step style tabindex target title type value"
)
SELECTOR_ATTRIBUTES = word_set(
    "hx-target hx-select hx-include hx-indicator hx-disabled-elt hx-swap-oob hx-sync"
)


def page_lines(page: Element) -> list[str]:
    writer = PageLines()
    writer.add(page)
    writer.flush()
    return writer.lines


class PageLines:
    """The lines of a page in the order of reading."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pending_texts: list[str] = []

    def flush(self) -> None:
        text = " ".join("".join(self.pending_texts).split())
        self.pending_texts.clear()
        if text:
            self.lines.append(without_chance(text))

    def add(self, element: Element) -> None:
        if element.tag == "style" or (element.tag == "script" and element.get("type") != "application/json"):
            self.add_script(element)
            return
        if element.tag == "svg":
            self.add_drawing(element)
            return
        attributes = noticed_attributes(element)
        is_block = element.tag in BLOCK_TAGS or element.tag in MEANINGFUL_TAGS
        if attributes or is_block:
            self.flush()
        if attributes or element.tag in MEANINGFUL_TAGS:
            self.lines.append(f"<{' '.join([element.tag, *attributes])}>")
        self.add_children(element)
        if attributes or is_block:
            self.flush()
        if element.tag in ("form", "table", "select"):
            self.lines.append(f"</{element.tag}>")

    def add_children(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self.pending_texts.append(child)
            else:
                self.add(child)

    def add_script(self, element: Element) -> None:
        if element.get("src"):
            self.flush()
            self.lines.append(without_chance(f"<script {element.get('src')}>"))

    def add_drawing(self, element: Element) -> None:
        """A drawing: its texts and its names as they are, its shapes as a digest."""
        self.flush()
        shapes = hashlib.sha256()
        for part in element.walk():
            pairs = sorted(part.attributes.items())
            geometry = [f"{name}={value}" for name, value in pairs if is_geometry(name)]
            shapes.update(" ".join([part.tag, *geometry, ""]).encode())
            attributes = noticed_attributes(part)
            if attributes:
                self.lines.append(f"<{' '.join([part.tag, *attributes])}>")
        if element.text:
            self.lines.append(without_chance(element.text))
        self.lines.append(f"drawing {shapes.hexdigest()[:12]}")


def is_geometry(name: str) -> bool:
    return name not in ("class", "id", "style") and not name.startswith(("aria-", "data-", "hx-"))


def noticed_attributes(element: Element) -> list[str]:
    """The attributes that people, their tools or htmx notice."""
    if element.tag == "meta" and element.get("name") == "htmx-config":
        return ["htmx-config", element.get("content")]
    attributes = []
    for name, value in sorted(element.attributes.items()):
        if name in NOTICED_ATTRIBUTES or name.startswith(("aria-", "hx-", "data-hx-")):
            attributes.append(f'{name}="{comparable_value(name, value)}"')
    return attributes


def comparable_value(name: str, value: str) -> str:
    """Selectors may name classes, and styles may name properties of our own: such names are not compared."""
    if name.removeprefix("data-") in SELECTOR_ATTRIBUTES:
        value = re.sub(r"\.-?[a-zA-Z_][\w-]*", ".class", value)
    if name == "style":
        value = re.sub(r"--[\w-]+", "--property", value)
    if value.startswith("data:"):
        value = f"data {hashlib.sha256(value.encode()).hexdigest()[:12]}"
    return without_chance(" ".join(value.split()))


LONG_RANDOM_WORD = r"(?<![\w-])(?:(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{24,})"


def without_chance(text: str) -> str:
    """Without what differs though nothing changed: hashes in names of assets, tokens, digests.

    >>> without_chance("/static/vendor/htmx-2.0.11.min.d6fdc75f20.js")
    '/static/vendor/htmx-2.0.11.min.js'
    >>> without_chance("8YC5a87Ns8ggViFj6QJIhkKgkvD72A80")
    '<token>'
    """
    text = re.sub(r"(/static/[\w./-]+?)\.[0-9a-f]{10}(\.\w+)", r"\1\2", text)
    text = re.sub(r"\b[0-9a-f]{32,}\b", "<digest>", text)
    return re.sub(LONG_RANDOM_WORD, hidden_token, text, flags=re.ASCII)


def hidden_token(match: re.Match[str]) -> str:
    """Of a long word that a person could have written, nothing is hidden."""
    return match[0] if match[0].count("-") > 4 else "<token>"
