"""Settings as data: name, default, range and help, said once for all who take or show them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields
from inspect import cleandoc
from typing import Any, TypeVar

from chunkwright.checks import checked_flag, checked_int, checked_number, checked_text
from chunkwright.errors import ConfigError

T = TypeVar("T")

UNITS = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
"""The units of sizes, in bytes."""


def setting(about: str, *, default: object = None, **more: Any) -> Any:
    """Return the field of a setting.

    Parameters
    ----------
    about
        What it means, in one sentence.
    default
        Its default; a type or a function is called for it anew each time.
    more
        What else there is to say of it: attributes of :class:`Setting` by name.
    """
    made: dict[str, Any] = {"default_factory" if callable(default) else "default": default}
    is_shown = not more.get("is_secret")
    return field(**made, repr=is_shown, metadata={"short": None, **more, "about": about})


@dataclass(frozen=True)
class Setting:
    """A setting: what it is called, what it takes, and what help says of it.

    Parameters
    ----------
    name
        Its name in Python, and in files.
    about
        What it means, in one sentence.
    kind
        What it takes: ``int``, ``float``, ``bool``, ``str``, ``tuple`` (of texts) or ``dict`` (of
        paths by names); by default what its default is, and ``str`` where that is None.
    default
        Its default; None where there is none.
    default_text
        What its default is called where it depends on the machine, or on a store.
    item
        What each value of a tuple is.
    is_size
        Whether it is a number of bytes, which may be given with a unit.
    is_secret
        Whether its value is shown nowhere; it has no flag.
    least, most
        The range of a number.
    metavar
        What help calls its value.
    called
        Its flag, where that is not made of its name.
    variable
        Its variable of the environment, where that is not made of its name.
    short
        Its flag of one letter.
    """

    name: str
    about: str
    kind: type
    _: KW_ONLY
    default: Any = None
    default_text: str = ""
    item: type = str
    is_size: bool = False
    is_secret: bool = False
    least: int = 0
    most: int | None = None
    metavar: str | None = None
    called: str | None = None
    variable: str | None = None
    short: str | None = None

    @classmethod
    def of(cls, one: Field[Any]) -> Setting:
        """Return the setting of a field that :func:`setting` has made."""
        default = None if one.default is MISSING else one.default
        if one.default_factory is not MISSING:
            default = one.default_factory()
        kind = str if default is None else type(default)
        return cls(**{"name": one.name, "kind": kind, "default": default, **one.metadata})

    @property
    def takes_many(self) -> bool:
        """Whether its values are given one by one."""
        return self.kind in {tuple, dict}

    @property
    def flag(self) -> str:
        """Its flag; that of a secret is its variable, for a command line is seen by others."""
        if self.is_secret:
            return str(self.variable)
        return self.called or f"--{self.name.replace('_', '-')}"

    @property
    def default_shown(self) -> str:
        """Its default, as it would be given; empty where there is none, or a flag is not set."""
        if self.default_text or self.default is None or self.default is False or self.takes_many:
            return self.default_text
        if self.is_size:
            return size_text(self.default)
        return f"{self.default:g}" if self.kind is float else str(self.default).lower()

    @property
    def help(self) -> str:
        """What it means, and its default."""
        many = " May be repeated." if self.takes_many else ""
        default = f" Default: {self.default_shown}." if self.default_shown else ""
        return f"{self.about}{many}{default}"

    def checked(self, value: Any) -> Any:
        """Return a value that the setting takes.

        Raises
        ------
        ConfigError
            If it takes no such value; names both.
        """
        if value is None and self.default is None:
            return None
        most = {} if self.most is None else {"most": self.most}
        if self.kind is int:
            return checked_int(self.name, value, least=self.least, **most)
        if self.kind is float:
            return checked_number(self.name, value, least=self.least, **most)
        if self.kind is bool:
            return checked_flag(self.name, value)
        if self.takes_many:
            return self._checked_paths(value) if self.kind is dict else self._checked_texts(value)
        return self._checked_text(os.fspath(value) if isinstance(value, os.PathLike) else value)

    def _checked_text(self, text: object) -> str:
        return checked_text(self.name, text, is_secret=self.is_secret)

    def _checked_texts(self, texts: object) -> tuple[str, ...]:
        if not isinstance(texts, tuple | list):
            shown = type(texts).__name__ if self.is_secret else None
            given = None if self.is_secret else texts
            raise ConfigError.refused(self.name, "a tuple of texts", given, shown=shown)
        return tuple(map(self._checked_text, texts))

    def _checked_paths(self, paths: object) -> dict[str, str]:
        if not isinstance(paths, Mapping):
            raise ConfigError.refused(self.name, "paths by names", paths)
        return {self._checked_text(name): self._checked_text(paths[name]) for name in paths}


def settings_of(kind: type[Any]) -> tuple[Setting, ...]:
    """Return the settings that are the fields of a dataclass."""
    return tuple(map(Setting.of, fields(kind)))


def documented(kind: type[T]) -> type[T]:
    """Say in the docstring of a dataclass what its settings are; ``python -OO`` has none."""
    if kind.__doc__:
        told = "\n".join(f"{one.name}\n    {one.about}" for one in settings_of(kind))
        section = f"\nParameters\n----------\n{told}\n\nRaises\n"
        kind.__doc__ = cleandoc(kind.__doc__).replace("\nRaises\n", section)
    return kind


def bytes_of(text: str) -> int:
    """Read a number of bytes, with a unit or without.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> bytes_of("64MiB"), bytes_of("1.5 kB"), bytes_of("800")
    (67108864, 1500, 800)
    """
    units = {unit.upper(): size for unit, size in {**UNITS, "B": 1}.items()}
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Z]*)", text.strip().upper())
    if match is None or match[2] not in units:
        raise ValueError(text)
    return int(float(match[1]) * units[match[2]])


def size_text(n_bytes: int) -> str:
    """Return a number of bytes in the largest unit that leaves no fraction.

    Examples
    --------
    >>> size_text(64_000_000), size_text(2**26), size_text(999)
    ('64MB', '64MiB', '999')
    """
    unit = max((unit for unit in UNITS if n_bytes % UNITS[unit] == 0), key=UNITS.__getitem__)
    return f"{n_bytes // UNITS[unit]}{unit}"
