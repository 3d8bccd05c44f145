"""What only this site knows, and what comes from it: nobody else can reckon it, and it stays the same."""

import hmac
from base64 import urlsafe_b64encode
from typing import NamedTuple

from sqlalchemy import select

from app.records.accounts.passwords import printed_password
from app.records.accounts.tables import SiteSecret
from app.records.accounts.values import AccountRow
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

SITE_SECRET = table(SiteSecret).c
NAME_OF_ROW = "numbers"
"""Of its row: the numbers of assignments were the first that came from it."""
IS_SITE_SECRET = SITE_SECRET.name == NAME_OF_ROW
SITE_SECRET_QUERY = select(SITE_SECRET.value).where(IS_SITE_SECRET)
LEARNER_KEY_LENGTH = 24
LOAD_SECRET = PreparedStatement(SITE_SECRET_QUERY)


class NewcomerSecrets(NamedTuple):
    """What a form to sign up stands for: the token of the sign-in, and a password that may be printed."""

    token: str
    password: str


def load_secret_key(session: VerbSession) -> bytes:
    [(hexadecimal_secret,)] = session.all(LOAD_SECRET)
    return bytes.fromhex(hexadecimal_secret)


def load_newcomer_secrets(session: VerbSession, form_text: str) -> NewcomerSecrets:
    """The same for the same form with the same in it, which may come twice; whoever has seen it cannot reckon
    them."""
    return newcomer_secrets(load_secret_key(session), form_text)


def newcomer_secrets(secret_key: bytes, form_text: str) -> NewcomerSecrets:
    """The token looks as `secrets.token_urlsafe(32)` makes one.

    >>> len(newcomer_secrets(b"a", "form").token), len(newcomer_secrets(b"a", "form").password)
    (43, 8)
    >>> newcomer_secrets(b"a", "form") == newcomer_secrets(b"a", "form")
    True
    >>> newcomer_secrets(b"a", "form").password == newcomer_secrets(b"b", "form").password
    False
    """
    token_digest = hmac.digest(secret_key, f"sign-in {form_text}".encode(), "sha256")
    password_digest = hmac.digest(secret_key, f"password {form_text}".encode(), "sha256")
    token = urlsafe_b64encode(token_digest).decode().rstrip("=")
    return NewcomerSecrets(token, printed_password(password_digest))


def load_learner_key(session: VerbSession, account: AccountRow) -> str:
    """By what a browser tells the unsent words and the pages of one account from those of another."""
    return learner_key(load_secret_key(session), account)


def learner_key(secret_key: bytes, account: AccountRow) -> str:
    """The number of an account that was deleted may be given again: the moment tells the two apart."""
    account_text = f"words {account.learner_id} {account.created_at.timestamp()}"
    return hmac.digest(secret_key, account_text.encode(), "sha256").hex()[:LEARNER_KEY_LENGTH]
