"""Validation of the options of embedders."""

from __future__ import annotations

import os
from pathlib import Path

from chunkwright.embed.texts import repaired
from chunkwright.errors import ConfigError


def check_int(name: str, value: object, least: int = 1, most: int | None = None) -> None:
    """See that an option is an int from `least` to `most`.

    Raises
    ------
    ConfigError
        If it is not; names it and the value.
    """
    is_int = isinstance(value, int) and not isinstance(value, bool)
    if is_int and least <= value and (most is None or value <= most):  # type: ignore[operator]
        return
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise ConfigError(f"{name} must be an int {limits}, got {value!r}")


def check_progress(progress: object) -> None:
    """See that what is told of progress can be called.

    Raises
    ------
    ConfigError
        If it cannot; names it.
    """
    if progress is not None and not callable(progress):
        raise ConfigError(f"progress must be callable, got {progress!r}")


def check_text(name: str, value: object, *, is_secret: bool = False) -> None:
    """See that an option is a str that is not empty, and can be written down.

    Raises
    ------
    ConfigError
        If it is not; names it, and the value unless it `is_secret`.
    """
    if not isinstance(value, str) or not value.strip():
        shown = type(value).__name__ if is_secret else repr(value)
        raise ConfigError(f"{name} must be a str that is not empty, got {shown}")
    if repaired(value) != value:
        raise ConfigError(
            f"{name} must have no surrogates{'' if is_secret else f', got {value!r}'}"
        )


def checked_path(name: str, path: object) -> Path:
    """Return the path of a folder.

    Raises
    ------
    ConfigError
        If it is no path, or empty: that would be the current folder.
    """
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(named, str) or not named or "\0" in named:
        raise ConfigError(f"{name} must be the path of a folder, got {path!r}")
    return Path(named)
