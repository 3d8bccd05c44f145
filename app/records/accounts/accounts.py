"""Accounts: a name and a password, no e-mail. The web hashes and compares; here is what is kept.

Signing in takes two calls, because a password is compared between them, outside of the database:
`count_sign_in_try` counts the try first, so that tries side by side are counted too; `signing_in.sign_in`
then signs in. Tries are counted for each name and browser; for one that was signed in nowhere yet, for each
name at its address. All browsers of an address that were never signed in with the name share a wider limit,
and those that were have none but their own: so nobody who tries another one's name shuts the owner out.
"""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, select

from app.course.text.typed import name_key
from app.records.accounts import learners, sign_in_lifetimes, throttle
from app.records.accounts.learners import ACCOUNT, SIGN_IN, SignInRow
from app.records.accounts.passwords import checked_display_name
from app.records.accounts.tables import Account, SignIn
from app.records.accounts.values import (
    AccountPageData,
    AccountSecret,
    Browser,
    Caller,
    Credentials,
    Device,
    KnownLearner,
)
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import (
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)

IS_OF_ACCOUNT = ACCOUNT.learner_id == bindparam("learner")
IS_LIVE_DEVICE = (SIGN_IN.learner_id == bindparam("learner")) & learners.IS_LIVE_SIGN_IN

IS_CURRENT_SIGN_IN = (SIGN_IN.token_hash == bindparam("hash")).label("is_current")
SIGNED_IN_DEVICES_QUERY = select(
    SIGN_IN.id, SIGN_IN.device.label("description"), SIGN_IN.created_at, IS_CURRENT_SIGN_IN
).where(IS_LIVE_DEVICE)
DEVICES = RowQuery(Device, SIGNED_IN_DEVICES_QUERY.order_by(SIGN_IN.id.desc()))


def load_account_page(session: VerbSession, caller: Caller) -> AccountPageData:
    """What 我的 shows: who is here, the 续学码 of a guest, the devices of an account, the latest first."""
    visitor = learners.load_visitor(session, caller)
    if visitor.learner_id is None:
        return AccountPageData(visitor)
    resume_code = learners.resume_code_of(session, visitor.learner_id)
    devices: list[Device] = []
    if visitor.account:
        token_hash = learners.caller_token_hash(caller)
        devices = session.all(DEVICES, learner=visitor.learner_id, hash=token_hash)
    return AccountPageData(visitor, resume_code and learners.spell_code(resume_code), devices)


SECRET_BY_LOGIN = RowQuery(
    AccountSecret,
    select(*columns_of(Account, AccountSecret)).where(ACCOUNT.login_key == bindparam("login")),
)


def count_sign_in_try(session: VerbSession, login: str, browser: Browser, now: datetime) -> str | None:
    """Count a try to sign in; the hash to compare with, None where nobody may come in by this name."""
    account_secret = session.first(SECRET_BY_LOGIN, login=name_key(login))
    login_key = login_key_of_tries(login)
    client_address = browser.address
    known_browser_hash = hash_of_known_browser(session, account_secret, browser)
    if not known_browser_hash:
        throttle.count_try(session, f"address:{client_address}", throttle.ADDRESS_LIMIT, now)
        throttle.count_try(session, f"sign-in-name:{login_key}", throttle.NAME_LIMIT, now)
        if browser.former_tokens:
            throttle.count_try(
                session, f"sign-in-newcomers:{client_address}:{login_key}", throttle.NEWCOMER_LIMIT, now
            )
    tries_key = sign_in_tries_key(login, client_address, known_browser_hash or hash_of_browser(browser))
    throttle.count_try(session, tries_key, throttle.ACCOUNT_LIMIT, now)
    if account_secret is None or account_secret.disabled_at:
        return None
    return account_secret.password_hash


def hash_of_known_browser(
    session: VerbSession, account_secret: AccountSecret | None, browser: Browser
) -> str:
    """The hash of a browser that was signed in to this account before; empty for any other."""
    if account_secret is None:
        return ""
    for former_token in browser.former_tokens:
        sign_in = session.first(learners.SIGN_IN_OF_TOKEN, hash=learners.token_hash(former_token))
        if sign_in and sign_in.learner_id == account_secret.learner_id:
            return short_token_hash(former_token)
    return ""


def hash_of_browser(browser: Browser) -> str:
    """The hash of a browser, whoever was signed in on it; empty for one that has none."""
    if not browser.former_tokens:
        return ""
    first_token, *_ = browser.former_tokens
    return short_token_hash(first_token)


