"""The commands, as an operator meets them: what they print, how they end."""

import asyncio
import errno
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from typer.testing import CliRunner, Result
from uvicorn.config import STARTUP_FAILURE

from app.__main__ import commands
from app.cli import addresses, serving, words
from app.records.db.errors import DiskFull
from app.settings import ENV_PREFIX, Settings, root
from tests.course.small import small_content
from tests.courses_folder import courses_folder, lend_courses

CONTENT = root() / "content"
WRONG_COURSE = "title: 3\nstages: []\nwrong: 1\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test works in an empty folder, without settings from outside."""
    for name in [name for name in os.environ if name.upper().startswith(ENV_PREFIX)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments)


@contextmanager
def started(
    *arguments: str, stdout: int = subprocess.PIPE, course_is_read: bool = True, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """`python -m app …` as a process of its own, ended at the end whatever happens.

    course_is_read: whether it finds the course as it was read before, as at any start but the first.
    """
    if course_is_read:
        lend_courses(Path("data"), courses_folder())
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        env=os.environ | {"PYTHONPATH": str(CONTENT.parent), "PYTHONUNBUFFERED": "1"} | environment,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def port_of(process: subprocess.Popen[str]) -> int:
    """Wait for the printed address."""
    output = []
    for line in process.stdout or ():
        output.append(line)
        if "http://127.0.0.1:" in line:
            return int(line.rsplit(":", 1)[1])
    raise AssertionError("".join(output))


def status(port: int, path: str = "/healthz", **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def body(port: int, path: str, **headers: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def wrong_content(place: Path) -> Path:
    folder = small_content(place / "wrong")
    (folder / "course.yaml").write_text(WRONG_COURSE, encoding="utf-8")
    return folder


# serve


def test_serve_answers_and_ctrl_c_ends_it_well(place: Path) -> None:
    """Also while somebody's request is not there to its end."""
    waiting = socket.socket()
    content = str(small_content(place / "content"))
    with (
        started("serve", "--port", "0", course_is_read=False, TANGXU_CONTENT=content) as process,
        waiting,
    ):
        port = port_of(process)
        assert status(port) == 200
        waiting.connect(("127.0.0.1", port))
        waiting.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=8)
    assert process.returncode == 0
    assert "下次见" in output
    assert "Traceback" not in output
    assert (place / "data" / "tangxu.db").exists()


def children(process: subprocess.Popen[str]) -> set[int]:
    """The processes that it has started and that serve."""
    listed = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "spawn_main"], capture_output=True)
    return set(map(int, listed.stdout.split()))


@pytest.mark.long
def test_of_two_workers_one_dies_and_comes_back(place: Path) -> None:
    token = "t0ken-of-the-tests"
    with started("serve", "--port", "0", "--workers", "2", TANGXU_METRICS_TOKEN=token) as process:
        port = port_of(process)
        before = children(process)
        assert len(before) == 2
        [victim, witness] = before
        os.kill(victim, signal.SIGKILL)
        while victim in children(process) or len(children(process)) < 2:
            assert process.poll() is None
        assert witness in children(process)
        assert [status(port) for _ in range(20)] == [200] * 20
        counted = body(port, "/metrics", Authorization=f"Bearer {token}")
        assert 'tangxu_requests_total{method="GET",route="/healthz",status="2xx"} 20.0' in counted
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "下次见" in output
    assert "Traceback" not in output
    assert not (place / "data" / "tangxu.db-wal").exists()


HOPELESS = """
from app.cli import addresses, workers
from app.settings import Settings

workers.APPLICATION_PATH = "tests.test_cli:no_site"
with addresses.bound_listener("127.0.0.1", 0) as listener:
    workers.serve_together(Settings(workers=2), listener, "open")
"""


def no_site() -> None:
    """What a process finds in place of the site."""
    sys.exit(STARTUP_FAILURE)


