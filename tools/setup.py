"""Make `.venv` ready for one purpose: `run`, `dev` (tests and checks), `bench` or `mutants`.

Runs on the system's Python with the standard library only. A stamp inside `.venv` keeps the hash of the
lock that was installed, so a second call does nothing until that lock changes.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

# What each purpose installs at once; a bigger purpose contains the smaller ones.
LOCKS = {
    "run": ["requirements.lock"],
    "dev": ["requirements.lock", "requirements-dev.lock"],
    "bench": ["requirements.lock", "requirements-bench.lock"],
    "mutants": ["requirements.lock", "requirements-dev.lock", "requirements-mutants.lock"],
}


class Missing(Exception):
    """Something a person has to put right: what, in Chinese and in English."""

    def __init__(self, chinese: str, english: str) -> None:
        super().__init__(f"✗ {chinese}\n  {english}")


def main(purpose: str) -> int:
    """Set up for `purpose`; 0 when ready, 1 with one clear sentence when something is missing."""
    try:
        prepare(purpose)
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\n安装中断了，下次会接着装。", file=sys.stderr)
        return 130
    return 0


def prepare(purpose: str) -> None:
    """Create `.venv` if it does not work, and install the locks whose stamps are out of date."""
    if not starts() or (outdated(purpose) and not can_install()):
        create()
    if locks := outdated(purpose):
        install(locks)


def starts() -> bool:
    """Whether `.venv` has a Python that starts and is new enough."""
    return succeeds("-c", "import sys; sys.exit(sys.version_info < (3, 11))")


def can_install() -> bool:
    """Whether pip is whole: an interrupted first time leaves half of it behind."""
    return succeeds("-m", "pip", "--version")


def succeeds(*arguments: str) -> bool:
    """Whether the Python of `.venv` ends well with these arguments."""
    try:
        return subprocess.run([PYTHON, *arguments], capture_output=True).returncode == 0
    except OSError:
        return False


def outdated(purpose: str) -> list[str]:
    """The first lock of a purpose that is not what is installed, and the bigger ones, which rely on it."""
    locks = LOCKS[purpose]
    return next((locks[place:] for place, lock in enumerate(locks) if not is_installed(lock)), [])


def create() -> None:
    """A fresh `.venv`, in place of whatever half of one was there."""
    require_venv_modules()
    print("第一次运行：正在建立 .venv ……", flush=True)
    try:
        venv.create(VENV, with_pip=True, clear=True, symlinks=os.name != "nt")
    except OSError as error:
        raise unwritable(error) from error
    except subprocess.CalledProcessError as error:
        raise Missing(
            f"建立 .venv 没有成功（{error}）：磁盘满了，或者这份 Python 不完整。",
            "Creating .venv failed: the disk is full, or this Python is incomplete.",
        ) from error


def require_venv_modules() -> None:
    """Debian keeps `ensurepip` in a package of its own; without it `-m venv` fails with a riddle."""
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    raise Missing(
        f"{sys.executable} 缺少 venv 模块。Debian/Ubuntu 请先运行：apt install python3-venv（或 {package}）",
        f"{sys.executable} has no venv module. On Debian/Ubuntu run: apt install python3-venv (or {package})",
    )


def is_installed(lock: str) -> bool:
    """Whether the stamp says that exactly this lock was installed."""
    stamp = stamp_of(lock)
    return stamp.exists() and stamp.read_text() == digest(lock)


def install(locks: list[str]) -> None:
    """Install locks with pip, and stamp them only after pip succeeded."""
    # Most of what is installed is never imported: what is, is compiled then.
    options = ["--disable-pip-version-check", "--no-compile", "--require-hashes"]
    command: list[object] = [PYTHON, "-m", "pip", "install", *options]
    for lock in locks:
        command += ["-r", lock]
    output = run_pip(command, max(map(count_packages, locks)))
    if output is not None:
        print(output, file=sys.stderr)
        names = ", ".join(locks)
        raise Missing(
            f"依赖没有装好（{names}，上面是 pip 的原话）：多半是网络不通或磁盘满了；"
            "网络慢可以用 PIP_INDEX_URL 换一个镜像再试。",
            f"Installing {names} failed (pip's words are above): probably the network or a full disk; "
            "another mirror can be set with PIP_INDEX_URL.",
        )
    if "requirements.lock" in locks:
        forget_stamps()
    for lock in locks:
        write_stamp(lock)


def run_pip(command: list[object], total: int) -> str | None:
    """Run pip and show how far it is; None on success, the end of its output on failure."""
    lines: list[str] = []
    seen_packages = 0
    with subprocess.Popen(
        [str(part) for part in command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as pip:
        for line in pip.stdout or ():
            lines.append(line)
            if match := re.match(r"Collecting (\S+?)==|Installing collected", line):
                seen_packages += 1
                show_progress(seen_packages, total, match[1] or "安装")
    if sys.stdout.isatty():
        print()
    return "".join(lines[-15:]) if pip.returncode else None


def show_progress(count: int, total: int, name: str) -> None:
    """One line that renews itself; where that cannot be (a log file), one line at the start."""
    if sys.stdout.isatty():
        print(f"\r\033[K正在安装依赖 {min(count, total)}/{total} {name}", end="", flush=True)
    elif count == 1:
        print(f"正在安装 {total} 个依赖 ……", flush=True)


def forget_stamps() -> None:
    """A new `requirements.lock` may have changed what a bigger purpose relies on: let that one look again."""
    for stamp in VENV.glob("*.lock.sha256"):
        stamp.unlink()


def write_stamp(lock: str) -> None:
    """Remember the hash of the installed lock inside `.venv`, where it disappears together with it."""
    try:
        stamp_of(lock).write_text(digest(lock))
    except OSError as error:
        raise unwritable(error) from error


def unwritable(error: OSError) -> Missing:
    """The sentence for a folder that cannot be written (no permission, read-only, full)."""
    return Missing(
        f"不能写入 {VENV}（{error.strerror}）：请检查文件夹的权限和磁盘空间。",
        f"Cannot write {VENV} ({error.strerror}): please check its permissions and the disk space.",
    )


def count_packages(lock: str) -> int:
    """About how many packages a lock installs (those for other platforms are few)."""
    return len(re.findall(r"^[A-Za-z0-9]", (ROOT / lock).read_text(), flags=re.MULTILINE))


def digest(lock: str) -> str:
    """The hash of a lock file, in hexadecimal."""
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def stamp_of(lock: str) -> Path:
    """Where the stamp of a lock lies."""
    return VENV / f"{lock}.sha256"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))
