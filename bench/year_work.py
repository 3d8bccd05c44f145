"""What the learners of the year do: lessons, practice, assignments, cards, written by SQL week after week."""

import sqlite3
from datetime import UTC, datetime, timedelta

from app.course import Course
from app.course.exercises.exercises import practice_item_id
from app.engine import LEVELS, MISCONCEPTIONS
from app.records.db.stored_times import stored_time

LEARNERS, WEEKS, PRACTISED_A_WEEK = 2_000, 45, 13
LARGE_CLASS_ID, SMALL_CLASS_ID = 1, 2
"""The classes that are looked at."""
GRADEBOOK_COLUMNS = 60
"""Assignments of the large class; the others have one a week."""
QUESTIONS = 12
HEAVY_ANSWERS = 20_000
HEAVY_LEARNER = 1_000
"""The learner with so many answers: in the middle of a class of forty."""
REVIEWS_OF_LEARNER, CARDS_OF_LEARNER = 300, 60
BODY = "{}"


def fill(connection: sqlite3.Connection, course: Course) -> None:
    """All work of all learners who are there."""
    plan(connection, course)
    write_weeks(connection)
    heavy_learner(connection)
    write_answers(connection)
    write_places_and_reveals(connection, course)
    write_cards(connection, course)


def plan(connection: sqlite3.Connection, course: Course) -> None:
    """What is asked, and the mistakes that are made, as small tables beside the others."""
    connection.executescript(TEMPORARY_TABLES)
    exercises = [course.ref(practice_item_id(name, level)) for name in course.exercises for level in LEVELS]
    connection.executemany("INSERT INTO exercise VALUES (?, ?)", list(enumerate(exercises)))
    connection.executemany("INSERT INTO mistake VALUES (?, ?)", list(enumerate(MISCONCEPTIONS)))
    items: list[tuple[int, str, str]] = []
    for stage in course.stages:
        for item in stage.asked_item_ids:
            items.append((len(items), course.ref(stage.id), course.ref(item)))
    connection.executemany("INSERT INTO asked VALUES (?, ?, ?)", items)
    plan_time(connection)


def plan_time(connection: sqlite3.Connection) -> None:
    """Weeks, the slots of practice in each, the questions of an assignment."""
    first_week = datetime.now(UTC) - timedelta(weeks=WEEKS)
    moments = [(number, stored_time(first_week + timedelta(weeks=number))) for number in range(WEEKS)]
    connection.executemany("INSERT INTO week VALUES (?, ?)", moments)
    slots = [(number,) for number in range(PRACTISED_A_WEEK)]
    connection.executemany("INSERT INTO slot VALUES (?)", slots)
    questions = [(number,) for number in range(1, QUESTIONS + 1)]
    connection.executemany("INSERT INTO question VALUES (?)", questions)


TEMPORARY_TABLES = f"""
CREATE TEMP TABLE exercise (number INTEGER PRIMARY KEY, item);
CREATE TEMP TABLE mistake (number INTEGER PRIMARY KEY, name);
CREATE TEMP TABLE asked (number INTEGER PRIMARY KEY, stage, item);
CREATE TEMP TABLE week (number INTEGER PRIMARY KEY, at);
CREATE TEMP TABLE slot (number INTEGER PRIMARY KEY);
CREATE TEMP TABLE question (number INTEGER PRIMARY KEY);
INSERT INTO item_version VALUES ('v', 'item', '{BODY}', '2026-01-01 00:00:00.000000');
"""


