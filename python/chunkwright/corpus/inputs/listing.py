"""Listing of inputs: the files that paths, folders, globs and addresses name."""

from __future__ import annotations

import os
from functools import lru_cache
from glob import has_magic
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.corpus.inputs.places import FileState, Place, RemotePlace, place_of
from chunkwright.errors import ConfigError, OptionName, ReadError
from chunkwright.io.finding import called, find
from chunkwright.io.sources import (
    ADDRESS,
    READ_IN_FOLDERS,
    STDIN,
    TABLES,
    Reading,
    Source,
    suffix_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_OF_TABLES = frozenset(suffix for of in TABLES.values() for suffix in of)
SUFFIXES: frozenset[str] = READ_IN_FOLDERS | _OF_TABLES
"""How the names of files end that are read of a folder: documents, and tables of them."""


class InputFile(NamedTuple):
    """A file that is read: where it is, what it is called, and what is known of it."""

    path: str
    name: str
    format: str
    state: FileState


class Listing(NamedTuple):
    """Files that are read, in order, and why others are not."""

    files: list[InputFile]
    problems: list[ReadError]


def listed(
    inputs: Sequence[str], reading: Reading, root: str | None = None, out: str | None = None
) -> Listing:
    """List the files of inputs, each once, those of the output left out.

    Parameters
    ----------
    inputs
        Paths of files and folders, globs, and addresses of any of these.
    reading
        How they are read.
    root
        The folder that names of local files are relative to; None: the one that was named.
    out
        The output, which may be a folder in an input.

    Raises
    ------
    ConfigError
        If there are none, if standard input is one of them, which cannot be read twice, or if one
        is in the output.
    MissingExtraError
        If one is an address, and fsspec is not installed.
    """
    if STDIN in inputs:
        raise ConfigError(
            "a corpus is read in parts, and again where a run was interrupted, which standard"
            " input cannot be: save it to a file"
        )
    if not inputs:
        reason = " must name at least one file, folder or address"
        raise ConfigError(OptionName("inputs"), reason)
    is_input = _check_outside(inputs, out)
    addresses = [each for each in inputs if ADDRESS.match(each) and not os.path.lexists(each)]
    local = [each for each in inputs if each not in addresses]
    sources = find(local, root, SUFFIXES) if local else []
    listing = Listing([], [])
    found = [*((place_of(source.name), source) for source in sources), *_remote(addresses)]
    sources = called([source for _, source in found])
    for (place, _), source in zip(found, sources, strict=True):
        if source.problem is not None or is_input(source.name):
            _add(listing, place, source, reading)
    if not (listing.files or listing.problems):
        problem = f"{', '.join(inputs)}: no file but those of the output"
        listing.problems.append(ReadError(problem))
    return listing


def _check_outside(inputs: Sequence[str], out: str | None) -> Callable[[str], bool]:
    """Return what tells inputs from files of the output.

    Raises
    ------
    ConfigError
        If an input is nothing but a part of the output; names it.
    """
    if out is None:
        return lambda _: True
    outside = Outside(out)
    for each in inputs:
        if not has_magic(each) and not outside(each):
            raise ConfigError(f"{each} is in the output, {out}: name another folder", option="out")
    return outside


def _add(listing: Listing, place: Place, source: Source, reading: Reading) -> None:
    state = None if source.problem is not None else place.state(source.name)
    if state is None:
        problem = source.problem or "no such file, or it cannot be read"
        listing.problems.append(ReadError(f"{source.name}: {problem}"))
        return
    format_ = format_of(source, reading)
    listing.files.append(InputFile(source.name, source.document, format_, state))


def format_of(source: Source, reading: Reading) -> str:
    """Return the format of a file: that of a table, or ``"file"`` for a document by itself."""
    format_ = reading.format_of(source)
    return format_ if format_ in TABLES else "file"


def _remote(addresses: Sequence[str]) -> Iterator[tuple[Place, Source]]:
    """Yield the files of addresses, each once, called by their paths below the one named."""
    seen: set[str] = set()
    for address in addresses:
        place = place_of(address)
        assert isinstance(place, RemotePlace)  # noqa: S101 - local paths are no addresses
        paths = list(_expanded(place, address))
        if not paths:
            yield place, Source(address, "no file matches, or there is none in this folder")
        folder = _folder_of(address, is_folder=paths != [address])
        if paths != [address]:
            # As the paths in it begin, which may have more or fewer slashes.
            folder = place.whole(folder).rstrip("/") + "/"
        for path in paths:
            if (whole := place.whole(path)) not in seen:
                seen.add(whole)
                yield place, Source(path, called=path.removeprefix(folder))


def _expanded(place: RemotePlace, address: str) -> Iterable[str]:
    if has_magic(address):
        return place.matching(address)
    if place.is_folder(address):
        return [path for path in place.below(address) if suffix_of(path) in SUFFIXES]
    return [] if place.state(address) is None else [address]


def _folder_of(address: str, *, is_folder: bool) -> str:
    """Return what names of files leave out: the folder that an address names or begins with."""
    if not is_folder:
        return address.rpartition("/")[0] + "/"
    while has_magic(address):
        address = address.rpartition("/")[0]
    return address.rstrip("/") + "/"


_OF_THIS_MACHINE = "file://"


class Outside:
    """Tells which files are outside of a folder, whatever links lead there.

    Parameters
    ----------
    folder
        A path, or an address of a file system that fsspec knows.
    """

    def __init__(self, folder: str) -> None:
        self._protocol, found = _place(folder)
        self._folder = found if self._protocol else os.path.realpath(found)

    def __call__(self, path: str) -> bool:
        """Return whether a file, or a folder, is neither in the folder nor the folder itself."""
        protocol, found = _place(path)
        is_inside = f"{found}/".startswith(f"{self._folder.rstrip('/')}/")
        return protocol != self._protocol or not is_inside


def _place(path: str) -> tuple[str, str]:
    """Return the protocol of a path, none for those of this machine, and what stands behind it."""
    if ADDRESS.match(path) is None or os.path.lexists(path):
        return "", _resolved(path)
    if path.startswith(_OF_THIS_MACHINE):
        return "", _resolved(path.removeprefix(_OF_THIS_MACHINE))
    protocol, _, rest = path.partition("://")
    # Some file systems write one slash more than others do.
    return protocol, rest.strip("/")


def _resolved(path: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - as many as files
    return f"{_real(folder).rstrip(os.sep)}/{name}" if name else folder


@lru_cache(maxsize=1024)
def _real(folder: str) -> str:
    return os.path.realpath(folder)
