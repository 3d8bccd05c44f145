"""Who plays in these tests: a small course, a desk with a real SQLite file, and a clock that stands."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import update_wrapper
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from app.course.content.model import Section
from app.course.learning.steps import Say
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.db.database import Database, open_database
from app.records.db.session import VerbSession
from app.records.learning.values import Answer, AttemptKey
from tests.other_program import other_program

T = TypeVar("T")
P = ParamSpec("P")
Verb = Callable[Concatenate[VerbSession, P], T]

NOW = datetime(2026, 9, 1, 1, 0, tzinfo=UTC)
STAGE = "content:concepts"
EXAMPLE = "content:chengdu-food"
ITEM = "content:dcg-at-3"
TWIN = "content:dcg-at-3-twin"
LESSON = AttemptKey(source="lesson", ref=STAGE, seed=7)
PRACTICE = AttemptKey(source="practice", ref=EXAMPLE, seed=9)
XIAOTANG, XIAOXU = Caller(proposed_token="proposal-of-xiaotang"), Caller(proposed_token="proposal-of-xiaoxu")


class UnreadableError(Exception):
    """Stands for what the course raises when it cannot read an answer."""


@dataclass(frozen=True)
class Mark:
    verdict: Literal["right", "wrong"]
    score: float
    understood_answer: str | None
    misconception_code: str | None


def section_of(name: str, steps: Iterable[str] = tuple("abcdef")) -> Section:
    """A section with these steps; `was` of a step stands behind a slash: `b/old`."""
    written = []
    for step in steps:
        step_id, _, former_id = step.partition("/")
        was = [former_id] if former_id else []
        written.append(Say(id=step_id, was=was, kind="say", text="糖"))
    return Section.model_construct(id=name, title=name, minutes=5, steps=written)


WHY, HOW, GAIN = section_of("why"), section_of("how"), section_of("gain")


class SmallCourse:
    """Knows one figure: 4.26. 4.76 is the exponential gain, 4.2 left steps to the tutor; no letters."""

    def __init__(self, body: str = '{"stem": "DCG@3"}', sections: Iterable[Section] = ()) -> None:
        self.body = body
        self.sections = {section.id: section for section in sections}

    def section_of(self, _stage: str, section: str) -> Section | None:
        return self.sections.get(section)

    def mark(self, _item: str, _seed: int, raw: tuple[str, ...], _tries: int, _before: object) -> Mark:
        try:
            number = float(raw[0])
        except ValueError as error:
            raise UnreadableError(raw[0]) from error
        if number == 4.26:
            return Mark("right", 1.0, "4.26", None)
        if number == 4.2:
            return Mark("right", 4 / 6, "4.2", None)
        return Mark("wrong", 0.0, raw[0], "exponential_gain" if number == 4.76 else None)

    def version_hash_and_body(self, item: str, _seed: int) -> tuple[str, str]:
        return f"{item}:{self.body}", self.body


COURSE = SmallCourse()


def newcomer(login: str, token: str, password_hash: str = "hash") -> tuple[Credentials, Browser]:
    """What a new account, or somebody who signs in, brings along."""
    return Credentials(login, password_hash), Browser("here", token)


def answer(text: str, try_number: int = 1, item: str = ITEM) -> Answer:
    return Answer(item, try_number, (text,), 12)


class UndoneError(Exception):
    """Stands for the reason why a verb is begun anew."""


@contextmanager
def undone(session: VerbSession) -> Iterator[None]:
    """What happens inside has not happened."""
    with suppress(UndoneError), session.savepoint():
        yield
        raise UndoneError


def begun_anew(verb: Verb[P, T]) -> Verb[P, T]:
    """The verb done, undone and done again, as where another one was quicker; what the last time says counts.

    It keeps its marks. An error of the first time stands: there is nothing to undo.
    """

    def twice(session: VerbSession, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with undone(session):
            verb(session, *args, **kwargs)
        return verb(session, *args, **kwargs)

    update_wrapper(twice, verb)
    return twice


class Desk:
    """A database with a loop of its own, so that a test may stay a plain function."""

    def __init__(self, file: Path, url: str = "", **options: Any) -> None:
        self.file, self.url, self.data = file, url or f"sqlite:///{file}", file.parent
        self.verb_runs = 1
        self.is_summed = True  # a test that writes into the tables by itself says no
        self._loop = asyncio.new_event_loop()
        self.database: Database = open_database(self.url, **options)

    def write(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self.verb_runs > 1:
            verb = begun_anew(verb)
        return self.wait(self.database.write(verb, *args, **kwargs))

    def read(self, verb: Verb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self.wait(self.database.read(verb, *args, **kwargs))

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(work, 30))

    def write_together(self, *verbs: Callable[[VerbSession], Any]) -> list[Any]:
        """All in one batch: the writer is held until every one of them waits. Errors come as values."""

        async def together() -> list[Any]:
            with self.held_writer():
                work = [asyncio.ensure_future(self.database.write(verb)) for verb in verbs]
                await asyncio.sleep(0)
            return await asyncio.gather(*work, return_exceptions=True)

        return self.wait(together())

    @contextmanager
    def held_writer(self) -> Iterator[None]:
        """Inside a coroutine: the writer is busy in a transaction of its own until this block ends."""
        begun, may_end = threading.Event(), threading.Event()

        def slow(_: VerbSession) -> None:
            begun.set()
            may_end.wait(20)

        holding = self._loop.create_task(self.database.write(slow))
        holding.add_done_callback(lambda task: task.exception())
        self._loop.call_soon(begun.wait, 20)
        try:
            yield
        finally:
            may_end.set()

    def other_program(self) -> AbstractContextManager[Any]:
        """A connection beside ours, for SQL."""
        return other_program(self.url)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What is in the database, as another program sees it; times as text."""
        with self.other_program() as connection:
            rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
            return rows

    def count(self, name: str) -> int:
        number: int = self.rows(f"SELECT count(*) FROM {name}")[0][0]
        return number

    def close(self) -> None:
        self.wait(self.database.close())
        self._loop.close()
