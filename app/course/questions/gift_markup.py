r"""What may stand in a text of GIFT: escaped signs, what is said to an answer, and HTML, as Moodle has it."""

import html
import re
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from app.course.questions.question_answers import PICTURE_SIGN

GiftAnswer = tuple[str, str, str]
"""An answer as it is written: `=` or `~`, its percent or nothing, and its text."""
OTHER_ANSWERS_WORDS = "别的答案"
_ESCAPE = r"\\(?P<sign>[~=#{}:\\n<])"
"""A sign that means nothing to GIFT; `<` is one that HTML spells `&lt;`, and begins no tag."""
_ESCAPE_PATTERN = re.compile(_ESCAPE)
_SPECIAL_SIGN_PATTERN = re.compile(r"[~=#{}:\\]")
_ESCAPE_OR_TAG_PATTERN = re.compile(
    rf"{_ESCAPE}|(?i:</?(?:p|br|b|i|em|strong|span|div|sub|sup)"
    r"(?:\s{1,9}[a-z-]{1,20}\s?\\?=[^<>]{0,200})?\s{0,9}/?>)"
)
"""Beside what is escaped a tag, which nothing stands in but attributes: a<b 且 c>d has none."""
_FORMATTED_TEXT_PATTERN = re.compile(
    r"(?P<sign>^\s*|(?<!\\)[=~#]\s*|%\s*)\[(?P<format>html|markdown|plain|moodle)\]"
    r"(?P<text>(?:\\.|<[^<>{}]*+>|&#|[^\\=~#{}])*+)",
    re.DOTALL,
)
"""A text that says how it is written: a question, an answer or what is said to one."""
_UNSEEN_HTML_PATTERN = re.compile(
    r"<!--.{0,1000}?-->|<(script|style)\b[^<>]{0,200}>.{0,1000}?</\1>", re.DOTALL | re.IGNORECASE
)
_HIGH_OR_LOW_PATTERN = re.compile(r"<(su[bp])\b[^<>]{0,200}>([^<>]{0,60})</\1>", re.IGNORECASE)
_HTML_TAG_PATTERN = re.compile(r"<(/?)([a-z][a-z0-9]{0,20})(?=[\s/>])[^<>]*+>", re.IGNORECASE)
"""A tag, however long: the whole of a picture may stand in it."""
_ENTITY_PATTERN = re.compile(r"&(?:\\?#\d{1,7}|\\?#x[0-9a-f]{1,6}|[a-z]\w{1,30});", re.IGNORECASE)
"""A sign as HTML spells it, where GIFT may have escaped its #."""
TAGS_AT_LINE_ENDS = frozenset(
    ["br", "/p", "/div", "/li", "/tr", "/pre", *(f"/h{level}" for level in range(1, 7))]
)
_SIGN_BY_TAG = {"sub": "_", "sup": "^"}
_FORMULA_OF_ONE_LEVEL_PATTERN = re.compile(r"[A-Za-z0-9+\-=().,*/]+")


def without_formats(gift_source: str) -> str:
    r"""A question without the marks that say how its texts are written; what is HTML has become text.

    >>> without_formats(r"[html]<p>2<sup>10</sup>&gt;log<sub>2</sub>3<br>对吗？</p>{T#[html]<b>对</b>}")
    '2$^\\{10\\}$>log$_\\{2\\}$ 3\n对吗？\n{T#对}'
    >>> without_formats("[plain]<b>选[html]还是别的？{=甲 ~乙}")
    '<b>选[html]还是别的？{=甲 ~乙}'
    """
    is_html_unless_marked = False
    html_flags_and_texts: list[tuple[bool, str]] = []  # whether it is HTML, and the text
    end_index = 0
    for format_match in _FORMATTED_TEXT_PATTERN.finditer(gift_source):
        is_html = format_match["format"] == "html"
        if not format_match["sign"].strip():  # of the question, and so of all that has no mark of its own
            is_html_unless_marked = is_html
        html_flags_and_texts.append(
            (is_html_unless_marked, gift_source[end_index : format_match.start()] + format_match["sign"])
        )
        html_flags_and_texts.append((is_html, format_match["text"]))
        end_index = format_match.end()
    html_flags_and_texts.append((is_html_unless_marked, gift_source[end_index:]))
    written_texts = []
    for is_html, adjacent_flags_and_texts in groupby(html_flags_and_texts, itemgetter(0)):
        gift_markup = "".join(piece_text for _, piece_text in adjacent_flags_and_texts)
        written_texts.append(_text_of_html(gift_markup) if is_html else gift_markup)
    return "".join(written_texts)


