"""The result of a strategy: a sequence of chunks over columns that the core owns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, overload

from chunkwright import frames
from chunkwright.checks import checked_index
from chunkwright.chunk_view import Chunk
from chunkwright.errors import ConfigError
from chunkwright.messages.peer_names import OF_CHUNKS, missing

if TYPE_CHECKING:
    from collections.abc import Sequence as Base
    from typing import Self, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.boundaries import Boundaries, Reason
    from chunkwright.columns import Columns
    from chunkwright.context import ContextOutcome
    from chunkwright.document import Document

    NumberT = TypeVar("NumberT", bound=np.generic)
else:
    # Polars makes one column of objects of every `Sequence`, before it looks for Arrow. So Chunks
    # have all methods of one, and type checkers take them for one, but `isinstance` does not.
    class Base:
        """Nothing but a name that can be subscripted."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls


# What a repr shows of a chunk, and of a list of them.
REPR_CHARS = 60
REPR_CHUNKS = 3


class Chunks(frames.Tables, Base[Chunk]):
    """The chunks of one document, or of a batch of them, in order.

    It is a sequence of :class:`Chunk`, and offers the same as columns: NumPy arrays over the core's
    memory. A slice is again ``Chunks``. :meth:`to_polars`, :meth:`to_pandas` and :meth:`to_arrow`
    return tables, :meth:`to_dicts` plain values for JSON. Arrow libraries also take the object
    itself, through the PyCapsule interface: ``polars.DataFrame(chunks)``,
    ``pyarrow.table(chunks)``.

    It has all methods of a ``collections.abc.Sequence``, but is not registered as one, because
    Polars would take it for a list of objects.

    :func:`chunkwright.chunk` and the strategies make chunks. In a batch, ``doc_index`` says which
    document a chunk is from, and offsets refer to that document.

    Examples
    --------
    >>> import chunkwright as cw
    >>> chunks = cw.chunk("One two. Three four.", "recursive", max_chars=10)
    >>> chunks.texts()
    ['One two.', 'Three', 'four.']
    >>> chunks.starts.tolist(), chunks.ends.tolist()
    ([0, 9, 15], [8, 14, 20])
    >>> chunks[1:].texts()
    ['Three', 'four.']
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, columns: Columns, rows: range | None = None) -> None:
        self._columns = columns
        self._rows = range(len(columns)) if rows is None else rows

    @property
    def columns(self) -> Columns:
        """The columns that all views of one result share; see :class:`chunkwright.columns.Columns`.

        They hold all chunks of one call, including those that this view leaves out.
        """
        return self._columns

    @property
    def rows(self) -> range:
        """The rows of :attr:`columns` that this view shows."""
        return self._rows

    # ------------------------------------------------------------------ columns of this view

    @property
    def starts(self) -> NDArray[np.int64]:
        """Starts in code points, shape ``(n,)``."""
        return self._of_view(self._columns.starts)

    @property
    def ends(self) -> NDArray[np.int64]:
        """Ends in code points, shape ``(n,)``."""
        return self._of_view(self._columns.ends)

    @property
    def byte_starts(self) -> NDArray[np.int64]:
        """Starts in UTF-8 bytes, shape ``(n,)``."""
        return self._of_view(self._columns.byte_starts)

    @property
    def byte_ends(self) -> NDArray[np.int64]:
        """Ends in UTF-8 bytes, shape ``(n,)``."""
        return self._of_view(self._columns.byte_ends)

    @property
    def line_starts(self) -> NDArray[np.int64]:
        """The lines, from 1, on which the chunks start, shape ``(n,)``."""
        return self._of_view(self._columns.lines[0])

    @property
    def line_ends(self) -> NDArray[np.int64]:
        """The lines, from 1, on which the chunks end, shape ``(n,)``."""
        return self._of_view(self._columns.lines[1])

    @property
    def n_tokens(self) -> NDArray[np.int64]:
        """Tokens by the tokenizer that the strategy was given, shape ``(n,)``."""
        return self._of_view(self._columns.n_tokens)

    @property
    def overlaps(self) -> NDArray[np.int64]:
        """How many code points each chunk shares with the one before it, shape ``(n,)``.

        0 for the first chunk of a document, and where no overlap fits.

        Examples
        --------
        >>> import chunkwright as cw
        >>> cw.Recursive(max_chars=9, overlap=4)("one two three four").overlaps.tolist()
        [0, 3, 0]
        """
        return self._of_view(self._columns.overlaps)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The distance at each chunk's end, shape ``(n,)``; see :attr:`Chunk.score`."""
        return self._of_view(self._columns.endings.scores)

    @property
    def reasons(self) -> list[Reason | None]:
        """Why each chunk ends where it does; see :attr:`Chunk.reason`."""
        return [self._columns.endings.reasons[row] for row in self._rows]

    @property
    def n_places(self) -> NDArray[np.int64]:
        """For chunks that end at the limit, the number of places it chose from, shape ``(n,)``.

        0 if the reason is not ``"limit"``, and for a cut inside a piece.
        """
        return self._of_view(self._columns.endings.n_places)

    @property
    def ids(self) -> list[str]:
        """Ids; see :attr:`Chunk.id`."""
        return [self._columns.ids[row] for row in self._rows]

    def texts(self) -> list[str]:
        """Return the texts, overlap included."""
        if self._rows == range(len(self._columns)):
            return self._columns.texts()
        return [self._columns.text(row) for row in self._rows]

    @property
    def doc_index(self) -> NDArray[np.int64]:
        """The number of each chunk's document, from 0, shape ``(n,)``."""
        return self._of_view(self._columns.doc_index)

    @property
    def document_ids(self) -> list[str]:
        """The id of each chunk's document; see :attr:`Document.id`."""
        ids = self._columns.document_ids
        return [ids[doc] for doc in self.doc_index.tolist()]

    # ------------------------------------------------------------------ contexts and shadows

    @property
    def contexts(self) -> list[str | None]:
        """The contexts; see :attr:`Chunk.context`."""
        return [chunk.context for chunk in self]

    @property
    def context_outcomes(self) -> list[ContextOutcome | None]:
        """How the contexts came about; see :attr:`Chunk.context_outcome`."""
        return [chunk.context_outcome for chunk in self]

    @property
    def context_whys(self) -> list[str | None]:
        """Why there is no context; see :attr:`Chunk.context_why`."""
        return [chunk.context_why for chunk in self]

    def contextual_texts(self) -> list[str]:
        """Return contexts and texts as they are embedded and searched: ``[context] text``.

        A chunk without a context has its text.
        """
        if self._columns.contexts is None:
            return self.texts()
        contexts = (self._columns.contexts[row] for row in self._rows)
        return [of.before(text) for of, text in zip(contexts, self.texts(), strict=True)]

    @property
    def contextual_n_tokens(self) -> NDArray[np.int64]:
        """Tokens of :meth:`contextual_texts`, shape ``(n,)``."""
        return self._of_view(self._columns.contextual_n_tokens)

    @property
    def prefix_shadows(self) -> list[str | None]:
        """The ends of the siblings before; see :attr:`Chunk.prefix_shadow`."""
        return [self._columns.shadow(row)[0] for row in self._rows]

    @property
    def suffix_shadows(self) -> list[str | None]:
        """The starts of the siblings behind; see :attr:`Chunk.suffix_shadow`."""
        return [self._columns.shadow(row)[1] for row in self._rows]

    # ------------------------------------------------------------------ elements

    @property
    def kinds(self) -> list[str]:
        """The kinds of the chunks; see :attr:`Chunk.kind`."""
        return [self._columns.kinds[row] for row in self._rows]

    @property
    def parts(self) -> NDArray[np.int64]:
        """The number of each chunk among the parts of its split element, shape ``(n,)``."""
        return self._of_view(self._columns.parts)

    @property
    def first_elements(self) -> NDArray[np.int64]:
        """The number of each chunk's first element in its document, shape ``(n,)``."""
        return self._of_view(self._columns.first_elements)

    @property
    def last_elements(self) -> NDArray[np.int64]:
        """The number of each chunk's last element in its document, shape ``(n,)``.

        It is below that of the first element if a chunk has no elements.
        """
        return self._of_view(self._columns.end_elements - 1)

    # ------------------------------------------------------------------ what was cut

    @property
    def sources(self) -> list[str]:
        """The texts that were cut, including those without chunks; empty for invalid items."""
        return self._columns.sources()

    @property
    def names(self) -> list[str | None]:
        """The names of the documents that were cut."""
        return list(self._columns.origin.names)

    @property
    def errors(self) -> dict[int, Exception]:
        """The error of each document that could not be cut, by the document's number.

        Only ``errors="collect"`` collects them; see :meth:`chunkwright.Recursive.batch`.
        """
        return dict(self._columns.origin.errors)

    @property
    def provenance(self) -> dict[str, str]:
        """The fingerprints of language models and prompts that the chunks depend on.

        :class:`chunkwright.LLM` sets ``boundaries_model`` (empty if the model has no name) and
        ``boundaries_prompt``, :class:`chunkwright.Contextual` ``context_model`` and
        ``context_prompt``. Tables of chunks have them in the metadata of their schema, with
        ``chunkwright.`` before the name.
        """
        return dict(self._columns.origin.provenance)

    @property
    def source(self) -> str:
        """The text that was cut.

        Raises
        ------
        ConfigError
            If there was not exactly one text; :attr:`sources` has all.
        """
        sources = self.sources
        if len(sources) != 1:
            raise ConfigError(f"there is no one source of {len(sources)} texts: ask for sources")
        return sources[0]

    @property
    def documents(self) -> list[Document]:
        """The documents that were cut."""
        from chunkwright.document import Document

        origin, n = self._columns.origin, len(self.names)
        elements = origin.elements or [None] * n
        return [
            Document(
                text=text if own_elements is None else None,
                elements=own_elements,
                name=name,
                id=origin.given_id(doc),
                metadata=origin.metadata(doc),
            ).with_encoding(origin.encoding(doc))
            for doc, (text, name, own_elements) in enumerate(
                zip(self.sources, self.names, elements, strict=True)
            )
        ]

    @property
    def name(self) -> str | None:
        """The name of the document that was cut, if it has one and there was only one."""
        names = self._columns.origin.names
        return names[0] if len(names) == 1 else None

    @property
    def boundaries(self) -> Boundaries | None:
        """All places where the documents could be cut, with their scores.

        None for strategies that give no reasons.
        """
        return self._columns.boundaries

    # ------------------------------------------------------------------ a sequence

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Chunk | Self:
        if isinstance(index, slice):
            return type(self)(self._columns, self._rows[index])
        return Chunk(self._columns, self._rows[checked_index(index, len(self), "chunk")])

    def __iter__(self) -> Iterator[Chunk]:
        return (Chunk(self._columns, row) for row in self._rows)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> None:
            # Is asked for names that are not there alone.
            raise missing(self, name, OF_CHUNKS)

        __contains__ = Sequence.__contains__
        __reversed__ = Sequence.__reversed__
        index = Sequence.index
        count = Sequence.count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chunks):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def _identity(self) -> tuple[object, ...]:
        return (self._columns.origin.names, self.doc_index.tolist(), list(self))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._columns, self._rows)

    # ------------------------------------------------------------------ other forms

    def _batch(self) -> _core.ArrowBatch:
        return self._columns.batch(self._rows)

    def __arrow_c_schema__(self) -> object:
        """Export the schema through the Arrow PyCapsule interface."""
        return self._columns.batch(()).__arrow_c_schema__()

    def __repr__(self) -> str:
        name = f" of {self.name!r}" if self.name else ""
        if len(self._columns.origin.names) != 1:
            name = f" of {len(self._columns.origin.names)} documents"
        shown = [f"  {i}: {chunk!r}" for i, chunk in enumerate(self[:REPR_CHUNKS])]
        n_more = len(self) - len(shown)
        more = [f"  ... {n_more} more"] if n_more else []
        return "\n".join([f"<{len(self)} chunks{name}>", *shown, *more])

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import render

        return render(self)

    def _of_view(self, column: NDArray[NumberT]) -> NDArray[NumberT]:
        # A range that counts down to row 0 stops at -1, which a slice would take for the last row.
        stop = self._rows.stop if self._rows.stop >= 0 else None
        rows = slice(self._rows.start, stop, self._rows.step) if self._rows else slice(0)
        view = column[rows]
        # All views share the columns.
        view.flags.writeable = False
        return view
