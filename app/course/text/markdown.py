"""Markdown that is right for Chinese: bold beside Chinese punctuation, formulas, a sanitised result."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias

import nh3
from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as parse_table
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.course.text.formulas import MACROS, formula_mathml, inline_formula_html
from app.course.text.speech import formula_line, spoken_formula

TERM_PATTERN = re.compile(r"\[\[([a-z][a-z0-9-]*)(?:\|([^\[\]|\n]+))?\]\]")
"""`[[dcg]]`, `[[dcg|这个总数]]`: a link into the glossary."""
_PICTURE_ADDRESS = r"picture:(?P<name>[0-9a-f]{32}-(?P<width>[1-9]\d{0,3})x(?P<height>[1-9]\d{0,3}))"
PICTURE_PATTERN = re.compile(rf"!\[(?P<alt>[^\[\]\n]*)\]\({_PICTURE_ADDRESS}\)")
"""`![一条曲线](picture:…-640x480)`: a picture that a teacher has sent, with what is on it. Its name
says how wide and how high it is, so that a page knows before it comes."""
_PICTURE_ADDRESS_PATTERN = re.compile(_PICTURE_ADDRESS)
_FOREIGN_PICTURE_PATTERN = re.compile(r"(?<!\\)!\[[^\[\]\n]{0,400}\]\((?!picture:)")
PICTURE_WITHOUT_ALT_WORDS = "图要说明图上有什么，看不见图的人靠它：写在“![”和“]”中间"

MOST_COLUMNS = 24
"""Bars of a table in one row; one with more stays text."""
RenderRule: TypeAlias = Callable[..., str]
"""What the library calls with its renderer, all tokens, and the index of the one to write as HTML."""


class UnknownTerm(ValueError):
    """A link to a term that the glossary does not have."""


class _ChineseState(StateInline):
    """CommonMark's rule for ** asks for a space or punctuation outside; Chinese has neither."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803  # the library's name
        end_index = start
        while end_index < self.posMax and self.src[end_index] == self.src[start]:
            end_index += 1
        preceding_character = following_character = " "
        if start > 0:
            preceding_character = self.src[start - 1]
        if end_index < self.posMax:
            following_character = self.src[end_index]
        is_left_flanking = _can_flank(following_character, preceding_character)
        is_right_flanking = _can_flank(preceding_character, following_character)
        can_open = is_left_flanking and (
            canSplitWord or not is_right_flanking or _is_punctuation(preceding_character)
        )
        can_close = is_right_flanking and (
            canSplitWord or not is_left_flanking or _is_punctuation(following_character)
        )
        return Scanned(can_open, can_close, end_index - start)


def _can_flank(inner_character: str, outer_character: str) -> bool:
    """Whether a mark can stand between `inner_character`, which it would embrace, and `outer_character`."""
    if _is_space(inner_character):
        return False
    if not _is_punctuation(inner_character) or _is_chinese(inner_character):
        return True
    return _is_space(outer_character) or _is_punctuation(outer_character) or _is_chinese(outer_character)


def _is_space(character: str) -> bool:
    return isWhiteSpace(ord(character))


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


def _is_chinese(character: str) -> bool:
    """A 汉字, or a mark of Chinese punctuation; shared quotes and dashes count as Chinese."""
    return unicodedata.east_asian_width(character) in "WF" or character in "“”‘’…—·"


class _ChineseInline(ParserInline):
    """The inline parser of the library, with the state above."""

    def parse(self, src: str, markdown_it: MarkdownIt, env: Any, tokens: Any) -> Any:
        inline_state = _ChineseState(src, markdown_it, env, tokens)
        self.tokenize(inline_state)
        for inline_rule in self.ruler2.getRules(""):
            inline_rule(inline_state)
        return inline_state.tokens


def _math_html(latex: str, options: dict[str, Any]) -> str:
    if not options.get("display_mode"):
        return inline_formula_html(latex)
    mathml = formula_mathml(latex, is_block=True)
    caption_html = f'<span class="eq-text">{escape(formula_line(latex))}</span>'
    spoken_name = escape(f"公式：{spoken_formula(latex)}")
    return (
        f'<div class="eq" role="group" tabindex="0" aria-label="{spoken_name}">{mathml}{caption_html}</div>'
    )


