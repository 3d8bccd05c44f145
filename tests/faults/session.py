"""Scripted sessions, each in a process of its own: `python -m tests.faults.session`.

A line begins one: a file, and after a tab perhaps the most bytes that a file may have. A second line lets it
go on. It prints its process, `kept <number>` or `refused <number>` after each answer, at last `ended <code>`.
"""

import asyncio
import os
import traceback
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from app.records.accounts.values import Caller
from app.records.db.database import Database, open_database
from app.records.db.errors import Busy, CannotOpen
from app.records.learning import responding
from app.records.learning.values import Answer
from tests.faults.ledger import Entry, answer_entry
from tests.records.answering import LESSON, Course

ANSWERS = 6
GUEST = "guest-of-the-session"
NOW = datetime(2026, 9, 1, 1, 0, tzinfo=UTC)


def entry(number: int) -> Entry:
    return answer_entry(GUEST, LESSON.ref, f"content:item-{number}", 1, str(number))


async def answer_all(database: Database) -> AsyncIterator[tuple[str, int]]:
    """Each answer, and whether it was kept or refused."""
    for number in range(1, ANSWERS + 1):
        answer = Answer(f"content:item-{number}", 1, (str(number),))
        word = "kept"
        try:
            await database.write(responding.respond, Caller(GUEST, GUEST), LESSON, answer, Course(), NOW)
        except Busy:
            word = "refused"
        yield word, number
    await database.close()


async def answered(database: Database) -> list[int]:
    """The numbers that were kept."""
    return [number async for word, number in answer_all(database) if word == "kept"]


async def tell_all(database: Database) -> None:
    async for word, number in answer_all(database):
        print(word, number, flush=True)


def play(file: str, most_bytes: str = "") -> None:
    """Where the fault hits before anything is open, nothing is kept, and words say so."""
    if most_bytes:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), resource.RLIM_INFINITY))
    try:
        database = open_database(f"sqlite:///{file}", thread_count=1)
    except CannotOpen as error:
        print("closed", error, flush=True)
        return
    asyncio.run(tell_all(database))


def play_apart(line: str) -> None:
    """In a child that says who it is, and begins when another line comes: strace takes hold of it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            print(os.getpid(), flush=True)
            os.read(0, 16)
            play(*line.split("\t"))
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    print("ended", os.waitstatus_to_exitcode(status), flush=True)


def main() -> None:
    """Sessions that share the price of loading the program."""
    while line := os.read(0, 4096).decode().strip():
        play_apart(line)


if __name__ == "__main__":
    main()
