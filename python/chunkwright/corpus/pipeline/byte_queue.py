"""Queue between two stages, bounded by the bytes of what is in it."""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")

# Seconds after which a stage that waits looks up: an interrupt may have come.
_GLANCE = 0.05


class ClosedError(Exception):
    """Nobody takes or gives anything any more."""


class ByteQueue(Generic[T]):
    """Items in order; whoever puts waits while there are too many bytes.

    An item that is larger than the bound passes when the queue is empty, so that it stalls nobody.

    Parameters
    ----------
    most
        Bytes that the items in it have together, at most.
    """

    def __init__(self, most: int) -> None:
        self._most, self._n_bytes = most, 0
        self._items: deque[tuple[T, int]] = deque()
        self._changed = Condition()
        self._is_closed = False
        self._error: BaseException | None = None

    def put(self, item: T, n_bytes: int = 0) -> None:
        """Add an item, once there is room for it.

        Raises
        ------
        ClosedError
            If nobody takes items any more; its cause is the error that is to blame.
        """
        with self._changed:
            while not self._is_closed and self._items and self._n_bytes + n_bytes > self._most:
                self._changed.wait(_GLANCE)
            self._check()
            self._items.append((item, n_bytes))
            self._n_bytes += n_bytes
            self._changed.notify_all()

    def get(self) -> T:
        """Take the next item, once there is one.

        Raises
        ------
        ClosedError
            If the queue was closed; its cause is the error that is to blame.
        """
        with self._changed:
            while not self._items and not self._is_closed:
                self._changed.wait(_GLANCE)
            self._check()
            item, n_bytes = self._items.popleft()
            self._n_bytes -= n_bytes
            self._changed.notify_all()
            return item

    def waiting(self) -> list[T]:
        """Take all items that are there."""
        with self._changed:
            items = [item for item, _ in self._items]
            self._items.clear()
            self._n_bytes = 0
            self._changed.notify_all()
            return items

    def close(self, error: BaseException | None = None) -> None:
        """Give up what is in it; whoever puts or takes next is told the error."""
        with self._changed:
            if not self._is_closed:
                self._is_closed, self._error = True, error
            self._items.clear()
            self._changed.notify_all()

    def _check(self) -> None:
        if self._is_closed:
            raise ClosedError from self._error
