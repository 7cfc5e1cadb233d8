"""Lines of a service's log: JSON whatever is logged, and without what documents say."""

from __future__ import annotations

import io
import json
import logging
import sys
from typing import Any

import pytest

from chunkwright.server.log_lines import Lines, Rarely, log_to_stderr

SECRET = "what a document says"  # noqa: S105 - a text


def _line(name: str, message: str, *args: Any, error: BaseException | None = None) -> Any:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setFormatter(Lines())
    info = None if error is None else (type(error), error, error.__traceback__)
    handler.emit(logging.LogRecord(name, logging.ERROR, "a.py", 1, message, args, info, "read"))
    assert log.getvalue().count("\n") == 1
    return json.loads(log.getvalue())


def _raised() -> BaseException:
    try:
        int(SECRET)
    except ValueError as error:
        return error
    raise AssertionError


def test_a_line_says_when_and_what() -> None:
    found = _line("chunkwright.server", "listening on %s", 'a\nb"c\u2028\ud800')
    assert found.keys() == {"time", "level", "process", "message"}
    assert found["message"] == 'listening on a\nb"c\u2028\ud800'
    assert found["level"] == "error"


def test_each_line_says_its_own_second_level_and_process() -> None:
    found = []
    for second, level, process in ((10, 20, 1), (11, 20, 1), (11, 30, 1), (11, 30, 2), (10, 20, 1)):
        record = logging.LogRecord("chunkwright.server", level, "a.py", 1, "said", (), None)
        record.created, record.process = second + 0.9, process
        line = json.loads(Lines().format(record))
        time = logging.Formatter().formatTime(record, "%Y-%m-%dT%H:%M:%S%z")
        assert line["time"] == time
        found.append((line["time"], line["level"], line["process"]))
    assert len(set(found)) == 4
    assert found[0] == found[-1]


def test_other_libraries_say_the_same_thing_once_a_second() -> None:
    rarely, written = Rarely(), []
    for name, line, second in (
        *(("asyncio", 1, 10.0), ("asyncio", 1, 10.9), ("asyncio", 2, 10.9), ("asyncio", 1, 11.1)),
        *(("chunkwright.server", 1, 12.0), ("chunkwright.server", 1, 12.0)),
    ):
        record = logging.LogRecord(name, logging.ERROR, f"{name}.py", line, "said", (), None)
        record.created = second
        written.append(rarely.filter(record))
    assert written == [True, False, True, True, True, True]


def test_warnings_are_red_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, file = io.StringIO(), io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    for stream in (terminal, file):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.delenv("NO_COLOR", raising=False)
        log_to_stderr()
        logging.getLogger("chunkwright.server").warning("no request needs a key")
        logging.getLogger("chunkwright.server").info("listening")
        monkeypatch.setenv("NO_COLOR", "1")
        logging.getLogger("chunkwright.server").warning("plain")
    red, info, plain = terminal.getvalue().splitlines()
    assert red.startswith("\x1b[31m{")
    assert red.endswith("}\x1b[0m")
    assert all(json.loads(line) for line in (info, plain, *file.getvalue().splitlines()))


def test_an_answer_is_a_line_of_its_own() -> None:
    found = _line("chunkwright.server.access", "%s", json.dumps({"status": 200, "ms": 1.5}))
    assert (found["status"], found["ms"], found["level"]) == (200, 1.5, "error")


@pytest.mark.parametrize("name", ["python_multipart", "asyncio", "root", "uvicorn.error"])
def test_traces_of_others_say_where_and_not_what(name: str) -> None:
    found = _line(name, "a fault", error=_raised())
    assert SECRET not in json.dumps(found)
    assert "ValueError" in found["trace"]
    assert "_raised" in found["trace"]


def test_messages_of_other_libraries_are_left_out() -> None:
    found = _line("pdf.library", "cannot read %s", SECRET)
    assert found["message"] == "pdf.library in read"


def test_a_record_without_an_error_has_no_trace() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "a.py", 1, "x", (), sys.exc_info())
    assert "trace" not in json.loads(Lines().format(record))
