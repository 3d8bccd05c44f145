"""Limits on tries: the last one that is let in, the first one that is not, and when it is again."""

from datetime import timedelta

import pytest

from app.records.accounts import throttle
from app.records.accounts.throttle import Tries, TryLimit
from app.records.activity import row_limits
from app.records.db.errors import Throttled
from tests.records.cast import NOW, Desk
from tests.tables import each

SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
HOUR = timedelta(hours=1)
THRICE = TryLimit(3, 10 * MINUTE)


def count(desk: Desk, key: str, after: timedelta, limit: TryLimit = THRICE) -> None:
    desk.write(throttle.count_try, key, limit, NOW + after)


def expect_few(desk: Desk, key: str, after: timedelta) -> None:
    desk.write(throttle.expect_few_tries, key, THRICE, NOW + after)


def counts(desk: Desk) -> list[tuple[str, int]]:
    return desk.rows("SELECT key, count FROM throttle ORDER BY key")


TRIES_AND_PERIOD_BY_LIMIT = {
    "ACCOUNT_LIMIT": (10, 10 * MINUTE),
    "NEWCOMER_LIMIT": (60, 10 * MINUTE),
    "NAME_LIMIT": (300, 10 * MINUTE),
    "ADDRESS_LIMIT": (600, 10 * MINUTE),
    "NEW_ACCOUNT_LIMIT": (300, 10 * MINUTE),
    "GUEST_LIMIT": (5000, 10 * MINUTE),
    "GUESTS_OF_DAY_LIMIT": (20_000, DAY),
    "SIGN_UP_LIMIT": (600, 10 * MINUTE),
    "WRONG_CODE_LIMIT": (20, 10 * MINUTE),
    "WRONG_CODES_OF_ADDRESS_LIMIT": (3000, 10 * MINUTE),
    "WORKBENCH_LIMIT": (400, 10 * MINUTE),
    "REPORT_LIMIT": (100, 10 * MINUTE),
    "ROWS_OF_ACCOUNT_LIMIT": (20_000, DAY),
    "ROWS_OF_ADDRESS_LIMIT": (20_000, DAY),
}


def test_a_class_behind_one_router_has_room_and_who_guesses_has_not() -> None:
    """Each limit as it was weighed: another number is a decision, and stands here too."""
    limits = {
        name: (limit.most_tries, limit.period)
        for module in (throttle, row_limits)
        for name, limit in vars(module).items()
        if isinstance(limit, TryLimit)
    }
    assert limits == TRIES_AND_PERIOD_BY_LIMIT
    assert DAY == throttle.TRIES_KEPT_FOR
    assert MINUTE == throttle.LARGEST_CLOCK_SKEW


def test_one_try_too_many_is_not_let_in_and_not_counted(desk: Desk) -> None:
    for number in range(3):
        count(desk, "糖", number * SECOND)
    for after in (3 * SECOND, 10 * MINUTE - SECOND):
        with pytest.raises(Throttled):
            count(desk, "糖", after)
    assert counts(desk) == [("糖", 3)]


@each(
    ("after", "words"),
    [
        (timedelta(0), "24小时"),
        (HOUR, "23小时"),
        (HOUR - SECOND, "24小时"),
        (DAY - HOUR - SECOND, "2小时"),
        (DAY - HOUR, "60分钟"),
        (DAY - SECOND, "1分钟"),
    ],
)
def test_a_limit_of_a_day_says_when_it_is_over(desk: Desk, after: timedelta, words: str) -> None:
    """A day from the first row, not until midnight."""
    limit = row_limits.ROWS_OF_ACCOUNT_LIMIT._replace(most_tries=1)
    count(desk, "糖", timedelta(0), limit)
    with pytest.raises(Throttled, match=f"^一天里存得太多了，{words}后再来。$"):
        count(desk, "糖", after, limit)
    count(desk, "糖", DAY, limit)


def test_time_runs_from_the_first_try(desk: Desk) -> None:
    for after in (0 * MINUTE, 9 * MINUTE, 9 * MINUTE):
        count(desk, "糖", after)
    with pytest.raises(Throttled, match=r"^试得太多了，1分钟后再来。$"):
        count(desk, "糖", 9 * MINUTE)
    count(desk, "糖", 10 * MINUTE)
    assert counts(desk) == [("糖", 1)]
    count(desk, "糖", 20 * MINUTE - SECOND)
    assert counts(desk) == [("糖", 2)]
    count(desk, "糖", 20 * MINUTE)
    assert counts(desk) == [("糖", 1)]


def test_each_key_is_counted_for_itself_until_it_went_well(desk: Desk) -> None:
    for key in ("糖", "糖", "糖", "序"):
        count(desk, key, SECOND)
    assert counts(desk) == [("序", 1), ("糖", 3)]
    desk.write(throttle.forget_tries, "糖")
    assert counts(desk) == [("序", 1)]
    count(desk, "糖", SECOND)
    assert counts(desk) == [("序", 1), ("糖", 1)]