@pytest.mark.long
def test_workers_that_cannot_start_say_so_and_the_command_fails(place: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(CONTENT.parent)}
    ended = subprocess.run(
        [sys.executable, "-c", HOPELESS], env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    assert ended.returncode == STARTUP_FAILURE
    assert "没有起来" in ended.stderr
    assert "open" not in ended.stdout


KILLED_ONCE = HOPELESS.replace("no_site", "killed_once")


def killed_once() -> PlainTextResponse:
    """The first process to be started is killed, as where memory is short; those after it serve."""
    with suppress(FileExistsError):
        Path("killed").touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return PlainTextResponse("served")


@pytest.mark.long
def test_a_worker_that_is_killed_before_it_answers_is_followed_by_one_and_then_it_is_said(
    tmp_path: Path,
) -> None:
    environment = os.environ | {"PYTHONPATH": str(CONTENT.parent)}
    command = [sys.executable, "-u", "-c", KILLED_ONCE]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        greeting = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, output = process.communicate(timeout=60)
    assert (tmp_path / "killed").exists()
    assert (greeting, process.returncode) == ("open\n", 0)
    assert "没有起来" in output


NEVER_UP = HOPELESS.replace("no_site", "never_up")


def never_up() -> None:
    """A process that loads for ever, and ends when it is told to."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Path(f"loading-{os.getpid()}").touch()
    while True:
        signal.pause()


NEVER_OPEN = HOPELESS.replace("no_site", "never_open")


def never_open() -> Starlette:
    """A site that waits for its database, which does not come."""

    @asynccontextmanager
    async def wait(_site: Starlette) -> AsyncIterator[None]:
        await asyncio.sleep(3600)
        yield

    Path(f"loading-{os.getpid()}").touch()
    return Starlette(lifespan=wait)


@pytest.mark.long
@pytest.mark.parametrize("program", [NEVER_UP, NEVER_OPEN])
def test_workers_that_are_still_loading_can_be_stopped(tmp_path: Path, program: str) -> None:
    """As a service manager stops a site: only the first process is told.

    Both of its workers load by then: what one is told before that, uvicorn notes for when it has loaded.
    """
    environment = os.environ | {"PYTHONPATH": str(CONTENT.parent)}
    command = [sys.executable, "-u", "-c", program]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while len([*tmp_path.glob("loading-*")]) < 2:
            assert process.poll() is None
        process.terminate()
        printed, errors = process.communicate(timeout=300)
    assert (printed, process.returncode) == ("", 0)
    assert "没有起来" not in errors


def test_the_first_invitation_is_printed_to_a_terminal_and_to_nothing_else(place: Path) -> None:
    """To a file or a service it says how to get one, and makes none; to a terminal it is printed once.

    Each start after the first finds the records of the one before.
    """
    with started("serve", "--port", "0") as process:
        assert process.stdout
        output = until_open(process, process.stdout)
    assert "python -m app teacher invite" in output
    assert "/invitations/" not in output
    for printed in (True, False):
        controller, terminal = os.openpty()
        with (
            os.fdopen(controller, encoding="utf-8") as screen,
            started("serve", "--port", "0", stdout=terminal) as process,
        ):
            os.close(terminal)
            output = until_open(process, screen)
        assert ("/invitations/" in output) == printed
    assert not list(place.glob("data/*.log"))


def until_open(process: subprocess.Popen[str], lines: IO[str]) -> str:
    """What a start says until it says how to stop; then it answers, and is stopped."""
    output = ""
    while "Ctrl-C" not in output:
        output += lines.readline()
    addresses_said = re.findall(r"http://127\.0\.0\.1:(\d+)", output)
    assert status(int(addresses_said[-1])) == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    return output


def test_a_start_says_what_is_not_set() -> None:
    assert serving.settings_warnings(Settings()) == [serving.NO_PUBLIC_NAME_WARNING]
    assert serving.settings_warnings(Settings(https=True)) == [
        serving.NO_PUBLIC_NAME_WARNING,
        serving.NO_TRUSTED_PROXIES_WARNING,
    ]
    named = Settings(public_name="tangxu.example.cn", https=True, trusted_proxies="127.0.0.1")
    assert serving.settings_warnings(named) == []
    with addresses.bound_listener("127.0.0.1", 0) as listener:
        assert serving.NO_PUBLIC_NAME_WARNING in serving.greeting_for(Settings(), listener)


def test_serve_tells_a_taken_port_and_what_to_do(place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = run("serve", "--port", str(port))
    assert result.exit_code == 1
    assert f"端口 {port} 已经被占用" in result.stderr
    assert f"PORT={port + 1} make run" in result.stderr
    assert not (place / "data").exists()


def test_of_two_programs_that_start_together_one_has_the_port() -> None:
    """It is taken from the first moment, not from the first answer: the other one touches nothing."""
    with addresses.bound_listener("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(words.PlainError, match=f"端口 {port} 已经被占用"):
            addresses.bound_listener("127.0.0.1", port)


def test_serve_refuses_wrong_content_and_says_all_of_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_CONTENT", str(wrong_content(place)))
    result = run("serve", "--port", "0")
    assert result.exit_code == 1
    assert "course.yaml" in result.stderr
    assert not (place / "data").exists()


def test_serve_refuses_an_address_that_is_not_ours() -> None:
    result = run("serve", "--host", "192.0.2.77", "--port", "0")
    assert result.exit_code == 1
    assert "这台机器没有 192.0.2.77 这个地址" in result.stderr


def test_serve_refuses_a_folder_that_cannot_be(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "file").touch()
    monkeypatch.setenv("TANGXU_DATA", str(place / "file" / "data"))
    monkeypatch.setenv("TANGXU_CONTENT", str(small_content(place / "content")))
    result = run("serve", "--port", "0")
    assert result.exit_code == 1
    assert "不是文件夹" in result.stderr


def test_serve_does_not_open_on_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    lend_courses(Path("data"), courses_folder())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 100, 0))
    result = run("serve", "--port", "0")
    assert result.exit_code == 1
    assert result.stderr == "✗ 磁盘满了，写不进 data；以前保存的都还在，请腾出空间再来。\n"


@pytest.mark.long
def test_reload_answers_and_ends_well(place: Path) -> None:
    with started("serve", "--port", "0", "--reload") as process:
        port = port_of(process)
        assert eventually(port) == 200
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=15)
    assert process.returncode == 0
    assert "下次见" in output


def eventually(port: int) -> int:
    """With --reload the socket is open before the site is: the answer comes when the site does."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return status(port)
        except OSError:
            time.sleep(0.1)
    raise AssertionError("no answer")


# addresses


def test_loopback_prints_one_address() -> None:
    assert addresses.site_urls(Settings(), "127.0.0.1", 8001) == ["http://127.0.0.1:8001"]


def test_everywhere_prints_this_machine_and_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "network_addresses", lambda: ["192.168.1.5"])
    assert addresses.site_urls(Settings(), "0.0.0.0", 8000) == [
        "http://127.0.0.1:8000",
        "http://192.168.1.5:8000",
    ]


