"""Batches and streams of strategies over elements: any mix of documents, as single calls."""

import json
from typing import Any

import pytest

import chunkwright as cw

MARKDOWN = "# Rain\n\nIt *rained*.\n\n## More\n\n- one\n- two\n\nÄnd 漢字."
ITEMS: list[dict[str, Any]] = [
    {"type": "Title", "text": "A", "element_id": "a", "metadata": {"category_depth": 0}},
    {"type": "Title", "text": "B", "metadata": {"category_depth": 1, "page_number": 1}},
    {"type": "NarrativeText", "text": "under\ud800 A", "metadata": {"parent_id": "a"}},
]
HTML = b"<!doctype html><h1>Sun</h1><table><tr><td>a<td>b<tr><td>c<td>d</table><p>It shone."
STRATEGIES: dict[str, Any] = {
    "hybrid": {"max_chars": 20},
    "hierarchical": {"max_chars": 20},
    "basic": {"max_chars": 20},
    "by_title": {"max_chars": 20},
    "by_page": {"max_chars": 20},
    "by_similarity": {"max_chars": 60, "embedder": "lexical"},
}


def documents(name: str) -> list[Any]:
    mixed: list[Any] = [
        cw.read_markdown(MARKDOWN, name="a.md"),
        ITEMS,
        cw.read(HTML, name="b.html"),
        [],
        cw.read(json.dumps(ITEMS[:2]).encode()),
        cw.read(b"k,v\n1,2\n3,4\n", name="c.csv"),
    ]
    plain = ["One sentence. Another one.", cw.Document(text="Plain.", name="d")]
    return mixed + plain if name in {"hybrid", "hierarchical"} else mixed


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("workers", [1, 3])
def test_a_batch_gives_what_single_calls_give(name: str, workers: int) -> None:
    splitter: Any = cw.chunking.ALL_STRATEGIES[name](**STRATEGIES[name])
    mixed = documents(name)
    singles = [splitter(each) for each in mixed]
    rows = [
        {**row, "doc_index": number}
        for number, chunks in enumerate(singles)
        for row in chunks.to_dicts()
    ]
    batch = splitter.batch(mixed, workers=workers)
    assert batch.to_dicts() == rows
    assert [chunk.boxes for chunk in batch] == [chunk.boxes for one in singles for chunk in one]
    assert [chunk.pieces for chunk in batch] == [chunk.pieces for one in singles for chunk in one]
    streamed = list(splitter.stream(iter(mixed), workers=workers))
    assert [chunks.to_dicts() for chunks in streamed] == [chunks.to_dicts() for chunks in singles]


@pytest.mark.parametrize("name", ["hybrid", "hierarchical"])
def test_tables_of_other_libraries_have_the_same_columns(name: str) -> None:
    pa, pd, pl = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    splitter: Any = cw.chunking.ALL_STRATEGIES[name](**STRATEGIES[name])
    batch = splitter.batch(documents(name))
    rows = batch.to_dicts()
    assert [*rows[0]][-14:] == [
        *("kind", "part", "first_element", "last_element", "html", "pages", "boxes"),
        *("confidence", "headings", "headings_above"),
        *("speaker", "speakers", "time_start", "time_end"),
    ]
    assert batch.to_arrow().to_pylist() == rows
    assert pa.record_batch(batch).to_pylist() == rows
    assert batch.to_polars().equals(pl.from_arrow(batch.to_arrow()))
    frame = batch.to_pandas()
    assert list(frame.columns) == [*rows[0]]
    firsts = [None if pd.isna(first) else int(first) for first in frame["first_element"]]
    assert firsts == [row["first_element"] for row in rows]
    assert frame["headings"].tolist() == [row["headings"] for row in rows]
    assert rows[-1]["first_element"] is None
    assert rows[-1]["last_element"] is None


@pytest.mark.parametrize("name", ["basic", "by_title", "by_page", "by_similarity"])
def test_what_has_no_elements_fails_alone(name: str) -> None:
    splitter: Any = cw.chunking.ALL_STRATEGIES[name](**STRATEGIES[name])
    mixed = [cw.read_markdown(MARKDOWN), "plain", ITEMS, cw.Document(text="plain")]
    batch = splitter.batch(mixed, errors="collect")
    assert sorted(batch.errors) == [1, 3]
    assert {*batch.doc_index.tolist()} == {0, 2}
    streamed = list(splitter.stream(mixed, errors="collect"))
    assert [len(chunks.errors) for chunks in streamed] == [0, 1, 0, 1]
