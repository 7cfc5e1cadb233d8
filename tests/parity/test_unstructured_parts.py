"""Tables put together of their parts, against `unstructured`."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright import _core

from .html_tables import broken, documents, well_formed
from .test_unstructured_grid import loses_controls, recovered

etree = pytest.importorskip("lxml.etree")
dispatch = pytest.importorskip("unstructured.chunking.dispatch")
elements = pytest.importorskip("unstructured.documents.elements")

Part = tuple[str, str | None, int]

texts = st.sampled_from(["a b", "", " a", "Mean 12.5", "a Mean", "a  b", "\x1cab c"])
html = st.one_of(well_formed, documents, broken(), st.sampled_from([None, ""]))
parts = st.tuples(texts, html, st.integers(0, 2))


@st.composite
def repeating(draw: st.DrawFn) -> list[Part]:
    """Parts of one table: its rows in runs, its first ones repeated in front of some."""
    cells = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["a", "b &amp; c", "", "d<br/>e", "<b>f</b> g"]),
                st.sampled_from(["", "", ' colspan="2"', ' rowspan="3"', ' class="x" rowspan="2"']),
                st.sampled_from(["", "", "\n", " t "]),
            ),
            min_size=4,
            max_size=12,
        )
    )
    made = [f"<tr><td{span}>{text}</td><td>{text}</td></tr>{tail}" for text, span, tail in cells]
    n_header = draw(st.integers(0, 2))
    header = "".join(made[:n_header])
    found: list[Part] = []
    at = 0
    while at < len(made):
        end = draw(st.integers(at + 1, len(made)))
        body = "".join(made[at:end])
        own = " ".join(text for text, _, _ in cells[at:end])
        repeats = at > 0 and draw(st.booleans())
        if repeats:
            heads = header.replace("<td", "<th").replace("</td", "</th").replace(' rowspan="3"', "")
            said = " ".join(text for text, _, _ in cells[:n_header])
            body = f"<thead>{heads}</thead>{body}"
            own = draw(st.sampled_from([f"{said} {own}", own, f"  {said}{own}"]))
        found.append((own, f"<table>{body}</table>", n_header if repeats else 0))
        at = end
    return found


def theirs(parts: list[Part]) -> Any:
    """What the peer makes of parts, without HTML if it raises over that."""
    chunks = []
    for i, (text, html, n_carried) in enumerate(parts):
        chunk = elements.TableChunk(text)
        chunk.metadata.text_as_html = html
        chunk.metadata.table_id = "t"
        chunk.metadata.chunk_index = i
        chunk.metadata.num_carried_over_header_rows = n_carried
        chunks.append(chunk)
    try:
        [table] = dispatch.reconstruct_table_from_chunks(chunks)
    except (etree.ParserError, ValueError):
        for chunk in chunks:
            if recovered(chunk.metadata.text_as_html or "") is None:
                chunk.metadata.text_as_html = None
        [table] = dispatch.reconstruct_table_from_chunks(chunks)
    return table.text, table.metadata.text_as_html


@given(st.one_of(repeating(), st.lists(parts, min_size=1, max_size=4)))
@example([("a b", "<table><tr><td>a</td></tr></table>", 0), ("a c", "x", 1)])
@example([("a", "<table/>", 0)])
@example([("a", "<tr><td>a</td></tr>", 1), ("a b", "<table><tr><th>a</th></tr> x</table>", 1)])
def test_parts_are_put_together_as_the_peer_does_it(parts: list[Part]) -> None:
    """Headers that are repeated are dropped from texts and rows, and put into one `thead`."""
    if any(loses_controls(html or "") for _, html, _ in parts):
        return
    assert _core.reconstruct_table(parts, recovered) == theirs(parts)


def test_surrogates_come_through() -> None:
    """Texts that are no UTF-8 are put together like others."""
    html = "<table><tr><td>\udc80</td></tr></table>"
    assert _core.reconstruct_table([("\udc80 a", html, 0)]) == ("\udc80 a", html)


def test_without_lxml_parts_are_read_as_browsers_do() -> None:
    """What is no table leaves the whole without HTML, and never raises."""
    broken = "<table><tr><td>a<td>b</table>"
    whole = "<table><tr><td>a</td><td>b</td></tr></table>"
    assert _core.reconstruct_table([("a b", broken, 0)]) == ("a b", whole)
    assert _core.reconstruct_table([("a", "<table>", 0), ("b", "x", 9)]) == ("a b", None)
