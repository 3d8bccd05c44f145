"""Write the lock files anew from pyproject.toml: universal, hashed, without addresses.

Versions already locked stay where they still fit; `--upgrade` takes the newest of everything.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILE_OPTIONS = [
    "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
    "--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header",
]  # fmt: skip


def options_with_extra(name: str) -> list[str]:
    """What the site needs, and one of its extras, in the versions of the site."""
    return ["pyproject.toml", "--extra", name, "--constraint", "requirements.lock"]


LOCKS = {
    "requirements.lock": ["pyproject.toml"],
    "requirements-dev.lock": ["pyproject.toml", "--group", "dev", "--constraint", "requirements.lock"],
    "requirements-postgres.lock": options_with_extra("postgres"),
    "requirements-metrics.lock": options_with_extra("metrics"),
    "requirements-bench.lock": options_with_extra("bench"),
    "requirements-mutants.lock": ["--group", "mutants", "--constraint", "requirements-dev.lock"],
    "requirements-oracle.lock": ["--group", "oracle"],  # Anki, in an environment of its own
}


def main() -> None:
    """Compile each lock; the later ones agree with the first."""
    with tempfile.TemporaryDirectory() as folder:
        uv = shutil.which("uv") or borrow_uv(Path(folder))
        for lock, options in LOCKS.items():
            command = [uv, *COMPILE_OPTIONS, *options, "--output-file", lock, *sys.argv[1:]]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            print(lock)


def borrow_uv(folder: Path) -> str:
    """uv in a throw-away environment: whoever only runs 糖序 never needs it."""
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(folder / "bin" / "uv")


if __name__ == "__main__":
    main()
