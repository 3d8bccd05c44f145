"""Answers to variants of practice."""

from app.course import Course
from tests.web.cast import Page, Reader, right_answer, wrong_answer


def answer_variant(guest: Reader, course: Course, exercise: str, level: int, seed: int, right: bool) -> Page:
    guest.open(f"/practice/{exercise}?level={level}&seed={seed}")
    item = f"practice-{exercise}-{level}"
    return guest.answer(item, *(right_answer if right else wrong_answer)(course.variant(item, seed)))
