"""Opening an example: one thing after the other, with a guess or without, and nothing twice."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from app.course import Course
from app.course.learning.reveal_sequence import RevealPosition, next_reveal
from app.settings import root
from tests.web.cast import (
    Ledger,
    Page,
    Place,
    Reader,
    browser,
    guessed_by_number,
    place_opening,
    settings_at,
    site_with,
)
from tests.web.pages import Element, filled


@pytest.fixture
def example(course: Course) -> str:
    return place_opening(course).name


def action(example: str) -> str:
    return f"/examples/{example}/reveals"


def opening_form(page: Page, example: str) -> Element:
    """The form that opens what comes next; 直接看 and 算给我看 have forms of their own."""
    return page.by_id(f"example-{example}-opening").all("form")[0]


def straight(reader: Reader, example: str) -> Page:
    """直接看, or the one button where nothing is guessed."""
    for form in reader.page.by_id(f"example-{example}-opening").all("form"):
        label = form.one("button").text if len(form.all("button")) == 1 else ""
        if label == "直接看" or (label.startswith(("翻开", "相除")) and not form.all("input", name="guess")):
            return reader.submit(form)
    raise AssertionError(reader.page.text)


def try_first(reader: Reader, example: str) -> Page:
    """Open what comes next until the first guess is passed over: then 算给我看 is offered."""
    page = straight(reader, example)
    while "算给我看" not in page.by_id(f"example-{example}").text:
        page = straight(reader, example)
    return page


def words(page: Page, example: str) -> str:
    return page.by_id(f"example-{example}").one("p", class_="skewer").text


def guesses(ledger: Ledger) -> list[tuple[Any, ...]]:
    return ledger.rows('SELECT round, position, guess, "right" FROM reveal ORDER BY id')


@pytest.mark.both_databases
def test_everything_opens_one_after_the_other(
    guest: Reader, course: Course, ledger: Ledger, example: str
) -> None:
    sequence = course.reveal_positions(example)
    guest.open(f"/examples/{example}")
    position = 0
    while position < len(sequence):
        assert f"{position} / {len(sequence)}" in words(guest.page, example)
        assert len(guest.page.root.all("tr", class_="open")) == terms_open(sequence[:position])
        opening = next_reveal(sequence, position)
        assert opening
        straight(guest, example)
        assert guesses(ledger)[position:] == [
            (1, together, None, None) for together in range(opening.first_position, opening.position + 1)
        ]
        position = opening.position
    trace = course.examples[example].trace
    assert all(
        f"{figure:.3f}" in guest.page.by_id(f"example-{example}-ratio").text
        for figure in (trace.dcg, trace.idcg, trace.ndcg)
    )
    assert guest.page.has(f"item-{example}-example-turn"), "换你"
    assert guest.open(f"/examples/{example}").has(f"item-{example}-example-turn"), "and it stays open"


def test_terms_of_the_ideal_open_with_one_guess_each_by_itself(
    guest: Reader, course: Course, ledger: Ledger, example: str
) -> None:
    """A form of before, which opens one of them, works as it did; the question then opens the rest, once."""
    sequence = course.reveal_positions(example)
    last = sequence[-2]
    guest.open(f"/examples/{example}")
    for _ in range(last.first_position - 1):
        straight(guest, example)
    form = opening_form(guest.page, example)
    guest.post(form["action"], filled(form, position=str(last.first_position)))
    page = guest.submit(
        form, next(choice.label for choice in last.choices if choice.value == last.right_guess)
    )
    together = list(range(last.first_position, last.position + 1))
    assert guesses(ledger)[last.first_position - 1 :] == [
        *((1, position, None, None) for position in together[:-1]),
        (1, last.position, last.right_guess, True),
    ]
    assert "猜对了" in page.by_id(f"example-{example}").text
    guest.submit(form, last.choices[0].label)
    assert len(guesses(ledger)) == last.position
    assert "猜对了" in guest.open(f"/examples/{example}").by_id(f"example-{example}").text


def terms_open(opened: tuple[RevealPosition, ...]) -> int:
    return sum(opening.kind in ("term", "ideal_term") for opening in opened)


def test_what_is_not_open_yet_is_not_in_the_page(guest: Reader, course: Course) -> None:
    """The ratio, the running totals and the ideal order must not be read before they are opened."""
    example = next(candidate for candidate in course.examples.values() if candidate.trace.ndcg < 1)
    page = guest.open(f"/examples/{example.id}")
    article = page.by_id(f"example-{example.id}").html
    for secret in (f"{example.trace.dcg:.3f}", f"{example.trace.idcg:.3f}", f"{example.trace.ndcg:.3f}"):
        assert secret not in article


def test_what_nobody_judged_carries_no_grade(guest: Reader) -> None:
    """It counts as 0, but nobody said that it was worth 0: its candy bears a question mark everywhere."""
    page = guest.open("/examples/lbl-new-system")
    for rank in (2, 4):
        row = page.by_id(f"example-lbl-new-system-dcg-{rank}")
        assert row.one("td", class_="t-grade").text == "甜度 ?"


@pytest.mark.parametrize("right", [True, False])
def test_a_guess_is_met_with_its_reason(guest: Reader, course: Course, ledger: Ledger, right: bool) -> None:
    place, opening = first(course, "choices")
    guest.open(f"/examples/{place}?shown=0")
    before = [entry for entry in course.reveal_positions(place) if entry.position < opening.position]
    for _ in before:
        straight(guest, place)
    choice = next(entry for entry in opening.choices if (entry.value == opening.right_guess) is right)
    page = guest.submit(opening_form(guest.page, place), choice.label)
    message_block = page.by_id(f"example-{place}").one("div", class_="pleased" if right else "puzzled")
    assert ("猜对了" if right else f"你猜的是“{choice.label}”") in message_block.text
    assert guesses(ledger)[-1] == (1, opening.position, choice.value, right)
    later = browser(guest.client)
    later.client.cookies.update(guest.client.cookies)
    assert message_block.html in later.open(f"/examples/{place}").by_id(f"example-{place}").html, (
        "a reload says the same"
    )


def first(course: Course, mode: str) -> tuple[str, RevealPosition]:
    return next(
        (name, opening)
        for name in course.examples
        for opening in course.reveal_positions(name)
        if opening.guess_mode == mode
    )


@pytest.mark.parametrize("in_lesson", [True, False])
def test_a_number_is_guessed_and_read_as_people_write_it(
    guest: Reader, course: Course, ledger: Ledger, in_lesson: bool
) -> None:
    place = guessed_by_number(course)
    opening = up_to_number(guest, course, place, in_lesson)
    wide = f"{float(opening.right_guess):.2f}".replace(".", "。")
    page = guest.submit(opening_form(guest.page, place.name), guess=wide)
    assert "算对了" in page.by_id(f"example-{place.name}").text
    assert guesses(ledger)[-1] == (1, opening.position, wide, True)


UNREADABLE = ["abc", "", "2+x", "3 & 4 #5", "50%%", "1=2?", "<b>2</b>", "２,5"]


@pytest.mark.parametrize("in_lesson", [True, False], ids=["lesson", "alone"])
@pytest.mark.parametrize("typed", UNREADABLE)
def test_a_guess_that_cannot_be_read_opens_nothing_and_stays(
    guest: Reader, course: Course, ledger: Ledger, typed: str, in_lesson: bool
) -> None:
    place = guessed_by_number(course)
    opening = up_to_number(guest, course, place, in_lesson)
    before, form = guesses(ledger), opening_form(guest.page, place.name)
    fragment = guest.submit(form, htmx=True, status=422, guess=typed)
    page = guest.submit(form, guess=typed)
    for page_or_fragment in (fragment, page):
        assert page_or_fragment.by_id(f"example-{place.name}-error").text
        assert page_or_fragment.root.one("input", name="guess")["value"] == typed
        assert words(page_or_fragment, place.name).startswith(f"翻开了{opening.position - 1} ")
    assert guesses(ledger) == before


def test_of_a_long_guess_that_cannot_be_read_the_beginning_is_kept(guest: Reader, course: Course) -> None:
    """An address with all of it would be longer than a server in front of the site takes."""
    place = guessed_by_number(course)
    up_to_number(guest, course, place, in_lesson=False)
    form = opening_form(guest.page, place.name)
    fragment = guest.submit(form, htmx=True, status=422, guess="很" * 7000)
    page = guest.submit(form, guess="很" * 7000)
    for page_or_fragment in (fragment, page):
        assert page_or_fragment.root.one("input", name="guess")["value"] == "很" * 80
    assert len(page.path) < 1000


def up_to_number(guest: Reader, course: Course, place: Place, in_lesson: bool) -> RevealPosition:
    guest.open(place.url if in_lesson else f"/examples/{place.name}")
    opening = next(entry for entry in course.reveal_positions(place.name) if entry.guess_mode == "number")
    for _ in range(opening.position - 1):
        straight(guest, place.name)
    return opening


def test_an_unreadable_guess_of_a_newcomer(guest: Reader, course: Course, ledger: Ledger) -> None:
    """Nobody becomes a learner by it, and the fragment can be sent on."""
    name, opening = first(course, "number")
    form = (
        guest.open(f"/examples/{name}?shown={opening.position - 1}")
        .by_id(f"example-{name}-opening")
        .all("form")[0]
    )
    fragment = guest.submit(form, htmx=True, status=422, guess="？")
    assert ledger.count("learner") == 0
    assert fragment.root.all("input", name="guest")


@pytest.mark.parametrize("position", ["0", "2", "3", "99", "9999", "10000", "-1", "x", "", "1.0", "٣"])
def test_a_position_out_of_turn_is_harmless(
    guest: Reader, ledger: Ledger, example: str, position: str
) -> None:
    form = opening_form(guest.open(f"/examples/{example}"), example)
    page = guest.submit(form, position=position)
    assert page.status == 200
    assert guesses(ledger) == []


def test_nothing_opens_beyond_the_end(guest: Reader, course: Course, ledger: Ledger, example: str) -> None:
    guest.open(f"/examples/{example}")
    form = opening_form(guest.page, example)
    guest.submit(try_first(guest, example).form(action(example), "全部算给我看"))
    total = len(course.reveal_positions(example))
    guest.submit(form, position=str(total + 1))
    assert [row[1] for row in guesses(ledger)] == list(range(1, total + 1))


def test_a_double_click_opens_one(guest: Reader, ledger: Ledger, example: str) -> None:
    form = opening_form(guest.open(f"/examples/{example}"), example)
    twin = guest.twin()
    fragments = [reader.submit(form, htmx=True) for reader in (guest, twin)]
    assert fragments[0].root.html == fragments[1].root.html
    assert len(guesses(ledger)) == 1
    readers = [guest.twin() for _ in range(6)]
    fields = filled(opening_form(guest.open(f"/examples/{example}"), example), position="2")
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda one: one.post(action(example), fields, htmx=True), readers))
    assert {answer.status_code for answer in answers} == {200}
    assert [row[1] for row in guesses(ledger)] == [1, 2]
    assert ledger.count("learner") == 1


def test_the_tutor_opens_all_that_is_left(
    guest: Reader, course: Course, ledger: Ledger, example: str
) -> None:
    guest.open(f"/examples/{example}")
    page = guest.submit(try_first(guest, example).form(action(example), "全部算给我看"))
    assert [row[1] for row in guesses(ledger)] == list(range(1, len(course.reveal_positions(example)) + 1))
    assert page.has(f"example-{example}-ratio")
    assert "换你" in page.text


def test_the_whole_way_is_not_offered_before_the_first_guess(guest: Reader, course: Course) -> None:
    """In an example of every kind: by what is asked before each term."""
    example_by_kind = {
        tuple(opening.guess_mode for opening in course.reveal_positions(name)): name
        for name in course.examples
    }
    for name in example_by_kind.values():
        page = guest.open(f"/examples/{name}")
        for opening in course.reveal_positions(name):
            assert "算给我看" not in page.by_id(f"example-{name}").text
            page = straight(guest, name)
            if opening.guess_mode != "plain":
                break
        if page.has(f"example-{name}-opening"):
            assert "算给我看" in page.by_id(f"example-{name}").text


def test_once_more_from_the_beginning(guest: Reader, ledger: Ledger, example: str) -> None:
    guest.open(f"/examples/{example}")
    guest.submit(try_first(guest, example).form(action(example), "全部算给我看"))
    page = guest.submit(guest.page.form(f"/examples/{example}/rounds"))
    assert words(page, example).startswith("翻开了0")
    assert not page.root.all("tr", class_="open")
    straight(guest, example)
    assert guesses(ledger)[-1] == (2, 1, None, None)
    assert ledger.count("attempt") == 0


@pytest.mark.parametrize("number", [0, 1, 3, 99, 999])
def test_the_address_shows_and_records_nothing(
    guest: Reader, course: Course, ledger: Ledger, example: str, number: int
) -> None:
    page = guest.open(f"/examples/{example}?shown={number}")
    total = len(course.reveal_positions(example))
    if number < total:
        assert f"{number} / {total}" in words(page, example)
    assert page.has(f"example-{example}-ratio") is (number >= total)
    assert ledger.count("learner") == 0
    assert (
        Page(guest.client.get(f"/examples/{example}?shown={number}")).by_id(f"example-{example}").text
        == page.by_id(f"example-{example}").text
    )


@pytest.mark.parametrize(
    "query",
    ["shown=-1", "shown=abc", "shown=1e3", f"shown={'9' * 5000}", "shown=%00", "shown=²", "guess=abc"],
)
def test_an_address_that_says_nothing_shows_what_is_open(guest: Reader, example: str, query: str) -> None:
    assert words(guest.open(f"/examples/{example}?{query}"), example).startswith("翻开了0")


def test_an_example_in_a_lesson_shares_its_openings(guest: Reader, course: Course) -> None:
    place = place_opening(course)
    guest.open(place.url)
    straight(guest, place.name)
    assert guest.page.path == place.url
    assert words(guest.page, place.name).startswith("翻开了1")
    assert words(guest.open(f"/examples/{place.name}"), place.name).startswith("翻开了1")
    assert "在学" in guest.open("/examples").text


@pytest.fixture(scope="module")
def stopping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A site whose first example in a lesson stops after the DCG terms."""
    folder = tmp_path_factory.mktemp("stopping")
    content = Path(copytree(root() / "content", folder / "content"))
    for lesson in sorted(content.rglob("lesson.yaml")):
        text, count = re.subn(
            r"(kind: example, example: [a-z0-9-]+)(?=[,}])(?!.*until)",
            r"\1, until: dcg",
            lesson.read_text("utf-8"),
            count=1,
        )
        if count:
            lesson.write_text(text, "utf-8")
            break
    with site_with(settings_at(folder / "data", content=content)) as client:
        yield browser(client)


