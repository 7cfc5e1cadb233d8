"""Shadows: the end of the chunk before each chunk, and the start of the one behind, beside it."""

from __future__ import annotations

from chunkwright import _core
from chunkwright.checks import checked_int
from chunkwright.chunks import Chunks
from chunkwright.errors import ConfigError

N_TOKENS = 60


def shadows(chunks: Chunks, *, tokens: int | None = None, chars: int | None = None) -> Chunks:
    r"""Put what stands before and behind each chunk beside it, for a second look at hits.

    What is asked for may stand where two chunks meet, so that neither is found for sure. An overlap
    would repeat text in all that is embedded. A shadow is a column of its own: it is never part of
    a chunk's text, of its id, of what is counted, embedded or searched. It is there to be searched
    where a chunk is found that is neither surely right nor surely wrong.

    Parameters
    ----------
    chunks
        The chunks, of one document or of many.
    tokens
        So many tokens a shadow has at most, by the tokenizer that the chunks were cut with; 60 by
        default.
    chars
        So many code points it has at most, instead of tokens.

    Returns
    -------
    Chunks
        The same chunks, with :attr:`chunkwright.Chunk.prefix_shadow` (the end of the sibling
        before) and :attr:`chunkwright.Chunk.suffix_shadow` (the start of the sibling behind), which
        are columns of rows and tables, too. A shadow is the sibling's own text, without headings,
        headers and overlap that this repeats: all of it if it fits, else whole words. Siblings are
        neighbours in a document; where it has elements, they are of one section: a chunk that
        begins with a heading has no sibling before it.

    Raises
    ------
    ConfigError
        If both or no sizes are given, or one is none.
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