def test_tries_to_sign_in_with_a_name_are_forgotten_wherever_they_came_from(desk: Desk) -> None:
    kept_keys = ["code:tang_1", "sign-in-name:tang_1x", "sign-in-name:x-tang_1", "sign-in:10.0.0.1:tang-1"]
    forgotten_keys = [
        "sign-in-device:5f3a:tang_1",
        "sign-in-name:tang_1",
        "sign-in-newcomers:10.0.0.2:tang_1",
        "sign-in:10.0.0.1:tang_1",
    ]
    for key in (*kept_keys, *forgotten_keys):
        count(desk, key, 0 * SECOND)
    desk.write(throttle.forget_sign_in_tries_at_name, "tang_1")
    assert [key for key, _ in counts(desk)] == kept_keys


def test_looking_counts_nothing(desk: Desk) -> None:
    expect_few(desk, "糖", SECOND)
    assert counts(desk) == []
    for _ in range(2):
        count(desk, "糖", 0 * SECOND)
    expect_few(desk, "糖", SECOND)
    count(desk, "糖", SECOND)
    with pytest.raises(Throttled, match=r"^试得太多了，10分钟后再来。$"):
        expect_few(desk, "糖", SECOND)
    expect_few(desk, "序", SECOND)
    expect_few(desk, "糖", 10 * MINUTE)
    assert counts(desk) == [("糖", 3)]


def test_what_is_older_than_a_day_is_swept(desk: Desk) -> None:
    count(desk, "糖", 0 * SECOND)
    count(desk, "序", DAY)
    desk.write(throttle.forget_old_tries, NOW + DAY)
    assert counts(desk) == [("序", 1), ("糖", 1)]
    desk.write(throttle.forget_old_tries, NOW + DAY + SECOND)
    assert counts(desk) == [("序", 1)]


def test_a_clock_that_went_back_shuts_nobody_out(desk: Desk) -> None:
    """It was three days ahead: nobody waits for days, and no row of then stays for ever."""
    for _ in range(3):
        count(desk, "糖", 3 * DAY)
        count(desk, "序", 3 * DAY)
    expect_few(desk, "糖", 0 * DAY)
    count(desk, "糖", 0 * DAY)
    assert counts(desk) == [("序", 3), ("糖", 1)]
    desk.write(throttle.forget_old_tries, NOW + SECOND)
    assert counts(desk) == [("糖", 1)]


def test_a_clock_that_is_a_moment_behind_opens_nothing(desk: Desk) -> None:
    for _ in range(3):
        count(desk, "糖", MINUTE)
    with pytest.raises(Throttled, match=r"^试得太多了，10分钟后再来。$"):
        count(desk, "糖", 0 * MINUTE)


def wrong(desk: Desk, device: str, address: str = "here") -> None:
    desk.write(throttle.expect_few_wrong_codes, "join", address, device, NOW)
    desk.write(throttle.count_wrong_code, "join", address, device, NOW)


def test_a_device_that_guesses_is_stopped_and_its_neighbours_are_not(desk: Desk) -> None:
    for _ in range(throttle.WRONG_CODE_LIMIT.most_tries):
        wrong(desk, "guesser")
    for _ in range(5):
        with pytest.raises(Throttled):
            wrong(desk, "guesser")
        with pytest.raises(Throttled):
            desk.write(throttle.count_wrong_code, "join", "here", "guesser", NOW)
        with pytest.raises(Throttled):
            desk.write(throttle.expect_few_wrong_codes, "join", "here", "guesser", NOW)
    assert counts(desk) == [("join-device:guesser", 20), ("join:here", 20)], "then not at its address either"
    for device in ("neighbour", ""):
        wrong(desk, device)


def test_an_address_has_a_wide_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "WRONG_CODES_OF_ADDRESS_LIMIT", TryLimit(3, 10 * MINUTE))
    for device in ("", "one", "another"):
        wrong(desk, device)
    for device in ("", "one", "fresh"):
        with pytest.raises(Throttled):
            wrong(desk, device)
        with pytest.raises(Throttled):
            desk.write(throttle.expect_few_wrong_codes, "join", "here", device, NOW)
    wrong(desk, "one", "elsewhere")


@each(
    ("tried", "after", "refused"),
    [
        (2, 0 * SECOND, False),
        (3, 0 * SECOND, True),
        (4, 0 * SECOND, True),
        (3, 10 * MINUTE - SECOND, True),
        (3, 10 * MINUTE, False),
        (3, 10 * MINUTE + SECOND, False),
        (3, -MINUTE, True),
        (3, -MINUTE - SECOND, False),
    ],
)
def test_room_for_one_more(tried: int, after: timedelta, refused: bool) -> None:
    try:
        throttle.expect_tries_left(Tries(NOW, tried), THRICE, NOW + after)
    except Throttled:
        assert refused
    else:
        assert not refused


@each(
    ("seconds", "minutes"),
    [
        (0, 0),
        (0.1, 1),
        (1, 1),
        (59, 1),
        (60, 1),
        (60.1, 2),
        (61, 2),
        (120, 2),
        (121, 3),
        (600, 10),
        (3600, 60),
    ],
)
def test_a_begun_minute_is_counted(seconds: float, minutes: int) -> None:
    assert throttle.waiting_words(timedelta(seconds=seconds)) == f"{minutes}分钟"


@each(("seconds", "hours"), [(3600.1, 2), (7200, 2), (7201, 3), (86399, 24), (86400, 24)])
def test_a_begun_hour_is_counted(seconds: float, hours: int) -> None:
    assert throttle.waiting_words(timedelta(seconds=seconds)) == f"{hours}小时"
