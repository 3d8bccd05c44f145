"""Find the programs of a PostgreSQL server for the tests, or get them; print the folder they are in.

`postgres.py` installs them if there are none (apt for root on Debian); `postgres.py --print` only looks.
Without them both fail and say how to get them: no test is ever skipped.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.debian import apt_install, may_use_apt

NEEDED_PROGRAMS = ("initdb", "postgres")
OLDEST_VERSION = 13
USUAL_PLACES = [
    *("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin"),
    *("/usr/local/opt/postgresql*/bin", "/Applications/Postgres.app/Contents/Versions/*/bin"),
]
HOW_TO_GET_IT = """\
✗ 两种数据库都要测：这台机器上没有PostgreSQL（13或更新）的程序，也没能装上。任选一种：
    Debian/Ubuntu：sudo apt install postgresql
    macOS：        brew install postgresql
    已经装在别处： TEST_POSTGRES=/放着initdb和postgres的文件夹 make test
  The tests need PostgreSQL's programs (13 or newer): take one of the three ways. No server has to run."""


def main() -> int:
    """Print the folder on stdout; everything else that is said goes to stderr."""
    folder = find()
    if folder is None and "--print" not in sys.argv and may_use_apt():
        apt_install("postgresql")
        folder = find()
    if folder is None:
        print(HOW_TO_GET_IT, file=sys.stderr)
        return 1
    print(folder)
    return 0


def find() -> Path | None:
    """The first folder whose programs start."""
    return next((folder for folder in candidates() if works(folder)), None)


def candidates() -> Iterator[Path]:
    """Where they may be: named by TEST_POSTGRES, on PATH, in the usual places, the newest version first."""
    if named := os.environ.get("TEST_POSTGRES"):
        yield Path(named)
    if program := shutil.which("initdb"):
        yield Path(program).resolve().parent
    for place in USUAL_PLACES:
        yield from sorted(Path("/").glob(place.lstrip("/")), reverse=True)


def works(folder: Path) -> bool:
    """Whether both programs are there, and new enough: `postgres (PostgreSQL) 15.18 (Debian …)`."""
    try:
        versions = [major_version(folder / program) for program in NEEDED_PROGRAMS]
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return min(versions) >= OLDEST_VERSION


def major_version(program: Path) -> int:
    """The first number that a program says of itself."""
    process = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=True)
    return int(process.stdout.split(") ")[1].split(".")[0].split()[0])


if __name__ == "__main__":
    sys.exit(main())
