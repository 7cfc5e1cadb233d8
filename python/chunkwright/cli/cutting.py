"""Settings as a strategy, ready to cut."""

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chunkwright.cli.embedding import Progress, with_embedder
from chunkwright.cli.entry import Entry
from chunkwright.cli.inputs import Source
from chunkwright.cli.settings import BY_MEANING, Settings
from chunkwright.errors import ConfigError
from chunkwright.read.text import check_decoding, decode

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

Cutter = Callable[[Source], "Chunks"]
OPTIONAL = (
    *("soft_max", "overlap", "overlap_at", "separators", "sentences", "window"),
    *BY_MEANING,
)


def cutter(settings: Settings, progress: Progress | None = None) -> Cutter:
    """Return a function that reads a source and cuts it.

    A model tells `progress` how many texts of a call it has embedded.

    Raises
    ------
    ConfigError, TokenizerError
        If a setting, or two together, make no sense; names it.
    """
    check_decoding(settings.encoding, settings.errors)
    strategy = strategy_of(settings, progress)

    def cut(source: Source) -> "Chunks":
        entry = entry_of(source, settings)
        return strategy(entry.document)

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


def entry_of(source: Source, settings: Settings) -> Entry:
    """Read a source as one document: of elements, if it holds some and they are what is cut.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding, or holds no elements where it has to.
    """
    from chunkwright.chunking import ELEMENT_STRATEGIES
    from chunkwright.cli.elements import elements_in, looks_like_elements, no_elements

    text = read(source, settings)
    wanted = settings.input_format == "elements"
    if not wanted and settings.strategy in ELEMENT_STRATEGIES:
        wanted = settings.input_format is None and looks_like_elements(text)
        if not wanted:
            raise no_elements(settings.strategy, source.name)
    if not wanted:
        return Entry(source.document, source.name, text)
    document = elements_in(text, source.document, source.name)
    return Entry(source.document, source.name, document.text, elements=document)


def describe(settings: Settings) -> str:
    """Say how is cut, on one line."""
    options = _options(settings)
    if settings.language is not None:
        options["language"] = settings.language
    return ", ".join([settings.strategy, *(f"{name}={value!r}" for name, value in options.items())])


def strategy_of(settings: Settings, progress: Progress | None = None) -> "AnyStrategy":
    """Make the strategy that the settings describe.

    A model tells `progress` how many texts of a call it has embedded.

    Raises
    ------
    ConfigError, TokenizerError, ModelError
        If a setting, or two together, make no sense, or a model cannot be used; names it.
    """
    from chunkwright import Recursive
    from chunkwright.chunking import ALL_STRATEGIES, make_strategy

    options, language = with_embedder(_options(settings), settings, progress), settings.language
    if language is None:
        return make_strategy(settings.strategy, options)
    if settings.strategy == "recursive":
        if settings.separators is not None:
            both = f"language {language!r} brings its own separators"
            raise ConfigError(f"{both}: give one of the two")
        return Recursive.for_language(language, **options)
    kind = ALL_STRATEGIES.get(settings.strategy)
    if kind is not None and "language" not in {field.name for field in fields(kind)}:
        raise ConfigError(f"strategy {settings.strategy!r} has no language, got {language!r}")
    return make_strategy(settings.strategy, {**options, "language": language})


def _options(settings: Settings) -> dict[str, Any]:
    values = {name: getattr(settings, name) for name in OPTIONAL}
    given = {name: value for name, value in values.items() if value is not None}
    return {**settings.limit, **given, "tokenizer": settings.tokenizer}