def short_token_hash(token: str) -> str:
    """As much of the hash of a token as tells browsers apart."""
    return learners.token_hash(token)[:32]


def login_key_of_tries(login: str) -> str:
    """A name as tries are counted under it: whatever somebody types, a row stays short."""
    return name_key(login)[:64]


def sign_in_tries_key(login: str, client_address: str, browser_hash: str) -> str:
    """The key under which tries at one account are counted: of a browser, or at an address."""
    login_key = login_key_of_tries(login)
    if browser_hash:
        return f"sign-in-device:{browser_hash}:{login_key}"
    return f"sign-in:{client_address}:{login_key}"


def forget_sign_in_tries(session: VerbSession, account_secret: AccountSecret, browser: Browser) -> None:
    """The password was right: this browser, or this address, begins to count anew."""
    browser_hash = hash_of_known_browser(session, account_secret, browser) or hash_of_browser(browser)
    throttle.forget_tries(session, sign_in_tries_key(account_secret.login, browser.address, browser_hash))


def forget_all_tries(session: VerbSession, account_secret: AccountSecret) -> None:
    """The account goes: its name and its number stay in no count."""
    throttle.forget_sign_in_tries_at_name(session, login_key_of_tries(account_secret.login))
    throttle.forget_tries(session, password_tries_key(account_secret))


def count_sign_up_try(session: VerbSession, login: str, browser: Browser, now: datetime) -> bool:
    """Count a wish for an account before its password is hashed; whether somebody else has the name: not
    whoever sent the same form before.

    A verb of its own, which does not refuse: what a verb counts is undone when it raises.
    """
    throttle.expect_few_tries(session, f"new-account:{browser.address}", throttle.NEW_ACCOUNT_LIMIT, now)
    throttle.count_try(session, f"sign-up:{browser.address}", throttle.SIGN_UP_LIMIT, now)
    return is_login_taken(session, login) and sign_in_of_form(session, browser) is None


def sign_in_of_form(session: VerbSession, browser: Browser) -> SignInRow | None:
    """The sign-in that a sign-up by the same form has made."""
    return session.first(learners.SIGN_IN_OF_TOKEN, hash=learners.token_hash(browser.token))


def find_repeating_learner(session: VerbSession, browser: Browser, now: datetime) -> KnownLearner | None:
    """Who has just signed up by the same form, which came once more: tapped twice, or sent again because no
    answer came. None for a form that is new; Stale where its sign-in has ended, or is old."""
    sign_in = sign_in_of_form(session, browser)
    if sign_in is None:
        return None
    return learners.repeating_learner(sign_in, browser.token, now)


def create_account(
    session: VerbSession,
    caller: Caller,
    credentials: Credentials,
    browser: Browser,
    now: datetime,
    is_teacher: bool = False,
) -> KnownLearner:
    """A new account; a form that comes twice makes one."""
    repeating_learner = find_repeating_learner(session, browser, now)
    if repeating_learner is not None:
        return repeating_learner
    return create_account_by_new_form(session, caller, credentials, browser, now, is_teacher)


def create_account_by_new_form(
    session: VerbSession,
    caller: Caller,
    credentials: Credentials,
    browser: Browser,
    now: datetime,
    is_teacher: bool = False,
) -> KnownLearner:
    """A new account. A guest becomes it, with everything done so far; other ways in to that guest end.

    Not a guest with a 续学码, who may be somebody else and come back, unless the browser ends it; nor one
    whose work the browser leaves.
    """
    throttle.count_try(session, f"new-account:{browser.address}", throttle.NEW_ACCOUNT_LIMIT, now)
    visitor = learners.load_visitor(session, caller)
    learners.end_own_sign_in(session, caller, now)
    brings_work = visitor.brings_work(browser.ends_code) and not browser.leaves_work
    if visitor.learner_id is not None and brings_work:
        learner_id = visitor.learner_id
        end_sign_ins(session, learner_id, now)
        session.run(learners.SET_RESUME_CODE, learner=learner_id, resume_code=None)
    else:
        learner_id = learners.add_learner(session, now)
    add_account(session, learner_id, credentials, now, is_teacher)
    known_learner = sign_in_lifetimes.begin_sign_in(session, learner_id, browser, now)
    return known_learner._replace(has_guest_work=learner_id == visitor.learner_id)


ADD_ACCOUNT = prepared_insert(Account)


