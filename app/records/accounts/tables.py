"""Tables: learners, sign-ins, accounts."""

from datetime import datetime

from sqlalchemy import Index, text
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, StoredRow, column_named, owner_key

LIVE_SIGN_IN_CONDITION = text("ended_at IS NULL")


class Learner(IdentifiedRow, table=True):
    """A person: made by the first POST, so that mere readers leave no row; a guest without an account.

    `past_zones`: see `TimeZones`. A guest's go with the guest: a merge keeps those of the account.
    """

    created_at: datetime
    time_zone: str = "Asia/Shanghai"
    past_zones: str | None = None
    resume_code: str | None = Field(default=None, unique=True)


class SignIn(IdentifiedRow, table=True):
    """A browser that is this learner. Only the sha256 of its token is kept."""

    __tablename__ = "sign_in"
    __table_args__ = (
        Index("ix_sign_in_live_seen_at", "seen_at", sqlite_where=LIVE_SIGN_IN_CONDITION),
        Index("ix_sign_in_live_ends_at", "ends_at", sqlite_where=LIVE_SIGN_IN_CONDITION),
    )

    learner_id: int = owner_key("learner.id", index=True)
    token_hash: str = Field(unique=True)
    created_at: datetime
    ended_at: datetime | None = None
    device: str | None = None  # as its owner would call it: 安卓手机 · Chrome
    seen_at: datetime | None = None  # to a day or so; None: was never told
    ends_at: datetime | None = None  # on a shared device: then it is over


class Account(StoredRow, table=True):
    """A learner who has a name and a password. The log of a guest who signs up stays where it is."""

    learner_id: int = owner_key("learner.id", primary_key=True)
    login: str
    login_key: str = Field(unique=True)  # how names are compared: 小 糖 and 小糖 are one
    password_hash: str
    is_teacher: bool = column_named("teacher", default=False)
    created_at: datetime
    disabled_at: datetime | None = None


class SiteSecret(StoredRow, table=True):
    """What only this site knows, made once by the migration; a backup carries it. It belongs to nobody: no
    merge, export or deletion of a learner touches it."""

    __tablename__ = "site_secret"

    name: str = Field(primary_key=True)
    value: str  # 32 bytes in hexadecimal


class Throttle(StoredRow, table=True):
    """How often something was tried since a moment: `sign-in:小糖`, `address:192.168.1.7`."""

    key: str = Field(primary_key=True)
    since: datetime
    try_count: int = column_named("count")
