"""Shadows: the end of the chunk before each chunk, and the start of the one behind, beside it."""

from __future__ import annotations

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.chunks import Chunks
from chunkwright.errors import ConfigError

N_TOKENS = 60


def shadows(chunks: Chunks, *, tokens: int | None = None, chars: int | None = None) -> Chunks:
    r"""Put the ends of its neighbours beside each chunk, for a second look at doubtful hits.

    An answer may stand where two chunks meet, so that neither is a clear hit. An overlap would
    repeat text in everything that is embedded. A shadow is a separate column instead: it is not
    part of the chunk's text or id, and is neither counted nor embedded. Search it when a hit is
    neither clearly right nor clearly wrong.

    Parameters
    ----------
    chunks
        The chunks, of one document or of many.
    tokens
        The most tokens of a shadow, counted with the tokenizer of the chunks; 60 by default.
    chars
        The most code points of a shadow, instead of tokens.

    Returns
    -------
    Chunks
        The same chunks, with :attr:`chunkwright.Chunk.prefix_shadow` (the end of the sibling
        before) and :attr:`chunkwright.Chunk.suffix_shadow` (the start of the sibling after), which
        are also columns of rows and tables. A shadow is taken from the sibling's own text, without
        repeated headings, headers and overlap: all of it if it fits, else whole words. Siblings are
        neighbours in a document. In a document with elements they are in the same section, so a
        chunk that begins with a heading has no sibling before it.

    Raises
    ------
    ConfigError
        If both sizes or none are given, or one is not valid.
    TokenizerError
        If a callable tokenizer gives no count.

    Examples
    --------
    >>> import chunkwright as cw
    >>> notes = b"# Rain\n\nIt rained on Monday.\n\nIt stopped.\n\n# Sun\n\nIt shone."
    >>> chunks = cw.chunk(cw.read(notes, name="notes.md"), "hierarchical", max_chars=40)
    >>> chunks = cw.shadows(chunks, chars=12)
    >>> [(chunk.prefix_shadow, chunk.suffix_shadow) for chunk in chunks]
    [(None, 'It stopped.'), ('on Monday.', None), (None, None)]
    >>> chunks.texts()
    ['# Rain\n\nIt rained on Monday.', '# Rain\n\nIt stopped.', '# Sun\n\nIt shone.']
    """
    if not isinstance(chunks, Chunks):
        raise ConfigError(f"chunks must be Chunks, got {type(chunks).__name__}")
    if tokens is not None and chars is not None:
        both = f"tokens={tokens!r} and chars={chars!r}"
        raise ConfigError(f"at most one of tokens and chars can be the size, got {both}")
    columns, rows = chunks.columns, chunks.rows
    if chars is None:
        unit = columns.tokenizer.unit
        most = checked_int("tokens", N_TOKENS if tokens is None else tokens, least=1)
    else:
        unit, most = _core.Unit.named("chars"), checked_int("chars", chars, least=1)
    found = columns.core.shadows(sorted(rows), unit, most)
    return Chunks(columns.replaced(shadows=found), rows)
