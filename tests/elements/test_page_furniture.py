"""Page furniture: headers and footers stand behind the body of a document, and are never cut."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.evaluation import measure
from tests import laws
from tests.chunking.test_laws import make
from tests.support.markdown_texts import MARKDOWN

NOTES = (
    "# Rain é\n\nIt rained \ud83c\udf27 on \ud800.\n\n- Monday\n- Tuesday\n\n## Sun\n\nIt shone."
)
# A heading among them would be above nothing, and a table is none of the document's.
FURNITURE = [
    ("page header", "ACME é\U0001f327 Report: 2024"),
    ("heading", "# Page"),
    ("table", "| a | b |"),
    ("page footer", "1 of 2"),
]


def with_furniture(document: cw.Document, n: int = 4) -> cw.Document:
    """Return a document of the same body, with ``n`` elements behind it."""
    assert document.elements is not None
    items = [
        {
            "kind": each.kind,
            "start": each.start,
            "end": each.end,
            "level": each.level or 0,
            "parent": None if each.parent is None else each.parent.index,
            "pages": (1, 2),
        }
        for each in document.elements
    ]
    n_body, text = len(items), document.text[: items[-1]["end"] if items else 0]
    for kind, said in FURNITURE[:n]:
        start = len(text) + 2
        text += f"\n\n{said}"
        items.append({"kind": kind, "start": start, "end": len(text), "pages": (7,)})
    elements = cw.elements_at(text, items, n_body=n_body if n else None)
    return cw.Document(elements=elements, name="notes")


def notes(n: int = 4) -> cw.Document:
    return with_furniture(cw.read_markdown(NOTES), n)


def told(chunks: cw.Chunks) -> list[Any]:
    """Return all that chunks tell, but for the id of their document."""
    rows = chunks.to_dicts()
    for row in rows:
        del row["document_id"]
    pieces = [(chunk.pieces, chunk.headings, chunk.reason) for chunk in chunks]
    return [rows, chunks.texts(), chunks.ids, pieces]


# ---------------------------------------------------------------------- strategies


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES}))
@given(text=MARKDOWN | st.just(NOTES), options=laws.options())
def test_chunks_are_those_of_the_body(strategy: str, text: str, options: dict[str, Any]) -> None:
    body = with_furniture(cw.read_markdown(text), 0)
    whole = with_furniture(cw.read_markdown(text))
    splitter = make(strategy, options)
    expected = told(splitter(body))
    chunks = splitter(whole)
    assert told(chunks) == expected
    laws.hold(whole.body, chunks, options)
    assert (whole.body, chunks.source) == (body.text, whole.text)
    assert told(pickle.loads(pickle.dumps(chunks))) == expected
    for workers in (1, 2):
        [alone] = splitter.stream([whole], workers=workers)
        assert told(alone) == expected
        both = splitter.batch([whole, body], workers=workers)
        assert both.texts() == 2 * chunks.texts()
        assert (both.ids, both.starts.tolist()) == (2 * chunks.ids, 2 * chunks.starts.tolist())


OPTIONS: dict[str, Any] = {"max_tokens": 8, "overlap": 2}


def made(strategy: str, **options: Any) -> Any:
    embedder: dict[str, Any] = (
        {"embedder": laws.by_first_letter} if strategy == "by_similarity" else {}
    )
    return ALL_STRATEGIES[strategy](**laws.needed(strategy), **embedder, **{**OPTIONS, **options})


def test_every_strategy_leaves_furniture_out() -> None:
    names = sorted({*ALL_STRATEGIES} - {"json"})
    assert len(names) > 12
    for strategy in names:
        chunks = made(strategy)(notes())
        assert told(chunks) == told(made(strategy)(notes(0))), strategy
        assert "ACME" not in "".join(chunks.texts()), strategy


def test_json_ends_with_the_body() -> None:
    text = '{"a": [1, 2, 3], "b": "é"}'
    items = [
        {"kind": "code", "start": 0, "end": len(text)},
        {"kind": "page footer", "start": len(text) + 2, "end": len(text) + 3},
    ]
    elements = cw.elements_at(f"{text}\n\n7", items, n_body=1)
    chunks = cw.Json(max_chars=12)(cw.Document(elements=elements))
    assert chunks.texts() == cw.Json(max_chars=12)(text).texts()
    assert len(chunks) > 1


def test_long_documents_and_counters_of_ones_own() -> None:
    # Longer than what threads index in parts, and by a callable that sees every text it counts.
    said: list[str] = []

    def count(text: str) -> int:
        said.append(text)
        return len(text)

    long = cw.read_markdown("It rained é for days. " * 60_000)
    strategy = cw.Recursive(max_tokens=100)
    chunks = strategy.batch([with_furniture(long)], workers=2)
    assert told(chunks) == told(strategy.batch([with_furniture(long, 0)], workers=2))
    counted = cw.Hybrid(max_tokens=30, tokenizer=count)
    assert told(counted(notes())) == told(counted(notes(0)))
    assert said
    assert "ACME" not in "".join(said)


@pytest.mark.parametrize("scope", ["element", "section", "page", "neighbours"])
@pytest.mark.parametrize("limit", [{}, {"max_chars": 40}, {"max_tokens": 200}])
def test_chunks_are_expanded_within_the_body(scope: Any, limit: dict[str, int]) -> None:
    splitter = cw.Hierarchical(max_tokens=8)
    wide, expected = (cw.expand(splitter(each), scope, **limit) for each in (notes(), notes(0)))
    assert told(wide) == told(expected)


def test_hits_are_those_of_the_body() -> None:
    chunks = cw.Hierarchical(max_tokens=8)(notes())
    index = cw.Retriever().index(chunks)
    [hits] = index.search("ACME", k=9)
    assert all(hit.score == 0 for hit in hits)
    [[hit]] = index.search("shone", k=1)
    assert "shone" in str(hit.text)


def test_contexts_know_the_body_alone() -> None:
    said: list[str] = []

    async def model(messages: list[dict[str, str]]) -> dict[str, Any]:
        said.extend(each["content"] for each in messages)
        return {"contexts": []}

    cw.Contextual(cw.Hierarchical(max_tokens=8), llm=model)(notes())
    assert any("It rained" in each for each in said)
    assert not any("ACME" in each for each in said)
    titled = cw.Contextual(cw.Hierarchical(max_tokens=8), context="structure")
    whole, body = (titled(each.named(None)).contexts for each in (notes(), notes(0)))
    assert whole == body


def test_measures_are_those_of_the_body() -> None:
    found, expected = (
        measure(cw.Hierarchical(max_tokens=8), {"notes": each}) for each in (notes(), notes(0))
    )
    assert found.shares == expected.shares
    assert found.coverage.covered.share == 1
    # A chunker of another's is given a text, too.
    foreign = measure(lambda text: [text], {"notes": notes()})
    assert foreign.coverage.covered.share == 1


# ---------------------------------------------------------------------- documents


def test_furniture_stays_in_the_document() -> None:
    document = notes()
    assert document.elements is not None
    elements = document.elements
    assert document.text.endswith("\n\n1 of 2")
    assert document.body == NOTES == document.text[: len(NOTES)]
    assert [each.in_body for each in elements] == [True] * 6 + [False] * 4
    assert (elements.n_body, len(elements)) == (6, 10)
    footer = elements[-1]
    assert (footer.kind, footer.text, footer.pages) == ("page footer", "1 of 2", (7,))
    assert [each.headings for each in elements[5:]] == [("# Rain é", "## Sun")] + [()] * 4
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.body == document.body
    assert pickle.loads(pickle.dumps(footer)).in_body is False
    assert pickle.loads(pickle.dumps(elements[0])).in_body is True
    assert elements != notes(0).elements


def test_a_document_may_have_no_furniture_or_nothing_else() -> None:
    text = "ACME\n\nRain"
    items = [
        {"kind": "page header", "start": 0, "end": 4},
        {"kind": "paragraph", "start": 6, "end": 10},
    ]
    plain = cw.elements_at(text, items, n_body=2)
    assert cw.chunk(cw.Document(elements=plain), "window").texts() == [text]
    nothing = cw.Document(elements=cw.elements_at(text, items, n_body=0))
    assert (nothing.body, nothing.text) == ("", text)
    for strategy in sorted({*ALL_STRATEGIES} - {"json"}):
        assert made(strategy)(nothing).texts() == []
    assert cw.Document(text=text).body == text
    for n_body in (3, -1, 1.5, True):
        with pytest.raises(cw.ConfigError, match="n_body"):
            cw.elements_at(text, items, n_body=n_body)  # type: ignore[arg-type]
