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
    """A part of a chunk: where its text is, and what it is there for.

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
    """One chunk: a view of a row of :class:`Chunks`; nothing is computed before it is asked for.

    A pickle or a copy of it holds what it says, and not the document: a pool of processes can be
    given chunks one by one. Of an element that is more than four times as large as the chunk, such
    as a long table, it holds the part that the chunk has. :class:`Chunks` pickle as a whole.

    ``dict(chunk)`` is its row of :meth:`Chunks.to_arrow` as plain values, which JSON can say.
    Pydantic and FastAPI write a chunk in the same form.

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
        """What it is a row of, if it was not pickled by itself :attr:`Chunks.columns`."""
        return self._columns

    @property
    def document_text(self) -> str | None:
        """The text of its document; None if it was pickled or copied by itself.

        :attr:`start` and :attr:`end` are places in it.
        """
        return None if self._columns.is_slice else self._columns.sources()[self.doc_index]

    @property
    def index(self) -> int:
        """The number of the chunk, from 0, among all that were cut together.

        A chunk of a slice keeps its number, and those of a batch are counted through.
        """
        return self._columns.first.chunk + self._row

    @property
    def text(self) -> str:
        """The text, overlap and repeated headers included: all :attr:`pieces` in order.

        Where nothing is repeated from afar, it is ``document_text[chunk.start:chunk.end]``.
        """
        return self._columns.text(self._row)

    @property
    def start(self) -> int:
        """Where it starts in the document's text, in code points, with the overlap before it."""
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
        r"""The line, from 1, that the text starts on; lines end at ``\n``."""
        return self._columns.line_place(self._row)[0]

    @property
    def line_end(self) -> int:
        r"""The line, from 1, that the text ends on; lines end at ``\n``."""
        return self._columns.line_place(self._row)[1]

    @property
    def source_start(self) -> int | None:
        """Where the text starts in what was read, in code points; None if that is not known.

        In plain text and Markdown that is :attr:`start`. In HTML it is where the first of its
        elements starts, with its tags; in CSV its first row. DoclingDocuments and Unstructured's
        elements know no such place. A byte order mark in bytes of HTML and CSV is not counted.
        """
        return self._columns.source_place(self._row)[0]

    @property
    def source_end(self) -> int | None:
        """Where the text ends in what was read, in code points; see :attr:`source_start`."""
        return self._columns.source_place(self._row)[1]

    @property
    def source_line_start(self) -> int | None:
        """The line, from 1, of what was read that it starts on; see :attr:`source_start`."""
        return self._columns.source_place(self._row)[2]

    @property
    def source_line_end(self) -> int | None:
        """The line, from 1, of what was read that it ends on; see :attr:`source_start`."""
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
        """The parts that the text is made of, in order and adjacent."""
        return tuple(Piece(*piece) for piece in self._columns.pieces(self._row))

    def piece_texts(self) -> list[tuple[str, str]]:
        """Return the roles and the texts of the pieces, which make the text together."""
        text, at, texts = self.text, 0, []
        for role, start, end in self._columns.pieces(self._row):
            texts.append((role, text[at : at + end - start]))
            at += end - start
        return texts

    @property
    def score(self) -> float:
        """How far apart what meets at its end is: the cosine distance, 0 to 2.

        NaN at the end of a document, where a piece was cut inside, and for strategies that compare
        no vectors.
        """
        return self._columns.ending(self._row)[0]

    @property
    def reason(self) -> Reason | None:
        """Why it ends where it does: for its ``"score"``, the ``"limit"``, or the document's end.

        ``"given"`` where a language model set the boundary, ``"structure"`` where
        :class:`chunkwright.Structural` keeps two blocks apart; the last is ``"end"``. None for
        strategies that look at no boundaries.
        """
        return self._columns.ending(self._row)[1]

    @property
    def oversize(self) -> bool:
        """Whether the text is over the limit, being one grapheme that cannot be cut."""
        return self._columns.is_oversize(self._row)

    @property
    def doc_index(self) -> int:
        """The number of the document that the text is from; 0 unless there were several."""
        return self._columns.first.doc + int(self._columns.doc_index[self._row])

    @property
    def lines(self) -> tuple[int, int]:
        """The lines, from 1, that it starts and ends on."""
        return self.line_start, self.line_end

    # ------------------------------------------------------------------ elements

    @property
    def kind(self) -> str:
        """The kind of its elements, in the vocabulary of :attr:`Element.kind`.

        ``"table"`` for a table or rows of one, ``"code"``, ``"list"`` and so on, as all of its
        elements are, headings and captions beside them not counted; ``"paragraph"`` for elements of
        different kinds, and for a plain text.
        """
        return self._columns.kinds[self._row]

    @property
    def elements(self) -> tuple[Element, ...]:
        """The elements that its own text meets, those included of which it holds a part.

        Elements without text, such as pictures, are with what stands before them. An overlap and
        what is repeated in front count for none. None for a plain text.
        """
        return self._columns.elements(self._row)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the section that it is from, the outermost first.

        Those above its first element that is no heading: a chunk that begins with headings has them
        among its own. If it has nothing but headings, the last of them and those above it. None for
        a plain text.
        """
        return self._columns.headings(self._row)

    @property
    def headings_above(self) -> tuple[str, ...]:
        """The headings above its first element, the outermost first; none that it begins with.

        None for a plain text.
        """
        return self._columns.headings_above(self._row)

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that its own text is on, each once; none for a plain text.

        They are those of its elements; of an element over several pages those that the chunk's own
        text is on, if the reader tells where each page begins, as those of PDF and Word files do.
        """
        start, end = self._own()
        pages = (page for element in self._placed() for page in element.pages_in(start, end))
        return tuple(dict.fromkeys(pages))

    @property
    def confidence(self) -> float | None:
        """The least confidence of its elements, from 0 to 1, as far as their reader states any.

        That of PDF and images does of text that it has recognised (OCR). None for all other text.
        """
        confidence: float | None = self._columns.row(self._row).get("confidence")
        return confidence

    @property
    def scope(self) -> str | None:
        """The definitions of source code that it is in, such as ``"Cart.add"``; None at the top."""
        return self._columns.core.subject(self._row)[0]

    @property
    def name(self) -> str | None:
        """The name of the function that it is in, else of the first definition in it."""
        return self._columns.core.subject(self._row)[1]

    @property
    def symbol(self) -> str | None:
        """What :attr:`name` is of, such as ``"method"``; see :class:`chunkwright.Code`."""
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
        """When what it holds of turns begins, in seconds; None if no time is known.

        They count from the beginning of a recording; in a chat whose messages bear a day from 1970,
        as Unix time does, and in one that has times of a day alone from midnight.
        """
        time: float | None = self._columns.row(self._row).get("time_start")
        return time

    @property
    def time_end(self) -> float | None:
        """When it ends; where the source tells no end, when its last turn begins."""
        time: float | None = self._columns.row(self._row).get("time_end")
        return time

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where its own text stands on its pages, as far as its elements say so.

        The boxes of its elements, in reading order; of an element of which the chunk holds a part
        those that this part is in, each no larger than the lines of the part, or the rows of a
        table, where the reader knows these, as that of PDF does.

        Raises
        ------
        ReadError
            If the coordinates of an element are no points.
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
        """The HTML of a table or of rows of one, a table by itself; None if it has none."""
        return self._columns.html(self._row)

    @property
    def part(self) -> int:
        """The number, from 0, of the chunk among those that its elements were split into."""
        return int(self._columns.parts[self._row])

    @property
    def is_continuation(self) -> bool:
        """Whether it goes on with what the chunk before began: whether its part is not 0."""
        return self.part > 0

    @property
    def n_header_rows(self) -> int:
        """Rows of a table's header that are repeated in front of these of it."""
        return int(self._columns.n_header_rows[self._row])

    @property
    def table_id(self) -> str | None:
        """What the parts of one table share, None if it is no part of one."""
        return self._columns.table_ids[self._row]

    @property
    def id(self) -> str:
        """32 hexadecimal digits derived from what the chunk says.

        A hash of the document's name, the text with its whitespace normalised, and the number of
        chunks with an equal text before this one: an edit elsewhere does not change it.
        """
        return self._columns.ids[self._row]

    @property
    def document_id(self) -> str:
        """The id of the document that it is from; see :attr:`Document.id`."""
        return self._columns.document_id(self._row)

    @property
    def metadata(self) -> Mapping[str, Scalar]:
        """The metadata of the document that it is from; see :class:`Document`."""
        return self._columns.metadata(self._row)

    # ------------------------------------------------------------------ context

    @property
    def context(self) -> str | None:
        """A text that says where the chunk stands in its document, and stands nowhere itself.

        :class:`chunkwright.Contextual` writes it. None without, and where it could not be written.
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
        """How the context came about; None without a strategy that writes them.

        That of the request: ``"answered"``, ``"cached"``, ``"repaired"``; without context
        ``"invalid"``, ``"failed"`` or ``"unpaid"``, see :class:`chunkwright.llm.Answer`.
        ``"structure"`` if no model was asked.
        """
        context = self._columns.context(self._row)
        return None if context is None else context.outcome

    @property
    def context_why(self) -> str | None:
        """Why there is no context, if a model was asked; None where there is one."""
        context = self._columns.context(self._row)
        return (context.why or None) if context is not None else None

    @property
    def prefix_shadow(self) -> str | None:
        """The end of the sibling before it; None without one, and without shadows.

        See :func:`chunkwright.shadows`. It is no part of :attr:`text`.
        """
        return self._columns.shadow(self._row)[0]

    @property
    def suffix_shadow(self) -> str | None:
        """The start of the sibling behind it; see :attr:`prefix_shadow`."""
        return self._columns.shadow(self._row)[1]

    def keys(self) -> Iterable[str]:
        """Return the names of the columns: with them ``dict(chunk)`` knows what to ask for."""
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
