"""Table of the strategies' options, as the engine says them: type, range, default and help."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from sys import intern
from types import MappingProxyType
from typing import Literal, NamedTuple

from chunkwright import _core

Kind = Literal[
    "size",
    "int",
    "number",
    "flag",
    "name",
    "language",
    "separators",
    "marks",
    "tokenizer",
    "embedder",
    "llm",
    "prompt",
]

BESIDE = frozenset({"tokenizer", "embedder", "llm", "prompt"})
"""Kinds of options that may be objects, so that they are no part of the data of a strategy."""


class Option(NamedTuple):
    """An option of a strategy.

    Attributes
    ----------
    name
        Its name.
    kind
        What it takes. A ``"size"`` is in the unit of the limit, and says nothing under another one.
    default
        What it is where nothing is given; None where that depends on other options.
    about
        What it is for, in one sentence; names of code stand between backticks.
    more
        What else is to be known of it.
    concerns
        The options that it is to be seen with.
    names
        The names that it takes, if it takes nothing else.
    least, most
        The range of a number; None: open.
    excludes_ends
        Whether both ends of the range make no sense themselves.
    is_within_limit
        Whether it is at most the limit.
    unit
        What is counted: ``"limit"``, or a word in the plural.
    """

    name: str
    kind: Kind
    default: bool | int | float | str | None
    about: str
    more: str
    concerns: list[str]
    names: list[str] = []  # noqa: RUF012 - made by the core, and never changed
    least: float | None = None
    most: float | None = None
    excludes_ends: bool = False
    is_within_limit: bool = False
    unit: str | None = None

    @property
    def takes_none(self) -> bool:
        """Whether None is a value of it: what nothing given is."""
        return self.default is None


@cache
def option_table(strategy: str) -> Mapping[str, Option]:
    """Return the options of a strategy by their names, in the order in which they are shown.

    Examples
    --------
    >>> option = option_table("window")["soft_max"]
    >>> option.kind, option.about
    ('size', 'The size at which a chunk is full; the limit itself by default.')
    """
    rows = [Option(**row) for row in _core.strategy_options(strategy)]
    # A name is the same object here and in a class, so that telling them equal takes no time.
    rows = [
        row._replace(default=intern(row.default)) if isinstance(row.default, str) else row
        for row in rows
    ]
    return MappingProxyType({row.name: row for row in rows})


@cache
def abouts() -> Mapping[str, str]:
    """Return what each strategy does, in one sentence, by its name."""
    return {name: about for name, _, about, *_ in _core.strategies()}
