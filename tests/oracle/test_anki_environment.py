"""Anki's own environment is made once, also where two test workers want it at the same moment."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tools import anki


def test_who_comes_while_another_one_makes_the_environment_finds_it_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment, requirements = tmp_path / ".venv-anki", tmp_path / "requirements.lock"
    requirements.write_text("no-such-package==0", encoding="utf-8")
    monkeypatch.delenv("TEST_ANKI", raising=False)
    monkeypatch.setattr(anki, "VENV", environment)
    monkeypatch.setattr(anki, "LOCK", requirements)
    monkeypatch.setattr(anki, "BUILDER_FILE", tmp_path / "builder")
    monkeypatch.setattr(anki, "MOST_BUILDING_SECONDS", 0)
    with closing(sqlite3.connect(tmp_path / "builder", isolation_level=None)) as builder:
        builder.execute("BEGIN EXCLUSIVE")
        assert anki.main() == 1
        assert "database is locked" in capsys.readouterr().err
        assert not environment.exists(), "nobody builds beside it"
        environment.mkdir()
        digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
        (environment / "installed").write_text(digest, encoding="utf-8")
    assert anki.main() == 0
    assert str(environment) in capsys.readouterr().out
