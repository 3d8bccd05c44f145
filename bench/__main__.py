"""`python -m bench`: measure everything once, some six minutes, and print it."""

import argparse
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from bench import report, wrk
from bench.engine import ratio
from bench.goals import Figures
from bench.loads import LoadFigures, all_loads
from bench.startup import cold_start


def main() -> None:
    """Measure and print. The exit code is 0 whatever the figures are; 130 after Ctrl-C."""
    options = command_line_options()
    signal.signal(signal.SIGTERM, stop)
    if not Path("/proc/self/schedstat").exists():
        sys.exit("测速要在 Linux 上做：处理器时间和内存是从 /proc 读的。")
    print(report.heading(), flush=True)
    try:
        figures = measure(options.rounds, options.seconds)
    except KeyboardInterrupt:
        sys.exit(130)
    print("\n".join(report.lines(figures)))
    if options.json:
        report.write_json(figures, options.json)


def measure(rounds: int, seconds: int) -> Figures:
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        folder = Path(name)
        cold_start_seconds = cold_start(folder / "cold")
        loaded = measure_loads(folder, rounds, seconds)
        engine_ratio = ratio()
    if loaded is None:
        return Figures({}, cold_start_seconds, engine=engine_ratio)
    return Figures(loaded.results, cold_start_seconds, loaded.idle_mb, loaded.loaded_mb, engine_ratio)


def measure_loads(folder: Path, rounds: int, seconds: int) -> LoadFigures | None:
    """Everything that needs wrk; None, and a sentence, where there is none."""
    if wrk.installed():
        return all_loads(folder, rounds, seconds)
    print("没有 wrk，所以不测每秒能答多少次。Debian、Ubuntu 上请先运行：apt install wrk\n")
    return None


def command_line_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="测速：打印结果，不判对错。")
    parser.add_argument("--json", type=Path, metavar="文件", help="每一段的数字也写进这个文件")
    parser.add_argument("--rounds", type=int, default=3, metavar="轮", help="每种情形轮几次（默认 3）")
    parser.add_argument(
        "--seconds", type=int, default=1, metavar="秒", help="写的每一段几秒（默认 1）；读的是它的三倍"
    )
    return parser.parse_args()


def stop(_signal: int, _frame: FrameType | None) -> None:
    """Ended from outside is like Ctrl-C: our servers end with us."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
