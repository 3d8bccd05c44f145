"""Pages as trees of elements."""

from collections.abc import Iterator
from html.parser import HTMLParser


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID_TAGS = word_set("area base br col embed hr img input link meta source track wbr")


class Element:
    """An element with its attributes and what stands inside."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Element | None" = None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element | str] = []

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def walk(self) -> Iterator["Element"]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, *tags: str) -> "list[Element]":
        return [element for element in self.walk() if element.tag in tags]

    @property
    def text(self) -> str:
        return " ".join("".join(self.strings()).split())

    def strings(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child.strings()


class TreeBuilder(HTMLParser):
    """Makes the tree; an element that is never closed ends with what holds it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open_element = Element("#document", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open_element)
        self.open_element.children.append(element)
        if tag not in VOID_TAGS:
            self.open_element = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.open_element)
        self.open_element.children.append(element)

    def handle_endtag(self, tag: str) -> None:
        closed: Element | None = self.open_element
        while closed is not None and closed.tag != tag:
            closed = closed.parent
        if closed is not None and closed.parent is not None:
            self.open_element = closed.parent

    def handle_data(self, data: str) -> None:
        self.open_element.children.append(data)


def parsed_page(text: str) -> Element:
    builder = TreeBuilder()
    builder.feed(text)
    builder.close()
    return builder.root
