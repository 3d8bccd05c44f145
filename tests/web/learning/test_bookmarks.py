"""书签: put from the ⋯ of a step and of an example, found under 进度, back to the very step, taken off."""

import pytest

from app.course import Course
from app.course.learning.steps import AnyStep
from app.web.learning import bookmarks as bookmark_pages
from tests.web.cast import Ledger, Page, Reader


def change(ledger: Ledger, sql: str, *values: object) -> None:
    """As the database of another version of the course has it."""
    with ledger.other_program() as connection:
        connection.execute(sql, values)


def links(page: Page) -> list[str]:
    return [link["href"] for link in page.main.all("a") if link["href"].startswith("/bookmarks/new")]


def put_bookmark(guest: Reader, address: str, note: str = "") -> Page:
    form = guest.open(address).form("/bookmarks", "夹在这里")
    return guest.submit(form, "夹在这里", note=note)


def test_a_step_is_marked_and_found_again(guest: Reader, course: Course) -> None:
    stage = course.stages[0]
    section = stage.sections[0]
    path = f"/lessons/{stage.id}/{section.id}"
    lesson = guest.open(f"{path}?step=3")
    third = section.steps[2].id
    assert links(lesson) == [
        f"/bookmarks/new?step={stage.id}.{section.id}.{step.id}" for step in section.steps[:3]
    ]
    listed = put_bookmark(guest, links(lesson)[2], "  这里\n要背 ")
    assert listed.path.startswith("/bookmarks?new=")
    assert "夹好了" in listed.main.text
    back = [link["href"] for link in listed.main.all("a", class_="primary")]
    assert back == [f"{path}?step={third}#step-{third}"]
    listed = guest.open("/bookmarks")
    assert "夹好了" not in listed.main.text
    assert listed.main.one("p", class_="bookmark-note").children == ["这里\n要背"]
    assert guest.open(back[0]).has(f"step-{third}")
    assert "/bookmarks" in [link["href"] for link in guest.open("/progress").main.all("a")]


def test_a_note_is_changed_and_a_bookmark_taken_off(guest: Reader, ledger: Ledger) -> None:
    example = links(guest.open("/examples/chengdu-food"))[0]
    assert example == "/bookmarks/new?example=chengdu-food"
    put_bookmark(guest, example, "第3位")
    page = guest.open(example)
    assert page.root.one("h1").text == "改书签上的便条"
    assert page.by_id("note").text == "第3位"
    put_bookmark(guest, example, "第4位")
    assert ledger.rows("SELECT source, ref, note FROM bookmark") == [
        ("example", "content:chengdu-food", "第4位")
    ]
    [form] = [form for form in guest.open("/bookmarks").main.all("form") if "/removals" in form["action"]]
    page = guest.submit(form)
    assert page.path == "/bookmarks"
    assert "一张也没有" in page.main.text
    assert ledger.count("bookmark") == 0
    assert guest.submit(form).path == "/bookmarks", "a second tap finds it done"


def test_a_note_that_another_tab_changed_meanwhile_is_not_replaced_without_a_word(
    guest: Reader, ledger: Ledger
) -> None:
    """What it kept stands above what was written; sent once more, that is kept."""
    address = "/bookmarks/new?example=chengdu-food"
    form_of_other_tab = guest.open(address).form("/bookmarks", "夹在这里")
    put_bookmark(guest, address, "第3位\n要背")
    page = guest.submit(form_of_other_tab, "夹在这里", status=422, note="第4位")
    assert "刚才在别处改过" in page.by_id("bookmark-error").text
    assert page.main.one("section").text == "现在记着的 第3位 要背"
    assert ledger.rows("SELECT note FROM bookmark") == [("第3位\n要背",)]
    guest.submit(page.form("/bookmarks", "夹在这里"), "夹在这里")
    assert ledger.rows("SELECT note FROM bookmark") == [("第4位",)]
    put_bookmark(guest, address, "第5位")
    page = guest.submit(form_of_other_tab, "夹在这里", note="第5位")
    assert page.path.startswith("/bookmarks?new="), "the same note, as by a double click"


def test_a_stranger_reads_how_it_goes(guest: Reader, ledger: Ledger) -> None:
    assert "夹书签" in guest.open("/bookmarks").main.text
    assert ledger.count("learner") == 0


def test_a_note_that_is_too_long_comes_back_with_a_sentence(guest: Reader, ledger: Ledger) -> None:
    form = guest.open("/bookmarks/new?example=chengdu-food").form("/bookmarks", "夹在这里")
    page = guest.submit(form, "夹在这里", status=422, note="甜" * 101)
    assert "便条写了101个字，最多100个" in page.main.text
    assert page.by_id("note").text == "甜" * 101
    assert ledger.count("bookmark") == 0
    form = page.form("/bookmarks", "夹在这里")
    guest.submit(form, "夹在这里", note="甜" * 100)
    assert ledger.rows("SELECT length(note) FROM bookmark") == [(100,)]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "?step=concepts",
        "?step=concepts.which-is-better.gone",
        "?step=gone.x.y",
        "?example=gone",
        "?step=...",
    ],
)
def test_no_bookmark_where_nothing_is(guest: Reader, address: str) -> None:
    page = guest.open(f"/bookmarks/new{address}", status=404)
    assert "课文的一步，或者一道例题" in page.main.text


def test_a_bookmark_follows_a_step_that_was_replaced(guest: Reader, course: Course, ledger: Ledger) -> None:
    stage, section, step = followed(course)
    put_bookmark(guest, f"/bookmarks/new?step={stage}.{section}.{step.id}", "要背")
    change(ledger, "UPDATE bookmark SET step_id = ?", step.was[0])
    page = guest.open("/bookmarks")
    [link] = page.by_id("bookmark-1").all("p")[0].all("a")
    assert link["href"] == f"/lessons/{stage}/{section}?step={step.id}#step-{step.id}"
    put_bookmark(guest, f"/bookmarks/new?step={stage}.{section}.{step.was[0]}", "改了")
    assert ledger.rows("SELECT note FROM bookmark") == [("改了",)], "not a second one at the same step"


def followed(course: Course) -> tuple[str, str, AnyStep]:
    """A step of the course that has taken over another's id."""
    for stage in course.stages:
        for section in stage.sections:
            for step in section.steps:
                if step.was:
                    return stage.id, section.id, step
    raise AssertionError("no step has taken over an id")


@pytest.mark.parametrize(
    ("columns", "words", "url"),
    [
        ("step_id = 'gone'", "这一步不在了", "/lessons/concepts/which-is-better"),
        ("section = 'gone'", bookmark_pages.GONE_PLACE_TITLE, ""),
        ("ref = 'content:gone'", bookmark_pages.GONE_PLACE_TITLE, ""),
        (
            "source = 'example', ref = 'content:gone', section = '', step_id = ''",
            bookmark_pages.GONE_PLACE_TITLE,
            "",
        ),
    ],
)
def test_a_bookmark_whose_place_is_gone_says_so_and_can_go(
    guest: Reader, ledger: Ledger, course: Course, columns: str, words: str, url: str
) -> None:
    step = course.stages[0].sections[0].steps[0].id
    put_bookmark(guest, f"/bookmarks/new?step=concepts.which-is-better.{step}", "还在")
    change(ledger, f"UPDATE bookmark SET {columns}")
    entry = guest.open("/bookmarks").by_id("bookmark-1")
    assert words in entry.text
    assert "还在" in entry.text, "what was noted is not lost"
    assert [link["href"] for link in entry.all("a")] == [url] * bool(url)
    guest.submit(entry.one("form"))
    assert ledger.count("bookmark") == 0
