"""A process that answers on and on: `python answering.py <file> <name> <learners> <seconds>`.

It prints every answer once it is acknowledged.
"""

import asyncio
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from app.records import attempts
from app.records.database import Database, open_database
from app.records.values import Answer, Target, Who

LESSON = Target(source="lesson", ref="content:concepts", seed=1)


@dataclass
class Wrong:
    verdict: Literal["right", "wrong"] = "wrong"
    score: float = 0.0
    value: str | None = None
    misconception: str | None = None


class Course:
    def mark(self, _item: str, _seed: int, _raw: tuple[str, ...], _tries: int) -> Wrong:
        return Wrong()

    def version(self, item: str, _seed: int) -> tuple[str, str]:
        return f"{item}-1", "{}"


async def answer_on(database: Database, name: str, end: float) -> None:
    """One learner: five tries of an item, then the next item."""
    number, who = 0, Who(name, name)
    while time.monotonic() < end:
        answer = Answer(f"content:item-{number // 5}", number % 5 + 1, (name,))
        await database.write(attempts.respond, who, LESSON, answer, Course(), datetime.now(UTC))
        sys.stdout.write(f"{name} {answer.item} {answer.try_number}\n")
        sys.stdout.flush()
        number += 1


async def main(file: str, name: str, learners: str, seconds: str) -> None:
    database = open_database(f"sqlite:///{file}")
    end = time.monotonic() + float(seconds)
    names = [f"{name}-{number}" for number in range(int(learners))]
    await asyncio.gather(*[answer_on(database, each, end) for each in names])
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
