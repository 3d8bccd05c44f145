"""The home page of who has learnt everything there is."""

from app.course import Course

from .cast import Reader


def test_who_has_walked_the_whole_way_is_told_so(guest: Reader, course: Course) -> None:
    sections = [(stage, one) for stage in course.stages for one in stage.sections]
    guest.open(f"/lessons/{sections[0][0].id}/{sections[0][1].id}")
    guest.go_on()
    for stage, section in sections[:-1]:
        walk(guest, stage.id, section.id, len(section.steps))
    assert guest.open("/").main.one("p", class_="resume-title").text == sections[-1][1].title
    walk(guest, sections[-1][0].id, sections[-1][1].id, len(sections[-1][1].steps))
    page = guest.open("/")
    assert page.main.one("p", class_="tag").text == "全程走完"
    assert "接着学" not in page.main.text


def walk(guest: Reader, stage: str, section: str, steps: int) -> None:
    """Past the last step of a section."""
    guest.post(f"/lessons/{stage}/{section}/places", [("step", str(steps + 1)), ("next", "/")])
