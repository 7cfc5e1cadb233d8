"""Documents that are the same as one before them: found in a pass of their own, then left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from chunkwright import __version__, _core
from chunkwright.corpus.inputs.places import joined, place_of, read_bytes, write_bytes
from chunkwright.corpus.reading.units import batches_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.corpus.inputs.splitting import Shard, Unit
    from chunkwright.corpus.reading.batch import DocumentBatch
    from chunkwright.io.sources import Reading


DUPLICATE_OF = "duplicate_of"
"""The column with the id of an earlier document that is the same."""
HASH_BYTES = 16
"""Bytes of a document's hash that are compared: enough for 2^64 documents."""
_FILE_BYTES = 2**20

Marks = Mapping[str, Mapping[int, str]]
"""By the keys of units, and by the numbers of rows in these: the id of the first such document."""


@dataclass(frozen=True)
class Hashes:
    """Hashes and ids of the documents of a unit.

    Parameters
    ----------
    hashes
        16 bytes for each document, shape ``(n, 16)``; zeros where it says nothing.
    ids
        Their ids.
    """

    hashes: NDArray[np.uint8]
    ids: Sequence[str]


def marks_of(units: Sequence[Unit], reading: Reading, carried: Any, cache: HashFiles) -> Marks:
    """Find the documents that are the same as one before them, but for whitespace.

    All inputs are read for it once. It takes some 100 bytes of memory a document. A file that has
    gone, has changed or cannot be reached has no marks: its shard cannot be made either.

    Parameters
    ----------
    units
        The units, in order.
    reading
        How they are read.
    carried
        See :func:`chunkwright.corpus.reading.units.batches_of`.
    cache
        Keeps what was found.
    """
    import numpy as np

    # Which rows of JSON are documents depends on the columns that they have to fit into.
    columns = [(field.name, str(field.type)) for field in carried]
    settings = f"{__version__}\0{reading!r}\0{columns!r}"
    all_hashes = [_hashes(unit, reading, carried, cache, settings) for unit in units]
    cache.prune()
    if not all_hashes:
        return {}
    joined = np.concatenate([each.hashes for each in all_hashes])
    as_one = np.ascontiguousarray(joined).view([("", np.void, HASH_BYTES)]).ravel()
    _, firsts, inverse = np.unique(as_one, return_index=True, return_inverse=True)
    first_of = firsts[inverse]
    is_duplicate = (first_of != np.arange(len(joined))) & joined.any(axis=1)
    starts = np.cumsum([0, *(len(each.hashes) for each in all_hashes)])
    marks: dict[str, dict[int, str]] = {}
    for row in np.flatnonzero(is_duplicate).tolist():
        at = int(np.searchsorted(starts, row, side="right")) - 1
        first = int(first_of[row])
        of = int(np.searchsorted(starts, first, side="right")) - 1
        original = all_hashes[of].ids[first - int(starts[of])]
        marks.setdefault(units[at].key, {})[row - int(starts[at])] = original
    return marks


def _hashes(unit: Unit, reading: Reading, carried: Any, cache: HashFiles, settings: str) -> Hashes:
    key = unit.key if unit.format == "file" else f"{unit.key}\0{settings}"
    found = cache.get(key)
    if found is None:
        try:
            found = _of_file(unit) if unit.format == "file" else _of_rows(unit, reading, carried)
        except OSError:
            return _joined(b"", [])
        cache.put(key, found)
    return found


def _of_file(unit: Unit) -> Hashes:
    digest, has_bytes = sha256(), False
    with place_of(unit.path).open(unit.path) as file:
        while data := file.read(_FILE_BYTES):
            digest.update(data)
            has_bytes = True
    return _joined(digest.digest()[:HASH_BYTES] if has_bytes else bytes(HASH_BYTES), [unit.name])


def _of_rows(unit: Unit, reading: Reading, carried: Any) -> Hashes:
    hashes, ids = bytearray(), list[str]()
    for batch in batches_of([unit], reading, carried):
        if batch.rows is None:
            continue
        texts = _column(batch.rows, reading.text_column)
        own = None if reading.id_column is None else _column(batch.rows, reading.id_column)
        names = [_core.document_id(text) for text in texts] if own is None else own
        ids += names
        for text, name, digest in zip(texts, names, _core.content_hashes(texts), strict=True):
            # A document without an id fails: it can stand for no other.
            is_one = text.strip() and name
            hashes += digest[:HASH_BYTES] if is_one else bytes(HASH_BYTES)
    return _joined(bytes(hashes), ids)


