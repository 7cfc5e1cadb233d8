"""Elements of files that both libraries read, and where they differ on purpose."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .asking import elements
from .peer import dicts, served

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
CELLS = st.text("ab 1<&é", min_size=1, max_size=5).filter(str.strip)


@st.composite
def _tables(draw: st.DrawFn) -> bytes:
    n_columns = draw(st.integers(2, 4))
    rows = draw(
        st.lists(st.lists(CELLS, min_size=n_columns, max_size=n_columns), min_size=2, max_size=5)
    )
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def _without_header(html: str) -> str:
    """The table as the peer has it, which takes the header of CSV for a row like any other."""
    for mark in ("<thead>", "</thead>"):
        html = html.replace(mark, "")
    return html.replace("<th>", "<td>").replace("</th>", "</td>")


@pytest.mark.differential
@given(_tables())
def test_tables_of_csv_are_those_of_the_server_but_for_their_header(data: bytes) -> None:
    (found,) = elements("t.csv", data, "text/csv", languages="eng")
    (wanted,) = dicts(served("t.csv", data, "text/csv", languages=["eng"]))
    held: dict[str, Any] = found["metadata"]
    held["text_as_html"] = _without_header(held["text_as_html"])
    assert found == wanted


@pytest.mark.differential
def test_elements_of_word_files_are_those_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    docx = pytest.importorskip("docx", reason="it writes Word files")
    kinds = pytest.importorskip("unstructured.partition.text_type", reason="it tells sentences")
    # It asks a language model, to be fetched, whether a text has a verb: here each has one.
    monkeypatch.setattr(kinds, "pos_tag", lambda text: [(word, "VB") for word in text.split()])
    monkeypatch.setattr(kinds, "word_tokenize", str.split)
    monkeypatch.setattr(kinds, "sent_tokenize", lambda text: [text])
    file = BytesIO()
    _written(docx).save(file)
    found = elements("rain.docx", file.getvalue(), DOCX, languages="eng")
    wanted = dicts(served("rain.docx", file.getvalue(), DOCX, languages=["eng"]))
    assert [_said(each) for each in found] == [_said(each) for each in wanted]


def _written(docx: Any) -> Any:
    written = docx.Document()
    written.add_heading("Rain and snow", 1)
    written.add_paragraph("It rained in the valley for days on end.")
    written.add_paragraph("One item is here", style="List Bullet")
    written.add_paragraph("A deeper one is here", style="List Bullet 2")
    written.add_heading("Snow", 2)
    written.add_paragraph("It snowed on the hills for days on end.")
    return written


def _said(element: dict[str, Any]) -> Any:
    held = element["metadata"]
    depth = held.get("category_depth") if element["type"] in {"Title", "ListItem"} else None
    parent = held.get("parent_id")
    return element["type"], element["text"], element["element_id"], depth, parent
