"""Runs LangChain and chunkwright side by side and compares all that a caller can see."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import langchain_text_splitters as theirs

from chunkwright.compat import langchain as ours


class _Messages(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.name} {record.levelname} {record.getMessage()}")


@contextmanager
def _listening() -> Iterator[list[str]]:
    logger, handler = logging.getLogger("langchain_text_splitters.base"), _Messages()
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield handler.messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


def outcome(work: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What ``work`` returns or raises, and what it logs."""
    with _listening() as messages:
        try:
            return work(), messages
        except Exception as error:  # noqa: BLE001 - any error is an outcome
            return (type(error), str(error)), messages


def same(work: Callable[[Any], Any]) -> Any:
    """Asserts that ``work`` has one outcome for both modules; returns the result or the error."""
    expected, found = outcome(lambda: work(theirs)), outcome(lambda: work(ours))
    assert found == expected, f"expected {expected!r:.999}, found {found!r:.999}"
    return found[0]


def same_chunks(name: str, text: Any, /, *args: Any, maker: str = "", **kwargs: Any) -> Any:
    """Asserts that both splitters of that name, made by a class method or not, split alike."""

    def work(module: Any) -> Any:
        cls = getattr(module, name)
        make = getattr(cls, maker) if maker else cls
        return make(*args, **kwargs).split_text(text)

    return same(work)


def documents(found: list[Any]) -> list[tuple[str, Any]]:
    """Documents as plain values."""
    return [(document.page_content, document.metadata) for document in found]
