"""The first letters of pinyin, by which one looks for 折损 as `zs`.

GB 2312 lists its 3,755 frequent characters in the order of their pinyin, so 23 limits say each one's first
letter: no table of readings is needed. A character with several readings stands under one of them.
"""

from bisect import bisect_right

FIRST_CODE, LAST_CODE = 0xB0A1, 0xD7F9
FIRST_CODE_OF_LETTER = (
    *(0xB0A1, 0xB0C5, 0xB2C1, 0xB4EE, 0xB6EA, 0xB7A2, 0xB8C1, 0xB9FE, 0xBBF7, 0xBFA6, 0xC0AC, 0xC2E8),
    *(0xC4C3, 0xC5B6, 0xC5BE, 0xC6DA, 0xC8BB, 0xC8F6, 0xCBFA, 0xCDDA, 0xCEF4, 0xD1B9, 0xD4D1),
)
LETTERS = "abcdefghjklmnopqrstwxyz"
"""The letter from each limit on. No syllable begins with i, u or v."""


def initials(text: str) -> str:
    """The first letter of each character, Latin letters and digits as they are; others are left out.

    >>> initials("折损"), initials("累计增益cg"), initials("第1位，不打折")
    ('zs', 'ljzycg', 'd1wbdz')
    """
    return "".join(initial(character) for character in text)


def initial(character: str) -> str:
    """One character's letter; empty for a sign, and for a rare character, which is listed by its strokes."""
    if character.isascii():
        return character if character.isalnum() else ""
    gb2312_code = int.from_bytes(character.encode("gb2312", "ignore"))
    if not FIRST_CODE <= gb2312_code <= LAST_CODE:
        return ""
    return LETTERS[bisect_right(FIRST_CODE_OF_LETTER, gb2312_code) - 1]
