"""The files in `deploy/` name what the program has: commands, settings, folders, and how long it stops."""

import os
import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import typer

from app.__main__ import commands
from app.cli import serving
from app.cli.connections import GuardedProtocol
from app.settings import Settings, env_name
from tools.lock import LOCKS

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
SETTINGS = {env_name(field) for field in Settings.model_fields}


def unit(path: Path) -> dict[str, list[str]]:
    """Every key of a unit with its values, in their order."""
    values: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values.setdefault(key, []).append(value)
    return values


def accepted(arguments: list[str]) -> dict[str, Any]:
    """What the program reads from these arguments of `python -m app`; an error where it would refuse them."""
    group: Any = typer.main.get_command(commands)
    name, *options = arguments
    parameters: dict[str, Any] = group.commands[name].make_context(name, options).params
    return parameters


def layers(instruction: str) -> list[str]:
    return re.findall(rf"^{instruction} (.+)$", CONTAINERFILE, re.MULTILINE)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_commands_that_exist(path: Path) -> None:
    values = unit(path)
    [folder] = values["WorkingDirectory"]
    for line in values["ExecStart"]:
        program, *arguments = shlex.split(line)
        assert program == f"{folder}/.venv/bin/python"
        assert arguments[:2] == ["-m", "app"]
        accepted(arguments[2:])
    environment = [word for line in values["Environment"] for word in shlex.split(line)]
    assert "OPERATOR_COMMAND=sudo tangxu" in environment, "messages name the command of the service"
    [data] = [word for word in environment if word.startswith("TANGXU_DATA=")]
    assert data == f"TANGXU_DATA=/var/lib/{values['StateDirectory'][0]}", "nothing else may be written to"
    assert set(re.findall(r"TANGXU_\w+", path.read_text("utf-8"))) <= SETTINGS


def test_a_unit_waits_until_what_has_begun_is_answered() -> None:
    values = unit(DEPLOY / "tangxu.service")
    answered_within = serving.uvicorn_config(None, Settings()).timeout_graceful_shutdown
    assert answered_within
    assert int(values["TimeoutStopSec"][0]) > answered_within + GuardedProtocol.stop_grace_seconds + 5
    assert values["KillMode"] == ["mixed"], "the first process ends the others, which have begun something"


@pytest.mark.parametrize(("name", "ending"), [("tangxu-backup", "db"), ("tangxu-dump", "dump")])
def test_old_backups_go_where_new_ones_are_made(name: str, ending: str) -> None:
    values = unit(DEPLOY / f"{name}.service")
    folder = f"/var/lib/{values['StateDirectory'][0]}/backups"
    commands_in_order = re.findall(
        r"^Exec\w+=(.+)$", (DEPLOY / f"{name}.service").read_text("utf-8"), re.MULTILINE
    )
    *_, making, deleting, examining = commands_in_order
    assert "backup" in making
    assert f"cd {folder} && ls -t tangxu-*.{ending} " in deleting
    assert examining.endswith("app doctor"), "a full disk is grave: the old ones go before it is told"
    assert "ExecStartPost" not in values, "it does not run when the doctor finds something grave"
    assert "OnCalendar=" in (DEPLOY / f"{name}.timer").read_text("utf-8")


@pytest.mark.parametrize(("name", "ending"), [("tangxu-backup", "db"), ("tangxu-dump", "dump")])
@pytest.mark.parametrize(("copies", "left"), [(29, 30), (40, 32)])
def test_the_newest_backups_stay_however_far_ahead_the_clock_is(
    tmp_path: Path, name: str, ending: str, copies: int, left: int
) -> None:
    """A new one, and others of many years ago. Two that are not so old stay beside the newest thirty."""
    now = time.time()
    ages_in_days: list[float] = [0, *[10_000 + day for day in range(copies)]]
    if copies > 30:
        ages_in_days[1:32] = [day / 2 for day in range(1, 32)]
    for number, days in enumerate(ages_in_days):
        backup_file = tmp_path / f"tangxu-{number}.{ending}"
        backup_file.touch()
        os.utime(backup_file, (now - days * 86400, now - days * 86400))
    other_file = tmp_path / "tangxu-before.txt"
    other_file.touch()
    os.utime(other_file, (0, 0))
    [deleting] = [line for line in unit(DEPLOY / f"{name}.service")["ExecStartPre"] if "-delete" in line]
    folder = "/var/lib/tangxu/backups"
    assert folder in deleting
    subprocess.run(shlex.split(deleting.replace(folder, str(tmp_path))), check=True)
    assert other_file.exists()
    remaining = sorted(tmp_path.glob(f"tangxu-*.{ending}"), key=lambda file: int(file.stem.split("-")[1]))
    assert [int(file.stem.split("-")[1]) for file in remaining] == list(range(left))


