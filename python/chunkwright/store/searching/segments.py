"""Segments of a store's index: words of documents in a row, and their page headers and footers."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from chunkwright import _core
from chunkwright.errors import ReadError
from chunkwright.store.content import document_of
from chunkwright.store.drafts import stored_text
from chunkwright.store.reading import content_row
from chunkwright.store.searched_texts import searched_texts
from chunkwright.store.searching.fields import FIELD_TEXTS, Current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.elements.box import Box
    from chunkwright.elements.element import Element
    from chunkwright.retrieval.steps.bm25 import Subwords
    from chunkwright.store.database.protocol import Session

# Of the bytes below.
_LAYOUT = 4
_START = struct.Struct("<IIQQQ")
# Behind the words, each field: the length of its name, that of its words, and both.
_FIELD = struct.Struct("<IQ")
HASH_BYTES = 32


class Line(NamedTuple):
    """A page header or footer of the current version of a document.

    Attributes
    ----------
    document
        The number of the document.
    kind
        The kind of its element, such as ``"page header"``.
    text
        Its text.
    start, end
        Where it stands first, in code points of the version's text.
    line_start, line_end
        The lines of that text.
    pages
        All pages that it is on.
    boxes
        Where it stands on these: page, left, top, right and bottom.
    confidence
        The least that its reader states in it; None if it states none.
    """

    document: int
    kind: str
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    pages: list[int]
    boxes: list[list[Any]]
    confidence: float | None


_TYPES = ((int,), (str,), (str,), *[(int,)] * 4, (list,), (list,), (float, type(None)))


def lines_of(session: Session, document: int, version: int) -> list[Line]:
    """Return the page headers and footers of a version, equal ones as one."""
    content = content_row(session, document, version)
    read = None if content is None else document_of(content[0], "")
    elements = None if read is None else read.elements
    if elements is None:
        return []
    found: dict[tuple[str, str], Line] = {}
    for element in elements[elements.n_body :]:
        text = stored_text(element.text)
        if not text.strip():
            continue
        kind, start, end, lines = element.kind, element.start, element.end, element.lines
        confidence = element.confidence
        new = Line(document, kind, text, start, end, lines[0], lines[1], [], [], confidence)
        line = found.setdefault((kind, text), new)
        if confidence is not None and (line.confidence is None or confidence < line.confidence):
            line = found[kind, text] = line._replace(confidence=confidence)
        line.pages.extend(page for page in element.pages if page not in line.pages[-2:])
        line.boxes.extend(list(box[:5]) for box in _boxes(element))
    return [line._replace(pages=sorted(set(line.pages))) for line in found.values()]


def _boxes(element: Element) -> tuple[Box, ...]:
    try:
        return element.boxes
    except ReadError:
        # A box that its source gives in a form that is not known costs the line nothing.
        return ()


def lines_to_bytes(lines: Iterable[Line]) -> bytes:
    """Return lines as bytes."""
    return json.dumps([*lines], ensure_ascii=False).encode()


def lines_of_bytes(data: bytes) -> tuple[Line, ...]:
    """Return the lines that :func:`lines_to_bytes` wrote.

    Raises
    ------
    ReadError
        If the bytes are no lines.
    """
    try:
        lines = tuple(Line(*row) for row in json.loads(data))
    except (TypeError, ValueError, RecursionError):
        raise ReadError("the lines of a segment are damaged") from None
    if not all(map(_is_line, lines)):
        raise ReadError("the lines of a segment are no lines")
    return lines


def _is_line(line: Line) -> bool:
    return all(type(value) in types for value, types in zip(line, _TYPES, strict=True))


@dataclass(frozen=True)
class Segment:
    """Blocks of documents in a row.

    Attributes
    ----------
    words
        Their words.
    fields
        The words of their fields, by the names of these.
    documents
        The number of the document of each block.
    ordinals
        The number of each block in its document.
    n_tokens
        The size of each.
    hashes
        The hashes of what is searched of each, 32 bytes one after another.
    lines
        The page headers and footers of the documents.
    """

    words: _core.Bm25Segment
    fields: Mapping[str, _core.Bm25Segment]
    documents: NDArray[np.int64]
    ordinals: NDArray[np.int64]
    n_tokens: NDArray[np.int64]
    hashes: bytes
    lines: tuple[Line, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def spliced(self, begin: int, stop: int, other: Segment) -> Segment:
        """Return the segment with another one in the place of documents, up to before the last."""
        import numpy as np

        first, end = np.searchsorted(self.documents, [begin, stop]).tolist()

        def column(name: str) -> NDArray[np.int64]:
            own = getattr(self, name)
            return np.concatenate([own[:first], getattr(other, name), own[end:]])

        lines = [line for line in self.lines if not begin <= line.document < stop]
        lines = sorted([*lines, *other.lines], key=lambda line: line.document)
        before, behind = self.hashes[: first * HASH_BYTES], self.hashes[end * HASH_BYTES :]
        return Segment(
            self.words.spliced(first, end, other.words),
            {
                name: words.spliced(first, end, other.fields[name])
                for name, words in self.fields.items()
            },
            column("documents"),
            column("ordinals"),
            column("n_tokens"),
            before + other.hashes + behind,
            tuple(lines),
        )

    def to_bytes(self) -> bytes:
        """Return the segment as bytes."""
        words, lines = self.words.to_bytes(), lines_to_bytes(self.lines)
        columns = (self.documents, self.ordinals, self.n_tokens)
        parts = [*(column.astype("<i8").tobytes() for column in columns), self.hashes, lines]
        body = b"".join(parts)
        start = _START.pack(_LAYOUT, crc32(body), len(self), len(lines), len(words))
        return b"".join([start, body, words, *map(_field_to_bytes, self.fields.items())])

    @classmethod
    def of_bytes(cls, data: bytes) -> Segment:
        """Return the segment that :meth:`to_bytes` wrote.

        Raises
        ------
        ReadError
            If the bytes are damaged, or of another version of chunkwright.
        """
        import numpy as np

        try:
            layout, checksum, n, n_lines, n_words = _START.unpack_from(data)
        except struct.error:
            raise ReadError("a segment of words is cut off") from None
        n_bytes = 8 * n
        lines_at = 3 * n_bytes + HASH_BYTES * n
        end = _START.size + lines_at + n_lines
        if layout != _LAYOUT or len(data) < end + n_words:
            raise ReadError("a segment of words is not of the layout that it says")
        body = data[_START.size : end]
        if crc32(body) != checksum:
            raise ReadError("a segment of words is damaged")
        columns = [np.frombuffer(body, "<i8", n, n_bytes * i).astype(np.int64) for i in range(3)]
        words = _core.Bm25Segment.of_bytes(data[end : end + n_words])
        own = _fields_of_bytes(data[end + n_words :])
        if any(each.n_texts != n for each in (words, *own.values())):
            raise ReadError("a segment of words has not the words of its blocks")
        lines = lines_of_bytes(body[lines_at:])
        documents, ordinals, n_tokens = columns
        hashes = body[3 * n_bytes : lines_at]
        return cls(words, own, documents, ordinals, n_tokens, hashes, lines)


def _field_to_bytes(field: tuple[str, _core.Bm25Segment]) -> bytes:
    name, words = field[0].encode(), field[1].to_bytes()
    return _FIELD.pack(len(name), len(words)) + name + words


def _fields_of_bytes(data: bytes) -> dict[str, _core.Bm25Segment]:
    """Return the words of fields.

    Raises
    ------
    ReadError
        If the bytes are damaged, or fields are not those that stores have.
    """
    found: dict[str, _core.Bm25Segment] = {}
    at = 0
    while at < len(data):
        try:
            n_name, n_words = _FIELD.unpack_from(data, at)
        except struct.error:
            raise ReadError("a field of a segment is cut off") from None
        name_at = at + _FIELD.size
        words_at = name_at + n_name
        at = words_at + n_words
        if at > len(data):
            raise ReadError("a field of a segment is cut off")
        name = data[name_at:words_at].decode("utf-8", "replace")
        found[name] = _core.Bm25Segment.of_bytes(data[words_at:at])
    if found.keys() != FIELD_TEXTS.keys():
        raise ReadError("a segment of words has not the fields that are searched")
    return found


@dataclass(frozen=True)
class IndexRows:
    """Rows of an index, in the order of their documents.

    Attributes
    ----------
    documents, ordinals, n_tokens, hashes
        As those of a :class:`Segment`.
    """

    documents: NDArray[np.int64]
    ordinals: NDArray[np.int64]
    n_tokens: NDArray[np.int64]
    hashes: bytes

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> IndexRows:
        """Return the rows of segments, one behind the other."""
        return cls(
            _joined([each.documents for each in segments]),
            _joined([each.ordinals for each in segments]),
            _joined([each.n_tokens for each in segments]),
            b"".join(each.hashes for each in segments),
        )

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def numbers(self) -> NDArray[np.uint64]:
        """A quarter of each hash: enough to tell texts apart."""
        import numpy as np

        return np.frombuffer(self.hashes, "<u8")[:: HASH_BYTES // 8]

    def keys(self, rows: Iterable[int]) -> Iterator[bytes]:
        """Yield the hashes of rows."""
        hashes = self.hashes
        return (hashes[row * HASH_BYTES : (row + 1) * HASH_BYTES] for row in rows)


def _joined(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    import numpy as np

    return np.concatenate([np.zeros(0, np.int64), *columns])


def segment_of(session: Session, currents: Iterable[Current], subwords: Subwords | None) -> Segment:
    """Index documents.

    Parameters
    ----------
    session
        The transaction.
    currents
        The documents, in the order of their numbers.
    subwords
        See :class:`chunkwright.Retriever`.
    """
    import numpy as np

    texts: list[str] = []
    of_fields: dict[str, list[str]] = {name: [] for name in FIELD_TEXTS}
    rows: list[tuple[int, int, int]] = []
    hashes: list[bytes] = []
    lines: list[Line] = []
    for current in currents:
        document, version, _ = current
        sql = "SELECT n_tokens FROM placements WHERE document = ? AND version = ? ORDER BY ordinal"
        sizes = [row[0] for row in session.rows(sql, (document, version))]
        searched = searched_texts(session, document, version)
        for ordinal, ((each, text), n_tokens) in enumerate(zip(searched, sizes, strict=True)):
            texts.append(text)
            hashes.append(each)
            rows.append((document, ordinal, n_tokens))
        for name, of in of_fields.items():
            of.extend(FIELD_TEXTS[name](session, current, len(searched)))
        lines += lines_of(session, document, version)
    columns: NDArray[np.int64] = np.array(rows, np.int64).reshape(-1, 3)
    documents, ordinals, n_tokens = (column.copy() for column in columns.T)
    words = _core.Bm25Segment(texts, subwords=subwords)
    own = {name: _core.Bm25Segment(of, subwords=subwords) for name, of in of_fields.items()}
    return Segment(words, own, documents, ordinals, n_tokens, b"".join(hashes), tuple(lines))


def state_of(currents: Sequence[Current]) -> bytes:
    """Return what is the same only for the same revisions of the same documents, read alike."""
    packed: list[Any] = [_LAYOUT, _core.Bm25Segment.TERMS]
    packed += [number for each in currents for number in each]
    named = "\0".join(FIELD_TEXTS).encode()
    return sha256(struct.pack(f"<{len(packed)}q", *packed) + named).digest()
