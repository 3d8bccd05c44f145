"""The real server as a process of its own: what it has acknowledged is in the file, whatever happens."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from fastapi import FastAPI

from app.settings import Settings, root
from tests.web.cast import FORM, HTMX, Ledger, Place, settings_at
from tests.web.pages import Element, filled, parsed

Answer = tuple[str, int]
"""What was typed (nobody else typed the same), and at which try."""
ANSWERED = threading.Condition()
"""Notified when a server has acknowledged an answer."""


class Server:
    """`python -m app serve` on a port of its own."""

    def __init__(self, data: Path) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(root()),
            "PYTHONUNBUFFERED": "1",
            "TANGXU_DATA": str(data),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", "serve", "--port", "0"],
            env=environment,
            cwd=data.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self.port = self._port()

    def _port(self) -> int:
        output_lines = []
        for line in self.process.stdout or ():
            output_lines.append(line)
            if "http://127.0.0.1:" in line:
                return urlsplit(line.strip()).port or 0
        raise AssertionError("".join(output_lines))

    def kill(self) -> None:
        """As the power goes."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C: the exit code, and what was said."""
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=15)
        return self.process.returncode, output

    def end(self) -> None:
        if self.process.poll() is None:
            self.kill()
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def serving(settings: Settings) -> Iterator[Server]:
    server = Server(settings.data)
    try:
        yield server
    finally:
        server.end()


class Learner:
    """A guest who follows real forms: opens a page, answers wrong, gets the form again, answers again."""

    def __init__(self, name: int, port: int, place: Place) -> None:
        self.name, self.place, self.cookie = name, place, ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self.acknowledged: list[Answer] = []
        self.lost: Exception | None = None

    def learn(self, more: Callable[[], bool]) -> None:
        """Answer as long as there is more to do; a lost connection ends it."""
        try:
            form = self._form(self._ask("GET", self.place.url))
            while more():
                typed = f"{1000 + self.name}.{len(self.acknowledged) + 1:04d}"
                sent_try = int(form.one("input", name="try")["value"])
                answer = self._ask("POST", form["action"], urlencode(filled(form, answer=typed)))
                with ANSWERED:
                    self.acknowledged.append((typed, sent_try))
                    ANSWERED.notify_all()
                form = self._form(answer)
        except (OSError, http.client.HTTPException) as error:
            self.lost = error
        finally:
            self.connection.close()

    def _form(self, html: str) -> Element:
        [form] = [
            move_form
            for move_form in parsed(html).all("form", class_="answer")
            if ("item", self.place.name) in filled(move_form)
        ]
        return form

    def _ask(self, method: str, path: str, body: str | None = None) -> str:
        headers = (FORM | HTMX if body is not None else {}) | ({"Cookie": self.cookie} if self.cookie else {})
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read().decode()
        if response.status == 503:
            raise ConnectionRefusedError(text)
        assert response.status == 200, (response.status, text[:300])
        self.cookie = (response.getheader("set-cookie") or self.cookie).partition(";")[0]
        return text


@pytest.fixture
def settings(app: FastAPI, tmp_path: Path) -> Settings:
    """With the course that `app` has read beside the database."""
    assert app
    return settings_at(tmp_path / "data")


def stored_answers(ledger: Ledger) -> set[Answer]:
    rows = ledger.rows("SELECT raw, try_number FROM response")
    answers = {(json.loads(raw)[0], try_number) for raw, try_number in rows}
    assert len(answers) == len(rows), "no answer is there twice"
    return answers


def assert_sound(ledger: Ledger) -> None:
    assert ledger.rows("PRAGMA integrity_check") == [("ok",)]
    assert ledger.rows("PRAGMA foreign_key_check") == []


def wait_for_answers(learners: Sequence[Learner], many: int) -> None:
    """Until these learners have so many acknowledged answers together."""
    with ANSWERED:
        ANSWERED.wait_for(lambda: sum(len(learner.acknowledged) for learner in learners) >= many, timeout=30)


def class_of(count: int, ports: list[int], place: Place) -> list[Learner]:
    return [Learner(name, ports[name % len(ports)], place) for name in range(count)]


def test_killed_in_the_middle_nothing_acknowledged_is_lost(
    settings: Settings, ledger: Ledger, place: Place
) -> None:
    with serving(settings) as server, ThreadPoolExecutor(16) as threads:
        learners = class_of(16, [server.port], place)
        work = [threads.submit(learner.learn, lambda: True) for learner in learners]
        wait_for_answers(learners, 100)
        server.kill()
        for writer in work:
            writer.result(20)
    acknowledged_answers = {answer for learner in learners for answer in learner.acknowledged}
    assert len(acknowledged_answers) >= 100
    with serving(settings) as server:
        [again] = class_of(1, [server.port], place)
        again.name = 99
        again.learn(lambda: len(again.acknowledged) < 3)
        code, output = server.interrupt()
    assert (code, len(again.acknowledged), again.lost) == (0, 3, None), output
    assert acknowledged_answers | set(again.acknowledged) <= stored_answers(ledger)
    assert len(stored_answers(ledger) - acknowledged_answers) <= 16 + 3, (
        "one unanswered at most for each learner"
    )
    assert ledger.count("learner") == ledger.count("sign_in") == 17
    assert_sound(ledger)


@pytest.mark.long
def test_two_processes_on_one_file_lose_nothing(settings: Settings, ledger: Ledger, place: Place) -> None:
    """Below the pages it is shown each time: `tests/records/db/test_processes.py`."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(settings)) for _ in range(2)]
        learners = class_of(16, [server.port for server in servers], place)
        over = threading.Event()
        with ThreadPoolExecutor(16) as threads:
            work = [threads.submit(learner.learn, lambda: not over.is_set()) for learner in learners]
            wait_for_answers(learners, 600)
            for learner in learners:
                wait_for_answers([learner], 2)
            over.set()
            for writer in work:
                writer.result(20)
        ends = [server.interrupt() for server in servers]
    assert [code for code, _ in ends] == [0, 0], ends
    assert not [output for _, output in ends if "Traceback" in output or "ERROR" in output]
    assert [learner.lost for learner in learners if learner.lost] == []
    acknowledged_answers = [answer for learner in learners for answer in learner.acknowledged]
    assert min(len(learner.acknowledged) for learner in learners) >= 2, "each process must have had its turn"
    assert sorted(acknowledged_answers) == sorted(stored_answers(ledger))
    assert ledger.count("learner") == 16
    assert_sound(ledger)


def test_ctrl_c_ends_cleanly_and_keeps_what_is_under_way(
    settings: Settings, ledger: Ledger, place: Place
) -> None:
    with serving(settings) as server, ThreadPoolExecutor(8) as threads:
        learners = class_of(8, [server.port], place)
        work = [threads.submit(learner.learn, lambda: True) for learner in learners]
        wait_for_answers(learners, 20)
        code, output = server.interrupt()
        for writer in work:
            writer.result(20)
    assert code == 0, output
    assert "都已保存" in output
    assert "Traceback" not in output
    acknowledged_answers = {answer for learner in learners for answer in learner.acknowledged}
    assert acknowledged_answers
    assert acknowledged_answers <= stored_answers(ledger)
    assert len(stored_answers(ledger) - acknowledged_answers) <= 8
    assert not settings.database_path.with_name(f"{settings.database_path.name}-wal").exists(), (
        "all is in the one file"
    )
    assert_sound(ledger)
