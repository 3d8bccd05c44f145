"""Names to sign in with, and passwords: which may be set, and what is kept of one.

Hashing takes long on purpose. It never happens inside a verb, where everybody's writes wait in line.
"""

import re
import secrets
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from app.course.text.typed import JOINERS, composed_text, name_key, single_spaced_name
from app.records.db.errors import Refused

if TYPE_CHECKING:
    from pwdlib import PasswordHash

PRINTED_CHARACTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0 o 1 i l: they are copied from paper
FEWEST_LETTERS_OF_TEACHER = 3
"""Different ones in the password of a teacher: it opens what a whole class has done."""
SHORTEST_PASSWORD, LONGEST_PASSWORD, LONGEST_LOGIN = 6, 128, 32
EMOJI_SELECTOR = "\ufe0f"
"""Keyboards write it behind a sign that is to be shown in colour."""
MOST_COMBINING_MARKS_ON_LETTER = 3
UNSEEN_CHARACTERS_PATTERN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that nobody sees: with them a name looks like another one, or like none."""
LONGEST_TYPED_PASSWORD = 4 * LONGEST_PASSWORD
"""Characters that are looked at; more can be no password."""


@cache
def password_hasher() -> "PasswordHash":
    """Argon2 at the parameters that OWASP names: 19 MiB, two passes, one lane."""
    from pwdlib import PasswordHash
    from pwdlib.hashers.argon2 import Argon2Hasher

    return PasswordHash((Argon2Hasher(time_cost=2, memory_cost=19456, parallelism=1),))


@cache
def hash_of_nobody() -> str:
    """The hash that a name without an account is compared with: it takes as long."""
    return hash_password(secrets.token_urlsafe(16))


def hash_password(password: str) -> str:
    return password_hasher().hash(normalised_password(password))


def is_password_of_hash(password: str, password_hash: str | None) -> bool:
    """Whether this is the password of that hash; without a hash never, after the same time."""
    is_right = password_hasher().verify(normalised_password(password), password_hash or hash_of_nobody())
    return is_right and password_hash is not None


def normalised_password(password: str) -> str:
    """One spelling of what looks the same, however the keyboard wrote it.

    >>> normalised_password("cafe\u0301") == normalised_password("caf\u00e9")
    True
    """
    return composed_text(password, LONGEST_TYPED_PASSWORD)


def checked_password(password: str, login: str, is_of_teacher: bool = False) -> str:
    """A password that may be set; Refused says what is wrong with another."""
    if len(password) < SHORTEST_PASSWORD:
        raise Refused(f"密码至少{SHORTEST_PASSWORD}个字。", "password")
    if len(password) > LONGEST_PASSWORD:
        raise Refused(f"密码最多{LONGEST_PASSWORD}个字。", "password")
    if name_key(password) == name_key(login):
        raise Refused("密码不能和登录名一样，别人一猜就中。", "password")
    if is_of_teacher and is_easily_guessed(password):
        raise Refused(
            f"老师的密码管着全班的记录：不能全是数字，至少要有{FEWEST_LETTERS_OF_TEACHER}个不一样的字，"
            "像111111、123456、aaaaaa都一猜就中。",
            "password",
        )
    return password


def is_easily_guessed(password: str) -> bool:
    """Whether it is digits alone, or one or two letters over and over.

    >>> is_easily_guessed("１２３４５６"), is_easily_guessed("abab ab"), is_easily_guessed("越甜越靠前")
    (True, True, False)
    """
    bare_password = "".join(password.split())
    return bare_password.isdecimal() or len({*bare_password}) < FEWEST_LETTERS_OF_TEACHER


def fresh_password() -> str:
    """A password to be printed: eight letters that look like no other."""
    return printed_password(secrets.token_bytes(32))


def printed_password(password_bytes: bytes) -> str:
    """The password to be printed that 32 bytes stand for.

    >>> printed_password(bytes(32)), len(printed_password(b"7" * 32))
    ('22222222', 8)
    """
    password_integer = int.from_bytes(password_bytes)
    password_characters = []
    for _ in range(8):
        password_integer, character_index = divmod(password_integer, len(PRINTED_CHARACTERS))
        password_characters.append(PRINTED_CHARACTERS[character_index])
    return "".join(password_characters)


def checked_display_name(typed_name: str, field_word: str = "登录名", field_name: str = "login") -> str:
    """A name that an account, or a student, may have; Refused says what is wrong with another.

    `field_word`: as its page calls it; `field_name`: as its form does.
    """
    display_name = single_spaced_name(typed_name)
    if not name_key(display_name):
        raise Refused(f"{field_word}空着不行，起一个吧。", field_name)
    if len(display_name) > LONGEST_LOGIN or len(name_key(display_name)) > LONGEST_LOGIN:
        raise Refused(f"{field_word}最多{LONGEST_LOGIN}个字。", field_name)
    if has_unseen_character(display_name):
        raise Refused(f"{field_word}里有看不见的符号，请重新打一遍。", field_name)
    if has_piled_combining_marks(display_name):
        raise Refused(f"{field_word}里有符号一个叠着一个，会盖住别人的名字，去掉几个。", field_name)
    return display_name


def has_piled_combining_marks(typed_text: str) -> bool:
    """Whether more marks stand on one letter than any script puts there: they would reach over other lines.

    >>> list(map(has_piled_combining_marks, ["Nguyễn", "שָׁלוֹם", "糖" + "\u0301\u0302" * 4]))
    [False, False, True]
    >>> has_piled_combining_marks("糖" + "\u0301\u200d" * 8)
    True
    """
    combining_mark_count = 0
    for character in typed_text:
        if character in JOINERS:  # it is not drawn: marks on both sides stand on the same letter
            continue
        is_combining_mark = unicodedata.category(character) in ("Mn", "Me")
        combining_mark_count = combining_mark_count + 1 if is_combining_mark else 0
        if combining_mark_count > MOST_COMBINING_MARKS_ON_LETTER:
            return True
    return False


def may_be_reshaped(character: str) -> bool:
    """Whether a joiner beside a letter, a mark or a sign may change how it is drawn: not beside a space, nor
    beside another joiner."""
    return unicodedata.category(character)[0] in "LMS"


def has_unseen_character(typed_text: str) -> bool:
    """Whether something in a text cannot be seen; what colours a sign before it is seen, and what joins two.

    >>> list(map(has_unseen_character, ["王老师\u3164", "王老师\ufe0f", "小糖❤\ufe0f"]))
    [True, True, False]
    """
    padded_text = f" {typed_text} "
    for former_character, character, next_character in zip(
        padded_text, typed_text, padded_text[2:], strict=False
    ):
        if character in JOINERS and may_be_reshaped(former_character) and may_be_reshaped(next_character):
            continue
        if unicodedata.category(character)[0] == "C":
            return True
        colours_sign = character == EMOJI_SELECTOR and unicodedata.category(former_character)[0] == "S"
        if UNSEEN_CHARACTERS_PATTERN.match(character) and not colours_sign:
            return True
    return False
