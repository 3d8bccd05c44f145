"""Programs that read files of strangers, each in a process of its own with little memory and little time.

A library that builds what a file claims to hold may take all memory or never come back. Here only the
process of that one file ends.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from app.course.text import limited_run
from app.course.text.limited_run import MOST_OUTPUT_BYTES

LONGEST_RUN_SECONDS = 20
"""On the clock, for the process waits its turn on a busy machine."""


class ProgramStopped(ValueError):
    """The program did not come to an end within its limits, or the system let it not begin."""


def json_output(program: Path, input_bytes: bytes) -> Any:
    """What a program answers, as JSON, that is given these bytes. Stopped as by `program_output`."""
    output = program_output(program, input_bytes)
    try:
        return json.loads(output)
    except (ValueError, RecursionError) as error:
        raise ProgramStopped(f"{program}: {error}") from error


def program_output(program: Path, input_bytes: bytes) -> bytes:
    """What a program prints that is given these bytes. Stopped where it fails, or takes too much.

    OSError where the disk has no room for what it prints: that is nothing that the bytes could help.
    """
    command_arguments = [sys.executable, "-I", limited_run.__file__, str(program)]
    try:
        with tempfile.TemporaryFile() as output_file:  # through a pipe, all would come into our own memory
            process = subprocess.run(  # noqa: S603  # our own program, by its path
                command_arguments,
                input=input_bytes,
                stdout=output_file,
                stderr=subprocess.DEVNULL,
                timeout=LONGEST_RUN_SECONDS,
                check=False,
            )
            output_file.seek(0)
            output = output_file.read(MOST_OUTPUT_BYTES + 1)
    except (subprocess.TimeoutExpired, OSError) as error:
        if getattr(error, "errno", None) in limited_run.NO_ROOM_ERRNOS:
            raise
        raise ProgramStopped(f"{program}: {error}") from error
    if process.returncode in limited_run.NO_ROOM_ERRNOS:
        raise OSError(process.returncode, os.strerror(process.returncode), tempfile.gettempdir())
    if process.returncode or len(output) > MOST_OUTPUT_BYTES:
        raise ProgramStopped(f"{program}: {process.returncode}")
    return output