def test_network_addresses_are_real_and_not_loopback() -> None:
    for own in addresses.network_addresses():
        assert not own.startswith("127.")
        socket.inet_aton(own)


def test_a_public_name_is_the_only_address() -> None:
    assert addresses.site_urls(Settings(public_name="tangxu.example.cn"), "0.0.0.0", 8000) == [
        "http://tangxu.example.cn"
    ]


# check, settings, schema


def test_check_is_content_with_the_content() -> None:
    result = run("check")
    assert result.exit_code == 0, result.stderr
    assert "内容没有问题" in result.stdout


def test_check_lists_faults_and_exits_1(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_CONTENT", str(wrong_content(place)))
    result = run("check")
    assert result.exit_code == 1
    assert "处问题" in result.stderr
    assert "course.yaml" in result.stderr


def test_check_says_that_a_folder_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_CONTENT", "nowhere")
    result = run("check")
    assert result.exit_code == 1
    assert "nowhere" in result.stderr


def test_settings_lists_every_one() -> None:
    result = run("settings")
    assert result.exit_code == 0
    assert "TANGXU_TIME_ZONE=Asia/Shanghai" in result.stdout
    assert all(ENV_PREFIX + field.upper() in result.stdout for field in Settings.model_fields)


@pytest.mark.parametrize("command", ["serve", "check", "settings", "backup", "rebuild", "reports"])
def test_a_misspelt_setting_stops_every_command(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_CONTNET", "x")
    result = run(command)
    assert result.exit_code == 1
    assert result.stderr == "✗ 没有 TANGXU_CONTNET 这个设置，是不是想写 TANGXU_CONTENT？\n"


def test_schema_is_json() -> None:
    assert "lesson.yaml" in json.loads(run("schema").stdout)


def test_a_terminal_without_chinese_is_no_reason_to_crash() -> None:
    with started("settings", PYTHONIOENCODING="ascii") as process:
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "TANGXU_DATA=data" in output


def test_help_stays_quick() -> None:
    """It names the commands and imports nothing heavy."""
    code = "import sys, app.__main__; print({'fastapi', 'numpy', 'sqlalchemy'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], cwd=CONTENT.parent, capture_output=True, text=True)
    assert printed.stdout == "set()\n", printed.stderr


HEAVY = (
    *("numpy", "alembic", "sqlalchemy.dialects.postgresql", "psycopg"),
    *("PIL", "segno", "xlsxwriter", "python_calamine", "genanki", "fsrs"),
    *("argon2", "pygments", "rich", "websockets", "prometheus_client"),
    *("app.teaching_pages", "app.web.grading", "app.web.insight", "app.course.questions"),
)
"""For batches, migrations, the other database; pictures, codes, tables, decks; passwords; figures;
teachers."""


def test_the_site_starts_without_what_its_first_page_does_not_need() -> None:
    """Each of them costs a start time and memory; who needs one imports it in the function that does."""
    program = f"""
import sys, app.__main__, app.main, app.cli.serving, app.cli.upkeep, app.records.db.migrate
print(sorted(set({HEAVY}) & set(sys.modules)))
"""
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, cwd=CONTENT.parent, capture_output=True, text=True)
    assert printed.stdout == "[]\n", printed.stderr


def test_the_site_starts_before_models_of_the_course_are_built() -> None:
    """Whether the command or one of several processes loads it."""
    program = """
import app.cli.serving, app.main
from app.course.authoring.snapshots import ITEM_ADAPTER
from app.course.content.model import ADAPTER_BY_FILE, Lesson
print(Lesson.__pydantic_complete__)
print([adapter.pydantic_complete for adapter in (ITEM_ADAPTER, *ADAPTER_BY_FILE.values())].count(True))
"""
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, cwd=CONTENT.parent, capture_output=True, text=True)
    assert printed.stdout == "False\n0\n", printed.stderr


