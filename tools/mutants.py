"""What `mutmut run` left behind: how many mutants of each file the tests caught; 1 below nine of ten.

Survivors that change nothing that anybody could notice stand in `tests/survivors.toml`, each with its reason.
"""

import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "tests" / "survivors.toml"
CAUGHT = {"killed", "timeout", "segfault", "caught by type check"}
WANTED = 0.9
LINE = re.compile(r"\s*(?P<module>[\w.]+)\.(?P<function>x\w+?)__mutmut_(?P<number>\d+): (?P<verdict>[\w ]+)")


def main() -> int:
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    reasons = tomllib.loads(REASONS.read_text("utf-8"))
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    survivors: list[str] = []
    for match in LINE.finditer(listed):
        caught = match["verdict"] in CAUGHT
        verdicts[match["module"]]["caught" if caught else "survived"] += 1
        name = f"{match['module']}.{match['function']}__mutmut_{match['number']}"
        if not caught:
            survivors.append(f"{name}: {reasons.get(name, '没有理由')}")
    for module, counts in sorted(verdicts.items()):
        print(f"{module}: {counts['caught']} of {counts.total()}")
    print(*survivors, sep="\n")
    caught_in_all = sum(counts["caught"] for counts in verdicts.values())
    total = sum(counts.total() for counts in verdicts.values())
    print(f"caught: {caught_in_all} of {total}")
    return 0 if total and caught_in_all >= WANTED * total else 1


if __name__ == "__main__":
    sys.exit(main())
