"""Interrupts of the process that the tests run in."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile: Python drops an interrupt that comes while it does."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
