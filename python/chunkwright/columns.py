"""The columns behind chunks: what the core owns, and what is computed once when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.boundaries import Boundaries, Endings
from chunkwright.element_columns import ElementColumns, as_array
from chunkwright.elements.part import Part
from chunkwright.errors import ConfigError, ReadError
from chunkwright.messages.old_pickles import refusing
from chunkwright.origin import Origin
from chunkwright.rows import (
    OF_BLOCKS,
    OF_CODE,
    OF_ELEMENTS,
    OF_ENDINGS,
    ContextRow,
    Shadows,
    arrow_metadata,
    boundaries_of,
    types_of,
    well_formed,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.boundaries import Reason
    from chunkwright.context import Context
    from chunkwright.document import Scalar
    from chunkwright.elements.elements import Elements
    from chunkwright.tokens.tokenizer import Tokenizer

ROLES = ("body", "overlap", "heading", "header", "speaker")
NOTHING: Mapping[str, Any] = {}


class First(NamedTuple):
    """Numbers of a first chunk and its document among all that were cut together.

    Attributes
    ----------
    chunk
        The number of the chunk.
    doc
        The number of the document.
    in_document
        The number of the chunk in the document.
    """

    chunk: int = 0
    doc: int = 0
    in_document: int = 0


class Columns(ElementColumns):
    """The chunks of one text, or of many, as columns; views share them.

    Parameters
    ----------
    core
        What a strategy of the core gave.
    tokenizer
        Counts tokens, if the core did not. A slice that was pickled needs none.
    sizes_are_tokens
        Whether the core measured in that tokenizer's tokens.
    origin
        The documents that were cut.
    contexts
        The context of each chunk, if they were given any.
    shadows
        The shadows of each chunk, before and behind it, if they were given any.
    """

    def __init__(  # noqa: PLR0913 - what chunks are made of, all by name
        self,
        core: _core.Columns,
        *,
        tokenizer: Tokenizer | None,
        sizes_are_tokens: bool,
        origin: Origin,
        contexts: Sequence[Context] | None = None,
        shadows: Sequence[Shadows] | None = None,
    ) -> None:
        self.core = core
        self._tokenizer = tokenizer
        self.sizes_are_tokens = sizes_are_tokens
        self.origin = origin
        self.contexts = contexts
        self.shadows = shadows
        self._last_row: tuple[int, dict[str, Any]] = -1, {}

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that counts tokens."""
        if self._tokenizer is None:
            raise ReadError(_apart(self.first.chunk))
        return self._tokenizer

    @cached_property
    def is_slice(self) -> bool:
        """Whether these are chunks apart from their document; see :meth:`slice`."""
        return self.core.whole() is not None

    @cached_property
    def first(self) -> First:
        """What numbers the first chunk has; zeros, unless these are a slice."""
        return First(*(self.core.whole() or ()))

    def check_whole(self) -> None:
        """Check that the documents are at hand.

        Raises
        ------
        ConfigError
            If these are a slice.
        """
        if self.is_slice:
            raise ConfigError(_apart(self.first.chunk))

    def text(self, row: int) -> str:
        """Return the text of a chunk."""
        return self.core.text(row)

    def texts(self) -> list[str]:
        """Return the texts of all chunks."""
        return self.core.texts()

    def pieces(self, row: int) -> list[tuple[str, int, int]]:
        """Return the parts of a chunk: roles, starts and ends in code points."""
        return [(ROLES[role], start, end) for role, start, end in self.core.pieces(row)]

    def sources(self) -> list[str]:
        """Return the texts that were cut."""
        return self.core.sources()

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Starts in code points."""
        return as_array(self.core.starts)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Ends in code points."""
        return as_array(self.core.ends)

    @cached_property
    def overlaps(self) -> NDArray[np.int64]:
        """Code points that each chunk shares with the one before it in its document."""
        import numpy as np

        shared = np.zeros_like(self.starts)
        same = self.doc_index[1:] == self.doc_index[:-1]
        shared[1:] = np.where(same, np.maximum(self.ends[:-1] - self.starts[1:], 0), 0)
        return shared

    @cached_property
    def byte_starts(self) -> NDArray[np.int64]:
        """Starts in UTF-8 bytes."""
        return as_array(self.core.byte_starts())

    @cached_property
    def byte_ends(self) -> NDArray[np.int64]:
        """Ends in UTF-8 bytes."""
        return as_array(self.core.byte_ends())

    @cached_property
    def lines(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lines, from 1, of the starts and the ends."""
        starts, ends = self.core.lines()
        return as_array(starts), as_array(ends)

    def line_place(self, row: int) -> tuple[int, int]:
        """Return the lines, from 1, on which a chunk starts and ends."""
        starts, ends = self.lines
        return int(starts[row]), int(ends[row])

    @cached_property
    def source_places(self) -> tuple[NDArray[np.int64], ...]:
        """Starts, ends, first and last lines of the chunks in what was read; -1 where not known."""
        return tuple(as_array(column) for column in self.core.source_places())

    def source_place(self, row: int) -> tuple[int | None, ...]:
        """Return the same of one chunk; None where it is not known."""
        places = (int(column[row]) for column in self.source_places)
        return tuple(None if place < 0 else place for place in places)

    def name(self, row: int) -> str | None:
        """Return the name of the document that a chunk is from."""
        return self.origin.names[int(self.doc_index[row])]

    @cached_property
    def index(self) -> NDArray[np.int64]:
        """The number of each chunk in its document."""
        import numpy as np

        ends = np.array([0, *self.core.row_ends()])
        index: NDArray[np.int64] = (
            np.arange(len(self)) - ends[self.doc_index] + self.first.in_document
        )
        return index

    @cached_property
    def n_tokens(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        if self.sizes_are_tokens:
            return as_array(self.core.sizes())
        import numpy as np

        return np.array(self.tokenizer.count_batch(self.core.texts()), dtype=np.int64)

    @cached_property
    def oversize(self) -> frozenset[int]:
        """The rows that are over the limit."""
        return frozenset(self.core.oversize())

    def is_oversize(self, row: int) -> bool:
        """Return whether a chunk is over the limit."""
        return row in self.oversize

    @cached_property
    def boundaries(self) -> Boundaries | None:
        """The boundaries that a semantic strategy looked at; None for every other."""
        return Boundaries.of(self.core.boundaries())

    @cached_property
    def endings(self) -> Endings:
        """The score at the end of each chunk, and why it ends there."""
        if self.boundaries is None:
            return Endings.unknown(len(self))
        return Endings.of(self.core)

    def ending(self, row: int) -> tuple[float, Reason | None]:
        """Return the score at the end of a chunk, and why it ends there."""
        return float(self.endings.scores[row]), self.endings.reasons[row]

    # ------------------------------------------------------------------ rows

    def batch(
        self, rows: Sequence[int], *, first: int = 0, elements: bool = False
    ) -> _core.ArrowBatch:
        """Return rows as a record batch, which the core writes.

        Parameters
        ----------
        rows
            Their numbers.
        first
            What ``doc_index`` is for the first of the documents.
        elements
            Whether there are columns of elements even if no document has any.

        Raises
        ------
        ConfigError
            If metadata of documents have values of two types under one name.
        """
        import numpy as np

        at, origin = list(rows), self.origin
        is_one = len(at) > 0 and len(origin.names) == 1
        docs = [0] if is_one else np.unique(self.doc_index[at]).tolist()
        labels = {
            "numbers": docs,
            "first": first,
            "names": [well_formed(origin.names[doc]) for doc in docs],
            "ids": [well_formed(origin.given_id(doc)) for doc in docs],
            "carried": self._metadata_of(docs),
        }
        more = {
            "elements": elements or self.has_elements or OF_ELEMENTS[0] in origin.columns,
            "blocks": OF_BLOCKS[0] in origin.columns,
            "code": [
                name in origin.columns and name not in self._metadata_types for name in OF_CODE
            ],
            "endings": self.boundaries is not None or OF_ENDINGS[0] in origin.columns,
            "boundaries": boundaries_of(origin.provenance),
            "contexts": self._context_rows(at),
            "shadows": self._shadow_rows(at),
            "metadata": arrow_metadata(origin.provenance),
        }
        return self.core.batch(at, labels, np.ascontiguousarray(self.n_tokens[at]), more)

    def row(self, row: int) -> dict[str, Any]:
        """Return one row, which is kept: ``dict(chunk)`` asks for it once for each column."""
        known, own = self._last_row
        if known != row:
            own = self.batch((row,), first=self.first.doc).to_dicts()[0]
            self._last_row = row, own
        return own

    def _metadata_of(self, docs: list[int]) -> list[tuple[str, str | None, list[Scalar]]]:
        """Return the metadata of some documents as columns: those that all documents have."""
        of = [self.origin.metadata(doc) for doc in docs] if self._metadata_types else []
        return [
            (name, kind, [well_formed(each.get(name)) for each in of])
            for name, kind in self._metadata_types.items()
        ]

    @cached_property
    def _metadata_types(self) -> dict[str, str | None]:
        return types_of(labels.metadata for labels in self.origin.labels if labels is not None)

    def _context_rows(self, at: list[int]) -> tuple[str, list[ContextRow]] | None:
        """Return the model that wrote the contexts, and those of some rows."""
        if self.contexts is None:
            return None
        n_tokens = self.contextual_n_tokens
        rows = [self.contexts[row].row(int(n_tokens[row])) for row in at]
        return self.origin.provenance.get("context_model", ""), rows

    def _shadow_rows(self, at: list[int]) -> list[Shadows] | None:
        if self.shadows is None:
            return None
        return [(well_formed(of[0]), well_formed(of[1])) for of in map(self.shadow, at)]

    # ------------------------------------------------------------------ documents and contexts

    @cached_property
    def document_ids(self) -> list[str]:
        """The id of each document that was cut."""
        derived = self.core.document_ids()
        given = map(self.origin.given_id, range(len(derived)))
        return [of if own is None else own for own, of in zip(given, derived, strict=True)]

    def document_id(self, row: int) -> str:
        """Return the id of the document that a chunk is from."""
        return self.document_ids[int(self.doc_index[row])]

    def metadata(self, row: int) -> Mapping[str, Scalar]:
        """Return the metadata of the document that a chunk is from."""
        return self.origin.metadata(int(self.doc_index[row]))

    def replaced(self, **changed: Any) -> Columns:
        """Return the columns with other values of what they were made of, by name."""
        same = {
            "core": self.core,
            "tokenizer": self._tokenizer,
            "sizes_are_tokens": self.sizes_are_tokens,
            "origin": self.origin,
            "contexts": self.contexts,
            "shadows": self.shadows,
        }
        return Columns(**{**same, **changed})

    def with_contexts(self, contexts: Sequence[Context], provenance: Mapping[str, str]) -> Columns:
        """Return the columns with a context for each chunk, and what these depend on."""
        return self.replaced(contexts=contexts, origin=self.origin._replace(provenance=provenance))

    def context(self, row: int) -> Context | None:
        """Return the context of a chunk, if chunks were given any."""
        return None if self.contexts is None else self.contexts[row]

    def shadow(self, row: int) -> Shadows:
        """Return the shadows of a chunk, if chunks were given any."""
        return (None, None) if self.shadows is None else self.shadows[row]

    @cached_property
    def contextual_n_tokens(self) -> NDArray[np.int64]:
        """Tokens of context and text of each chunk."""
        import numpy as np

        if self.contexts is None:
            return self.n_tokens
        pairs = zip(self.contexts, self.texts(), strict=True)
        texts = [context.before(text) for context, text in pairs]
        return np.array(self.tokenizer.count_batch(texts), dtype=np.int64)

    # ------------------------------------------------------------------ slices and pickles

    def slice(self, begin: int, end: int) -> Columns:
        """Return chunks of one document with all that they say, apart from the document.

        Of an element that is more than four times as large as the chunks the part is kept that
        they have.

        Parameters
        ----------
        begin, end
            The number of the first chunk, and one past that of the last one.
        """
        origin, doc, rows = self.origin, int(self.doc_index[begin]), range(begin, end)
        elements = self._elements_for(rows)
        core = self.core.slice(
            begin,
            end,
            origin.names[doc] or "",
            self.n_tokens[begin:end].tolist(),
            None if elements is None else elements.core,
        )
        sliced = self.replaced(
            core=core,
            sizes_are_tokens=True,
            origin=Origin(
                [origin.names[doc]],
                of_batch=origin.of_batch,
                elements=() if elements is None else (elements,),
                provenance=origin.provenance,
                labels=origin.labels[doc : doc + 1],
                columns=(*origin.columns, *OF_ELEMENTS[: self.has_elements]),
            ),
            contexts=self.contexts and self.contexts[begin:end],
            shadows=self.shadows and self.shadows[begin:end],
        )
        known: dict[str, Any] = {}
        if any(self.table_ids[begin:end]):
            known["table_ids"] = self.table_ids[begin:end]
        if self.contexts is not None:
            known["contextual_n_tokens"] = self.contextual_n_tokens[begin:end]
        if self._metadata_types:
            known["_metadata_types"] = self._metadata_types
        return sliced.knowing(known)

    def knowing(self, known: Mapping[str, Any]) -> Columns:
        """Return these columns, which now know what else all documents say, by its name."""
        self._known = known
        self.__dict__.update(known)
        return self

    def _elements_for(self, rows: range) -> Elements | None:
        """Return the elements that some chunks of one document need."""
        elements = self.elements_of(rows.start)
        if elements is None:
            return None
        bodies = [piece for row in rows for piece in self.pieces(row) if piece[0] == "body"]
        htmls = [html for html in map(self.html, rows) if html is not None]
        n_chars = sum(len(text) for text in (*map(self.text, rows), *htmls))
        part = Part.of(bodies[0][1], bodies[-1][2], n_chars, "".join(htmls) or None)
        first = elements.row(int(self.first_elements[rows].min()))
        return elements.slice(range(first, int(self.end_elements[rows].max())), part)

    def __reduce__(self) -> tuple[object, ...]:
        origin = self.origin._replace(
            errors=dict(self.origin.errors),
            elements=list(self.origin.elements),
            provenance=dict(self.origin.provenance),
            labels=[of and of._replace(metadata=dict(of.metadata)) for of in self.origin.labels],
        )
        if self.is_slice:
            # What is left out says nothing: chunks are loaded one by one.
            given = {name: value for name, value in origin._asdict().items() if value}
            more = {"contexts": self.contexts, "shadows": self.shadows}
            more = {name: value for name, value in more.items() if value is not None}
            known = (more, self._known) if more or self._known else ()
            return _slice_of_bytes, (self.core.to_bytes(), self.texts(), given, *known)
        rest = {
            "tokenizer": self.tokenizer,
            "sizes_are_tokens": self.sizes_are_tokens,
            "origin": origin,
            "contexts": self.contexts,
            "shadows": self.shadows,
        }
        return _of_bytes, (self.core.to_bytes(), self.sources(), rest)


def _of_bytes(stored: bytes, texts: list[str], rest: dict[str, Any]) -> Columns:
    # The texts of documents with elements are theirs.
    elements = rest["origin"].elements or [None] * len(texts)
    pairs = zip(texts, elements, strict=True)
    sources = [text if of is None else of.core for text, of in pairs]
    return Columns(_core.Columns.from_bytes(stored, sources), **rest)


def _slice_of_bytes(
    stored: bytes,
    texts: list[str],
    origin: dict[str, Any],
    more: Mapping[str, Any] = NOTHING,
    known: Mapping[str, Any] = NOTHING,
) -> Columns:
    elements = origin["elements"][0].core if "elements" in origin else None
    core = _core.Columns.slice_from_bytes(stored, texts, elements)
    columns = Columns(core, tokenizer=None, sizes_are_tokens=True, origin=Origin(**origin), **more)
    return columns.knowing(known)


def _apart(number: int) -> str:
    return (
        f"chunk {number} was pickled or copied by itself, without its document: expand it before, "
        "or pickle its Chunks"
    )


if not TYPE_CHECKING:
    __getattr__ = refusing(__name__, "_restore")
