"""Span of a trace that is recorded nowhere, which those that are recorded are made after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self


class Span:
    """A span of the work, from its creation to the end of its block, or to :meth:`end`.

    This one is not recorded.
    """

    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        return None

    def set(self, **attributes: Any) -> None:
        """Set attributes of ``chunkwright``; those that are None are left out."""

    def put(self, attributes: Mapping[str, Any]) -> None:
        """Set attributes of OpenTelemetry's conventions."""

    def rename(self, name: str) -> None:
        """Rename the span."""

    def fail(self, kind: str) -> None:
        """Mark the span as failed, with the kind of error."""

    def end(self) -> None:
        """End a span that has no block."""


NOTHING = Span()
"""The span of what is not recorded."""
