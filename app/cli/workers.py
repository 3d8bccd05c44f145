"""Several processes at one port: uvicorn's own supervisor, greeting when all of them answer."""

import os
import socket
import sys
import time
from contextlib import suppress

import typer
import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from app import settings as app_settings
from app.cli.serving import uvicorn_config
from app.settings import Settings
from app.web.operation.metrics import begin_folder, forget_process

WORKERS_VARIABLE = app_settings.env_name("workers")
APPLICATION_PATH = "app.cli.serving:application"
LONGEST_START_SECONDS = 60
"""Seconds in which a process has loaded the course, or something is said."""
LONGEST_RENEWAL_SECONDS = 30
"""Seconds in which a process that shall take the place of an older one is ready, or the older one stays."""
LONG_START_WARNING = (
    f"等了{LONGEST_START_SECONDS}秒，还有进程没准备好：机器很忙，或者连不上数据库。接着等；按 Ctrl-C 停下。"
)
BROKEN_START_ERROR = "有一个进程没有起来就结束了，原因在上面。"


class Workers(Multiprocess):
    """A process that dies is made anew; SIGHUP renews all, one after the other; Ctrl-C ends all."""

    def __init__(self, uvicorn_config: uvicorn.Config, listener: socket.socket, greeting: str) -> None:
        super().__init__(uvicorn_config, sockets=[listener])
        self.greeting = greeting
        self.has_greeted = False
        self.has_failed = False

    def init_processes(self) -> None:
        """Start them; greet when requests are answered."""
        super().init_processes()
        self.greet()

    def greet(self) -> None:
        """Wait until all of them answer, and say where; nothing where one of them has died meanwhile."""
        if all(map(self.is_ready_after_waiting, self.processes)):
            typer.echo(self.greeting)
            self.has_greeted = True

    def is_ready_after_waiting(self, process: Process) -> bool:
        """Wait until a process answers. False where it has died, which is said, or where all shall end.

        Signals are only noted while we wait here: whoever stops a site that has not come up is not kept.
        """
        next_warning_at = time.monotonic() + LONGEST_START_SECONDS
        while not process.wait_until_ready(1, self.should_exit):
            if self.signal_queue or self.should_exit.is_set():
                return False
            if not process.process.is_alive():
                typer.echo(f"✗ {BROKEN_START_ERROR}", err=True)
                return False
            if time.monotonic() >= next_warning_at:
                typer.echo(f"! {LONG_START_WARNING}", err=True)
                next_warning_at += LONGEST_START_SECONDS
        return True

    def terminate_all(self) -> None:
        """Nobody waits at a port that nobody listens to any more; what has begun is answered.

        A process that still waits for its database has begun nothing, and would wait on for a minute.
        """
        for listener in self.sockets:
            listener.close()
        for process in self.processes:
            if process.ping(1) and not process.is_ready():
                process.process.kill()
        super().terminate_all()

    def keep_subprocess_alive(self) -> None:
        """Start another process for one that has died; what waited in it waits no more."""
        former_processes = list(self.processes)
        super().keep_subprocess_alive()
        self.has_failed = any(process.exitcode == STARTUP_FAILURE for process in former_processes)
        for process in former_processes:
            if process not in self.processes and process.pid:
                forget_process(process.pid)
        if not self.has_greeted and not self.should_exit.is_set():
            self.greet()


def serve_together(settings: Settings, listener: socket.socket, greeting: str) -> None:
    """Serve with `settings.workers` processes until Ctrl-C. The database is ready, and nobody has it open.

    SystemExit, as uvicorn's for one process, where a process cannot start.
    """
    os.environ[WORKERS_VARIABLE] = str(settings.workers)  # each of them keeps to its part of the limits
    if settings.metrics_token:
        begin_folder(settings.data)
    workers_config = uvicorn_config(
        APPLICATION_PATH,
        settings,
        factory=True,
        workers=settings.workers,
        timeout_worker_healthcheck=LONGEST_RENEWAL_SECONDS,
    )
    workers = Workers(workers_config, listener, greeting)
    with suppress(KeyboardInterrupt):
        workers.run()
    if workers.has_failed:
        sys.exit(STARTUP_FAILURE)
