"""Arrays in an archive of NumPy's: read without trust in what it says of their sizes."""

from __future__ import annotations

import math
import zipfile
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright.evaluation.sound import DamagedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

# Of all arrays of an archive: more is no evaluation, and would be read into memory.
MAX_BYTES = 1 << 30
_SUFFIX = ".npy"
_IS_ENCRYPTED = 1


def read(file: BinaryIO) -> Arrays:
    """Return the arrays of an archive that ``numpy.savez_compressed`` wrote.

    Raises
    ------
    DamagedError
        If it says of itself what it does not hold, or too much.
    Exception
        Whatever else zipfile and numpy raise of bytes that nobody wrote.
    """
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if sum(info.file_size for info in infos) > MAX_BYTES:
            raise DamagedError(f"it is larger than {MAX_BYTES:,} bytes")
        return {info.filename.removesuffix(_SUFFIX): _array(archive, info) for info in infos}


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    import numpy as np

    known = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if info.flag_bits & _IS_ENCRYPTED or info.compress_type not in known:
        raise DamagedError("it is compressed or encrypted in an unknown way")
    with archive.open(info) as member:
        np.lib.format.read_magic(member)
        header: Any = np.lib.format.read_array_header_1_0(member)
        shape, is_by_columns, kind = header
        n_bytes = info.file_size - member.tell()
        if is_by_columns or kind.hasobject or math.prod(shape) * kind.itemsize != n_bytes:
            raise DamagedError("an array is not of the size that it says")
        # To its end, where its checksum is compared.
        return np.frombuffer(member.read(), kind).reshape(shape).copy()
