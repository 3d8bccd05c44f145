"""What the verbs on learners, sign-ins, accounts take and return: frozen values. A row is a NamedTuple."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple


class Caller(NamedTuple):
    """Who is asking: the sign-in token of the cookie, and the one that the form proposes to a newcomer, with
    the address by which newcomers are counted.
    """

    token: str | None = None
    proposed_token: str | None = None
    address: str = ""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name to sign in with, and the hash of its password: of a new account, or the one that what was typed
    matched."""

    login: str
    password_hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Browser:
    """Where somebody signs in. `token`: of the sign-in that begins; `device`: what its owner would call it.

    `former_tokens`: those that it was signed in with, as far as it remembers, or its mark. Where it
    `is_shared`, a sign-in ends by itself. `ends_code`: who comes in here says that what a guest did here is
    theirs, although it has a 续学码; `leaves_work`: that it is not, also without one.
    """

    address: str
    token: str = field(default="", repr=False)
    device: str | None = None
    former_tokens: Collection[str] = field(default=(), repr=False)
    is_shared: bool = False
    ends_code: bool = False
    leaves_work: bool = False


class KnownLearner(NamedTuple):
    """A learner who is known now, and the token that proves it (the web sets the cookie when it differs).

    has_guest_work: what a guest did here before is theirs now.
    """

    learner_id: int
    token: str
    has_guest_work: bool = False


class ResumeCode(NamedTuple):
    token: str
    code: str


class AccountRow(NamedTuple):
    """An account without its secret."""

    learner_id: int
    login: str
    is_teacher: bool
    created_at: datetime
    disabled_at: datetime | None


class AccountSecret(NamedTuple):
    """An account with the hash of its password, for comparing; no page gets one."""

    learner_id: int
    login: str
    disabled_at: datetime | None
    password_hash: str


class Device(NamedTuple):
    """A browser that is signed in, as its owner would call it; `is_current`: the one that asks."""

    id: int
    description: str | None
    created_at: datetime
    is_current: bool


class Visitor(NamedTuple):
    """Who is here: nobody (`learner_id` None), a guest (`account` None), or an account."""

    learner_id: int | None = None
    account: AccountRow | None = None
    has_resume_code: bool = False

    @property
    def is_signed_in(self) -> bool:
        return self.learner_id is not None

    @property
    def is_guest(self) -> bool:
        return self.learner_id is not None and self.account is None

    @property
    def is_guest_with_code(self) -> bool:
        """Whether they may be somebody else than who comes in here next, and come back by their 续学码."""
        return self.is_guest and self.has_resume_code

    def brings_work(self, ends_code: bool = False) -> bool:
        """Whether what a guest did goes with who comes in here; `ends_code`: also with a 续学码."""
        return self.is_guest and (ends_code or not self.has_resume_code)

    @property
    def is_teacher(self) -> bool:
        return self.account is not None and self.account.is_teacher


class AccountPageData(NamedTuple):
    """What the page 我的 shows."""

    visitor: Visitor
    resume_code: str | None = None
    devices: Sequence[Device] = ()
