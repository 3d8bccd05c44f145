"""What people type, in one spelling. It is cut before: to put combining marks in order takes the square of
their number, and sixty thousand of them take seconds in which the whole process stands still.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

LONGEST_TYPED_NAME = 512
"""Characters of a name that are looked at; more can be none."""
AddressFields = Mapping[str, Sequence[str]]
"""The fields of an address; of a field that stands there several times the last one counts, but for lists."""


def last_value(address_fields: AddressFields, field_name: str, default: str = "") -> str:
    """What an address says in a field.

    >>> last_value({"k": ["3", "5"]}, "k"), last_value({}, "k")
    ('5', '')
    """
    sent_texts = address_fields.get(field_name)
    return sent_texts[-1] if sent_texts else default


def folded_text(typed_text: str, max_length: int) -> str:
    """The first `max_length` characters with full-width letters and digits made plain (NFKC).

    >>> folded_text(" ３０ ", 20), len(folded_text("0" * 100, 20))
    ('30', 20)
    """
    return unicodedata.normalize("NFKC", typed_text.strip()[:max_length]).strip()


def composed_text(typed_text: str, max_length: int) -> str:
    """The first `max_length` characters, each letter with its marks as one (NFC); nothing else changes.

    >>> composed_text("cafe\\u0301 ", 20) == "caf\\u00e9 "
    True
    """
    return unicodedata.normalize("NFC", typed_text[:max_length])


def single_spaced_name(typed_name: str, max_length: int = LONGEST_TYPED_NAME) -> str:
    """A name as it is shown: without spaces at its ends, at most one in between.

    >>> single_spaced_name("  小  糖 ")
    '小 糖'
    """
    return " ".join(composed_text(typed_name.strip(), max_length).split())


JOINERS = "\u200c\u200d"
"""Nobody sees them; they shape the letters beside them in Persian and in scripts of India, and join emoji."""
JOINERS_REMOVED = dict.fromkeys(map(ord, JOINERS))


def name_key(typed_name: str) -> str:
    """How names are compared: width, case, spaces and joiners make no difference.

    >>> name_key("Ｘiao Tang") == name_key("xiaotang")
    True
    """
    spaced_name = folded_text(typed_name, LONGEST_TYPED_NAME).casefold().translate(JOINERS_REMOVED)
    return "".join(spaced_name.split())


LARGEST_WHOLE_NUMBER = 9999
"""What `whole_number` reads at most."""


def whole_number(typed_text: str) -> int | None:
    """A whole number 0..9999 as it was typed; None for everything else.

    >>> [whole_number(text) for text in (" ３０ ", "二十", "-3", "2.5", "1" + " " * 90 + "2")]
    [30, None, None, None, None]
    """
    tidy_text = typed_text.strip()
    if len(tidy_text) > 20:
        return None
    digits_text = folded_text(tidy_text, 20)
    return int(digits_text) if re.fullmatch("[0-9]{1,4}", digits_text) else None
