"""Where a process of `app.course.text.sandbox` begins: its limits are set, then its program is run.

Limits need the module `resource`, which Windows does not have, and a system that keeps them: where it does
not, nothing but the time on the clock is limited. Little is imported, so that it starts quickly.
"""

import errno
import os
import runpy
import sys
from contextlib import suppress

MOST_MEMORY_MEGABYTES = 512
"""Address space of the process; Python and a library take some 50."""
MOST_CPU_SECONDS = 5
MOST_OUTPUT_BYTES = 32 * 2**20
"""Bytes that a program may print."""
NO_ROOM_ERRNOS = {errno.ENOSPC, errno.EDQUOT}
"""A disk that is full, or a share of it."""


def limit_this_process() -> None:
    """Memory, time and output of this process, where the system can; and no file of its memory at its end."""
    if sys.platform == "win32":
        return
    import resource

    address_space_bytes = MOST_MEMORY_MEGABYTES * 2**20
    for limited_resource, soft_limit, hard_limit in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_AS, address_space_bytes, address_space_bytes),
        (resource.RLIMIT_FSIZE, MOST_OUTPUT_BYTES, MOST_OUTPUT_BYTES),
        (resource.RLIMIT_CPU, MOST_CPU_SECONDS, MOST_CPU_SECONDS + 1),
    ):
        with suppress(ValueError, OSError):  # the operator's own limit is lower, or the system knows none
            resource.setrlimit(limited_resource, (soft_limit, hard_limit))


if __name__ == "__main__":
    limit_this_process()
    try:
        runpy.run_path(sys.argv[1], run_name="__main__")
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in NO_ROOM_ERRNOS:
            raise
        os._exit(error.errno)  # the end of Python would try the same once more, and forget why it failed
