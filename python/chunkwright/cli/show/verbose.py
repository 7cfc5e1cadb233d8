"""The log of the package on standard error, for who asks for it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from chunkwright.messages.logs import logger
from chunkwright.messages.terminal_text import printable


class _ToStandardError(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname.capitalize()
        typer.echo(f"{level}: {printable(record.getMessage())}", err=True)


@contextmanager
def shown_log(*, is_wanted: bool) -> Iterator[None]:
    """Show what the package logs in the block."""
    if not is_wanted:
        # Else Python would show warnings: what must be known, a command says itself.
        log, nobody = logger(), logging.NullHandler()
        log.addHandler(nobody)
        try:
            yield
        finally:
            log.removeHandler(nobody)
        return
    log, handler = logger(), _ToStandardError()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
