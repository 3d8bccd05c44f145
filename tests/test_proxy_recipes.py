"""The recipes for proxies in the README name what the program has: its port, its limits, its settings."""

import re
from pathlib import Path

import pytest

from app.cli.connections import GuardedProtocol
from app.main import TEACHING_PATH_PARTS, body_rules_near
from app.settings import ENV_PREFIX, Settings
from app.web.items.typed_answers import LONGEST_ANSWER, TypedAnswer
from app.web.site.security import BODY_SETUP_SECONDS, SLOWEST_BODY_BYTES_A_SECOND

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
OPERATING = (ROOT / "docs/operating.md").read_text("utf-8")
OPEN_TO_OTHERS = README.partition("## 对外开放")[2].partition("### ")[0]
SET, CADDY, NGINX = re.findall(r"```\w*\n(.*?)```", OPEN_TO_OTHERS, re.DOTALL)
MEGABYTE = 10**6
LARGEST = max(max(body_rules_near(f"/{part}").values()).most_bytes for part in ("", *TEACHING_PATH_PARTS))


def number(pattern: str, recipe: str) -> int:
    [digits] = re.findall(pattern, recipe)
    return int(digits)


@pytest.mark.parametrize("recipe", [CADDY, NGINX])
def test_a_proxy_asks_where_the_site_is(recipe: str) -> None:
    from app.__main__ import serve

    host, port, *_ = serve.__defaults__ or ()
    assert f"{host}:{port}" in recipe


def test_what_may_be_sent_to_the_site_may_be_sent_to_the_proxy() -> None:
    assert number(r"client_max_body_size (\d+)m;", NGINX) * MEGABYTE >= LARGEST
    assert number(r"max_size (\d+)MB", CADDY) * MEGABYTE >= LARGEST


def test_a_proxy_waits_as_the_site_waits() -> None:
    assert number(r"client_header_timeout (\d+)s;", NGINX) == GuardedProtocol.most_head_seconds
    assert number(r"read_header (\d+)s", CADDY) == GuardedProtocol.most_head_seconds
    assert number(r"read_body (\d+)s", CADDY) >= BODY_SETUP_SECONDS + LARGEST / SLOWEST_BODY_BYTES_A_SECOND
    assert number(r"limit_conn each (\d+);", NGINX) == GuardedProtocol.most_connections_per_address


def test_a_proxy_sends_on_what_it_has_wholly_received() -> None:
    assert "proxy_request_buffering on;" in NGINX
    assert "buffer_requests" in CADDY


def test_nginx_passes_on_the_longest_words_that_an_address_carries() -> None:
    """Without a script they go through it when a hint is asked for; as it comes, nginx answers 502."""
    words = TypedAnswer("item", ("糖" * LONGEST_ANSWER,), is_refused=False)
    address_length = len(words.url_within("/lessons/concepts/which-is-better"))
    for recipe in (NGINX, OPERATING.partition("```nginx\n")[2].partition("```")[0]):
        for directive in ("large_client_header_buffers 4", "proxy_buffer_size", "proxy_buffers 8"):
            assert number(rf"{directive} (\d+)k;", recipe) * 1024 > address_length


def test_nginx_writes_the_address_of_the_client_anew() -> None:
    assert "X-Forwarded-For $remote_addr;" in NGINX
    assert "Host $host;" in NGINX


def test_each_setting_is_one() -> None:
    names = re.findall(rf"^{ENV_PREFIX}([A-Z_]+)=", SET, re.MULTILINE)
    assert names
    assert {name.lower() for name in names} <= set(Settings.model_fields)
