"""Expansion of chunks to their elements, sections, pages or neighbours, for what was found."""

from __future__ import annotations

from typing import Literal, get_args, overload

from chunkwright import _core
from chunkwright.checks import checked_int, checked_name
from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.errors import ConfigError

Scope = Literal["element", "section", "page", "turns", "neighbours"]


@overload
def expand(
    chunks: Chunks,
    to: Scope = ...,
    *,
    max_tokens: int | None = ...,
    max_chars: int | None = ...,
) -> Chunks: ...
@overload
def expand(
    chunks: Chunk,
    to: Scope = ...,
    *,
    max_tokens: int | None = ...,
    max_chars: int | None = ...,
) -> Chunk: ...
def expand(
    chunks: Chunks | Chunk,
    to: Scope = "section",
    *,
    max_tokens: int | None = None,
    max_chars: int | None = None,
) -> Chunks | Chunk:
    r"""Widen chunks to the text around them in their document.

    Search finds small chunks best, and models answer best from large ones: search the small ones,
    and give the expanded ones to the model. An expanded chunk is an ordinary chunk. Its own text
    stays its body; the added text before and after it are pieces with the role ``"overlap"``, so
    that :attr:`chunkwright.Chunk.text` is one slice of the document. Repeated headings and table
    headers stay in front, unless the added text contains them.

    Parameters
    ----------
    chunks
        Chunks of documents with elements, or one of them; to ``"neighbours"`` those of any text.
    to
        How far: to all of the ``"element"`` (a paragraph, a list with all its items, a table with
        its caption, and the heading right before it), to the ``"section"`` (from the heading above
        the chunk to the next one of that level or above), or to the ``"page"`` or pages. A chunk of
        several elements begins where the first one's section begins, and ends where the last one's
        ends. ``"turns"``: to the turns before and behind it in its conversation, one on each side
        or, within a limit, as many as fit. ``"neighbours"``: the same of the chunks before and
        behind it in its document. It needs no elements.
    max_tokens, max_chars
        The largest expanded chunk, in tokens of the tokenizer that the chunks were cut with, or in
        code points; by default there is no limit. If not everything fits, elements (or neighbours)
        after and before the chunk are added in turn, as many as fit. A chunk that is larger by
        itself stays as it is.

    Returns
    -------
    Chunks or Chunk
        The expanded chunks, in the same order and with the same numbers. Those of one section have
        the same ``start`` and ``end``. They have no scores and boundaries of semantic strategies.

    Raises
    ------
    ConfigError
        If a document has no elements, or an option makes no sense.
    TokenizerError
        If a callable tokenizer gives no count.

    Examples
    --------
    >>> import chunkwright as cw
    >>> notes = b"# Rain\n\nIt rained.\n\nFor days.\n\n# Sun\n\nIt shone.\n"
    >>> chunks = cw.chunk(cw.read(notes, name="notes.md"), "hierarchical", max_chars=40)
    >>> chunks.texts()
    ['# Rain\n\nIt rained.', '# Rain\n\nFor days.', '# Sun\n\nIt shone.']
    >>> wide = cw.expand(chunks[1], to="section")
    >>> wide.text
    '# Rain\n\nIt rained.\n\nFor days.'
    >>> wide.piece_texts()
    [('overlap', '# Rain\n\nIt rained.\n\n'), ('body', 'For days.')]
    >>> chunks = cw.chunk("One. Two. Three. Four.", "sentence", max_chars=6)
    >>> cw.expand(chunks[1], to="neighbours").text
    'One. Two. Three.'
    """
    if not isinstance(chunks, Chunks | Chunk):
        raise ConfigError(f"chunks must be Chunks or a Chunk, got {type(chunks).__name__}")
    scope = checked_name("to", to, get_args(Scope))
    columns = chunks.columns
    columns.check_whole()
    one = chunks if isinstance(chunks, Chunk) else None
    rows = chunks.rows if isinstance(chunks, Chunks) else range(chunks.index, chunks.index + 1)
    most, in_tokens = _limit(max_tokens, max_chars, columns)
    if scope != "neighbours":
        _check_elements(columns, rows)
    unit = columns.tokenizer.unit if in_tokens else _core.Unit.named("chars")
    expanded = columns.replaced(
        core=columns.core.expanded(sorted(rows), unit, scope, most), sizes_are_tokens=in_tokens
    )
    return Chunks(expanded, rows) if one is None else Chunk(expanded, one.index)


def _limit(
    max_tokens: int | None, max_chars: int | None, columns: Columns
) -> tuple[int | None, bool]:
    """Return the limit, and whether sizes are tokens: without one if the chunks' sizes are."""
    if max_tokens is not None and max_chars is not None:
        both = f"max_tokens={max_tokens!r} and max_chars={max_chars!r}"
        raise ConfigError(f"at most one of max_tokens and max_chars can be the limit, got {both}")
    if max_tokens is not None:
        return checked_int("max_tokens", max_tokens, least=1), True
    if max_chars is not None:
        return checked_int("max_chars", max_chars, least=1), False
    return None, columns.sizes_are_tokens


def _check_elements(columns: Columns, rows: range) -> None:
    elements = columns.origin.elements
    for doc in {int(columns.doc_index[row]) for row in rows}:
        if not elements or elements[doc] is None:
            name = columns.origin.names[doc]
            what = "a chunk" if name is None else f"a chunk of {name!r}"
            raise ConfigError(
                f"{what} is of a text without elements, which says where no section or page "
                "begins: read the document with cw.read"
            )
