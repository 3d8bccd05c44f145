"""The recipes of the guides with the real nginx and Caddy in front of two workers, one of which is killed."""

import http.client
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from email.message import Message
from pathlib import Path

import pytest

from app.course.authoring.pictures import MOST_UPLOAD_BYTES
from app.records.accounts.tokens import HTTPS_PREFIX
from tests.faults.ledger import Ledger, disagreements, stored
from tests.faults.load import PatientCrowd
from tests.faults.site import TwoWorkers, free_port

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parent.parent.parent
NAME = "tangxu.example.cn"
GUESTS = 16
ANSWERS = 3000
BEHIND_A_PROXY = {"TANGXU_HTTPS": "true", "TANGXU_TRUSTED_PROXIES": "127.0.0.1"}
FURTHER_PLACES = ":/usr/sbin:/usr/local/sbin"
Command = Callable[[str, Path, int], list[str]]
NGINX_AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {recipe}
}}
"""


def recipe_in(guide: str, heading: str, word: str) -> str:
    """The first block under a heading that has a word."""
    text = (ROOT / guide).read_text("utf-8").partition(heading)[2]
    blocks: list[str] = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    return next(block for block in blocks if word in block)


@pytest.fixture(scope="module")
def programs() -> None:
    """Both are there; the test ends with how to get them where they are not."""
    looked = subprocess.run([sys.executable, "tools/proxies.py", "--print"], cwd=ROOT, capture_output=True)
    assert looked.returncode == 0, looked.stderr.decode()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TwoWorkers]:
    opened = TwoWorkers(tmp_path, **BEHIND_A_PROXY)
    opened.open()
    yield opened
    opened.close()


def with_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of our own and its key."""
    certificate, key = folder / "tangxu.pem", folder / "tangxu.key"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    files = ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run(["openssl", "req", *options, *files], check=True, capture_output=True)
    return certificate, key


def nginx(recipe: str, folder: Path, port: int) -> list[str]:
    """The command that serves a recipe at this port."""
    certificate, key = with_certificate(folder)
    recipe = recipe.replace("443 ssl", f"127.0.0.1:{port} ssl").replace(
        "listen 80;", f"listen {free_port()};"
    )
    recipe = re.sub(r"ssl_certificate .*;", f"ssl_certificate {certificate};", recipe)
    recipe = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {key};", recipe)
    file = folder / "nginx.conf"
    file.write_text(NGINX_AROUND.format(folder=folder, recipe=recipe), "utf-8")
    return ["nginx", "-p", str(folder), "-c", str(file), "-e", str(folder / "error.log")]


def caddy(recipe: str, folder: Path, port: int) -> list[str]:
    """The command that serves a recipe at this port."""
    certificate, key = with_certificate(folder)
    recipe = re.sub(r"\A\s*{", "{\nadmin off\nauto_https off\n", recipe)
    recipe = recipe.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\ntls {certificate} {key}\n")
    file = folder / "Caddyfile"
    file.write_text(recipe, "utf-8")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


class EncryptedConnection(http.client.HTTPSConnection):
    """To this machine, under the name of the site; who signed for it is not asked."""

    def connect(self) -> None:
        opened = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.sock = context.wrap_socket(opened, server_hostname=NAME)


class CrowdBehindProxy(PatientCrowd):
    """Guests who come through a proxy."""

    cookie, token_prefix = "__Host-tangxu", HTTPS_PREFIX

    def connect(self) -> http.client.HTTPConnection:
        return EncryptedConnection(self.host, timeout=30)