# backup, reports


def test_back_to_a_backup_with_words_for_every_step(place: Path) -> None:
    """What is made while the site serves is a whole database."""
    with started("serve", "--port", "0") as process:
        port_of(process)
        backup = run("backup", "copy.db")
        assert backup.exit_code == 0, backup.stderr
        assert "已备份到 copy.db" in backup.stdout
        with closing(sqlite3.connect(place / "copy.db")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert copy.execute("SELECT count(*) FROM learner").fetchone() == (0,)
        refused = run("restore", "copy.db")
        assert refused.exit_code == 1
        assert "正开着：先停下网站" in refused.stderr
        process.kill()
        process.wait()
    assert "copy.db 是完好的" in run("backup", "--check", "copy.db").stdout
    restored = run("restore", "copy.db")
    assert restored.exit_code == 0, restored.stderr
    assert "✓ 已经恢复到" in restored.stdout
    assert "学习者 0" in restored.stdout
    [former] = (place / "data").glob("tangxu-before-restore-*.db")
    assert former.name in restored.stdout
    [noted] = (place / "data" / "security.log").read_text("utf-8").splitlines()
    assert noted.partition(" ")[2] == f"restored backup=copy.db former={former.name} by=operator"
    with started("serve", "--port", "0") as process:
        assert status(port_of(process)) == 200


def test_pictures_go_with_a_backup_and_come_back_with_it(place: Path) -> None:
    from app.records.authoring import picture_files
    from app.records.db.migrate import migrate

    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    name = f"{'a' * 32}-64x48"
    with sqlite3.connect(database) as connection:
        moment = "2026-11-01 00:00:00"
        connection.execute("INSERT INTO learner (id, time_zone, created_at) VALUES (1, '', ?)", (moment,))
        connection.execute("INSERT INTO picture VALUES (1, 1, ?, 6, ?)", (name, moment))
    connection.close()
    picture_files.keep_picture(picture_files.picture_folder_in(place / "data"), name, b"points")
    assert "新的1张图在" in run("backup").stdout
    [copy] = (place / "data" / "backups").glob("*.db")
    assert "老师传的图1张" in run("doctor").stdout
    gone_picture = picture_files.picture_path(picture_files.picture_folder_in(place / "data"), "gone")
    gone_picture.parent.mkdir()
    gone_picture.symlink_to(place / "nowhere")
    assert "老师传的图1张" in run("doctor").stdout, "one that goes meanwhile"
    picture_files.remove_pictures(picture_files.picture_folder_in(place / "data"), [name])
    missing = run("doctor")
    assert missing.exit_code == 1
    assert "少了1张图" in missing.stdout
    assert "找回了1张图" in run("restore", str(copy)).stdout
    assert "老师传的图1张" in run("doctor").stdout


def test_after_a_restore_the_pictures_wait_a_week_for_the_way_back(place: Path) -> None:
    """The backup names none of them; the database that was put aside does."""
    from app.records.authoring import picture_files
    from app.records.db.migrate import migrate

    migrate(f"sqlite:///{place / 'data' / 'tangxu.db'}", place / "data")
    run("backup", "copy.db")
    folder = picture_files.picture_folder_in(place / "data")
    name = f"{'a' * 32}-64x48"
    picture_files.keep_picture(folder, name, b"points")
    os.utime(picture_files.picture_path(folder, name), (0, 0))
    week_ago = datetime.now(UTC) - picture_files.KEPT_UNUSED_FOR
    assert picture_files.picture_names_sent_before(folder, week_ago) == {name}
    assert "只有它用到的图再留7天" in run("restore", "copy.db").stdout
    assert picture_files.picture_names_sent_before(folder, week_ago) == set()


def test_pictures_that_cannot_be_copied_hide_no_restore(place: Path) -> None:
    from app.records.authoring import picture_files
    from app.records.db.migrate import migrate

    migrate(f"sqlite:///{place / 'data' / 'tangxu.db'}", place / "data")
    run("backup", "copy.db")
    picture_files.keep_picture(picture_files.picture_folder_in(place), f"{'a' * 32}-64x48", b"points")
    (place / "data" / "pictures").touch()
    result = run("restore", "copy.db")
    assert result.exit_code == 1
    assert "✓ 已经恢复到" in result.stdout
    assert "原来的数据库没有删" in result.stdout
    assert result.stderr.startswith("✗ 记录已经恢复好，图没有抄全："), result.stderr
    assert " restored backup=copy.db " in (place / "data" / "security.log").read_text("utf-8")


def test_a_backup_that_is_none_is_refused_in_words(place: Path) -> None:
    (place / "copy.db").write_text("糖" * 9999)
    for command in (["backup", "--check", "copy.db"], ["restore", "copy.db"], ["restore", "nowhere.db"]):
        result = run(*command)
        assert result.exit_code == 1
        assert result.stderr.startswith("✗ ")
        assert "Traceback" not in result.stderr
        assert "用备份恢复" not in result.stderr, "that is what was tried"
    assert not (place / "data" / "tangxu.db").exists()
    assert not (place / "data" / "security.log").exists(), "nothing was restored"


@pytest.mark.parametrize("command", [["backup", "--check", "backups"], ["restore", "backups"]])
def test_a_folder_is_called_a_folder_and_no_missing_file(place: Path, command: list[str]) -> None:
    (place / "backups").mkdir(exist_ok=True)
    result = run(*command)
    assert result.exit_code == 1
    assert "backups是一个文件夹，这里要写文件名。" in result.stderr


def test_a_damaged_database_is_not_served_unless_that_is_wished(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.records.db.migrate import migrate

    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    with sqlite3.connect(database) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'response'").fetchone()
    connection.close()
    with database.open("rb+") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))
    lend_courses(Path("data"), courses_folder())
    result = run("serve", "--port", "0")
    assert result.exit_code == 1
    assert "坏了" in result.stderr
    assert "python -m app restore" in result.stderr
    with started("serve", "--port", "0", TANGXU_CHECK_AT_START="false") as process:
        assert status(port_of(process)) == 200