def test_a_dump_lies_where_the_doctor_looks_for_it() -> None:
    values = unit(DEPLOY / "tangxu-dump.service")
    [dumping] = [command for command in values["ExecStartPre"] if "pg_dump" in command]
    assert "cd /var/lib/tangxu/backups && pg_dump -Fc " in dumping
    assert dumping.endswith(".dump\"'")
    assert values["ExecStart"][0].endswith("app doctor")


def typed(folder: Path, settings_text: str, user: str) -> subprocess.CompletedProcess[str]:
    """`tangxu doctor` typed by this user; the folders lie in `folder`, a stub is the program."""
    script = (DEPLOY / "tangxu").read_text("utf-8")
    for path in ("/etc/tangxu.env", "/opt/tangxu"):
        script = script.replace(path, str(folder / Path(path).name))
    (folder / "tangxu.env").write_text(settings_text, "utf-8")
    for name, text in (
        ("tangxu/.venv/bin/python", "echo $@; pwd; env | grep -E ^TANGXU_\\|^OPERATOR_ | sort"),
        ("bin/id", f"case $1 in -un) echo {user};; *) echo 1000;; esac"),
    ):
        stub = folder / name
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        stub.chmod(0o755)
    return subprocess.run(
        ["sh", "-c", script, "tangxu", "doctor"],
        env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )


def test_a_typed_command_works_on_the_records_of_the_service(tmp_path: Path) -> None:
    url = "postgresql://tangxu:a$b@h/tangxu?host=a&host=b"
    result = typed(tmp_path, f'# 设置\nTANGXU_HTTPS="true"\nTANGXU_DATABASE_URL={url}\nOTHER=1\n', "tangxu")
    assert result.stdout.splitlines() == [
        "-m app doctor",
        str(tmp_path / "tangxu"),
        "OPERATOR_COMMAND=sudo tangxu",
        "TANGXU_DATA=/var/lib/tangxu",
        f"TANGXU_DATABASE_URL={url}",
        "TANGXU_HTTPS=true",
    ], result.stderr


def test_a_command_typed_without_rights_says_what_to_type(tmp_path: Path) -> None:
    result = typed(tmp_path, "", "wang")
    assert (result.returncode, result.stderr) == (1, "✗ 前面加上 sudo：sudo tangxu doctor\n")


def test_the_image_has_all_that_serves_and_starts_as_the_program_wants() -> None:
    copied = " ".join(layers("COPY")).split()
    assert {"app", "templates", "static", "content"} <= set(copied)
    let_in = re.findall(r"^!(.+)$", (DEPLOY / "containerignore").read_text("utf-8"), re.MULTILINE)
    assert set(let_in) == {"deploy/rootfs.tar"} | set(copied) - {"./"}
    locks = {name for name in copied if name.endswith(".lock")}
    assert locks == set(re.findall(r"-r (\S+)", CONTAINERFILE))
    assert locks <= set(LOCKS)
    [entry], [command] = layers("ENTRYPOINT"), layers("CMD")
    assert entry == '[".venv/bin/python", "-m", "app"]'
    parameters = accepted(re.findall(r'"([^"]*)"', command))
    assert parameters["host"] == "0.0.0.0"
    assert layers("EXPOSE") == [str(parameters["port"])]
    assert set(re.findall(r"TANGXU_\w+", CONTAINERFILE)) <= SETTINGS
    assert layers("USER") == ["10001"], "never as root"
    assert layers("FROM") == ["scratch"], "from no registry"


def test_the_guide_names_what_there_is() -> None:
    guide = (ROOT / "docs" / "operating.md").read_text("utf-8")
    assert set(re.findall(r"TANGXU_\w+", guide)) <= SETTINGS
    group: Any = typer.main.get_command(commands)
    assert set(re.findall(r"(?:python -m app|sudo tangxu) ([a-z]+)", guide)) <= set(group.commands)
    files = set(re.findall(r"deploy/[\w.-]+", guide))
    assert {f"deploy/{path.name}" for path in UNITS} | {"deploy/image.sh", "deploy/tangxu"} <= files
    assert [file for file in files if not (ROOT / file).exists()] == []
    locks = set(re.findall(r"requirements[\w-]*\.lock", guide))
    assert [lock for lock in locks if lock not in LOCKS] == []
    headings = {
        heading.lower().replace(" ", "-").replace("/", "")
        for heading in re.findall(r"^##+ (.+)$", guide, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", guide)) <= headings
