"""Inputs of the command line as documents; what fails is reported."""

from chunkwright.cli.settings.table import Settings
from chunkwright.io.documents import whole
from chunkwright.io.sources import Entry, Reading, Source


def reading_of(settings: Settings) -> Reading:
    """Return how inputs are read.

    Raises
    ------
    ConfigError
        If a setting makes no sense; names it.
    """
    from chunkwright.chunking import ELEMENT_STRATEGIES

    return Reading(
        input_format=settings.input_format,
        encoding=settings.encoding,
        errors=settings.errors,
        text_column=settings.text_column,
        id_column=settings.id_column,
        drop_columns=settings.drop_columns,
        text_kind=settings.text_kind,
        by_content=settings.strategy in ELEMENT_STRATEGIES,
        elements_for=settings.strategy if cuts_elements_only(settings.strategy) else None,
        fail_fast=settings.fail_fast,
        drop=settings.drop,
        pages=settings.pages,
        password=settings.password,
    )


def cuts_elements_only(strategy: str) -> bool:
    """Return whether a strategy of that name cannot cut a text without elements."""
    from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES

    return strategy in ELEMENT_STRATEGIES and strategy not in STRATEGIES


def entry_of(source: Source, reading: Reading) -> Entry:
    """Read a source as one document.

    Raises
    ------
    ReadError, ConfigError
        If that cannot be.
    """
    return whole(source, reading)
