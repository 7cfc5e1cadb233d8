"""Process that reads files with foreign native code, whose crash is then the error of a file."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from chunkwright.errors import ReadError

SECONDS = 300.0
"""A file that takes longer is given up."""
_PROGRAM = Path(__file__).with_name("foreign_child.py")
_LOCK = Lock()
_running: list[_Child] = []


def answer(data: bytes, media_type: str) -> dict[str, Any]:
    """Return what the process says of a file: it is started for the first one, and stays.

    Raises
    ------
    ReadError
        If it crashed, or took too long; the next file has a new one.
    """
    with _LOCK:
        child = _running[0] if _running else None
        if child is None or not child.is_mine:
            _running[:] = [child := _Child()]
        try:
            return child.answer(data, media_type)
        except (OSError, ValueError) as error:
            _running.clear()
            child.end()
            raise ReadError(f"no text can be read from it: the library {child.fate}") from error


class _Child:
    """A process that reads files."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._was_late = False
        places = [place for place in sys.path if place]
        self._process = subprocess.Popen(  # noqa: S603 - a program of ours
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        )
        atexit.register(self.end)

    @property
    def is_mine(self) -> bool:
        """Whether this process started it, and not one that it was forked from."""
        return self._pid == os.getpid() and self._process.poll() is None

    @property
    def fate(self) -> str:
        """What became of it, in words."""
        return f"took over {SECONDS:g} s" if self._was_late else "crashed"

    def answer(self, data: bytes, media_type: str) -> dict[str, Any]:
        """Return what it says of a file."""
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise OSError
        clock = Timer(SECONDS, self._give_up)
        clock.daemon = True
        clock.start()
        try:
            asked.write(f"{media_type} {len(data)}\n".encode() + data)
            asked.flush()
            read: dict[str, Any] = json.loads(answers.readline())
        finally:
            clock.cancel()
        return read

    def end(self) -> None:
        """End it; one that another process started is left to that."""
        atexit.unregister(self.end)
        if self._pid != os.getpid():
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _give_up(self) -> None:
        self._was_late = True
        self._process.kill()
