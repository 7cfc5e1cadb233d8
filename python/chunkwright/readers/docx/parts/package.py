"""Package of a Word file: its parts of XML, read from the ZIP within bounds."""

from __future__ import annotations

import posixpath
import re
import struct
import zipfile
import zlib
from io import BytesIO
from typing import NamedTuple

from lxml import etree

from chunkwright.errors import ReadError
from chunkwright.readers.docx.parts.names import NAMESPACES, STRICT, Node, full

MAX_PARTS = 10_000
MAX_BYTES = 1 << 27
"""So many bytes all parts that are read may hold together."""
MAX_NODES = 1_500_000
"""So many elements and attributes they may hold, which take some 200 bytes each."""
_ENTRY = b"PK\x01\x02"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+/\w+)(?=[\"'])")
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError),
    *(NotImplementedError, RuntimeError, ValueError, KeyError),
)


class Relation(NamedTuple):
    """A relation of a part: the last word of its type, its target, and whether it is outside."""

    type: str
    target: str
    is_external: bool


class Package:
    """The parts of a Word file.

    Parameters
    ----------
    data
        The file.

    Raises
    ------
    ReadError
        If it is no ZIP, is encrypted, or has too many parts.
    """

    def __init__(self, data: bytes) -> None:
        if data.count(_ENTRY) > MAX_PARTS:
            raise ReadError(f"it has more than {MAX_PARTS:,} parts, which no Word document has")
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except _DAMAGE as error:
            raise ReadError(f"this is no ZIP archive, or a damaged one: {error}") from error
        self._names = {info.filename.lstrip("/"): info for info in self._archive.infolist()}
        self._bytes, self._nodes = MAX_BYTES, MAX_NODES
        self._parsed: dict[str, Node | None] = {}
        main = [each for each in self.relations("").values() if each.type == "officeDocument"]
        self.main: str = main[0].target if main else "word/document.xml"
        """The part that holds the document."""

    def part(self, name: str) -> Node | None:
        """Return the root of a part; None if there is no such part.

        Raises
        ------
        ReadError
            If it is damaged, too large or no XML.
        """
        if name not in self._parsed:
            self._parsed[name] = self._parse(name) if name in self._names else None
        return self._parsed[name]

    def relations(self, name: str) -> dict[str, Relation]:
        """Return the relations of a part by their ids; those of the package for an empty name."""
        folder, file = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", f"{file}.rels"))
        return {
            each.get("Id", ""): _relation(each, folder)
            for each in ([] if root is None else root.iter(full("rel:Relationship")))
        }

    def related(self, name: str, type_: str) -> Node | None:
        """Return the root of the part to which a part has a relation of a type; None if none."""
        found = (each for each in self.relations(name).values() if each.type == type_)
        first = next((each for each in found if not each.is_external), None)
        return None if first is None else self.part(first.target)

    def _parse(self, name: str) -> Node:
        data = self._data(name)
        self._nodes -= data.count(b"<") - data.count(b"</") + data.count(b"=")
        if self._nodes < 0:
            raise ReadError(f"{name}: more than {MAX_NODES:,} elements and attributes of XML")
        parser = etree.XMLParser(
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        try:
            root = etree.fromstring(_STRICT.sub(_transitional, data), parser)
        except (etree.LxmlError, ValueError) as error:
            raise ReadError(f"{name}: not well-formed XML: {error}") from error
        if root.getroottree().docinfo.doctype:
            raise ReadError(f"{name}: a document type, which no part of a Word file has")
        return root

    def _data(self, name: str) -> bytes:
        info = self._names[name]
        if info.flag_bits & 1:
            raise ReadError(f"{name}: encrypted")
        try:
            with self._archive.open(info) as file:
                data = file.read(self._bytes + 1) if info.file_size <= self._bytes else None
        except _DAMAGE as error:
            raise ReadError(f"{name}: damaged: {error}") from error
        if data is None or len(data) > self._bytes:
            raise ReadError(f"{name}: its parts hold more than {MAX_BYTES >> 20} MiB")
        self._bytes -= len(data)
        return data


def _relation(node: Node, folder: str) -> Relation:
    target = node.get("Target", "")
    is_external = node.get("TargetMode") == "External"
    if not is_external:
        target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
    return Relation(node.get("Type", "").rpartition("/")[2], target, is_external)


def _transitional(strict: re.Match[bytes]) -> bytes:
    prefix = STRICT.get(strict[1].decode())
    return strict[0] if prefix is None else NAMESPACES[prefix].encode()
