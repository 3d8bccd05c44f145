"""The site with a clock and dice that somebody else holds: `python tools/still.py serve --port 0`.

Runs `python -m app` with the same arguments in the folder where it is started, knowing nothing of the code
inside. The file named by `STILL_FILE` says what time it is and which numbers chance will bring: two runs that
are asked the same then answer the same. `tools/crawl` writes that file before every request.
"""

import ctypes
import gc
import hashlib
import mmap
import os
import random
import runpy
import secrets
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from types import ModuleType
from typing import Any

FILE_LAYOUT = struct.Struct("d32s")
"""The content of the file: seconds since 1970, and the seed of chance."""

RANDOM_FUNCTIONS = ("random", "uniform", "randint", "randrange", "choice", "choices", "sample", "shuffle")
"""What the module `random` offers without a `Random` of one's own."""


class TimeAndChance:
    """Time and chance as the file has them now."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), FILE_LAYOUT.size)
        self.lock = threading.Lock()
        self.seed = b""
        self.draws = Counter[str]()

    def seconds(self) -> float:
        moment: float = FILE_LAYOUT.unpack(self.memory[:])[0]
        return moment

    def bytes_of(self, purpose: str, count: int) -> bytes:
        """The next bytes for a purpose; another purpose in between does not change them."""
        with self.lock:
            seed = FILE_LAYOUT.unpack(self.memory[:])[1]
            if seed != self.seed:
                self.seed = seed
                self.draws.clear()
            self.draws[purpose] += 1
            key = seed + f"{purpose} {self.draws[purpose]}".encode()
        return hashlib.shake_256(key).digest(count)

    def chance(self, purpose: str) -> random.Random:
        return random.Random(self.bytes_of(purpose, 32))  # noqa: S311  # to be foreseen is what it is for


def hold_clock(source: TimeAndChance) -> None:
    """`time.time`, and the clock inside of `datetime` itself, so that every import of it sees the same."""

    def now(datetime_type: type[datetime], tz: tzinfo | None = None) -> datetime:
        return datetime_type.fromtimestamp(source.seconds(), tz)

    def utcnow(datetime_type: type[datetime]) -> datetime:
        return datetime_type.utcfromtimestamp(source.seconds())

    time.time = source.seconds
    time.time_ns = lambda: int(source.seconds() * 1e9)
    members: Any = gc.get_referents(datetime.__dict__)[0]
    members["now"] = classmethod(now)
    members["utcnow"] = classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))


def hold_chance(source: TimeAndChance) -> None:
    """`os.urandom`, `secrets` and the functions of `random`, each call drawing by its name and arguments."""

    def urandom(count: int) -> bytes:
        return source.bytes_of(f"urandom {count}", count)

    def replayed(name: str) -> Callable[..., Any]:
        def function(*args: Any, **options: Any) -> Any:
            return getattr(source.chance(f"random {name}"), name)(*args, **options)

        return function

    def token_bytes(count: int | None = None) -> bytes:
        return source.bytes_of(f"token {count}", count or secrets.DEFAULT_ENTROPY)

    def randbelow(limit: int) -> int:
        return source.chance(f"below {limit}").randrange(limit)

    def choice(values: Sequence[Any]) -> Any:
        return values[randbelow(len(values))]

    replace_functions(os, urandom=urandom)
    replace_functions(random, _urandom=urandom, **{name: replayed(name) for name in RANDOM_FUNCTIONS})
    replace_functions(secrets, token_bytes=token_bytes, randbelow=randbelow, choice=choice)


def replace_functions(module: ModuleType, **functions: Callable[..., Any]) -> None:
    for name, function in functions.items():
        setattr(module, name, function)


def main() -> None:
    """Hold still, then be `python -m app`."""
    source = TimeAndChance(Path(os.environ.pop("STILL_FILE")))
    hold_clock(source)
    hold_chance(source)
    sys.path[0] = str(Path.cwd())
    sys.argv = ["app", *sys.argv[1:]]
    runpy.run_module("app", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
