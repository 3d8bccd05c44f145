"""Pages out of ready gzip pieces: one member of gzip, the same bytes, and little work for each reader."""

import gzip
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from starlette.testclient import TestClient

from app.course import Course
from app.course.items.kinds import Numeric
from app.course.learning.steps import AnyStep
from app.web.learning import lessons
from app.web.learning.section_position import SectionPosition
from app.web.learning.step_views import step_html
from app.web.site import slots
from app.web.site.packing import PackedHtml, compress, gzip_page
from tests.web.cast import Place, Reader, browser, is_numeric, place_asking
from tests.web.site.packed_bytes import without_time

PACKED = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}


def one_member(body: bytes) -> bytes:
    """What the first member of gzip holds, which must be the whole: browsers read no second one."""
    unpacker = zlib.decompressobj(wbits=31)
    text = unpacker.decompress(body)
    assert unpacker.eof
    assert unpacker.unused_data == b""
    return text


@given(st.lists(st.text(max_size=400)), st.text(max_size=40), st.text(max_size=40))
def test_any_text_around_any_value_is_one_member_of_gzip(texts: list[str], first: str, second: str) -> None:
    """Packed for one value, sent with another one of the same length."""
    html = slots.BASE.join(texts)
    width = max(len(first.encode()), len(second.encode()))
    values = [{slots.BASE: text.encode().ljust(width)} for text in (first, second)]
    packed = PackedHtml(html, values[0])
    for value in values:
        expected = html.encode().replace(slots.BASE.encode(), value[slots.BASE])
        assert one_member(gzip_page([packed], value)) == packed.plain_bytes(value) == expected


@given(st.lists(st.text(max_size=200), max_size=4), st.text(max_size=40), st.text(max_size=40))
def test_parts_that_refer_to_those_before_them_make_one_page(
    texts: list[str], first: str, second: str
) -> None:
    """Each stands after the three before it, as on every page that it is sent with."""
    width = max(len(first.encode()), len(second.encode()))
    values, next_values = [{slots.BASE: text.encode().ljust(width)} for text in (first, second)]
    htmls = [f"{text}{slots.BASE}{text}{first}" for text in texts]
    parts = []
    for number, html in enumerate(htmls):
        before = "".join(htmls[max(0, number - 3) : number])
        parts.append(PackedHtml(html, values, before))
    for slot_values in (values, next_values):
        expected = "".join(htmls).encode().replace(slots.BASE.encode(), slot_values[slots.BASE])
        assert one_member(gzip_page(parts, slot_values)) == expected


def test_a_part_is_smaller_after_what_it_repeats() -> None:
    html = "".join(map(str, range(900)))
    alone, after = PackedHtml(html, {}), PackedHtml(html, {}, html)
    assert len(gzip_page([alone, after], {})) < 0.6 * len(gzip_page([alone, alone], {}))


@pytest.mark.parametrize("length", [0, 1, 70_000])
def test_a_page_of_any_length(length: int) -> None:
    assert one_member(gzip_page([PackedHtml("x" * length, {})], {})) == b"x" * length


@pytest.mark.parametrize("length", [0, 1, 255, 2_000, 6_000, 70_000])
def test_a_body_is_compressed_whole_with_a_window_of_its_size(length: int) -> None:
    """Its second half repeats the first: as far back as it goes."""
    half = "".join(map(str, range(length)))[:length].encode()
    body = half * 2
    assert one_member(compress(body)) == body
    assert len(compress(body)) <= 1.1 * len(gzip.compress(body, 1))


def test_no_piece_refers_to_the_value_of_a_reader() -> None:
    """Also where the text beside a gap is what one reader has in it."""
    html = Markup("{0}12345678{0}12345678{0}").format(slots.BASE)
    packed = PackedHtml(html, {slots.BASE: b"12345678"})
    other_values = {slots.BASE: b"abcdefgh"}
    assert (
        one_member(gzip_page([packed], other_values))
        == packed.plain_bytes(other_values)
        == b"abcdefgh12345678" * 2 + b"abcdefgh"
    )


