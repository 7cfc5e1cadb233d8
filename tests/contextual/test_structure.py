"""Structural context: titles, headings and first words, without a model."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw

NOTES = cw.read(
    b"# Rain\n\nIt rained for days and nights and weeks and months on end.\n\n"
    b"## Cold\n\nIt was cold.\n\n# Sun\n\n---\n\nIt shone | there.\n",
    name="notes.md",
)


def snippets(document: Any, strategy: Any = "hierarchical", **options: Any) -> list[str]:
    chunks = cw.Contextual(strategy, context="structure", **options)(document)
    return [context or "" for context in chunks.contexts]


def test_the_path_and_how_neighbours_begin() -> None:
    assert snippets(NOTES) == [
        "notes.md > Rain | Rain Cold It was cold. | Sun It shone there.",
        "notes.md > Rain > Cold | Rain It rained for days and nights and | Sun It shone there.",
        "notes.md > Sun | Rain Cold It was cold. | Rain It rained for days and nights and",
    ]
    assert snippets(NOTES, neighbours=0)[1] == "notes.md > Rain > Cold"
    assert snippets(NOTES, neighbours=1)[2] == "notes.md > Sun | Rain Cold It was cold."


def test_rows_say_that_no_model_was_asked() -> None:
    row = cw.Contextual("hierarchical", context="structure")(NOTES).to_dicts()[0]
    assert row["contextual_text"] == f"[{row['context']}] {row['text']}"
    assert row["contextual_n_tokens"] == cw.count_tokens(row["contextual_text"])
    told = (row["context_outcome"], row["context_model"], row["context_prompt"])
    assert told == ("structure", "", "")


def test_nothing_to_say() -> None:
    (one,) = cw.Contextual("sentence", context="structure")("Alone.")
    assert (one.contextual_text, one.context, one.context_outcome) == ("Alone.", None, "structure")


@pytest.mark.parametrize("most", [1, 2, 5, 9, 100])
def test_the_limit_holds(most: int) -> None:
    for snippet in snippets(NOTES, max_snippet_tokens=most):
        assert 0 < cw.count_tokens(snippet) <= most


def test_long_words_and_blanks() -> None:
    texts = ["字" * 300, " " * 500 + "x" * 300, "Three."]
    writer = cw.Contextual("sentence", context="structure", max_snippet_tokens=1000)
    rows = writer.rewrite({"text": text} for text in texts)
    assert [row["context"] for row in rows] == [
        "Three.",
        "字" * 80 + " | Three.",
        "字" * 80,
    ]


def test_the_same_every_time_and_in_a_stream() -> None:
    writer = cw.Contextual("hierarchical", context="structure")
    documents: list[Any] = [NOTES, "", "One. Two."]
    assert list(writer.stream(documents)) == [writer(document) for document in documents]
    rows = [row for chunks in writer.stream(documents) for row in chunks.to_dicts()]
    assert list(writer.rewrite(rows)) == rows
    assert writer.contexts(cw.chunk(NOTES, "hierarchical")) == snippets(NOTES)


def test_any_number_of_neighbours() -> None:
    strategy = cw.Sentence(sentences=1)
    text = "".join(f"Number {i} came. " for i in range(2000))
    many = snippets(text, strategy, neighbours=10**12)
    assert many[1000].startswith("Number 999 came. | Number 1001 came. | Number 998 came.")
    assert many == snippets(text, strategy, neighbours=50)
