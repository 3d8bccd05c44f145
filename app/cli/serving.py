"""Serving: one socket that is already ours, one address line when it really answers."""

import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
import uvicorn

from app import settings as app_settings
from app.cli.addresses import ANY_INTERFACE_HOSTS, site_urls
from app.cli.connections import GuardedProtocol
from app.cli.words import plain_errors
from app.settings import Settings
from app.web.operation import logs

if TYPE_CHECKING:
    from fastapi import FastAPI


NO_PUBLIC_NAME_WARNING = (
    "没有设 TANGXU_PUBLIC_NAME：别人用什么主机名来都接待，投影、邀请、分享的链接也照那个名字印。"
    "自己用、在教室里用没关系；对外开放前请设好。"
)
NO_TRUSTED_PROXIES_WARNING = (
    "没有设 TANGXU_TRUSTED_PROXIES：代理转来的人都算同一个地址，限次由大家共用。"
    "代理在本机就设成 127.0.0.1，见 README。"
)
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


def serve(web_app: "FastAPI", listener: socket.socket, greeting: str) -> None:
    """Serve until Ctrl-C; comes back when all requests under way are answered (at most 3 seconds)."""
    settings: Settings = web_app.state.site.settings
    server = Server(uvicorn_config(web_app, settings), greeting)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def serve_reloading(listener: socket.socket, greeting: str) -> None:
    """Serve developers: a changed module starts the process anew, changed content is read again."""
    from uvicorn.supervisors import ChangeReload

    os.environ[RELOAD_VARIABLE] = "true"
    reload_options = {"factory": True, "reload": True, "reload_dirs": [_app_folder()]}
    reload_config = uvicorn_config("app.cli.serving:application", app_settings.load(), **reload_options)
    typer.echo(greeting)
    with suppress(KeyboardInterrupt):
        ChangeReload(reload_config, target=uvicorn.Server(reload_config).run, sockets=[listener]).run()


def application() -> "FastAPI":
    """The site, from the settings of this process: what uvicorn starts in a process of its own."""
    from app.main import create_app

    with plain_errors(is_saving=False):
        settings = app_settings.load()
        GuardedProtocol.most_connections_per_address //= settings.workers
        return create_app(settings)


def uvicorn_config(app: Any, settings: Settings, **further_options: Any) -> uvicorn.Config:
    """uvicorn's settings: quick, quiet, no WebSockets, and at most three seconds to end.

    Only proxies that are named are believed when they say whom they speak for; where requests are observed,
    the site reads what they say, after it has seen who they are.
    """
    if settings.json_logs:
        further_options["log_config"] = logs.LOGGING_CONFIG
    return uvicorn.Config(
        app,
        http=GuardedProtocol,
        proxy_headers=bool(settings.trusted_proxies) and not settings.observes_requests,
        forwarded_allow_ips=settings.trusted_proxies,
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
        **further_options,
    )


def greeting_for(settings: Settings, listener: socket.socket, further_lines: Sequence[str] = ()) -> str:
    """Where to go, what else there is to say, and how to stop."""
    host, port = listener.getsockname()[:2]
    address_lines = [f"  {address}" for address in site_urls(settings, host, port)]
    if host in ANY_INTERFACE_HOSTS and len(address_lines) == 1 and not settings.public_name:
        address_lines.append("  （没有找到这台机器在局域网里的地址）")
    note_lines = (*further_lines, *settings_warnings(settings))
    return "\n".join(["🍬 糖序开张了，用浏览器打开：", *address_lines, *note_lines, "按 Ctrl-C 停下。"])


def settings_warnings(settings: Settings) -> list[str]:
    """What a site that is open to others should know of settings that are not set.

    >>> settings_warnings(Settings(public_name="tangxu.example.cn"))
    []
    """
    warning_sentences: list[str] = []
    if not settings.public_name:
        warning_sentences.append(NO_PUBLIC_NAME_WARNING)
    if settings.https and not settings.trusted_proxies:
        warning_sentences.append(NO_TRUSTED_PROXIES_WARNING)
    return warning_sentences


def first_teacher_lines_for(settings: Settings, listener: socket.socket) -> list[str]:
    """The invitation of a first teacher, on an empty database only, and only to a terminal."""
    from app.cli.accounts import first_teacher_lines

    host, port = listener.getsockname()[:2]
    return first_teacher_lines(settings, site_urls(settings, host, port), sys.stdout.isatty())


def _app_folder() -> str:
    return str(Path(__file__).resolve().parent.parent)