MOMENT = (
    "strftime('%Y-%m-%d %H:%M:%f000', week.at, '+' || (learner.id % 7) || ' days',"
    " '+' || ({minutes} + learner.id % 50) || ' minutes')"
)
"""When somebody did something in a week: each has a day and an hour of their own."""
LESSON_ATTEMPTS = """
INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)
SELECT learner.id, 'lesson', stage.stage, 1, learner.id, (SELECT at FROM week WHERE number = 0)
FROM learner, (SELECT DISTINCT stage FROM asked) AS stage
WHERE learner.id <= :learners
"""
ASSIGNMENTS = """
INSERT INTO assignment (classroom_id, title, note, seed, everyone, opens_at, due_at, late_factor, passes,
    tries, hints, answers, counts, created_at, published_at)
SELECT classroom.id, '第' || week.number || '周' || {suffix}, '', 7, 1, week.at,
    strftime('%Y-%m-%d %H:%M:%f000', week.at, '+8 days'), 1, 1, 3, 1, 'at_once', 'best', week.at, week.at
FROM classroom, week WHERE {which} ORDER BY week.number, classroom.id
"""
PARTS = """
INSERT INTO assignment_part (assignment_id, position, kind, ref, level, count, same, points)
SELECT assignment.id, 1, 'practice', (SELECT substr(item, 1, 8) || substr(item, 18, length(item) - 19)
    FROM exercise WHERE number = (assignment.id * 3) % (SELECT count(*) FROM exercise)), 2, :questions, 0, 1
FROM assignment
"""
ASSIGNMENT_ATTEMPTS = f"""
INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)
SELECT learner.id, 'assignment', 'assignment-' || assignment.id, 1, 7, {MOMENT.format(minutes=600)}
FROM assignment JOIN week ON week.at = assignment.opens_at
JOIN enrolment ON enrolment.classroom_id = assignment.classroom_id
JOIN learner ON learner.id = enrolment.learner_id
WHERE week.number = :week AND (learner.id + assignment.id) % 40 > 0
"""
SUBMISSIONS = """
INSERT INTO submission (attempt_id, assignment_id, enrolment_id, number, started_at, handed_in_at, collected,
    points, total, factor, parts)
SELECT attempt.id, CAST(substr(attempt.ref, 12) AS INTEGER), attempt.learner_id, 1, attempt.created_at,
    attempt.created_at, 0, attempt.id % (:questions + 1), :questions, 1, '{}'
FROM attempt WHERE attempt.source = 'assignment'
"""
PRACTICE_ATTEMPTS = f"""
INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)
SELECT learner.id, 'practice',
    (SELECT item FROM exercise WHERE number =
        (learner.id * 31 + week.number * 17 + slot.number * 7) % (SELECT count(*) FROM exercise))
        || '-' || (week.number * 100 + slot.number),
    1, week.number * 100 + slot.number, {MOMENT.format(minutes="700 + slot.number * 3")}
FROM learner, week, slot WHERE week.number = :week AND learner.id <= :learners
"""


def write_weeks(connection: sqlite3.Connection) -> None:
    """The passes of everybody, week after week, as time would have written them."""
    numbers = {"learners": LEARNERS, "questions": QUESTIONS}
    connection.execute(LESSON_ATTEMPTS, numbers)
    connection.execute(ASSIGNMENTS.format(suffix="'作业'", which="true"))
    condition = f"classroom.id = {LARGE_CLASS_ID} AND week.number < {GRADEBOOK_COLUMNS - WEEKS}"
    connection.execute(ASSIGNMENTS.format(suffix="'加练'", which=condition))
    connection.execute(PARTS, numbers)
    for week in range(WEEKS):
        connection.execute(ASSIGNMENT_ATTEMPTS, {"week": week})
        connection.execute(PRACTICE_ATTEMPTS, {"week": week, "learners": LEARNERS})
    connection.execute(SUBMISSIONS, numbers)


