"""Accounts: made once, entered by who knows the password, limited in tries, ended everywhere at a change."""

from contextlib import suppress
from datetime import timedelta

import pytest

from app.records.accounts import accounts, learners, passwords, throttle
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.db.errors import NotFound, Refused, Stale, Throttled
from app.records.people import signing_in
from tests.records.cast import COURSE, NOW, Desk


def create(desk: Desk, login: str = "小糖", token: str = "home", teacher: bool = False) -> None:
    desk.write(
        accounts.create_account,
        Caller(),
        Credentials(login, f"hash of {login}"),
        Browser("here", token, "电脑"),
        NOW,
        teacher,
    )


def enter(
    desk: Desk,
    token: str,
    caller: Caller | None = None,
    login: str = "小糖",
    seen_password: str = "",
    device: str = "",
) -> None:
    browser = Browser("here", token, former_tokens=tuple(filter(None, [device])))
    credentials = Credentials(login, seen_password or f"hash of {login}")
    desk.write(signing_in.sign_in, caller or Caller(), credentials, browser, COURSE, NOW)


def knock(
    desk: Desk, login: str = "小糖", address: str = "here", minutes: int = 0, device: str = ""
) -> str | None:
    now = NOW + timedelta(minutes=minutes)
    browser = Browser(address, former_tokens=tuple(filter(None, [device])))
    return desk.write(accounts.count_sign_in_try, login, browser, now)


def test_an_account_is_found_however_its_name_is_typed(desk: Desk) -> None:
    create(desk, "Xiao Tang")
    for typed in ("xiaotang", " ＸＩＡＯ tang ", "Xiao  Tang"):
        assert knock(desk, typed) == "hash of Xiao Tang"


@pytest.mark.parametrize("taken_name", ["小糖", " 小 糖 "])
def test_a_name_is_given_once(desk: Desk, taken_name: str) -> None:
    create(desk)
    with pytest.raises(Refused, match="已经有人叫"):
        create(desk, taken_name, "other")
    assert desk.count("learner") == 1, "nothing half-done"


@pytest.mark.parametrize("bad", ["", "  ", "x" * 33, "a\u202eb", "\x00"])
def test_a_name_that_cannot_be_is_refused(desk: Desk, bad: str) -> None:
    with pytest.raises(Refused):
        create(desk, bad)


@pytest.mark.parametrize("unseen", ["\u3164", "\uffa0", "\u115f", "\u034f", "\u2800", "\ufe0f", "\U000e0100"])
def test_nobody_takes_a_name_that_looks_like_another(desk: Desk, unseen: str) -> None:
    """These are letters and marks to Unicode, and nothing to who reads them."""
    create(desk, "王老师")
    for name in (f"王老师{unseen}", f"王{unseen}老师", unseen):
        with pytest.raises(Refused, match="看不见"):
            create(desk, name, "other")
    create(desk, "王老师❤\ufe0f", "other")


@pytest.mark.parametrize("name", ["می‌خواهم", "क्‍ष", "👩‍🏫老师"])
def test_a_joiner_inside_a_name_is_of_its_script(desk: Desk, name: str) -> None:
    """It shapes the letters beside it; to who compares names it is nothing, so no two look alike."""
    create(desk, name)
    with pytest.raises(Refused, match="已经有人叫"):
        create(desk, name.replace("\u200c", "").replace("\u200d", ""), "other")


@pytest.mark.parametrize("name", ["\u200d王", "王\u200d", "王\u200d 李", "王\u200c\u200d李"])
def test_a_joiner_that_joins_nothing_is_unseen(desk: Desk, name: str) -> None:
    with pytest.raises(Refused, match="看不见"):
        create(desk, name)


def test_no_name_reaches_over_its_line(desk: Desk) -> None:
    """Marks that are piled up cover the names above and below, on the projector before the whole class."""
    for name in ("糖" + "\u0338" * 31, "a" + "\u0301\u0302" * 9, "\u0489" * 20):
        with pytest.raises(Refused, match="一个叠着一个"):
            create(desk, name)
    create(desk, "שָׁלוֹם")
    create(desk, "Nguyễn Thị", "other")


def test_a_wrong_hash_signs_nobody_in(desk: Desk) -> None:
    create(desk)
    with pytest.raises(NotFound):
        enter(desk, "elsewhere", seen_password="another hash")
    assert desk.read(learners.find_learner_id, Caller("elsewhere")) is None


def test_signing_in_ends_what_the_browser_was_before(desk: Desk) -> None:
    create(desk)
    create(desk, "小序", "shared")
    enter(desk, "shared again", Caller("shared"))
    assert desk.read(learners.load_visitor, Caller("shared")).learner_id is None
    account = desk.read(learners.load_visitor, Caller("shared again")).account
    assert account is not None
    assert account.login == "小糖"


