"""Contextual strategy: snippets in front of chunks, whatever the model does."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import chunkwright as cw
from chunkwright.contextual import SituatedChunk
from chunkwright.llm import Prompt, Runner
from chunkwright.rows import BASE, OF_CONTEXT, OF_ELEMENTS

SENTENCES = cw.Sentence(sentences=1)
NOTES = cw.read(
    b"# Rain\n\nIt rained for days.\n\n## Cold\n\nIt was cold. Very cold indeed.\n\n"
    b"# Sun\n\nIt shone.\n",
    name="notes.md",
)
DOCUMENTS = [
    cw.Document(text="One. Two. Three.", name="numbers"),
    cw.Document(text="", name="nothing"),
    cw.Document(text="Red. Blue.", name="colours"),
    cw.Document(text=" \n ", name="blanks"),
]


def chunk_in(messages: list[dict[str, str]]) -> str:
    (said,) = re.findall(r"<chunk>\n(.*)\n</chunk>", messages[-1]["content"], re.DOTALL)
    return str(said)


def on(messages: list[dict[str, str]]) -> str:
    return f"On {chunk_in(messages)}"


def scripted(answers: dict[str, Any]) -> Callable[..., str]:
    """Return a model that says something else about some chunks, or raises it."""

    def call(messages: list[dict[str, str]]) -> str:
        said = answers.get(chunk_in([m for m in messages if "<chunk>" in m["content"]]), "Fine.")
        if isinstance(said, Exception):
            raise said
        return str(said)

    return call


def test_a_snippet_goes_in_front() -> None:
    chunks = cw.Contextual(SENTENCES, llm=on)("One. Two.", name="numbers")
    assert chunks.texts() == ["[On One.] One.", "[On Two.] Two."]
    assert chunks.snippets == ["On One.", "On Two."]
    assert chunks.outcomes == ["answered", "answered"]
    assert chunks.chunks == SENTENCES("One. Two.", name="numbers")
    one = chunks[0]
    assert isinstance(one, SituatedChunk)
    assert (one.text, one.original_text) == ("[On One.] One.", "One.")
    assert (one.chunk, one.outcome, one.why) == (chunks.chunks[0], "answered", "")


def test_columns() -> None:
    writer = cw.Contextual("hybrid", llm=Runner(on, name="on"))
    chunks = writer(NOTES)
    first, *_, last = chunks.to_dicts()
    assert tuple(first) == (*BASE, *OF_ELEMENTS, *OF_CONTEXT)
    plain = chunks.chunks.to_dicts()[-1]
    text = plain.pop("text")
    assert last.items() >= plain.items()
    assert last["text"] == f"[{last['contextual_snippet']}] {text}"
    assert last["original_text"] == text
    assert last["token_count"] == cw.count_tokens(last["text"])
    assert last["chunking_strategy"] == "contextual"
    assert (last["section"], last["context"]) == ("Sun", "notes.md > Sun")
    assert (last["snippet_outcome"], last["snippet_model"]) == ("answered", "named:on")
    assert last["snippet_prompt"] == Prompt.named("context-1").fingerprint
    assert json.loads(json.dumps(chunks.to_dicts())) == chunks.to_dicts()
    assert pa.table(chunks).to_pylist() == chunks.to_dicts()
    assert chunks.to_arrow().schema == pa.table(chunks[:0]).schema
    assert pickle.loads(pickle.dumps(chunks)) == chunks


def test_a_sequence() -> None:
    chunks = cw.Contextual(SENTENCES, llm=on).batch(DOCUMENTS)
    assert len(chunks) == 5
    assert [chunk.text for chunk in chunks] == chunks.texts()
    assert chunks[-1].original_text == "Blue."
    part = chunks[3:0:-2]
    assert part.texts() == ["[On Red.] Red.", "[On Two.] Two."]
    assert part.to_dicts() == chunks.to_dicts()[3:0:-2]
    assert next(reversed(chunks)) == chunks[4]
    assert chunks[1] in chunks
    assert chunks != chunks[1:]
    with pytest.raises(IndexError):
        chunks[5]


def test_special_cases() -> None:
    writer = cw.Contextual(SENTENCES, llm=on)
    assert len(writer("")) == 0
    assert writer("").to_dicts() == []
    assert list(writer.stream([])) == []
    assert writer.contexts([]) == []
    assert list(writer.rewrite([])) == []
    (only,) = writer("Alone.")
    assert only.context == ""
    assert writer("It \ud800 rained.").texts() == ["[On It \ufffd rained.] It \ud800 rained."]


def test_sections_are_those_that_chunks_begin_in() -> None:
    chunks = cw.Contextual(cw.Sentence(max_chars=28), llm=on)(NOTES)
    found = [(one.original_text, one.section) for one in chunks]
    assert found == [
        ("# Rain\n\nIt rained for days.", "Rain"),
        ("## Cold\n\nIt was cold.", "Rain > Cold"),
        ("Very cold indeed.", "Rain > Cold"),
        ("# Sun\n\nIt shone.", "Sun"),
    ]
    assert [one.context for one in chunks] == [f"notes.md > {path}" for _, path in found]


def test_the_title_is_the_name_or_the_heading_above_all() -> None:
    writer = cw.Contextual("hierarchical", llm=on)
    assert [one.context for one in writer(NOTES.named(None))] == ["Rain", "Rain > Cold", "Sun"]
    report = b"# Report\n\nOf 2023.\n\n## Sales\n\nThey grew.\n"
    for name in (None, "Report"):
        document = cw.read(report, name="report.md").named(name)
        assert [one.context for one in writer(document)] == ["Report", "Report > Sales"]
