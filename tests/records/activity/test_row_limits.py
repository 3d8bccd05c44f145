"""How much somebody may add on a day: the last row that is taken, the first that is not, whom it stops."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.course.games.duel_play import DuelState, moves_through
from app.records.accounts import accounts, learners, throttle
from app.records.accounts.values import Caller
from app.records.activity import learning_days, row_limits
from app.records.cards import decks, own_cards, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.errors import Refused, Throttled
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning import item_logs, lesson_progress, responding, reveals
from app.records.learning.values import Answer, AttemptKey, Guess, ItemLog
from tests.records.cast import COURSE, EXAMPLE, ITEM, NOW, STAGE, WHY, XIAOTANG, XIAOXU, Desk, newcomer

AT_SCHOOL = XIAOTANG._replace(address="school")
NEIGHBOUR = XIAOXU._replace(address="school")
AT_HOME = Caller(proposed_token="proposal-of-xiaofang", address="home")
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def variant(number: int) -> AttemptKey:
    """An attempt at an exercise with a seed of its own: there is no end of them."""
    return AttemptKey(source="practice", ref=f"content:practice-dcg-1-{number}", seed=number)


def practise(desk: Desk, number: int, caller: Caller = AT_SCHOOL, after: timedelta = timedelta()) -> ItemLog:
    return desk.write(
        responding.respond, caller, variant(number), Answer(ITEM, 1, ("4.26",)), COURSE, NOW + after
    )


def known(caller: Caller) -> Caller:
    """The same learner, by the cookie: a proposed token is good for some minutes."""
    return Caller(caller.proposed_token, address=caller.address)


def fill_day(desk: Desk, monkeypatch: pytest.MonkeyPatch, caller: Caller = AT_SCHOOL) -> None:
    """The learner has done what may be done on a day: two actions."""
    practise(desk, 1, caller)
    practise(desk, 2, caller, SECOND)
    monkeypatch.setattr(row_limits, "MOST_MOMENT_CHARACTERS_A_DAY", 13)


def test_a_day_holds_thousands_of_actions_and_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert row_limits.MOST_MOMENT_CHARACTERS_A_DAY // len("12345678901,") == 5000
    fill_day(desk, monkeypatch)
    with pytest.raises(Throttled, match=r"^今天做得够多了，剩下的明天再来。$"):
        practise(desk, 3, after=2 * SECOND)
    assert (desk.count("response"), desk.count("attempt")) == (2, 2)
    practise(desk, 3, NEIGHBOUR, 2 * SECOND)
    practise(desk, 3, known(AT_SCHOOL), DAY)
    assert desk.count("response") == 4


def make_move(desk: Desk) -> object:
    play = Play("duel", 0, 7)
    sent_move = Move(1, "guess", "x")
    assert moves_through(7)
    return desk.write(plays.make_move, AT_SCHOOL, play, sent_move, DuelState(7), NOW + 2 * SECOND)


def open_position(desk: Desk) -> object:
    return desk.write(reveals.open_position, AT_SCHOOL, EXAMPLE, Guess(1), NOW + 2 * SECOND)


def begin_again(desk: Desk) -> object:
    return desk.write(lesson_progress.begin_stage_again, AT_SCHOOL, STAGE, WHY, NOW + 2 * SECOND)


def review(desk: Desk) -> object:
    desk.write(decks.collect_cards, AT_SCHOOL, [("content:gain", "gain")], NOW)
    card_rating = CardRating("content:gain", 1, Rating.GOOD, 4.0)
    return desk.write(reviews.review_card, AT_SCHOOL, card_rating, NOW + 2 * SECOND)


def show_solution(desk: Desk) -> object:
    return desk.write(responding.show_solution, AT_SCHOOL, variant(3), ITEM, 1, COURSE, NOW + 2 * SECOND)


@pytest.mark.parametrize("act", [make_move, open_position, begin_again, review, show_solution])
@pytest.mark.parametrize("is_full", [True, False])
def test_all_that_is_without_end_is_part_of_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, act: Callable[[Desk], object], is_full: bool
) -> None:
    desk.write(lesson_progress.save_place, AT_SCHOOL, STAGE, WHY, 2, False, NOW)  # a round that was begun
    if is_full:
        fill_day(desk, monkeypatch)
        with pytest.raises(Throttled):
            act(desk)
    else:
        act(desk)


def test_what_has_to_be_kept_is_kept_on_a_full_day(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is handed in is marked without asking whose hands are at it."""
    fill_day(desk, monkeypatch)
    log = desk.read(item_logs.load_item_log, known(AT_SCHOOL), variant(1), "content:other")
    handed_in = Answer("content:other", 1, ("4.26",))
    desk.write(responding.record_answer, log, handed_in, COURSE, NOW + 2 * SECOND)
    assert desk.count("response") == 3


