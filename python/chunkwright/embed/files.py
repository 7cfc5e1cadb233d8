"""Files of a model: JSON, modules and tensors, told apart by their content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def module_kinds(path: Path) -> list[str]:
    """Return the kind of each module, in order; see :func:`read_modules`."""
    return [kind for kind, _ in read_modules(path)]


def read_modules(path: Path) -> list[tuple[str, str]]:
    """Return the kind of each module and its folder; none if the folder does not list them.

    Raises
    ------
    ModelError
        If ``modules.json`` cannot be read; names it.
    """
    file = path / "modules.json"
    if not file.exists():
        return []
    listed = read_json(file)
    if not isinstance(listed, list) or not listed:
        raise ModelError(f"{str(file)!r} must hold a list of modules, got {listed!r}")
    return [_module(entry, i, file) for i, entry in enumerate(listed)]


def _module(entry: object, i: int, file: Path) -> tuple[str, str]:
    kind = entry.get("type") if isinstance(entry, dict) else None
    folder = entry.get("path", "") if isinstance(entry, dict) else None
    if not isinstance(kind, str) or not isinstance(folder, str):
        raise ModelError(f"module {i} of {str(file)!r} needs a 'type' and a 'path', got {entry!r}")
    return kind.rsplit(".", 1)[-1], folder


def read_tensors(file: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a file, by name.

    Raises
    ------
    ModelError
        If it cannot be read, or has numbers of a kind that NumPy has not; names the file.
    MissingExtraError
        If the library safetensors is not installed.
    """
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("reading a model's weights", "static") from error
    if not file.is_file():
        raise ModelError(f"{str(file)!r} is missing")
    try:
        return load_file(file)
    except (SafetensorError, OSError, TypeError, ValueError, KeyError) as error:
        raise ModelError(f"{str(file)!r} cannot be read: {error!r}") from error


_NO_LIMIT = 2**31
# Characters of a wrong name that a message shows.
_SHOWN = 80


def is_folder(path: Path) -> bool:
    """Return whether a path is that of a folder; what no path can be is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        # A name may be too long for the system, or hold a zero.
        return False


def is_file(path: Path) -> bool:
    """Return whether a path is that of a file; what no path can be is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def shortened(name: str) -> str:
    """Return a name as messages show it: in quotes, and the first 80 code points of a long one."""
    return repr(name) if len(name) <= _SHOWN else f"{name[:_SHOWN]!r}... ({len(name):,} characters)"


def read_json(file: Path) -> Any:
    """Return what a file of JSON holds.

    Raises
    ------
    ModelError
        If it cannot be read; names the file.
    """
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"{str(file)!r} is missing") from error
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{str(file)!r} cannot be read: {error}") from error


def read_object(file: Path, *, optional: bool = False) -> dict[str, Any]:
    """Return the object that a file of JSON holds; an empty one for an `optional` file's absence.

    Raises
    ------
    ModelError
        If it cannot be read or holds something else; names the file.
    """
    if optional and not file.exists():
        return {}
    content = read_json(file)
    if not isinstance(content, dict):
        raise ModelError(f"{str(file)!r} must hold an object, got {type(content).__name__}")
    return content


def size_at(config: dict[str, Any], key: str, file: Path) -> int | None:
    """Return the positive number at a key; None if there is none, null or one beyond all texts.

    Raises
    ------
    ModelError
        If something else stands there; names file and key.
    """
    value = config.get(key)
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 1 <= value < float("inf"):
        raise ModelError(f"{key!r} of {str(file)!r} must be a positive int, got {value!r}")
    # Tokenizers without a maximum say 1e30.
    return int(value) if value < _NO_LIMIT else None


def digest(files: Sequence[Path]) -> str:
    """Return what the content of files hashes to; read again only once they have changed.

    Raises
    ------
    ModelError
        If one cannot be read; names it.
    """
    from hashlib import sha256

    return sha256("".join(map(_digest_of, files)).encode()).hexdigest()[:32]


def _digest_of(file: Path) -> str:
    try:
        status = file.stat()
        return _digest_once(file, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise ModelError(f"{str(file)!r} cannot be read: {error}") from error


@lru_cache(maxsize=64)
def _digest_once(file: Path, _mtime_ns: int, _size: int) -> str:
    from hashlib import file_digest

    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
