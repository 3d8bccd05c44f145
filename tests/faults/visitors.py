"""Visitors of a real server, as browsers behave: cookies, hidden fields, a teacher with an invitation."""

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from bench.servers import ROOT

PASSWORD = "越甜越靠前的糖"
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "tangxu-boundary"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    location: str
    text: str


@dataclass
class Visitor:
    """A browser of its own at the server of this address."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=120)

    def close(self) -> None:
        """Leave; whoever comes again later has the same cookies."""
        self._connection.close()

    def open(self, path: str) -> Reply:
        return self.send("GET", path)

    def submit(self, path: str, fields: Mapping[str, str]) -> Reply:
        return self.send("POST", path, urlencode(fields).encode(), FORM)

    def send(self, method: str, path: str, body: bytes = b"", media_type: str = "") -> Reply:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if media_type:
            headers["Content-Type"] = media_type
        try:
            self._connection.request(method, path, body or None, headers)
            response = self._connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Reply(response.status, response.headers.get("Location", ""), text)


def become_teacher(visitor: Visitor, data: Path) -> str:
    """Sign up with an invitation and make a class; its address."""
    path = invitation(data)
    page = visitor.open(path)
    fields = {"login": "王老师", "password": PASSWORD, "guest": proposed_token(page.text)}
    visitor.submit(f"{path}/accounts", fields)
    response = visitor.submit("/classrooms", {"name": "高一3班"})
    return response.location.removesuffix("/projector")


def invitation(data: Path) -> str:
    """The path of a fresh invitation, from the operator's command."""
    command = [sys.executable, "-m", "app", "teacher", "invite"]
    environment = os.environ | {"TANGXU_DATA": str(data), "PYTHONIOENCODING": "utf-8"}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    path: str = re.findall(r"/invitations/[\w-]+", ended.stdout)[0]
    return path


def proposed_token(page: str) -> str:
    """The token that the forms of a page propose for a newcomer; empty where there is none."""
    field = re.search(r'name="guest" value="([\w-]{43})"', page)
    if field is None:
        return ""
    return field[1]


def with_file(name: str, content: bytes) -> tuple[bytes, str]:
    """A body with one file in it, and its media type."""
    head = (
        f"--{BOUNDARY}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    return body, f"multipart/form-data; boundary={BOUNDARY}"
