"""Files with the hashes of units, beside the manifest."""

from __future__ import annotations

from hashlib import sha256

from chunkwright.corpus.inputs.places import joined, place_of, read_bytes, write_bytes
from chunkwright.corpus.output.manifest import RUN
from chunkwright.corpus.planning.duplicates import HASH_BYTES, Hashes


class HashFiles:
    """Keeps the hashes of units in the folder of a run.

    Parameters
    ----------
    folder
        The folder of the run.
    """

    def __init__(self, folder: str) -> None:
        self._place, self._folder = place_of(folder), joined(folder, RUN, "hashes")
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
