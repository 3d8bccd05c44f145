"""Guests: made by the first POST, once; signed out for good; on another device by their code."""

from datetime import timedelta

import pytest

from app.records.accounts import accounts, learners, throttle
from app.records.accounts.values import Caller, KnownLearner
from app.records.cards import decks
from app.records.cards.values import DeckSettings
from app.records.db import codes
from app.records.db.errors import NotFound, Stale, Throttled
from app.records.learning import lesson_progress
from tests.records.cast import NOW, STAGE, WHY, XIAOTANG, Desk, newcomer
from tests.records.own_progress import load_progress


def arrive(desk: Desk, caller: Caller, minutes: int = 0) -> tuple[int, str]:
    arrival = desk.write(learners.find_or_add_learner, caller, NOW + timedelta(minutes=minutes))
    return arrival.learner_id, arrival.token


def test_a_reader_leaves_no_row(desk: Desk) -> None:
    assert desk.read(learners.find_learner_id, XIAOTANG) is None
    assert desk.read(learners.find_learner_id, Caller("token of nobody")) is None
    assert desk.count("learner") == desk.count("sign_in") == 0


def test_the_first_post_makes_one_learner(desk: Desk) -> None:
    learner_id, token = arrive(desk, XIAOTANG)
    assert token == XIAOTANG.proposed_token
    assert desk.read(learners.find_learner_id, Caller(token)) == learner_id


def test_a_double_first_click_makes_one_learner(desk: Desk) -> None:
    first, second = desk.write_together(
        lambda session: learners.find_or_add_learner(session, XIAOTANG, NOW),
        lambda session: learners.find_or_add_learner(session, XIAOTANG, NOW + timedelta(seconds=1)),
    )
    assert first == second
    assert desk.count("learner") == desk.count("sign_in") == 1


def test_the_token_is_kept_only_as_its_hash(desk: Desk) -> None:
    arrive(desk, XIAOTANG)
    [(row,)] = desk.rows("SELECT token_hash FROM sign_in")
    assert row == learners.token_hash("proposal-of-xiaotang")
    assert "xiaotang" not in row


def test_a_cookie_goes_before_a_proposal(desk: Desk) -> None:
    learner_id, token = arrive(desk, XIAOTANG)
    assert arrive(desk, Caller(token, "another proposal")) == (learner_id, token)
    assert desk.count("learner") == 1


def test_a_dead_cookie_with_a_fresh_proposal_is_a_newcomer(desk: Desk) -> None:
    _, token = arrive(desk, Caller("token of nobody", "fresh"))
    assert token == "fresh"


def test_an_old_proposal_is_refused(desk: Desk) -> None:
    learner_id, _ = arrive(desk, XIAOTANG)
    assert arrive(desk, XIAOTANG, minutes=10)[0] == learner_id
    with pytest.raises(Stale):
        arrive(desk, XIAOTANG, minutes=11)


def test_without_cookie_and_proposal_the_page_is_stale(desk: Desk) -> None:
    for caller in (Caller(), Caller("token of nobody")):
        with pytest.raises(Stale):
            arrive(desk, caller)
    assert desk.count("learner") == 0


def test_leaving_ends_the_sign_in_and_its_proposal(desk: Desk) -> None:
    _, token = arrive(desk, XIAOTANG)
    desk.write(learners.end_own_sign_in, Caller(token), NOW)
    assert desk.read(learners.find_learner_id, Caller(token)) is None
    with pytest.raises(Stale):
        arrive(desk, XIAOTANG)
    assert desk.count("learner") == 1


def test_leaving_twice_keeps_the_first_time(desk: Desk) -> None:
    _, token = arrive(desk, XIAOTANG)
    desk.write(learners.end_own_sign_in, Caller(token), NOW)
    desk.write(learners.end_own_sign_in, Caller(token), NOW + timedelta(days=1))
    assert desk.rows("SELECT ended_at FROM sign_in") == [("2026-09-01 01:00:00.000000",)]


