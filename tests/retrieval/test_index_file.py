"""An index is saved, loaded and pickled, and a file that is not one is an error."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ChunkwrightError, ConfigError, ReadError, TokenizerError
from chunkwright.retrieval import Index, Retriever
from tests.support.toy_embedders import dice

TEXTS = [
    "Cats sleep. Engines hum all day, and nobody minds.",
    "Dogs bark at engines. Schlaf, K\u00e4tzchen \U0001f431 \ud800. The end.",
]
QUESTIONS = ["Which engines hum?", "cats", "nothing"]


@dataclass(frozen=True)
class Named:
    """An embedder and a reranker with a fingerprint."""

    fingerprint: str = "dice-1"

    def embed(self, texts: Sequence[str]) -> Any:
        return dice(list(texts))

    def scores(self, question: str, texts: Sequence[str]) -> Any:
        assert question
        return np.array([float(len(text)) for text in texts])


RETRIEVERS = [
    Retriever(),
    Retriever(neighbour_smoothing=False, subwords=None, k1=0.5),
    Retriever(embedder=Named(), trim=0.4),
    Retriever(embedder=Named(), words=False, fusion="rank", skip_duplicate_text=False),
    Retriever(reranker=Named("longer"), candidates=3, subwords="4-grams"),
]


def by_words(text: str) -> int:
    return len(text.split())


def models(retriever: Retriever) -> dict[str, Any]:
    return {"embedder": retriever.embedder, "reranker": retriever.reranker}


def chunks() -> cw.Chunks:
    return cw.Sentence(max_tokens=12).batch(TEXTS, names=["a.md", None])


@pytest.mark.parametrize("retriever", RETRIEVERS)
@pytest.mark.parametrize("is_text", [True, False])
def test_it_finds_the_same(tmp_path: Path, retriever: Retriever, is_text: bool) -> None:
    made = retriever.index(chunks().texts() if is_text else chunks(), doc_ids=[0] * len(chunks()))
    made.save(tmp_path / "index")
    for index in (
        Index.load(tmp_path / "index", **models(retriever)),
        pickle.loads(pickle.dumps(made)),
    ):
        assert repr(index) == repr(made)
        assert (index.scores(QUESTIONS) == made.scores(QUESTIONS)).all()
        assert index.search(QUESTIONS, 3) == made.search(QUESTIONS, 3)
        filled = index.search(QUESTIONS, max_tokens=20)
        assert filled == made.search(QUESTIONS, max_tokens=20)
        assert filled.texts() == made.search(QUESTIONS, max_tokens=20).texts()
        for hits in filled:
            for hit in hits:
                assert (hit.chunk is None) == is_text
                if not is_text:
                    assert hit.chunk == chunks()[hit.index]


def test_no_chunk_is_embedded_again(tmp_path: Path) -> None:
    Retriever(embedder=Named()).index(chunks()).save(tmp_path / "index")
    asked: list[str] = []

    class Counting(Named):
        def embed(self, texts: Sequence[str]) -> Any:
            asked.extend(texts)
            return super().embed(texts)

    index = Index.load(tmp_path / "index", embedder=Counting())
    assert asked == []
    index.search("cats", 1)
    assert asked == ["cats"]


def test_a_slice_and_its_chunks_again(tmp_path: Path) -> None:
    document = cw.read(b"# Fish\n\nEels are long.\n\n# Birds\n\nOwls see at night.\n", name="a.md")
    some = cw.chunk(document, "hybrid", max_tokens=8)[1:]
    Retriever().index(some).save(tmp_path / "index")
    (hit,) = Index.load(tmp_path / "index").search("owls", 1)[0]
    assert hit.chunk is not None
    assert (hit.text, hit.chunk.start, hit.chunk.headings) == (some[0].text, some[0].start, ())
    (hit,) = Index.load(tmp_path / "index", chunks=some).search("owls", 1)[0]
    assert hit.chunk == some[0]
    with pytest.raises(ConfigError, match="chunks are not those that the index was made of"):
        Index.load(tmp_path / "index", chunks=some[:0])


def test_models_are_those_of_the_index(tmp_path: Path) -> None:
    path = tmp_path / "index"
    Retriever(embedder=Named()).index(TEXTS).save(path)
    with pytest.raises(ConfigError, match="embedder 'dice-1', got 'other'"):
        Index.load(path, embedder=Named("other"))
    with pytest.raises(ConfigError, match="needs its embedder again: 'dice-1'"):
        Index.load(path)
    with pytest.raises(ConfigError, match="has no reranker"):
        Index.load(path, embedder=Named(), reranker=Named())
    own = cw.Sentence(max_tokens=12, tokenizer=by_words)(TEXTS[0])
    Retriever().index(own).save(path)
    with pytest.raises(ConfigError, match="needs the tokenizer of its chunks again"):
        Index.load(path)
    (hits,) = Index.load(path, tokenizer=by_words).search("engines", max_tokens=9)
    assert [by_words(hit.text or "") for hit in hits] == [9]


def test_rows_of_tables_are_kept(tmp_path: Path) -> None:
    page = (
        b"<table><tr><th>n<th>w<tr><td>eel<td>Long. Fish swims.<tr><td>pike<td>quick. Carp.</table>"
    )
    index = Retriever().index(cw.Hybrid(max_tokens=100)(cw.read(page, name="a.html")))
    index.save(tmp_path / "index")
    again = Index.load(tmp_path / "index")
    again.save(tmp_path / "again")
    for each in (index, again, Index.load(tmp_path / "again")):
        texts = [hit.text for hit in each.search("carp", max_tokens=6)[0]]
        assert texts == [hit.text for hit in index.search("carp", max_tokens=6)[0]]
        assert not texts or texts[0] in {"n w", "eel Long. Fish swims.", "pike quick. Carp."}


def test_numbers_of_numpy_are_kept(tmp_path: Path) -> None:
    numbers: Any = {"k1": np.float32(1.5), "candidates": np.int64(9), "trim": np.float32(0.5)}
    own = Retriever(**numbers)
    own.index(TEXTS).save(tmp_path / "index")
    assert Index.load(tmp_path / "index").search("cats", 1)[0][0].index == 0


def test_what_is_given_again_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "index"
    own = cw.Sentence(max_tokens=12, tokenizer=by_words).batch(TEXTS, names=["a", "b"])
    Retriever().index(own).save(path)
    assert Index.load(path, chunks=own).search("cats", 1)[0][0].chunk == own[0]
    with pytest.raises(ConfigError, match="chunks must be Chunks or None, got list"):
        Index.load(path, chunks=own.texts())  # type: ignore[arg-type]
    with pytest.raises(TokenizerError, match="5 is no tokenizer"):
        Index.load(path, tokenizer=5)  # type: ignore[arg-type]
    others = cw.Sentence(max_tokens=12, tokenizer=by_words).batch(TEXTS, names=["a", "c"])
    with pytest.raises(ConfigError, match="documents differ"):
        Index.load(path, chunks=others)


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("chunks", "rows", [0, 10**9, 1]),
        ("chunks", "rows", [-(2**63), 11, 1]),
        ("chunks", "rows", [0, 2**70, 1]),
        ("chunks", "names", {"a": 1, "b": 2}),
        ("chunks", "provenance", {"a": 5}),
        ("options", "words", None),
        ("options", "k1", -1),
    ],
)
def test_a_forged_header_is_damage(tmp_path: Path, table: str, name: str, value: Any) -> None:
    path = tmp_path / "index"
    Retriever().index(chunks()).save(path)
    whole = path.read_bytes()
    n_head = struct.unpack_from("<Q", whole, 22)[0]
    header, body = json.loads(whole[30 : 30 + n_head]), whole[30 + n_head : -4]
    header[table][name] = value
    head = json.dumps(header).encode()
    path.write_bytes(sealed(whole[:22] + struct.pack("<Q", len(head)) + head + body))
    with pytest.raises(ReadError, match="index is damaged: "):
        Index.load(path)


def test_what_is_no_index_is_told(tmp_path: Path) -> None:
    path = tmp_path / "index"
    for bad, message in [
        (b"", "is no index"),
        (b"PK\x03\x04", "is no index"),
        (b"chunkwright index\n", "is damaged"),
    ]:
        path.write_bytes(bad)
        with pytest.raises(ReadError, match=message):
            Index.load(path)
    with pytest.raises(ReadError, match="cannot read"):
        Index.load(tmp_path / "nowhere")
    with pytest.raises(ReadError, match="cannot read"):
        Index.load(tmp_path)
    with pytest.raises(ConfigError, match="cannot write"):
        Retriever().index(TEXTS).save(tmp_path)
    Retriever().index(TEXTS).save(path)
    data = path.read_bytes()
    for version in (2, 4):
        path.write_bytes(sealed(data[:18] + struct.pack("<I", version) + data[22:-4]))
        told = f"of version {version}, and version 3 is read: make and save the index again"
        with pytest.raises(ReadError, match=told):
            Index.load(path)


def sealed(body: bytes) -> bytes:
    return body + struct.pack("<I", crc32(body))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_an_error_and_never_another_index(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "index"
    Retriever().index(chunks()).save(path)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        path.write_bytes(whole[:at])
    else:
        path.write_bytes(
            whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
        )
    with pytest.raises(ReadError):
        Index.load(path)


JUNK = st.one_of(
    st.none(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.integers(-3, 3), max_size=3),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_crafted_file_is_an_index_or_an_error(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "index"
    Retriever(embedder=Named()).index(chunks()).save(path)
    whole = path.read_bytes()
    n_head = struct.unpack_from("<Q", whole, 22)[0]
    header, body = json.loads(whole[30 : 30 + n_head]), whole[30 + n_head : -4]
    table = header
    for name in data.draw(st.sampled_from([["chunks"], ["options"], ["arrays"], []])):
        table = table[name]
    table[data.draw(st.sampled_from(sorted(table)))] = data.draw(JUNK)
    if data.draw(st.booleans()) and body:
        at = 8 * data.draw(st.integers(0, len(body) // 8 - 1))
        body = (
            body[:at]
            + struct.pack("<q", data.draw(st.integers(-(2**63), 2**63 - 1)))
            + body[at + 8 :]
        )
    head = json.dumps(header).encode()
    path.write_bytes(sealed(whole[:22] + struct.pack("<Q", len(head)) + head + body))
    try:
        index = Index.load(path, embedder=Named())
        index.search("cats", 2)
        index.search("cats", max_chars=9)
    except ChunkwrightError:
        pass
