"""Objects by what makes them: the name ``module:attribute``, or a class and its options."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from chunkwright.errors import ConfigError, nearest


def object_of(
    name: str, options: Mapping[str, Any] | None, folder: Path
) -> tuple[Any, dict[str, Any]]:
    """Import an object, or make one.

    Parameters
    ----------
    name
        ``"module:attribute"``. A class is called, and so is anything else if there are options.
    options
        What it is called with, by keyword.
    folder
        Modules in it are found as well.

    Returns
    -------
    made : Any
        The object.
    described : dict
        What it is: its name, what its module holds, and the version of what that belongs to.

    Raises
    ------
    ConfigError
        If there is no such module or attribute, or the call fails; names it, and why.
    """
    module_name, colon, attribute = name.partition(":")
    if not (colon and module_name and attribute):
        raise ConfigError(f"object must be 'module:attribute', got {name!r}")
    made = _resolved(name, module_name, folder)
    module = sys.modules[module_name]
    described = {"object": name, "source": _source(module), "version": _version(module_name)}
    if options is None and not isinstance(made, type):
        return made, described
    try:
        return made(**(options or {})), described
    except Exception as error:
        raise ConfigError(f"{name} cannot be made: {error!r}") from error


def _resolved(name: str, module: str, folder: Path) -> Any:
    try:
        with _importable(folder):
            return resolve_name(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, AttributeError) and module in sys.modules:
            known = [each for each in dir(error.obj) if not each.startswith("_")]
            attribute, hint = name.partition(":")[2], nearest(error.name, known)
            raise ConfigError(f"{module!r} has no {attribute!r}; {hint}") from error
        # A module may do anything when it is imported; that of a program runs it.
        raise ConfigError(f"cannot import {module!r}: {error!r}") from error


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    path = str(folder.resolve())
    sys.path.insert(0, path)
    try:
        yield
    finally:
        sys.path.remove(path)


def _source(module: ModuleType) -> str | None:
    """Return what tells whether a module has changed."""
    file = getattr(module, "__file__", None)
    try:
        return None if file is None else sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return None


def _version(module: str) -> str | None:
    package = module.partition(".")[0]
    try:
        return metadata.version(package.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return None


class MadeOfOptions:
    """Base of dataclasses that are pickled as their options; what they loaded stays behind."""

    def __reduce__(self) -> tuple[object, ...]:
        own: Any = self
        options = {field.name: getattr(self, field.name) for field in fields(own) if field.init}
        return _made, (type(self), options)


def _made(kind: type[Any], options: dict[str, Any]) -> Any:
    return kind(**options)
