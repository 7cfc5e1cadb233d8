"""`chunkwright chunk` of tables by strategies over elements: rows are read as documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw

from .commandline import Run

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402 - it is there now

MARKDOWN = "# Rain\n\nIt rained for days.\n\n## More\n\n- one\n- two\n"
HTML = "<!doctype html><h1>Sun</h1><p>It shone for days and days."
ITEMS = [
    {"type": "Title", "text": "A", "metadata": {"category_depth": 0, "page_number": 1}},
    {"type": "NarrativeText", "text": "under A", "metadata": {"page_number": 2}},
]
TEXTS = [MARKDOWN, HTML, json.dumps(ITEMS), "Plain text, and no heading."]
HYBRID = ("--strategy", "hybrid", "--max-chars", "30")


def write_jsonl(name: str, column: str, values: list[Any]) -> str:
    path = Path(f"{name}.jsonl")
    path.write_text("".join(f"{json.dumps({column: value})}\n" for value in values), "utf-8")
    return str(path)


def write_parquet(name: str, column: str, values: list[Any]) -> str:
    pq.write_table(pa.table({column: values}), f"{name}.parquet")
    return f"{name}.parquet"


def expected(documents: list[Any], file: str, strategy: str, **options: Any) -> list[Any]:
    """Return the rows of single calls, named after their rows."""
    rows: list[Any] = []
    of_plain_text = {
        "kind": "paragraph",
        "part": 0,
        "html": None,
        "pages": [],
        "boxes": None,
        "headings": [],
        "headings_above": [],
        "speaker": None,
        "speakers": [],
        "time_start": None,
        "time_end": None,
    }
    for number, document in enumerate(documents):
        name = f"{file}:{number + 1}"
        chunk: Any = cw.chunk
        for row in chunk(document, strategy, name=name, **options).to_dicts():
            full = {"first_element": None, "last_element": None, **of_plain_text, **row}
            del full["oversize"]
            rows.append({**full, "doc_index": number})
    return rows


@pytest.mark.parametrize("write", [write_jsonl, write_parquet])
@pytest.mark.parametrize("strategy", ["hybrid", "hierarchical"])
def test_texts_are_told_by_content(here: Run, write: Callable[..., str], strategy: str) -> None:
    file = write("docs", "body", TEXTS)
    options = ("--strategy", strategy, "--max-chars", "30", "--text-column", "body")
    result = here("chunk", file, *options)
    assert (result.code, result.err) == (0, "")
    documents = [cw.read(text.encode()) for text in TEXTS]
    assert result.rows == expected(documents, file, strategy, max_chars=30)


@pytest.mark.parametrize("write", [write_jsonl, write_parquet])
def test_rows_may_hold_elements(here: Run, write: Callable[..., str]) -> None:
    file = write("docs", "items", [ITEMS, ITEMS[1:]])
    result = here("chunk", file, *HYBRID, "--text-column", "items")
    assert (result.code, result.err) == (0, "")
    assert result.rows == expected([ITEMS, ITEMS[1:]], file, "hybrid", max_chars=30)
    refused = here("chunk", file, "--text-column", "items", "--max-chars", "30")
    assert refused.code == 1
    assert "items" in refused.err


@pytest.mark.parametrize("write", [write_jsonl, write_parquet])
@pytest.mark.parametrize("strategy", ["by_title", "recursive", "hybrid"])
def test_a_kind_is_named(here: Run, write: Callable[..., str], strategy: str) -> None:
    texts = ["Intro\n\n# Rain\n\nIt rained.", "plain"]
    file = write("docs", "text", texts)
    options = ("--strategy", strategy, "--max-chars", "12", "--text-kind", "markdown")
    result = here("chunk", file, *options)
    assert (result.code, result.err) == (0, "")
    documents = [cw.read_markdown(text) for text in texts]
    own = {"separators": "markdown"} if strategy == "recursive" else {}
    rows = expected(documents, file, strategy, max_chars=12, **own)
    kept = result.rows[0].keys()
    assert result.rows == [{key: row[key] for key in kept} for row in rows]


def test_what_has_no_elements_fails_alone(here: Run) -> None:
    file = write_jsonl("docs", "text", ["plain", MARKDOWN, " ", "%PDF-1.7", "a,b"])
    result = here("chunk", file, "--strategy", "basic", "--max-chars", "90")
    assert result.code == 1
    assert {row["document"] for row in result.rows} == {f"{file}:2"}
    said = " ".join(result.err.split())
    assert (
        "docs.jsonl:1: strategy 'basic' cuts elements, and this is text: say by --text-kind" in said
    )
    assert "docs.jsonl:4: this is a PDF document, not text" in said
    assert "docs.jsonl:5: strategy 'basic'" in said
    assert "docs.jsonl:3" not in said
    csv = here("chunk", file, "--strategy", "basic", "--max-chars", "90", "--text-kind", "csv")
    assert f"{file}:5" in {row["document"] for row in csv.rows}
    wrong = here("chunk", file, *HYBRID, "--text-kind", "markdwon")
    assert wrong.code == 2
    assert "--text-kind" in wrong.err
    assert "markdown" in wrong.err
    assert here("chunk", file, *HYBRID, "--text-kind", "text").rows[1]["kind"] == "paragraph"


def test_folders_and_tables_together(here: Run) -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text(MARKDOWN, "utf-8")
    Path("notes/b.html").write_text(HTML, "utf-8")
    Path("notes/c.txt").write_text(TEXTS[3], "utf-8")
    file = write_parquet("rows", "text", TEXTS)
    result = here("chunk", "notes", file, *HYBRID, "--out", "chunks.parquet")
    assert result.code == 0, result.err
    table = pq.read_table("chunks.parquet")
    of_files = [cw.read(f"notes/{name}") for name in ("a.md", "b.html", "c.txt")]
    documents = of_files + [cw.read(text.encode()) for text in TEXTS]
    texts = [text for each in documents for text in cw.chunk(each, "hybrid", max_chars=30).texts()]
    assert table["text"].to_pylist() == texts
    assert table.column_names[-14:] == [
        *("kind", "part", "first_element", "last_element", "html", "pages", "boxes"),
        *("confidence", "headings", "headings_above"),
        *("speaker", "speakers", "time_start", "time_end"),
    ]
    assert table.num_rows == len(texts)
    by_document = {row["document"]: row for row in table.to_pylist()}
    assert by_document["a.md"]["headings"] == ["Rain", "More"]
    assert by_document[f"{file}:3"]["pages"] == [1, 2]
    assert by_document[f"{file}:4"]["first_element"] is None


def test_no_column_of_elements_is_overwritten(here: Run) -> None:
    rows = [{"text": "# A\n\nOne.", "kind": "mine"}, {"text": "# B\n\nTwo.", "n": 1}]
    Path("r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    # A strategy over texts has these columns where the document has elements.
    result = here("chunk", "r.jsonl", "--max-chars", "90", "--text-kind", "markdown")
    assert result.code == 1
    assert "column 'kind' is a column of chunks too" in result.err
    assert [(row["kind"], row["n"]) for row in result.rows] == [("paragraph", 1)]
    assert here("chunk", "r.jsonl", "--max-chars", "90").rows[0]["kind"] == "mine"
