"""All threads of the site share one heap of the C library."""

import subprocess
import sys

import pytest

from app.settings import root

THREADS = 4
PROGRAM = """
import ctypes, threading
from app.web.operation.allocator import keep_little_free_memory
{first}
libc = ctypes.CDLL(None)
everybody_has_begun = threading.Barrier({threads})
def take_memory():
    taken = [bytes(2000) for _ in range(100)]
    everybody_has_begun.wait()
    taken.clear()
threads = [threading.Thread(target=take_memory) for _ in range({threads})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.malloc_stats()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the C library of Linux")


def heap_count(first: str) -> int:
    """Of a process whose threads take memory, all at once."""
    program = PROGRAM.format(first=first, threads=THREADS)
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, cwd=root(), capture_output=True, text=True, check=True)
    return printed.stderr.count("Arena ")


def test_threads_share_one_heap() -> None:
    assert heap_count("keep_little_free_memory()") == 1


def test_by_itself_each_thread_would_have_its_own() -> None:
    assert heap_count("") > 1
