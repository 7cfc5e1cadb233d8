"""Stores of the command line: which is meant, with which model, and values of metadata."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.cli.settings.embedder import Progress, named_embedder
from chunkwright.errors import ConfigError, NoStoreError
from chunkwright.store.settings import NO_EMBEDDER, VARIABLE

if TYPE_CHECKING:
    from chunkwright.embed import Embedder
    from chunkwright.store.store import Store

STORE_HELP = "Store: a file, or a database, postgresql://user@host/name."
EMBEDDER_HELP = (
    "Model of the store's vectors: the path of its folder, or none. Default: the one of "
    "the last import."
)

In = Annotated[
    str, typer.Option("--in", metavar="STORE", envvar=VARIABLE, help=STORE_HELP, show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines on a terminal, too.")]


@contextmanager
def existing(
    target: str, *, embedder: "Embedder | None" = None, read_only: bool = True
) -> "Iterator[Store]":
    """Open a store that is there, and close it.

    Raises
    ------
    ConfigError
        If there is none.
    StoreError
        If it cannot be opened.
    """
    from chunkwright.store.store import Store, is_there

    if not is_there(target):
        raise ConfigError(f"--in: there is no store {target}; chunkwright index makes one")
    with Store.open(target, embedder=embedder, read_only=read_only) as store:
        yield store


def remembered_embedder(target: str) -> str | None:
    """Return the name of the embedder of the last import into a store; None if there is none."""
    from chunkwright.store.store import embedder_note, is_there

    if not is_there(target):
        return None
    try:
        return embedder_note(target)
    except NoStoreError:
        return None


def embedder_of(
    target: str, named: str | None, progress: Progress | None = None
) -> "Embedder | None":
    """Return the embedder that is named, or else that of the last import.

    Raises
    ------
    ConfigError
        If it is none.
    ModelError
        If it cannot be used; says what to do where the last import had it elsewhere.
    """
    from chunkwright.store.store import embedder_noted

    make = partial(named_embedder, is_cached=False, progress=progress)
    if named is None:
        return embedder_noted(target, remembered_embedder(target), make)
    return None if named == NO_EMBEDDER else make(named)


def values_of(flag: str, pairs: Sequence[str]) -> dict[str, list[Any]]:
    """Return values by name, of which each may be named several times.

    Values are what JSON reads, ``2024``, ``1.5``, ``true``, ``null``; anything else is a text.

    Raises
    ------
    ConfigError
        If one is not NAME=VALUE, or no single value.
    """
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name and equals):
            raise ConfigError(f"{flag}: {pair!r} is not NAME=VALUE")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        if isinstance(value, list | dict):
            raise ConfigError(f"{flag}: {text!r} is no single value")
        found.setdefault(name, []).append(value)
    return found
