"""How a day began: the same at any hour of it, whatever was answered since."""

from random import Random

import pytest

from app.course.games.duel_play import DuelState
from app.course.practice.skill_states import SkillState
from app.records.accounts import learners
from app.records.db.days import beginning_of, calendar
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning.past_answers import load_mastery_sums
from app.records.practice.five_minutes import (
    FiveMinutesData,
    load_five_minutes,
    load_item_refs_today,
    load_morning_history,
)
from app.records.practice.standings import skill_state_by_skill_id_of
from tests.records.cast import Desk
from tests.records.practice.diary import COURSE, TANG, Diary

ZONE = "Asia/Shanghai"
VARIANTS = ("dcg-2", "dcg-1", "cg-2", "gain-2")
ITEMS = COURSE.practised_skills["order-matters"].item_ids
TRIES = (("+",), ("+",), ("+",), ("-",), ("-", "+"), ("half",))


def morning_of(diary: Diary) -> dict[str, SkillState]:
    """Where the day left off with every skill, as the plan of the day sees it."""

    def load(session: VerbSession) -> dict[str, SkillState]:
        learner_id = learners.find_learner_id(session, TANG)
        assert learner_id
        day_of = calendar(ZONE)
        day_began_at = beginning_of(day_of(diary.now), ZONE)
        sums = load_mastery_sums(session, learner_id)
        item_refs_today = load_item_refs_today(session, learner_id, day_began_at)
        history = load_morning_history(session, learner_id, sums, item_refs_today, day_began_at, day_of)
        return dict(skill_state_by_skill_id_of(COURSE, history, diary.now, day_of))

    return diary.desk.read(load)


def answer_by_chance(diary: Diary, chance: Random) -> None:
    tries = chance.choice(TRIES)
    if chance.random() < 0.3:
        diary.once(chance.choice(ITEMS), *tries)
    else:
        diary.variant(chance.choice(VARIANTS), *tries, hints=chance.choice((0, 0, 0, 1)))


@pytest.mark.parametrize("seed", range(3))
def test_nothing_of_the_day_changes_how_it_began(desk: Desk, seed: int) -> None:
    chance = Random(seed)
    diary = Diary(desk)
    diary.variant("cg-1", "-").sleep()
    for _ in range(5):
        morning = morning_of(diary)
        for _ in range(chance.randrange(4, 16)):
            answer_by_chance(diary, chance)
            assert morning_of(diary) == morning
        diary.sleep()
    assert morning_of(diary) != morning


def test_an_answer_of_today_to_what_was_never_asked_is_none_of_this_morning(desk: Desk) -> None:
    diary = Diary(desk).variant("cg-1", "-").sleep()
    diary.variant("dcg-2", "+").once(ITEMS[0], "+").variant("gain-2", "+", hints=1)
    morning = morning_of(diary)
    assert [name for name, skill_state in morning.items() if skill_state.mastery != "new"] == ["cg"]
    diary.sleep()
    later = [name for name, skill_state in morning_of(diary).items() if skill_state.mastery != "new"]
    assert set(later) == {"cg", "dcg", "order-matters", "gain"}


def test_the_duel_of_the_day_stays_done_after_many_other_plays(desk: Desk) -> None:
    diary = Diary(desk).variant("cg-1", "+")

    def load() -> FiveMinutesData:
        return desk.read(load_five_minutes, TANG, COURSE, diary.now)

    def play_duel(seed: int, first: int = 1, last: int = 4) -> None:
        moves = ("guess", "x"), ("all", ""), ("on", ""), ("guess", "x")
        for position in range(first, last + 1):
            move = Move(position, *moves[position - 1])
            desk.write(plays.make_move, TANG, Play("duel", 0, seed), move, DuelState(seed), diary.now)

    seed_of_day = load().plan.duel_seed
    assert not load().has_played
    play_duel(seed_of_day, last=3)
    assert not load().has_played, "the first round is the same every day"
    play_duel(seed_of_day, first=4)
    assert load().has_played
    for seed in range(1, plays.MOST_LISTED_PLAYS + 1):
        play_duel(seed_of_day + seed)
    assert load().has_played
