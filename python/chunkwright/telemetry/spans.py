"""Span of a trace that is recorded nowhere, which those that are recorded are made after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self


class Span:
    """A part of the work: begins when it is made, and ends with its block or by :meth:`end`.

    This one is recorded nowhere.
    """

    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        return None

    def set(self, **attributes: Any) -> None:
        """Say more of it, in attributes of ``chunkwright``; what is None is left out."""

    def put(self, attributes: Mapping[str, Any]) -> None:
        """Say more of it, in attributes of OpenTelemetry's conventions."""

    def rename(self, name: str) -> None:
        """Call it otherwise, once that is known."""

    def fail(self, kind: str) -> None:
        """Say that what it stands for has failed, and with which kind of error."""

    def end(self) -> None:
        """End it, if it is not the span of a block."""


NOTHING = Span()
"""The span of what is not recorded."""
