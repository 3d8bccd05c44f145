"""What was handed in and could not be read is no right answer of fewer people."""

from app.records.accounts.values import Caller
from app.records.grading import answering, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from tests.web.cast import Reader, right_answer
from tests.web.graded import Term
from tests.web.grading.open_books import teacher, term

__all__ = ["teacher", "term"]


def hand_in_words(term: Term, name: str, assignment_id: int, typed_texts: tuple[str, ...]) -> None:
    """What one wrote to the first question, saved and handed in."""
    caller, courses = Caller(term.token(name)), {term.course.prefix: term.course}
    attempt = term.write(submissions.begin_or_resume_attempt, caller, assignment_id, courses, term.now)
    for typed_text in typed_texts:
        sent_answer = SentAnswer((typed_text,), 30)
        term.write(
            answering.save_answer, caller, assignment_id, QuestionKey(attempt, 1), sent_answer, term.now
        )
    term.write(submissions.hand_in_attempt, caller, assignment_id, attempt, courses, term.now)


def test_an_answer_that_nobody_can_read_counts_as_wrong(teacher: Reader, term: Term) -> None:
    assignment_id = term.assign("第一周", due_at=None)
    term.do("小糖", assignment_id, "r--")
    term.do("小序", assignment_id, "r--")
    hand_in_words(term, "小方", assignment_id, ("大概三个多",))
    hand_in_words(term, "小圆", assignment_id, ("三", " "))
    page = teacher.open(f"/classrooms/{term.classroom}/items?assignment={assignment_id}")
    question = page.main.one("article", aria_label="第1题").text
    assert "67%" in question
    assert "3人" in question, "who left it blank gave no answer"
    assert "写的看不懂 ， 1人" in question


def test_a_number_may_be_called_points(term: Term, teacher: Reader) -> None:
    assignment_id = term.assign("第一周", due_at=None)
    [right_text] = right_answer(term.course.items["cg-chengdu"])
    hand_in_words(term, "小方", assignment_id, (f"{right_text} 分",))
    page = teacher.open(f"/classrooms/{term.classroom}/items?assignment={assignment_id}")
    assert "100%" in page.main.one("article", aria_label="第1题").text
