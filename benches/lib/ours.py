"""Our own calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lib.contenders import Check, Outcome, Work
from lib.corpus import minilm_json

if TYPE_CHECKING:
    from collections.abc import Callable

    import chunkwright

    Strategy = Callable[..., Callable[[str], chunkwright.Chunks]]

COMPAT = "chunkwright.compat.langchain"
CHROMA = "chunkwright.compat.chroma"
SEMCHUNK = "chunkwright.compat.semchunk"


def count_word_pieces() -> Work:
    """Count the word pieces of all-MiniLM-L6-v2 natively."""
    import chunkwright

    return chunkwright.Tokenizer(minilm_json()).count


def count(name: str) -> Work:
    """Count tokens natively."""
    import chunkwright

    return lambda text: chunkwright.count_tokens(text, name)


def recursive(**options: Any) -> Callable[[str], chunkwright.Chunks]:
    """Return the recursive strategy."""
    import chunkwright

    return chunkwright.Recursive(**options)


def recursive_word_pieces(**options: Any) -> Callable[[str], chunkwright.Chunks]:
    """Return the recursive strategy that counts word pieces of all-MiniLM-L6-v2."""
    return recursive(tokenizer=minilm_json(), **options)


def window(**options: Any) -> Callable[[str], chunkwright.Chunks]:
    """Return the strategy of windows."""
    import chunkwright

    return chunkwright.Window(**options)


def sentence(**options: Any) -> Callable[[str], chunkwright.Chunks]:
    """Return the strategy that packs sentences."""
    import chunkwright

    return chunkwright.Sentence(**options)


def balanced(**options: Any) -> Callable[[str], chunkwright.Chunks]:
    """Return the strategy of even sizes."""
    import chunkwright

    return chunkwright.Balanced(**options)


def offsets(splitter: Strategy, **options: Any) -> Work:
    """Cut into the two columns of offsets, in code points; no text yet."""
    split = splitter(**options)

    def work(text: str) -> chunkwright.Chunks:
        chunks = split(text)
        _ = chunks.starts, chunks.ends
        return chunks

    return work


def texts(splitter: Strategy, **options: Any) -> Work:
    """Cut into a list of strings."""
    split = splitter(**options)
    return lambda text: split(text).texts()


def chunked(_text: str, chunks: chunkwright.Chunks) -> Outcome:
    """Take texts and offsets of the chunks."""
    return Outcome(texts=chunks.texts(), spans=_spans(chunks))


def texts_of(splitter: Strategy, **options: Any) -> Check:
    """Return a check that takes the offsets from the strategy which gave the strings."""

    def outcome(text: str, result: list[str]) -> Outcome:
        return Outcome(texts=result, spans=_spans(splitter(**options)(text)))

    return outcome


def _spans(chunks: chunkwright.Chunks) -> list[tuple[int, int]]:
    return list(zip(chunks.starts.tolist(), chunks.ends.tolist(), strict=True))