def _mathjax_html(latex: str, options: dict[str, Any]) -> str:
    """A formula as Anki reads it, with our own commands written out."""
    for macro_name, macro_latex in MACROS.items():
        escaped_latex = macro_latex.replace("\\", r"\\")
        latex = re.sub(rf"\\{macro_name}(?![a-zA-Z])", escaped_latex, latex)
    latex = latex.strip()
    if options.get("display_mode"):
        return escape(rf"\[{latex}\]")
    return escape(rf"\({latex}\)")


def _markdown_parser(
    render_formula: Callable[[str, dict[str, Any]], str],
    render_formula_in_line: RenderRule,
    render_picture: RenderRule,
) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False})
    inline_parser = _ChineseInline()
    inline_parser.ruler = parser.inline.ruler
    inline_parser.ruler2 = parser.inline.ruler2
    parser.inline = inline_parser
    parser.enable("table")
    parser.block.ruler.at("table", _narrow_table, {"alt": ["paragraph", "reference"]})
    parser.use(
        dollarmath_plugin,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        double_inline=True,
        renderer=render_formula,
    )
    parser.add_render_rule("math_inline_double", render_formula_in_line)
    parser.inline.ruler.before("link", "term", _parse_term)
    parser.add_render_rule("term", _term_link_html)
    parser.add_render_rule("image", render_picture)
    return parser


