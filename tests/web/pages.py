"""Pages as a reader without a script meets them: a small tree of elements, and what their forms send."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

VOID = {
    "area",
    "base",
    "br",
    "col",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "use",
    "wbr",
    "rect",
    "path",
    "circle",
}
TEXTS = {"text", "hidden", "search", "password", "datetime-local"}

TAG = re.compile(
    r"""<!--.*?-->|<!doctype[ ]html>|</([a-z][a-z0-9-]*)>
    |<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*')?)*)\s*(/?)>""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
ATTRIBUTE = re.compile(r"""([^\s=]+)(?:="([^"]*)"|='([^']*)')?""")

Fields = list[tuple[str, str]]


class Element:
    """An element with its attributes and what stands inside."""

    __slots__ = ("attributes", "children", "end", "first", "page_elements", "parent", "tag")

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: "Element | None" = None) -> None:
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children: list[Element | str] = []
        self.page_elements: list[Element] = [] if parent is None else parent.page_elements
        self.first = self.end = 0

    def __repr__(self) -> str:
        return self.html[:200]

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def inside(self) -> list["Element"]:
        """Every element in here, in the order of the document: a part of those of its page."""
        return self.page_elements[self.first : self.end]

    @property
    def around(self) -> Iterator["Element"]:
        """The elements that this one stands in, the nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Elements with this tag and these attributes; `_` in a name is `-`, a class is one of several."""
        expected = [(name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items()]
        return [element for element in self.inside if tag in ("", element.tag) and element.fits(expected)]

    def one(self, tag: str = "", **attributes: str) -> "Element":
        elements = self.all(tag, **attributes)
        assert len(elements) == 1, f"{len(elements)} × {tag} {attributes} in {self.text[:300]}"
        return elements[0]

    def fits(self, expected: Fields) -> bool:
        """Whether it has these attributes."""
        for name, value in expected:
            written = self.attributes.get(name)
            if written != value and (name != "class" or value not in (written or "").split()):
                return False
        return True

    @property
    def controls(self) -> list["Element"]:
        """What belongs to a form: what stands in it and names no other, and what names it from outside."""
        page, within = next(reversed(list(self.around)), self), {id(element) for element in self.inside}
        return [
            element for element in page.inside
            if (element["form"] == self.get("id") if element.get("form") else id(element) in within)
        ]  # fmt: skip

    @property
    def text(self) -> str:
        """What can be read, with single spaces; a time or a name is a part of its sentence."""
        readable_text, is_after_part = "", False
        for child in self.children:
            is_part = isinstance(child, Element) and child.tag in {"time", "bdi"}
            if not (is_part or is_after_part):
                readable_text += " "
            readable_text += child if isinstance(child, str) else child.text
            is_after_part = is_part
        return " ".join(readable_text.split())

    @property
    def html(self) -> str:
        """One spelling for equal elements: attributes in order, white space as one space, no time of day."""
        shown_attributes = self.attributes | {"value": ""} if self.get("name") == "shown" else self.attributes
        attributes = "".join(f' {name}="{value}"' for name, value in sorted(shown_attributes.items()))
        inner = "".join(
            " ".join(child.split()) if isinstance(child, str) else child.html for child in self.children
        )
        return f"<{self.tag}{attributes}>{inner}</{self.tag}>"


def parsed(html: str) -> Element:
    """The tree of a page or a fragment; every element must be closed where it was opened.

    Tests read tens of thousands of pages: one pattern takes what our templates write, and nothing else, and
    most tags stand on many pages.
    """
    root = parent = Element("#document", {})
    page_elements = root.page_elements
    end = 0
    while (start := html.find("<", end)) != -1:
        if start > end:
            parent.children.append(unescape(html[end:start]))
        end = html.find(">", start) + 1
        tag = read_tag(html[start:end])
        if tag is None:  # a `>` stands inside: in a comment, in an attribute
            whole_tag = TAG.match(html, start)
            assert whole_tag, f"no tag begins here: {html[start:][:200]}"
            end = whole_tag.end()
            tag = read_tag(whole_tag[0])
            assert tag
        if tag.is_opening:
            element = Element(tag.name, tag.attributes, parent)
            parent.children.append(element)
            page_elements.append(element)
            element.first = element.end = len(page_elements)
            if not tag.is_closing:
                parent = element
        elif tag.is_closing:
            assert parent.tag == tag.name, f"</{tag.name}> closes <{parent.tag}> in {parent.text[:200]}"
            assert parent.parent is not None
            parent.end = len(page_elements)
            parent = parent.parent
    if html[end:]:
        parent.children.append(unescape(html[end:]))
    assert parent is root, f"<{parent.tag}> is never closed"
    root.end = len(page_elements)
    return root


class Tag(NamedTuple):
    """What a tag opens, closes or both; a comment does neither."""

    name: str
    attributes: Mapping[str, str]
    is_opening: bool
    is_closing: bool


@lru_cache(20_000)
def read_tag(written: str) -> Tag | None:
    """What a tag means; nothing where the text is not one tag from its beginning to its end."""
    tag = TAG.fullmatch(written)
    if tag is None:
        return None
    closed_name, opened_name, attributes, slash = tag.groups()
    name = (opened_name or closed_name or "").lower()
    is_void = name in VOID
    if opened_name:
        return Tag(name, attributes_of(name, attributes), True, bool(slash) or is_void)
    return Tag(name, {}, False, bool(closed_name) and not is_void)


def attributes_of(tag: str, written: str) -> dict[str, str]:
    if not written:
        return {}
    pairs = ATTRIBUTE.findall(written)
    attributes = {name.lower(): unescape(double or single) for name, double, single in pairs}
    assert len(attributes) == len(pairs), f"{tag} has an attribute twice: {pairs}"
    return attributes


def filled(form: Element, button: Element | None = None, **typed: str | list[str]) -> Fields:
    """What a browser sends: the fields of a form as they stand, changed by what somebody typed and pressed.

    `try_` is the field `try`, which Python keeps for itself.
    """
    typed = {name.rstrip("_"): value for name, value in typed.items()}
    fields: Fields = []
    for control in form.controls:
        name = control.get("name")
        if name and "disabled" not in control.attributes and name not in typed:
            fields += [(name, value) for value in values(control)]
    for name, value in typed.items():
        fields += [(name, choice) for choice in ([value] if isinstance(value, str) else value)]
    if button is not None and button.get("name"):
        fields.append((button["name"], button.get("value")))
    return fields


def values(control: Element) -> list[str]:
    """The value of a control as it stands; buttons send nothing by themselves."""
    match control.tag, control.get("type"):
        case "input", "radio" | "checkbox":
            return [control.get("value") or "on"] if "checked" in control.attributes else []
        case "input", kind if kind in TEXTS:
            return [control.get("value")]
        case "textarea", _:
            return ["".join(child for child in control.children if isinstance(child, str))]
        case "select", _:
            options = control.all("option")
            selected = [option for option in options if "selected" in option.attributes] or options[:1]
            return [option.get("value") for option in selected]
    return []


def button(form: Element, label: str) -> Element:
    """The one button whose label begins so."""
    buttons = [
        control for control in form.controls if control.tag == "button" and control.text.startswith(label)
    ]
    assert len(buttons) == 1, f"{len(buttons)} buttons {label!r} in {form.text[:300]}"
    return buttons[0]


def expect_leaving_is_asked(page: Element, form: Element, fields: Fields) -> None:
    """Of a page that answers a form: where it shows what was written into several lines, and has no address
    that would show it again, nobody leaves it unasked."""
    typed_texts = {" ".join(text.split()) for _, text in set(fields) - set(filled(form))} - {""}
    for area in page.all("textarea"):
        if area.text in typed_texts:
            assert page.all("form", data_unsaved="yes"), f"who leaves is not asked: {area.html}"


def target(form: Element, pressed: Element | None) -> str:
    """Where a form goes with this button."""
    return (pressed.get("formaction") if pressed else "") or form["action"]


def refused_fields(page: Element) -> list[str]:
    """The names of the fields that a page asks to put right."""
    return [control["name"] for control in page.all(aria_invalid="true")]


def path_of(url: str) -> str:
    """Path and query of an address.

    >>> path_of("http://testserver/lessons/a?step=2#x")
    '/lessons/a?step=2'
    """
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def shape(url: str) -> tuple[str, frozenset[str]]:
    """An address without the values of its query: what is visited once.

    >>> shape("/lessons/a?step=2") == shape("/lessons/a?step=3")
    True
    """
    parts = urlsplit(url)
    return parts.path, frozenset(parse_qs(parts.query, keep_blank_values=True))
