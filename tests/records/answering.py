"""A process that answers on and on: `python answering.py <file> <name> <learners> <seconds>`.

It prints every answer once it is acknowledged.
"""

import asyncio
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from app.records.accounts.values import Caller
from app.records.db.database import Database, open_database
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey

LESSON = AttemptKey(source="lesson", ref="content:concepts", seed=1)


@dataclass
class Wrong:
    verdict: Literal["right", "wrong"] = "wrong"
    score: float = 0.0
    understood_answer: str | None = None
    misconception_code: str | None = None


class Course:
    def mark(self, _item: str, _seed: int, _raw: tuple[str, ...], _tries: int, _before: object) -> Wrong:
        return Wrong()

    def version_hash_and_body(self, item: str, _seed: int) -> tuple[str, str]:
        return f"{item}-1", "{}"


async def answer_on(database: Database, name: str, answers: int) -> None:
    """One learner: five tries of an item, then the next item."""
    learner = Caller(name, name)
    for number in range(answers):
        answer = Answer(f"content:item-{number // 5}", number % 5 + 1, (name,))
        await database.write(responding.respond, learner, LESSON, answer, Course(), datetime.now(UTC))
        sys.stdout.write(f"{name} {answer.item_ref} {answer.try_number}\n")
        sys.stdout.flush()


async def main(file: str, name: str, learners: str, answers: str) -> None:
    database = open_database(f"sqlite:///{file}")
    names = [f"{name}-{number}" for number in range(int(learners))]
    await asyncio.gather(*[answer_on(database, learner, int(answers)) for learner in names])
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
