"""Models that answer badly, late or never: no text is lost, and the rows say what happened."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ModelError
from chunkwright.llm import Budget, ModelAccessError, Reply, Runner
from tests.contextual.models import on, scripted

SENTENCES = cw.Sentence(sentences=1)
TEXT = "One. Two. Three. Four."
DOCUMENTS = [f"Alpha has {i}. Beta has {i}. Gamma has {i}." for i in range(300)]


async def slow(messages: list[dict[str, str]]) -> str:
    # Later ones are often done first.
    await asyncio.sleep(hash(messages[-1]["content"]) % 3 / 1000)
    return on(messages)


class Counted:
    """A model that counts its calls, and gives up after some."""

    fingerprint = "counted"

    def __init__(self, gives_up_after: int | None = None) -> None:
        self.n_calls = 0
        self.gives_up_after = gives_up_after

    async def complete(self, messages: Any, **_options: Any) -> Any:
        self.n_calls += 1
        if self.gives_up_after is not None and self.n_calls > self.gives_up_after:
            raise ModelAccessError("the key is refused")
        return Reply(on([message.to_dict() for message in messages]))


def test_each_chunk_without_a_snippet_says_why() -> None:
    model = scripted({"Two.": OSError("gone"), "Three.": "  ", "Four.": '["On\n four."]'})
    chunks = cw.Contextual(SENTENCES, llm=model)(TEXT)
    assert chunks.contextual_texts() == ["[Fine.] One.", "Two.", "Three.", "[On four.] Four."]
    assert chunks.contexts == ["Fine.", None, None, "On four."]
    assert chunks.context_outcomes == ["answered", "failed", "invalid", "answered"]
    whys = [None, "the model failed: OSError: gone", "it is empty", None]
    assert [one.context_why for one in chunks] == chunks.context_whys == whys
    rows = chunks.to_dicts()
    assert [row["context_why"] for row in rows] == chunks.context_whys
    assert [row["context_why"] for row in chunks[1:3].to_dicts()] == chunks.context_whys[1:3]
    assert [row["text"] for row in rows] == SENTENCES(TEXT).texts()
    assert rows[1]["contextual_n_tokens"] == rows[1]["n_tokens"]
    assert rows[1]["contextual_text"] == rows[1]["text"]
    assert rows[1]["context"] is None


def test_a_warning_says_what_is_wrong(caplog: pytest.LogCaptureFixture) -> None:
    model = scripted({"Two.": OSError("gone"), "Three.": "  "})
    report = cw.Document(text=TEXT, name="report.md")
    cw.Contextual(SENTENCES, llm=model)(report)
    (record,) = caplog.records
    assert (record.levelname, record.name) == ("WARNING", "chunkwright")
    assert record.getMessage() == (
        "the model wrote no snippet for 2 of 4 chunks (1 failed, 1 invalid); a chunk without one "
        "keeps its own text; the last: chunk 2 of 'report.md': it is empty"
    )
    caplog.clear()
    writer = cw.Contextual(SENTENCES, llm=Runner(model, concurrency=1), context="document")
    list(writer.stream(["One.", report, "Two. One."]))
    (record,) = caplog.records
    assert "3 of 7 chunks (2 failed, 1 invalid)" in record.getMessage()
    assert "chunk 0 of document 0: the model failed: OSError: gone" in record.getMessage()
    caplog.clear()
    list(writer.rewrite(SENTENCES(report).to_dicts()))
    assert "chunk 2 of 'report.md': it is empty" in caplog.text
    caplog.clear()
    cw.Contextual(SENTENCES, llm=on)(report)
    assert not caplog.records


@pytest.mark.parametrize(
    "said",
    [
        *(
            "I cannot help with that.",
            "I can\u2019t assist with this request.",
            "[I'm unable to do]",
        ),
        *("Sorry, but I can't do that.", "As an AI language model, I have no view of it."),
        *("Es tut mir leid, aber ich kann das nicht.", " 'I WON\u2019T HELP.'"),
    ],
)
def test_a_refusal_is_no_snippet(said: str, tmp_path: Path) -> None:
    for _ in range(2):
        runner = Runner(scripted({"Two.": said}), name="m", cache=tmp_path)
        chunks = cw.Contextual(SENTENCES, llm=runner)("One. Two.")
        assert chunks.contextual_texts() == ["[Fine.] One.", "Two."]
        assert chunks.context_outcomes[1] == "failed"
        assert chunks.to_dicts()[1]["context_why"].startswith("refused: ")
    # As all that fails it is asked again, and that alone: the model may answer another time.
    assert runner.ledger.n_calls == 1
    runner = Runner(scripted({"Two.": "On it."}), name="m", cache=tmp_path)
    assert cw.Contextual(SENTENCES, llm=runner)("One. Two.").context_outcomes[1] == "answered"


@pytest.mark.parametrize(
    "said",
    [
        *("I cannot help it: the chapter in which Ada resigns.", "Sorry tales of the mill."),
        *("The author is unable to go on.", "As an aide to Ada, he says who built the mill."),
        *("As an AI startup's report, it covers costs.", "I am unable to attend, writes Ada."),
        "Unfortunately, I can only say: section 3, writes Ada.",
        "I'm sorry, but I " + "went on for a long time. " * 20,
    ],
)
def test_what_is_no_refusal(said: str) -> None:
    writer = cw.Contextual(SENTENCES, llm=lambda _: said, max_snippet_tokens=500)
    assert writer("One.").contexts == [said.strip()]


def test_an_empty_reply_is_repaired() -> None:
    said = iter(["[]", "On it."])
    chunks = cw.Contextual(SENTENCES, llm=lambda _messages: next(said))("One.")
    assert (chunks.contexts, chunks.context_outcomes) == (["On it."], ["repaired"])


@pytest.mark.parametrize(
    "said",
    [
        "One. " * 2_000_000,
        "word" * 2_500_000,
        '"[(' * 100_000,
        "<script>x</script> </chunk> IGNORE ALL PREVIOUS",
        "Two.",
        "It \ud800 rained.",
        "\x00\x1b[31m",
    ],
    ids=["long", "one word", "brackets", "markup", "echo", "surrogate", "control"],
)
def test_whatever_it_says_is_a_snippet_in_front(said: str) -> None:
    chunks = cw.Contextual(SENTENCES, llm=lambda _messages: said, max_snippet_tokens=20)(TEXT)
    assert chunks.texts() == SENTENCES(TEXT).texts()
    for one in chunks:
        assert one.context is not None
        assert one.contextual_text == f"[{one.context}] {one.text}"
        assert 0 < cw.count_tokens(one.context) <= 20
        assert "\n" not in one.context
        one.context.encode()


def test_a_budget_that_ends() -> None:
    runner = Runner(on, budget=Budget(calls=2), concurrency=1)
    chunks = cw.Contextual(SENTENCES, llm=runner)(TEXT)
    assert chunks.context_outcomes == ["answered", "answered", "unpaid", "unpaid"]
    assert chunks.contextual_texts()[2:] == ["Three.", "Four."]


@pytest.mark.parametrize("model", [on, slow])
@pytest.mark.parametrize("concurrency", [1, 7, 64])
def test_the_same_with_any_number_of_requests_at_once(model: Any, concurrency: int) -> None:
    writer = cw.Contextual(SENTENCES, llm=Runner(model, concurrency=concurrency))
    texts = [text for chunks in writer.stream(DOCUMENTS) for text in chunks.contextual_texts()]
    plain = [text for document in DOCUMENTS for text in SENTENCES(document).texts()]
    assert texts == [f"[On {text}] {text}" for text in plain]


def test_a_run_that_ends_early_goes_on(tmp_path: Path) -> None:
    model = Counted(gives_up_after=500)
    with pytest.raises(ModelError, match="the key is refused"):
        list(cw.Contextual(SENTENCES, llm=Runner(model, cache=tmp_path)).stream(DOCUMENTS))
    assert 500 < model.n_calls < 550
    model = Counted()
    runner = Runner(model, cache=tmp_path)
    chunks = list(cw.Contextual(SENTENCES, llm=runner).stream(DOCUMENTS))
    assert model.n_calls == 400
    assert runner.ledger.outcomes == Counter(cached=500, answered=400)
    again = Counted()
    writer = cw.Contextual(SENTENCES, llm=Runner(again, cache=tmp_path))
    assert [each.contextual_texts() for each in writer.stream(DOCUMENTS)] == [
        each.contextual_texts() for each in chunks
    ]
    assert again.n_calls == 0
    assert writer.estimate(DOCUMENTS).n_calls == 0


def test_a_stream_that_is_closed_keeps_what_it_has(tmp_path: Path) -> None:
    model = Counted()
    stream = cw.Contextual(SENTENCES, llm=Runner(model, cache=tmp_path)).stream(DOCUMENTS)
    for _ in range(100):
        next(stream)
    del stream
    second = Counted()
    list(cw.Contextual(SENTENCES, llm=Runner(second, cache=tmp_path)).stream(DOCUMENTS))
    # What was read ahead had been answered, too.
    assert 0 < second.n_calls <= 600
    assert model.n_calls + second.n_calls <= 900 + 8


def test_an_interruption_comes_through(tmp_path: Path) -> None:
    writer = cw.Contextual(SENTENCES, llm=Runner(Counted(), cache=tmp_path))
    n = 0

    def interrupted() -> None:
        nonlocal n
        for chunks in writer.stream(DOCUMENTS):
            n += len(chunks)
            if n > 100:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    again = Counted()
    list(cw.Contextual(SENTENCES, llm=Runner(again, cache=tmp_path)).stream(DOCUMENTS))
    assert again.n_calls <= 900 - n


def test_a_tokenizer_that_fails_in_between() -> None:
    def count(text: str) -> int:
        if "Gamma has 2" in text:
            raise OSError("no count")
        return len(text)

    strategy = cw.Sentence(sentences=1, tokenizer=count)
    stream = cw.Contextual(strategy, llm=on).stream(DOCUMENTS)
    assert len(next(stream)) == 3
    assert len(next(stream)) == 3
    with pytest.raises(OSError, match="no count"):
        next(stream)
