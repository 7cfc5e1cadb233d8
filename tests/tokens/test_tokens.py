"""Token counts are tiktoken's: of whole texts, of spans, and as limits."""

import sys

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.texts import TEXTS, WITH_SURROGATES
from tests.support.vocabularies import encodings_not_built_in

NAMES = ["cl100k_base", "o200k_base", "gpt2"]
pytestmark = pytest.mark.differential


def _pair(name: str) -> tuple[tiktoken.Encoding, cw.Tokenizer]:
    return tiktoken.get_encoding(name), cw.Tokenizer(name)


@pytest.mark.parametrize("name", NAMES)
@given(text=WITH_SURROGATES)
def test_whole_texts(name: str, text: str) -> None:
    peer, ours = _pair(name)
    ids = peer.encode_ordinary(text)
    assert ours.encode(text) == ids
    assert ours.count(text) == len(ids)
    assert ours.decode(ids) == peer.decode(ids)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, data=st.data())
def test_spans(name: str, text: str, data: st.DataObject) -> None:
    peer, ours = _pair(name)
    index = ours.index(text)
    for _ in range(5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == len(peer.encode_ordinary(text[start:end]))


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS.filter(lambda text: len(text) < 200), data=st.data())
def test_longest_prefix(name: str, text: str, data: st.DataObject) -> None:
    peer, ours = _pair(name)
    start = data.draw(st.integers(0, len(text)))
    max_tokens = data.draw(st.integers(0, 20))
    ends = range(start, len(text) + 1)
    fitting = [e for e in ends if len(peer.encode_ordinary(text[start:e])) <= max_tokens]
    assert ours.index(text).longest(start, max_tokens) == max(fitting)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_code_point_in_context(name: str) -> None:
    peer, ours = _pair(name)
    points = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    for context in ("{0}", "a{0}A", " {0}'s{0}", "1{0}\n{0} "):
        for block in range(0, len(points), 4096):
            # One text a block, its parts kept apart by a letter that joins nothing before it.
            text = "".join(f"\n{context.format(c)}\nx" for c in points[block : block + 4096])
            assert ours.encode(text) == peer.encode_ordinary(text), (context, hex(block))


@pytest.mark.parametrize("name", NAMES)
def test_long_texts(name: str, long_texts: dict[str, str]) -> None:
    peer, ours = _pair(name)
    for text in long_texts.values():
        assert ours.encode(text) == peer.encode_ordinary(text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unit", ["a", " ", "^", "0", "ab", "漢", "\n", "🚀", "\u0301", "Ab+/9"])
def test_a_text_without_boundary(name: str, unit: str) -> None:
    peer, ours = _pair(name)
    text = unit * (100_000 // len(unit))
    expected = len(peer.encode_ordinary(text))
    assert ours.count(text) == expected
    index = ours.index(text)
    assert index.count(0, len(text)) == expected
    middle = slice(len(text) // 3, len(text) // 2)
    assert index.count(middle.start, middle.stop) == len(peer.encode_ordinary(text[middle]))


@pytest.mark.parametrize("name", encodings_not_built_in())
def test_a_tiktoken_encoding_is_taken(name: str) -> None:
    encoding = tiktoken.get_encoding(name)
    ours = cw.Tokenizer(encoding)
    text = "Hello   world, 12345"
    assert ours.encode(text) == encoding.encode_ordinary(text)
    assert ours.decode(ours.encode(text)) == text
    assert ours.index(text).count(3, 9) == len(encoding.encode_ordinary(text[3:9]))
    chunks = cw.chunk(text, max_tokens=3, tokenizer=encoding)
    assert all(len(encoding.encode_ordinary(chunk.text)) <= 3 for chunk in chunks)


def test_an_encoding_that_only_has_the_name_is_not_taken_for_the_built_in_one() -> None:
    original = tiktoken.get_encoding("cl100k_base")
    impostor = tiktoken.Encoding(
        "cl100k_base",
        pat_str=r"\S+|\s+",
        mergeable_ranks={bytes([i]): i for i in range(256)},
        special_tokens={},
    )
    assert cw.Tokenizer(original).count("Hello") == 1
    assert cw.Tokenizer(impostor).count("Hello") == 5
