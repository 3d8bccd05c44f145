"""A paper that is collected late: its answers are as new as their saving, wherever the newest one decides."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from app.course.practice.mastery import FEWEST_RIGHT_IN_WINDOW
from app.course.practice.notebook import Notebook
from app.course.practice.skill_states import SkillState
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.assignments.values import NewPart
from app.records.classes.values import Student
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey
from app.records.people import signing_in
from app.records.practice import learner_pages, notebook, overview
from tests.published import published
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import DAY, TANG, Class, Figures
from tests.records.cast import NOW

COURSE = published()
GUEST = Caller("guest", "guest")
QUESTION_COUNT = 6
RIGHT, WRONG = "4", "6"
MINUTE = timedelta(minutes=1)


@dataclass
class Term:
    """小糖 at home, and the papers of the class."""

    room: Class
    seed: int = 0

    def practise(self, texts: str, caller: Caller = TANG, level: int = 2) -> None:
        """A new variant for each of these answers, a minute after the other."""
        item_ref = f"content:practice-dcg-{level}"
        for text in texts:
            self.seed += 1
            self.room.now += MINUTE
            attempt_key = AttemptKey(source="practice", ref=f"{item_ref}-{self.seed}", seed=self.seed)
            answer = Answer(item_ref, 1, (text,))
            self.room.desk.write(responding.respond, caller, attempt_key, answer, Figures(), self.room.now)

    def save_paper(self, texts: str) -> int:
        """A paper with an answer to each of its questions, which nobody hands in."""
        assignment_id = self.room.assign(NewPart("practice", "content:dcg", level=2, count=QUESTION_COUNT))
        self.room.begin(TANG, assignment_id)
        for number, text in enumerate(texts, start=1):
            self.room.now += MINUTE
            self.room.save(TANG, assignment_id, number, text)
        return assignment_id

    def collect(self, assignment_id: int) -> None:
        """Now; what was summed up on the way is what the log says."""
        assert self.room.collect(assignment_id) == 1
        assert self.room.desk.write(rebuild_all_sums) == 0

    def skill_state(self) -> SkillState:
        """Of DCG; practice, the map and the page of one's progress have the same."""
        arguments = (TANG, COURSE, self.room.now)
        practice_data = self.room.desk.read(overview.load_practice, *arguments)
        map_data = self.room.desk.read(overview.load_skill_map, *arguments)
        progress_data = self.room.desk.read(learner_pages.load_progress_page, *arguments)
        skill_state = practice_data.skill_state_by_skill_id["dcg"]
        assert map_data.skill_state_by_skill_id["dcg"] == skill_state
        assert progress_data.skill_state_by_skill_id["dcg"] == skill_state
        return skill_state

    def notebook(self) -> Notebook:
        return self.room.desk.read(notebook.load_notebook, TANG, COURSE, self.room.now).notebook


@pytest.fixture
def term(room: Class, tang: Student) -> Term:
    assert tang.name
    return Term(room)


@pytest.mark.both_databases
def test_a_worse_old_paper_takes_nothing_away(term: Term) -> None:
    assignment_id = term.save_paper(WRONG * QUESTION_COUNT)
    term.room.now = NOW + 7 * DAY
    term.practise(RIGHT * QUESTION_COUNT)
    assert term.skill_state().mastery == "mastered"
    term.room.now += DAY
    term.collect(assignment_id)
    assert term.skill_state().mastery == "mastered"
    assert term.skill_state().practice.next_level == 3, "the last two were right"
    assert term.skill_state().practice.untouched_days == 1


@pytest.mark.both_databases
def test_a_better_old_paper_gives_nothing(term: Term) -> None:
    assignment_id = term.save_paper(RIGHT * QUESTION_COUNT)
    term.room.now = NOW + 7 * DAY
    term.practise(WRONG * FEWEST_RIGHT_IN_WINDOW)
    term.room.now += DAY
    term.collect(assignment_id)
    assert term.skill_state().mastery == "learning"
    assert term.skill_state().practice.window.right_count == 1
    assert term.skill_state().practice.next_level == 1, "the last two were wrong"


def test_a_paper_between_two_days_of_practice_stands_between_them(term: Term) -> None:
    term.practise(RIGHT * 3)
    term.room.now = NOW + DAY
    assignment_id = term.save_paper(WRONG * 3)
    term.room.now = NOW + 2 * DAY
    term.practise(RIGHT * 5)
    assert term.skill_state().practice.window.right_count == 6
    term.collect(assignment_id)
    assert term.skill_state().practice.window.right_count == 5
    assert term.skill_state().mastery == "remembered"