def add_account(
    session: VerbSession, learner_id: int, credentials: Credentials, now: datetime, is_teacher: bool = False
) -> None:
    """Give a learner a name and a password. Refused: the name is taken."""
    display_login = checked_display_name(credentials.login)
    if is_login_taken(session, display_login):
        raise taken_login_refusal(display_login)
    session.run(
        ADD_ACCOUNT,
        learner_id=learner_id,
        login=display_login,
        login_key=name_key(display_login),
        password_hash=credentials.password_hash,
        is_teacher=is_teacher,
        created_at=now,
        disabled_at=None,
    )


def taken_login_refusal(login: str) -> Refused:
    return Refused(f"已经有人叫“{login}”了，换一个，比如加上数字。", "login")


def free_login(session: VerbSession, login: str, reserved_login_keys: Collection[str] = ()) -> str:
    """This name, or with the first number behind it that nobody has.

    `reserved_login_keys`: given away already.
    """
    wished_login = candidate_login = checked_display_name(login)
    suffix_number = 2
    while name_key(candidate_login) in reserved_login_keys or is_login_taken(session, candidate_login):
        candidate_login = f"{wished_login[:28]}{suffix_number}"
        suffix_number += 1
    return candidate_login


def is_login_taken(session: VerbSession, login: str) -> bool:
    return session.first(SECRET_BY_LOGIN, login=name_key(login)) is not None


SECRET_OF_LEARNER = RowQuery(AccountSecret, select(*columns_of(Account, AccountSecret)).where(IS_OF_ACCOUNT))


def count_own_password_try(session: VerbSession, caller: Caller, now: datetime) -> str:
    """Count a try at one's own password; the hash to compare what was typed with."""
    account_secret = own_account_secret(session, caller)
    throttle.count_try(session, password_tries_key(account_secret), throttle.ACCOUNT_LIMIT, now)
    return account_secret.password_hash


def password_tries_key(account_secret: AccountSecret) -> str:
    """Tries at the password by who is signed in already; nobody else can use them up."""
    return f"own-password:{account_secret.learner_id}"


def change_password(
    session: VerbSession, caller: Caller, matched_hash: str, password_hash: str, now: datetime
) -> None:
    """A new password, after the old one matched. Every other sign-in ends."""
    account_secret = own_account_secret(session, caller)
    if account_secret.password_hash != matched_hash:
        raise NotFound
    throttle.forget_tries(session, password_tries_key(account_secret))
    set_password(session, account_secret.learner_id, password_hash, now, token_to_keep=caller.token or "")


def own_account_secret(session: VerbSession, caller: Caller) -> AccountSecret:
    """NotFound for a guest and for nobody."""
    learner_id = learners.find_learner_id(session, caller)
    account_secret = session.first(SECRET_OF_LEARNER, learner=learner_id)
    if account_secret is None:
        raise NotFound
    return account_secret


SET_PASSWORD = prepared_update(Account, IS_OF_ACCOUNT, ["password_hash"])


def set_password(
    session: VerbSession, learner_id: int, password_hash: str, now: datetime, token_to_keep: str = ""
) -> None:
    """Set it, and end all sign-ins but the one with the token to keep."""
    session.run(SET_PASSWORD, learner=learner_id, password_hash=password_hash)
    end_sign_ins(session, learner_id, now, token_to_keep)


END_DEVICE = prepared_update(SignIn, IS_LIVE_DEVICE & (SIGN_IN.id == bindparam("device")), ["ended_at"])


def sign_out_devices(session: VerbSession, caller: Caller, device_id: int | None, now: datetime) -> None:
    """Sign out one of one's own devices, or (None) all but this one."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        raise NotFound
    if device_id is None:
        end_sign_ins(session, learner_id, now, token_to_keep=caller.token or "")
    else:
        session.run(END_DEVICE, learner=learner_id, device=device_id, ended_at=now)


IS_OTHER_SIGN_IN = SIGN_IN.token_hash != bindparam("hash")
END_OTHER_SIGN_INS = prepared_update(SignIn, IS_LIVE_DEVICE & IS_OTHER_SIGN_IN, ["ended_at"])


def end_sign_ins(session: VerbSession, learner_id: int, now: datetime, token_to_keep: str = "") -> None:
    """Sign a learner out everywhere but where the token to keep is."""
    session.run(END_OTHER_SIGN_INS, learner=learner_id, hash=learners.token_hash(token_to_keep), ended_at=now)
