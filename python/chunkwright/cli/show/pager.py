"""A Rich console whose output a pager shows while it is still being made."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shutil import which
from typing import NoReturn

from rich.console import Console

# Colours pass, what fits on one screen is only printed, and it stays on the screen.
LESS = "FRX"


class Output(Console):
    """A console that leaves it to its caller what the end of a pipe means."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise what was raised."""
        raise BrokenPipeError


@contextmanager
def paged() -> Iterator[Console]:
    """Give a console on the pager, or on standard output if that is no terminal.

    The pager is `$PAGER`, else `less` if there is one. Unlike Rich's own pager it need not wait for
    the end, and shows colours without being told.
    """
    command = _pager() if sys.stdout.isatty() else None
    if command is None:
        # Lines of a document are not to be broken where nobody looks at them.
        yield Output(soft_wrap=not sys.stdout.isatty(), highlight=False)
        return
    environment = {"LESS": LESS, **os.environ}
    process = subprocess.Popen(  # noqa: S603 - the user's own pager
        command, stdin=subprocess.PIPE, env=environment, encoding="utf-8", errors="replace"
    )
    # A reader who has seen enough closes the pipe. An interrupt is the pager's, which outlives it.
    with suppress(BrokenPipeError), _uninterrupted(), process:
        width = Console().width
        yield Output(file=process.stdin, force_terminal=True, width=width, highlight=False)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _pager() -> list[str] | None:
    if os.environ.get("TERM") == "dumb":
        return None
    command = shlex.split(os.environ.get("PAGER", "less"))
    return command if command and which(command[0]) else None
