"""Programs that must not take long, run with a ration of processor time, for no clock shall decide."""

import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 30


def rationed(program: str, data: str = "", seconds: int = SECONDS) -> str:
    """What a program prints; where its time runs out, the test fails with what it printed last."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    process = subprocess.run(
        [sys.executable, "-c", program],
        input=data.encode("utf-8", "surrogatepass"),
        capture_output=True,
        cwd=ROOT,
        preexec_fn=limit,
    )
    printed = process.stdout.decode("utf-8", "replace")
    assert process.returncode == 0, f"{printed[-300:]}\n{process.stderr.decode()[-2000:]}"
    return printed
