"""Empty guests are swept after sixty days; whoever has a row anywhere else is not."""

from datetime import timedelta

import pytest
from sqlmodel import SQLModel

from app.records import tables
from app.records.accounts import accounts, learners, sign_in_lifetimes
from app.records.accounts.values import Caller
from app.records.learning import lesson_progress
from app.records.people import empty_guests
from tests.records.cast import NOW, STAGE, WHY, XIAOTANG, Desk, newcomer

assert tables  # importing it fills the metadata
DAY = timedelta(days=1)
LATE = NOW + 61 * DAY


def arrive(desk: Desk, token: str = "guest") -> Caller:
    desk.write(learners.find_or_add_learner, Caller(proposed_token=token), NOW)
    return Caller(token)


def empty_guest_ids(desk: Desk, days: int = 61) -> list[int]:
    return desk.read(empty_guests.next_empty_guest_ids, 0, NOW + days * DAY)


def test_a_guest_who_did_nothing_goes_after_sixty_days(desk: Desk) -> None:
    arrive(desk)
    assert (empty_guest_ids(desk, 60), empty_guest_ids(desk, 61)) == ([], [1])
    assert desk.write(empty_guests.remove_empty_guests, [1], LATE) == 1
    assert desk.count("learner") == desk.count("sign_in") == 0


def test_who_was_seen_lately_stays(desk: Desk) -> None:
    arrive(desk)
    desk.write(sign_in_lifetimes.save_sightings, [(learners.token_hash("guest"), NOW + 30 * DAY)])
    assert (empty_guest_ids(desk, 61), empty_guest_ids(desk, 91)) == ([], [1])


def test_who_does_something_meanwhile_stays(desk: Desk) -> None:
    guest = arrive(desk)
    desk.write(lesson_progress.save_place, guest, STAGE, WHY, 1, False, LATE)
    assert desk.write(empty_guests.remove_empty_guests, [1], LATE) == 0
    assert desk.count("learner") == 1


def test_who_has_a_code_or_an_account_stays(desk: Desk) -> None:
    desk.write(learners.give_resume_code, XIAOTANG, NOW)
    desk.write(accounts.create_account, Caller(), *newcomer("小糖", "home"), NOW)
    assert empty_guest_ids(desk) == []


def owned() -> list[tuple[str, str]]:
    """Every column that leads to a learner, but that of the sign-ins."""
    columns: list[tuple[str, str]] = []
    for source in SQLModel.metadata.sorted_tables:
        keys = [key for key in source.foreign_keys if key.column.table.name == "learner"]
        columns += [(source.name, key.parent.name) for key in keys if source.name != "sign_in"]
    return columns


@pytest.mark.parametrize(("name", "column"), owned())
def test_any_row_is_work(name: str, column: str) -> None:
    """No table is left out: the statement asks each of them."""
    assert f"{name}.{column} = learner.id" in str(empty_guests.empty_guests_query())


def test_many_are_looked_at_in_parts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(empty_guests, "GUESTS_AT_ONCE", 2)
    for number in range(3):
        arrive(desk, f"guest {number}")
    assert empty_guest_ids(desk) == [1, 2]
    assert desk.read(empty_guests.next_empty_guest_ids, 2, LATE) == [3]
    assert desk.read(empty_guests.next_empty_guest_ids, 3, LATE) == []
