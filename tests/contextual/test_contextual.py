"""Contextual strategy: what it makes of chunks, as a sequence and as rows."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import pyarrow as pa
import pytest

import chunkwright as cw
from chunkwright.contextual.passages import passages_of
from chunkwright.errors import ConfigError, ReadError
from chunkwright.llm import Estimate, Prices, Prompt, Runner, Usage
from chunkwright.rows import BASE, OF_CONTEXTS, OF_ELEMENTS
from tests.contextual.models import on
from tests.support.element_lists import element
from tests.support.scripted_models import by_words

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


def plain(chunks: cw.Chunks) -> list[Any]:
    return [(one.id, one.text, one.pieces, one.headings) for one in chunks]


def paths(chunks: cw.Chunks) -> list[str]:
    return [path for passages in passages_of(chunks) for path in passages.paths]


def test_a_snippet_goes_in_front() -> None:
    chunks = cw.Contextual(SENTENCES, llm=on)("One. Two.", name="numbers")
    assert chunks.texts() == ["One.", "Two."]
    assert chunks.contextual_texts() == ["[On One.] One.", "[On Two.] Two."]
    assert chunks.contexts == ["On One.", "On Two."]
    assert chunks.context_outcomes == ["answered", "answered"]
    cut = SENTENCES("One. Two.", name="numbers")
    assert plain(chunks) == plain(cut)
    assert chunks != cut
    one = chunks[0]
    assert (one.text, one.contextual_text) == ("One.", "[On One.] One.")
    assert (one.context, one.context_outcome, one.context_why) == ("On One.", "answered", None)
    assert (cut[0].context, cut[0].context_outcome, cut[0].context_why) == (None, None, None)
    assert (cut[0].contextual_text, cut.contextual_texts()) == ("One.", cut.texts())


def test_columns() -> None:
    writer = cw.Contextual("hybrid", llm=Runner(on, name="on"))
    chunks = writer(NOTES)
    first, *_, last = chunks.to_dicts()
    assert tuple(first) == (*BASE, *OF_ELEMENTS, *OF_CONTEXTS)
    own = cw.Hybrid()(NOTES).to_dicts()[-1]
    assert {name: last[name] for name in own} == own
    assert last["contextual_text"] == f"[{last['context']}] {last['text']}"
    assert last["contextual_n_tokens"] == cw.count_tokens(last["contextual_text"])
    assert (last["context_outcome"], last["context_model"]) == ("answered", "named:on")
    assert last["context_prompt"] == Prompt.named("context-1").fingerprint
    assert json.loads(json.dumps(chunks.to_dicts())) == chunks.to_dicts()
    assert pa.table(chunks).to_pylist() == chunks.to_dicts()
    assert dict(chunks[-1]) == last
    schema = chunks.to_arrow().schema
    assert schema == pa.table(chunks[:0]).schema
    prompt = Prompt.named("context-1").fingerprint.encode()
    assert schema.metadata == {
        b"chunkwright.context_model": b"named:on",
        b"chunkwright.context_prompt": prompt,
    }
    assert pickle.loads(pickle.dumps(chunks)) == chunks
    again = pickle.loads(pickle.dumps(chunks[-1]))
    assert (again, dict(again), again.contextual_text) == (
        chunks[-1],
        last,
        last["contextual_text"],
    )


def test_a_sequence() -> None:
    chunks = cw.Contextual(SENTENCES, llm=on).batch(DOCUMENTS)
    assert len(chunks) == 5
    assert [chunk.contextual_text for chunk in chunks] == chunks.contextual_texts()
    assert chunks[-1].text == "Blue."
    part = chunks[3:0:-2]
    assert part.contextual_texts() == ["[On Red.] Red.", "[On Two.] Two."]
    assert part.to_dicts() == chunks.to_dicts()[3:0:-2]
    assert next(reversed(chunks)) == chunks[4]
    assert chunks[1] in chunks
    assert chunks != chunks[1:]
    with pytest.raises(IndexError):
        chunks[5]


def test_a_table_has_the_same_contexts() -> None:
    texts = ["# Rain\n\nIt rained.\n\nFor days.", "# Sun\n\nIt shone.", None]
    batch = pa.record_batch({"body": texts, "name": ["rain.md", None, "none"], "n": [1, 2, 3]})
    writer = cw.Contextual(cw.Hybrid(max_tokens=4), llm=Runner(on, name="on"))
    options: Any = {"text_column": "body", "name_column": "name", "kind": "markdown"}
    table = pa.record_batch(writer.arrow(batch, **options))
    documents = [
        cw.read(text.encode(), kind="markdown").named(name).with_metadata({"n": n})
        for text, name, n in zip(texts[:2], ["rain.md", None], [1, 2], strict=True)
        if text is not None
    ]
    rows = table.to_pylist()
    names = [row.pop("name") for row in rows]
    assert names == [row["document"] for row in rows]
    assert rows == writer.batch(documents).to_dicts()
    stream = pa.RecordBatchReader.from_stream(writer.arrow(pa.table(batch), **options))
    assert stream.read_all().combine_chunks().to_batches() == [table]


def test_a_document_that_fails_has_no_context() -> None:
    batch = pa.record_batch({"text": ["# A\n\nOne.", "plain", "# B\n\nTwo."]})
    writer = cw.Contextual(cw.ByTitle(max_chars=90), llm=on)
    rows = pa.record_batch(writer.arrow(batch, errors="collect")).to_pylist()
    assert [row["context"] for row in rows] == ["On # A One.", None, "On # B Two."]
    assert [row["contextual_text"] is None for row in rows] == [False, True, False]
    assert "row 1: this strategy cuts elements" in rows[1]["error"]


def test_a_retriever_finds_by_contexts() -> None:
    chunks = cw.Contextual(
        SENTENCES, llm=lambda messages: "Zebra." if "Two." in str(messages[-1:]) else "Other."
    )("One. Two.")
    index = cw.Retriever().index(chunks)
    hit = index.search("zebra", k=1)[0][0]
    assert hit.chunk is not None
    assert hit.text == hit.chunk.contextual_text


def test_special_cases() -> None:
    writer = cw.Contextual(SENTENCES, llm=on)
    assert len(writer("")) == 0
    assert writer("").to_dicts() == []
    assert list(writer.stream([])) == []
    assert writer.contexts([]) == []
    assert list(writer.rewrite([])) == []
    (only,) = writer("Alone.")
    assert (only.context, only.headings) == ("On Alone.", ())
    assert writer("It \ud800 rained.").contextual_texts() == [
        "[On It \ufffd rained.] It \ud800 rained."
    ]


def test_sections_are_those_that_chunks_begin_in() -> None:
    chunks = cw.Contextual(cw.Sentence(max_chars=28), llm=on)(NOTES)
    (passages,) = passages_of(chunks)
    found = list(zip(chunks.texts(), passages.sections, strict=True))
    assert found == [
        ("# Rain\n\nIt rained for days.", "Rain"),
        ("## Cold\n\nIt was cold.", "Rain > Cold"),
        ("Very cold indeed.", "Rain > Cold"),
        ("# Sun\n\nIt shone.", "Sun"),
    ]
    assert paths(chunks) == [f"notes.md > {path}" for _, path in found]


def test_the_title_is_the_name_or_the_heading_above_all() -> None:
    writer = cw.Contextual("hierarchical", llm=on)
    assert paths(writer(NOTES.named(None))) == ["Rain", "Rain > Cold", "Sun"]
    report = b"# Report\n\nOf 2023.\n\n## Sales\n\nThey grew.\n"
    for name in (None, "Report"):
        document = cw.read(report, name="report.md").named(name)
        assert paths(writer(document)) == ["Report", "Report > Sales"]


@pytest.mark.parametrize("context", ["neighbours", "document"])
def test_one_by_one_in_a_batch_and_in_a_stream(context: Any) -> None:
    writer = cw.Contextual(SENTENCES, llm=on, context=context)
    single = [writer(document) for document in DOCUMENTS]
    assert list(writer.stream(DOCUMENTS)) == single
    batch = writer.batch(DOCUMENTS)
    assert batch.contexts == [context for chunks in single for context in chunks.contexts]
    assert paths(batch) == ["numbers"] * 3 + ["colours"] * 2
    assert paths(writer.batch(["One."], names=["first"])) == ["first"]


def test_an_endless_stream() -> None:
    writer = cw.Contextual(SENTENCES, llm=on)
    chunks = islice(writer.stream(f"It has {i}. More." for i in count()), 3)
    assert [one.contextual_texts()[0] for one in chunks] == [
        f"[On It has {i}.] It has {i}." for i in range(3)
    ]


def test_errors_of_documents_come_when_it_is_their_turn() -> None:
    writer = cw.Contextual(SENTENCES, llm=on)
    documents: list[Any] = ["One.", 7, "Two."]
    stream = writer.stream(documents)
    assert next(stream).contextual_texts() == ["[On One.] One."]
    with pytest.raises(ConfigError, match=r"texts\[1\] must be a str or a Document, got int"):
        next(stream)
    collected = list(writer.stream(documents, errors="collect"))
    assert [chunks.contextual_texts() for chunks in collected] == [
        ["[On One.] One."],
        [],
        ["[On Two.] Two."],
    ]
    assert "got int" in str(collected[1].errors[0])


def test_what_the_callers_iterator_raises_comes_through() -> None:
    def documents() -> Iterator[str]:
        yield "One."
        raise OSError("the disk is gone")

    stream = cw.Contextual(SENTENCES, llm=on).stream(documents())
    assert next(stream).contextual_texts() == ["[On One.] One."]
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


def test_any_strategy_by_name_or_object() -> None:
    text = "One. Two."
    assert cw.Contextual("sentence", llm=on)(text) == cw.Contextual(cw.Sentence(), llm=on)(text)
    assert cw.Contextual(cw.Window(max_chars=4), llm=on)(text).contexts == [
        "On One.",
        "On Two",
        "On .",
    ]
    json_parts = cw.Contextual(cw.Json(max_chars=12), llm=on)('{"a": 1, "b": [2, 3]}')
    assert json_parts.texts() == cw.Json(max_chars=12)('{"a": 1, "b": [2, 3]}').texts()
    elements: list[Any] = [element("Title", "Rain"), element("Text", "It rained.")]
    assert cw.Contextual("by_title", llm=on)(elements)[0].headings == ("Rain",)
    semantic = cw.Contextual(cw.Kamradt(embedder=cw.Lexical(), max_tokens=4), llm=on)(NOTES)
    assert "reason" in semantic.to_columns()
    assert semantic.contexts == [f"On {' '.join(text.split())}" for text in semantic.texts()]


def test_a_strategy_that_asks_a_model_itself() -> None:
    runner = Runner(by_words, name="words")
    text = "".join(f"Number {i} is here. " for i in range(300))
    strategy = cw.LLM(llm=runner, max_tokens=40)
    writer = cw.Contextual(strategy, llm=Runner(on, name="on"))
    cut = strategy(text)
    chunks = writer(text)
    assert chunks.texts() == cut.texts()
    assert chunks.provenance == cut.provenance | {
        "context_model": "named:on",
        "context_prompt": Prompt.named("context-1").fingerprint,
    }
    assert [each.texts() for each in writer.stream([text, text])] == [chunks.texts()] * 2


def test_tokens_are_those_of_the_strategy() -> None:
    strategy = cw.Sentence(sentences=1, tokenizer="bytes")
    chunks = cw.Contextual(strategy, llm=on, max_snippet_tokens=5)("Größe. Zwei.")
    assert chunks.contexts == ["On Gr", "On Zw"]
    assert chunks.contextual_n_tokens.tolist() == [
        len(text.encode()) for text in chunks.contextual_texts()
    ]


def test_an_estimate() -> None:
    runner = Runner(on, prices=Prices(input=1, output=10))
    writer = cw.Contextual(SENTENCES, llm=runner, max_snippet_tokens=10)
    estimate = writer.estimate(DOCUMENTS)
    assert (estimate.n_calls, estimate.usage.output_tokens) == (5, 50)
    assert estimate.cost == pytest.approx((estimate.usage.input_tokens + 500) / 1e6)
    assert runner.ledger.n_calls == 0
    assert cw.Contextual(SENTENCES, context="structure").estimate(DOCUMENTS) == Estimate(
        0, 0, Usage(), 0.0
    )


def model(said: str) -> Callable[[Any], str]:
    return lambda _messages: said


class TestRewrite:
    """Snippets written anew, for rows."""

    writer = cw.Contextual(SENTENCES, llm=Runner(model("Second."), name="second"))

    @pytest.mark.parametrize("context", ["neighbours", "document"])
    def test_only_what_is_of_the_context_changes(self, context: Any) -> None:
        rows = cw.Contextual(SENTENCES, llm=model("First.")).batch(DOCUMENTS).to_dicts()
        before = json.dumps(rows)
        writer = cw.Contextual(SENTENCES, llm=model("Second one."), context=context)
        new = list(writer.rewrite(iter(rows)))
        assert json.dumps(rows) == before
        changed = set(OF_CONTEXTS)
        for old, row in zip(rows, new, strict=True):
            assert list(row) == list(old)
            assert {name for name in row if row[name] != old[name]} <= changed
            assert row["contextual_text"] == f"[Second one.] {old['text']}"
            assert row["contextual_n_tokens"] == cw.count_tokens(row["contextual_text"])

    def test_the_same_is_asked_again(self) -> None:
        asked: list[str] = []

        def model(messages: list[dict[str, str]]) -> str:
            asked.append(json.dumps(messages))
            return "Fine."

        writer = cw.Contextual("hybrid", llm=Runner(model, concurrency=1))
        rows = [row for chunks in writer.stream([NOTES, *DOCUMENTS]) for row in chunks.to_dicts()]
        first, asked[:] = list(asked), []
        assert list(writer.rewrite(rows)) == rows
        assert asked == first

    def test_plain_rows(self) -> None:
        chunks = cw.Hierarchical(max_tokens=100)(NOTES)
        rows = list(self.writer.rewrite(chunks.to_dicts()))
        assert [row["text"] for row in rows] == chunks.texts()
        assert rows[1]["context_model"] == "named:second"
        (row,) = self.writer.rewrite([{"text": "Alone."}])
        assert (row["text"], row["contextual_text"]) == ("Alone.", "[Second.] Alone.")

    def test_documents_are_apart(self) -> None:
        seen: list[str] = []

        def model(messages: list[dict[str, str]]) -> str:
            seen.append(messages[-1]["content"])
            return "Fine."

        rows = [{"text": "One.", "doc_index": 0}, {"text": "Two.", "doc_index": 1}]
        list(cw.Contextual(SENTENCES, llm=Runner(model, concurrency=1)).rewrite(rows))
        assert "Two." not in seen[0]
        assert "One." not in seen[1]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ({}, "row 1: text must be a str, got None"),
            ({"text": 7}, "row 1: text must be a str, got 7"),
            ({"text": "a", "headings": "abc"}, "row 1: headings must be a list of str, got 'abc'"),
            ({"text": "a", "headings": [1]}, r"row 1: headings must be a list of str, got \[1\]"),
        ],
    )
    def test_rows_that_are_none(self, row: dict[str, Any], message: str) -> None:
        with pytest.raises(ReadError, match=message):
            list(self.writer.rewrite([{"text": "One."}, row]))


class TestContexts:
    """Snippets for chunks that something else has cut."""

    writer = cw.Contextual(SENTENCES, llm=on)

    def test_chunks_of_any_documents(self) -> None:
        chunks = SENTENCES.batch(DOCUMENTS)
        expected = [f"On {text}" for text in chunks.texts()]
        assert self.writer.contexts(chunks) == expected
        assert self.writer.contexts(chunks[::-1]) == expected[::-1]
        assert self.writer.contexts(list(chunks)) == expected
        assert self.writer.contexts(chunks.to_dicts()) == expected

    def test_the_prefix_form(self) -> None:
        chunks = SENTENCES("One. Two.")
        texts = [one.text for one in cw.contextualize(chunks, self.writer.contexts(chunks))]
        assert texts == ["Prefix: On One.; Original: One.", "Prefix: On Two.; Original: Two."]

    def test_elements_of_unstructured(self) -> None:

        from chunkwright.compat.unstructured import Text, chunk_elements, contextualize

        chunks = chunk_elements([Text("One"), Text("Two")], max_characters=5)
        contextual = contextualize(chunks, self.writer.contexts(chunks))
        assert [each.text for each in contextual] == [
            "Prefix: On One; Original: One",
            "Prefix: On Two; Original: Two",
        ]

    def test_what_has_no_text(self) -> None:
        with pytest.raises(ReadError, match="row 0: text must be a str, got None"):
            self.writer.contexts([object()])


def test_pickled() -> None:
    for writer in (
        cw.Contextual("hybrid", llm=Runner(on, name="on"), context="document", neighbours=3),
        cw.Contextual(SENTENCES, context="structure"),
    ):
        again = pickle.loads(pickle.dumps(writer))
        assert again(NOTES) == writer(NOTES)
        assert again.neighbours == writer.neighbours


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "recursiv"}, "unknown strategy 'recursiv': did you mean 'recursive'"),
        ({"strategy": 7}, "strategy must be a strategy or its name, got 7"),
        ({"strategy": cw.Sentence}, "strategy must be a strategy or its name"),
        ({"llm": None}, 'context="neighbours" needs a model: give llm'),
        ({"llm": None, "context": "document"}, 'context="document" needs a model: give llm'),
        ({"context": "structure"}, 'context="structure" asks no model, so it takes no llm'),
        ({"context": "neighbors"}, "unknown context 'neighbors': did you mean 'neighbours'"),
        ({"neighbours": -1}, "neighbours must be at least 0, got -1"),
        ({"max_context_tokens": 1.5}, "max_context_tokens must be an int, got 1.5"),
        ({"max_document_tokens": -1}, "max_document_tokens must be at least 0, got -1"),
        ({"max_snippet_tokens": 0}, "max_snippet_tokens must be at least 1, got 0"),
        ({"temperature": -0.1}, "temperature must be at least 0, got -0.1"),
        ({"prompt": 3}, "prompt must be a Prompt or the path of its file, got 3"),
        ({"llm": 7}, "7 is no language model"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"strategy": "sentence", "llm": on} | options
    with pytest.raises(ConfigError, match=message):
        cw.Contextual(given.pop("strategy"), **given)
    with pytest.raises(ConfigError, match="takes no prompt"):
        cw.Contextual("sentence", context="structure", prompt=Prompt.named("context-1"))
