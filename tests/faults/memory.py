"""What a process holds after very many requests, all different: caches fill, and then nothing grows."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.machine import memory_mb
from bench.servers import ours
from tests.faults.load import posts
from tests.faults.odd_requests import draw, send
from tests.faults.visitors import Visitor

EVERY = 5000
"""Requests between two looks at the process."""
WARM = 0.3
"""Share of the requests after which the caches are full."""
MOST_GROWTH = 10.0
"""Megabytes from then on."""
PAGES = (
    "/practice/{exercise}?level={level}&seed={number}",
    "/practice/{exercise}?level={level}&seed={number}&item=practice-{exercise}-{level}&typed={number}",
    "/practice/{exercise}/print?level={level}&n=1&seed={number}",
    "/games/monster?level={level}&seed={number}",
    "/games/duel?seed={number}",
    "/bands?grades={level},{number}&k={level}",
    "/cards/all?q={number}",
    "/glossary?{number}",
    "/gone/{number}",
)
EXERCISES = ("dcg", "ndcg", "cg", "idcg")


class Held(NamedTuple):
    """After so many requests, so many megabytes."""

    requests: int
    megabytes: float


def held(seed: int, count: int, data: Path) -> Iterator[Held]:
    """One visitor after the other asks for what nobody has asked for before; every tenth one posts."""
    data.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    answers = posts(chance)
    with ours(data) as server, closing(Visitor(server.url)) as visitor:
        for number in range(1, count + 1):
            if number % 100 == 0:
                visitor.cookies.clear()
            if number % 10 == 0:
                send(draw(chance), visitor)
            elif number % 10 == 5:
                answer = next(answers)
                visitor.cookies["tangxu"] = answer.token
                visitor.submit(answer.path, dict(answer.fields))
            else:
                visitor.open(new_page(chance))
            if number % EVERY == 0 or number == count:
                yield Held(number, memory_mb(server.pid))


def new_page(chance: random.Random) -> str:
    """An address that is asked for the first time."""
    return chance.choice(PAGES).format(
        exercise=chance.choice(EXERCISES), level=chance.randint(1, 3), number=chance.randrange(10**9)
    )


def growth(readings: list[Held]) -> float:
    """Megabytes from the moment when the caches were full to the end.

    >>> growth([Held(1000, 100.0), Held(3000, 150.0), Held(6000, 152.0), Held(10000, 151.5)])
    1.5
    """
    last = readings[-1]
    warm = [reading for reading in readings if reading.requests >= WARM * last.requests]
    return last.megabytes - warm[0].megabytes
