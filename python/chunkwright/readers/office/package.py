"""Package of an office file: the parts of a ZIP as trees of XML, within bounds."""

from __future__ import annotations

import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import IO, NamedTuple, NoReturn
from urllib.parse import unquote
from xml.etree import ElementTree as ET
from xml.parsers import expat

from chunkwright.errors import ReadError

MAX_PARTS = 20_000
"""A file has no more parts."""
MAX_BYTES = 1 << 27
"""A part that becomes a tree holds no more bytes, nor do all of them together."""
MAX_ROWS_BYTES = 1 << 29
"""Nor do those that are read row by row."""
_MAX_TAGS, _MAX_ATTRIBUTES = 5_000_000, 8_000_000
_PIECE = 1 << 16
# In UTF-8 and in UTF-16.
_ENTITY = re.compile(rb"<\0?!\0?E\0?N\0?T\0?I\0?T\0?Y")
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError)
_OTHER_ZIP = (NotImplementedError, RuntimeError, OverflowError, LookupError)


class Relation(NamedTuple):
    """What a part refers to: its kind, the last word of its type, and its target."""

    kind: str
    target: str
    is_external: bool


class Package:
    """The parts of an office file.

    Raises
    ------
    ReadError
        If the file is no ZIP, is damaged, or has too many parts.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except (*_DAMAGE, *_OTHER_ZIP) as error:
            raise ReadError(f"this is not a ZIP archive, or a damaged one: {error}") from error
        names = self._archive.namelist()
        self._names = {name.replace("\\", "/").lstrip("/").lower(): name for name in names}
        if len(self._names) > MAX_PARTS:
            raise ReadError(f"it has more than {MAX_PARTS:,} parts, which no office file has")
        self._n_bytes_left, self._n_row_bytes_left = MAX_BYTES, MAX_ROWS_BYTES

    def __contains__(self, name: str) -> bool:
        """Return whether there is a part of that name, in large or small letters."""
        return name.lower() in self._names

    def data(self, name: str) -> bytes:
        """Return what a part holds.

        Raises
        ------
        ReadError
            If there is none, or it is damaged, encrypted or too large: names the part.
        """
        with self._opened(name) as part:
            data = part.read(self._n_bytes_left + 1)
        self._n_bytes_left -= len(data)
        if self._n_bytes_left < 0:
            raise ReadError(f"its part {name!r} is too large: all have at most {MAX_BYTES:,} bytes")
        return data

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        if name not in self:
            raise ReadError(f"its part {name!r} is missing")
        try:
            with self._archive.open(self._names[name.lower()]) as part:
                yield part
        except (expat.ExpatError, *_DAMAGE, *_OTHER_ZIP) as error:
            raise ReadError(f"its part {name!r} is damaged or encrypted: {error}") from error

    def tree(self, name: str) -> ET.Element:
        """Return the root of a part of XML.

        Raises
        ------
        ReadError
            As :meth:`data`, and if it is no XML, declares entities or has too many elements.
        """
        data = self.data(name)
        if data.count(b"<") > _MAX_TAGS or data.count(b"=") > _MAX_ATTRIBUTES:
            raise ReadError(f"its part {name!r} has too many elements")
        if _ENTITY.search(data):
            _refuse_entities(name)
        try:
            return ET.fromstring(data)  # noqa: S314 - entities are refused
        except (ET.ParseError, ValueError, LookupError) as error:
            raise ReadError(f"its part {name!r} is damaged: {error}") from error

    def events(
        self,
        name: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        text: Callable[[str], None],
    ) -> None:
        """Read a part of XML of any length, of which nothing is kept.

        Parameters
        ----------
        name
            The part.
        start
            Is called where an element begins, with its name without a namespace and its attributes.
        end
            Is called where one ends.
        text
            Is called with texts, in pieces.

        Raises
        ------
        ReadError
            As :meth:`tree`.
        """
        parser = expat.ParserCreate()
        parser.buffer_text = True

        def begin(tag: str, of: dict[str, str]) -> None:
            """Take the first element, by which one knows whether names have prefixes."""
            has_prefix = ":" in tag
            parser.StartElementHandler = _bare(start) if has_prefix else start
            parser.EndElementHandler = _bare(end) if has_prefix else end
            parser.StartElementHandler(tag, of)

        parser.StartElementHandler = begin
        parser.CharacterDataHandler = text
        parser.EntityDeclHandler = partial(_refuse_entities, name)
        with self._opened(name) as part:
            while piece := part.read(_PIECE):
                self._n_row_bytes_left -= len(piece)
                if self._n_row_bytes_left < 0:
                    raise ReadError(f"its part {name!r} is too large")
                parser.Parse(piece, False)  # noqa: FBT003 - of the library
            parser.Parse(b"", True)  # noqa: FBT003 - of the library

    def find(self, name: str) -> ET.Element | None:
        """Return the root of a part that may be missing; None if it is."""
        return self.tree(name) if name in self else None

    def relations(self, name: str) -> dict[str, Relation]:
        """Return what a part refers to, by id; of ``""`` what the package does."""
        folder, base = posixpath.split(name)
        root = self.find(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for each in () if root is None else root:
            kind, target = each.get("Type", "").rpartition("/")[2], each.get("Target", "")
            is_external = each.get("TargetMode") == "External"
            place = target if is_external else resolved(folder, target)
            found[each.get("Id", "")] = Relation(kind, place, is_external)
        return found

    def main(self, default: str) -> str:
        """Return the name of the part that the package begins with."""
        relations = self.relations("").values()
        targets = (each.target for each in relations if each.kind == "officeDocument")
        return next((target for target in targets if target in self), default)


def opened(data: bytes) -> Package:
    """Return the package of an OpenDocument file.

    Raises
    ------
    ReadError
        If it is encrypted, damaged or too large.
    """
    package = Package(data)
    manifest = "META-INF/manifest.xml"
    if manifest in package and b"encryption-data" in package.data(manifest):
        raise ReadError("it is encrypted: save it without its password")
    return package


def resolved(folder: str, target: str) -> str:
    """Return the name of the part that a target names, from a part in a folder."""
    path = target.partition("#")[0]
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def _bare(take: Callable[..., None]) -> Callable[..., None]:
    return lambda tag, *of: take(tag.rpartition(":")[2], *of)


def _refuse_entities(name: str, *_: object) -> NoReturn:
    raise ReadError(f"its part {name!r} declares entities, which no office file needs")


def local(tag: object) -> str:
    """Return the name of an element without its namespace; of a comment none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: ET.Element, name: str) -> str | None:
    """Return an attribute by its name without a namespace."""
    found = element.get(name)
    if found is not None:
        return found
    end = f"}}{name}"
    return next((value for key, value in element.attrib.items() if key.endswith(end)), None)


def relation_id(element: ET.Element) -> str:
    """Return the id of what an element refers to: the attribute that has a namespace."""
    return next((value for key, value in element.attrib.items() if key.endswith("}id")), "")


def child(element: ET.Element | None, *path: str) -> ET.Element | None:
    """Return what is found below an element by the names of children, one below the other."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if local(each.tag) == name), None)
    return element


def is_on(value: str | None, *, default: bool = False) -> bool:
    """Return what an attribute of XML says that is true or false."""
    return default if value is None else value.strip().lower() in {"1", "true", "on"}


def unquoted(name: str) -> str:
    """Return the name of a part that is written as an address."""
    return unquote(name)
