"""Names of the records are read in one place, and written as they were read."""

from hypothesis import given
from hypothesis import strategies as st

from app.course.content.refs import item_ref_of, own_content_id_of, own_prefix, prefix_of, question_number_of
from tests.published import published

COURSE = published()
IDS = st.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True)
NAMES = st.one_of(IDS, st.builds("{}/{}".format, IDS, IDS))
OWN_IDS = st.integers(1, 10**14)
COURSES = st.one_of(st.just("content"), st.builds(own_prefix, OWN_IDS))


@given(COURSES, NAMES, st.integers(1, 500))
def test_what_is_written_is_read_again(prefix: str, name: str, number: int) -> None:
    item = f"{prefix}:{name}"
    ref = f"{item}#{number}"
    assert (prefix_of(ref), item_ref_of(ref), question_number_of(ref)) == (prefix, item, number)
    assert (item_ref_of(item), question_number_of(item)) == (item, None)


@given(COURSES, NAMES)
def test_only_its_own_course_leaves_the_prefix_away(prefix: str, name: str) -> None:
    for ref in (f"{prefix}:{name}", f"{prefix}:{name}#3"):
        assert COURSE.bare_id(ref) == (name if prefix == "content" else f"{prefix}:{name}")
    assert COURSE.bare_id(name) == name


@given(st.text(alphabet="a7:#-/练", max_size=12))
def test_what_a_form_brings_is_read_without_an_error(text: str) -> None:
    assert text.startswith(prefix_of(text))
    assert text.startswith(item_ref_of(text))
    assert question_number_of(text) is None or f"#{question_number_of(text)}" in text.replace("#0", "#")
    assert own_content_id_of(text) is None


def test_a_number_that_no_question_has_is_none() -> None:
    assert question_number_of("content:q1#" + "9" * 5000) is None
    assert question_number_of("content:q1#x") is None
    assert question_number_of("content:q1#７") is None


@given(OWN_IDS, IDS)
def test_own_content_is_known_by_the_number_of_its_course(own_content_id: int, name: str) -> None:
    assert own_content_id_of(f"{own_prefix(own_content_id)}:{name}") == own_content_id
    assert own_content_id_of(f"content:{name}") is None
    assert own_content_id_of(f"own-{own_content_id}-{name}") is None
