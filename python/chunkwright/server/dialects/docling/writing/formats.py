"""Formats that a document is written in, by Docling's names of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Format(NamedTuple):
    """A format of documents.

    Attributes
    ----------
    suffix
        How names of its files end in an archive.
    is_rendered
        Whether docling-core writes it.
    is_field
        Whether docling-serve's answers have its field; else they have it if the format is asked
        for.
    """

    suffix: str
    is_rendered: bool = False
    is_field: bool = True


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "md": Format(".md"),
        "json": Format(".json"),
        "html": Format(".html", is_rendered=True),
        "text": Format(".txt"),
        "doctags": Format(".doctags", is_rendered=True),
        "doclang": Format(".dclg", is_rendered=True),
        "html_split_page": Format(".split_page.html", is_rendered=True, is_field=False),
        "vtt": Format(".vtt", is_rendered=True, is_field=False),
        "yaml": Format(".yaml", is_rendered=True, is_field=False),
    }
)
"""The formats that are written; the field of each is its name with ``_content`` behind it."""
CHUNKS = "chunks"
"""What is asked for beside the formats: the chunks of the document."""
