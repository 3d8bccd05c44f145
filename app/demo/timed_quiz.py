"""The timed quiz of the demonstration: two of four questions by lot, and one in words that is half marked."""

from datetime import datetime, timedelta
from pathlib import Path

from app.course import Course
from app.course.authoring.pictures import picture_markdown
from app.demo.attempts import DemoAttempt
from app.demo.classwork import DAY, DemoClass, Homework
from app.demo.own_content import parsed_course
from app.records.accounts.values import Caller
from app.records.assignments.values import NewPart
from app.records.authoring import own_courses, picture_files, pictures
from app.records.authoring.picture_files import Folder
from app.records.authoring.pictures import NewPicture
from app.records.db.session import VerbSession
from app.records.marking import rubric_marks
from app.records.marking.rubric_marks import TickedAnswer

QUIZ_DAY = 31
BLACKBOARD_FILE = Path(__file__).with_name("blackboard.webp")
BLACKBOARD_WIDTH, BLACKBOARD_HEIGHT = 640, 400
BLACKBOARD_ALT_TEXT = (
    "黑板上的柱形图：搜出来5条，40位同学里点开第1位的有36人，第2位24人，第3位15人，第4位8人，第5位5人"
)
"""The picture that 王老师 has sent: how far down a class reads."""
DRAWN_ITEM_REFS = (
    "content:log-of-one",
    "content:log-of-two",
    "content:discount-at-3",
    "content:discount-at-15",
)
"""Of these each student gets two."""
PICTURE_PLACEHOLDER = "（图）"
WHY_CONTENT = """\
title: 说说为什么
skill: discount

items:
  why-discount:
    stem: |-
      看看黑板，用一两句话说：为什么排得越后，同样的甜度算得越少？

      （图）
    rubric:
      - {text: 大多数人只看前几条, points: 2}
      - {text: 后面的要打折，越后折得越狠, points: 1}
    model: 大多数人只看前几条，放在后面的多半没人看到，所以要打折，越后折得越狠。
"""
ANSWERS_WITH_TICKED_LINES = (
    ("大家都只看前面几条，后面没人翻，所以要打折。", (0, 1)),
    ("因为公式里有log。", ()),
    ("后面的打折，越往后折得越多。", (1,)),
    ("好东西放到后面，多半没人看到。", (0,)),
)
"""What students write, and which lines of the rubric it meets."""


def give_quiz(demo_class: DemoClass) -> None:
    """Given in a lesson; the teacher has marked the words of half the class."""
    begun_at = demo_class.term_begins_at + QUIZ_DAY * DAY
    picture_line = hang_blackboard(
        demo_class.session, demo_class.teacher, demo_class.picture_folder, begun_at
    )
    quiz_text = WHY_CONTENT.replace(PICTURE_PLACEHOLDER, picture_line)
    own_content_id = own_courses.create_content(
        demo_class.session, demo_class.teacher, "说说为什么", quiz_text, begun_at
    )
    own_course = parsed_course(quiz_text, own_content_id, demo_class.course)
    drawn_parts = [NewPart("item", item_ref, points=2, bank=1, count=2) for item_ref in DRAWN_ITEM_REFS]
    worded_part = NewPart("item", own_course.ref("why-discount"), points=3)
    quiz_note = "十分钟，三道题：两道是抽的，一道写几个字。"
    homework = Homework(
        "限时小测：折损", QUIZ_DAY, 1, (*drawn_parts, worded_part), quiz_note, time_limit_minutes=10
    )
    assignment_id = demo_class.assign(homework, begun_at)
    for pupil_index, pupil in enumerate(demo_class.pupils):
        answer_text, _ = ANSWERS_WITH_TICKED_LINES[pupil_index % len(ANSWERS_WITH_TICKED_LINES)]
        sits_down_at = begun_at + timedelta(seconds=20 * pupil_index)
        own_course_by_prefix = {own_course.prefix: own_course}
        DemoAttempt(
            pupil,
            assignment_id,
            sits_down_at,
            demo_class.now,
            own_course_by_prefix=own_course_by_prefix,
            answer_in_words=answer_text,
        ).attempt_assignment()
    mark_half_of_answers(demo_class, assignment_id, own_course, begun_at + DAY)


def hang_blackboard(session: VerbSession, teacher: Caller, folder: Folder, sent_at: datetime) -> str:
    """Keep it among the teacher's pictures; the line that shows it in a text."""
    picture_bytes = BLACKBOARD_FILE.read_bytes()
    picture_name = pictures.picture_name_of(
        pictures.naming_key(session, teacher), picture_bytes, BLACKBOARD_WIDTH, BLACKBOARD_HEIGHT
    )
    picture_files.keep_picture(folder, picture_name, picture_bytes)
    pictures.add_pictures(session, teacher, [NewPicture(picture_name, len(picture_bytes))], sent_at)
    return picture_markdown(BLACKBOARD_ALT_TEXT, picture_name)


def mark_half_of_answers(
    demo_class: DemoClass, assignment_id: int, own_course: Course, marked_at: datetime
) -> None:
    """Line by line; what is left waits for its teacher."""
    course_by_prefix = {demo_class.course.prefix: demo_class.course, own_course.prefix: own_course}
    ticked_line_indexes_by_answer_text = dict(ANSWERS_WITH_TICKED_LINES)
    [rubric_question] = demo_class.call_verb_about(
        rubric_marks.load_marking, assignment_id, course_by_prefix
    ).questions
    for worded_answer in rubric_question.answers[: len(rubric_question.answers) // 2]:
        ticked_line_indexes = ticked_line_indexes_by_answer_text[worded_answer.text]
        ticked_answer = TickedAnswer(
            rubric_question.assigned_question.number, worded_answer.id, ticked_line_indexes
        )
        demo_class.call_verb_about(
            rubric_marks.mark_answer, assignment_id, ticked_answer, course_by_prefix, marked_at
        )
