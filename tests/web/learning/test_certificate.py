"""What is to be seen of finished sections: the jar at their end, and 学成单."""

import re

import pytest

from app.course import Course
from app.course.practice.skill_states import SkillState
from tests.web.cast import Page, Reader
from tests.web.learning.walking import walk


def candies(page: Page) -> list[str]:
    """The class of each candy in the first jar of a page."""
    return [circle.get("class") for circle in page.main.all("figure", class_="jar")[0].all("circle")]


def test_a_jar_gets_a_candy_for_each_section(guest: Reader, course: Course) -> None:
    stage = course.stages[0]
    guest.open(f"/lessons/{stage.id}/{stage.sections[0].id}")
    guest.go_on()
    for number, section in enumerate(stage.sections, start=1):
        walk(guest, stage.id, section.id, len(section.steps))
        page = guest.open(f"/lessons/{stage.id}/{section.id}?step={len(section.steps) + 1}")
        filled = [name for name in candies(page) if name]
        assert filled == ["on"] * (number - 1) + ["on new"]
    assert "这一罐装满了" in page.main.text
    assert page.main.all("a", href="/progress/certificate")


def test_the_certificate_says_what_was_done_and_promises_nothing_before(
    guest: Reader, course: Course
) -> None:
    stage = course.stages[0]
    page = guest.open("/progress/certificate")
    assert not page.main.all("article")
    guest.open(f"/lessons/{stage.id}/{stage.sections[0].id}")
    guest.go_on()
    assert not guest.open("/progress/certificate").main.all("article"), "a section that was begun is not done"
    for section in stage.sections[:2]:
        walk(guest, stage.id, section.id, len(section.steps))
    page = guest.open("/progress/certificate")
    sheet = page.main.one("article", class_="certificate").text
    assert "学完了2节" in sheet
    assert f"{stage.title} 2颗，共{len(stage.sections)}颗" in sheet
    assert page.main.one("button", data_print="").text == "印出来"
    assert "一次就对" not in sheet, "what was not answered is not counted"
    for section in stage.sections[2:]:
        walk(guest, stage.id, section.id, len(section.steps))
    assert f"{stage.title} 满了" in guest.open("/progress/certificate").main.text


def test_learning_again_takes_nothing_off_the_certificate(guest: Reader, course: Course) -> None:
    stage = course.stages[0]
    guest.open(f"/lessons/{stage.id}/{stage.sections[0].id}")
    guest.go_on()
    for section in stage.sections:
        walk(guest, stage.id, section.id, len(section.steps))
    overview = guest.open(f"/lessons/{stage.id}")
    guest.submit(overview.form(f"/lessons/{stage.id}/rounds"))
    sheet = guest.open("/progress/certificate").main.one("article", class_="certificate").text
    assert f"学完了{len(stage.sections)}节" in sheet
    assert f"{stage.title} 满了" in sheet
    progress = guest.open("/progress").main
    assert progress.all("a", href="/progress/certificate")
    first_section = stage.sections[0]
    assert progress.one("a", class_="primary")["href"].startswith(f"/lessons/{stage.id}/{first_section.id}")
    present_step = f"{first_section.title} 约{first_section.minutes}分钟 · 第1步"
    assert present_step in guest.open("/course").main.text, "the map says where to go on"


def test_as_many_knowledge_points_can_be_counted_as_it_says(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = course.stages[0]
    guest.open(f"/lessons/{stage.id}/{stage.sections[0].id}")
    guest.go_on()
    walk(guest, stage.id, stage.sections[0].id, len(stage.sections[0].steps))
    monkeypatch.setattr(SkillState, "is_mastered", True)
    sheet = guest.open("/progress/certificate").main.one("article", class_="certificate").text
    held_skills = re.search("现在会的([0-9]+)个知识点：([^。]+)。", sheet)
    assert held_skills
    assert "准确率、精确率、召回率" in held_skills[2], "one of them, for all its commas"
    assert len(held_skills[2].split("；")) == int(held_skills[1])
