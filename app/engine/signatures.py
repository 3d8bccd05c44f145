"""A convention in one line: copied under a figure, compared, read back, as sacreBLEU has it for BLEU.

    NDCG@10|gain:2^g-1|disc:log2|pool:judged|cut:k|ties:docno-|zero:0|v:1

The grammar, version 1: ``NDCG`` or ``NDCG@k``, then fields ``name:word`` in any order, parted by ``|``; plain
ASCII, case and spaces around a field do not matter. A field that is left out says what the course does.

field  words                                      means
gain   g, 2^g-1                                   ``linear``, ``exponential``
disc   log2, jk2002, 1/r, 1                       ``log2``, ``jk2002``, ``reciprocal``, ``none``
pool   list, judged                               what the ideal is made of
cut    k, whole, returned                         where the ideal is cut
ties   avg, input, rev, best, worst, docno-, docno+   who comes first among equal scores
zero   0, 1, skip                                 a query without a relevant document
neg    refused, zero, kept, drop                  negative grades
frac   kept, trunc, refused                       fractional grades
max    a whole number                             the largest grade
min    a whole number                             the shortest list
f32    1                                          scores are read in single precision
dec    a whole number                             decimals that are printed
v      1                                          the version of this grammar; each later one reads it

``neg`` to ``dec`` stand only where they differ from the default of ``Convention``; ``v`` always stands.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from app.engine.checks import checked_k, refusal
from app.engine.conventions import CONVENTIONS, COURSE, Convention, convention_named

GRAMMAR_VERSION = "1"
LONGEST_SIGNATURE = 300
"""Characters of a signature; none that is written here has as many."""
WORD_BY_GAIN = {"linear": "g", "exponential": "2^g-1"}
WORD_BY_DISCOUNT = {"log2": "log2", "jk2002": "jk2002", "reciprocal": "1/r", "none": "1"}
WORD_BY_POOL = {"list": "list", "judged": "judged"}
WORD_BY_CUT = {"k": "k", "whole": "whole", "returned": "returned"}
WORD_BY_TIE_RULE = {
    "average": "avg",
    "input": "input",
    "reversed": "rev",
    "best": "best",
    "worst": "worst",
    "docno-descending": "docno-",
    "docno-ascending": "docno+",
}
WORD_BY_ZERO_IDEAL = {"zero": "0", "one": "1", "skip": "skip"}
WORD_BY_NEGATIVE_RULE = {"refused": "refused", "zero": "zero", "kept": "kept", "dropped": "drop"}
WORD_BY_FRACTION_RULE = {"kept": "kept", "truncated": "trunc", "refused": "refused"}
WORD_BY_SINGLE_PRECISION = {True: "1"}

ATTRIBUTE_AND_WORDS_BY_FIELD: Mapping[str, tuple[str, Mapping[Any, str]]] = {
    "gain": ("gain", WORD_BY_GAIN),
    "disc": ("discount", WORD_BY_DISCOUNT),
    "pool": ("pool", WORD_BY_POOL),
    "cut": ("cut", WORD_BY_CUT),
    "ties": ("ties", WORD_BY_TIE_RULE),
    "zero": ("zero_ideal", WORD_BY_ZERO_IDEAL),
    "neg": ("negative", WORD_BY_NEGATIVE_RULE),
    "frac": ("fractional", WORD_BY_FRACTION_RULE),
    "f32": ("single", WORD_BY_SINGLE_PRECISION),
}
"""Field of a signature → the field of a convention, and how its values are written."""
ATTRIBUTE_BY_NUMBER_FIELD = {"max": "largest_grade", "min": "shortest", "dec": "decimals"}
FIELDS_ALWAYS_WRITTEN = ("gain", "disc", "pool", "cut", "ties", "zero")
NAMING_ATTRIBUTES = ("name", "library", "version", "source_date")
"""What a convention is called: a signature does not carry it."""
DEFAULT_CONVENTION = Convention("")
PRESETS_ONCE_UNKNOWN_BELOW_ZERO = ("gdeval", "tf-ranking")
"""Their signatures were given out before it was seen what they do with a negative grade."""


def signature(convention: str | Convention, k: int | None = None) -> str:
    """Return the convention in one line of ASCII, with the cut-off of the figure beside it.

    约定串：把一个NDCG是怎么算的写成一行，贴在数字旁边，谁都能照着再算一遍。

    convention: a name in ``CONVENTIONS``, or a ``Convention``. k: None = the whole list.
    Raises ValueError for an unknown name or a bad k.

    >>> signature("course", 10)
    'NDCG@10|gain:g|disc:log2|pool:judged|cut:k|ties:input|zero:0|v:1'
    >>> signature("gdeval")
    'NDCG|gain:2^g-1|disc:log2|pool:judged|cut:k|ties:docno-|zero:0|neg:zero|frac:refused|max:4|dec:5|v:1'
    """
    named_convention = convention_named(convention)
    cutoff = checked_k(k)
    written_fields = ["NDCG" if cutoff is None else f"NDCG@{cutoff}"]
    for field_name, (attribute, word_by_answer) in ATTRIBUTE_AND_WORDS_BY_FIELD.items():
        attribute_value = getattr(named_convention, attribute)
        if field_name in FIELDS_ALWAYS_WRITTEN or attribute_value != getattr(DEFAULT_CONVENTION, attribute):
            written_fields.append(f"{field_name}:{word_by_answer[attribute_value]}")
    for field_name, attribute in ATTRIBUTE_BY_NUMBER_FIELD.items():
        attribute_value = getattr(named_convention, attribute)
        if attribute_value != getattr(DEFAULT_CONVENTION, attribute):
            written_fields.append(f"{field_name}:{attribute_value}")
    return "|".join([*written_fields, f"v:{GRAMMAR_VERSION}"])


def parse_signature(text: str) -> tuple[Convention, int | None]:
    """Return the convention that a signature names, and its cut-off (None: the whole list).

    把约定串读回来：是哪一家的约定，截断到第几位。

    A preset that computes in this way is returned itself; any other convention is called by its signature.
    Raises ValueError naming the part that cannot be read.

    >>> convention, k = parse_signature("NDCG@10 | gain:2^g-1 | pool:list | zero:1 | v:1")
    >>> convention.gain, convention.ties, convention.zero_ideal, k
    ('exponential', 'input', 'one', 10)
    >>> parse_signature(signature("trec_eval", 5)) == (CONVENTIONS["trec_eval"], 5)
    True
    >>> parse_signature("NDCG@10|gain:cubic|v:1")
    Traceback (most recent call last):
        ...
    ValueError: gain = 'cubic': expected one of g, 2^g-1
    """
    if not isinstance(text, str) or len(text) > LONGEST_SIGNATURE:
        raise refusal("signature", text, f"a line of at most {LONGEST_SIGNATURE} characters")
    measure, *written_fields = [written_field.strip() for written_field in text.strip().lower().split("|")]
    answer_word_by_field: dict[str, str] = {}
    for written_field in written_fields:
        field_name, colon, answer_word = written_field.partition(":")
        if not colon or field_name.strip() in answer_word_by_field:
            raise refusal("signature", written_field, "fields like gain:2^g-1, each once, parted by |")
        answer_word_by_field[field_name.strip()] = answer_word.strip()
    if answer_word_by_field.pop("v", GRAMMAR_VERSION) != GRAMMAR_VERSION:
        raise refusal("signature", text, f"version {GRAMMAR_VERSION}")
    value_by_attribute: dict[str, Any] = {}
    for field_name, answer_word in answer_word_by_field.items():
        attribute, attribute_value = _attribute_and_answer(field_name, answer_word)
        value_by_attribute[attribute] = attribute_value
    unnamed_convention = Convention("", pool=COURSE.pool)
    convention = named_convention(replace(unnamed_convention, **value_by_attribute))
    return convention, _cutoff(measure)


def named_convention(convention: Convention) -> Convention:
    """Return the preset that computes by the rules of a convention, or else the convention, called by its
    signature.

    这样算的是哪一家；哪一家都不是，就拿约定串当名字。

    >>> named_convention(Convention("mine", gain="exponential", pool="list", ties="best")).name
    'NDCG|gain:2^g-1|disc:log2|pool:list|cut:k|ties:best|zero:0|v:1'
    """
    for preset_convention in CONVENTIONS.values():
        if rules_of(preset_convention) == rules_of(convention):
            return preset_convention
    for preset_name in PRESETS_ONCE_UNKNOWN_BELOW_ZERO:
        preset_convention = CONVENTIONS[preset_name]
        if rules_of(replace(preset_convention, negative="refused")) == rules_of(convention):
            return preset_convention
    return replace(convention, name=signature(convention), library="", version="", source_date="")


def rules_of(convention: Convention) -> tuple[Any, ...]:
    """All that a convention computes by: everything but its name.

    >>> rules_of(CONVENTIONS["pytrec_eval"]) == rules_of(CONVENTIONS["ir-measures"])
    True
    """
    rule_attributes = [
        convention_field.name
        for convention_field in fields(convention)
        if convention_field.name not in NAMING_ATTRIBUTES
    ]
    return tuple(getattr(convention, attribute) for attribute in rule_attributes)


def _attribute_and_answer(field_name: str, answer_word: str) -> tuple[str, Any]:
    if field_name in ATTRIBUTE_BY_NUMBER_FIELD:
        if not (answer_word.isascii() and answer_word.isdigit() and len(answer_word) <= 4):
            raise refusal(field_name, answer_word, "a whole number")
        return ATTRIBUTE_BY_NUMBER_FIELD[field_name], int(answer_word)
    if field_name not in ATTRIBUTE_AND_WORDS_BY_FIELD:
        raise refusal(
            "signature",
            field_name,
            f"one of {', '.join([*ATTRIBUTE_AND_WORDS_BY_FIELD, *ATTRIBUTE_BY_NUMBER_FIELD, 'v'])}",
        )
    attribute, word_by_answer = ATTRIBUTE_AND_WORDS_BY_FIELD[field_name]
    for answer, written_word in word_by_answer.items():
        if written_word == answer_word:
            return attribute, answer
    raise refusal(field_name, answer_word, f"one of {', '.join(word_by_answer.values())}")


def _cutoff(measure: str) -> int | None:
    measure_name, at_sign, cutoff_text = measure.partition("@")
    if measure_name.strip() != "ndcg":
        raise refusal("signature", measure, "NDCG or NDCG@k at its head")
    if not at_sign:
        return None
    if not (cutoff_text.isascii() and cutoff_text.isdigit() and len(cutoff_text) <= 9):
        raise refusal("k", cutoff_text, "a whole number >= 1")
    return checked_k(int(cutoff_text))
