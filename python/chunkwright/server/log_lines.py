"""Log of a service: a line of JSON for each record, without what documents say."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import traceback
from functools import lru_cache
from typing import Any, TextIO

OWN = "chunkwright.server"
_SERVER = "uvicorn.error"
_ACCESS = ".access"
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


class Lines(logging.Formatter):
    """Writes records as lines of JSON.

    Records of answers are such a line already. Of other libraries' records only the place is
    written: what they say may be what a client has sent.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        begin = _begin(int(record.created), record.levelname, record.process)
        if record.name.endswith(_ACCESS):
            # Join the two JSON objects into one.
            return f"{begin}, {record.getMessage()[1:]}"
        facts: dict[str, Any] = {}
        is_known = record.name.startswith((OWN, _SERVER))
        facts["message"] = (
            record.getMessage() if is_known else f"{record.name} in {record.funcName}"
        )
        if record.exc_info and record.exc_info[1] is not None:
            facts["trace"] = _trace(record, record.exc_info[1])
        return f"{begin}, {json.dumps(facts)[1:]}"


@lru_cache(maxsize=16)
def _begin(second: int, level: str, process: int | None) -> str:
    """Return how lines of a second begin; many answers of a service are."""
    said = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(second))
    return json.dumps({"time": said, "level": level.lower(), "process": process})[:-1]


def _trace(record: logging.LogRecord, error: BaseException) -> str:
    """Return where an error was raised; its message only if it is ours."""
    if record.name.startswith(OWN):
        return "".join(traceback.format_exception(error))
    return "".join([*traceback.format_tb(error.__traceback__), type(error).__qualname__])


class Rarely(logging.Filter):
    """Lets other libraries say the same thing once a second.

    Where no more files may be open, asyncio says so for each connection that might wait: thousands
    of times a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, int], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        if record.name.startswith((OWN, _SERVER)):
            return True
        place = (record.pathname, record.lineno)
        if record.created < self._said.get(place, 0.0) + 1:
            return False
        self._said[place] = record.created
        return True


class _Stderr(logging.StreamHandler[TextIO]):
    """Writes to what is the standard error when it writes: that may be another one by then."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stderr

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; on a terminal, that of a warning or an error is red."""
        line = super().format(record)
        is_red = record.levelno >= logging.WARNING and "NO_COLOR" not in os.environ
        return f"{_RED}{line}{_PLAIN}" if is_red and self.stream.isatty() else line


def log_to_stderr() -> None:
    """Write what the service and its libraries log to the standard error."""
    handler = _Stderr()
    handler.setFormatter(Lines())
    handler.addFilter(Rarely())
    for name, level in ((OWN, logging.INFO), (_SERVER, logging.WARNING), (None, logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
    # The parser of forms logs each malformed body; the client is told of it anyway.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)