def test_a_lesson_may_stop_after_the_terms(stopping: Reader) -> None:
    app: Any = stopping.client.app
    course = app.state.site.course
    place = place_opening(course, lambda step: step.until == "dcg")
    terms = len(course.examples[place.name].trace.terms)
    page = stopping.open(place.url)
    assert f"0 / {terms}" in words(page, place.name)
    assert "IDCG" not in page.by_id(f"example-{place.name}").text, "it is not taught yet"
    stopping.submit(try_first(stopping, place.name).form(action(place.name), "全部算给我看"))
    page = stopping.page
    assert page.path == place.url
    assert f"{course.examples[place.name].trace.dcg:.2f}" in page.by_id(f"example-{place.name}").text
    assert "IDCG" not in page.by_id(f"example-{place.name}").text
    assert not page.has(f"item-{place.name}-example-turn")
    assert f"{terms} / {len(course.reveal_positions(place.name))}" in words(
        stopping.open(f"/examples/{place.name}"), place.name
    )


def test_a_lesson_that_stops_opens_no_more_by_hand(stopping: Reader) -> None:
    app: Any = stopping.client.app
    course = app.state.site.course
    place = place_opening(course, lambda step: step.until == "dcg")
    terms = len(course.examples[place.name].trace.terms)
    reader = browser(stopping.client)
    form = opening_form(reader.open(place.url), place.name)
    for position in range(1, terms + 2):
        assert reader.post(form["action"], filled(form, position=str(position))).status_code == 200
    assert f"{terms} / " in words(reader.open(f"/examples/{place.name}"), place.name)


