"""Standard output and error of a process that was started without them, or cannot write them."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, cast

import typer


def prepare() -> None:
    """Make sure that both streams are there, and that no character ends a run.

    Results that nobody can get are an error; messages that nobody can get are dropped.
    """
    sys.stdout = sys.stdout or _closed()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        # What the terminal's encoding lacks must not end the run.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def finish() -> OSError | None:
    """Hand on what standard output holds back, and return why that failed, if it did.

    It is no failure if whoever reads it has read enough.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        discard()
        return None if isinstance(error, BrokenPipeError) else error
    return None


def discard() -> None:
    """Drop what standard output holds back: Python flushes it on its way out, and must not fail."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def piped() -> Iterator[None]:
    """End the command quietly when whoever reads standard output has read enough."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        discard()
        raise typer.Exit(0) from error


class _Closed(RawIOBase):
    """A stream that nothing can be written to."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        del data
        raise OSError(errno.EBADF, "standard output is closed")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _closed() -> TextIO:
    # What is written to it must fail at once, and not when Python ends.
    return cast("TextIO", TextIOWrapper(_Closed(), encoding="utf-8", write_through=True))
