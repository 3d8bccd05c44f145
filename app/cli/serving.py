"""Serving: one process, one socket that is already ours, one address line when it really answers."""

import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
import uvicorn

from app import settings as app_settings
from app.cli.addresses import EVERYWHERE, addresses
from app.cli.words import plain_words
from app.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI


RELOAD_VARIABLE = app_settings.env_name("reload")


class Server(uvicorn.Server):
    """uvicorn, saying in our words that the site is open."""

    def __init__(self, config: uvicorn.Config, greeting: str) -> None:
        super().__init__(config)
        self.greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Greet only when requests are answered, not when they are hoped for."""
        await super().startup(sockets)
        if self.started:
            typer.echo(self.greeting)


def serve(site: "FastAPI", listener: socket.socket, greeting: str) -> None:
    """Serve until Ctrl-C; comes back when all requests under way are answered (at most 3 seconds)."""
    server = Server(config(site), greeting)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def serve_reloading(listener: socket.socket, greeting: str) -> None:
    """The same for developers: a changed module starts the process anew, changed content is read again."""
    from uvicorn.supervisors import ChangeReload

    os.environ[RELOAD_VARIABLE] = "true"
    reloading = config("app.cli.serving:application", factory=True, reload=True, reload_dirs=[_package()])
    typer.echo(greeting)
    with suppress(KeyboardInterrupt):
        ChangeReload(reloading, target=uvicorn.Server(reloading).run, sockets=[listener]).run()


def application() -> "FastAPI":
    """The site, from the settings of this process: what uvicorn starts anew after a change."""
    from app.main import create_app

    with plain_words():
        return create_app(app_settings.load())


def config(app: Any, **more: Any) -> uvicorn.Config:
    """uvicorn's settings: quick, quiet, no WebSockets, and at most three seconds to end."""
    return uvicorn.Config(
        app,
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
        **more,
    )


def greeting_for(settings: Settings, listener: socket.socket, more: Sequence[str] = ()) -> str:
    """Where to go, what else there is to say, and how to stop."""
    host, port = listener.getsockname()[:2]
    lines = [f"  {address}" for address in addresses(settings, host, port)]
    if host in EVERYWHERE and len(lines) == 1 and not settings.public_name:
        lines.append("  （没有找到这台机器在局域网里的地址）")
    return "\n".join(["🍬 糖序开张了，用浏览器打开：", *lines, *more, "按 Ctrl-C 停下。"])


def welcome(settings: Settings, listener: socket.socket) -> list[str]:
    """The invitation of a first teacher, on an empty database only."""
    from app.cli.teachers import first_invitation

    host, port = listener.getsockname()[:2]
    return first_invitation(settings, addresses(settings, host, port))


def _package() -> str:
    return str(Path(__file__).resolve().parent.parent)
