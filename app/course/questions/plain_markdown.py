r"""Plain text with formulas, as office programs know it, and the Markdown of own content: there and back.

In plain text a `*` is a star, and a line is a paragraph. What stands between two `$` is a formula where it
can be one; a picture is written in both alike.
"""

import re

from app.course.questions.question_signs import BLANK, with_blanks
from app.course.text import markdown as course_markdown

FORMULA_PATTERN = re.compile(r"\$(?![\s$])((?:[^$\n\\]|\\.){1,1900}?)(?<![\s$])\$(?![\d$])")
_CHINESE_SIGN_PATTERN = re.compile(r"[\u3400-\u9fff]")
_TEXT_IN_FORMULA_PATTERN = re.compile(r"\\(?:text|mathrm|operatorname)\{[^{}]*\}")
_SPECIAL_SIGN_PATTERN = re.compile(r"[\\`*_\[\]{}$]|&(?=#?\w{1,31};)|<(?=[A-Za-z/!?])")
_LINE_BEGIN_PATTERN = re.compile(r"(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-=]{2,}$|~{3,}|\d{1,9}(?=[.)](?:\s|$)))")
_ESCAPED_SIGN_PATTERN = re.compile(r"\\([\\`*_\[\]{}$&<#>+=~.)|-])")
_WIDE_BLANK = "＿＿＿＿"
"""A blank in Markdown, where four low lines may be taken for a mark of emphasis."""


def as_markdown(plain_text: str) -> str:
    r"""Markdown that shows a plain text as it is; its lines are paragraphs.

    >>> as_markdown("2*3*4是$a_1$吗？\n# 一行"), as_markdown("价格$5和$6"), as_markdown("先____再")
    ('2\\*3\\*4是$a_1$吗？\n\n\\# 一行', '价格\\$5和\\$6', '先＿＿＿＿再')
    """
    markdown_lines = [_line_as_markdown(line) for line in plain_lines(plain_text)]
    return "\n\n".join(markdown_lines)


def as_markdown_line(plain_text: str) -> str:
    """Markdown of one line that shows a plain text as it is: for options and hints."""
    return _line_as_markdown(" ".join(plain_lines(plain_text)))


def plain_lines(plain_text: str) -> list[str]:
    """The lines of a text that have something in them, each without spaces around it."""
    stripped_lines = [stripped_line.strip() for stripped_line in plain_text.split("\n")]
    return [stripped_line for stripped_line in stripped_lines if stripped_line]


def _line_as_markdown(line: str) -> str:
    markdown_pieces = []
    last_piece_end_index = 0
    for picture_match in course_markdown.PICTURE_PATTERN.finditer(line):
        markdown_pieces += [
            _text_as_markdown(line[last_piece_end_index : picture_match.start()]),
            picture_match[0],
        ]
        last_piece_end_index = picture_match.end()
    markdown_pieces.append(_text_as_markdown(line[last_piece_end_index:]))
    return _with_escaped_begin("".join(markdown_pieces))


def _text_as_markdown(plain_text: str) -> str:
    markdown_pieces = []
    last_piece_end_index = 0
    for formula_match in FORMULA_PATTERN.finditer(plain_text):
        if is_formula(formula_match[1]):
            markdown_pieces += [
                _escape(plain_text[last_piece_end_index : formula_match.start()]),
                formula_match[0],
            ]
            last_piece_end_index = formula_match.end()
    markdown_pieces.append(_escape(plain_text[last_piece_end_index:]))
    return "".join(markdown_pieces)


def is_formula(latex: str) -> bool:
    r"""Whether what stands between two `$` can be a formula: Chinese words stand in `\text{}`, and two braces
    begin a figure of own content.

    >>> is_formula(r"\log_2(i+1)"), is_formula("5和"), is_formula("{{x}}")
    (True, False, False)
    """
    if "{{" in latex:
        return False
    return _CHINESE_SIGN_PATTERN.search(_TEXT_IN_FORMULA_PATTERN.sub("", latex)) is None


def _escape(plain_text: str) -> str:
    text_with_blanks = with_blanks(plain_text).replace(BLANK, _WIDE_BLANK)
    return _SPECIAL_SIGN_PATTERN.sub(lambda sign: "\\" + sign[0], text_with_blanks)


def _with_escaped_begin(line: str) -> str:
    """A line that begins no heading, list or rule."""
    begin_match = _LINE_BEGIN_PATTERN.match(line)
    if begin_match is None:
        return line
    if begin_match[0].isdigit():
        return f"{begin_match[0]}\\{line[begin_match.end() :]}"
    return f"\\{line}"


def as_plain(markdown: str) -> str:
    r"""The plain text that gave this Markdown.

    >>> as_plain(r"2\*3\*4是$a_1$吗？" + "\n\n" + r"\# 一行"), as_plain("先＿＿＿＿再**停**")
    ('2*3*4是$a_1$吗？\n# 一行', '先____再**停**')
    """
    unescaped_lines = []
    for line in plain_lines(markdown):
        plain_pieces = []
        last_piece_end_index = 0
        for formula_match in FORMULA_PATTERN.finditer(line):
            if _is_unescaped(line, formula_match.start()):
                plain_pieces += [
                    _unescape(line[last_piece_end_index : formula_match.start()]),
                    formula_match[0],
                ]
                last_piece_end_index = formula_match.end()
        plain_pieces.append(_unescape(line[last_piece_end_index:]))
        unescaped_lines.append("".join(plain_pieces))
    return "\n".join(unescaped_lines)


def is_plain(markdown: str) -> bool:
    r"""Whether a plain text holds all that this Markdown shows: no table, list, code or emphasis.

    >>> is_plain(r"2\*3是$a_1$吗？"), is_plain("2_3"), is_plain("*斜*体"), is_plain("- 一"), is_plain("`码`")
    (True, True, False, False, False)
    """
    rewritten_markdown = as_markdown(as_plain(markdown))
    if rewritten_markdown == markdown.strip():
        return True
    try:
        return _shown_text(rewritten_markdown) == _shown_text(
            with_blanks(markdown).replace(BLANK, _WIDE_BLANK)
        )
    except ValueError:
        return False


def _shown_text(markdown: str) -> str:
    """The HTML of a text without its spaces and paragraphs."""
    return re.sub(r"</?p>|\s", "", course_markdown.render(markdown))


def _is_unescaped(line: str, character_index: int) -> bool:
    """Whether the sign at a place is not escaped: an even number of backslashes stands before it."""
    text_before = line[:character_index]
    return (len(text_before) - len(text_before.rstrip("\\"))) % 2 == 0


def _unescape(markdown_text: str) -> str:
    return with_blanks(_ESCAPED_SIGN_PATTERN.sub(r"\1", markdown_text))
