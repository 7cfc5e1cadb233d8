"""Store of chunks on disk, so that no corpus is cut twice by the same chunker."""

from __future__ import annotations

import json
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any

from chunkwright.atomic import replacing
from chunkwright.errors import ConfigError
from chunkwright.evaluation.chunkers import Cut
from chunkwright.evaluation.loose_match import Place

# Of the files' layout.
VERSION = 1
# Of what a file says, so much is shown.
_SHOWN = 100


class DamagedError(Exception):
    """A file holds no chunks, or not as this version writes them."""


class KeptChunks:
    """The chunks of a chunker, a file for each corpus.

    A file appears under its name only when it is whole, so that processes may share a folder. One
    that is damaged, or that another version wrote, is set aside with a warning. A folder that
    cannot be written costs a warning and the time, nothing else.

    Parameters
    ----------
    folder
        Where; it is made with the first file.
    chunker
        The chunker's fingerprint.
    """

    def __init__(self, folder: Path, chunker: str) -> None:
        self._folder = folder
        self._chunker = chunker
        self._is_usable = True

    def get(self, text: str) -> Cut | None:
        """Return the chunks of a text; None if they are not there."""
        file = self._file(text)
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._give_up(error)
            return None
        try:
            return _read(data, self._chunker, text)
        except DamagedError as error:
            self._set_aside(file, error)
            return None

    def put(self, text: str, cut: Cut) -> None:
        """Keep the chunks of a text."""
        if not self._is_usable:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._file(text)) as file:
                file.write(_written(cut, self._chunker, text))
        except (ConfigError, OSError) as error:
            self._give_up(error)

    def _file(self, text: str) -> Path:
        return self._folder / f"{_hash(_hash(self._chunker) + _hash(text))[:32]}.json"

    def _set_aside(self, file: Path, why: Exception) -> None:
        aside = file.with_name(f"{file.name}.damaged")
        try:
            file.replace(aside)
        except OSError as error:
            self._give_up(error)
        else:
            _say(f"the chunks {str(file)!r} are set aside as {aside.name!r}: {why}")

    def _give_up(self, why: Exception) -> None:
        if self._is_usable:
            _say(f"chunks cannot be kept in {str(self._folder)!r}: {why}")
        self._is_usable = False


def _written(cut: Cut, chunker: str, text: str) -> bytes:
    # A chunk that stands where it says needs no text of its own.
    rows = [place or said for said, place in zip(cut.texts, cut.places, strict=True)]
    body = json.dumps({"chunker": chunker, "corpus": _hash(text), "chunks": rows})
    head = json.dumps({"version": VERSION, "sha256": _hash(body)})
    return f"{head}\n{body}\n".encode()


def _read(data: bytes, chunker: str, text: str) -> Cut:
    """Return the chunks that a file holds.

    Raises
    ------
    DamagedError
        If it holds none of this chunker and text.
    """
    head, _, body = data.partition(b"\n")
    first = _parsed(head)
    if not isinstance(first, dict) or "version" not in first:
        raise DamagedError("it is no file of chunks")
    if first["version"] != VERSION:
        raise DamagedError(f"it is of version {str(first['version'])[:_SHOWN]}, not {VERSION}")
    if first.get("sha256") != sha256(body.removesuffix(b"\n")).hexdigest():
        raise DamagedError("its checksum is another")
    kept = _parsed(body)
    try:
        if (kept["chunker"], kept["corpus"]) != (chunker, _hash(text)):
            raise DamagedError("it is of another chunker or corpus")
        rows = list(kept["chunks"])
        places = [None if isinstance(row, str) else _place(row, len(text)) for row in rows]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise DamagedError(f"it holds something else: {error!r}"[:_SHOWN]) from error
    texts = [text[slice(*place)] if place else row for row, place in zip(rows, places, strict=True)]
    if not all(texts):
        raise DamagedError("it holds a chunk without text")
    return Cut(texts, places)


def _place(row: Any, length: int) -> Place:
    start, end = row
    # True and 0.0 are no offsets, though they equal some.
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise DamagedError("it holds a chunk that stands outside of its text")
    return start, end


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError, MemoryError) as error:
        raise DamagedError(str(error)[:_SHOWN]) from error


def _say(what: str) -> None:
    warnings.warn(what, RuntimeWarning, stacklevel=7)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
