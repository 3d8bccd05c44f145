"""Anki in an environment of its own, as an oracle for the files that we export. Prints its Python.

Anki is AGPL: nothing of ours imports it, and it never stands in `.venv`. Made at the first call, while others
that want it wait; `TEST_ANKI` names the Python of an environment that is there already.
"""

import hashlib
import os
import sqlite3
import subprocess
import sys
import venv
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-oracle.lock"
VENV = ROOT / ".venv-anki"
BUILDER_FILE = ROOT / ".venv-anki.builder"
"""Held by whoever makes the environment."""
MOST_BUILDING_SECONDS = 900


def main() -> int:
    """0 when Anki is ready; 1 with one sentence when it cannot be had."""
    try:
        print(python())
    except (OSError, sqlite3.OperationalError, subprocess.CalledProcessError) as error:
        print(f"✗ 装不好 Anki（只用来核对导出的卡片包）：{error}\n  联网后再运行一次就好。", file=sys.stderr)
        return 1
    return 0


def python() -> Path:
    """The Python that has Anki."""
    if named := os.environ.get("TEST_ANKI"):
        return Path(named)
    interpreter = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp_file = VENV / "installed"
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    # SQLite locks a file on every system, and the lock ends with the process that has it.
    with closing(sqlite3.connect(BUILDER_FILE, MOST_BUILDING_SECONDS, isolation_level=None)) as builder:
        builder.execute("BEGIN EXCLUSIVE")
        if not stamp_file.exists() or stamp_file.read_text(encoding="utf-8") != digest:
            make_environment(interpreter)
            stamp_file.write_text(digest, encoding="utf-8")
    return interpreter


def make_environment(interpreter: Path) -> None:
    """With the pip of this Python: it needs none of its own, and it compiles only what it imports."""
    venv.create(VENV, clear=True, symlinks=os.name != "nt")
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter)]
    install = [*pip, "install", "--quiet", "--no-compile", "--require-hashes", "-r", str(LOCK)]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
