"""Texts of an XML file, between its tags."""

from __future__ import annotations

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.server.dialects.unstructured.sources import Source


def texts_of_xml(source: Source) -> list[str]:
    """Return the texts between the tags of an XML file.

    Raises
    ------
    ReadError
        If it is no XML: names the file.
    MissingExtraError
        If lxml is not installed.
    """
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtraError("reading XML", "xml") from error
    safe = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    parser = etree.XMLParser(remove_comments=True, remove_pis=True, **safe)
    if not source.data.strip():
        return []
    try:
        root = etree.fromstring(source.data, parser)
    except etree.XMLSyntaxError as error:
        raise ReadError(f"{source.name}: not XML: {error.msg}") from error
    return [" ".join(text.split()) for text in root.itertext() if text.strip()]