def test_guests_of_one_address_are_counted_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        row_limits, "ROWS_OF_ADDRESS_LIMIT", row_limits.ROWS_OF_ADDRESS_LIMIT._replace(most_tries=2)
    )
    practise(desk, 1)
    practise(desk, 1, NEIGHBOUR)
    newest = Caller(proposed_token="third", address="school")
    with pytest.raises(
        Throttled,
        match=r"^没有账号的人，这个网络一天里存得太多了。注册.*24小时后再来。$",
    ):
        practise(desk, 1, newest)
    assert desk.count("learner") == 2
    practise(desk, 1, AT_HOME)
    practise(desk, 2, NEIGHBOUR, SECOND)  # within the share that has begun
    credentials, browser = newcomer("小序", "proposal-of-xiaotang-with-account")
    desk.write(accounts.create_account, known(AT_SCHOOL), credentials, browser, NOW)
    practise(desk, 2, Caller(browser.token, address="school"), DAY - SECOND)
    practise(desk, 1, newest, DAY)


@pytest.mark.parametrize(("action_count", "share_count"), [(1, 1), (25, 1), (26, 2)])
def test_twenty_five_actions_of_a_guest_are_one_share(
    desk: Desk, action_count: int, share_count: int
) -> None:
    late = timedelta(hours=11)  # from here a moment has eleven digits
    for number in range(1, action_count + 1):
        practise(desk, number, after=late + number * SECOND)
    work = desk.rows("SELECT count FROM throttle WHERE key = 'work-of-guests:school'")
    assert work == [(share_count,)]


def test_who_has_an_account_leaves_no_trace_at_the_address(desk: Desk) -> None:
    credentials, browser = newcomer("小糖", "token")
    desk.write(accounts.create_account, Caller(), credentials, browser, NOW)
    practise(desk, 1, Caller("token", address="school"))
    assert desk.rows("SELECT key FROM throttle WHERE key LIKE 'work%'") == []


def test_hints_of_ever_new_questions_are_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_hint(number: int, caller: Caller, position: int = 1) -> ItemLog:
        return desk.write(responding.open_next_hint, caller, variant(number), ITEM, position, NOW)

    few = row_limits.ROWS_OF_ACCOUNT_LIMIT._replace(most_tries=2)
    monkeypatch.setattr(row_limits, "ROWS_OF_ACCOUNT_LIMIT", few)
    monkeypatch.setattr(row_limits, "ROWS_OF_ADDRESS_LIMIT", few)
    credentials, browser = newcomer("小方", "token")
    desk.write(accounts.create_account, Caller(), credentials, browser, NOW)
    for caller in (AT_SCHOOL, Caller("token", address="school")):
        for number in (1, 2, 2):
            open_hint(number, caller)
        with pytest.raises(Throttled, match=r"^一天里存得太多了，24小时后再来。$"):
            open_hint(3, caller)
    assert desk.count("hint") == desk.count("attempt") == 4


