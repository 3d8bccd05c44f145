"""Work that is regraded."""

from collections.abc import Sequence
from typing import Any

from app.course.items.marks import Mark, right_mark, wrong_mark
from app.records.grading.regrades import regrading
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.grading.values import RegradeOrder, RegradeWay
from tests.records.assigned import (
    TEACHER,
    Class,
    Figures,
)


class Corrected(Figures):
    """The answer is 5 after all; and whoever wrote 7 gets half."""

    def mark(
        self, item: str, seed: int, raw: Sequence[str], tries: int = 1, before: Sequence[str] | None = None
    ) -> Mark:
        if "dcg" not in item:
            return super().mark(item, seed, raw, tries, before)
        if raw[0] == "7":
            return wrong_mark(raw[0], score=0.5)
        return right_mark(raw[0]) if raw[0] == "5" else wrong_mark(raw[0])

    def version_hash_and_body(self, item: str, seed: int = 0) -> tuple[str, str]:
        return f"{item}-{seed}-corrected", '{"answer": 5}'


TODAY: Any = {"content": Corrected()}


def part(room: Class, assignment_id: int) -> int:
    return room.desk.read(regrading.load_regrade_page, TEACHER, room.key(assignment_id)).parts[0].id


def planned(room: Class, assignment_id: int, way: RegradeWay, courses: Any = TODAY) -> RegradePlan:
    order = RegradeOrder(part(room, assignment_id), way)
    plan = room.desk.read(regrading.preview_regrade, TEACHER, room.key(assignment_id), order, courses).plan
    assert plan
    return plan


def done(room: Class, assignment_id: int, way: RegradeWay, courses: Any = TODAY) -> RegradePlan:
    plan = planned(room, assignment_id, way, courses)
    order = RegradeOrder(part(room, assignment_id), way, "答案录错了", plan.digest)
    assignment_key = (TEACHER, room.key(assignment_id))
    room.desk.write(regrading.regrade_part, *assignment_key, order, courses, room.now)
    return plan