def test_a_step_of_another_example_does_not_say_where_this_one_stops(stopping: Reader) -> None:
    app: Any = stopping.client.app
    course = app.state.site.course
    place = place_opening(course, lambda step: step.until == "dcg")
    terms = len(course.examples[place.name].trace.terms)
    longer_example = next(name for name in course.examples if len(course.examples[name].trace.terms) > terms)
    reader = browser(stopping.client)
    step = opening_form(reader.open(place.url), place.name)["action"].partition("?step=")[2]
    form = opening_form(reader.open(f"/examples/{longer_example}"), longer_example)
    reader.post(f"{action(longer_example)}?step={step}", filled(form, position="all"))
    whole = reader.open(f"/examples/{longer_example}").by_id(f"example-{longer_example}").text
    assert "翻开了" not in whole, "nothing is left to open"


def test_every_guess_of_every_example_can_be_made(guest: Reader, course: Course) -> None:
    """Each choice has a label of its own, and what is true is among the choices."""
    for example in course.examples:
        for opening in course.reveal_positions(example):
            if opening.guess_mode == "choices":
                labels = [choice.label for choice in opening.choices]
                assert len(set(labels)) == len(labels)
                assert opening.right_guess in [choice.value for choice in opening.choices]


@pytest.mark.parametrize(
    "step", ["a.b.c", "concepts", "concepts.nothing.x", "..", "%00", "concepts.which-is-better.probe"]
)
def test_a_form_that_names_no_step_is_not_an_error(guest: Reader, example: str, step: str) -> None:
    form = opening_form(guest.open(f"/examples/{example}"), example)
    answer = guest.post(f"{action(example)}?step={step}", filled(form))
    assert answer.status_code in (200, 404)