def heavy_learner(connection: sqlite3.Connection) -> None:
    """Somebody who practises all day."""
    exercises = [item for (item,) in connection.execute("SELECT item FROM exercise ORDER BY number")]
    first_week = datetime.now(UTC) - timedelta(weeks=WEEKS)
    rows = []
    for number in range(HEAVY_ANSWERS * 10 // 27):
        began_at = first_week + timedelta(minutes=number * WEEKS * 7 * 24 * 60 * 27 // (HEAVY_ANSWERS * 10))
        seed = 10_000 + number
        rows.append(
            (HEAVY_LEARNER, f"{exercises[number % len(exercises)]}-{seed}", seed, stored_time(began_at))
        )
    connection.executemany(
        "INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)"
        " VALUES (?, 'practice', ?, 1, ?, ?)",
        rows,
    )


FIRST_IS_WRONG = "(attempt.id * 7919 + {number} * 104729) % 10 < 4"
ANSWER = """
INSERT INTO response (attempt_id, item, try_number, raw, value, verdict, score, misconception, hints, seconds,
    item_version, created_at)
SELECT attempt.id, {item}, try.number, '["6.77"]', '6.77',
    CASE WHEN try.number < {tries} THEN 'wrong' ELSE 'right' END,
    CASE WHEN try.number < {tries} THEN 0 ELSE 1 END,
    CASE WHEN try.number < {tries} AND attempt.id % 3 > 0 THEN (SELECT name FROM mistake
        WHERE number = (attempt.id * 13 + {number}) % (SELECT count(*) FROM mistake)) END,
    (attempt.id + {number}) % 11 = 0, 20 + attempt.id % 90, 'v', attempt.created_at
FROM attempt, {tables}
    (SELECT 1 AS number UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
    UNION ALL SELECT 5) AS try
WHERE attempt.source = '{source}' {joined} AND try.number <= {tries}
ORDER BY attempt.id
"""


def write_answers(connection: sqlite3.Connection) -> None:
    """The answers to every pass: a question of practice takes one to four tries, any other one or two."""
    patient = "(1 + (attempt.id * 7919) % 4 + (attempt.id % 5 < 2))"
    practised = ANSWER.format(
        item="substr(attempt.ref, 1, length(attempt.ref) - length(attempt.seed) - 1)",
        number="1",
        tries=patient,
        tables="",
        source="practice",
        joined="",
    )
    tries = f"(1 + ({FIRST_IS_WRONG}))"
    lessons = ANSWER.format(
        item="asked.item",
        number="asked.number",
        tries=tries.format(number="asked.number"),
        tables="asked,",
        source="lesson",
        joined="AND asked.stage = attempt.ref",
    )
    assignments = ANSWER.format(
        item="(SELECT substr(item, 1, length(item) - 1) || '2' FROM exercise WHERE number ="
        " (substr(attempt.ref, 12) * 3) % (SELECT count(*) FROM exercise)) || '#' || question.number",
        number="question.number",
        tries=tries.format(number="question.number"),
        tables="question,",
        source="assignment",
        joined="",
    )
    for statement in (lessons, assignments, practised):
        connection.execute(statement)


def write_places_and_reveals(connection: sqlite3.Connection, course: Course) -> None:
    """Everybody has been through every section, and has opened the first examples."""
    sections = [(course.ref(stage.id), section.id) for stage in course.stages for section in stage.sections]
    connection.execute("CREATE TEMP TABLE section (stage, id)")
    connection.executemany("INSERT INTO section VALUES (?, ?)", sections)
    connection.execute(
        "INSERT INTO lesson_place (learner_id, stage, section, round, step, done, updated_at)"
        " SELECT learner.id, section.stage, section.id, 1, 3, 1, (SELECT at FROM week WHERE number = 0)"
        " FROM learner, section WHERE learner.id <= ?",
        (LEARNERS,),
    )


def write_cards(connection: sqlite3.Connection, course: Course) -> None:
    """A deck of sixty cards for everybody, and three hundred reviews of it over the year."""
    refs = [course.ref(card) for card in list(course.cards)[:CARDS_OF_LEARNER]]
    connection.executescript(
        "CREATE TEMP TABLE card (number INTEGER PRIMARY KEY, ref);"
        "INSERT INTO scheduler_version VALUES ('s', 'fsrs', '[]', '2026-01-01 00:00:00.000000')"
    )
    connection.executemany("INSERT INTO card VALUES (?, ?)", list(enumerate(refs)))
    connection.execute(
        "INSERT INTO card_memory (learner_id, card, family, added_at, status, state, stability, difficulty,"
        " due_at, last_review_at, reps, lapses, streak, scheduler)"
        " SELECT learner.id, card.ref, card.ref, week.at, 'active', 'review', 20, 5,"
        " strftime('%Y-%m-%d %H:%M:%f000', 'now', (card.number % 40 - 10) || ' days'), week.at, 5, 0, 5, 's'"
        " FROM learner, card, week WHERE learner.id <= ? AND week.number = 40",
        (LEARNERS,),
    )
    connection.execute(
        "INSERT INTO review_log (learner_id, card, number, rating, reviewed_at, day, seconds, state,"
        " interval_days, first, retention, scheduler, before, after)"
        " SELECT learner.id, card.ref, round.number, 3, week.at, substr(week.at, 1, 10), 4, 'review', 10, 1,"
        " 0.9, 's', '{}', '{}'"
        " FROM (SELECT number FROM question WHERE number <= ?) AS round"
        " JOIN week ON week.number = round.number * 8, learner, card WHERE learner.id <= ?",
        (REVIEWS_OF_LEARNER // CARDS_OF_LEARNER, LEARNERS),
    )