def _joined(hashes: bytes, ids: Sequence[str]) -> Hashes:
    import numpy as np

    return Hashes(np.frombuffer(hashes, np.uint8).reshape(-1, HASH_BYTES), ids)


def _column(rows: Any, name: str) -> list[str]:
    """Return a column as texts, which are empty where there are none: cutting says why."""
    if rows.schema.names.count(name) != 1:
        return [""] * int(rows.num_rows)
    return [_text(value) for value in rows[name]]


def _text(value: Any) -> str:
    """Return a value as a text; an empty one if it is null or no UTF-8."""
    try:
        text = value.as_py()
    except UnicodeDecodeError:
        return ""
    return "" if text is None else str(text)


@dataclass
class _Counted:
    """Marks of a shard, and how many rows of each of its units were seen."""

    shard: Shard
    seen: Counter[str] = field(default_factory=Counter)

    def marks(self, batch: DocumentBatch) -> list[str | None]:
        """Return the marks of the next documents of a unit."""
        if batch.rows is None:
            return [self._of_files.get(entry.name) for entry in batch.entries]
        key, start = batch.unit.key, self.seen[batch.unit.key]
        self.seen[key] += batch.n_documents
        of = self.shard.marks.get(key, {})
        return [of.get(row) for row in range(start, start + batch.n_documents)]

    @cached_property
    def _of_files(self) -> dict[str, str]:
        units = (unit for unit in self.shard.units if unit.format == "file")
        marks = self.shard.marks
        return {unit.name: marks[unit.key][0] for unit in units if unit.key in marks}


def without_duplicates(batches: Iterable[DocumentBatch], shard: Shard) -> Iterator[DocumentBatch]:
    """Leave duplicates out of the batches of a shard, or mark them, as the shard says."""
    if not shard.marks:
        yield from batches
        return
    counted = _Counted(shard)
    for batch in batches:
        marks = counted.marks(batch)
        if any(mark is not None for mark in marks):
            yield _dropped(batch, marks) if shard.drops else replace(batch, duplicate_of=marks)
        else:
            yield batch


def _dropped(batch: DocumentBatch, marks: Sequence[str | None]) -> DocumentBatch:
    import pyarrow as pa

    kept = [i for i, mark in enumerate(marks) if mark is None]
    n_dropped = len(marks) - len(kept)
    if batch.rows is None:
        return replace(batch, entries=[batch.entries[i] for i in kept], n_dropped=n_dropped)
    rows = batch.rows.take(pa.array(kept, pa.int64()))
    return replace(batch, rows=rows, places=[batch.places[i] for i in kept], n_dropped=n_dropped)


class HashFiles:
    """Keeps the hashes of units, so that a run that goes on need not read them again.

    Parameters
    ----------
    folder
        The folder of their files.
    """

    def __init__(self, folder: str) -> None:
        self._place, self._folder = place_of(folder), folder
        self._used: set[str] = set()

    def get(self, key: str) -> Hashes | None:
        """Return the hashes of a unit; None if there is no file of them that can be read."""
        import numpy as np
        import pyarrow as pa

        data = read_bytes(self._place, self._path(key))
        if data is None:
            return None
        try:
            table = pa.ipc.open_file(pa.py_buffer(data)).read_all()
        except (pa.ArrowException, OSError):
            return None
        hashes = np.frombuffer(b"".join(table["hash"].to_pylist()), np.uint8)
        return Hashes(hashes.reshape(-1, HASH_BYTES), table["id"].to_pylist())

    def put(self, key: str, hashes: Hashes) -> None:
        """Write the hashes of a unit.

        Raises
        ------
        CorpusError
            If they cannot be written.
        """
        import pyarrow as pa

        rows = [row.tobytes() for row in hashes.hashes]
        columns = {
            "hash": pa.array(rows, pa.binary(HASH_BYTES)),
            "id": pa.array(list(hashes.ids), pa.string()),
        }
        sink = pa.BufferOutputStream()
        table = pa.table(columns)
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        write_bytes(self._place, self._path(key), sink.getvalue().to_pybytes())

    def prune(self) -> None:
        """Remove the files that nobody asked for: those of inputs and options before."""
        for name in self._place.sizes(self._folder).keys() - self._used:
            self._place.remove(joined(self._folder, name))

    def _path(self, key: str) -> str:
        name = f"{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.arrow"
        self._used.add(name)
        return joined(self._folder, name)
