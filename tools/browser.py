"""Find a Chromium for the browser tests, or get one; print its path.

`browser.py` installs one if there is none (apt for root on Debian, else Playwright's own);
`browser.py --print` only looks. Without a browser both fail and say how to get one: no test is ever skipped.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.debian import apt_install, may_use_apt, run_installer, say

HEADLESS_SHELL = "chromium-headless-shell"
"""The same engine without a window: quicker, and it draws its frames also where the machine is busy."""
PROGRAM_NAMES = [
    HEADLESS_SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
]
USUAL_PLACES = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    "/snap/bin/chromium",
]
HOW_TO_GET_ONE = """\
✗ 浏览器测试需要 Chromium、Chrome 或 Edge，这台机器上没有找到，也没能装上。任选一种：
    Debian/Ubuntu：sudo apt install chromium fonts-noto-cjk
    任何系统：     .venv/bin/python -m playwright install chromium
    已经装在别处： TEST_CHROMIUM=/浏览器/的/路径 make test
  The browser tests need Chromium, Chrome or Edge, and none was found: take one of the three ways above."""


def main() -> int:
    """Print the browser's path on stdout; everything else that is said goes to stderr."""
    browser = find() if "--print" in sys.argv else find_or_install()
    if browser is None:
        print(HOW_TO_GET_ONE, file=sys.stderr)
        return 1
    print(browser)
    return 0


def find_or_install() -> str | None:
    """A browser, and for root on Debian Chinese letters for it: without them every page is a row of boxes."""
    if may_use_apt() and not has_chinese_font():
        apt_install("fonts-noto-cjk", "fonts-noto-color-emoji")
    return find() or install()


def find() -> str | None:
    """The first browser that really starts."""
    return next((path for path in candidates() if starts(path)), None)


def candidates() -> Iterator[str]:
    """Where a browser may be: the one named by TEST_CHROMIUM, on PATH, in the usual places, Playwright's."""
    if named := os.environ.get("TEST_CHROMIUM"):
        yield named
    yield from filter(None, map(shutil.which, PROGRAM_NAMES))
    yield from (place for place in USUAL_PLACES if Path(place).exists())
    if playwright_path := playwright_browser():
        yield playwright_path


def starts(path: str) -> bool:
    """Some systems have a `chromium-browser` that only says where to get one: so ask it for its version."""
    if os.name == "nt":  # there `--version` opens a window
        return Path(path).exists()
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def playwright_browser() -> str | None:
    """The Chromium of `playwright install`, if it is there."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> str | None:
    """Install a browser: Debian's for root, else the one that Playwright brings."""
    if may_use_apt():
        for package in (HEADLESS_SHELL, "chromium"):
            apt_install(package)
            if browser := find():
                return browser
    say("没有找到浏览器，正在运行 playwright install chromium")
    run_installer(sys.executable, "-m", "playwright", "install", "chromium")
    return find()


def has_chinese_font() -> bool:
    """Whether fontconfig knows a font for simplified Chinese."""
    listed = shutil.which("fc-list") and subprocess.run(["fc-list", ":lang=zh-cn"], capture_output=True)
    return bool(listed and listed.stdout)


if __name__ == "__main__":
    sys.exit(main())