@pytest.mark.parametrize("command", ["backup", "rebuild", "reports"])
def test_a_look_makes_no_database(place: Path, command: str) -> None:
    result = run(command)
    assert result.exit_code == 1
    assert "还没有数据库" in result.stderr
    assert list(place.iterdir()) == []


def test_reports_shows_what_learners_wrote(place: Path) -> None:
    from app.records.db.migrate import migrate

    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    assert run("reports").stdout == "还没有人报告问题。\n"
    with sqlite3.connect(database) as connection:
        connection.execute(
            "INSERT INTO problem_report (item, text, page, created_at) VALUES (?, ?, ?, ?)",
            (
                "content:dcg",
                "图\n看不清\x1b]0;改名\x07",
                "/lessons/definitions",
                "2026-11-20 16:30:00.000000",
            ),
        )
    connection.close()
    assert (
        run("reports").stdout == "#1 2026-11-21 00:30 content:dcg（/lessons/definitions）图 看不清�]0;改名�\n"
    )


def test_rebuild_makes_the_sums_again(place: Path) -> None:
    from app.records.db.migrate import migrate

    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    at = "2026-11-20 16:30:00.000000"
    with sqlite3.connect(database) as connection:
        connection.execute(f"INSERT INTO learner (created_at, time_zone) VALUES ('{at}', 'Asia/Shanghai')")
        connection.execute(
            f"INSERT INTO reveal (learner_id, ref, round, position, created_at) VALUES (1, 'a', 1, 1, '{at}')"
        )
    connection.close()
    assert "汇总也重算好了，1个人的和原来不一样" in run("rebuild").stdout
    assert "汇总也重算好了，0个人的和原来不一样" in run("rebuild").stdout