def test_the_list_of_examples_is_ordered_by_stage(guest: Reader, course: Course) -> None:
    page = guest.open("/examples")
    shelves = [fold.one("h2").text for fold in page.main.all("details", class_="fold")]
    assert shelves == [stage.title for stage in course.stages if stage.example_ids]
    links = [heading.one("a")["href"] for heading in page.main.all("li", class_="example-link")]
    assert sorted(links) == sorted(f"/examples/{heading}" for heading in course.examples)


def test_the_list_of_examples_is_open_where_one_is_left(guest: Reader, course: Course) -> None:
    first, second = [stage for stage in course.stages if stage.example_ids][:2]
    *first_examples, last_example = first.example_ids
    for example in first_examples:
        open_all(guest, example)
    assert open_shelf(guest) == f"{first.title} 学完{len(first_examples)}道，共{len(first_examples) + 1}道"
    open_all(guest, last_example)
    assert open_shelf(guest) == f"{second.title} 学完0道，共{len(second.example_ids)}道"


def open_all(reader: Reader, example: str) -> None:
    form = opening_form(reader.open(f"/examples/{example}"), example)
    reader.post(action(example), filled(form, position="all"))


def open_shelf(reader: Reader) -> str:
    [shelf] = reader.open("/examples").main.all("details", class_="fold", open="")
    return shelf.one("summary").text


def test_the_last_line_of_every_example_is_what_a_calculator_gives(guest: Reader, course: Course) -> None:
    for example_id, example in course.examples.items():
        page = guest.open(f"/examples/{example_id}?shown=99")
        if example.trace.zero_ideal:
            continue
        dcg, idcg, ndcg = [part.text for part in page.by_id(f"example-{example_id}-ratio").all("b")]
        quotient = (Decimal(dcg) / Decimal(idcg)).quantize(Decimal(".001"), ROUND_HALF_UP)
        assert f"{quotient}" == ndcg, example_id
