"""Settings as a strategy, ready to cut."""

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chunkwright.cli.inputs import Source
from chunkwright.cli.settings import Settings
from chunkwright.errors import ConfigError
from chunkwright.read.text import check_decoding, decode

if TYPE_CHECKING:
    from chunkwright.chunking import Strategy
    from chunkwright.chunks import Chunks

Cutter = Callable[[Source], "Chunks"]
OPTIONAL = ("soft_max", "overlap", "overlap_at", "separators", "sentences", "window")


def cutter(settings: Settings) -> Cutter:
    """Return a function that reads a source and cuts it.

    Raises
    ------
    ConfigError, TokenizerError
        If a setting, or two together, make no sense; names it.
    """
    from chunkwright import Document

    check_decoding(settings.encoding, settings.errors)
    strategy = strategy_of(settings)

    def cut(source: Source) -> "Chunks":
        return strategy(Document(text=read(source, settings), name=source.document))

    return cut


def read(source: Source, settings: Settings) -> str:
    """Read a source as text.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding.
    """
    return decode(
        source.read(), encoding=settings.encoding, errors=settings.errors, name=source.name
    )


def describe(settings: Settings) -> str:
    """Say how is cut, on one line."""
    options = _options(settings)
    if settings.language is not None:
        options["language"] = settings.language
    return ", ".join([settings.strategy, *(f"{name}={value!r}" for name, value in options.items())])


def strategy_of(settings: Settings) -> "Strategy":
    """Make the strategy that the settings describe.

    Raises
    ------
    ConfigError, TokenizerError
        If a setting, or two together, make no sense; names it.
    """
    from chunkwright import Recursive
    from chunkwright.chunking import STRATEGIES, make_strategy

    options, language = _options(settings), settings.language
    if language is None:
        return make_strategy(settings.strategy, options)
    if settings.strategy == "recursive":
        if settings.separators is not None:
            both = f"language {language!r} brings its own separators"
            raise ConfigError(f"{both}: give one of the two")
        return Recursive.for_language(language, **options)
    kind = STRATEGIES.get(settings.strategy)
    if kind is not None and "language" not in {field.name for field in fields(kind)}:
        raise ConfigError(f"strategy {settings.strategy!r} has no language, got {language!r}")
    return make_strategy(settings.strategy, {**options, "language": language})


def _options(settings: Settings) -> dict[str, Any]:
    values = {name: getattr(settings, name) for name in OPTIONAL}
    given = {name: value for name, value in values.items() if value is not None}
    return {**settings.limit, **given, "tokenizer": settings.tokenizer}
