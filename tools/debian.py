"""Debian's packages, for the tools that get what tests need: only for root on Debian or a relative of it."""

import os
import shutil
import subprocess
import sys


def may_use_apt() -> bool:
    """Whether this is Debian or a relative of it, and we are root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(*packages: str) -> None:
    """Install packages, and start none of their services."""
    say(f"正在用 apt 安装：{'、'.join(packages)}")
    run_installer("apt-get", "update")
    run_installer("apt-get", "install", "-y", "--no-install-recommends", *packages)


def run_installer(*command: str) -> None:
    """Run an installer with its output on stderr; whether it helped is seen by looking again."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    try:
        subprocess.run(command, env=environment, stdout=sys.stderr, check=False)
    except OSError as error:
        say(str(error))


def say(text: str) -> None:
    """Tell the person who waits; what is printed on stdout is for the program that called."""
    print(text, file=sys.stderr, flush=True)