@contextmanager
def proxied(site: TwoWorkers, tmp_path: Path, command: Command, recipe: str) -> Iterator[int]:
    """A proxy that answers, by a recipe, before a site: its port."""
    folder, port = tmp_path / "proxy", free_port()
    folder.mkdir()
    recipe = recipe.replace("127.0.0.1:8000", f"127.0.0.1:{site.port}")
    environment = {"PATH": f"/usr/bin:/bin{FURTHER_PLACES}", "HOME": str(folder)}
    arguments = command(recipe, folder, port)
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(arguments, stdout=log, stderr=log, env=environment, cwd=folder)
    try:
        while True:
            assert process.poll() is None, (folder / "proxy.log").read_text("utf-8")
            with (
                closing(EncryptedConnection(NAME, port, timeout=30)) as connection,
                suppress(OSError),
            ):
                connection.request("GET", "/livez")
                assert connection.getresponse().read() == b"ok"
                break
        yield port
    finally:
        process.terminate()
        process.wait(30)


README, OPERATING = ("README.md", "## 对外开放"), ("docs/operating.md", "## 几个进程前面的代理")


in_each_recipe = pytest.mark.parametrize(
    ("guide", "word", "command"),
    [(README, "proxy_pass", nginx), (README, "reverse_proxy", caddy), (OPERATING, "proxy_pass", nginx)],
)


@pytest.mark.usefixtures("programs")
@in_each_recipe
def test_while_the_site_starts_anew_a_page_says_so_and_asks_again(
    site: TwoWorkers, tmp_path: Path, guide: tuple[str, str], word: str, command: Command
) -> None:
    """Unless something was sent: to ask for its address by itself would lead nowhere."""
    with proxied(site, tmp_path, command, recipe_in(*guide, word)) as port:
        status, headers, _ = answer_to(port, "GET", "/no-such-page")
        assert (status, headers["Refresh"]) == (404, None)
        site.close()
        for method, refresh in (("GET", "5"), ("POST", None)):
            status, headers, page = answer_to(port, method, "/course")
            assert (status, headers["Retry-After"], headers["Refresh"]) == (503, "5", refresh)
            assert headers["Content-Type"] == "text/html; charset=utf-8"
            assert "<h1>马上回来</h1>" in page
            assert "退回上一页" in page


@pytest.mark.usefixtures("programs")
@in_each_recipe
def test_what_a_proxy_finds_too_large_is_told_in_our_words(
    site: TwoWorkers, tmp_path: Path, guide: tuple[str, str], word: str, command: Command
) -> None:
    """A photo of a telephone, where no script looked at its size."""
    with proxied(site, tmp_path, command, recipe_in(*guide, word)) as port:
        status, headers, page = answer_to(port, "POST", "/own/pictures", bytes(7 * 10**6))
    assert (status, headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert "<h1>太大了</h1>" in page
    assert f"照片最多{MOST_UPLOAD_BYTES // 2**20}MB" in page


def answer_to(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, Message, str]:
    """What a proxy answers: status, headers and text."""
    with closing(EncryptedConnection(NAME, port, timeout=30)) as connection:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("guide", "word", "command", "sends_again"),
    [
        (README, "proxy_pass", nginx, False),
        (README, "reverse_proxy", caddy, False),
        (OPERATING, "proxy_pass", nginx, True),
    ],
)
def test_no_answer_is_lost_behind_a_proxy_when_a_worker_dies(
    site: TwoWorkers, tmp_path: Path, guide: tuple[str, str], word: str, command: Command, sends_again: bool
) -> None:
    """Where the proxy sends the form again to the other worker, nobody notices anything."""
    ledger = Ledger()
    with proxied(site, tmp_path, command, recipe_in(*guide, word)) as port:
        crowd = CrowdBehindProxy(f"https://{NAME}:{port}", ledger)
        with crowd.guests([f"student {number}" for number in range(GUESTS)]):
            for share in (1, 2):
                assert ledger.wait_for(ANSWERS * share // 3)
                site.kill_worker()
            assert ledger.wait_for(ANSWERS)
    site.close()
    file = tmp_path / "tangxu.db"
    assert disagreements(ledger, file) == []
    assert set(stored(file)) == ledger.acknowledged
    if sends_again:
        assert ledger.turned_away == 0
