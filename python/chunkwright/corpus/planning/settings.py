"""Settings of a run: what its rows depend on beside the inputs, and what of it has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.fingerprint import fingerprint_of
from chunkwright.embed import as_embedder
from chunkwright.errors import ConfigError
from chunkwright.io.documents import reader_fingerprint
from chunkwright.io.sources import Reading
from chunkwright.readers.kinds import FILES

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike

FROM_INPUTS = frozenset({"readers", "columns"})
"""Settings that follow from which inputs there are, and no option says."""

_USUAL = Reading()
# What rows depend on: the rest says when a run ends.
_READING = (
    *("input_format", "encoding", "errors", "drop", "pages", "text_column", "id_column"),
    *("text_kind", "by_content", "drop_columns"),
)
# Of a value that has changed, so much is shown.
_SHOWN = 160
# What stands between options.
_BETWEEN, _AROUND = ", ", "[]{}"


def strategy_fingerprint(strategy: Chunker, own: str | None) -> str:
    """Return what names a strategy and its options.

    Parameters
    ----------
    strategy
        The strategy.
    own
        The caller's own name for it, where it has none by itself.

    Raises
    ------
    ConfigError
        If neither is there: shards that were cut otherwise could not be told apart.
    """
    found = fingerprint_of(strategy) or own
    if found is None:
        message = (
            "a run knows shards by the options that they were cut with, and those of"
            f" {type(strategy).__name__} cannot be told, say because its tokenizer or model is a"
            " function: name them with fingerprint="
        )
        raise ConfigError(message, option="fingerprint")
    return found


def embedder_fingerprint(embedder: EmbedderLike | None, own: str | None) -> str | None:
    """Return what names an embedder; None if there is none.

    Raises
    ------
    ConfigError
        If it cannot be named, as :func:`strategy_fingerprint`.
    """
    if embedder is None:
        return None
    found = as_embedder(embedder).fingerprint or own
    if not found:
        message = (
            "a run knows vectors by the fingerprint of their model, and this embedder has none:"
            " give it an attribute fingerprint, or name it with fingerprint="
        )
        raise ConfigError(message, option="fingerprint")
    return found


def readers_fingerprint(*, has_files: bool) -> str:
    """Return what names the readers of the inputs."""
    kinds = (None, *FILES) if has_files else (None,)
    return str([reader_fingerprint(kind, _USUAL) for kind in kinds])


def reading_fingerprint(reading: Reading) -> str:
    """Return what names the options of reading."""
    return str({name: getattr(reading, name) for name in _READING})


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return which settings have changed, in words."""
    return [
        f"{name}: {_changed(str(before.get(name)), str(now.get(name)))}"
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]


def _changed(before: str, now: str) -> str:
    """Return what has changed in a text, without the options that both have."""
    first, last = ([part.strip(_AROUND) for part in text.split(_BETWEEN)] for text in (before, now))
    gone, new = ([part for part in a if part not in b] for a, b in ((first, last), (last, first)))
    if not (gone or new):
        # The same options in another order.
        gone, new = first, last
    return f"{_short(_BETWEEN.join(gone))} -> {_short(_BETWEEN.join(new))}"


def _short(text: str) -> str:
    text = text or "nothing"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
