"""Folder of Parquet files, one for each shard, as the output of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from chunkwright.corpus.inputs.places import PendingFile, joined, place_of, unwritable
from chunkwright.corpus.report import failure_schema, failure_table
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.sink import Takes
    from chunkwright.corpus.report import Failure
    from chunkwright.document import Document


PREFIX, SUFFIX = "part-", ".parquet"
# A row group has so many bytes in memory, about.
GROUP_BYTES = 32 * 2**20
COMPRESSION = "zstd"


class ParquetFolder:
    """A folder of Parquet files, which engines read as one table.

    Parameters
    ----------
    folder
        A path, or an address of a file system that fsspec knows.
    schema
        The ``pyarrow.Schema`` of the rows.
    """

    takes: Takes = "chunks"

    def __init__(self, folder: str, schema: Any) -> None:
        self._folder, self._schema = folder, schema

    def begin(self, shard: Shard) -> ParquetShard:
        """Begin a file; see :class:`chunkwright.corpus.output.sink.Sink`."""
        return ParquetShard(part_path(self._folder, shard.name), self._schema)

    def sizes(self) -> dict[str, int]:
        """Return the bytes of the shards whose files are there."""
        found = place_of(self._folder).sizes(self._folder).items()
        return {name: size for file, size in found if (name := shard_name(file)) is not None}

    def remove(self, names: Collection[str]) -> None:
        """Remove files of shards."""
        place = place_of(self._folder)
        for name in sorted(names):
            place.remove(part_path(self._folder, name))


class ParquetShard:
    """The file of one shard.

    Parameters
    ----------
    path
        Where it will be.
    schema
        The ``pyarrow.Schema`` of its rows.
    """

    def __init__(self, path: str, schema: Any) -> None:
        import pyarrow.parquet as pq

        self._path, self._schema = path, schema
        self._rows: list[Any] = []
        self._n_bytes = 0
        self._pending: PendingFile | None = None
        self._writer: Any = None
        try:
            self._pending = place_of(path).pending(path)
            self._writer = pq.ParquetWriter(self._pending.file, schema, compression=COMPRESSION)
        except (OSError, ConfigError) as error:
            self._fail(error)

    def consume(self, rows: Any, documents: Sequence[Document] = ()) -> list[Failure]:
        """Take rows; see :class:`chunkwright.corpus.output.sink.ShardWriter`.

        Raises
        ------
        CorpusError
            If they cannot be written, say because the disk is full.
        """
        del documents  # they are rows already
        self._rows.append(rows)
        self._n_bytes += rows.nbytes
        if self._n_bytes >= GROUP_BYTES:
            self._flush()
        return []

    def end(self) -> int:
        """Write what is left and give the file its name; return its bytes.

        Raises
        ------
        CorpusError
            If that fails; nothing is left of the file then.
        """
        self._flush()
        assert self._pending is not None  # noqa: S101 - it was begun
        try:
            self._writer.close()
            size = self._pending.file.tell()
            self._pending.commit()
        except (OSError, ValueError) as error:
            self._fail(error)
        self._pending = None
        return size

    def abort(self) -> None:
        """Remove the file."""
        if self._pending is not None:
            if self._writer is not None:
                # Else it would be closed later, when its file is gone.
                with suppress(Exception):
                    self._writer.close()
            self._pending.abort()
            self._pending = None

    def _flush(self) -> None:
        import pyarrow as pa

        rows, self._rows, self._n_bytes = self._rows, [], 0
        if not rows:
            return
        table = pa.concat_tables(rows).combine_chunks()
        try:
            self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        except (OSError, pa.ArrowException) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> NoReturn:
        self.abort()
        raise unwritable(self._path, error) from error


def part_path(folder: str, name: str) -> str:
    """Return where the file of a shard is in a folder."""
    return joined(folder, f"{PREFIX}{name}{SUFFIX}")


def shard_name(file: str) -> str | None:
    """Return the name of the shard whose file is called so, if it is one."""
    if file.startswith(PREFIX) and file.endswith(SUFFIX):
        return file[len(PREFIX) : -len(SUFFIX)]
    return None


class FailureFile:
    """A Parquet file that is there if there are failures.

    Parameters
    ----------
    path
        Where it will be.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: ParquetShard | None = None

    def add(self, failures: Sequence[Failure]) -> None:
        """Take failures.

        Raises
        ------
        CorpusError
            If they cannot be written.
        """
        if not failures:
            return
        if self._file is None:
            self._file = ParquetShard(self._path, failure_schema())
        self._file.consume(failure_table(failures))

    def end(self) -> None:
        """Have all of them in place; remove the file of an earlier run if there are none.

        Raises
        ------
        CorpusError
            If they cannot be written.
        """
        if self._file is None:
            place_of(self._path).remove(self._path)
        else:
            self._file.end()

    def abort(self) -> None:
        """Leave nothing of it."""
        if self._file is not None:
            self._file.abort()
