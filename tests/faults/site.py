"""A site of two workers, to be killed as a whole or one by one."""

import os
import signal
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path

from bench.servers import Server, serving


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class TwoWorkers:
    """A site of two processes at one port; `open` again after `kill`."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data, self.settings, self.port = data, settings, free_port()
        self._opened = ExitStack()
        self.server: Server

    def open(self) -> None:
        arguments = ["app", "serve", "--port", str(self.port), "--workers", "2"]
        site = serving(arguments, self.data, settings=self.settings)
        self.server = self._opened.enter_context(site)

    def kill(self) -> None:
        """All processes at once."""
        os.killpg(self.server.pid, signal.SIGKILL)
        self.close()

    def close(self) -> None:
        self._opened.close()

    def workers(self) -> set[int]:
        listed = subprocess.run(
            ["pgrep", "-P", str(self.server.pid), "-f", "spawn_main"], capture_output=True
        )
        return set(map(int, listed.stdout.split()))

    def kill_worker(self) -> None:
        """One of two, as when memory runs out."""
        os.kill(min(self.workers()), signal.SIGKILL)
