"""Settings as a strategy, ready to cut."""

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any

from chunkwright.chunking import registry
from chunkwright.cli.flags import named_as_flags, read_error
from chunkwright.cli.settings.embedder import Progress, named_embedder
from chunkwright.cli.settings.table import Settings, cutting
from chunkwright.errors import ReadError
from chunkwright.io.entry import Entry
from chunkwright.io.inputs import Source
from chunkwright.logs import timed
from chunkwright.readers.text import check_decoding, decode

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks

Cutter = Callable[[Source], "Chunks"]


def cutter(settings: Settings, progress: Progress | None = None) -> Cutter:
    """Return a function that reads a source and cuts it.

    A model tells `progress` how many texts of a call it has embedded.

    Raises
    ------
    ConfigError, TokenizerError
        If a setting, or two together, make no sense; names it.
    """
    check_reading(settings)
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
    return decoded(source.read(), settings, source.name)


def decoded(data: bytes, settings: Settings, place: str) -> str:
    """Return bytes as text.

    Raises
    ------
    ReadError
        If they are not in the encoding; names the place.
    """
    try:
        return decode(data, encoding=settings.encoding, errors=settings.errors, name=place)
    except ReadError as error:
        raise read_error(error, place) from error


def check_reading(settings: Settings) -> None:
    """Check how inputs are decoded.

    Raises
    ------
    ConfigError
        If the encoding, or what is done with other bytes, is unknown; names it.
    """
    with named_as_flags():
        check_decoding(settings.encoding, settings.errors)


def entry_of(source: Source, settings: Settings) -> Entry:
    """Read a source as one document: of elements, if it holds some and they are what is cut.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding, or holds no elements where it has to.
    """
    from chunkwright.chunking import ELEMENT_STRATEGIES
    from chunkwright.io.element_files import elements_in, looks_like_elements, no_elements

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
    options = ", ".join(f"{name}={value!r}" for name, value in _options(settings).items())
    return f"{settings.strategy}, {options}"


def strategy_of(
    settings: Settings, progress: Progress | None = None, keys: Collection[str] = ()
) -> "AnyStrategy":
    """Make the strategy that the settings describe.

    Parameters
    ----------
    settings
        The settings.
    progress
        Is told by a model how many texts of a call it has embedded.
    keys
        Settings that errors name by these keys, and not by flags.

    Raises
    ------
    ConfigError, TokenizerError, ModelError
        If a setting, or two together, make no sense, or a model cannot be used; names it.
    """
    make = partial(named_embedder, is_cached=settings.vector_cache, progress=progress)
    with named_as_flags(keys), timed(f"making strategy {settings.strategy!r}"):
        return registry.strategy_of(
            {"strategy": settings.strategy, **_options(settings)}, embedder=make
        )


def _options(settings: Settings) -> dict[str, Any]:
    own = {name: settings.options[name] for name in cutting() if name in settings.options}
    own.pop("tokenizer", None)
    return {**settings.limit, **own, "tokenizer": settings.tokenizer}
