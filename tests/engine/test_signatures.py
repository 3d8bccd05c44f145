"""Signatures: what is written is read back, whatever the convention; what cannot be read is said."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import (
    CONVENTIONS,
    CUTS,
    DISCOUNTS,
    GAINS,
    TIES,
    ZERO_IDEALS,
    Convention,
    parse_signature,
    signature,
)
from app.engine.conventions import FRACTION_RULES, NEGATIVE_RULES, POOLS
from app.engine.signatures import LONGEST_SIGNATURE, rules_of
from tests.tables import each

WRITTEN = st.builds(
    Convention,
    st.just("mine"),
    gain=st.sampled_from([*GAINS]),
    discount=st.sampled_from([*DISCOUNTS]),
    pool=st.sampled_from(POOLS),
    cut=st.sampled_from(CUTS),
    ties=st.sampled_from([*TIES]),
    zero_ideal=st.sampled_from([*ZERO_IDEALS]),
    negative=st.sampled_from(NEGATIVE_RULES),
    fractional=st.sampled_from(FRACTION_RULES),
    largest_grade=st.none() | st.integers(1, 99),
    shortest=st.integers(1, 9),
    single=st.booleans(),
    decimals=st.none() | st.integers(0, 9),
)


@given(WRITTEN, st.none() | st.integers(1, 10**9 - 1))
def test_what_is_written_is_read_back(convention: Convention, k: int | None) -> None:
    text = signature(convention, k)
    assert text.isascii()
    assert len(text) <= LONGEST_SIGNATURE
    parsed, depth = parse_signature(text)
    assert (rules_of(parsed), depth) == (rules_of(convention), k)


@pytest.mark.parametrize("name", [name for name in CONVENTIONS if name != "ir-measures"])
def test_a_preset_is_returned_itself(name: str) -> None:
    assert parse_signature(signature(name, 10)) == (CONVENTIONS[name], 10)


def test_a_twin_is_read_as_the_first_of_its_kind() -> None:
    assert parse_signature(signature("ir-measures"))[0].name == "pytrec_eval"


def test_the_line_of_the_documentation() -> None:
    convention, k = parse_signature("NDCG@10|gain:2^g-1|disc:log2|pool:judged|cut:k|ties:docno-|zero:0|v:1")
    assert k == 10
    assert (convention.gain, convention.ties, convention.pool) == (
        "exponential",
        "docno-descending",
        "judged",
    )


def test_order_case_and_spaces_do_not_matter_and_what_is_left_out_is_the_courses() -> None:
    assert parse_signature(" ndcg | V:1 | ZERO:0 |gain: g ") == (CONVENTIONS["course"], None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "NDCG or NDCG@k"),
        ("MAP@10|gain:g", "NDCG or NDCG@k"),
        ("NDCG@0", "k = 0"),
        ("NDCG@x", "k = 'x'"),
        ("NDCG@-1", "k = '-1'"),
        ("NDCG|gain:cubic", "gain = 'cubic'"),
        ("NDCG|colour:red", "'colour'"),
        ("NDCG|gain:g|gain:2^g-1", "each once"),
        ("NDCG|gain", "fields like"),
        ("NDCG|max:many", "max = 'many'"),
        ("NDCG|max:99999", "max = '99999'"),
        ("NDCG|v:2", "version 1"),
        ("NDCG|" + "x" * 300, "at most 300"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_signature(text)


@given(st.text(alphabet="NDCGndcg@0123456789|:gaindisctepolv-+^ ", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        convention, k = parse_signature(text)
    except ValueError:
        return
    assert parse_signature(signature(convention, k)) == (convention, k)


@each(
    ("name", "handed_out"),
    [
        (
            "gdeval",
            "NDCG|gain:2^g-1|disc:log2|pool:judged|cut:k|ties:docno-|zero:0|frac:refused|max:4|dec:5|v:1",
        ),
        ("tf-ranking", "NDCG|gain:2^g-1|disc:log2|pool:list|cut:k|ties:avg|zero:0|f32:1|v:1"),
    ],
)
def test_a_signature_from_before_its_library_was_seen_below_zero_still_names_it(
    name: str, handed_out: str
) -> None:
    assert parse_signature(handed_out) == (CONVENTIONS[name], None)
