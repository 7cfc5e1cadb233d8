"""Many texts at once: as one result, or one result after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Literal, TypeAlias

from chunkwright import _core
from chunkwright.checks import checked_int, checked_name
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.origin import Origin

# What the core cuts: a text, one with elements, or one that is told to be of a kind.
CoreSource: TypeAlias = str | _core.Elements | tuple[str, int]

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.tokens.tokenizer import Tokenizer

    # The number of a text, the text, and the name that the caller gave, if any.
    Item: TypeAlias = tuple[int, object, str | None]
    Reader: TypeAlias = Callable[[object, int], Document]
    Told: TypeAlias = Callable[[str | _core.Elements, str | None], CoreSource]

Errors = Literal["raise", "collect"]

# How far a stream reads ahead.
WINDOW_TEXTS = 1024
WINDOW_CHARS = 2**23
# With an embedder or a model it begins so far ahead: many short texts are one call.
ASKED_TEXTS = 64

# Behind the last name.
_END = object()

# More threads than any machine has use for.
MAX_WORKERS = 1024


@dataclass
class Texts:
    """Texts on their way to the core, with what is known about each."""

    read: Reader
    sources: list[str | _core.Elements] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    errors: dict[int, Exception] = field(default_factory=dict)
    n_chars: int = 0

    def add(self, item: object, name: str | None = None, *, at: int, collects: bool) -> None:
        """Add the item that stands ``at`` that place of what the caller gave, and its name there.

        Raises
        ------
        ConfigError, ReadError
            If it is no document, and errors are not to be collected.
        """
        try:
            document = self.read(item, at)
        except ChunkwrightError as error:
            if not collects:
                raise
            self.errors[len(self.sources)] = error
            document = Document(text="")
        elements = document.elements
        self.sources.append(document.text if elements is None else elements.core)
        self.documents.append(document)
        self.names.append(document.name if name is None else name)
        self.n_chars += len(document.text) if elements is None else elements.core.n_chars


@dataclass(frozen=True)
class Cutting:
    """A strategy as its batches and streams need it."""

    cutter: _core.Cutter
    read: Reader
    # Tells the core of what kind documents are, by their names; None: the strategy does not ask.
    told: Told | None
    singles: tuple[type, ...]
    tokenizer: Tokenizer
    sizes_are_tokens: bool
    provenance: Mapping[str, str]
    columns: Sequence[str]
    workers: int
    collects: bool

    def all(self, texts: Texts) -> Chunks:
        """Cut all texts, as one result."""
        core, failed = self.cutter.cut_all(self._sources(texts), self.workers, self.collects)
        errors = dict(failed) | texts.errors
        origin = Origin.of_many(texts.documents, texts.names, self, errors)
        return self._chunks(core, origin)

    def each(self, texts: Texts) -> Iterator[Chunks]:
        """Cut all texts, as one result each, which is forgotten once it was taken."""
        results = deque(self.cutter.cut_each(self._sources(texts), self.workers, self.collects))
        names, documents = deque(texts.names), deque(texts.documents)
        texts.sources.clear()
        texts.documents.clear()
        for i in range(len(results)):
            core, name, document = results.popleft(), names.popleft(), documents.popleft()
            error = texts.errors.get(i)
            if isinstance(core, Exception):
                if not self.collects:
                    raise core
                error, core = core, self.cutter.cut("")
            errors = {} if error is None else {0: error}
            origin = Origin.of(document, name, self, errors)
            yield self._chunks(core, origin)

    def pieces(self, texts: Texts) -> list[_core.Pieces]:
        """Return the pieces of all texts."""
        return self.cutter.pieces(self._sources(texts), self.workers)

    def _sources(self, texts: Texts) -> Sequence[CoreSource]:
        if self.told is None:
            return texts.sources
        return list(map(self.told, texts.sources, texts.names))

    def _chunks(self, core: _core.Columns, origin: Origin) -> Chunks:
        columns = Columns(
            core,
            tokenizer=self.tokenizer,
            sizes_are_tokens=self.sizes_are_tokens,
            origin=origin,
        )
        return Chunks(columns)


def batch(cutting: Cutting, texts: Iterable[object], names: Iterable[str | None] | None) -> Chunks:
    """Cut all of ``texts``; see :meth:`chunkwright.chunking.bases.strategy.Strategy.batch`."""
    gathered = Texts(cutting.read)
    for at, item in enumerate(_items(texts, cutting.singles)):
        gathered.add(item, at=at, collects=cutting.collects)
    if names is not None:
        gathered.names = checked_names(names, gathered.names)
    return cutting.all(gathered)


def stream(
    cutting: Cutting, texts: Iterable[object], names: Iterable[str | None] | None
) -> Iterator[Chunks]:
    """Cut one window of ``texts`` after another; see ``Strategy.stream``."""
    items = _items(texts, cutting.singles)
    return _streamed(cutting, _named(items, None if names is None else _iterated(names)))


def pieces(cutting: Cutting, texts: Iterable[object]) -> Iterator[_core.Pieces]:
    """Yield the pieces that each of ``texts`` is asked about, before it is cut."""
    for window in _windows(cutting, _named(_items(texts, cutting.singles), None)):
        yield from cutting.pieces(window)


def _streamed(cutting: Cutting, items: Iterator[Item]) -> Iterator[Chunks]:
    for window in _windows(cutting, items):
        yield from cutting.each(window)


def _windows(cutting: Cutting, items: Iterator[Item]) -> Iterator[Texts]:
    """Yield texts that are cut together; what an item fails with is raised behind those before."""
    # The first results come soon, however slowly the texts do.
    n_texts = max(cutting.workers, ASKED_TEXTS if cutting.cutter.calls_back else 1)
    ended = False
    while not ended:
        window, failed = Texts(cutting.read), None
        try:
            ended = _fill(window, items, n_texts, collects=cutting.collects)
        except Exception as error:  # noqa: BLE001 - raised again behind the texts before it
            failed = error
        yield window
        if failed is not None:
            raise failed
        n_texts = min(2 * n_texts, WINDOW_TEXTS)


def _fill(window: Texts, items: Iterator[Item], n_texts: int, *, collects: bool) -> bool:
    """Take the next items; whether there are no more of them."""
    while len(window.sources) < n_texts and window.n_chars < WINDOW_CHARS:
        try:
            at, item, name = next(items)
        except StopIteration:
            return True
        window.add(item, name, at=at, collects=collects)
    return False


def _items(texts: object, singles: tuple[type, ...]) -> Iterable[object]:
    # Each character of a str is one, too: what is iterated over by mistake.
    is_one = isinstance(texts, singles)
    if is_one or not isinstance(texts, Iterable):
        kind = type(texts).__name__
        raise ConfigError(f"texts must be an iterable of str, got {kind}")
    return texts


def _named(texts: Iterable[object], names: Iterator[str | None] | None) -> Iterator[Item]:
    """Yield each text with its number and the name that it is given, if any; one is read with it.

    Raises
    ------
    ConfigError
        If there are more texts than names, or fewer, or a name is none.
    """
    n_texts = 0
    for at, item in enumerate(texts):
        name = None if names is None else next(names, _END)
        if name is _END:
            raise ConfigError(f"texts[{at}] has no name: names ended before texts did")
        yield at, item, _checked_name(at, name)
        n_texts += 1
    if names is not None and next(names, _END) is not _END:
        raise ConfigError(f"names[{n_texts}] has no text: texts ended before names did")


def checked_names(names: Iterable[str | None], documents: list[str | None]) -> list[str | None]:
    """Return a name for each document: the one that is given, else its own.

    Raises
    ------
    ConfigError
        If there is not one name, or None, for each.
    """
    checked = list(_iterated(names))
    if len(checked) != len(documents):
        raise ConfigError(f"{len(documents)} texts need as many names, got {len(checked)}")
    given = map(_checked_name, count(), checked)
    return [own if name is None else name for name, own in zip(given, documents, strict=True)]


def _iterated(names: object) -> Iterator[str | None]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ConfigError(f"names must be an iterable of str, got {names!r}")
    return iter(names)


def _checked_name(at: int, name: object) -> str | None:
    if not isinstance(name, str | None):
        raise ConfigError(f"names[{at}] must be a str or None, got {name!r}")
    return name


def checked_workers(workers: int | None) -> int:
    """Return how many threads to use.

    Raises
    ------
    ConfigError
        If ``workers`` is no such number.
    """
    if workers is None:
        return min(_core.available_workers(), MAX_WORKERS)
    return checked_int("workers", workers, least=1, most=MAX_WORKERS)


def checked_errors(errors: object) -> bool:
    """Return whether errors are to be collected.

    Raises
    ------
    ConfigError
        If it is neither ``"raise"`` nor ``"collect"``.
    """
    return checked_name("errors", errors, ("raise", "collect")) == "collect"