def _text_of_html(gift_markup: str) -> str:
    """HTML as text, in which GIFT's own signs stand as they stood."""
    gift_markup = _UNSEEN_HTML_PATTERN.sub("", gift_markup)
    gift_markup = _HIGH_OR_LOW_PATTERN.sub(_text_of_script_tag, gift_markup)
    gift_markup = _HTML_TAG_PATTERN.sub(_text_of_tag, gift_markup)
    return _ENTITY_PATTERN.sub(_text_of_entity, gift_markup).replace("\xa0", " ")


def _text_of_script_tag(tag_match: re.Match[str]) -> str:
    """What stands above or below the line: a formula of its own, as of a Word file."""
    script_sign = _SIGN_BY_TAG[tag_match[1].lower()]
    script_markup = _ESCAPE_PATTERN.sub(_text_of_escape_or_tag, tag_match[2].strip())
    script_text = html.unescape(script_markup)
    if _FORMULA_OF_ONE_LEVEL_PATTERN.fullmatch(script_text):
        formula_markup = escape_signs(f"${script_sign}{{{script_text}}}$")
        if tag_match.string[tag_match.end() : tag_match.end() + 1].isdecimal():
            formula_markup += " "  # before a digit it would be none: $5 is a price
        return formula_markup
    return f"{script_sign}({escape_signs(script_markup)})"  # its entities are read with all others


def _text_of_tag(tag_match: re.Match[str]) -> str:
    """What a tag leaves in a text: a line's end, a gap between cells, the mark of a picture, or nothing."""
    closing_slash, tag_name = tag_match[1], tag_match[2].lower()
    if tag_name == "img":
        return PICTURE_SIGN
    if f"{closing_slash}{tag_name}" in TAGS_AT_LINE_ENDS:
        return "\n"
    if tag_name in ("td", "th"):
        return " "
    return ""


def _text_of_entity(entity_match: re.Match[str]) -> str:
    """The sign that an entity spells, so that it means nothing to GIFT and is not taken for a tag."""
    return escape_signs(html.unescape(entity_match[0].replace("\\", ""))).replace("<", "\\<")


def _text_of_escape_or_tag(escape_or_tag_match: re.Match[str]) -> str:
    """What is escaped as it is; a tag leaves a gap."""
    escaped_sign = escape_or_tag_match["sign"]
    if escaped_sign is None:
        return " "
    return "\n" if escaped_sign == "n" else escaped_sign


def text_of_markup(gift_markup: str) -> str:
    r"""A text without escapes and tags.

    >>> text_of_markup(r"<p>甲\=乙</p> ")
    '甲=乙'
    """
    unescaped_text = _ESCAPE_OR_TAG_PATTERN.sub(_text_of_escape_or_tag, gift_markup)
    tidy_lines = [" ".join(line.split()) for line in unescaped_text.split("\n")]
    return "\n".join(filter(None, tidy_lines))


def escape_signs(plain_text: str) -> str:
    r"""A text in which no sign means anything to GIFT.

    >>> escape_signs("a=b\nc")
    'a\\=b\\nc'
    """
    return _SPECIAL_SIGN_PATTERN.sub(lambda sign_match: f"\\{sign_match[0]}", plain_text).replace("\n", "\\n")


def answer_and_feedback(answer_markup: str) -> tuple[str, str]:
    r"""The text of an answer, and what is said to it.

    >>> answer_and_feedback(r"五折\##多了"), answer_and_feedback("五折")
    (('五折#', '多了'), ('五折', ''))
    """
    feedback_sign_match = re.search(r"(?<!\\)#", answer_markup)
    if feedback_sign_match is None:
        return text_of_markup(answer_markup), ""
    return text_of_markup(answer_markup[: feedback_sign_match.start()]), text_of_markup(
        answer_markup[feedback_sign_match.end() :]
    )


def feedback_text(gift_answers: Sequence[GiftAnswer]) -> str:
    """What is said to answers that are typed: a line each, with its answer where there are several.

    >>> feedback_text([("=", "", "北京#对呀"), ("=", "0", "南京#从前是")])
    '北京：对呀\\n南京：从前是'
    """
    written_lines = []
    for _, _, answer_markup in gift_answers:
        answer_text, feedback = answer_and_feedback(answer_markup)
        if feedback and len(gift_answers) > 1:
            feedback = f"{answer_text or OTHER_ANSWERS_WORDS}：{feedback}"
        written_lines.append(feedback)
    return "\n".join(filter(None, written_lines))