def test_of_one_day_what_was_saved_earlier_is_older(term: Term) -> None:
    assignment_id = term.save_paper(WRONG * QUESTION_COUNT)
    term.practise(RIGHT * QUESTION_COUNT)
    term.collect(assignment_id)
    assert term.skill_state().mastery == "mastered"
    later_assignment_id = term.save_paper(WRONG * 2)
    term.collect(later_assignment_id)
    assert term.skill_state().mastery == "learning"


@pytest.mark.both_databases
def test_of_one_moment_the_larger_number_is_newer(term: Term) -> None:
    """As where a form is sent twice: the database counts on, whatever the clock says."""
    item_ref = "content:practice-dcg-2"
    for seed, text in enumerate(WRONG * 2 + RIGHT * 5, start=1):
        attempt_key = AttemptKey(source="practice", ref=f"{item_ref}-{seed}", seed=seed)
        answer = Answer(item_ref, 1, (text,))
        term.room.desk.write(responding.respond, TANG, attempt_key, answer, Figures(), NOW)
    assert term.skill_state().mastery == "mastered"
    [entry] = term.notebook().entries
    assert entry.is_cleared


@pytest.mark.both_databases
def test_an_old_mistake_does_not_open_what_was_cleared_since(term: Term) -> None:
    assignment_id = term.save_paper(WRONG)
    term.room.now = NOW + 7 * DAY
    term.practise(RIGHT * 3)
    term.practise(WRONG, level=1)
    term.practise(RIGHT * 3)
    term.room.now += DAY
    term.collect(assignment_id)
    [entry] = term.notebook().entries
    assert (entry.mistake_count, entry.is_cleared) == (2, True)
    assert [wrong_response.item_id for wrong_response in entry.wrong_responses] == [
        "practice-dcg-1",
        "practice-dcg-2",
    ]
    [misconception] = term.notebook().misconceptions
    assert (misconception.mistake_count, misconception.clean_count) == (2, 3)
    assert misconception.last_day == (NOW + 7 * DAY).date()


def test_old_right_answers_do_not_clear_a_later_mistake(term: Term) -> None:
    assignment_id = term.save_paper(RIGHT * 3)
    term.room.now = NOW + 7 * DAY
    term.practise(WRONG)
    term.room.now += DAY
    term.collect(assignment_id)
    [entry] = term.notebook().entries
    assert (entry.clean_count, entry.remaining_count) == (0, 3)
    [misconception] = term.notebook().misconceptions
    assert misconception.clean_count == 0


def test_the_mistake_of_the_latest_day_is_shown_first(term: Term) -> None:
    """The old paper comes last."""
    assignment_id = term.save_paper(WRONG)
    term.room.now = NOW + DAY
    term.practise(WRONG * 2)
    term.room.now += DAY
    term.collect(assignment_id)
    [entry] = term.room.desk.read(notebook.load_notebook, TANG, COURSE, term.room.now, "dcg").notebook.entries
    days = [wrong_response.day for wrong_response in entry.wrong_responses]
    assert days == [(NOW + DAY).date(), (NOW + DAY).date(), NOW.date()]


@pytest.mark.both_databases
def test_the_days_of_a_guest_stand_among_those_of_the_account(term: Term) -> None:
    """In the order of time, with a paper that was saved between them."""
    term.practise(RIGHT * 2, GUEST)
    term.room.now = NOW + DAY
    assignment_id = term.save_paper(WRONG * 2)
    term.room.now = NOW + 2 * DAY
    term.practise(RIGHT * 3, GUEST)
    term.room.now = NOW + 3 * DAY
    term.practise(RIGHT * 2)
    term.room.now = NOW + 4 * DAY
    term.collect(assignment_id)
    sign_in_arguments = (Credentials("小糖", "hash"), Browser("here", "home"), COURSE, term.room.now)
    term.room.desk.write(signing_in.sign_in, GUEST, *sign_in_arguments)
    assert term.room.desk.write(rebuild_all_sums) == 0
    assert term.skill_state().practice.window.right_count == 5
    assert term.skill_state().mastery == "remembered"
    [entry] = term.notebook().entries
    assert (entry.mistake_count, entry.is_cleared) == (2, True)
