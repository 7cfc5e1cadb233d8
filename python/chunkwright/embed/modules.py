"""The modules that a sentence model is made of."""

from __future__ import annotations

from pathlib import Path

from chunkwright.embed.files import read_json
from chunkwright.errors import ModelError


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
