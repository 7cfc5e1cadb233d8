"""Log messages of the package (what took long, what was skipped), and its warnings.

Messages go to the logger ``chunkwright``, at the levels INFO and WARNING. Where the program that
imports the package configures no logging, Python writes warnings to standard error and drops the
others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger
    from types import FrameType

NAME = "chunkwright"
SLOW_SECONDS = 1.0
"""From there on, what is done often is worth a message."""


@cache
def logger() -> Logger:
    """Return the logger of the package; `logging` is imported with the first message only."""
    import logging

    return logging.getLogger(NAME)


@contextmanager
def timed(what: str, *, least: float = 0.0) -> Iterator[None]:
    """Log how many seconds the block took, if they are at least so many and it raised nothing."""
    began = perf_counter()
    yield
    seconds = perf_counter() - began
    if seconds >= least:
        took(what, seconds)


def took(what: str, seconds: float) -> None:
    """Log how many seconds something took."""
    logger().info("%s took %.2f s", what, seconds)


def skipped(what: str, why: str, *, is_expected: bool = False) -> None:
    """Log that something that was found is not used: a warning, unless that is expected."""
    log = logger().info if is_expected else logger().warning
    log("skipped %s: %s", what, why)


@cache
def once(message: str) -> None:
    """Log a warning the first time only that a process has it."""
    logger().warning(message)


def warn(message: str) -> None:
    """Warn, at the line that called the package, of what costs no more than time."""
    import warnings

    level = 1
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - there is no other quick way
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == NAME:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RuntimeWarning, stacklevel=level)
