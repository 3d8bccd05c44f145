"""Looking at something again and again while a class works."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def watched(read: Callable[[], T], every: float) -> Iterator[list[T]]:
    """What `read` gives, every so many seconds in a thread of its own, until the work inside is over."""
    readings: list[T] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(every):
            readings.append(read())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield readings
    finally:
        over.set()
        thread.join()
