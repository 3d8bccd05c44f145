"""What an operator can look up after an attack: a line for each event, in `security.log` of the data folder.

No passwords, codes, tokens. What was typed as a name stands there only where it is the name of an account:
who types into the wrong field types a password. Handlers and commands write here after a verb; verbs do not,
for other databases may run them twice.
"""

import logging
import os
import re
import time
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_FILE_NAME = "security.log"
MOST_LOG_BYTES = 1_000_000
OLD_LOG_FILES_KEPT = 5
TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"

log = logging.getLogger("tangxu.security")
log.setLevel(logging.INFO)
log.propagate = False


class LogFile(RotatingFileHandler):
    """For its owner's eyes alone; a disk that is full keeps nobody from signing in.

    Several processes write to one: who finds that another has begun anew goes on in the new file.
    """

    def _open(self) -> TextIOWrapper:
        file_descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(file_descriptor, "ab"), encoding="utf-8", line_buffering=True)

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802
        """Whether the file of that name is full, not the one that had it before."""
        if self.stream is not None and self._is_renamed(self.stream.fileno()):
            self.stream.close()
            self.stream = self._open()
        return bool(super().shouldRollover(record))

    def _is_renamed(self, file_descriptor: int) -> bool:
        try:
            file_stat = Path(self.baseFilename).stat()
        except FileNotFoundError:
            return True
        return not os.path.samestat(file_stat, os.fstat(file_descriptor))

    def close(self) -> None:
        """Let the file go; what a full disk did not take is lost."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the name is logging's)
        """Say nothing, go on."""


def direct_lines_to_file(log_file: LogFile, log: logging.Logger) -> None:
    """The lines of a log go into this file alone from now on, each with its moment in UTC."""
    stop_writing(log)
    line_format = logging.Formatter("%(asctime)s %(message)s", TIME_FORMAT)
    line_format.converter = time.gmtime
    log_file.setFormatter(line_format)
    log.addHandler(log_file)


def stop_writing(log: logging.Logger) -> None:
    """The lines of a log go nowhere."""
    for handler in list(log.handlers):
        log.removeHandler(handler)
        handler.close()


def open_log_in_folder(folder: Path) -> None:
    """Write to the file in this folder from now on; it is made with the first line."""
    direct_lines_to_file(
        LogFile(folder / LOG_FILE_NAME, maxBytes=MOST_LOG_BYTES, backupCount=OLD_LOG_FILES_KEPT, delay=True),
        log,
    )


def close_log() -> None:
    """Write nowhere."""
    stop_writing(log)


def write_line(event: str, **facts: object) -> None:
    """One line: when, what, and each fact by its name."""
    fact_texts = [f"{fact_name}={fact_value_text(fact_value)}" for fact_name, fact_value in facts.items()]
    log.info("%s", " ".join([event, *fact_texts]))


def fact_value_text(fact_value: object) -> str:
    """The value of a fact in one word, which can begin no line and no other fact.

    >>> fact_value_text("小 糖\\nadmin=1"), fact_value_text(""), fact_value_text("192.168.1.7")
    ('小?糖?admin?1', '-', '192.168.1.7')
    """
    return re.sub(r"[^\w.:/@-]", "?", str(fact_value))[:80] or "-"