def test_a_code_is_made_once_and_spelled_for_people(desk: Desk) -> None:
    _, token = arrive(desk, XIAOTANG)
    first = desk.write(learners.give_resume_code, Caller(token), NOW)
    assert desk.write(learners.give_resume_code, Caller(token), NOW) == first
    groups = first.code.split("-")
    assert [len(group) for group in groups] == [4, 4, 4]
    assert set("".join(groups)) <= set(codes.ALPHABET)


def test_a_code_opens_the_same_place_elsewhere(desk: Desk) -> None:
    learner_id, token = arrive(desk, XIAOTANG)
    desk.write(lesson_progress.save_place, Caller(token), STAGE, WHY, 3, False, NOW)
    code = desk.write(learners.give_resume_code, Caller(token), NOW).code
    typed = code.lower().replace("-", " ").translate({ord("a"): "ａ", ord("2"): "２"})
    arrival = desk.write(learners.sign_in_with_code, typed, "phone", NOW)
    assert arrival == KnownLearner(learner_id, "phone")
    assert [row.step_number for row in desk.read(load_progress, Caller("phone")).reached_places] == [3]
    assert desk.read(learners.find_learner_id, Caller(token)) == learner_id


def test_entering_twice_is_harmless(desk: Desk) -> None:
    code = desk.write(learners.give_resume_code, XIAOTANG, NOW).code
    first = desk.write(learners.sign_in_with_code, code, "phone", NOW)
    assert desk.write(learners.sign_in_with_code, code, "phone", NOW) == first
    assert desk.count("sign_in") == 2


@pytest.mark.parametrize("code", ["", "----", "AAAA-BBBB-CCCC", "ABC", "0OIL"])
def test_an_unknown_code_opens_nothing(desk: Desk, code: str) -> None:
    arrive(desk, XIAOTANG)  # has no code: an empty one must not find this row
    with pytest.raises(NotFound):
        desk.write(learners.sign_in_with_code, code, "phone", NOW)
    assert desk.count("sign_in") == 1


def test_a_token_of_somebody_else_does_not_change_hands(desk: Desk) -> None:
    code = desk.write(learners.give_resume_code, XIAOTANG, NOW).code
    arrive(desk, XIAOTANG._replace(proposed_token="other"))
    with pytest.raises(Stale):
        desk.write(learners.sign_in_with_code, code, "other", NOW)


def test_one_address_makes_so_many_guests(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "GUEST_LIMIT", throttle.GUEST_LIMIT._replace(most_tries=2))
    callers = [Caller(None, f"guest {number}", "here") for number in range(3)]
    for caller in callers[:2]:
        desk.write(learners.find_or_add_learner, caller, NOW)
        desk.write(learners.find_or_add_learner, caller, NOW)
    with pytest.raises(Throttled, match="10分钟"):
        desk.write(learners.find_or_add_learner, callers[2], NOW)
    assert desk.write(learners.find_or_add_learner, callers[0], NOW).learner_id == 1, (
        "who was there before goes on"
    )
    assert desk.write(learners.find_or_add_learner, Caller(None, "guest 3", "elsewhere"), NOW).learner_id == 3
    assert desk.write(learners.find_or_add_learner, callers[2], NOW + timedelta(minutes=10)).learner_id == 4


def test_each_learner_has_a_code_and_a_time_zone_of_their_own(desk: Desk) -> None:
    """The first row of the table is somebody else's; that others have accounts bars no guest."""
    desk.write(accounts.create_account, Caller(), *newcomer("小序", "account"), NOW)
    guests = [arrive(desk, Caller(None, token)) for token in ("first", "second")]
    for (_, token), zone in zip(guests, ("Europe/Berlin", "America/New_York"), strict=True):
        desk.write(decks.change_deck_settings, Caller(token), DeckSettings(), zone, NOW)
    zones = [desk.read(learners.time_zone_of, learner_id) for learner_id, _ in guests]
    assert zones == ["Europe/Berlin", "America/New_York"]
    first, second = (desk.write(learners.give_resume_code, Caller(token), NOW) for _, token in guests)
    assert first.code != second.code
    pages = [desk.read(accounts.load_account_page, Caller(token)) for _, token in guests]
    assert [page.resume_code for page in pages] == [first.code, second.code]
    with pytest.raises(NotFound, match="有账号"):
        desk.write(learners.give_resume_code, Caller("account"), NOW)
