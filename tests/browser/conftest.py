"""A real server on a folder of its own, a real browser, and a watch on what the browser complains about."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route

from app import course as courses
from app.course import Course
from tests.browser.records import Records
from tests.browser.scenes import Cookies, busy_learner
from tests.browser.school import invite
from tests.browser.stage import Stage, staged
from tests.browser.watch import Watch
from tests.web.cast import settings_at

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
UNUSED = (
    # a window prepares an address bar nobody sees: two processes more for each visitor, and most of the time
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    "SpareRendererForSitePerProcess",
    # what Playwright switches off; of two lists Chromium reads the last
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)
"""Features of Chromium that no test looks at."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # a headless shell else rounds each letter's width to whole pixels
    f"--disable-features={','.join(UNUSED)}",
]
LONGEST_START = 300
"""Seconds: a server that neither answers nor ends hangs."""
Visit = Callable[..., Page]


@pytest.hookimpl(trylast=True)  # after pytest's own order, which groups what shares a browser
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Last: once Playwright runs, `asyncio.run` is refused in this thread, and other tests need it."""
    is_browser_file = {path: FOLDER in path.parents for path in {item.path for item in items}}
    items.sort(key=lambda item: is_browser_file[item.path])


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path. Without a browser the tests fail and say how to get one; they are never skipped."""
    named = os.environ.get("TEST_CHROMIUM")
    if named and Path(named).exists():
        return named
    if named:
        pytest.fail(f"TEST_CHROMIUM 指的文件不存在：{named}", pytrace=False)
    tool = [sys.executable, str(ROOT / "tools" / "browser.py"), "--print"]
    process = subprocess.run(tool, capture_output=True, text=True, encoding="utf-8")
    if process.returncode:
        pytest.fail(process.stderr, pytrace=False)
    return process.stdout.strip()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], chromium: str) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def phone(base_url: str) -> dict[str, Any]:
    """How tests look at pages: 360 px wide, in Chinese, without more motion than there must be."""
    size = {"width": 360, "height": 740}
    return {"base_url": base_url, "locale": "zh-CN", "viewport": size, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With an empty database, and the course where this process has read it: little is left for a start."""
    return settings_at(tmp_path_factory.mktemp("served")).data


@pytest.fixture(scope="session")
def base_url(data: Path) -> Iterator[str]:
    """The address of a server that runs as long as these tests; it may not have met an error of its own."""
    log = data / "server.log"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TANGXU_")}
    environment = clean | {"TANGXU_DATA": str(data), "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "app", "serve", "--port", "0"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        yield address(server, log)
    finally:
        server.terminate()
        server.wait(20)
    assert "Traceback" not in log.read_text("utf-8"), log.read_text("utf-8")


def address(server: subprocess.Popen[bytes], log: Path) -> str:
    """What the server prints when it answers. A busy machine may take its time; one that ends is told."""
    latest = time.monotonic() + LONGEST_START
    while server.poll() is None and time.monotonic() < latest:
        if match := re.search(r"http://\S+", log.read_text("utf-8")):
            return match[0]
        time.sleep(0.05)
    pytest.fail(f"服务器没有开起来：\n{log.read_text('utf-8')}", pytrace=False)


@pytest.fixture(scope="session")
def course(data: Path, base_url: str) -> Course:
    """The course that is served, as the server has kept it."""
    assert base_url
    loaded = courses.load_cached_course(ROOT / "content", data / "cache")
    assert isinstance(loaded, Course)
    return loaded


@pytest.fixture
def records(data: Path) -> Records:
    """What the server has written."""
    return Records(data / "tangxu.db")


@pytest.fixture(scope="session")
def busy(playwright: Playwright, base_url: str, course: Course) -> Cookies:
    """The cookies of a learner who has met everything: right, wrong, hints, solutions, half an example."""
    return busy_learner(playwright, base_url, course)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """No test passes when its browser has complained, except about what the test announced."""
    watching = Watch()
    yield watching
    assert watching.unexpected() == []


PRESS_AT_ONCE = """
  addEventListener('htmx:afterSwap', () => document.documentElement.classList.remove('double-tap'));
"""


@pytest.fixture
def visit(browser: Browser, phone: dict[str, Any], watch: Watch) -> Iterator[Visit]:
    """Opens a browser of its own for a visitor; options are those of a Playwright context.

    A visitor presses faster than a finger: what comes in can be pressed at once, except where a test is about
    the pause in which the second half of a double tap presses nothing.
    """
    with ExitStack() as opened:

        def make(pauses_after_press: bool = False, **options: Any) -> Page:
            context = opened.enter_context(browser.new_context(**phone | options))
            if not pauses_after_press:
                context.add_init_script(PRESS_AT_ONCE)
            watch.follow(context)
            return context.new_page()

        yield make


@pytest.fixture(scope="session")
def blank_context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all bare pages: none of them keeps anything."""
    with browser.new_context() as opened:
        yield opened


@pytest.fixture
def stage(blank_context: BrowserContext) -> Iterator[Stage]:
    """Opens bare pages, each with one script."""
    yield partial(staged, blank_context)
    for page in blank_context.pages:
        page.close()


@pytest.fixture(scope="session")
def invitations(data: Path, base_url: str) -> list[str]:
    """Enough for the teachers of all tests of this process."""
    assert base_url
    return invite(data, 60)


@contextmanager
def scripts_late(page: Page) -> Iterator[None]:
    """The page can be written in, as on a slow network; its scripts come at the end of the block."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/*.js", hold)
    yield
    for route in held:
        route.continue_()
    page.unroute("**/*.js", hold)
