"""A database that is further away: what is sent to its socket arrives a little later."""

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

NAME = ".s.PGSQL.5432"
"""As PostgreSQL calls its socket."""
LARGEST = 65_536


class Distance:
    """Between a client and the socket in a folder, from `open` to `close`: each message waits `seconds`."""

    def __init__(self, near: Path, far: Path, seconds: float) -> None:
        self._server = near / NAME
        self._folder = far
        self._seconds = seconds
        self._listener = socket.socket(socket.AF_UNIX)

    def url(self, url: str) -> str:
        """The address of the same database, from further away."""
        return url.replace(str(self._server.parent), str(self._folder))

    def __enter__(self) -> Self:
        self._listener.bind(str(self._folder / NAME))
        self._listener.listen(128)
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                threading.Thread(
                    target=self._carry, args=(client, server, self._seconds), daemon=True
                ).start()
                threading.Thread(target=self._carry, args=(server, client, 0.0), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, seconds: float) -> None:
        with suppress(OSError):
            while message := source.recv(LARGEST):
                time.sleep(seconds)
                target.sendall(message)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
