"""Answering: marked, explained, kept once; and what cannot be read costs nothing."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.course import Course
from app.course.content.model import Section, Stage
from app.course.items.kinds import Item, MultipleChoice, Numeric, Order, SingleChoice, TrueFalse
from app.course.learning.steps import Ask
from tests.web.cast import (
    Ledger,
    Page,
    Place,
    Reader,
    has_several_tries,
    is_numeric,
    is_one_shot,
    place_asking,
    place_opening,
    right_answer,
    steps,
    wrong_answer,
)
from tests.web.pages import Element, filled, parsed

ENDS = {"right": "一次就对", "corrected": "改对了", "shown": "看过算法"}


@pytest.fixture
def number(course: Course) -> Place:
    """A question for a number, in a lesson."""
    return place_asking(course, is_numeric)


def rows(ledger: Ledger) -> list[tuple[Any, ...]]:
    """Item, try, what was typed, verdict: of every answer, in order."""
    told_rows = ledger.rows("SELECT item, try_number, raw, verdict FROM response ORDER BY id")
    return [(item, number, json.loads(raw), verdict) for item, number, raw, verdict in told_rows]


EVERY_KIND: dict[str, Any] = {
    "single": has_several_tries,
    "one-shot": is_one_shot,
    "multiple": lambda item: isinstance(item, MultipleChoice),
    "numeric": is_numeric,
    "order": lambda item: isinstance(item, Order),
}


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_the_right_answer(guest: Reader, course: Course, ledger: Ledger, kind: str) -> None:
    place = place_asking(course, EVERY_KIND[kind])
    item = course.items[place.name]
    guest.open(place.url)
    page = guest.answer(item.id, *right_answer(item))
    assert page.path == place.url
    assert "一次就对" in page.item(item.id).text
    assert page.item(item.id).all("div", class_="pleased")
    assert not page.item(item.id).all("form", class_="answer")
    assert rows(ledger) == [(f"content:{item.id}", 1, list(right_answer(item)), "right")]
    assert Page(guest.client.get(place.url)).item(item.id).html == page.item(item.id).html, "it stays so"


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_wrong_answer_is_explained_and_may_be_mended(
    guest: Reader, course: Course, ledger: Ledger, kind: str
) -> None:
    place = place_asking(course, EVERY_KIND[kind])
    item = course.items[place.name]
    guest.open(place.url)
    page = guest.answer(item.id, *wrong_answer(item))
    assert page.item(item.id).all("div", class_="puzzled")
    again = item.twin if item.has_one_try_only and item.twin else item.id
    assert pages_try(page, again) == (1 if again == item.twin else 2)
    page = guest.answer(again, *right_answer(course.items[again]))
    assert ENDS["right" if again == item.twin else "corrected"] in page.item(again).text
    assert [row[-1] for row in rows(ledger)] == ["wrong", "right"]


def pages_try(page: Page, item: str) -> int:
    return int(page.answering(item).one("input", name="try")["value"])


def test_each_wrong_option_says_why_somebody_would_choose_it(guest: Reader, course: Course) -> None:
    place = place_asking(course, has_several_tries)
    item = course.items[place.name]
    assert isinstance(item, SingleChoice)
    guest.open(place.url)
    for number, option in enumerate((choice for choice in item.options if not choice.right), 1):
        page = guest.answer(item.id, option.id)
        message = page.by_id(f"item-{item.id}-say-1").text
        assert message == parsed(course.html(option.feedback)).text
        tried = page.item(item.id).all("input", disabled="")
        assert len(tried) == number, "what was tried cannot be chosen again"


def test_a_one_shot_item_shows_its_twin_and_counts_as_mended(guest: Reader, course: Course) -> None:
    place = place_asking(course, is_one_shot)
    item = course.items[place.name]
    assert item.twin
    guest.open(place.url)
    page = guest.answer(item.id, *wrong_answer(item))
    assert page.item(item.id).one(id=f"item-{item.twin}"), "the twin stands inside"
    guest.answer(item.twin, *right_answer(course.items[item.twin]))
    page = guest.open("/progress")
    assert "一次就对0，改对了1，还没对0" in page.text


def test_a_probe_is_asked_once_and_counts_for_nothing(guest: Reader, course: Course) -> None:
    place = place_asking(course, lambda item: isinstance(item, SingleChoice), probe=True)
    item = course.items[place.name]
    page = guest.open(place.url)
    assert "提示" not in page.item(item.id).text
    page = guest.answer(item.id, *wrong_answer(item))
    assert not page.item(item.id).all("form", class_="answer")
    assert page.item(item.id).all("div", class_="thinking")
    assert page.item(item.id).one("li", class_="chosen").one(class_="verdict").text == "你猜的"
    assert page.item(item.id).one("li", class_="right").one(class_="verdict").text == "✓ 对"
    assert "✗" not in page.item(item.id).text
    assert not guest.open("/progress").root.all("p", class_="tally")


def test_the_tutor_is_pleased_with_a_guess_that_is_right(guest: Reader, course: Course) -> None:
    place = place_asking(course, lambda item: isinstance(item, SingleChoice), probe=True)
    guest.open(place.url)
    page = guest.answer(place.name, *right_answer(course.items[place.name]))
    assert page.item(place.name).all("div", class_="pleased")
    assert not page.item(place.name).all("div", class_="thinking")


def test_hints_open_one_by_one_and_keep_what_was_typed(guest: Reader, course: Course, number: Place) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    for opened in range(1, len(item.hints) + 1):
        guest.submit(guest.page.answering(item.id), "提示", answer="2.5 + 1")
        assert guest.page.answering(item.id).one("input", name="answer")["value"] == "2.5 + 1"
        assert len(guest.page.item(item.id).one("ol", class_="hints").all("li")) == opened
    assert "提示" not in [button.text for button in guest.page.answering(item.id).all("button")]
    fragment = guest.submit(guest.page.answering(item.id), htmx=True, answer=list(wrong_answer(item)))
    assert len(fragment.root.one("ol", class_="hints").all("li")) == len(item.hints)


def test_a_hint_keeps_what_was_ticked(guest: Reader, course: Course, ledger: Ledger) -> None:
    place = place_asking(course, lambda item: isinstance(item, MultipleChoice))
    item = course.items[place.name]
    assert isinstance(item, MultipleChoice)
    ticked = [item.options[0].id, item.options[1].id]
    guest.open(place.url)
    for htmx in (True, False):
        page = guest.submit(guest.page.answering(item.id), "提示", htmx=htmx, answer=ticked)
        raw_answers = [
            field["value"]
            for field in page.root.all("input", type="checkbox")
            if "checked" in field.attributes
        ]
        assert sorted(raw_answers) == sorted(ticked)
    assert ledger.count("response") == 0


def test_the_hints_that_were_open_are_kept_with_the_answer(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    guest.open(number.url)
    guest.submit(guest.page.answering(number.name), "提示")
    guest.submit(guest.page.answering(number.name), "提示")
    guest.answer(number.name, *right_answer(course.items[number.name]))
    assert ledger.rows("SELECT hints FROM response") == [(2,)]


def test_the_tutor_answers_nobody_who_has_not_tried(guest: Reader, course: Course, number: Place) -> None:
    """Neither beside the first try nor never: after a wrong answer as after a hint."""
    item = course.items[number.name]
    page = guest.open(number.url)
    assert "算给我看" not in page.item(item.id).text
    assert "提示" in page.item(item.id).text
    page = guest.answer(item.id, *wrong_answer(item))
    assert "算给我看" in page.item(item.id).text


def test_the_tutor_computes_and_then_it_is_your_turn(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    assert item.twin
    page = guest.open(number.url)
    page = guest.submit(page.answering(item.id), "提示")
    page = guest.submit(page.answering(item.id), "算给我看")
    assert page.has(f"item-{item.id}-worked")
    assert "换你" in page.item(item.id).text
    page = guest.answer(item.twin, *right_answer(course.items[item.twin]))
    assert "一次就对" in page.item(item.twin).text
    assert rows(ledger) == [
        (f"content:{item.id}", 1, [], "shown"),
        (f"content:{item.twin}", 1, list(right_answer(course.items[item.twin])), "right"),
    ]


@pytest.mark.parametrize(
    ("ago", "low", "high"), [(42, 42, 90), (-60, None, None), (86400, None, None), ("nan", None, None)]
)
def test_how_long_it_took_is_written_down(
    guest: Reader, course: Course, ledger: Ledger, number: Place, ago: Any, low: int | None, high: int | None
) -> None:
    """Since the question was shown; not for who comes back on another day, or whose form says nonsense."""
    guest.open(number.url)
    form = guest.page.answering(number.name)
    begun = int(form.one("input", name="shown")["value"])
    shown_at = ago if isinstance(ago, str) else str(begun - ago)
    guest.submit(form, answer=list(right_answer(course.items[number.name])), shown=shown_at)
    [(seconds,)] = ledger.rows("SELECT seconds FROM response")
    assert seconds is None if low is None else low <= seconds <= (high or 0)


UNREADABLE = ["abc", "", "三点八", "1,5", "2+", "1/0", "3.8.9", "<b>3</b>", "9" * 81, "0x1F", "nan", "２＋"]


@pytest.mark.parametrize("typed", UNREADABLE)
def test_unreadable_is_not_wrong(guest: Reader, ledger: Ledger, number: Place, typed: str) -> None:
    guest.open(number.url)
    form = guest.page.answering(number.name)
    fragment = guest.submit(form, htmx=True, status=422, answer=typed)
    page = guest.submit(form, answer=typed)
    for shown_ in (fragment, page):
        error = shown_.by_id(f"item-{number.name}-error")
        field = shown_.by_id(f"item-{number.name}-answer")
        assert error["role"] == "alert"
        assert error.text
        assert field["value"] == typed
        assert field["aria-invalid"] == "true"
        assert pages_try(shown_, number.name) == 1
    assert ledger.count("learner") == ledger.count("response") == 0


def showing(form: Element) -> list[Element]:
    return [button for button in form.all("button") if button.get("formaction").endswith("/solutions")]


def shown_items(section: Section) -> list[str]:
    """What the tutor can show: where a guess is not all that is asked."""
    return [step.item for step in section.steps if isinstance(step, Ask) and not step.probe]


def all_sections(course: Course) -> Iterator[tuple[Stage, Section]]:
    for stage in course.stages:
        for section in stage.sections:
            yield stage, section


def sections_with_a_new_kind(course: Course) -> Iterator[tuple[Stage, Section]]:
    """Together they ask every kind of item, with hints and without."""
    former_kinds: set[tuple[type[Item], bool]] = set()
    for stage, section in all_sections(course):
        items = [course.items[name] for name in shown_items(section)]
        kinds = {(type(item), bool(item.hints)) for item in items}
        if not kinds <= former_kinds:
            former_kinds |= kinds
            yield stage, section


@pytest.mark.parametrize(
    "sections", [sections_with_a_new_kind, pytest.param(all_sections, marks=pytest.mark.long)]
)
def test_the_tutor_shows_every_item_of_a_section(
    guest: Reader, course: Course, sections: Callable[[Course], Iterator[tuple[Stage, Section]]]
) -> None:
    """By the button under each item."""
    for stage, section in sections(course):
        page = guest.open(f"/lessons/{stage.id}/{section.id}?step={len(section.steps)}")
        for item in shown_items(section):
            form = page.answering(item)
            if not showing(form):  # it is offered after a try or a hint
                form = guest.submit(form, "提示", htmx=True).answering(item)
            [show] = showing(form)
            fragment = guest.submit(form, show.text, htmx=True)
            assert "is-shown" in fragment.item(item)["class"].split(), item


def test_both_ways_say_the_same_of_what_cannot_be_read(guest: Reader, course: Course) -> None:
    """Nothing chosen, an option that is not there, half an order: with htmx and without, one sentence."""
    for kind in (SingleChoice, MultipleChoice, TrueFalse, Numeric):
        place = next(at for at, step in steps(course) if isinstance(course.items.get(at.name), kind))
        guest.open(place.url)
        for typed in ([], ["no-such-option"]):
            form = guest.page.answering(place.name)
            fragment = guest.submit(form, htmx=True, status=422, answer=typed)
            page = Page(guest.post(form["action"], filled(form, answer=typed)))
            error = f"item-{place.name}-error"
            assert fragment.by_id(error).text == page.by_id(error).text, kind


def test_a_newcomer_whose_answer_was_unreadable_can_go_on_in_the_fragment(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    guest.open(number.url)
    fragment = guest.submit(guest.page.answering(number.name), htmx=True, status=422, answer="abc")
    answer = right_answer(course.items[number.name])
    guest.submit(fragment.answering(number.name), htmx=True, answer=list(answer))
    assert [row[1:] for row in rows(ledger)] == [(1, list(answer), "right")]


def test_an_unreadable_second_try_is_no_try(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    guest.answer(item.id, *wrong_answer(item))
    fragment = guest.submit(guest.page.answering(item.id), htmx=True, status=422, answer="？")
    page = guest.answer(item.id, "？")
    assert pages_try(fragment, item.id) == pages_try(page, item.id) == 2
    guest.answer(item.id, *right_answer(item))
    assert [(row[1], row[3]) for row in rows(ledger)] == [(1, "wrong"), (2, "right")]


def test_chinese_keyboards_are_welcome(guest: Reader, course: Course, number: Place) -> None:
    item = course.items[number.name]
    wide = right_answer(item)[0].translate(
        {ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"} | {ord("."): "。"}
    )
    guest.open(number.url)
    page = guest.answer(item.id, wide)
    text = page.item(item.id).one("p", class_="heard").text
    assert text.startswith("已识别为")
    assert float(text.removeprefix("已识别为").strip()) == pytest.approx(float(right_answer(item)[0]))
    assert "一次就对" in page.item(item.id).text


def test_a_sum_is_read_as_its_value(guest: Reader, course: Course, number: Place) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    page = guest.answer(item.id, f"={right_answer(item)[0]}＋1－1")
    assert "一次就对" in page.item(item.id).text
    assert "已识别为" in page.text


def test_the_same_answer_twice_is_one_response(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    form = guest.open(number.url).answering(item.id)
    first = guest.submit(form, htmx=True, answer=list(wrong_answer(item)))
    second = guest.submit(form, htmx=True, answer=list(wrong_answer(item)))
    assert second.root.html == first.root.html
    assert [row[1:] for row in rows(ledger)] == [(1, list(wrong_answer(item)), "wrong")]


@pytest.mark.parametrize("htmx", [True, False])
def test_of_two_answers_to_one_try_the_first_stands_and_the_other_stays_in_its_field(
    guest: Reader, course: Course, ledger: Ledger, number: Place, htmx: bool
) -> None:
    """As from two devices that had the question open at once."""
    item = course.items[number.name]
    form = guest.open(number.url).answering(item.id)
    guest.submit(form, answer=list(wrong_answer(item)))
    page = guest.submit(form, htmx=htmx, answer=list(right_answer(item)))
    assert [row[1:] for row in rows(ledger)] == [(1, list(wrong_answer(item)), "wrong")]
    again = page.answering(item.id)
    assert again.one("input", name="answer")["value"] == right_answer(item)[0]
    assert "一次就对" not in page.item(item.id).text
    guest.submit(again, htmx=htmx)
    assert [row[1] for row in rows(ledger)] == [1, 2]


def test_of_two_answers_to_what_the_first_one_closed_the_first_is_shown(
    guest: Reader, course: Course, number: Place
) -> None:
    item = course.items[number.name]
    form = guest.open(number.url).answering(item.id)
    first = guest.submit(form, htmx=True, answer=list(right_answer(item)))
    second = guest.submit(form, htmx=True, answer=list(wrong_answer(item)))
    assert second.root.html == first.root.html


def test_the_same_answer_in_parallel_is_one_response(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    guest.submit(guest.page.answering(item.id), "提示")
    form = guest.page.answering(item.id)
    readers = [guest.twin() for _ in range(8)]
    fields = filled(form, answer=list(wrong_answer(item)))
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda reader: reader.post(form["action"], fields, htmx=True), readers))
    assert {answer.status_code for answer in answers} == {200}
    assert len({parsed(answer.text).html for answer in answers}) == 1
    assert len(rows(ledger)) == 1


@pytest.mark.parametrize("number_of_try", ["0", "2", "3", "9999", "-1", "x"])
def test_a_try_out_of_turn_changes_nothing(
    guest: Reader, course: Course, ledger: Ledger, number: Place, number_of_try: str
) -> None:
    guest.open(number.url)
    guest.submit(
        guest.page.answering(number.name),
        try_=number_of_try,
        answer=list(wrong_answer(course.items[number.name])),
    )
    assert [row[1] for row in rows(ledger)] in ([], [1])
    assert (number_of_try in {"-1", "x"}) or not rows(ledger)


def test_a_solved_item_takes_no_more(guest: Reader, course: Course, ledger: Ledger, number: Place) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    form = guest.submit(guest.page.answering(item.id), "提示").answering(item.id)
    guest.answer(item.id, *right_answer(item))
    guest.submit(form, try_="2", answer=list(wrong_answer(item)))
    guest.submit(form, "算给我看", try_="2")
    assert [row[-1] for row in rows(ledger)] == ["right"]


@pytest.mark.parametrize("kind", [SingleChoice, MultipleChoice])
def test_options_keep_their_order_once_they_were_seen(
    guest: Reader, course: Course, kind: type[Item]
) -> None:
    """The shuffle that a learner answers to is the one on the page, also after another first post."""
    for place, step in steps(course):
        item = course.items.get(place.name)
        if isinstance(item, kind) and getattr(item, "shuffle", False) and not getattr(step, "probe", False):
            guest.open(f"/lessons/{place.stage}/{place.section}?step={max(1, place.step - 1)}")
            guest.go_on()
            before = options(guest.open(place.url), item.id)
            after = options(guest.answer(item.id, *wrong_answer(item)), item.id)
            assert after == before
            break


def options(page: Page, item: str) -> list[str]:
    texts = page.item(item).all("span", class_="option-text")
    return [
        text.text for text in texts if f"item-{item}" == next(up["id"] for up in text.around if up.get("id"))
    ]


def test_the_order_is_made_without_a_script(guest: Reader, course: Course, ledger: Ledger) -> None:
    place = place_asking(course, lambda item: isinstance(item, Order))
    item = course.items[place.name]
    page, right_ids = guest.open(place.url), list(right_answer(item))
    for rank, candy in enumerate(right_ids):
        while (now := order(page, item.id)).index(candy) > rank:
            form = page.answering(item.id)
            [up] = [button for button in form.all("button", name="move") if button["value"] == f"up:{candy}"]
            page = Page(guest.post(up["formaction"], filled(form, up)))
            assert order(page, item.id).index(candy) == now.index(candy) - 1
    assert ledger.count("learner") == 0, "moving is not answering"
    page = guest.submit(page.answering(item.id))
    assert "一次就对" in page.item(item.id).text


def order(page: Page, item: str) -> list[str]:
    return [entry["data-id"] for entry in page.item(item).one("ol", class_="order").all("li")]


def test_an_answer_to_an_example_of_its_own(guest: Reader, course: Course, ledger: Ledger) -> None:
    example = place_opening(course).name
    turn = f"{example}-example-turn"
    guest.open(f"/examples/{example}?shown=99")
    page = guest.answer(turn, "abc")
    assert page.by_id(f"item-{turn}-answer")["value"] == "abc"
    page = guest.answer(turn, *right_answer(course.items[turn]))
    assert "一次就对" in page.item(turn).text
    assert ledger.rows("SELECT source, ref FROM attempt") == [("practice", f"content:{example}")]


def test_what_cannot_be_read_in_the_turn_of_a_lesson_stays(guest: Reader, course: Course) -> None:
    place = place_opening(course, lambda step: step.until == "ratio")
    turn = f"{place.name}-example-turn"
    opening = guest.open(place.url).by_id(f"example-{place.name}-opening")
    guest.submit(opening.all("form")[0], position="all")
    page = guest.answer(turn, "abc")
    assert page.by_id(f"item-{turn}-answer")["value"] == "abc"
    assert page.by_id(f"item-{turn}-error").text


def test_an_attempt_is_seen_by_its_learner_alone(
    guest: Reader, other_guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    guest.answer(item.id, *wrong_answer(item))
    [(attempt,)] = ledger.rows("SELECT id FROM attempt")
    page = guest.open(f"/attempts/{attempt}")
    assert page.item(item.id).all("div", class_="puzzled")
    form, before = page.answering(item.id), ledger.count("response")
    other_guest.open(f"/attempts/{attempt}", status=404)
    other_guest.open(number.url)
    other_guest.go_on()
    other_guest.open(f"/attempts/{attempt}", status=404)
    unsigned_fields = [field for field in filled(form, answer="1") if field[0] != "guest"]
    for verb in ("responses", "hints", "solutions"):
        answer = other_guest.post(f"/attempts/{attempt}/{verb}", unsigned_fields)
        assert answer.status_code == 404
        assert "糖" in answer.text
    assert ledger.count("response") == before
    guest.answer(item.id, *right_answer(item))
    assert guest.page.path == f"/attempts/{attempt}"
    assert "改对了" in guest.page.text


UNKNOWN_PAGES = [
    "/nowhere",
    "/lessons/nothing",
    "/lessons/concepts/nothing",
    "/examples/nothing",
    "/attempts/1",
    "/attempts/0",
    "/attempts/-1",
    "/attempts/abc",
    f"/attempts/{2**63}",
    f"/attempts/{'9' * 10_000}",
    "/lessons/concepts/hints",
    "/examples/%00",
    "/lessons/%ff/%fe",
]


@pytest.mark.parametrize("path", UNKNOWN_PAGES, ids=lambda path: path[:30])
def test_what_is_not_there_says_so_in_chinese(guest: Reader, path: str) -> None:
    page = guest.open(path, status=404)
    assert page.root.one("html")["lang"] == "zh-CN"
    assert page.by_id("trouble").one("h1").text
    assert page.by_id("trouble").one("a", href="/")


UNKNOWN_POSTS: list[tuple[str, dict[str, str], int]] = [
    ("/lessons/concepts/responses", {"item": "nothing"}, 404),
    ("/lessons/concepts/responses", {}, 404),
    ("/lessons/concepts/hints", {"item": "nothing"}, 404),
    ("/lessons/concepts/solutions", {"item": "nothing"}, 404),
    ("/lessons/concepts/orderings", {"item": "nothing"}, 404),
    ("/lessons/nothing/responses", {"item": "nothing"}, 404),
    ("/lessons/nothing/rounds", {}, 404),
    ("/lessons/nowhere/rounds", {}, 404),
    ("/lessons/concepts/nothing/places", {"step": "2"}, 404),
    ("/examples/nothing/reveals", {"position": "1"}, 404),
    ("/examples/nothing/rounds", {}, 404),
    ("/examples/nothing/responses", {"item": "nothing"}, 404),
    ("/attempts/99/responses", {"item": "nothing"}, 404),
    ("/attempts/99/responses", {"item": "noodle-order", "answer": "x"}, 404),
    (f"/attempts/{2**70}/responses", {"item": "noodle-order"}, 404),
    (f"/attempts/{2**70}/hints", {"item": "noodle-order"}, 404),
    (f"/attempts/{'9' * 9999}/solutions", {"item": "noodle-order"}, 404),
    ("/attempts/abc/responses", {"item": "noodle-order"}, 404),
    ("/reports", {"item": "nothing", "text": "?"}, 404),
    ("/nowhere", {}, 404),
    ("/nowhere/x/responses", {"item": "noodle-order"}, 404),
    ("/", {}, 405),
    ("/glossary", {}, 405),
    ("/lessons/concepts", {}, 405),
]


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    UNKNOWN_POSTS,
    ids=[f"{path[:30]} {status}" for path, _, status in UNKNOWN_POSTS],
)
def test_posts_to_what_is_not_there(
    guest: Reader, ledger: Ledger, path: str, fields: dict[str, str], status: int
) -> None:
    guest.open("/")
    posted_fields = [("guest", "g" * 43), *fields.items()]
    page = Page(guest.post(path, posted_fields))
    fragment = Page(guest.post(path, posted_fields, htmx=True))
    assert page.status == fragment.status == status
    assert page.root.one("html")["lang"] == "zh-CN"
    assert page.by_id("trouble").all("div")[0].html == fragment.by_id("trouble").one("div").html
    assert fragment.response.headers["HX-Retarget"] == "#status"
    assert fragment.response.headers["HX-Reswap"] == "innerHTML"
    assert not fragment.root.all("html")
    assert ledger.count("learner") == 0


def test_a_report_is_kept_and_makes_nobody_a_learner(guest: Reader, ledger: Ledger, number: Place) -> None:
    guest.open(number.url)
    form = guest.page.by_id(f"item-{number.name}-report").one("form")
    fragment = guest.submit(form, htmx=True, text="第3个选项 <b>不对</b>")
    assert "收到了" in fragment.text
    assert ledger.count("learner") == 0
    guest.submit(form, text="再说一遍")
    assert guest.page.path == number.url
    place_of_thanks = guest.page.response.url.fragment
    assert place_of_thanks == f"item-{number.name}-reported"
    assert "收到了" in guest.page.by_id(place_of_thanks).text
    rows_before = ledger.rows("SELECT item, text, page, learner_id FROM problem_report")
    assert [row[:2] for row in rows_before] == [
        (number.ref, "第3个选项 <b>不对</b>"),
        (number.ref, "再说一遍"),
    ]
    assert {row[2:] for row in rows_before} == {(f"{number.url}#item-{number.name}", None)}


@pytest.mark.parametrize("htmx", [False, True])
def test_an_empty_report_is_asked_for_a_sentence(
    guest: Reader, ledger: Ledger, number: Place, htmx: bool
) -> None:
    form = guest.open(number.url).by_id(f"item-{number.name}-report").one("form")
    assert "required" in form.one("textarea").attributes, "browsers ask before they send"
    answer = Page(guest.post(form["action"], filled(form, text_with_figures="  \n"), htmx))
    assert answer.status == 422
    assert "写一句" in answer.by_id("trouble").text
    assert not htmx or answer.response.headers["HX-Retarget"] == "#status", "the form stays open"
    assert ledger.count("problem_report") == 0


def test_the_body_of_an_item_is_frozen_with_its_first_answer(
    guest: Reader, course: Course, ledger: Ledger, number: Place
) -> None:
    item = course.items[number.name]
    guest.open(number.url)
    guest.answer(item.id, *wrong_answer(item))
    guest.answer(item.id, *right_answer(item))
    [(body,)] = ledger.rows("SELECT body FROM item_version")
    assert json.loads(body)["stem"] == item.stem
