"""What a teacher may set: texts, numbers and times that hold together. Everything else is Refused."""

import unicodedata
from dataclasses import replace

from app.records.assignments import deadlines
from app.records.assignments.values import AssignmentRules, NewPart
from app.records.db.errors import Refused

LONGEST_TITLE, LONGEST_NOTE = 60, 1000
MOST_COUNT = 50


def checked(rules: AssignmentRules) -> AssignmentRules:
    """Settings that hold together; Refused says which do not."""
    title = checked_title(rules.title)
    deadlines.expect_order(rules)
    if not 0 <= rules.passes <= 20 or not 0 <= rules.tries <= 20:
        raise Refused("次数写0到20，0表示不限。")
    return rules._replace(title=title, note=checked_note(rules.note))


def checked_title(text: str) -> str:
    """A title; Refused says what is wrong with another."""
    title = " ".join(tidy(text).split())
    if not title:
        raise Refused("给作业起个名字，比如“第一周：算DCG”。")
    if len(title) > LONGEST_TITLE:
        raise Refused(f"名字最多{LONGEST_TITLE}个字。")
    return title


def checked_note(text: str) -> str:
    """What a teacher wrote, as much of it as is stored."""
    return tidy(text)[:LONGEST_NOTE]


def checked_part(part: NewPart) -> NewPart:
    if not 1 <= part.count <= MOST_COUNT:
        raise Refused(f"个数写1到{MOST_COUNT}。")
    if not 0 <= part.points <= 100:
        raise Refused("每题的分值写0到100。")
    points = round(part.points, 1)
    if abs(points - part.points) > 1e-9:
        raise Refused("分值最多一位小数，比如0.5。")
    return replace(part, points=points)


def tidy(text: str) -> str:
    """Text without invisible characters; line breaks stay."""
    visible = ""
    for character in unicodedata.normalize("NFC", text):
        if character == "\n" or not unicodedata.category(character).startswith("C"):
            visible += character
    return visible.strip()
