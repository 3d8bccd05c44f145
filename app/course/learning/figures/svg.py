"""Small pieces of SVG: classes only, so that themes and a strict CSP work."""

from html import escape
from typing import Literal

WIDTH = 360
"""Drawn for a phone; wider screens scale it up."""
LETTER_WIDTH = 13
"""The size of labels, as static/css draws them: a 汉字 is that wide."""


def tag(tag_name: str, content: str = "", **attributes: object) -> str:
    """An element; in names of attributes `_` stands for `-`, a last one for nothing.

    >>> tag("rect", class_="bar", x=1.5)
    '<rect class="bar" x="1.5"/>'
    """
    attribute_text = "".join(
        f' {_attribute_name(attribute_key)}="{_attribute_value(attribute_value)}"'
        for attribute_key, attribute_value in attributes.items()
    )
    if not content:
        return f"<{tag_name}{attribute_text}/>"
    return f"<{tag_name}{attribute_text}>{content}</{tag_name}>"


def text(
    content: str,
    x: float,
    y: float,
    css_class: str = "label",
    anchor: str = "middle",
    squeezed_width: float | None = None,
) -> str:
    """A line of text, escaped; `squeezed_width` into so many units, or as wide as it comes."""
    if squeezed_width is None:
        return tag("text", escape(content), class_=css_class, x=x, y=y, text_anchor=anchor)
    fit_attributes = {"textLength": squeezed_width, "lengthAdjust": "spacingAndGlyphs"}
    return tag("text", escape(content), class_=css_class, x=x, y=y, text_anchor=anchor, **fit_attributes)


def line(css_class: str, start_x: float, end_x: float, y: float) -> str:
    """A level line from one x to another."""
    return tag("line", class_=css_class, x1=start_x, x2=end_x, y1=y, y2=y)


def circle(css_class: str, x: float, y: float, radius: float) -> str:
    """A circle around a point."""
    return tag("circle", class_=css_class, cx=x, cy=y, r=radius)


def fitting_x(content: str, x: float) -> float:
    """The middle for a text that would like to stand around x, so that it stays within the drawing."""
    half_width = text_width(content) / 2
    return min(max(x, half_width), WIDTH - half_width)


def text_width(content: str) -> float:
    """How wide a label is, about: 汉字 are square, everything else is at most 0.6 as wide.

    >>> text_width("第1位")
    33.8
    """
    letters_width = 0.0
    for character in content:
        if ord(character) > 0x2E7F:
            letters_width += LETTER_WIDTH
        else:
            letters_width += 0.6 * LETTER_WIDTH
    return round(letters_width, 1)


def rank_label(rank: int, rank_width: float) -> str:
    """第3位; the bare number where ranks stand closer than that.

    >>> rank_label(3, 60), rank_label(3, 28)
    ('第3位', '3')
    """
    label_words = f"第{rank}位"
    if text_width(label_words) > rank_width:
        return str(rank)
    return label_words


def drawing(
    drawing_name: str,
    height: int,
    title: str,
    description: str,
    *shapes: str,
    drawing_width: int = WIDTH,
    role: Literal["img", "group"] = "img",
) -> str:
    """The whole picture, so many units wide, with a title and a description for those who cannot see it.

    `group`: it has links in it.
    """
    svg_content = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{''.join(shapes)}"
    return tag(
        "svg",
        svg_content,
        class_=f"chart chart-{drawing_name}",
        viewBox=f"0 0 {drawing_width} {height}",
        role=role,
    )


def _attribute_name(attribute_key: str) -> str:
    return attribute_key.rstrip("_").replace("_", "-")


def _attribute_value(attribute_value: object) -> str:
    if isinstance(attribute_value, float):
        return f"{attribute_value:.2f}".rstrip("0").rstrip(".")
    return escape(str(attribute_value), quote=True)
