"""Contexts put in front of chunks, on copies of them."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chunkwright.contextual.prefixed import contexts_for, with_context
from chunkwright.errors import ReadError


def contextualize(
    chunks: Sequence[Any], contexts: Iterable[str] | Callable[[Any], str]
) -> list[Any]:
    """Put a context in front of the text of each chunk.

    Parameters
    ----------
    chunks
        Elements, or what `elements_to_dicts` makes of them. They are not changed.
    contexts
        A sentence or two for each chunk that say what it is about in its document; or a function
        that writes them, given a chunk.

    Returns
    -------
    list
        Copies of the chunks. An id that a chunk had is derived anew, and embeddings are gone:
        both were of the other text.

    Raises
    ------
    ConfigError
        If there is not one ``str`` for each chunk.
    ReadError
        For a chunk without text.

    Examples
    --------
    >>> from chunkwright.compat.unstructured import contextualize
    >>> chunks = [{"type": "CompositeElement", "text": "It has 27 members.", "metadata": {}}]
    >>> contextualize(chunks, ["On the European Union."])[0]["text"]
    'Prefix: On the European Union.; Original: It has 27 members.'
    """
    pairs = zip(chunks, contexts_for(chunks, contexts), strict=True)
    return [_with(context, chunk, i) for i, (chunk, context) in enumerate(pairs)]


def _with(context: str, chunk: Any, i: int) -> Any:
    if isinstance(chunk, dict):
        return _dict_with(context, chunk, i)
    if not isinstance(getattr(chunk, "text", None), str):
        raise ReadError(f"chunks[{i}] has no text: {type(chunk).__name__}")
    copied = copy.copy(chunk)
    copied.metadata = copy.copy(chunk.metadata)
    copied.text = with_context(context, chunk.text)
    copied._element_id = _derived(chunk._element_id, copied.text)  # noqa: SLF001 - has no setter
    copied.embeddings = None
    return copied


def _dict_with(context: str, chunk: dict[str, Any], i: int) -> dict[str, Any]:
    if not isinstance(chunk.get("text"), str):
        raise ReadError(f"chunks[{i}]: text must be a str, got {chunk.get('text')!r}")
    text = with_context(context, chunk["text"])
    copied = {**chunk, "text": text}
    copied.pop("embeddings", None)
    if "element_id" in copied:
        copied["element_id"] = _derived(copied["element_id"], text)
    return copy.deepcopy(copied)


def _derived(element_id: str | None, text: str) -> str | None:
    """Return an id of what the element says now; None, which makes one up, where it had none."""
    if element_id is None:
        return None
    source = f"{element_id}{text}".encode(errors="surrogatepass")
    return hashlib.sha256(source).hexdigest()[:32]
