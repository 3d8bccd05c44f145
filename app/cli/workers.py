"""Several processes at one port: uvicorn's own supervisor, greeting when all of them answer."""

import os
import socket
from contextlib import suppress

import typer
import uvicorn
from uvicorn.supervisors import Multiprocess

from app import settings as app_settings
from app.cli.serving import config
from app.settings import Settings

WORKERS_VARIABLE = app_settings.env_name("workers")
LONGEST_START = 60
"""Seconds in which a process has loaded the course, or is looked at again later."""


class Workers(Multiprocess):
    """A process that dies is made anew; SIGHUP renews all, one after the other; Ctrl-C ends all."""

    def __init__(self, configured: uvicorn.Config, listener: socket.socket, greeting: str) -> None:
        super().__init__(configured, sockets=[listener])
        self.greeting = greeting

    def init_processes(self) -> None:
        """Start them; greet when requests are answered."""
        super().init_processes()
        for process in self.processes:
            if not process.wait_until_ready(LONGEST_START, self.should_exit):
                return
        typer.echo(self.greeting)


def serve_together(settings: Settings, listener: socket.socket, greeting: str) -> None:
    """Serve with `settings.workers` processes until Ctrl-C. The database is ready, and nobody has it open."""
    os.environ[WORKERS_VARIABLE] = str(settings.workers)  # each of them keeps to its part of the limits
    listener.listen()
    configured = config("app.cli.serving:application", settings, factory=True, workers=settings.workers)
    with suppress(KeyboardInterrupt):
        Workers(configured, listener, greeting).run()
