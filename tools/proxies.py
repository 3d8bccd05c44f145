"""Find nginx, Caddy and PgBouncer, which stand before the site or its database in some tests; or get them.

`proxies.py` installs what is missing (apt for root on Debian); `proxies.py --print` only looks.
Without them both fail and say how to get them: no test is ever skipped.
"""

import os
import shutil
import subprocess
import sys

NEEDED_PROGRAMS = ("nginx", "caddy", "openssl", "pgbouncer")
FURTHER_PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
HOW_TO_GET_IT = """\
✗ 代理和连接池要用真的nginx、Caddy和PgBouncer来测：这台机器上没有{missing}，也没能装上。
    Debian/Ubuntu：sudo apt install nginx caddy openssl pgbouncer
    macOS：        brew install nginx caddy openssl pgbouncer
  They are tested with the real programs: install them. None has to run."""


def main() -> int:
    """Say what is missing on stderr; 1 where something is."""
    if missing() and "--print" not in sys.argv:
        install()
    if missing():
        print(HOW_TO_GET_IT.format(missing="、".join(missing())), file=sys.stderr)
        return 1
    return 0


def place_of(program: str) -> str | None:
    """Where a program is; Debian keeps nginx where only root looks."""
    return shutil.which(program, path=f"{os.environ.get('PATH', os.defpath)}:{FURTHER_PLACES}")


def missing() -> list[str]:
    """The programs that are not there."""
    return [program for program in NEEDED_PROGRAMS if place_of(program) is None]


def install() -> None:
    """Install Debian's, for root, and start none of them."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("正在用 apt 安装：nginx、caddy、pgbouncer", file=sys.stderr, flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *NEEDED_PROGRAMS]):
        try:
            subprocess.run(["apt-get", *command], env=environment, stdout=sys.stderr, check=False)
        except OSError as error:
            print(error, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
