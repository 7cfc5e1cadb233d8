"""Pickles of documents: what was read goes along, and is not read again."""

from __future__ import annotations

import pickle
from typing import Any
from unittest import mock

import pytest

import chunkwright as cw
from chunkwright import _core

HTML = (
    "<title>T</title><h1>A \ud800</h1><p>b <a href=c>d</a><ul><li>e<li>f</ul>"
    "<table><tr><th>g<th>h<tr><td>i<td>\udc00</table><pre class=lang-x>j</pre>"
)
MARKDOWN = "# A *b*\n\n- c [d](e)\n\n| f | g |\n|---|---|\n| h | \ud800 |\n\n```py\ni\n```\n"
ITEMS = [
    {"type": "Title", "text": "A \ud800", "element_id": "a", "metadata": {"category_depth": 1}},
    {
        "type": "Table",
        "text": "b \ud800",
        "metadata": {
            "parent_id": "a",
            "text_as_html": "<table><tr><td>b</td><td>\ud800</td></tr></table>",
            "page_number": 3,
            "coordinates": {"points": [[1, 2], [3, 4]]},
        },
    },
]
DOCLING = {
    "schema_name": "DoclingDocument",
    "name": "d",
    "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]},
    "texts": [
        {
            "self_ref": "#/texts/0",
            "parent": {"$ref": "#/body"},
            "label": "text",
            "text": "a",
            "prov": [
                {"page_no": page, "bbox": {"l": 1, "t": 2, "r": 3, "b": 4}, "charspan": [0, 1]}
                for page in (1, 2)
            ],
        }
    ],
}

DOCUMENTS = {
    "html": lambda: cw.read_html(HTML),
    "markdown": lambda: cw.read_markdown(MARKDOWN, name="m"),
    "csv": lambda: cw.read_csv("a,b\nc,d\n"),
    "docling": lambda: cw.read_docling(DOCLING),
    "elements": lambda: cw.read_elements(ITEMS),
}


def said(document: cw.Document) -> list[Any]:
    elements = document.elements
    assert elements is not None
    return [
        (
            *(each.kind, each.level, each.text, each.start, each.end, each.place, each.lines),
            *(each.pages, each.boxes, each.links, each.headings, each.language, each.html),
            *(each.table, each.item, each.parent and each.parent.index, each.confidence),
            *(each.caption_of and each.caption_of.index,),
        )
        for each in elements
    ]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_pickle_is_the_document_itself(kind: str) -> None:
    document = DOCUMENTS[kind]()
    stored = pickle.dumps(document)
    # No reader is at hand.
    with mock.patch.object(_core, "Elements", mock.Mock(spec=[], of_state=_core.Elements.of_state)):
        again = pickle.loads(stored)
        twice = pickle.loads(pickle.dumps(again))
    for other in (again, twice):
        assert (other, other.name) == (document, document.name)
        assert said(other) == said(document)
    for name in ("hybrid", "by_title", "recursive"):
        cut, of_other = (cw.chunk(each, name, max_chars=9) for each in (document, twice))
        assert list(cut) == list(of_other)
        assert cut.to_dicts() == of_other.to_dicts()


def test_a_pickle_is_small() -> None:
    text = "# A\n\nSome words that say little, in a paragraph of no great length.\n\n" * 500
    page = "<h1>A</h1><p class='some-classes of-a page'>Some words that say little.</p>" * 500
    assert len(pickle.dumps(cw.read_markdown(text))) < 1.5 * len(text)
    document = cw.read_html(page)
    assert len(pickle.dumps(document)) < 1.5 * len(page)


def test_what_is_no_pickle_of_elements() -> None:
    core = cw.read_markdown("# A\n\nb").elements.core
    stored, text, is_made, htmls, stand_ins = core.state()
    for bytes_of, of in ((stored[:5], text), (b"\0" + stored[1:], text), (stored, "# A")):
        with pytest.raises(cw.ReadError, match="stored elements"):
            _core.Elements.of_state(bytes_of, of, is_made, htmls, stand_ins)
