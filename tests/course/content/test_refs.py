"""Names of the records are read in one place, and written as they were read."""

from hypothesis import given
from hypothesis import strategies as st

from app.course.content.refs import Ref

IDS = st.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True)
SECTIONS = st.builds("{}/{}".format, IDS, IDS)
COURSES = st.one_of(st.just(""), st.just("content"), st.builds("own-{}".format, st.integers(1, 10**14)))
NUMBERS = st.one_of(st.none(), st.integers(1, 500))
REFS = st.builds(Ref, COURSES, st.one_of(IDS, SECTIONS), NUMBERS)


@given(REFS)
def test_what_is_written_is_read_again(ref: Ref) -> None:
    assert Ref.parse(str(ref)) == ref


@given(REFS)
def test_the_item_has_no_number_and_nothing_else_is_lost(ref: Ref) -> None:
    item = Ref.parse(ref.item)
    assert item.number is None
    assert (item.course, item.name) == (ref.course, ref.name)


@given(st.text(alphabet="a7:#-/练", max_size=12))
def test_what_a_form_brings_is_read_without_an_error(text: str) -> None:
    ref = Ref.parse(text)
    assert ref.course == "" or text.startswith(f"{ref.course}:")
    assert ref.name in text


def test_a_number_that_no_question_has_is_none() -> None:
    assert Ref.parse("content:q1#" + "9" * 5000) == Ref.parse("content:q1#x") == Ref("content", "q1")


@given(st.integers(1, 10**14), IDS)
def test_own_content_is_known_by_the_number_of_its_course(own_id: int, name: str) -> None:
    assert Ref(f"own-{own_id}", name).own_id == own_id
    assert Ref("content", name).own_id is None
    assert Ref("", f"own-{own_id}").own_id is None


@given(IDS, IDS)
def test_a_kind_is_the_beginning_of_a_name(kind: str, name: str) -> None:
    assert Ref("content", f"{kind}-{name}").name_after(kind) == name
    assert Ref("content", kind).name_after(kind) is None
