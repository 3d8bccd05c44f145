"""Counts of first tries are at any time what the log says, whatever happened to it."""

import random
from collections import defaultdict
from datetime import timedelta

import pytest

from app.records.accounts.values import Browser, Caller, Credentials
from app.records.classes import class_members, classrooms
from app.records.learning import responding
from app.records.learning.values import Answer
from app.records.people import my_data, signing_in
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import PRACTICE as WORK
from tests.records.assigned import TANG, TEACHER, XU, Class, account
from tests.records.cast import COURSE, ITEM, LESSON, PRACTICE, TWIN, Desk

Counts = dict[tuple[int, int | None, str], tuple[int, int, str]]


def counted(desk: Desk) -> Counts:
    rows = desk.rows("SELECT learner_id, classroom_id, item, tried, clean, last_at FROM first_try_count")
    counts = {row[:3]: row[3:] for row in rows}
    assert len(counts) == len(rows), "one row for each"
    return counts


def told_by_the_log(desk: Desk) -> Counts:
    """The same from every answer there is, in Python."""
    counts: Counts = defaultdict(lambda: (0, 0, ""))
    log = desk.rows(
        "SELECT attempt.learner_id, response.learner_id, classroom_id, source, item, verdict, score,"
        " response.hints, response.created_at, try_number FROM response"
        " JOIN attempt ON attempt.id = response.attempt_id"
        " LEFT JOIN submission ON submission.attempt_id = attempt.id"
        " LEFT JOIN assignment ON assignment.id = assignment_id"
    )
    for owner, learner, classroom, source, item, verdict, score, hints, at, number in log:
        assert learner == owner, "every answer knows whose it is"
        if number == 1 and (source != "assignment" or classroom is not None):
            key = owner, classroom, item.partition("#")[0]
            tried, clean, last_at = counts[key]
            alone = verdict == "right" and not 0 < score < 0.999 and hints == 0
            counts[key] = tried + 1, clean + alone, max(last_at, at)
    return dict(counts)


class History:
    """What may happen to answers, one thing after another, some of it before what came earlier."""

    def __init__(self, desk: Desk, chance: random.Random) -> None:
        account(desk, "王", "teacher", teacher=True)
        self.desk, self.chance = desk, chance
        self.guests = 0
        self.room = Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", Class(desk, 0).now))
        self.room.join("小糖", "tang")
        self.room.join("小序", "xu")
        self.work = [self.room.assign(WORK, passes=0) for _ in range(2)]

    @property
    def guest(self) -> Caller:
        """Somebody without an account, until they sign in; then another one."""
        return Caller(f"guest {self.guests}", f"guest {self.guests}")

    def go_on(self) -> None:
        self.room.now += timedelta(minutes=self.chance.choice([1, 1, 5, -3, 900]))
        self.chance.choice(
            [
                self.answer,
                self.answer,
                self.answer,
                self.hint,
                self.hand_in,
                self.hand_in,
                self.sign_in,
                self.seal,
            ]
        )()

    def answer(self) -> None:
        who_field = self.chance.choice([TANG, XU, self.guest])
        item = self.chance.choice([ITEM, TWIN])
        target = self.chance.choice([LESSON, PRACTICE])
        response = Answer(
            item, self.chance.choice([1, 1, 2]), (self.chance.choice(["4.26", "4.76", "4.2"]),), 5
        )
        self.desk.write(responding.respond, who_field, target, response, COURSE, self.room.now)

    def hint(self) -> None:
        who_field = self.chance.choice([TANG, self.guest])
        self.desk.write(
            responding.open_next_hint, who_field, LESSON, self.chance.choice([ITEM, TWIN]), 1, self.room.now
        )

    def hand_in(self) -> None:
        who_field, work = self.chance.choice([TANG, XU]), self.chance.choice(self.work)
        sitting = self.room.begin(who_field, work)
        for number in (1, 2):
            if self.chance.random() < 0.7:
                self.room.save(who_field, work, number, self.chance.choice(["1", "6", "x"]), sitting)
        self.room.hand_in(who_field, work, sitting)

    def sign_in(self) -> None:
        """A guest comes home: what was done before belongs to the account."""
        browser = Browser("here", f"home {self.guests}")
        arguments = (Credentials("小糖", "hash"), browser, COURSE, self.room.now)
        self.desk.write(signing_in.sign_in, Caller(self.guest.proposed_token), *arguments)
        self.guests += 1

    def seal(self) -> None:
        """Results are held back, or no longer: what a teacher counts is the same."""
        self.room.set_up(self.chance.choice(self.work), answers=self.chance.choice(["due", "handed_in"]))


@pytest.mark.parametrize("seed", range(8))
def test_counts_are_what_the_log_says(desk: Desk, seed: int) -> None:
    history = History(desk, random.Random(seed))
    for _ in range(40):
        history.go_on()
        assert counted(desk) == told_by_the_log(desk)
    assert counted(desk)
    before = counted(desk)
    assert desk.write(rebuild_all_sums) == 0
    assert counted(desk) == before


def test_a_guest_who_comes_home_brings_counts_along(desk: Desk) -> None:
    history = History(desk, random.Random(0))
    for caller in (TANG, history.guest):
        desk.write(responding.respond, caller, LESSON, Answer(ITEM, 1, ("4.26",)), COURSE, history.room.now)
    history.sign_in()
    assert [row[0] for row in counted(desk).values()] == [2]
    assert counted(desk) == told_by_the_log(desk)


def test_whoever_goes_leaves_counts_only_where_answers_stay(desk: Desk) -> None:
    history = History(desk, random.Random(0))
    history.hand_in()
    for caller in (TANG, XU):
        desk.write(responding.respond, caller, LESSON, Answer(ITEM, 1, ("4.26",)), COURSE, history.room.now)
    [tang, xu] = history.room.students()
    desk.write(class_members.remove_student, TEACHER, history.room.classroom, xu.id, history.room.now)
    for caller in (TANG, XU):
        desk.write(my_data.delete_me, caller, "hash", history.room.now)
        assert counted(desk) == told_by_the_log(desk)
    assert {learner for learner, _, _ in counted(desk)} == {tang.learner_id}, "xu was in no class any more"


def test_counts_that_were_lost_come_back(desk: Desk) -> None:
    history = History(desk, random.Random(3))
    for _ in range(25):
        history.go_on()
    for damage in ("DELETE FROM first_try_count", "UPDATE first_try_count SET tried = tried + 1"):
        with desk.other_program() as connection:
            connection.execute(damage)
        assert counted(desk) != told_by_the_log(desk)
        assert desk.write(rebuild_all_sums) > 0
        assert counted(desk) == told_by_the_log(desk)