def _narrow_table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A table of few columns, with no more places than signs: each of its rows is drawn as wide as its head,
    also one with a single cell."""
    if not parse_table(state, start_line, end_line, silent=True):
        return False
    delimiter_line = state.src[state.bMarks[start_line + 1] : state.eMarks[start_line + 1]]
    bar_count = delimiter_line.count("|")
    last_line_index = start_line + 1
    while last_line_index + 1 < end_line and not state.isEmpty(last_line_index + 1):
        last_line_index += 1
    row_count = last_line_index - start_line
    sign_count = state.eMarks[last_line_index] - state.bMarks[start_line]
    if bar_count > MOST_COLUMNS or bar_count * row_count > sign_count:
        return False
    return parse_table(state, start_line, end_line, silent)


def _parse_term(state: StateInline, silent: bool) -> bool:
    """A link into the glossary; code and formulas are read by other rules, so that none stands in them."""
    link_match = TERM_PATTERN.match(state.src, state.pos)
    if link_match is None:
        return False
    if not silent:
        glossary_name_by_id: Mapping[str, str] = state.env.get("terms", {})
        term_id = link_match[1]
        if term_id not in glossary_name_by_id:
            raise UnknownTerm(f"{link_match[0]}：术语表里没有“{term_id}”")
        token = state.push("term", "a", 0)
        token.content = link_match[2] or glossary_name_by_id[term_id]
        token.meta = {"id": term_id}
    state.pos = link_match.end()
    return True


def _term_link_html(_: Any, tokens: Sequence[Token], token_index: int, *__: Any) -> str:
    token = tokens[token_index]
    return f'<a class="term-link" href="/glossary#{token.meta["id"]}">{escape(token.content)}</a>'


def _picture_html(_: Any, tokens: Sequence[Token], token_index: int, *__: Any) -> str:
    """A picture with its measures; what is none of ours is told in words, for nothing vanishes silently."""
    address_match = _PICTURE_ADDRESS_PATTERN.fullmatch(str(tokens[token_index].attrs.get("src", "")))
    if address_match is None:
        return _picture_in_words(tokens[token_index])
    picture_url = f"/pictures/{address_match['name']}.webp"
    alt_text = escape(tokens[token_index].content)
    size_html = f'width="{address_match["width"]}" height="{address_match["height"]}"'
    return f'<img class="picture" src="{picture_url}" alt="{alt_text}" {size_html} loading="lazy">'


def _write_picture_in_words(_: Any, tokens: Sequence[Token], token_index: int, *__: Any) -> str:
    return _picture_in_words(tokens[token_index])


def _picture_in_words(token: Token) -> str:
    return f"［图：{escape(token.content)}］"


def _inline_math_html(_: Any, tokens: Sequence[Token], token_index: int, *__: Any) -> str:
    """`$$` in the middle of a line is a formula of that line: a block may not stand in a paragraph."""
    return f'<span class="math inline">{inline_formula_html(tokens[token_index].content.strip())}</span>'


def _inline_mathjax_html(_: Any, tokens: Sequence[Token], token_index: int, *__: Any) -> str:
    return _mathjax_html(tokens[token_index].content, {})


_MATH_TAGS = {
    "math", "mi", "mn", "mo", "ms", "mtext", "mrow", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mspace", "mpadded", "mphantom", "mstyle",
    "menclose", }  # fmt: skip
_MATH_ATTRIBUTES = {
    "display", "mathvariant", "stretchy", "form", "fence", "separator", "lspace", "rspace", "minsize",
    "maxsize", "displaystyle", "scriptlevel", "linethickness", "accent", "accentunder", "movablelimits",
    "symmetric", "width", "height", "depth", "voffset", "columnspan", "rowspan", "class", "largeop", "intent",
    "arg", "aria-label",
}  # fmt: skip
_ALLOWED_ATTRIBUTES_BY_TAG = {
    **dict.fromkeys(_MATH_TAGS, _MATH_ATTRIBUTES),
    "a": {"href", "title", "class"},
    "div": {"class", "role", "tabindex", "aria-label"},
    "span": {"class"},
    "code": {"class"},
    "th": {"align"},
    "td": {"align"},
    "ol": {"start"},
    "img": {"class", "src", "alt", "width", "height", "loading"},
}
_ALLOWED_TAGS = {
    "p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "a", "table", "thead", "tbody",
    "tr", "th", "td", "div", "span", "section", "hr", "h3", "h4", "img",
} | _MATH_TAGS  # fmt: skip
_site_parser = _markdown_parser(_math_html, _inline_math_html, _picture_html)
_anki_parser = _markdown_parser(_mathjax_html, _inline_mathjax_html, _write_picture_in_words)
_cleaner = nh3.Cleaner(tags=_ALLOWED_TAGS, attributes=_ALLOWED_ATTRIBUTES_BY_TAG, link_rel=None)


def picture_flaw_words(markdown_text: str) -> Iterator[str]:
    """What is wrong with the pictures in a text. One from elsewhere is no fault, though it is told in words.

    >>> list(picture_flaw_words(f"![ ](picture:{'0' * 32}-640x480)")) == [PICTURE_WITHOUT_ALT_WORDS]
    True
    >>> list(picture_flaw_words("![](https://example.com/a.png)"))
    []
    """
    for picture_match in PICTURE_PATTERN.finditer(markdown_text):
        if not picture_match["alt"].strip():
            yield PICTURE_WITHOUT_ALT_WORDS


def has_foreign_picture(markdown_text: str) -> bool:
    """Whether a text asks for a picture from elsewhere, which nobody will see.

    >>> has_foreign_picture("![图](https://example.com/a.png)")
    True
    >>> has_foreign_picture(f"![线](picture:{'0' * 32}-6x4)")
    False
    """
    return bool(_FOREIGN_PICTURE_PATTERN.search(markdown_text))


def picture_names(markdown_text: str) -> set[str]:
    """The names of the pictures that a text of any kind speaks of."""
    return {address_match["name"] for address_match in _PICTURE_ADDRESS_PATTERN.finditer(markdown_text)}


def render(markdown_text: str, glossary_name_by_id: Mapping[str, str] | None = None) -> str:
    """HTML of a text of the course; `glossary_name_by_id` are those of the glossary, id to name.

    >>> render("**定义：**在这里")
    '<p><strong>定义：</strong>在这里</p>\\n'
    >>> render("<script>alert(1)</script>") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\\n"
    True
    """
    html = _site_parser.render(markdown_text, {"terms": glossary_name_by_id or {}})
    return _cleaner.clean(html)


def render_line(markdown_text: str, glossary_name_by_id: Mapping[str, str] | None = None) -> str:
    """HTML of one line, without a paragraph around it: options, captions, points.

    >>> render_line("[[dcg]]，[[dcg|总分]]", {"dcg": "DCG"})
    '<a class="term-link" href="/glossary#dcg">DCG</a>，<a class="term-link" href="/glossary#dcg">总分</a>'
    """
    html = _site_parser.renderInline(markdown_text, {"terms": glossary_name_by_id or {}})
    return _cleaner.clean(str(html))


def render_for_anki(markdown_text: str) -> str:
    r"""A text as HTML with formulas for MathJax.

    >>> render_for_anki(r"$\DCG=1$，对")
    '<p><span>\\(\\mathrm{DCG}=1\\)</span>，对</p>\n'
    """
    text_without_links = TERM_PATTERN.sub(lambda link_match: link_match[2] or link_match[1], markdown_text)
    html = _anki_parser.render(text_without_links, {"terms": {}})
    return re.sub(r' class="[^"]*"', "", _cleaner.clean(html))
