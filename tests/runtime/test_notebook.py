"""Chunks, hits, documents and evaluations as a notebook shows them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import chunkwright as cw
from chunkwright import evaluation
from chunkwright.retrieval import top_k
from chunkwright.store.searching.found import Found, Results, Why

TEXT = "Rain <b> falls.\n\nIt costs $name & more."
HOSTILE = "<script>window.ran=1</script>\"'><img src=x onerror=run()>\ud800"


class _Shown(HTMLParser):
    """What a fragment shows: its text, and the elements and attributes that it is made of."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.open: list[str] = []
        self.feed(fragment)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.open.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(value: Any) -> _Shown:
    found = _Shown(value._repr_html_())
    assert found.open == []
    known = ("style", "div", "b", "bdi", "small", "u", "table", "tbody", "tr", "th", "td")
    assert found.tags <= set(known)
    assert found.names <= {"style", "class", "title", "dir", "scope"}
    return found


def found_of(text: str, document: str = "rain.md") -> Found:
    return Found(
        block="b1",
        document=document,
        version=2,
        ordinal=3,
        score=0.75,
        text=text,
        block_type="para",
        headings=(text,),
        pages=(4,),
        boxes=(),
        start=0,
        end=len(text),
        line_start=1,
        line_end=2,
        metadata={},
        why=Why(words=0.5),
    )


def evaluated(name: str) -> evaluation.Evaluation:
    text = "The mill was built in 1743. It has two wheels of oak. The Millers own it."
    start = text.index("built in")
    excerpts = (evaluation.Excerpt("built in 1743", start, start + len("built in 1743")),)
    question = evaluation.Question("When was the mill built?", "mill", excerpts)
    dataset = evaluation.Dataset(corpora={"mill": text}, questions=(question,))
    return evaluation.evaluate(cw.strategy("sentence", max_tokens=12), dataset, name=name)


def test_chunks_are_shown_in_colours_with_overlaps_underlined() -> None:
    chunks = cw.chunk(TEXT, max_tokens=10, overlap=4, name="a&b.md")
    markup, found = chunks._repr_html_(), shown(chunks)
    assert "a&b.md 2 chunks" in found.text
    assert "0 · 6 tokens · at an empty line" in found.text
    assert "It costs $name & more." in found.text
    assert re.findall(r"<u [^>]*title=\"overlap\">([^<]*)</u>", markup) == ["falls.\n\n"]
    grounds = re.findall(r"background:light-dark\((#\w{6}),(#\w{6})\);margin", markup)
    assert len(set(grounds)) == 2


def test_of_many_chunks_the_first_are_shown() -> None:
    chunks = cw.chunk("One two. " * 300, max_chars=9)
    assert "the first 200 are shown" in shown(chunks).text


def test_a_chunk_says_where_it_stands() -> None:
    source = b"# Rain\n\nIt rained.\n\n## Sun\n\nIt shone."
    chunk = cw.strategy("hybrid", max_tokens=12)(cw.read(source, kind="markdown"))[-1]
    text = shown(chunk).text
    assert f"Chunk {chunk.index}" in text
    assert "Rain › Sun" in text
    assert "It shone." in text


def test_a_document_shows_its_headings_below_each_other() -> None:
    document = cw.read(b"## Rain\n\nIt rained.\n\n### Sun\n\n# Last", kind="markdown", name="r.md")
    markup, text = document._repr_html_(), shown(document).text
    assert "3 headings" in text
    indents = re.findall(r"padding-left:([\d.]+)em\">(\w+)", markup)
    assert indents == [("0.0", "Rain"), ("1.1", "Sun"), ("0.0", "Last")]


def test_a_hit_says_why_it_was_found() -> None:
    text = shown(found_of("It rained.")).text
    assert "score 0.750 · words 0.500 · rain.md · page 4" in text
    assert "2 hits" in shown(Results([found_of("One."), found_of("Two.")])).text


def test_hits_of_a_retriever_say_which_question_they_answer() -> None:
    chunks = cw.strategy("sentence", sentences=1)("It rained. The sun shone.")
    retriever = cw.Retriever().index(chunks)
    hits = retriever.search(["Who shone?", "It rained?"], k=1)
    text = shown(hits).text
    assert "Hits 2 hits · 2 questions" in text
    assert "question 0 · score" in text
    assert "The sun shone." in text
    one = shown(retriever.search("Who shone?", k=1)).text
    assert "Hits 1 hit" in one
    assert "question" not in one.replace("1 question", "")
    assert "The sun shone." in shown(hits[0][0]).text
    # Where only scores were searched, no text is known.
    assert "chunk 1" in shown(top_k([[0.1, 0.9]], k=1)).text


def test_an_evaluation_shows_the_mean_of_each_metric() -> None:
    result = evaluated("sentences")
    text = shown(result).text
    assert "sentences" in text
    for metric in result.metrics:
        assert f"{metric}{result.mean(metric):.3f}" in text


@pytest.mark.parametrize("kind", ["chunks", "chunk", "document", "found", "results", "evaluation"])
def test_no_text_is_markup(kind: str) -> None:
    hit = found_of(HOSTILE, HOSTILE)
    makers: dict[str, Callable[[], Any]] = {
        "chunks": lambda: cw.chunk(HOSTILE, max_tokens=400, name=HOSTILE),
        "chunk": lambda: cw.chunk(HOSTILE, max_tokens=400)[0],
        "document": lambda: cw.Document(text=HOSTILE, name=HOSTILE),
        "found": lambda: hit,
        "results": lambda: Results([hit]),
        "evaluation": lambda: evaluated("<script>window.ran=1</script>"),
    }
    made = makers[kind]()
    assert "<script>window.ran=1</script>" in shown(made).text
    made._repr_html_().encode()


def test_no_extra_is_needed_for_it() -> None:
    code = (
        "import sys\n"
        "sys.modules.update(jinja2=None, markupsafe=None)\n"
        "import chunkwright as cw\n"
        "chunks = cw.chunk('One. Two.', max_chars=5)\n"
        "print(chunks._repr_html_(), chunks[0]._repr_html_(), chunks.documents[0]._repr_html_())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.count('<div class="chunkwright-card"') == 3
