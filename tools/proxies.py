"""Find nginx, Caddy and PgBouncer, which stand before the site or its database in some tests; or get them.

`proxies.py` installs what is missing (apt for root on Debian); `proxies.py --print` only looks.
Without them both fail and say how to get them: no test is ever skipped.
"""

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.debian import apt_install, may_use_apt

NEEDED_PROGRAMS = ("nginx", "caddy", "openssl", "pgbouncer")
FURTHER_PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
HOW_TO_GET_IT = """\
✗ 代理和连接池要用真的nginx、Caddy和PgBouncer来测：这台机器上没有{missing}，也没能装上。
    Debian/Ubuntu：sudo apt install nginx caddy openssl pgbouncer
    macOS：        brew install nginx caddy openssl pgbouncer
  They are tested with the real programs: install them. None has to run."""


def main() -> int:
    """Say what is missing on stderr; 1 where something is."""
    if missing() and "--print" not in sys.argv and may_use_apt():
        apt_install(*NEEDED_PROGRAMS)
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


if __name__ == "__main__":
    sys.exit(main())
