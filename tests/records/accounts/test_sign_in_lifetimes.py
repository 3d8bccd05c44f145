"""Sign-ins end: of accounts after ninety days away, on shared devices after twelve hours; of guests never."""

from datetime import timedelta

import pytest

from app.records.accounts import accounts, learners, sign_in_lifetimes
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.people import signing_in
from tests.records.cast import COURSE, NOW, XIAOTANG, Desk, newcomer

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)


def create(desk: Desk) -> None:
    desk.write(accounts.create_account, Caller(), *newcomer("小糖", "home"), NOW)


def is_in(desk: Desk, token: str = "home") -> bool:
    return desk.read(learners.find_learner_id, Caller(token)) is not None


def end_old(desk: Desk, after: timedelta) -> None:
    desk.write(sign_in_lifetimes.end_expired_sign_ins, NOW + after)


def note(desk: Desk, token: str, after: timedelta) -> None:
    desk.write(sign_in_lifetimes.save_sightings, [(learners.token_hash(token), NOW + after)])


def test_an_account_that_is_away_for_ninety_days_signs_in_again(desk: Desk) -> None:
    create(desk)
    end_old(desk, 90 * DAY - SECOND)
    assert is_in(desk)
    note(desk, "home", 80 * DAY)
    end_old(desk, 170 * DAY - SECOND)
    assert is_in(desk)
    end_old(desk, 170 * DAY)
    assert not is_in(desk)


def test_what_has_ended_stays_as_it_is(desk: Desk) -> None:
    create(desk)
    desk.write(learners.end_own_sign_in, Caller("home"), NOW)
    note(desk, "home", DAY)
    note(desk, "token of nobody", DAY)
    end_old(desk, 200 * DAY)
    assert desk.rows("SELECT seen_at, ended_at FROM sign_in") == [("2026-09-01 01:00:00.000000",) * 2]


def test_a_guest_stays_signed_in_for_ever(desk: Desk) -> None:
    desk.write(learners.find_or_add_learner, XIAOTANG, NOW)
    end_old(desk, 3000 * DAY)
    assert is_in(desk, XIAOTANG.proposed_token or "")


def test_on_a_shared_device_it_ends_after_twelve_hours_however_busy(desk: Desk) -> None:
    create(desk)
    browser = Browser("here", "school", is_shared=True)
    desk.write(signing_in.sign_in, Caller(), Credentials("小糖", "hash"), browser, COURSE, NOW)
    note(desk, "school", 11 * HOUR)
    end_old(desk, 12 * HOUR - SECOND)
    assert is_in(desk, "school")
    end_old(desk, 12 * HOUR)
    assert (is_in(desk, "school"), is_in(desk, "home")) == (False, True)
    end_old(desk, 13 * HOUR)
    assert desk.rows("SELECT seen_at, ended_at FROM sign_in ORDER BY id") == [
        ("2026-09-01 01:00:00.000000", None),
        ("2026-09-01 12:00:00.000000", "2026-09-01 13:00:00.000000"),
    ], "each is seen for itself, and has ended once"


@pytest.mark.one_file
def test_both_are_found_by_an_index(desk: Desk) -> None:
    """So a year of sign-ins costs nothing each ten minutes."""
    for column in ("seen_at", "ends_at"):
        plan = desk.rows(
            f"EXPLAIN QUERY PLAN SELECT id FROM sign_in WHERE ended_at IS NULL AND {column} <= ?", "2026"
        )
        assert f"ix_sign_in_live_{column}" in str(plan)
