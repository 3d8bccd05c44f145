"""What an operator who knows no Python is told: by an upgrade, and by the Python of the system."""

import ast
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command

from app.cli import moving
from app.cli.upgrading import upgrade_database
from app.records.db import revision
from app.records.db.postgres import move
from app.records.db.postgres.server_revision import connect
from app.records.db.revision import alembic_config
from app.records.db.sqlite.upgrade import engine_for_upgrade
from app.settings import Settings
from tests.postgres_server import PostgresServer
from tests.tables import each

ROOT = Path(__file__).resolve().parent.parent


def lines_of_upgrade(settings: Settings) -> list[str]:
    lines: list[str] = []
    upgrade_database(settings, lines.append)
    return lines


def test_an_upgrade_says_where_what_was_before_lies(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with engine_for_upgrade(settings.database_path).begin() as connection:
        command.upgrade(alembic_config(connection), "0020")
    before, after, way_back = lines_of_upgrade(settings)
    assert (
        before == f"正在把数据库从0020升级到{revision.HEAD}，先做一份备份……别关它；断了也不要紧，再启动一次。"
    )
    assert after == f"✓ 数据库升级到{revision.HEAD}了。"
    [backup_file] = (tmp_path / "backups").glob("*.db")
    assert str(backup_file) in way_back
    assert lines_of_upgrade(settings) == [], "nothing to tell the next time"


def test_an_upgrade_on_a_server_is_told_as_well(tmp_path: Path, server: PostgresServer) -> None:
    """The copy before it is the operator's matter there."""
    new_settings, settings = (Settings(data=tmp_path, database_url=server.without_tables()) for _ in range(2))
    assert lines_of_upgrade(new_settings) == [], "a new database is no upgrade"
    former_revision = f"{int(revision.HEAD) - 1:04}"
    with connect(settings.database_url) as connection:
        command.upgrade(alembic_config(connection), former_revision)
    assert lines_of_upgrade(settings) == [
        f"正在把数据库从{former_revision}升级到{revision.HEAD}……别关它；断了也不要紧，再启动一次。",
        f"✓ 数据库升级到{revision.HEAD}了。",
    ]


def test_a_new_database_is_no_upgrade(tmp_path: Path) -> None:
    assert lines_of_upgrade(Settings(data=tmp_path)) == []


@each(
    ("target", "words"),
    [
        ("postgresql://tangxu:geheim@/tangxu?host=/run/postgresql", "设成刚才的第二个地址，"),
        ("data/back.db", "设成sqlite:///data/back.db，"),
    ],
)
def test_a_move_names_no_address_that_leads_elsewhere(target: str, words: str) -> None:
    """The one of a server is shown without its password and its further options: it is not to be copied."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(move, "move", lambda *_: {"learner": 2})
        sentence = moving.move_records(Settings(), "data/tangxu.db", target, print)
    assert words in sentence
    assert "geheim" not in sentence


def test_a_python_without_the_packages_says_which_one_to_take() -> None:
    """`python3 -m app` where `.venv/bin/python -m app` was meant: a sentence, no traceback."""
    without_packages = [sys.executable, "-I", "-S", "-c", "import sys, runpy; sys.path.insert(0, '.')"]
    without_packages[-1] += "; runpy.run_module('app', run_name='__main__')"
    result = subprocess.run(
        without_packages, cwd=ROOT, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "utf-8"}
    )
    said = result.stderr.decode("utf-8", errors="replace")
    assert result.returncode == 1
    assert "Traceback" not in said
    assert ".venv" in said, said


ONE_AFTER_THE_OTHER = """
import json, sys
from app.__main__ import main

for arguments in json.loads(sys.argv[1]):
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit:
        print("ENDED", file=sys.stderr)
"""
"""Commands in one process, whose environment says how an operator types them; most of each is its imports."""


@pytest.mark.parametrize(
    ("environment", "typed", "start", "other_port"),
    [
        ({}, "python -m app", "make run", "PORT={} make run"),
        (
            {"OPERATOR_COMMAND": "sudo tangxu"},
            "sudo tangxu",
            "sudo systemctl start tangxu",
            "换成 {}：/etc/systemd/system/tangxu.service 里的 --port",
        ),
    ],
)
def test_messages_name_the_command_as_the_operator_types_it(
    tmp_path: Path, environment: dict[str, str], typed: str, start: str, other_port: str
) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"x" * 5000)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    commands = [
        ["backup", "--check", str(copy)],
        ["reports"],
        ["backup", "--chek"],
        ["serve", "--port", str(port)],
    ]
    result = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(commands)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"TANGXU_DATA": str(tmp_path), "PYTHONIOENCODING": "utf-8"} | environment,
    )
    listener.close()
    *errors, rest = result.stderr.split("ENDED\n")
    assert rest == ""
    damaged, absent, mistyped, taken = errors
    assert f"哪份完好：{typed} backup --check 备份文件" in damaged
    assert f"第一次 {start} 会建好它" in absent
    assert f"{typed} backup" in mistyped
    assert other_port.format(port + 1) in taken


def test_no_message_spells_the_command_out() -> None:
    modules_with_it = set()
    for path in (ROOT / "app").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
        if any("python -m app" in str(constant.value) for constant in constants):
            modules_with_it.add(path.name)
    assert modules_with_it == {"operator_commands.py"}
