"""Where `compat.unstructured` is knowingly different; see docs/differences.md."""

from __future__ import annotations

from typing import Any

import pytest
from lxml.etree import ParserError

from chunkwright.errors import ReadError

from .unstructured_inputs import Recipe, made
from .unstructured_pair import decoded, elements, ours, outcome, theirs


def test_chunks_that_are_chunked_again_keep_their_originals() -> None:
    def rechunked(module: Any) -> tuple[list[Any], list[Any]]:
        chunks = module.chunk_elements([elements.Text("one"), elements.Text("two")])
        return chunks, module.chunk_elements(chunks)

    chunks, again = rechunked(theirs)
    assert chunks[0].metadata.orig_elements is None
    chunks, again = rechunked(ours)
    assert [element.text for element in chunks[0].metadata.orig_elements] == ["one", "two"]
    assert [element.text for element in again[0].metadata.orig_elements] == ["one\n\ntwo"]
    assert again[0].metadata.orig_elements[0].metadata.orig_elements is None


def test_comments_between_cells_are_passed_over() -> None:
    rows = "<tr><!-- first --><td>hello</td><td>world</td></tr>" * 20
    html = {"text_as_html": f"<table>{rows}</table>"}
    table = made([Recipe("Table", "hello world " * 20, html)], elements)
    with pytest.raises(ValueError, match="HtmlComment"):
        theirs.chunk_elements(table, max_characters=100)
    chunks = ours.chunk_elements(table, max_characters=100)
    assert " ".join(chunk.text for chunk in chunks) == "hello world " * 19 + "hello world"


def test_what_is_no_element_is_named() -> None:
    with pytest.raises(AttributeError):
        theirs.chunk_elements([elements.Text("a"), "b"])
    with pytest.raises(ReadError, match=r"elements\[1\]"):
        ours.chunk_elements([elements.Text("a"), "b"])


def test_what_a_table_says_is_not_lost() -> None:
    """Where cells say less than half of the text they were not read, or are of another table."""
    blank = f"<table>{'<tr><td></td></tr>' * 80}</table>"
    other = "<table><tr><td>other</td></tr></table>"
    for text, html in (("important text", blank), ("important text " * 40, other)):
        table = Recipe("Table", text, {"text_as_html": html})
        lost = theirs.chunk_elements(made([table], elements))
        kept = ours.chunk_elements(made([table], elements))
        assert "important" not in "".join(chunk.text for chunk in lost)
        assert " ".join(chunk.text for chunk in kept) == text.strip()
        assert {chunk.metadata.text_as_html for chunk in kept} == {None}


def test_originals_are_those_of_unstructured() -> None:
    """What is decoded is compared: compressed bytes depend on zlib's build."""
    chunks = ours.chunk_elements(made([Recipe("Text", "one", {"page_number": 1})], elements))
    payload = chunks[0].to_dict()["metadata"]["orig_elements"]
    assert decoded(payload)[0]["text"] == "one"
    assert payload.startswith("eJ")


@pytest.mark.parametrize(("html", "peers"), [("<t", "<table/>"), (">", ParserError)])
def test_parts_without_a_table_have_no_html(html: str, peers: Any) -> None:
    recipe = Recipe("TableChunk", "x", {"table_id": "t", "text_as_html": html})
    part = made([recipe], elements)
    found = outcome(lambda: theirs.reconstruct_table_from_chunks(part)[0].metadata.text_as_html)
    assert (found[0] if isinstance(found, tuple) else found) == peers
    [table] = ours.reconstruct_table_from_chunks(part)
    assert (table.text, table.metadata.text_as_html) == ("x", None)


def test_a_fractional_overlap_is_refused() -> None:
    text = [elements.Text("one")]
    options: dict[str, Any] = {"overlap": 1.5}
    assert [chunk.text for chunk in theirs.chunk_elements(text, **options)] == ["one"]
    with pytest.raises(TypeError):
        ours.chunk_elements(text, **options)