def test_rebuild_saves_each_deck_before_it_takes_the_next(place: Path) -> None:
    """Whoever learns meanwhile waits for one deck, not for those of everybody."""
    from app.records.db.migrate import migrate

    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    at = "2026-11-20 16:30:00.000000"
    with closing(sqlite3.connect(database)) as connection:
        for learner_id in (1, 2):
            connection.execute(f"INSERT INTO learner (created_at, time_zone) VALUES ('{at}', 'UTC')")
            connection.execute(
                "INSERT INTO card_memory"
                " (learner_id, card, family, added_at, status, state, due_at, reps, lapses, streak)"
                f" VALUES ({learner_id}, 'content:gain', 'gain', '{at}', 'active', 'review', '{at}', 1, 0, 1)"
            )
        connection.execute(
            "CREATE TRIGGER second_deck BEFORE UPDATE ON card_memory WHEN new.learner_id = 2"
            " BEGIN SELECT RAISE(ABORT, 'stop'); END"
        )
        connection.commit()
    assert run("rebuild").exit_code == 1
    with closing(sqlite3.connect(database)) as connection:
        states = connection.execute("SELECT state FROM card_memory ORDER BY learner_id").fetchall()
    assert states == [("new",), ("review",)]


# accounts


def rename(database: Path, login: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE account SET login = ?", (login,))
        connection.commit()


def test_a_forgotten_password_is_set_anew_for_anybody(place: Path) -> None:
    from app.records.db.migrate import migrate

    assert "还没有数据库" in run("account", "list").stderr
    database = place / "data" / "tangxu.db"
    migrate(f"sqlite:///{database}", database.parent)
    assert run("account", "list").stdout == "还没有账号。\n"
    with sqlite3.connect(database) as connection:
        at = "2026-11-20 16:30:00.000000"
        connection.execute("INSERT INTO learner (id, created_at, time_zone) VALUES (1, ?, 'UTC')", (at,))
        connection.execute(
            "INSERT INTO account (learner_id, login, login_key, password_hash, teacher, created_at)"
            " VALUES (1, '小甲', '小甲', 'x', 0, ?)",
            (at,),
        )
    connection.close()
    assert run("account", "list").stdout == "小甲（2026-11-21起，在0个班）\n"
    rename(database, "小甲\x1b]0;x\x07")
    assert run("account", "list").stdout == "小甲�]0;x�（2026-11-21起，在0个班）\n", "also a name from before"
    rename(database, "小甲")
    assert "✓ 小甲的新密码：" in run("account", "reset", "小甲").stdout
    run("account", "disable", "小甲")
    assert "已停用" in run("account", "list").stdout
    run("account", "enable", "小甲")
    assert "已停用" not in run("account", "list").stdout
    assert "没有叫“小乙”的账号" in run("account", "reset", "小乙").stderr
    noted = (place / "data" / "security.log").read_text("utf-8").splitlines()
    assert [line.partition(" ")[2] for line in noted] == [
        "password-reset name=小甲 by=operator",
        "account-disabled name=小甲 by=operator",
        "account-enabled name=小甲 by=operator",
    ]


# words


@pytest.mark.parametrize(
    ("error", "words_of_it"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "data/x"), "磁盘满了，写不进 data/x"),
        (OSError(errno.EROFS, "Read-only file system", "data"), "只读"),
        (PermissionError(errno.EACCES, "Permission denied", "data"), "没有权限读写 data"),
        (sqlite3.OperationalError("database or disk is full"), "disk is full"),
    ],
)
def test_what_an_operator_can_put_right_is_one_sentence(error: Exception, words_of_it: str) -> None:
    explanation = words.operator_sentence(error)
    assert explanation is not None
    assert words_of_it in explanation


def test_the_cause_of_an_error_counts() -> None:
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = OSError(errno.ENOSPC, "No space left on device", "data")
    assert words.operator_sentence(wrapped) == words.operator_sentence(wrapped.__cause__)


def test_a_fault_of_the_program_keeps_its_traceback() -> None:
    with pytest.raises(KeyError), words.plain_errors():
        raise KeyError("k")


@pytest.mark.parametrize(
    ("is_saving", "sentence"),
    [
        (True, "✗ 服务器的磁盘满了，这一次没有保存；以前保存的都还在。"),
        (False, "✗ 服务器的磁盘满了；以前保存的都还在。"),
    ],
)
def test_a_command_that_saves_nothing_does_not_say_that_nothing_was_saved(
    is_saving: bool, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit), words.plain_errors(is_saving=is_saving):
        raise DiskFull
    assert capsys.readouterr().err.strip() == sentence
