"""Hashing passwords beside the event loop, few at once: each takes 19 MiB and a core for a moment."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from app.records.accounts import passwords

AT_ONCE = 2
POOL = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hashing")
"""Whoever comes while all are busy waits; forty at once are done within a second or two."""


async def hashed(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(POOL, passwords.hashed, password)


async def matches(password: str, kept: str | None) -> bool:
    """Whether this is the password of that hash; without a hash never, after the same time."""
    return await asyncio.get_running_loop().run_in_executor(POOL, passwords.matches, password, kept)
