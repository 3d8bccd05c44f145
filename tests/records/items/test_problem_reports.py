"""这题有问题: a report of a question of an assignment, by somebody who has it."""

import pytest

from app.course.assignments.question_sets import questions_of_parts
from app.records.classes.values import Student
from app.records.db.errors import NotFound
from app.records.items import problem_reports
from tests.records.assigned import DCG, PRACTICE, TANG, XU, Class

REPORTS = "SELECT learner_id, item, text, page FROM problem_report"


def test_a_question_of_an_assignment_is_reported_once(room: Class, tang: Student) -> None:
    assignment = room.assign(DCG, PRACTICE)
    assigned_question = questions_of_parts(room.given(TANG, assignment).parts)[1]
    for _ in range(2):
        room.desk.write(
            problem_reports.report_question, TANG, assignment, assigned_question.ref, " 数不对 ", room.now
        )
    page = f"/assignments/{assignment}/questions/{assigned_question.number}"
    assert room.desk.rows(REPORTS) == [(tang.learner_id, assigned_question.ref, "数不对", page)]


@pytest.mark.usefixtures("tang")
def test_what_is_not_asked_in_an_assignment_of_ones_own_cannot_be_reported(room: Class) -> None:
    assignment = room.assign(DCG)
    [assigned_question] = questions_of_parts(room.given(TANG, assignment).parts)
    for caller, ref in ((TANG, "content:other#1"), (XU, assigned_question.ref)):
        with pytest.raises(NotFound):
            room.desk.write(problem_reports.report_question, caller, assignment, ref, "错", room.now)
    assert room.desk.rows(REPORTS) == []
