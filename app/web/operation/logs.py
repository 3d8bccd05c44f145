"""Log lines for programs: JSON, one object a line, with the id of the request and nothing of a person.

An error is told by its kind and by where in the code it happened: its words may quote what somebody typed.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import Any

from app.web.operation.observing import REQUEST_ID, Observation

REQUEST_LOGGER = "tangxu.requests"
LOGGING_CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "app.web.operation.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "uvicorn": {"level": "WARNING", "handlers": [], "propagate": True},
        REQUEST_LOGGER: {"level": "INFO"},
    },
}
"""For `logging.config`: all lines to standard error."""

logger = logging.getLogger(REQUEST_LOGGER)


class JsonLines(logging.Formatter):
    """A record as one line of JSON: `time` (UTC), `level`, `logger`, `message`, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        logged_at = datetime.fromtimestamp(record.created, UTC)
        logged_fields: dict[str, object] = {
            "time": logged_at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": message_of(record),
        }
        request_id = REQUEST_ID.get()
        if request_id:
            logged_fields["request_id"] = request_id
        logged_fields |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1]:
            logged_fields |= facts_of_error(record.exc_info[1])
        return json.dumps(logged_fields, ensure_ascii=False)


def message_of(record: logging.LogRecord) -> str:
    """The first line of the message, with errors in it by their kind.

    >>> error = ValueError("what a learner typed")
    >>> message_of(logging.LogRecord("app", logging.ERROR, "", 0, "refused: %s", (error,), None))
    'refused: ValueError'
    >>> failed = "Traceback (most recent call last):\\n ...\\nCannotOpen: nobody answers"
    >>> message_of(logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, failed, (), None))
    'CannotOpen: nobody answers'
    """
    message = str(record.msg)
    if record.args and isinstance(record.args, tuple):
        message %= tuple(map(argument_without_words, record.args))
    message_lines = message.strip().split("\n")
    if message_lines[0].startswith("Traceback"):  # of a start that failed: nobody has typed anything yet
        return message_lines[-1]
    return message_lines[0]


def argument_without_words(argument: object) -> object:
    """An error by its kind; anything else as it is."""
    if isinstance(argument, BaseException):
        return type(argument).__name__
    return argument


def facts_of_error(error: BaseException) -> dict[str, object]:
    """Its kind, and where it came from: the innermost function last."""
    frames = traceback.extract_tb(error.__traceback__)
    frame_lines = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "frames": frame_lines}


def log_request(observation: Observation) -> None:
    """One line for a request that was answered."""
    logged_facts: dict[str, object] = {
        "method": observation.method,
        "route": observation.route,
        "status": observation.status,
        "milliseconds": round(observation.duration_seconds * 1000, 1),
    }
    if observation.refusal:
        logged_facts["refusal"] = observation.refusal
    logger.info("request", extra={"facts": logged_facts})