def test_tries_are_counted_for_each_name_and_end_with_success(desk: Desk) -> None:
    create(desk)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        knock(desk)
    with pytest.raises(Throttled, match="10分钟"):
        knock(desk)
    assert knock(desk, "小序") is None, "another name may be tried"
    with pytest.raises(Throttled):
        knock(desk, minutes=9)
    assert knock(desk, minutes=10)
    enter(desk, "in")
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        knock(desk, minutes=10)


def test_a_name_that_is_nobody_s_is_limited_alike(desk: Desk) -> None:
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        assert knock(desk, "nobody") is None
    with pytest.raises(Throttled):
        knock(desk, "NOBODY ")


def test_pupils_do_not_shut_out_the_owner(desk: Desk) -> None:
    """Neither a device that was signed in as this account before, nor a new one, nor any device elsewhere."""
    create(desk, token="phone of the owner")
    create(desk, "小序", "phone of a pupil")
    enter(desk, "a sign-in later", Caller("phone of the owner"))
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        knock(desk, device="phone of a pupil")
    with pytest.raises(Throttled):
        knock(desk, device="phone of a pupil")
    assert knock(desk, device="new phone of the owner")
    assert knock(desk, address="home")
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        assert knock(desk, device="phone of the owner"), "which was signed out since"
    with pytest.raises(Throttled):
        knock(desk, device="phone of the owner")
    enter(desk, "once more", device="phone of the owner")
    assert knock(desk, device="phone of the owner")


def test_new_devices_of_one_address_share_a_wide_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks are easily had: a script that takes a new one for each try is stopped by this."""
    monkeypatch.setattr(throttle, "NEWCOMER_LIMIT", throttle.NEWCOMER_LIMIT._replace(most_tries=12))
    create(desk, token="phone")
    for number in range(12):
        knock(desk, device=f"mark {number}")
    with pytest.raises(Throttled):
        knock(desk, device="another mark")
    assert knock(desk, device="phone")
    assert knock(desk, device="mark", address="home")
    assert knock(desk, "小序", device="another mark") is None


def test_a_device_that_may_try_no_more_uses_up_nothing_of_others(desk: Desk) -> None:
    create(desk)
    for _ in range(throttle.NEWCOMER_LIMIT.most_tries + 5):
        with suppress(Throttled):
            knock(desk, device="phone of a pupil")
    assert knock(desk, device="new phone of the owner")


def test_a_browser_without_a_mark_is_counted_at_its_address(desk: Desk) -> None:
    create(desk)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        knock(desk)
    with pytest.raises(Throttled):
        knock(desk)
    assert knock(desk, device="new phone of the owner")


def test_a_full_address_does_not_shut_out_who_was_there_before(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(desk, token="phone")
    monkeypatch.setattr(throttle, "ADDRESS_LIMIT", throttle.ADDRESS_LIMIT._replace(most_tries=1))
    knock(desk, "nobody")
    with pytest.raises(Throttled):
        knock(desk, device="made up")
    assert knock(desk, device="phone")


def test_a_name_is_limited_over_all_addresses(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "NAME_LIMIT", throttle.NAME_LIMIT._replace(most_tries=3))
    create(desk, token="phone")
    for number in range(3):
        knock(desk, address=f"address {number}")
    with pytest.raises(Throttled):
        knock(desk, address="another")
    assert knock(desk, "小序", address="another") is None
    assert knock(desk, address="another", device="phone")


def test_others_tries_do_not_hinder_who_changes_a_password(desk: Desk) -> None:
    create(desk, token="phone")
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        knock(desk)
    for _ in range(throttle.ACCOUNT_LIMIT.most_tries):
        desk.write(accounts.count_own_password_try, Caller("phone"), NOW)
    with pytest.raises(Throttled):
        desk.write(accounts.count_own_password_try, Caller("phone"), NOW)
    with pytest.raises(Throttled):
        knock(desk)


def test_a_refused_sign_up_counts_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "SIGN_UP_LIMIT", throttle.SIGN_UP_LIMIT._replace(most_tries=2))
    create(desk)
    assert desk.write(accounts.count_sign_up_try, " 小 糖", Browser("here"), NOW)
    assert not desk.write(accounts.count_sign_up_try, "小序", Browser("here"), NOW)
    with pytest.raises(Throttled):
        desk.write(accounts.count_sign_up_try, "小序", Browser("here"), NOW)
    assert not desk.write(accounts.count_sign_up_try, "小序", Browser("elsewhere"), NOW)


def test_a_sign_up_by_an_old_form_counts_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused as too old only when the account is made: what is counted is not undone by that."""
    monkeypatch.setattr(throttle, "SIGN_UP_LIMIT", throttle.SIGN_UP_LIMIT._replace(most_tries=2))
    create(desk)
    old_form, later = Browser("here", "home"), NOW + timedelta(hours=1)
    for _ in range(2):
        assert not desk.write(accounts.count_sign_up_try, "小糖", old_form, later)
        with pytest.raises(Stale):
            desk.write(accounts.create_account, Caller(), Credentials("小糖", "hash"), old_form, later)
    with pytest.raises(Throttled):
        desk.write(accounts.count_sign_up_try, "小糖", old_form, later)


