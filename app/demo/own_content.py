"""What 王老师 wrote: a lesson not finished yet, and shared questions with a key that was wrong once."""

from datetime import datetime, timedelta

from app.course import Course
from app.course.authoring.own_content import parse_own
from app.course.text.faults import Faults
from app.demo.homework import DAY, HOUR, Homework, Room, Sitting
from app.records.assignments.values import NewPart
from app.records.authoring import own_courses
from app.records.grading import regrading

QUEUE = """\
title: 食堂的队伍
skill: discount

items:
  first-in-line:
    stem: 排在第1名的那一项，不打折。
    answer: true
    feedback:
      right: 对，名次加1是2，对数是1，除以1等于没打折。
      wrong: 想想：名次加1是2，以2为底的对数是1。
    hints:
      - 先把名次加1，再取对数。
  half-price:
    stem: 打五折的是第几名？
    options:
      - text: 第3名
        right: true
        feedback: 对，名次加1是4，对数是2，除以2就是五折。
      - text: 第2名
        feedback: 第2名除以1.585，大约六三折。
      - text: 第4名
        feedback: 忘了加1：第4名要除以2.322。
    hints:
      - 哪个名次加1以后，对数正好是2？
"""
MISTYPED = QUEUE.replace("answer: true", "answer: false")
BREAKFAST = """\
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


def write_and_correct(room: Room) -> None:
    """Assigned, done by the class, then the key is corrected and everything marked again."""
    where, at = (room.session, room.teacher), room.begin + 24 * DAY
    made = own_courses.create(*where, "食堂的队伍", MISTYPED, at)
    own_courses.share(*where, made)
    own_courses.create(*where, "早饭也要排先后", BREAKFAST, at + 10 * DAY)
    then, now = (sound(text, made, room.course) for text in (MISTYPED, QUEUE))
    names = [f"{then.prefix}:{name}" for name in then.items]
    parts = tuple(NewPart("item", name, points=2) for name in names)
    work = room.assign(Homework("食堂的队伍", 25, 3, parts, "王老师自己出的两道。"), at + DAY)
    for number, life in enumerate(room.lives):
        if number % 4 != 3:
            sitting = Sitting(life, work, at + DAY + (number + 1) * HOUR, room.now, known={now.prefix: now})
            sitting.run({then.prefix: then})
    correct(room, made, work, now, at + 5 * DAY)


def correct(room: Room, made: int, work: int, now: Course, at: datetime) -> None:
    """The key as it should be, and 重新评分 of its question."""
    where, begun = (room.session, room.teacher), own_courses.seal(MISTYPED)
    own_courses.save(*where, made, "食堂的队伍", QUEUE, begun, lambda _: True, at)
    here, courses = (*where, room.number, work), {room.course.prefix: room.course, now.prefix: now}
    part = regrading.load_regrade(*here).parts[0].id
    plan = regrading.preview(*here, part, "again", courses).plan
    if plan and plan.changes:
        reason, later = "答案录反了：第1名不打折", at + timedelta(minutes=5)
        regrading.regrade(*here, part, "again", reason, plan.digest, courses, later)


def sound(text: str, own_id: int, beside: Course) -> Course:
    found = parse_own(text, own_id, beside)
    if isinstance(found, Faults):
        raise found
    return found
