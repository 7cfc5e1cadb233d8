"""`Recursive` cuts a document at the separators of what it is written in, however it is called."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import chunkwright as cw

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ["cli.md", "elements.md", "reading.md"]
PLAIN = ("\n\n", "\n", " ")


@pytest.mark.parametrize("limit", [64, 512])
def test_markdown_is_cut_as_markdown(limit: int) -> None:
    documents = [cw.read(DOCS / name) for name in NAMES]
    by_name = cw.Recursive(max_tokens=limit, separators="markdown")
    expected = [by_name(document).texts() for document in documents]
    splitter = cw.Recursive(max_tokens=limit)
    assert [splitter(document).texts() for document in documents] == expected
    assert [cw.chunk(each, "recursive", max_tokens=limit).texts() for each in documents] == expected
    assert splitter.batch(documents).texts() == [text for each in expected for text in each]
    assert [each.texts() for each in splitter.stream(documents)] == expected
    rows = pa.record_batch({"text": [document.text for document in documents]})
    cut = pa.record_batch(splitter.arrow(rows, kind="markdown"))
    assert cut["text"].to_pylist() == [text for each in expected for text in each]


def test_a_text_stays_plain_and_what_is_given_wins() -> None:
    document = cw.read(DOCS / "cli.md")
    plain = cw.Recursive(max_tokens=512, separators=PLAIN)
    automatic = cw.Recursive(max_tokens=512)
    assert automatic(document.text).texts() == plain(document.text).texts()
    told = cw.Recursive(max_tokens=512, markup="text")
    assert plain(document).texts() == told(document).texts() != automatic(document).texts()
    mixed = automatic.batch([document, document.text])
    n = len(automatic(document))
    assert mixed.texts()[:n] == automatic(document).texts()
    assert mixed.texts()[n:] == plain(document.text).texts()
