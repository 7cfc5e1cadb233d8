"""Shadows: the end of the sibling before each chunk, and the start of the one behind."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.rows import OF_SHADOWS
from tests import laws
from tests.chunking.test_laws import make
from tests.support.markdown_texts import MARKDOWN
from tests.support.texts import WITH_SURROGATES

NOTES = (
    "# Rain\n\nIt rained on Monday.\n\nIt stopped.\n\n## More\n\nIt poured.\n\n# Sun\n\nIt shone."
)


def notes(**options: Any) -> cw.Chunks:
    document = cw.read(NOTES.encode(), name="notes.md")
    return cw.chunk(document, "hierarchical", **{"max_chars": 40} | options)


def both(chunks: cw.Chunks) -> list[tuple[str | None, str | None]]:
    return list(zip(chunks.prefix_shadows, chunks.suffix_shadows, strict=True))


# ---------------------------------------------------------------------- what shadows say


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@given(
    text=WITH_SURROGATES, options=laws.options(), size=st.integers(1, 12), in_chars=st.booleans()
)
def test_shadows_of_texts(
    strategy: Any, text: str, options: dict[str, Any], size: int, in_chars: bool
) -> None:
    chunks = cw.chunk(text, strategy, **laws.needed(strategy), **options)
    holds(chunks, {"chars" if in_chars else "tokens": size}, options["tokenizer"])


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES}))
@given(text=MARKDOWN | st.just(NOTES), options=laws.options(), size=st.integers(1, 12))
def test_shadows_of_elements(strategy: str, text: str, options: dict[str, Any], size: int) -> None:
    chunks = make(strategy, options)(cw.read_markdown(text))
    holds(chunks, {"tokens": size}, options["tokenizer"])


def holds(chunks: cw.Chunks, size: dict[str, int], tokenizer: Any) -> None:
    shadowed = cw.shadows(chunks, **size)
    [most], text = size.values(), chunks.source
    assert shadowed.texts() == chunks.texts()
    assert shadowed.ids == chunks.ids
    assert shadowed.n_tokens.tolist() == chunks.n_tokens.tolist()
    prefixes, suffixes = shadowed.prefix_shadows, shadowed.suffix_shadows
    if chunks:
        assert (prefixes[0], suffixes[-1]) == (None, None)
    for before, after in itertools.pairwise(range(len(chunks))):
        own = [body(chunks[row], text) for row in (before, after)]
        suffix, prefix = suffixes[before], prefixes[after]
        assert prefix is None or own[0].rstrip().endswith(prefix)
        assert suffix is None or own[1].lstrip().startswith(suffix)
        for shadow in (prefix, suffix):
            if shadow is not None:
                assert shadow == shadow.strip() != ""
                count = len(shadow) if "chars" in size else cw.count_tokens(shadow, tokenizer)
                assert count <= most


def body(chunk: cw.Chunk, text: str) -> str:
    own = [piece for piece in chunk.pieces if piece.role == "body"]
    return text[own[0].start : own[-1].end]


def test_a_sibling_that_fits_is_whole_and_others_are_cut_at_words() -> None:
    text = "(One) two three. [Four] five six. Seven."
    chunks = cw.chunk(text, "sentence", max_chars=17)
    assert chunks.texts() == ["(One) two three.", "[Four] five six.", "Seven."]
    assert both(cw.shadows(chunks, chars=16)) == [
        (None, "[Four] five six."),
        ("(One) two three.", "Seven."),
        ("[Four] five six.", None),
    ]
    assert both(cw.shadows(chunks, chars=9)) == [
        (None, "[Four]"),
        ("three.", "Seven."),
        ("five six.", None),
    ]
    assert both(cw.shadows(chunks, chars=11))[0] == (None, "[Four] five")
    # No word fits: letters do.
    assert both(cw.shadows(chunks, chars=2))[1] == ("e.", "Se")


def test_scripts_without_blanks_are_cut_at_words() -> None:
    chunks = cw.chunk("今天下雨了。明天出太阳。", "sentence", max_chars=6)
    assert chunks.texts() == ["今天下雨了。", "明天出太阳。"]
    [(_, suffix), (prefix, _)] = both(cw.shadows(chunks, chars=3))
    assert suffix == "明天出"
    assert "今天下雨了。".endswith(str(prefix))


def test_an_overlap_and_what_is_repeated_are_no_part_of_a_shadow() -> None:
    table = "| day | mm |\n|---|---|\n" + "".join(f"| d{i} | {i} |\n" for i in range(8))
    chunks = cw.chunk(cw.read_markdown(table), "hybrid", max_chars=50)
    assert all(chunk.n_header_rows for chunk in chunks[1:])
    for _, suffix in both(cw.shadows(chunks))[:-1]:
        assert str(suffix).startswith("| d")
    overlapping = cw.chunk("One two. Three four. Five six.", "sentence", max_chars=21, overlap=12)
    assert overlapping[1].text == "Three four. Five six."
    assert both(cw.shadows(overlapping)) == [(None, "Five six."), ("One two. Three four.", None)]


def test_siblings_are_of_one_section() -> None:
    chunks = cw.shadows(notes())
    assert [chunk.text.splitlines()[-1] for chunk in chunks] == [
        "It rained on Monday.",
        "It stopped.",
        "It poured.",
        "It shone.",
    ]
    assert both(chunks) == [
        (None, "It stopped."),
        ("# Rain\n\nIt rained on Monday.", None),
        (None, None),
        (None, None),
    ]


def test_a_heading_by_itself_is_the_sibling_of_what_stands_below_it() -> None:
    document = cw.read_markdown("# Rain\n\nIt rained.")
    chunks = cw.chunk(document, "window", max_chars=8)
    assert chunks.texts()[:2] == ["# Rain\n\n", "It raine"]
    assert both(cw.shadows(chunks, chars=6))[:2] == [(None, "It"), ("# Rain", "d.")]


def test_chunks_of_text_that_end_within_a_section_have_siblings_there() -> None:
    # The first chunk begins in another section than the one in which it ends.
    text = "# A\n\nOne.\n\n# B\n\nTwo two. Three three. Four."
    chunks = cw.chunk(cw.read_markdown(text), "window", max_chars=30)
    assert [chunk.headings for chunk in chunks] == [("A",), ("B",)]
    assert both(cw.shadows(chunks, chars=9)) == [(None, "three."), ("Three", None)]


def test_a_batch_has_no_siblings_in_other_documents() -> None:
    splitter = cw.Sentence(max_chars=6)
    texts = ["One. Two. Six.", "Ten.", "", "Red. Tan."]
    alone = [pair for text in texts for pair in both(cw.shadows(splitter(text)))]
    chunks = splitter.batch(texts)
    assert both(cw.shadows(chunks)) == alone
    assert alone[2:4] == [("Two.", None), (None, None)]
    # A view has the siblings that it does not show.
    assert both(cw.shadows(chunks[1:2])) == alone[1:2]
    assert both(cw.shadows(chunks[::-1])) == alone[::-1]
    assert both(cw.shadows(chunks[:0])) == []


def test_tokens_are_those_of_the_chunks() -> None:
    text = "One two three four. Five six seven eight. Nine."
    words = cw.chunk(text, "sentence", max_tokens=4, tokenizer=lambda each: len(each.split()))
    assert both(cw.shadows(words, tokens=2))[:2] == [
        (None, "Five six"),
        ("three four.", "Nine."),
    ]
    # Chunks of a size in characters are counted by their tokenizer, too.
    chars = cw.chunk(text, "sentence", max_chars=22, tokenizer=lambda each: len(each.split()))
    assert both(cw.shadows(chars, tokens=2)) == both(cw.shadows(words, tokens=2))
    long = cw.chunk("It rained for days. " * 100, "sentence", max_tokens=200)
    assert {cw.count_tokens(str(shadow)) for shadow in cw.shadows(long).prefix_shadows[1:]} == {60}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokens": 0}, "tokens must be"),
        ({"chars": 1.5}, "chars must be"),
        ({"tokens": True}, "tokens must be"),
        ({"tokens": 3, "chars": 3}, "at most one of tokens and chars"),
    ],
)
def test_sizes_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.shadows(notes(), **options)
    with pytest.raises(cw.ConfigError, match="chunks must be Chunks, got list"):
        cw.shadows([])  # type: ignore[arg-type]


def test_a_counter_that_fails_is_an_error() -> None:
    said: list[str] = []

    def count(text: str) -> int:
        if said:
            raise ValueError(text)
        return len(text)

    chunks = cw.chunk("One. Two.", "sentence", max_tokens=5, tokenizer=count)
    said.append("no more")
    with pytest.raises(ValueError, match="One"):
        cw.shadows(chunks)


# ---------------------------------------------------------------------- rows and other forms


def test_rows_have_shadows_behind_all_other_columns() -> None:
    plain, chunks = notes(), cw.shadows(notes(), chars=12)
    assert chunks != plain
    rows = chunks.to_dicts()
    for row, before, chunk in zip(rows, plain.to_dicts(), chunks, strict=True):
        assert list(row) == [*before, *OF_SHADOWS]
        assert {name: row[name] for name in before} == before
        assert row["prefix_shadow"] == chunk.prefix_shadow == chunk["prefix_shadow"]
        assert row["suffix_shadow"] == chunk.suffix_shadow == dict(chunk)["suffix_shadow"]
    table = pa.table(chunks)
    assert table.schema.names[-2:] == list(OF_SHADOWS)
    assert [field.nullable for field in list(table.schema)[-2:]] == [True, True]
    assert (
        table["prefix_shadow"].to_pylist()
        == chunks.prefix_shadows
        == [
            None,
            "on Monday.",
            None,
            None,
        ]
    )
    assert chunks.to_arrow().equals(table)
    assert pa.table(chunks[1:2])["suffix_shadow"].to_pylist() == [None]
    assert json.loads(json.dumps(rows)) == rows
    assert plain[0].prefix_shadow is None
    assert plain.suffix_shadows == [None] * 4
    assert "prefix_shadow" not in plain.to_dicts()[0]


def test_lone_surrogates_are_replaced_in_rows() -> None:
    chunks = cw.shadows(cw.chunk("On\ud800e. Tw\udc00o.", "sentence", max_chars=6))
    assert chunks[0].suffix_shadow == "Tw\udc00o."
    assert chunks.to_dicts()[0]["suffix_shadow"] == "Tw\ufffdo."


def test_shadows_are_pickled_and_detached() -> None:
    chunks = cw.shadows(notes(), chars=12)
    again = pickle.loads(pickle.dumps(chunks))
    assert again == chunks
    assert both(again) == both(chunks)
    for chunk, alone in zip(chunks, map(copy.copy, chunks), strict=True):
        assert alone == chunk
        assert alone.prefix_shadow == chunk.prefix_shadow
        assert alone.suffix_shadow == chunk.suffix_shadow
        assert dict(alone) == dict(chunk)
    assert chunks[0] != notes()[0]
    assert hash(chunks[0]) != hash(notes()[0])


def test_shadows_stay_beside_expansions_contexts_and_indexes(tmp_path: Path) -> None:
    chunks = cw.shadows(notes(), chars=12)
    wide = cw.expand(chunks)
    assert both(wide) == both(chunks)
    splitter = cw.Contextual(cw.Hierarchical(max_chars=40), context="structure")
    contextual = cw.shadows(splitter(cw.read(NOTES.encode(), name="notes.md")), chars=12)
    assert both(contextual) == both(chunks)
    assert list(contextual.to_dicts()[0])[-3:] == ["context_prompt", *OF_SHADOWS]
    index = cw.Retriever().index(chunks)
    index.save(tmp_path / "notes.index")
    [[hit]] = cw.retrieval.Index.load(tmp_path / "notes.index").search("stopped", k=1)
    assert hit.chunk is not None
    assert (hit.chunk.prefix_shadow, hit.chunk.suffix_shadow) == ("on Monday.", None)


def test_shadows_are_neither_embedded_nor_searched() -> None:
    embedded: list[str] = []

    def embedder(texts: list[str]) -> list[list[float]]:
        embedded.extend(texts)
        return [[1.0, float(len(text))] for text in texts]

    chunks = cw.shadows(notes(), chars=12)
    cw.Retriever(embedder=embedder).index(chunks)
    assert embedded == notes().texts()
    [hits] = cw.Retriever().index(chunks).search("stopped", k=4)
    assert [hit.index for hit in hits if hit.score] == [
        hit.index for hit in cw.Retriever().index(notes()).search("stopped", k=4)[0] if hit.score
    ]
