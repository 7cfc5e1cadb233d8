"""Documents that change from version to version, and what a store holds of them."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import chunkwright as cw
from chunkwright import _core
from chunkwright.store import schema
from chunkwright.store.searching.segments import Segment
from chunkwright.store.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray

Held: TypeAlias = "dict[str, list[tuple[Any, ...]]]"

VOCABULARY = (
    "harbour",
    "engine",
    "ledger",
    "winter",
    "copper",
    "signal",
    "garden",
    "quota",
    "Größe",
)
# What differs between two runs of the same imports.
_BY_CHANCE = {"created_at"}


class Toy:
    """Embedder whose vectors depend on the text alone."""

    fingerprint = "toy:1"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector for each text."""
        rows = [np.frombuffer(text.encode()[:8].ljust(8), np.uint8) for text in texts]
        return np.array(rows, np.float32) - 80


class Words:
    """Embedder of words: texts with the same words are alike, whatever is embedded beside them."""

    fingerprint = "words:1"
    n_dims = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector for each text."""
        rows = np.zeros((len(texts), self.n_dims), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.strip(".,:?").encode()) % self.n_dims] += 1
        return rows


def markdown(number: int, version: int, n_sections: int = 4) -> str:
    """Return a document: each version changes some paragraphs, moves one and adds one."""
    chance = random.Random(number)
    sections = [f"# Document {number}\n"]
    for section in range(n_sections):
        words = " ".join(chance.choices(VOCABULARY, k=30))
        changed = f" Revised {version}." if (section + number) % n_sections == version else ""
        sections.append(f"## Part {section}\n\n{words}.{changed}\n\nThe same everywhere.\n")
    if version % 2:
        sections[1], sections[2] = sections[2], sections[1]
    more = [f"## Added {version}\n\nOf version {version} of {number}.\n"] * (version > 0)
    return "\n".join(sections + more)


def documents(n: int, version: int) -> list[cw.Document]:
    """Return some documents in a version."""
    return [
        cw.read(markdown(i, version).encode(), name=f"report-{i}.md", kind="markdown")
        for i in range(n)
    ]


def held(store: Store) -> Held:
    """Return the rows of all tables, without what is by chance, and all vectors.

    Segments of words are compared by what they say: see :func:`ordered`.
    """
    database = store._database
    found: Held = {}
    with database.reading() as session:
        for table in schema.TABLES:
            names = [name for name in table.column_names if name not in _BY_CHANCE]
            rows = session.rows(f"SELECT {', '.join(names)} FROM {table.name}")
            found[table.name] = sorted(map(tuple, rows), key=repr)
            if table.name == "word_segments":
                found[table.name] = [ordered(row, names) for row in found[table.name]]
        for (model,) in session.rows("SELECT id FROM models"):
            slots, n_dims, blobs = database.vectors.blobs(session, model)
            numbers = np.frombuffer(b"".join(blobs), "<f2").reshape(-1, n_dims)
            assert len(numbers) == len(slots) == len(set(slots.values()))
            vectors = [(key, numbers[slot].tobytes()) for key, slot in sorted(slots.items())]
            found[f"vectors of {model}"] = vectors
    return found


def assert_filters_are_of_versions(store: Store, *, are_all: bool = False) -> None:
    """A filter tells whether words stood in a text, so it goes with the text."""
    found = held(store)
    place = schema.BY_NAME["versions"].column_names.index("content_hash")
    own = {row[place] for row in found["versions"]}
    filters = {row[0] for row in found["quote_filters"]}
    assert filters == own if are_all else filters <= own


def ordered(row: tuple[Any, ...], names: Sequence[str]) -> tuple[Any, ...]:
    """Return the row of a segment with its terms numbered in their order.

    Terms are numbered as they came, so what changed one after the other leaves other numbers than
    what is indexed at once. A splice numbers them anew, here one that changes nothing else.
    """
    of = dict(zip(names, row, strict=True))
    own = Segment.of_bytes(of["data"])
    none = _core.Bm25Segment([], subwords=None if of["subwords"] == "none" else of["subwords"])
    fields = {name: words.spliced(0, 0, none) for name, words in own.fields.items()}
    numbered = replace(own, words=own.words.spliced(0, 0, none), fields=fields)
    return tuple((of | {"data": numbered.to_bytes()}).values())


def with_lines(document: cw.Document, lines: Sequence[tuple[str, str, int]]) -> cw.Document:
    """Return a document of the same body with page headers and footers behind it.

    Parameters
    ----------
    document
        The document; a plain text is one paragraph.
    lines
        The kind, the text and the page of each.
    """
    text = document.text
    items: list[dict[str, Any]] = [
        {"kind": each.kind, "start": each.start, "end": each.end, "level": each.level or 0}
        | {"pages": each.pages or (1,)}
        for each in document.elements or ()
    ] or [{"kind": "paragraph", "start": 0, "end": len(text), "pages": (1,)}]
    n_body = len(items)
    for kind, said, page in lines:
        start = len(text) + 2
        text += f"\n\n{said}"
        items.append({"kind": kind, "start": start, "end": len(text), "pages": (page,)})
    found = cw.elements_at(text, items, n_body=n_body)
    return cw.Document(elements=found, name=document.name, metadata=document.metadata)


def blocks(store: Store, uri: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the text of a document, and the ids and texts of its blocks, as they are now."""
    sql = (
        "SELECT b.id, b.text FROM documents d"
        " JOIN placements p ON p.document = d.id AND p.version = d.current_version"
        " JOIN blocks b ON b.id = p.block WHERE d.uri = ? ORDER BY p.ordinal"
    )
    with store._database.reading() as session:
        found = [(block, text) for block, text in session.rows(sql, (uri,))]
    return store.document(uri).text, found