@pytest.mark.parametrize("position", [0, 2, 99])
def test_what_comes_out_of_order_begins_no_attempt(desk: Desk, position: int) -> None:
    desk.write(responding.respond, XIAOTANG, variant(1), Answer(ITEM, position, ("4.26",)), COURSE, NOW)
    desk.write(responding.show_solution, XIAOTANG, variant(2), ITEM, position, COURSE, NOW)
    desk.write(responding.open_next_hint, XIAOTANG, variant(3), ITEM, position, NOW)
    assert desk.count("attempt") == 0


def test_reviews_that_are_taken_back_are_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def review_once(number: int) -> int:
        card_rating = CardRating("content:gain", number, Rating.GOOD, 4.0)
        review_id = desk.write(reviews.review_card, AT_HOME, card_rating, NOW).review_id
        assert review_id
        return review_id

    desk.write(decks.collect_cards, AT_HOME, [("content:gain", "gain")], NOW)
    for number in (1, 2):
        review_id = review_once(number)
        for _ in ("click", "double click"):
            desk.write(reviews.undo_review, known(AT_HOME), review_id, NOW)
    assert desk.rows("SELECT count FROM throttle WHERE key = 'undone-of-guests:home'") == [(2,)]
    review_id = review_once(3)
    monkeypatch.setattr(
        row_limits, "ROWS_OF_ADDRESS_LIMIT", row_limits.ROWS_OF_ADDRESS_LIMIT._replace(most_tries=2)
    )
    with pytest.raises(Throttled):
        desk.write(reviews.undo_review, known(AT_HOME), review_id, NOW)


def test_cards_that_guests_write_are_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        row_limits, "ROWS_OF_ADDRESS_LIMIT", row_limits.ROWS_OF_ADDRESS_LIMIT._replace(most_tries=3)
    )
    first, second, third = [(f"问{number}", "答", "", "") for number in range(3)]
    desk.write(own_cards.write_cards, AT_SCHOOL, [first, second], NOW)
    desk.write(own_cards.write_cards, AT_SCHOOL, [first, second], NOW)
    desk.write(own_cards.write_cards, NEIGHBOUR, [first], NOW)
    with pytest.raises(Throttled):
        desk.write(own_cards.write_cards, NEIGHBOUR, [second, third], NOW)
    assert desk.count("own_card") == 3
    desk.write(own_cards.write_cards, AT_HOME, [first], NOW)


def test_clocks_are_moved_so_often_and_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day of the log is looked up among the zones of before."""
    monkeypatch.setattr(learning_days, "MOST_PAST_ZONES", 2)

    def move_clock(time_zone: str, number: int) -> None:
        desk.write(learning_days.change_time_zone, 1, time_zone, NOW + number * SECOND)

    for number, time_zone in enumerate(("UTC", "Asia/Tokyo", "UTC")):
        practise(desk, number + 1, after=number * SECOND)
        if number < 2:
            move_clock(time_zone, number)
        else:
            with pytest.raises(Refused, match="时区最多换2次"):
                move_clock(time_zone, number)
    assert desk.rows("SELECT time_zone FROM learner") == [("Asia/Tokyo",)]


def test_an_address_makes_so_many_guests_a_day(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "GUESTS_OF_DAY_LIMIT", throttle.GUESTS_OF_DAY_LIMIT._replace(most_tries=2))
    for number, after in enumerate((timedelta(), DAY / 2)):
        desk.write(learners.find_or_add_learner, Caller(None, f"guest {number}", "school"), NOW + after)
    with pytest.raises(Throttled, match=r"^这个网络一天里来的新访客太多了。注册.*不然就1分钟后再来。$"):
        desk.write(learners.find_or_add_learner, Caller(None, "guest 2", "school"), NOW + DAY - SECOND)
    desk.write(learners.find_or_add_learner, Caller(None, "guest 2", "home"), NOW + DAY - SECOND)
    desk.write(learners.find_or_add_learner, Caller(None, "guest 3", "school"), NOW + DAY)
    assert desk.count("learner") == 4
