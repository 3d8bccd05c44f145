"""Hashing passwords beside the event loop, few at once: each takes 19 MiB and a core for a moment."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from app.records.accounts import passwords
from app.records.db.errors import NotFound

HASHES_AT_ONCE = 2
HASHING_POOL = ThreadPoolExecutor(HASHES_AT_ONCE, thread_name_prefix="hashing")
"""Whoever comes while all are busy waits; forty at once are done within a second or two."""


def share_cores(worker_count: int) -> None:
    """Of several processes each hashes fewer at once: together they have the same cores."""
    global HASHING_POOL  # noqa: PLW0603  one for the process, as it was imported
    if worker_count > 1:
        HASHING_POOL = ThreadPoolExecutor(1, thread_name_prefix="hashing")


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(HASHING_POOL, passwords.hash_password, password)


async def matched_hash_of(password: str, password_hash: str | None) -> str:
    """The hash that the password matched; NotFound for a wrong one and where there is none."""
    if not await matches(password, password_hash) or password_hash is None:
        raise NotFound
    return password_hash


async def matches(password: str, password_hash: str | None) -> bool:
    """Whether this is the password of that hash; without a hash never, after the same time."""
    return await asyncio.get_running_loop().run_in_executor(
        HASHING_POOL, passwords.is_password_of_hash, password, password_hash
    )
