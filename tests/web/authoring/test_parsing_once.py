"""A class opens a teacher's content at the same moment: its text is parsed for all of them together."""

import asyncio
import threading
from typing import Any

import pytest

from app.course import Course, Faults
from app.course.authoring.own_content import parse_own
from app.course.text.sandbox import ProgramStopped
from app.web.site import site as site_module
from app.web.site.off_loop import MOST_WAITING_JOBS, OffLoop
from app.web.site.site import OwnCourses, TooMuchToRead
from tests.web.authoring.own_texts import BROKEN, SMALL

READER_COUNT = MOST_WAITING_JOBS + 16
"""More than may wait for a thread."""
ParsedTexts = list[str]


@pytest.fixture
def parsed_texts(monkeypatch: pytest.MonkeyPatch) -> ParsedTexts:
    """Every text that is parsed, once for each time."""
    texts: ParsedTexts = []

    def parse_and_count(content_text: str, *others: Any) -> Course | Faults:
        texts.append(content_text)
        return parse_own(content_text, *others)

    monkeypatch.setattr(site_module, "parse_own", parse_and_count)
    return texts


async def read_at_once(own_courses: OwnCourses, content_text: str, course: Course) -> list[Any]:
    """What each of many readers has of one text."""
    reads = [own_courses.read(3, content_text, course) for _ in range(READER_COUNT)]
    return await asyncio.gather(*reads, return_exceptions=True)


@pytest.mark.parametrize("content_text", [SMALL, BROKEN])
def test_one_text_is_parsed_once_for_all_who_ask_at_the_same_time(
    content_text: str, course: Course, parsed_texts: ParsedTexts
) -> None:
    outcomes = asyncio.run(read_at_once(OwnCourses(OffLoop()), content_text, course))
    assert parsed_texts == [content_text]
    assert {type(outcome) for outcome in outcomes} == {Faults if content_text == BROKEN else Course}
    assert len(set(map(id, outcomes))) == 1


def test_a_text_that_takes_too_much_is_refused_to_all_and_tried_again(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise ProgramStopped

    async def read_twice() -> tuple[list[Any], Course | Faults]:
        own_courses = OwnCourses(OffLoop())
        with monkeypatch.context() as patch:
            patch.setattr(site_module, "parse_own", stop)
            outcomes = await read_at_once(own_courses, SMALL, course)
        return outcomes, await own_courses.read(3, SMALL, course)

    outcomes, later_course = asyncio.run(read_twice())
    assert {type(outcome) for outcome in outcomes} == {TooMuchToRead}
    assert isinstance(later_course, Course)


def test_a_reader_who_goes_away_takes_nothing_from_the_others(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_gone = threading.Event()

    def parse_when_one_has_gone(*arguments: Any) -> Course | Faults:
        assert has_gone.wait(10)
        return parse_own(*arguments)

    monkeypatch.setattr(site_module, "parse_own", parse_when_one_has_gone)

    async def leave_first() -> Course | Faults:
        own_courses = OwnCourses(OffLoop())
        first, second = [asyncio.create_task(own_courses.read(3, SMALL, course)) for _ in range(2)]
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        has_gone.set()
        return await second

    assert isinstance(asyncio.run(leave_first()), Course)


def test_different_texts_do_not_wait_for_each_other(course: Course, parsed_texts: ParsedTexts) -> None:
    async def read_two() -> None:
        own_courses = OwnCourses(OffLoop())
        await asyncio.gather(own_courses.read(3, SMALL, course), own_courses.read(3, BROKEN, course))

    asyncio.run(read_two())
    assert sorted(parsed_texts) == sorted([SMALL, BROKEN])
