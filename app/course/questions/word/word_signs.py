"""Signs that a Word file does not hold as characters: glyphs of fonts of symbols, and numbers of lists.

Only the standard library is imported: `word_reader` runs in a process of its own.
"""

from collections.abc import Mapping

GREEK_BY_LATIN = {
    **dict(zip("ABCDEFGHIKLMNOPQRSTUWXYZ", "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖ", strict=True)),
    **dict(zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
}
"""The letters of the font Symbol, which lie where the Latin ones do."""
SIGNS_AS_IN_LATIN = "0123456789+=()[]{}<>,./:;%|&!#?_"
SIGN_BY_CODE = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2D: "−", 0x5E: "⊥", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←",
    0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂",
    0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂",
    0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD7: "·", 0xD8: "¬",
    0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
SIGN_BY_CODE_BY_FONT: Mapping[str, Mapping[int, str]] = {
    "symbol": {
        **{ord(letter): sign for letter, sign in GREEK_BY_LATIN.items()},
        **{ord(sign): sign for sign in SIGNS_AS_IN_LATIN},
        **SIGN_BY_CODE,
    },
    "wingdings": {
        0x6C: "●", 0x6E: "■", 0x6F: "□", 0xA1: "○", 0xA8: "□", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓",
        0xFB: "×", 0xFC: "√", 0xFD: "☒", 0xFE: "☑",
        **{0x81 + sign_offset: sign for sign_offset, sign in enumerate("①②③④⑤⑥⑦⑧⑨⑩")},
    },
    "wingdings 2": {0x4F: "×", 0x50: "√", 0x51: "☒", 0x52: "☑", 0xA3: "□"},
}  # fmt: skip
"""For each font, in small letters: the code of a glyph, and its character."""
GLYPH_CODES = range(0xF000, 0xF100)
"""Where Word puts the codes of such a font; some programs leave them below 256."""


def symbol_of(font: str, code_text: str) -> str:
    """The character of a glyph; `code_text`: its code in hexadecimal digits. Empty where nobody knows it.

    >>> symbol_of("Wingdings", "F0FC"), symbol_of("Symbol", "F061"), symbol_of("Webdings", "F061")
    ('√', 'α', '')
    >>> symbol_of("宋体", "2264")
    '≤'
    """
    try:
        character_code = int(code_text, 16)
        character = chr(character_code)
    except (ValueError, OverflowError):
        return ""
    if character_code in GLYPH_CODES:
        character_code -= GLYPH_CODES.start
    sign_by_character_code = SIGN_BY_CODE_BY_FONT.get(font.lower())
    if sign_by_character_code is not None:
        return sign_by_character_code.get(character_code, "")
    if character.isprintable():
        return character
    return ""


def number_in_style(number: int, style: str) -> str:
    """A number as a list counts.

    >>> number_in_style(3, "upperLetter"), number_in_style(12, "chineseCounting")
    ('C', '十二')
    """
    if style in ("upperLetter", "lowerLetter") and number:
        latin_letter = chr(ord("A") + (number - 1) % 26)
        return latin_letter if style == "upperLetter" else latin_letter.lower()
    if style.startswith(("chinese", "japanese", "ideograph", "taiwanese")):
        return chinese_number(number)
    if style == "decimalEnclosedCircle" and 0 < number <= 20:
        return chr(ord("①") + number - 1)
    return str(number)


def chinese_number(number: int) -> str:
    """A number below a hundred in Chinese."""
    chinese_digits = "零一二三四五六七八九"
    if not 0 < number < 100:
        return str(number)
    tens_digit, last_digit = divmod(number, 10)
    last_digit_text = chinese_digits[last_digit] if last_digit else ""
    if tens_digit == 1:
        return f"十{last_digit_text}"
    if tens_digit:
        return f"{chinese_digits[tens_digit]}十{last_digit_text}"
    return last_digit_text
