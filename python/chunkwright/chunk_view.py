"""Chunk: a view of one row of chunks, and the pieces that it is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import frames
from chunkwright.messages.old_pickles import refusing
from chunkwright.messages.peer_names import OF_CHUNK, missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.boundaries import Reason
    from chunkwright.columns import Columns
    from chunkwright.context import ContextOutcome
    from chunkwright.document import Scalar
    from chunkwright.elements.box import Box
    from chunkwright.elements.element import Element

# What a repr shows of a chunk.
REPR_CHARS = 60


class Piece(NamedTuple):
    """A part of a chunk: its place in the document's text, and its role.

    Attributes
    ----------
    role
        ``"body"`` (the chunk's own text), ``"overlap"`` (text of a neighbouring chunk, repeated),
        ``"heading"`` (above it, repeated), ``"header"`` (of a table, repeated) or ``"speaker"``
        (who goes on speaking, repeated).
    start, end
        Code points of the document's text.
    """

    role: str
    start: int
    end: int


class Chunk(frames.Pydantic):
    """One chunk: a view of a row of :class:`Chunks`; values are computed on demand.

    A pickle or a copy holds the chunk without its document, so you can send chunks one by one to
    other processes. Of an element more than four times as large as the chunk, such as a long table,
    it holds only the chunk's part. :class:`Chunks` pickle as a whole.

    ``dict(chunk)`` is its row, with the columns of :meth:`Chunks.to_arrow` as plain values for
    JSON. Pydantic and FastAPI write a chunk in the same form.

    Examples
    --------
    >>> import chunkwright as cw
    >>> dict(cw.chunk("One two.", max_chars=10)[0])  # doctest: +NORMALIZE_WHITESPACE
    {'chunk_id': 'eef2f28c392df9be2d36d0bd4c6cf480', 'document': None,
     'document_id': '677caa608fd08e0c83d49abecb8b5dd9', 'doc_index': 0, 'index': 0,
     'text': 'One two.', 'start': 0, 'end': 8, 'byte_start': 0, 'byte_end': 8, 'line_start': 1,
     'line_end': 1, 'source_start': 0, 'source_end': 8, 'source_line_start': 1,
     'source_line_end': 1, 'n_tokens': 3, 'oversize': False}
    """

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Columns, row: int) -> None:
        self._columns = columns
        self._row = row

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> None:
            # Is asked for names that are not there alone.
            raise missing(self, name, OF_CHUNK)

    @property
    def columns(self) -> Columns:
        """The columns that it is a row of: :attr:`Chunks.columns`, unless pickled by itself."""
        return self._columns

    @property
    def document_text(self) -> str | None:
        """The text of its document; None if it was pickled or copied by itself.

        :attr:`start` and :attr:`end` are places in it.
        """
        return None if self._columns.is_slice else self._columns.sources()[self.doc_index]

    @property
    def index(self) -> int:
        """The number of the chunk, from 0, among all chunks of one call.

        In a slice it stays the same; in a batch it counts the chunks of all documents.
        """
        return self._columns.first.chunk + self._row

    @property
    def text(self) -> str:
        """The text, overlap and repeated headers included: all :attr:`pieces` in order.

        Without repeated headings or headers it is ``document_text[chunk.start:chunk.end]``.
        """
        return self._columns.text(self._row)

    @property
    def start(self) -> int:
        """Where the chunk starts in the document's text, in code points, overlap included."""
        return int(self._columns.starts[self._row])

    @property
    def end(self) -> int:
        """Where the chunk ends in the document's text, in code points."""
        return int(self._columns.ends[self._row])

    @property
    def byte_start(self) -> int:
        """Where the text starts, in UTF-8 bytes."""
        return int(self._columns.byte_starts[self._row])

    @property
    def byte_end(self) -> int:
        """Where the text ends, in UTF-8 bytes."""
        return int(self._columns.byte_ends[self._row])

    @property
    def line_start(self) -> int:
        r"""The line, from 1, on which the text starts; lines end at ``\n``."""
        return self._columns.line_place(self._row)[0]

    @property
    def line_end(self) -> int:
        r"""The line, from 1, on which the text ends; lines end at ``\n``."""
        return self._columns.line_place(self._row)[1]

    @property
    def source_start(self) -> int | None:
        """Where the text starts in the source that was read, in code points; None if not known.

        In plain text and Markdown it equals :attr:`start`. In HTML it is the start of the chunk's
        first element, including its tags; in CSV the start of its first row. DoclingDocuments and
        Unstructured's elements have no such place. A byte order mark of HTML or CSV is not counted.
        """
        return self._columns.source_place(self._row)[0]

    @property
    def source_end(self) -> int | None:
        """Where the text ends in the source, in code points; see :attr:`source_start`."""
        return self._columns.source_place(self._row)[1]

    @property
    def source_line_start(self) -> int | None:
        """The line of the source, from 1, on which the text starts; see :attr:`source_start`."""
        return self._columns.source_place(self._row)[2]

    @property
    def source_line_end(self) -> int | None:
        """The line of the source, from 1, on which the text ends; see :attr:`source_start`."""
        return self._columns.source_place(self._row)[3]

    @property
    def n_tokens(self) -> int:
        """Tokens of the text, by the tokenizer that the strategy was given."""
        return int(self._columns.n_tokens[self._row])

    @property
    def n_chars(self) -> int:
        """Code points of the text."""
        return len(self.text)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The parts of the text, in order and without gaps."""
        return tuple(Piece(*piece) for piece in self._columns.pieces(self._row))

    def piece_texts(self) -> list[tuple[str, str]]:
        """Return the role and the text of each piece; joined, the texts are the chunk's text."""
        text, at, texts = self.text, 0, []
        for role, start, end in self._columns.pieces(self._row):
            texts.append((role, text[at : at + end - start]))
            at += end - start
        return texts

    @property
    def score(self) -> float:
        """The cosine distance between the texts that meet at the chunk's end, from 0 to 2.

        NaN at the end of a document, at a cut inside a piece, and for strategies that compare no
        vectors.
        """
        return self._columns.ending(self._row)[0]

    @property
    def reason(self) -> Reason | None:
        """Why the chunk ends where it does.

        ``"score"``: because of its :attr:`score`. ``"limit"``: because of the limit. ``"given"``: a
        language model set the boundary. ``"structure"``: :class:`chunkwright.Structural` keeps two
        blocks apart. ``"end"``: the document ends. None for strategies that give no reasons.
        """
        return self._columns.ending(self._row)[1]

    @property
    def oversize(self) -> bool:
        """Whether the text exceeds the limit because it is a single grapheme."""
        return self._columns.is_oversize(self._row)

    @property
    def doc_index(self) -> int:
        """The number of its document, from 0, among those that were cut together."""
        return self._columns.first.doc + int(self._columns.doc_index[self._row])

    @property
    def lines(self) -> tuple[int, int]:
        """The lines, from 1, on which it starts and ends."""
        return self.line_start, self.line_end

    # ------------------------------------------------------------------ elements

    @property
    def kind(self) -> str:
        """The kind of its elements, in the vocabulary of :attr:`Element.kind`.

        ``"table"`` for a table or rows of one, ``"code"``, ``"list"`` and so on, if all of its
        elements are of that kind; headings and captions do not count. ``"paragraph"`` for elements
        of different kinds, and for a plain text.
        """
        return self._columns.kinds[self._row]

    @property
    def elements(self) -> tuple[Element, ...]:
        """The elements that its own text contains, whole or in part; None for a plain text.

        Elements without text, such as pictures, count to the text before them. An overlap and
        repeated headings do not count.
        """
        return self._columns.elements(self._row)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of its section, the outermost first; None for a plain text.

        They are the headings above its first element that is not a heading, so headings at the
        start of the chunk are included. If the chunk has only headings: the last of them, and those
        above it.
        """
        return self._columns.headings(self._row)

    @property
    def headings_above(self) -> tuple[str, ...]:
        """The headings above the chunk, the outermost first, without those that it begins with.

        None for a plain text.
        """
        return self._columns.headings_above(self._row)

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages of its own text, each once; empty for a plain text.

        If an element is on several pages, only the pages of the chunk's part count, provided that
        the reader knows where each page begins, as those of PDF and Word files do.
        """
        start, end = self._own()
        pages = (page for element in self._placed() for page in element.pages_in(start, end))
        return tuple(dict.fromkeys(pages))

    @property
    def confidence(self) -> float | None:
        """The lowest confidence of its elements, from 0 to 1; None if their reader states none.

        Readers state it for text that was recognised in pictures (OCR).
        """
        confidence: float | None = self._columns.row(self._row).get("confidence")
        return confidence

    @property
    def scope(self) -> str | None:
        """The definitions around it in source code, such as ``"Cart.add"``; None at the top."""
        return self._columns.core.subject(self._row)[0]

    @property
    def name(self) -> str | None:
        """The name of the function around it, else of the first definition in it."""
        return self._columns.core.subject(self._row)[1]

    @property
    def symbol(self) -> str | None:
        """The kind of thing that :attr:`name` names, such as ``"method"``; see :class:`Code`."""
        return self._columns.core.subject(self._row)[2]

    @property
    def language(self) -> str | None:
        """The programming language that it was cut as; None for other texts."""
        return self._columns.core.subject(self._row)[3]

    @property
    def speaker(self) -> str | None:
        """The speaker of all of its turns; None if there are several, or nobody is named."""
        speaker: str | None = self._columns.row(self._row).get("speaker")
        return speaker

    @property
    def speakers(self) -> tuple[str, ...]:
        """The speakers of its turns, each once, in the order in which they speak first."""
        return tuple(self._columns.row(self._row).get("speakers") or ())

    @property
    def time_start(self) -> float | None:
        """When its turns begin, in seconds; None if no time is known.

        Seconds count from the beginning of a recording; in a chat with dates from 1970, as Unix
        time does; in a chat with times of day only, from midnight.
        """
        time: float | None = self._columns.row(self._row).get("time_start")
        return time

    @property
    def time_end(self) -> float | None:
        """When its turns end, in seconds; if the source has no end, when the last turn begins."""
        time: float | None = self._columns.row(self._row).get("time_end")
        return time

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of its own text on its pages, in reading order, as far as they are known.

        For a part of an element they enclose only that part, its lines or rows of a table, if the
        reader knows these, as that of PDF does; else they are those of the whole element. The edges
        of a PDF's boxes are in points from the top left corner of the page.

        Raises
        ------
        ReadError
            If the coordinates of an element are not points.
        """
        start, end = self._own()
        return tuple(box for element in self._placed() for box in element.boxes_in(start, end))

    def _own(self) -> tuple[int, int]:
        """Return its own text, or all of its place if elements were added around that."""
        bodies = [piece for piece in self.pieces if piece.role == "body"]
        own = bodies[0].start, bodies[-1].end
        said = [one for one in self.elements if one.start < one.end]
        is_met = all(one.start < own[1] and one.end > own[0] for one in said[:1] + said[-1:])
        return own if is_met else (self.start, self.end)

    def _placed(self) -> list[Element]:
        """Return those of its elements whose text it meets."""
        start, end = self._own()
        return [one for one in self.elements if one.start < min(end, one.end) and one.end > start]

    @property
    def html(self) -> str | None:
        """The HTML of a table, or of its rows in this chunk as a table; None without HTML."""
        return self._columns.html(self._row)

    @property
    def part(self) -> int:
        """The number of the chunk, from 0, among the parts of its split element."""
        return int(self._columns.parts[self._row])

    @property
    def is_continuation(self) -> bool:
        """Whether it continues an element of the chunk before: whether ``part`` is not 0."""
        return self.part > 0

    @property
    def n_header_rows(self) -> int:
        """How many rows of the table's header are repeated in front of its own rows."""
        return int(self._columns.n_header_rows[self._row])

    @property
    def table_id(self) -> str | None:
        """An id that all parts of one table share; None if it is not a part of a table."""
        return self._columns.table_ids[self._row]

    @property
    def id(self) -> str:
        """The id: 32 hexadecimal digits, which an edit elsewhere in the document does not change.

        It is a hash of the document's name, the text with normalised whitespace, and the number of
        chunks with an equal text before this one.
        """
        return self._columns.ids[self._row]

    @property
    def document_id(self) -> str:
        """The id of its document; see :attr:`Document.id`."""
        return self._columns.document_id(self._row)

    @property
    def metadata(self) -> Mapping[str, Scalar]:
        """The metadata of its document; see :class:`Document`."""
        return self._columns.metadata(self._row)

    # ------------------------------------------------------------------ context

    @property
    def context(self) -> str | None:
        """A text about the chunk's place in its document, which is not part of the document.

        :class:`chunkwright.Contextual` writes it. None if there is none, or it could not be
        written.
        """
        context = self._columns.context(self._row)
        return (context.text or None) if context is not None else None

    @property
    def contextual_text(self) -> str:
        """Context and text, as they are embedded and searched: ``[context] text``."""
        context = self._columns.context(self._row)
        return self.text if context is None else context.before(self.text)

    @property
    def context_outcome(self) -> ContextOutcome | None:
        """The outcome of the request for the context; None if no contexts are written.

        ``"answered"``, ``"cached"`` or ``"repaired"`` with a context; ``"invalid"``, ``"failed"``
        or ``"unpaid"`` without one: see :class:`chunkwright.llm.Answer`. ``"structure"`` if no
        model was asked.
        """
        context = self._columns.context(self._row)
        return None if context is None else context.outcome

    @property
    def context_why(self) -> str | None:
        """Why a model gave no context; None if there is one."""
        context = self._columns.context(self._row)
        return (context.why or None) if context is not None else None

    @property
    def prefix_shadow(self) -> str | None:
        """The end of the sibling before it, or None; see :func:`chunkwright.shadows`."""
        return self._columns.shadow(self._row)[0]

    @property
    def suffix_shadow(self) -> str | None:
        """The start of the sibling behind it; see :attr:`prefix_shadow`."""
        return self._columns.shadow(self._row)[1]

    def keys(self) -> Iterable[str]:
        """Return the names of the columns, which ``dict(chunk)`` needs."""
        return self._columns.row(self._row).keys()

    def __getitem__(self, name: str) -> Any:
        return _own(self._columns.row(self._row)[name])

    def _json(self) -> dict[str, Any]:
        return {name: _own(value) for name, value in self._columns.row(self._row).items()}

    # Without it, a loop over a chunk would ask for the column 0.
    __iter__ = None

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Chunk) and self._identity() == other._identity()
        return same if isinstance(other, Chunk) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return (
            self._columns.name(self._row),
            self.text,
            self.pieces,
            self.kind,
            self.html,
            self.part,
            self._columns.context(self._row),
            self._columns.shadow(self._row),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # What it says, not all of its document.
        own, row = self._columns, self._row
        return Chunk, (own, row) if own.is_slice else (own.slice(row, row + 1), 0)

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import chunk_display

        return chunk_display(self)

    def __repr__(self) -> str:
        is_long = self.n_chars > REPR_CHARS
        text = f"{self.text[: REPR_CHARS - 3]}..." if is_long else self.text
        return f"Chunk({text!r}, start={self.start}, end={self.end})"


def _own(value: Any) -> Any:
    """Return a value of a row that the caller may change: the row is kept."""
    if isinstance(value, dict):
        return dict(value)
    return [_own(item) for item in value] if isinstance(value, list) else value


if not TYPE_CHECKING:
    __getattr__ = refusing(__name__, "_restored")
