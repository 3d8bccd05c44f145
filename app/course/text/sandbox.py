"""Programs that read files of strangers, each in a process of its own with little memory and little time.

A library that builds what a file claims to hold may take all memory or never come back. Here only the
process of that one file ends. Limits need the module `resource`, which Windows does not have, and a system
that keeps them: where it does not, nothing but the time on the clock is limited.
"""

import json
import runpy
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_MEGABYTES = 512
"""Address space of the process; Python and a library take some 50."""
MOST_CPU_SECONDS = 5
MOST_SECONDS = 20
"""On the clock, for the process waits its turn on a busy machine."""
LARGEST_ANSWER = 32 * 2**20
"""Bytes that a program may print."""


class Stopped(ValueError):
    """The program did not come to an end within its limits, or the system let it not begin."""


def answer(program: Path, data: bytes) -> Any:
    """What a program answers, as JSON, that is given these bytes. Stopped as by `run`."""
    return json.loads(run(program, data))


def run(program: Path, data: bytes) -> bytes:
    """What a program prints that is given these bytes. Stopped where it fails, or takes too much."""
    command = [sys.executable, "-I", __file__, str(program)]
    try:
        with tempfile.TemporaryFile() as printed:  # through a pipe, all would come into our own memory
            process = subprocess.run(  # noqa: S603  # our own program, by its path
                command,
                input=data,
                stdout=printed,
                stderr=subprocess.DEVNULL,
                timeout=MOST_SECONDS,
                check=False,
            )
            printed.seek(0)
            output = printed.read(LARGEST_ANSWER + 1)
    except (subprocess.TimeoutExpired, OSError) as error:
        raise Stopped(f"{program}: {error}") from error
    if process.returncode or len(output) > LARGEST_ANSWER:
        raise Stopped(f"{program}: {process.returncode}")
    return output


def limit() -> None:
    """Memory, time and output of this process, where the system can; and no file of its memory at its end."""
    if sys.platform == "win32":
        return
    import resource

    size = MOST_MEGABYTES * 2**20
    for kind, most, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_AS, size, size),
        (resource.RLIMIT_FSIZE, LARGEST_ANSWER, LARGEST_ANSWER),
        (resource.RLIMIT_CPU, MOST_CPU_SECONDS, MOST_CPU_SECONDS + 1),
    ):
        with suppress(ValueError, OSError):  # the operator's own limit is lower, or the system knows none
            resource.setrlimit(kind, (most, hard))


if __name__ == "__main__":
    limit()
    runpy.run_path(sys.argv[1], run_name="__main__")
