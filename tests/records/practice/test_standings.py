"""The states of skills that are remembered: hit by what stayed, worked out anew for what changed."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.course import Course
from app.course.content.skills import PractisedSkill
from app.course.practice.mastery import skill_practice
from app.course.practice.skill_states import SkillPractice
from app.records.db.days import calendar
from app.records.learning import lesson_progress
from app.records.learning.answer_history import AnswerHistory
from app.records.practice import standings
from tests.records.cast import Desk
from tests.records.practice.diary import COURSE, TANG, Diary

EVENING = datetime(2026, 9, 7, 19, 0, tzinfo=UTC)
"""In Shanghai the seventh, for some minutes more; in Tokyo it is the eighth."""
IN_SHANGHAI, IN_TOKYO = calendar("Asia/Shanghai"), calendar("Asia/Tokyo")
REWRITTEN_COURSE = replace(COURSE, digest="another text")


@pytest.fixture
def computed_skills(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The skills whose state was worked out, in that order, where nothing is remembered at first."""
    computed_skills: list[str] = []

    def counted(course: Course, skill: PractisedSkill, *history: object) -> SkillPractice:
        computed_skills.append(skill.id)
        return skill_practice(course, skill, *history)  # type: ignore[arg-type]

    monkeypatch.setattr(standings, "skill_practice", counted)
    forget()
    yield computed_skills
    forget()


def forget() -> None:
    """Everything that other tests have left."""
    standings.REMEMBERED_PRACTICES.clear()
    standings.REMEMBERED_STANDINGS.clear()


def test_an_answer_changes_the_state_of_one_skill(desk: Desk, computed_skills: list[str]) -> None:
    diary = Diary(desk)
    for _ in range(4):
        diary.variant("dcg-2", "+")
    assert diary.state("dcg") == "learning"
    assert sorted(computed_skills) == sorted(COURSE.practised_skills)
    computed_skills.clear()
    assert diary.state("dcg") == "learning"
    assert computed_skills == []
    assert diary.variant("dcg-2", "+").state("dcg") == "mastered"
    assert computed_skills == ["dcg"]
    assert diary.variant("dcg-2", "-").variant("dcg-2", "-").state("dcg") == "learning"
    assert diary.look().skill_state_by_skill_id["dcg"].practice.window.right_count == 4
    assert computed_skills == ["dcg", "dcg"]


def test_between_two_answers_nothing_is_worked_out(desk: Desk, computed_skills: list[str]) -> None:
    diary = Diary(desk).variant("dcg-2", "+")
    former = diary.look()
    standings.REMEMBERED_PRACTICES.clear()
    computed_skills.clear()
    diary.now += timedelta(minutes=5)
    assert diary.look().skill_state_by_skill_id is former.skill_state_by_skill_id
    assert computed_skills == []
    skill_id, (stage, section) = next(iter(COURSE.section_by_skill_id.items()))
    desk.write(lesson_progress.save_place, TANG, COURSE.ref(stage.id), section, 1, True, diary.now)
    assert (former.skill_state_by_skill_id[skill_id].mastery, diary.state(skill_id)) == ("new", "met"), (
        "it was read"
    )


def test_another_day_is_another_state(desk: Desk, computed_skills: list[str]) -> None:
    diary = Diary(desk)
    for _ in range(5):
        diary.variant("dcg-2", "+")
    assert not diary.look().skill_state_by_skill_id["dcg"].is_due
    assert diary.sleep().look().skill_state_by_skill_id["dcg"].is_due
    assert diary.sleep(-1).look().skill_state_by_skill_id["dcg"].is_due is False
    assert len(computed_skills) == 2 * len(COURSE.practised_skills), "the first day is still remembered"


def test_learners_who_answered_alike_share_a_state_where_their_days_are_the_same(
    computed_skills: list[str],
) -> None:
    past = AnswerHistory()
    past.add_answers("content:practice-dcg-2", '[["2026-09-07 19:00:00.000000",7,1]]', None, 1, 0)
    now = EVENING + timedelta(minutes=1)
    today = IN_SHANGHAI(now)
    for day_of in (IN_SHANGHAI, IN_SHANGHAI, IN_TOKYO):
        practice = standings.remembered_practice(
            COURSE, "dcg", past, ["content:practice-dcg-2"], today, day_of
        )
        assert practice.latest_answer_by_item_id["practice-dcg-2"].day == day_of(EVENING)
    assert computed_skills == ["dcg", "dcg"]
    standings.remembered_practice(
        REWRITTEN_COURSE, "dcg", past, ["content:practice-dcg-2"], today, IN_SHANGHAI
    )
    assert computed_skills == ["dcg"] * 3, "another course may count other items"


def test_a_first_clean_day_of_long_ago_counts_though_its_answer_is_no_longer_among_the_last(
    computed_skills: list[str],
) -> None:
    """The last answers are the same; what differs is the day on which the item was first clean."""
    today = IN_SHANGHAI(EVENING)
    recent_text = str([["2026-09-07 02:00:00.000000", number, 1] for number in range(6)]).replace("'", '"')
    words = []
    for since in ("2026-09-07 02:00:00.000000", "2026-08-01 02:00:00.000000"):
        past = AnswerHistory()
        past.add_answers("content:practice-dcg-2", recent_text, since, 6, 0)
        practice = standings.remembered_practice(
            COURSE, "dcg", past, ["content:practice-dcg-2"], today, IN_SHANGHAI
        )
        words.append(practice.mastery)
    assert words == ["mastered", "remembered"]
    assert computed_skills == ["dcg", "dcg"]


def test_so_many_states_are_remembered_and_no_more(
    desk: Desk, computed_skills: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings.REMEMBERED_PRACTICES, "most_values", 10)
    diary = Diary(desk).variant("dcg-2", "+")
    assert diary.state("dcg") == "learning"
    standings.REMEMBERED_STANDINGS.clear()
    assert diary.state("dcg") == "learning"
    assert len(standings.REMEMBERED_PRACTICES) == 10
    assert len(computed_skills) == 2 * len(COURSE.practised_skills)
