"""Settings as a strategy, ready to cut."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chunkwright.cli.inputs import Source
from chunkwright.cli.settings import Settings
from chunkwright.errors import ConfigError
from chunkwright.read.text import check_decoding, decode

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

Cutter = Callable[[Source], "Chunks"]


def cutter(settings: Settings) -> Cutter:
    """Return a function that reads a source and cuts it.

    Raises
    ------
    ConfigError, TokenizerError
        If a setting, or two together, make no sense; names it.
    """
    from chunkwright import Document

    check_decoding(settings.encoding, settings.errors)
    strategy = _strategy(settings)

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


def _strategy(settings: Settings) -> Callable[..., "Chunks"]:
    from chunkwright import Recursive
    from chunkwright.chunking import make_strategy

    options, language = _options(settings), settings.language
    if language is None:
        return make_strategy(settings.strategy, options)
    if settings.strategy != "recursive":
        raise ConfigError(f"language {language!r} is for strategy 'recursive' only")
    if settings.separators is not None:
        raise ConfigError(f"language {language!r} brings its own separators: give one of the two")
    return Recursive.for_language(language, **options)


def _options(settings: Settings) -> dict[str, Any]:
    optional = {
        "soft_max": settings.soft_max,
        "overlap": settings.overlap,
        "overlap_at": settings.overlap_at,
        "separators": settings.separators,
    }
    given = {name: value for name, value in optional.items() if value is not None}
    return {**settings.limit, **given, "tokenizer": settings.tokenizer}
