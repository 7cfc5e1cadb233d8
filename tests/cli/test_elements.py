"""`chunkwright chunk` and `view` on elements."""

import json
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.io.rows import names_of, rows_of

from .commandline import Run

ITEMS: list[dict[str, Any]] = [
    {"type": "Title", "text": "Rain", "metadata": {"page_number": 1}},
    {"type": "NarrativeText", "text": "It rained.", "metadata": {"page_number": 1}},
    {
        "type": "Table",
        "text": "a b",
        "metadata": {
            "page_number": 2,
            "text_as_html": "<table><tr><td>a</td><td>b</td></tr></table>",
        },
    },
]


@pytest.fixture
def elements() -> str:
    Path("elements.json").write_text(json.dumps(ITEMS), "utf-8")
    return "elements.json"


def test_rows_say_what_the_library_says(here: Run, elements: str) -> None:
    result = here("chunk", elements, "--strategy", "by_title", "--max-chars", "50")
    assert (result.code, result.err) == (0, "")
    chunks = cw.chunk(ITEMS, "by_title", max_chars=50, name=elements)
    assert [row["text"] for row in result.rows] == chunks.texts() == ["Rain\n\nIt rained.", "a b"]
    assert [row["chunk_id"] for row in result.rows] == chunks.ids
    assert [row["kind"] for row in result.rows] == ["paragraph", "table"]
    assert [row["html"] for row in result.rows] == [None, ITEMS[2]["metadata"]["text_as_html"]]
    assert [row["pages"] for row in result.rows] == [[1], [2]]
    assert [row["headings"] for row in result.rows] == [["Rain"], ["Rain"]]
    assert [row["headings_above"] for row in result.rows] == [[], ["Rain"]]
    assert [(row["first_element"], row["last_element"]) for row in result.rows] == [(0, 1), (2, 2)]
    assert [row["part"] for row in result.rows] == [0, 0]
    # What is not so is left out.
    assert [{**row, "oversize": False} for row in result.rows] == chunks.to_dicts()


def test_texts_are_refused(here: Run, elements: str) -> None:
    Path("list.json").write_text("[1, 2]")
    Path("notes.txt").write_text("One.\n\nTwo.")
    Path("rows.jsonl").write_text('{"text": "One."}\n')
    inputs = ("list.json", "notes.txt", "rows.jsonl")
    result = here("chunk", *inputs, elements, "--strategy", "by_title", "--max-chars", "50")
    assert result.code == 1
    assert {row["document"] for row in result.rows} == {elements}
    for name in ("list.json", "notes.txt", "rows.jsonl:1"):
        assert f"{name}: strategy 'by_title' cuts elements, and this is text" in result.err
    assert "or give a --strategy for texts such as recursive" in " ".join(result.err.split())
    for flag in ("--input-format", "--text-kind"):
        assert f"say by {flag} if it is something else (" in " ".join(result.err.split())
    options = ("--strategy", "basic", "--max-chars", "50", "--input-format", "text")
    assert "cuts elements" in here("chunk", elements, *options).err


def test_other_strategies_cut_the_text_of_elements(here: Run, elements: str) -> None:
    for options in ((), ("--input-format", "elements")):
        rows = here("chunk", elements, *options).rows
        assert [row["text"] for row in rows] == ["Rain\n\nIt rained.\n\na b"]
    rows = here("chunk", elements, "--input-format", "text").rows
    assert rows[0]["text"] == json.dumps(ITEMS)


@pytest.mark.parametrize("format_", ["parquet", "arrow"])
def test_tables(here: Run, elements: str, format_: str) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.feather as pf
    import pyarrow.parquet as pq

    out = f"chunks.{format_}"
    here("chunk", elements, "--strategy", "by_page", "--max-chars", "50", "--out", out)
    table = pq.read_table(out) if format_ == "parquet" else pf.read_table(out)
    assert table["kind"].to_pylist() == ["paragraph", "table"]
    assert table["pages"].to_pylist() == [[1], [2]]
    assert table["html"].to_pylist()[0] is None


def test_texts_without_elements_have_the_same_columns() -> None:
    names = names_of("basic")
    (of_text,) = rows_of(cw.chunk("One.", "window"), 0, names).to_dicts()
    of_elements = rows_of(cw.chunk(ITEMS, "basic"), 1, names).to_dicts()
    assert tuple(of_text) == tuple(of_elements[0]) == names
    assert (of_text["kind"], of_text["part"], of_text["pages"]) == ("paragraph", 0, [])
    assert (of_text["first_element"], of_text["last_element"]) == (None, None)
    assert [row["kind"] for row in of_elements] == ["paragraph", "table"]
    assert [row["doc_index"] for row in of_elements] == [1, 1]