def test_a_slot_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        PackedHtml(slots.NEXT, {})


def test_every_slot_is_a_gap() -> None:
    marks = [mark for name, mark in vars(slots).items() if name.isupper() and str(mark).startswith("<!--")]
    assert sorted(marks) == sorted(slots.ALL_SLOTS)


def test_what_goes_into_a_gap_is_escaped(guest: Reader) -> None:
    """And cannot be a slot."""
    page = guest.client.get("/lessons/concepts/which-is-better?x=<!--sender-->&y=1", headers=PACKED)
    assert "<!--" not in page.text


def test_a_lesson_page_is_the_same_packed_and_plain(guest: Reader, course: Course) -> None:
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.submit(guest.page.answering(place.name), answer="0.5")
    plain_response = guest.client.get(place.url, headers=PLAIN)
    with guest.client.stream("GET", place.url, headers=PACKED) as response:
        body = b"".join(response.iter_raw())
    assert plain_response.headers["content-type"] == response.headers["content-type"]
    assert response.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in response.headers["vary"].lower()
    assert "content-encoding" not in plain_response.headers
    assert without_time(one_member(body).decode()) == without_time(plain_response.text)
    assert "<!--" not in plain_response.text


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that were rendered, in order."""
    steps: list[str] = []

    def noted(at: SectionPosition, step: AnyStep) -> str:
        steps.append(step.id)
        return step_html(at, step)

    monkeypatch.setattr(lessons, "step_html", noted)
    return steps


def test_another_answer_renders_one_step_anew(
    client: TestClient, course: Course, rendered: list[str]
) -> None:
    """A class whose answers differ shares all other steps."""
    place = place_asking(course, is_numeric)
    assert isinstance(course.items[place.name], Numeric)
    stage, section = course.section_by_item_id[place.name]
    url = f"/lessons/{stage.id}/{section.id}?step={len(section.steps)}"
    for answer in ("0.12345", "0.54321"):
        reader = browser(client)
        reader.open(url)
        rendered.clear()
        reader.submit(reader.page.answering(place.name), answer=answer)
        reader.open(url)
        assert rendered == [step_of(course, place)], answer


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts of pages that were compressed, in order."""
    parts: list[str] = []
    pack = PackedHtml.__init__

    def noted(self: PackedHtml, html: str, *options: Any) -> None:
        parts.append(html)
        pack(self, html, *options)

    monkeypatch.setattr(PackedHtml, "__init__", noted)
    return parts


def test_another_answer_packs_its_step_and_what_refers_to_it(
    client: TestClient, course: Course, packed: list[str]
) -> None:
    place = place_asking(course, is_numeric)
    stage, section = course.section_by_item_id[place.name]
    url = f"/lessons/{stage.id}/{section.id}?step={len(section.steps)}"
    for answer in ("0.13245", "0.54231"):
        reader = browser(client)
        reader.open(url)
        reader.submit(reader.page.answering(place.name), answer=answer)
        packed.clear()
        reader.open(url)
    assert len(packed) <= 4 < len(section.steps)


def test_slots_of_known_steps_are_not_looked_for_again(guest: Reader, course: Course) -> None:
    """Also where the page itself was never asked for."""
    place = place_asking(course, is_numeric)
    stage, section = course.section_by_item_id[place.name]
    url = f"/lessons/{stage.id}/{section.id}?step="
    guest.open(f"{url}1")
    guest.open(f"{url}{len(section.steps)}")
    searched_texts = slots.slots_of_html.cache_info().misses
    guest.open(f"{url}0{len(section.steps)}")
    assert slots.slots_of_html.cache_info().misses == searched_texts


def step_of(course: Course, place: Place) -> str:
    """The step that asks the item."""
    _, section = course.section_by_item_id[place.name]
    [step] = [step.id for step in section.steps if step.asked_item_id == place.name]
    return step


def test_a_page_that_was_seen_renders_nothing(guest: Reader, course: Course, rendered: list[str]) -> None:
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    rendered.clear()
    guest.open(place.url)
    assert rendered == []
