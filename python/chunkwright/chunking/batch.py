"""Many texts at once: as one result, or one result after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from chunkwright import _core
from chunkwright.chunking.options import checked_int
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns, Origin
from chunkwright.document import Document
from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from chunkwright.tokenizer import Tokenizer

Errors = Literal["raise", "collect"]

# How far a stream reads ahead.
WINDOW_TEXTS = 1024
WINDOW_CHARS = 2**23
# With an embedder it begins so far ahead: many short texts are one call.
EMBEDDED_TEXTS = 64

# More threads than any machine has use for.
MAX_WORKERS = 1024


@dataclass
class Texts:
    """Texts on their way to the core, with what is known about each."""

    texts: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    errors: dict[int, Exception] = field(default_factory=dict)
    n_chars: int = 0

    def add(self, item: object, *, at: int, collects: bool) -> None:
        """Add the item that stands ``at`` that place of what the caller gave.

        Raises
        ------
        ConfigError
            If it is no text, and errors are not to be collected.
        """
        text, name = (item.text, item.name) if isinstance(item, Document) else (item, None)
        if not isinstance(text, str):
            error = ConfigError(
                f"texts[{at}] must be a str or a Document, got {type(text).__name__}"
            )
            if not collects:
                raise error
            self.errors[len(self.texts)] = error
            text = ""
        self.texts.append(text)
        self.names.append(name)
        self.n_chars += len(text)


@dataclass(frozen=True)
class Cutting:
    """A strategy as its batches and streams need it."""

    cutter: _core.Cutter
    tokenizer: Tokenizer
    sizes_are_tokens: bool
    workers: int
    collects: bool

    def all(self, texts: Texts) -> Chunks:
        """Cut all texts, as one result."""
        core, failed = self.cutter.cut_all(texts.texts, self.workers, self.collects)
        return self._chunks(
            core, Origin(texts.names, of_batch=True, errors=dict(failed) | texts.errors)
        )

    def each(self, texts: Texts) -> Iterator[Chunks]:
        """Cut all texts, as one result each, which is forgotten once it was taken."""
        results = deque(self.cutter.cut_each(texts.texts, self.workers, self.collects))
        names = deque(texts.names)
        texts.texts.clear()
        for i in range(len(results)):
            core, name = results.popleft(), names.popleft()
            error = texts.errors.get(i)
            if isinstance(core, Exception):
                if not self.collects:
                    raise core
                error, core = core, self.cutter.cut("")
            errors = {} if error is None else {0: error}
            yield self._chunks(core, Origin([name], errors=errors))

    def _chunks(self, core: _core.Columns, origin: Origin) -> Chunks:
        columns = Columns(
            core,
            tokenizer=self.tokenizer,
            sizes_are_tokens=self.sizes_are_tokens,
            origin=origin,
        )
        return Chunks(columns)


def batch(
    cutting: Cutting, texts: Iterable[str | Document], names: Iterable[str | None] | None
) -> Chunks:
    """Cut all of ``texts``; see :meth:`chunkwright.chunking.strategy.Strategy.batch`."""
    gathered = Texts()
    for at, item in enumerate(_items(texts)):
        gathered.add(item, at=at, collects=cutting.collects)
    if names is not None:
        gathered.names = checked_names(names, gathered.names)
    return cutting.all(gathered)


def stream(cutting: Cutting, texts: Iterable[str | Document]) -> Iterator[Chunks]:
    """Cut one window of ``texts`` after another; see ``Strategy.stream``."""
    return _windows(cutting, enumerate(_items(texts)))


def _windows(cutting: Cutting, items: Iterator[tuple[int, object]]) -> Iterator[Chunks]:
    # The first results come soon, however slowly the texts do.
    n_texts = max(cutting.workers, EMBEDDED_TEXTS if cutting.cutter.calls_embedder else 1)
    ended = False
    while not ended:
        window, failed = Texts(), None
        try:
            ended = _fill(window, items, n_texts, collects=cutting.collects)
        except Exception as error:  # noqa: BLE001 - raised again behind the texts before it
            failed = error
        yield from cutting.each(window)
        if failed is not None:
            raise failed
        n_texts = min(2 * n_texts, WINDOW_TEXTS)


def _fill(
    window: Texts, items: Iterator[tuple[int, object]], n_texts: int, *, collects: bool
) -> bool:
    """Take the next items; whether there are no more of them."""
    while len(window.texts) < n_texts and window.n_chars < WINDOW_CHARS:
        try:
            at, item = next(items)
        except StopIteration:
            return True
        window.add(item, at=at, collects=collects)
    return False


def _items(texts: object) -> Iterable[object]:
    # Each character of a str is one, too: what is iterated over by mistake.
    is_one = isinstance(texts, str | bytes | bytearray | Document)
    if is_one or not isinstance(texts, Iterable):
        raise ConfigError(f"texts must be an iterable of str, got {type(texts).__name__}")
    return texts


def checked_names(names: Iterable[str | None], documents: list[str | None]) -> list[str | None]:
    """Return a name for each document: the one that is given, else its own.

    Raises
    ------
    ConfigError
        If there is not one name, or None, for each.
    """
    if isinstance(names, str):
        raise ConfigError(f"names must be an iterable of str, got {names!r}")
    checked = list(names)
    if len(checked) != len(documents):
        raise ConfigError(f"{len(documents)} texts need as many names, got {len(checked)}")
    for at, name in enumerate(checked):
        if not isinstance(name, str | None):
            raise ConfigError(f"names[{at}] must be a str or None, got {name!r}")
    return [own if name is None else name for name, own in zip(checked, documents, strict=True)]


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
    if errors not in ("raise", "collect"):
        raise ConfigError(f"unknown errors {errors!r}: {nearest(errors, ['raise', 'collect'])}")
    return errors == "collect"
