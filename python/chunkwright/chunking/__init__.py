"""The strategies, and :func:`chunk`, which calls one by its name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from chunkwright.chunking.balanced import Balanced
from chunkwright.chunking.recursive import Recursive
from chunkwright.chunking.sentence import Sentence
from chunkwright.chunking.separators import Separator
from chunkwright.chunking.strategy import Strategy
from chunkwright.chunking.window import Window
from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ConfigError, nearest

STRATEGIES: dict[str, type[Strategy]] = {
    "recursive": Recursive,
    "sentence": Sentence,
    "balanced": Balanced,
    "window": Window,
}

__all__ = [
    "STRATEGIES",
    "Balanced",
    "Recursive",
    "Sentence",
    "Separator",
    "Strategy",
    "Window",
    "chunk",
    "make_strategy",
]


def chunk(
    text: str | Document, strategy: str = "recursive", *, name: str | None = None, **options: Any
) -> Chunks:
    """Cut ``text`` into chunks.

    Parameters
    ----------
    text
        The text, or a :class:`chunkwright.Document`.
    strategy
        ``"recursive"`` (:class:`chunkwright.Recursive`), ``"sentence"``
        (:class:`chunkwright.Sentence`), ``"balanced"`` (:class:`chunkwright.Balanced`) or
        ``"window"`` (:class:`chunkwright.Window`).
    name
        The document's name, from which ids are derived.
    **options
        Those of the strategy; ``max_tokens`` or ``max_chars`` is needed, but for ``sentences``.

    Returns
    -------
    Chunks
        None for an empty text, and for one of whitespace only.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, or a value makes no sense.
    TokenizerError
        If a callable tokenizer gives no count.

    Examples
    --------
    >>> import chunkwright as cw
    >>> chunks = cw.chunk("One sentence. And one more.", "recursive", max_tokens=4)
    >>> [(c.text, c.start, c.end, c.n_tokens) for c in chunks]
    [('One sentence. And', 0, 17, 4), ('one more.', 18, 27, 3)]
    """
    return make_strategy(strategy, options)(text, name=name)


def make_strategy(strategy: str, options: dict[str, Any]) -> Strategy:
    """Return the strategy of that name with ``options``.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, with the nearest right name.
    """
    kind = STRATEGIES.get(strategy)
    if kind is None:
        raise ConfigError(f"unknown strategy {strategy!r}: {nearest(strategy, list(STRATEGIES))}")
    known = [field.name for field in fields(kind) if field.init]
    for option in options:
        if option not in known:
            hint = nearest(option, known)
            raise ConfigError(f"unknown option {option!r} of {strategy!r}: {hint}")
    return kind(**options)
