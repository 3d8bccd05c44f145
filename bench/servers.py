"""Servers that are measured: started on a core of their own, ended whatever happens."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from bench.machine import on_core

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 120.0
"""Seconds within which a server must have said where it is; where others use the machine it takes many."""


@dataclass(frozen=True)
class Server:
    """A server that answers. `started` is the moment before its process began (time.perf_counter)."""

    pid: int
    url: str
    started: float


@contextmanager
def serving(
    arguments: list[str],
    data: Path,
    core: int | None = None,
    settings: Mapping[str, str] | None = None,
    project: Path = ROOT,
) -> Iterator[Server]:
    """Start `python -m …` in a data folder of its own, wait for the address it prints, end it at last.

    settings: more of the environment, by its names.
    """
    log = data / "server.log"
    started = time.perf_counter()
    with log.open("wb") as output, on_core(core):
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=project,
            env=environment(data) | dict(settings or {}),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C comes to us alone, and we end it
        )
    try:
        yield Server(process.pid, address_when_ready(process, log), started)
    finally:
        end_process(process)


def environment(data: Path) -> dict[str, str]:
    """Ours without the settings of a site, and the data folder."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("TANGXU_")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # as `make run` starts it
    return variables | {"TANGXU_DATA": str(data), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}


def ours(data: Path, core: int | None = None) -> AbstractContextManager[Server]:
    """糖序 itself, one worker."""
    return serving(["app", "serve", "--port", "0"], data, core)


def bare(data: Path, core: int | None = None) -> AbstractContextManager[Server]:
    """The limit."""
    return serving(["bench.bare", str(data)], data, core)


def address_when_ready(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """Where the server is, as soon as it says so: it greets when it answers."""
    end_of_patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end_of_patience and process.poll() is None:
        if match := re.search(r"http://[0-9.:]+", log.read_text("utf-8", "replace")):
            return match[0]
        time.sleep(0.002)
    raise RuntimeError(f"服务器没有起来，它说：\n{log.read_text('utf-8', 'replace')}")


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """Ask politely, then insist: a first process that is killed leaves its workers behind."""
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def first_answer(server: Server) -> float:
    """Seconds from the start of the process to its first 200."""
    with urlopen(f"{server.url}/healthz", timeout=PATIENCE_SECONDS) as response:
        response.read()
    return time.perf_counter() - server.started
