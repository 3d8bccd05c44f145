"""Programs that must not take long, run with a ration of processor time, for no clock shall decide."""

import atexit
import json
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 30
FORKING = """
import ast, contextlib, json, os, resource, sys

def import_what(program):
    with contextlib.suppress(Exception):  # the program itself will say so
        for node in ast.parse(program).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                exec(compile(ast.Module([node], []), "imports", "exec"), {})

def run(program, folder, seconds):
    for number, name in enumerate(("input", "output", "errors")):
        os.dup2(os.open(os.path.join(folder, name), os.O_RDWR | os.O_CREAT), number)
    streams = [open(number, "rww"[number], encoding="utf-8") for number in range(3)]
    sys.stdin, sys.stdout, sys.stderr = streams
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    exec(program, {"__name__": "__main__"})

for line in sys.stdin:
    program, folder, seconds = json.loads(line)
    import_what(program)
    child = os.fork()
    if child == 0:
        run(program, folder, seconds)
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


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
    return printed_by(process.returncode, process.stdout, process.stderr)


def rationed_fork(program: str, data: str = "", seconds: int = SECONDS) -> str:
    """As `rationed`, in a fork of a process that has imported before what the program imports."""
    server = forking_server()
    assert server.stdin
    assert server.stdout
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "input").write_bytes(data.encode("utf-8", "surrogatepass"))
        server.stdin.write(json.dumps([program, name, seconds]) + "\n")
        server.stdin.flush()
        exit_code = int(server.stdout.readline())
        return printed_by(exit_code, (folder / "output").read_bytes(), (folder / "errors").read_bytes())


@cache
def forking_server() -> "subprocess.Popen[str]":
    """One for all tests of this process: most of the time of a short program goes into its imports."""
    command = [sys.executable, "-c", FORKING]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    atexit.register(server.communicate)
    return server


def printed_by(exit_code: int, output: bytes, errors: bytes) -> str:
    printed = output.decode("utf-8", "replace")
    assert exit_code == 0, f"{printed[-300:]}\n{errors.decode()[-2000:]}"
    return printed
