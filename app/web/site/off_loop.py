"""Work on what strangers sent, off the event loop: on it, one long text would keep everybody waiting.

Few threads, for they share the processor with those who only read; and a short queue, for whoever stands at
its end has gone away before it is their turn.
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from app.records.db.errors import Busy

P = ParamSpec("P")
T = TypeVar("T")
THREAD_COUNT = 2
MOST_WAITING_JOBS = 24
SWITCH_SECONDS = 0.0005
"""After so long a thread lets others go on. A page changes threads some ten times; with Python's 5 ms, and
two threads that read long files, it took half a second."""


def share_processor() -> None:
    """Let no thread of this process keep the others waiting."""
    sys.setswitchinterval(SWITCH_SECONDS)


class OffLoop:
    """Threads that do one piece of work after the other. Busy when too many wait already."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREAD_COUNT, "off-loop")
        self._waiting_job_count = 0

    async def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the work returns or raises."""
        if self._waiting_job_count >= MOST_WAITING_JOBS:
            raise Busy("现在送来的东西太多了，等几秒再来一次。")
        self._waiting_job_count += 1
        try:
            future = self._threads.submit(job, *args, **kwargs)
            return await asyncio.wrap_future(future)
        finally:
            self._waiting_job_count -= 1