def test_broken_elements_are_named(here: Run, elements: str) -> None:
    Path("bad.json").write_text('[{"type": "Text", "text": "x"}, {"type": "Text", "text": null}]')
    result = here("chunk", "bad.json", elements, "--strategy", "basic", "--max-chars", "50")
    assert result.code == 1
    assert "bad.json: elements[1]: text" in result.err
    assert len(result.rows) == 2
    options = ("--input-format", "elements", "--strategy", "basic", "--max-chars", "50")
    Path("no.json").write_text("[{")
    assert "no.json: the JSON: not JSON at line 1" in here("chunk", "no.json", *options).err


def test_view(here: Run, elements: str) -> None:
    shown = here("view", elements, "--strategy", "by_title", "--max-chars", "50").out
    assert "page 1 · lines 1-3" in shown
    assert "table · page 2" in shown
    assert "It rained." in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chunk", "--strategy", "by_similarity"), "embedder must be"),
        (("chunk", "--strategy", "by_titel"), "did you mean 'by_title'?"),
        (("chunk", "--strategy", "basic", "--window", "1"), "has no --window"),
    ],
)
def test_refused(here: Run, elements: str, arguments: tuple[str, ...], message: str) -> None:
    command, *options = arguments
    result = here(command, elements, "--max-chars", "50", *options)
    assert result.code == 2
    assert message in result.err


def test_elements_are_compared_with_texts(here: Run, elements: str) -> None:
    for one, other in (("basic", "window"), ("window", "basic")):
        result = here("compare", elements, f"{one}:max_chars=50", f"{other}:max_chars=50")
        assert result.code == 0
        assert "── A 0 · " in result.out


CATS = "# Cats\n\nThe cat naps.\n\nThe cat purrs.\n\nIt rains.\n\n# More\n\nThe cat runs."
STRUCTURAL = ("--strategy", "structural", "--max-chars", "90", "--merge-at", "0.3")


def test_reasons_of_blocks_are_shown(here: Run) -> None:
    Path("cats.md").write_text(CATS)
    shown = here("view", "cats.md", *STRUCTURAL, "--embedder", "lexical", "--reasons")
    assert shown.code == 0
    chunks = cw.Structural(max_chars=90, merge_at=0.3, embedder="lexical")(cw.read("cats.md"))
    assert chunks.reasons == ["score", "structure", "end"]
    assert chunks.boundaries is not None
    first = f"{chunks.boundaries.scores[0]:.2f}"
    assert (
        "1 cut by score, 0 by the limit and 1 by the structure, 3 boundaries, threshold 0.70"
        in (shown.out)
    )
    assert f"The cat naps.▆{first}" in shown.out
    assert "█ cut: distance 1.00 over 0.70" in shown.out
    assert "█ structure, distance 1.00" in shown.out
    alone = here("view", "cats.md", *STRUCTURAL, "--reasons")
    assert "0 cuts by score, 0 by the limit and 3 by the structure, 3 boundaries\n" in alone.out
    assert alone.out.count("▁ structure\n") == 3


def test_reasons_beside_repeated_headers(here: Run) -> None:
    rows = "\n".join(f"| row {i} | {i} |" for i in range(20))
    Path("table.md").write_text(f"Above.\n\n| name | n |\n|---|---|\n{rows}\n\nBelow.")
    shown = here("view", "table.md", *STRUCTURAL, "--reasons").out
    assert shown.count("| name | n |\n") == shown.count("limit: inside a piece") + 1 > 2
    assert "| row 19 | 19 |" in shown


def test_blocks_are_compared_with_why(here: Run) -> None:
    Path("cats.md").write_text(CATS)
    result = here("compare", "cats.md", "structural:max_chars=90", "basic:max_chars=90")
    assert result.code == 0
    assert "· ▁ structure" in result.out


def test_reasons_need_a_strategy_that_knows_them(here: Run, elements: str) -> None:
    result = here("view", elements, "--strategy", "basic", "--max-chars", "50", "--reasons")
    assert result.code == 2
    assert "strategy 'basic' has no scores to show" in result.err
    assert "'structural'" in result.err
