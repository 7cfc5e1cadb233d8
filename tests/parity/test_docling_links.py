"""Hyperlinks of stored documents: in the normal form that pydantic gives them, or as paths."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("docling_core")

from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import DocItemLabel

from chunkwright.compat.docling import chunk_json

pytestmark = pytest.mark.differential

# Letters that later rules for hosts know otherwise than those of pydantic's version.
NEWER = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u04c0", "\u2132", "\u2183"}
NEWER |= {chr(c) for c in range(0x10A0, 0x10CE)}


def _is_letter(c: str) -> bool:
    return c not in NEWER and unicodedata.category(c) in {"Ll", "Lo", "Lu", "Mn", "Nd"}


LETTERS = [c for c in map(chr, range(0x80, 0x30000)) if _is_letter(c)]
SCRIPTS = [LETTERS[start : start + 64] for start in range(0, len(LETTERS), 64)]
WORDS = st.sampled_from(SCRIPTS).flatmap(lambda of: st.text(st.sampled_from(of), max_size=6))
SCHEMES = st.sampled_from(
    ["http://", "HTTPS://", "https:/", "ftp://", "file:///", "file:", "mailto:", "a+b.1:", "//", ""]
)
ASCII = "abcXYZ019:/?#[]@!$&'()*+,;=%-._~ \t\n\\|<>^`{}\""
PIECES = [
    *ASCII,
    "%2e",
    "..",
    ".",
    "//",
    "xn--",
    "%41",
    "0x",
    "::1",
    "é",
    "ß",
    "\u200d",
    "日本",
    "א",
]
PARTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
LINKS = st.one_of(
    st.tuples(SCHEMES, PARTS).map("".join),
    st.tuples(SCHEMES, WORDS, st.just(".com/"), WORDS).map("".join),
)


def _document(links: list[str]) -> str:
    """Return the JSON of a document with a text for each link, which nobody has looked at."""
    document = DoclingDocument(name="links")
    for i, _ in enumerate(links):
        document.add_text(DocItemLabel.TEXT, f"text {i}")
    stored = document.export_to_dict()
    for text, link in zip(stored["texts"], links, strict=True):
        text["hyperlink"] = link
    return json.dumps(stored)


def _texts(rows: Any) -> list[str]:
    return [row["text"] for row in rows]


@given(st.lists(LINKS, min_size=1, max_size=20))
def test_links_have_pydantics_form(links: list[str]) -> None:
    source = _document(links)
    document = DoclingDocument.model_validate_json(source)
    expected = [chunk.text for chunk in HierarchicalChunker().chunk(document)]
    assert _texts(chunk_json(source, "hierarchical")) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://Bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://ＧＯ.com", "https://go.com/"),
        ("https://faß.de", "https://xn--fa-hia.de/"),
        ("https://日本語。jp", "https://xn--wgv71a119e.jp/"),
        ("https://xn--a.com", "https:/xn--a.com"),
        ("http://0x7f.1/../a", "http://127.0.0.1/a"),
        ("http://a.b:80/", "http://a.b/"),
    ],
)
def test_hosts_of_other_scripts(link: str, expected: str) -> None:
    source = _document([link])
    document = DoclingDocument.model_validate_json(source)
    (theirs,) = [chunk.text for chunk in HierarchicalChunker().chunk(document)]
    assert _texts(chunk_json(source, "hierarchical")) == [theirs]
    assert theirs == f"[text 0]({expected})"
