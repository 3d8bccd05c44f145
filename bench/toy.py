"""How long a movable row takes to answer a finger: `python -m bench.toy`. It needs the browser of the tests.

The time is that of the script for one move event that changes the order, and of the layout that follows.
Candies beyond the eight of an address are put into the page here.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from app.settings import root
from bench.servers import ours

ROW_LENGTHS = (5, 8, 20)
MEASURE_MOVES = """async (candies) => {
  const toy = document.querySelector('.toy');
  const { wake } = await import(toy.dataset.script);
  for (const list of toy.querySelectorAll('.toy-row, .toy-terms')) {
    while (list.children.length < candies) list.append(list.firstElementChild.cloneNode(true));
  }
  if (!toy.matches('.awake')) wake(toy);
  const grip = toy.querySelector('.toy-candy');
  grip.setPointerCapture = () => {};
  const places = [...toy.querySelectorAll('.toy-row > li')].map((item) => item.getBoundingClientRect());
  const send = (kind, place) => {
    const { x, y, width } = places[place];
    const clientX = x + width / 2 + (place ? 1 : -1);
    grip.dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX, clientY: y + 9 }));
  };
  send('pointerdown', 0);
  const times = [];
  for (let round = 0; round < 200; round += 1) {
    const begun = performance.now();
    send('pointermove', round % 2 ? 0 : 1);
    toy.getBoundingClientRect();
    times.push(performance.now() - begun);
  }
  send('pointerup', 0);
  times.sort((one, other) => one - other);
  return [times[100], times[198]];
}"""


def main() -> None:
    """Measure and print; a frame of a screen that shows sixty a second has 16 ms."""
    arguments = ["--no-sandbox", "--disable-gpu"]
    with (
        TemporaryDirectory(prefix="tangxu-bench-") as name,
        ours(Path(name)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=arguments) as browser,
    ):
        for candies in ROW_LENGTHS:
            median_ms, slowest_ms = measured(browser, server.url, candies)
            print(f"{candies:>2}颗：一次挪位，中位{median_ms:.1f}毫秒，百次里最慢的一次{slowest_ms:.1f}毫秒")


def measured(browser: Browser, url: str, candies: int) -> tuple[float, float]:
    """Median and 99th percentile of a move by one place, in milliseconds."""
    page = browser.new_page(viewport={"width": 360, "height": 780})
    page.goto(f"{url}/play?row=0-3-2-1-4")
    median, slowest = page.evaluate(MEASURE_MOVES, candies)
    page.close()
    return median, slowest


def chromium() -> str:
    """The browser that the tests use."""
    tool = [sys.executable, str(root() / "tools" / "browser.py"), "--print"]
    named = os.environ.get("TEST_CHROMIUM")
    if named:
        return named
    return subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
