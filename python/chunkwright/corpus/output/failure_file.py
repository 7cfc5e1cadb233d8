"""File of the failures of a shard, beside those of chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.corpus.failures import failure_schema, failure_table
from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.output.parquet import ParquetShard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.corpus.failures import Failure


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
