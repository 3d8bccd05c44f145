"""What teachers read of answers in the midst of an assignment, and of those that nobody could read."""

from app.records.classes.values import Student
from app.records.grading import answering
from app.records.grading.values import QuestionKey, SentAnswer
from tests.records.assigned import DCG, PRACTICE, TANG, TEACHER, XU, Class


def test_how_far_those_are_who_are_in_the_midst_of_it(room: Class, tang: Student, xu: Student) -> None:
    """Of this assignment alone, and of nobody who has handed it in."""
    assignment_id, other_id = room.assign(DCG, DCG), room.assign(DCG, DCG)
    for caller, begun_id, answer_count in (
        (TANG, assignment_id, 2),
        (XU, assignment_id, 1),
        (TANG, other_id, 1),
    ):
        room.begin(caller, begun_id)
        for question_number in range(1, answer_count + 1):
            room.save(caller, begun_id, question_number, "6")

    def answered_counts(of_id: int) -> dict[int, int]:
        return dict(room.desk.read(answering.load_answered_count_by_enrolment_id, TEACHER, room.key(of_id)))

    assert answered_counts(assignment_id) == {tang.id: 2, xu.id: 1}
    assert answered_counts(other_id) == {tang.id: 1}
    room.hand_in(TANG, assignment_id)
    assert answered_counts(assignment_id) == {xu.id: 1}


def test_what_could_not_be_read_at_the_first_hand_in(room: Class, tang: Student, xu: Student) -> None:
    """Neither what is blank or was read, nor what was typed and not sent, nor another attempt."""
    assignment_id, other_id = room.assign(DCG, PRACTICE, passes=2), room.assign()
    sent_id = room.assign(answers="at_once")
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        for question_number, text in enumerate(("四", " ", "7"), 1):
            room.save(caller, assignment_id, question_number, text)
    room.begin(XU, other_id)
    room.save(XU, other_id, 1, "五")
    room.begin(TANG, sent_id)
    typed_answer = (QuestionKey(1, 1), SentAnswer(("六",)))
    room.desk.write(answering.store_unsent_answer, TANG, sent_id, *typed_answer, room.now)
    for caller, handed_in_id in ((TANG, assignment_id), (XU, other_id), (TANG, sent_id)):
        room.hand_in(caller, handed_in_id)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "七", 2)
    room.hand_in(TANG, assignment_id, 2)
    for of_id, learner_ids in (
        (assignment_id, [tang.learner_id]),
        (other_id, [xu.learner_id]),
        (sent_id, []),
    ):
        unread_answers = room.desk.read(answering.learner_ids_and_unread_refs, of_id)
        assert [learner_id for learner_id, _ in unread_answers] == learner_ids
        assert all(question_ref.startswith("content:dcg") for _, question_ref in unread_answers)
