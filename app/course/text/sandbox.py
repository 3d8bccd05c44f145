"""Programs that read files of strangers, each in a process of its own with little memory and little time.

A library that builds what a file claims to hold may take all memory or never come back. Here only the
process of that one file ends. Limits need the module `resource`, which Windows does not have: there nothing
but the time on the clock is limited.
"""

import runpy
import subprocess
import sys
from pathlib import Path

MOST_MEGABYTES = 512
"""Address space of the process; Python and a library take some 50."""
MOST_CPU_SECONDS = 5
MOST_SECONDS = 20
"""On the clock, for the process waits its turn on a busy machine."""


class Stopped(ValueError):
    """The program did not come to an end within its limits."""


def run(program: Path, data: bytes) -> bytes:
    """What a program prints that is given these bytes. Stopped where it fails, or takes too much."""
    command = [sys.executable, "-I", __file__, str(program)]
    try:
        process = subprocess.run(  # noqa: S603  # our own program, by its path
            command, input=data, capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Stopped(str(program)) from error
    if process.returncode:
        raise Stopped(f"{program}: {process.returncode}")
    return process.stdout


def limit() -> None:
    """Memory and time of this process, where the system can; and no file of its memory when it is ended."""
    if sys.platform == "win32":
        return
    import resource

    size = MOST_MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS + 1))


if __name__ == "__main__":
    limit()
    runpy.run_path(sys.argv[1], run_name="__main__")