def test_where_too_many_accounts_were_made_nothing_is_hashed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "NEW_ACCOUNT_LIMIT", throttle.NEW_ACCOUNT_LIMIT._replace(most_tries=1))
    create(desk)
    with pytest.raises(Throttled):
        desk.write(accounts.count_sign_up_try, "小序", Browser("here"), NOW)


def test_one_address_may_try_often_but_not_for_ever(desk: Desk) -> None:
    for number in range(throttle.ADDRESS_LIMIT.most_tries):
        knock(desk, f"nobody-{number}")
    with pytest.raises(Throttled):
        knock(desk, "one more")
    assert knock(desk, "one more", address="elsewhere") is None


def test_old_counts_are_swept_away(desk: Desk) -> None:
    knock(desk, "nobody")
    knock(desk, "another", address="elsewhere", minutes=60 * 25)
    desk.write(throttle.forget_old_tries, NOW + timedelta(hours=25))
    assert desk.rows("SELECT key FROM throttle ORDER BY key") == [
        ("address:elsewhere",),
        ("sign-in-name:another",),
        ("sign-in:elsewhere:another",),
    ]


def test_a_changed_password_ends_the_other_sign_ins(desk: Desk) -> None:
    create(desk)
    create(desk, "小序", "stranger")
    enter(desk, "phone")
    password_hash = desk.write(accounts.count_own_password_try, Caller("phone"), NOW)
    desk.write(accounts.change_password, Caller("phone"), password_hash, "new hash", NOW)
    assert desk.read(learners.find_learner_id, Caller("phone"))
    assert desk.read(learners.find_learner_id, Caller("home")) is None
    assert desk.read(learners.find_learner_id, Caller("stranger"))
    assert knock(desk) == "new hash"
    assert knock(desk, "小序") == "hash of 小序"
    with pytest.raises(NotFound):
        desk.write(accounts.change_password, Caller("phone"), password_hash, "newer", NOW)


def test_one_sees_and_ends_one_s_own_devices_only(desk: Desk) -> None:
    create(desk)
    create(desk, "小序", "stranger")
    enter(desk, "phone")
    devices = desk.read(accounts.load_account_page, Caller("phone")).devices
    assert [device.is_current for device in devices] == [True, False]
    [theirs] = desk.read(accounts.load_account_page, Caller("stranger")).devices
    desk.write(accounts.sign_out_devices, Caller("phone"), theirs.id, NOW)
    desk.write(accounts.sign_out_devices, Caller("phone"), devices[1].id, NOW)
    assert desk.read(learners.find_learner_id, Caller("stranger"))
    assert desk.read(learners.find_learner_id, Caller("home")) is None
    enter(desk, "third")
    desk.write(accounts.sign_out_devices, Caller("phone"), None, NOW)
    assert desk.read(learners.find_learner_id, Caller("third")) is None
    assert desk.read(learners.find_learner_id, Caller("phone"))
    with pytest.raises(NotFound):
        desk.write(accounts.sign_out_devices, Caller("nobody"), None, NOW)


def test_only_an_account_has_a_secret(desk: Desk) -> None:
    desk.write(learners.find_or_add_learner, Caller(proposed_token="guest"), NOW)
    for caller in (Caller(), Caller("guest")):
        with pytest.raises(NotFound):
            desk.write(accounts.count_own_password_try, caller, NOW)


def test_passwords_are_compared_as_people_read_them() -> None:
    password_hash = passwords.hash_password("cafe\u0301糖糖")
    assert password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.is_password_of_hash("caf\u00e9糖糖", password_hash)
    assert not passwords.is_password_of_hash("cafe糖糖", password_hash)
    assert not passwords.is_password_of_hash("anything", None)


@pytest.mark.parametrize(("password", "login"), [("12345", ""), ("x" * 129, ""), ("Xiao Tang", "xiaotang")])
def test_a_password_that_is_too_easy_is_refused(password: str, login: str) -> None:
    with pytest.raises(Refused):
        passwords.checked_password(password, login)


def test_a_password_is_compared_with_the_hash_of_its_own_account(desk: Desk) -> None:
    """The first row of the table is another's."""
    create(desk, "小序", "stranger")
    create(desk)
    for token, login in (("stranger", "小序"), ("home", "小糖")):
        assert desk.write(accounts.count_own_password_try, Caller(token), NOW) == f"hash of {login}"
