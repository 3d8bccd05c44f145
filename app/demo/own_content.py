"""What 王老师 wrote: a lesson not finished yet, and shared questions with a key that was wrong once."""

from datetime import datetime, timedelta

from app.course import Course
from app.course.authoring.own_content import parse_own
from app.course.text.faults import Faults
from app.demo.attempts import DemoAttempt
from app.demo.classwork import DAY, HOUR, DemoClass, Homework
from app.records.assignments.values import NewPart
from app.records.authoring import own_courses
from app.records.db.codes import fingerprint
from app.records.grading.regrades import regrading
from app.records.grading.values import RegradeOrder

QUEUE_CONTENT = """\
title: 食堂的队伍
skill: discount

items:
  first-in-line:
    stem: 排在第1位的那一项，不打折。
    answer: true
    feedback:
      right: 对，名次加1是2，对数是1，除以1等于没打折。
      wrong: 想想：名次加1是2，以2为底的对数是1。
    hints:
      - 先把名次加1，再取对数。
  half-price:
    stem: 打五折的是第几位？
    options:
      - text: 第3位
        right: true
        feedback: 对，名次加1是4，对数是2，除以2就是五折。
      - text: 第2位
        feedback: 第2位除以1.585，大约六三折。
      - text: 第4位
        feedback: 忘了加1：第4位要除以2.322。
    hints:
      - 哪个名次加1以后，对数正好是2？
"""
MISTYPED_CONTENT = QUEUE_CONTENT.replace("answer: true", "answer: false")
BREAKFAST_CONTENT = """\
# 还在写：下一步加一道换位置的题。
title: 早饭也要排先后
skill: dcg

examples:
  breakfast:
    title: 早饭吃什么
    query: 校门口的早饭
    documents:
      - 豆浆油条: 3
      - 打印店: 0
      - 煎饼: 2

sections:
  first:
    title: 早饭也要排先后
    steps:
      - 校门口有三家店。**越想吃的越该排在前面**，这就是[[dcg]]要量的事。
      - example: breakfast
      - recap:
          - 甜的往前放，打的折就少。
"""


def write_and_correct(demo_class: DemoClass) -> None:
    """Assigned, done by the class, then the key is corrected, and what was right all along counts."""
    session, teacher = demo_class.session, demo_class.teacher
    written_at = demo_class.term_begins_at + 24 * DAY
    own_content_id = own_courses.create_content(session, teacher, "食堂的队伍", MISTYPED_CONTENT, written_at)
    own_courses.share_content(session, teacher, own_content_id)
    own_courses.create_content(session, teacher, "早饭也要排先后", BREAKFAST_CONTENT, written_at + 10 * DAY)
    mistyped_course = parsed_course(MISTYPED_CONTENT, own_content_id, demo_class.course)
    corrected_course = parsed_course(QUEUE_CONTENT, own_content_id, demo_class.course)
    item_refs = [f"{mistyped_course.prefix}:{item_id}" for item_id in mistyped_course.items]
    new_parts = tuple(NewPart("item", item_ref, points=2) for item_ref in item_refs)
    homework = Homework("食堂的队伍", 25, 3, new_parts, "王老师自己出的两道。")
    assignment_id = demo_class.assign(homework, written_at + DAY)
    answer_with_wrong_key(demo_class, assignment_id, written_at + DAY, mistyped_course, corrected_course)
    correct_key(demo_class, own_content_id, assignment_id, corrected_course, written_at + 5 * DAY)


def answer_with_wrong_key(
    demo_class: DemoClass,
    assignment_id: int,
    begins_at: datetime,
    mistyped_course: Course,
    corrected_course: Course,
) -> None:
    """Three of four students answer as it should be, and are marked by the key as it stands."""
    for pupil_index, pupil in enumerate(demo_class.pupils):
        if pupil_index % 4 != 3:
            corrected_course_by_prefix = {corrected_course.prefix: corrected_course}
            begun_at = begins_at + (pupil_index + 1) * HOUR
            demo_attempt = DemoAttempt(
                pupil,
                assignment_id,
                begun_at,
                demo_class.now,
                own_course_by_prefix=corrected_course_by_prefix,
            )
            demo_attempt.attempt_assignment({mistyped_course.prefix: mistyped_course})


def correct_key(
    demo_class: DemoClass,
    own_content_id: int,
    assignment_id: int,
    corrected_course: Course,
    corrected_at: datetime,
) -> None:
    """The key as it should be, and 重新评分 by which nobody loses: the slip was no student's."""
    mistyped_fingerprint = fingerprint(MISTYPED_CONTENT)
    own_courses.save_content(
        demo_class.session,
        demo_class.teacher,
        own_content_id,
        "食堂的队伍",
        QUEUE_CONTENT,
        mistyped_fingerprint,
        lambda _: True,
        corrected_at,
    )
    course_by_prefix = {
        demo_class.course.prefix: demo_class.course,
        corrected_course.prefix: corrected_course,
    }
    regrade_page = demo_class.call_verb_about(regrading.load_regrade_page, assignment_id)
    part_id = regrade_page.parts[0].id
    regrade_order = RegradeOrder(part_id, "up", reason="答案录反了：第1位不打折")
    regrade_preview = demo_class.call_verb_about(
        regrading.preview_regrade, assignment_id, regrade_order, course_by_prefix
    )
    regrade_plan = regrade_preview.plan
    if regrade_plan and regrade_plan.mark_changes:
        regraded_at = corrected_at + timedelta(minutes=5)
        regrade_order = regrade_order._replace(digest=regrade_plan.digest)
        demo_class.call_verb_about(
            regrading.regrade_part, assignment_id, regrade_order, course_by_prefix, regraded_at
        )


def parsed_course(content_text: str, own_content_id: int, site_course: Course) -> Course:
    """The course in a text; its faults are raised."""
    course = parse_own(content_text, own_content_id, site_course)
    if isinstance(course, Faults):
        raise course
    return course
