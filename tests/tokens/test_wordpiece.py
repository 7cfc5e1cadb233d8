"""WordPiece counts are those of Hugging Face's tokenizers: whole texts, spans, and limits."""

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers

import chunkwright as cw
from tests.support.texts import TEXTS

pytestmark = pytest.mark.differential

VOCABULARY = [
    *("[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##aff", "##able", "the", "##s", "ss", "straße"),
    *("a", "b", "c", "##a", "##b", "##c", "ab", "##bc", "abc", "##ca", "e", "é", "##e", "i\u0307"),
    *(
        "word",
        "sentence",
        "uber",
        "über",
        "漢",
        "字",
        "\u1112",
        "##\u1161",
        "!",
        "[",
        ".",
        "1",
        "##1",
    ),
]
STEPS = {
    "uncased": {},
    "cased": {"lowercase": False},
    "accents kept": {"strip_accents": False},
    "accents stripped, cased": {"lowercase": False, "strip_accents": True},
    "not cleaned": {"clean_text": False, "handle_chinese_chars": False},
    "short words": {},
}
# What words, marks and added tokens are made of, and what breaks them.
PARTS = [
    *(
        "[CLS]",
        "[MASK]",
        "[cls]",
        "[C\u0301LS]",
        "[CL",
        "S]",
        "<Mask>",
        "<mask>",
        "unaffable",
        "abcab",
    ),
    *(
        "\u0301",
        "\u034f",
        "\u302e",
        "\U0001d165",
        "\u1b44",
        "\x00",
        "\x85",
        "\u200b",
        "\ufffd",
        "\u00ad",
    ),
    *(
        "é",
        "İ",
        "ß",
        "Å",
        "\u212a",
        "하",
        "각",
        "漢字",
        "\uf900",
        "≠",
        "\u037e",
        "\u2000",
        " ",
        "\n",
        ".",
    ),
    *("a", "b", "c", "E", "the", "1", "!", "x" * 101, "a\u0301" * 60, "\u0301" * 80, "ab" * 50),
]
TEXT = st.one_of(TEXTS, st.lists(st.sampled_from(PARTS), max_size=12).map("".join))


@cache
def small(steps: str) -> Tokenizer:
    vocabulary = {token: i for i, token in enumerate(VOCABULARY)}
    n = 8 if steps == "short words" else 100
    unknown = VOCABULARY[0]
    model = models.WordPiece(vocabulary, unk_token=unknown, max_input_chars_per_word=n)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(**STEPS[steps])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]", AddedToken("[MASK]", lstrip=True)])
    tokenizer.add_tokens([AddedToken("<Mask>", normalized=True)])
    return tokenizer


def count(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.fixture(scope="module")
def minilm(shared: Path) -> tuple[Tokenizer, cw.Tokenizer]:
    """The tokenizer of all-MiniLM-L6-v2, without the truncation and padding of its file."""
    path = shared / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"
    peer = Tokenizer.from_file(str(path))
    peer.no_truncation()
    peer.no_padding()
    return peer, cw.Tokenizer(str(path))


@pytest.mark.parametrize("steps", STEPS)
@given(text=TEXT)
def test_whole_texts(steps: str, text: str) -> None:
    peer = small(steps)
    ours = cw.Tokenizer(peer.to_str())
    ids = peer.encode(text, add_special_tokens=False).ids
    assert ours.encode(text) == ids
    assert ours.count(text) == len(ids)
    assert ours.decode(ids) == peer.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("steps", STEPS)
@given(text=TEXT, data=st.data())
def test_spans(steps: str, text: str, data: st.DataObject) -> None:
    peer = small(steps)
    index = cw.Tokenizer(peer.to_str()).index(text)
    for _ in range(5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == count(peer, text[start:end])


@pytest.mark.parametrize("steps", STEPS)
@given(text=TEXT.filter(lambda text: len(text) < 150), data=st.data())
def test_longest_prefix(steps: str, text: str, data: st.DataObject) -> None:
    peer = small(steps)
    start = data.draw(st.integers(0, len(text)))
    max_tokens = data.draw(st.integers(0, 12))
    fitting = [e for e in range(start, len(text) + 1) if count(peer, text[start:e]) <= max_tokens]
    index = cw.Tokenizer(peer.to_str()).index(text)
    assert index.longest(start, max_tokens) == max(fitting)


def test_every_code_point_in_context(minilm: tuple[Tokenizer, cw.Tokenizer]) -> None:
    peer, ours = minilm
    # From plane 3 on there are ideographs, tags and private use only, in long stretches.
    numbers = [*range(0xD800), *range(0xE000, 0x30000), *range(0x30000, sys.maxunicode + 1, 61)]
    points = [chr(c) for c in numbers]
    for context in ("{0}", "a{0}b"):
        for block in range(0, len(points), 4096):
            text = "\n".join(context.format(c) for c in points[block : block + 4096])
            ids = peer.encode(text, add_special_tokens=False).ids
            assert ours.encode(text) == ids, (context, hex(block))


def test_corpora(minilm: tuple[Tokenizer, cw.Tokenizer], corpora: dict[str, str]) -> None:
    peer, ours = minilm
    for corpus in corpora.values():
        text = corpus[:50_000]
        ids = peer.encode(text, add_special_tokens=False).ids
        assert ours.encode(text) == ids
        index = ours.index(text)
        for start in range(0, len(text) - 700, 997):
            assert index.count(start, start + 700) == count(peer, text[start : start + 700])


def test_chunks_keep_the_limit(
    minilm: tuple[Tokenizer, cw.Tokenizer], corpora: dict[str, str]
) -> None:
    peer, ours = minilm
    text = corpora["pubmed"][:50_000]
    for overlap in (0, 32):
        chunks = cw.chunk(text, max_tokens=128, overlap=overlap, tokenizer=ours)
        counts = [count(peer, chunk.text) for chunk in chunks]
        assert list(chunks.n_tokens) == counts
        assert max(counts) <= 128


@pytest.mark.parametrize("unit", ["a", "漢", "\u0301", "\x00", "a\u0301", " ", "-", "1", "[", "하"])
def test_a_text_without_boundary(unit: str) -> None:
    peer = small("uncased")
    text = "x" + unit * (30_000 // len(unit))
    index = cw.Tokenizer(peer.to_str()).index(text)
    assert index.count(0, len(text)) == count(peer, text)
    for start, end in [(1, 90), (0, 101), (len(text) - 100, len(text)), (10_000, 20_000)]:
        assert index.count(start, end) == count(peer, text[start:end])


def test_the_limit_of_a_file_is_not_ours(shared: Path) -> None:
    path = shared / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"
    file = json.loads(path.read_text(encoding="utf-8"))
    assert (file["truncation"]["max_length"], file["padding"]["strategy"]) == (128, {"Fixed": 128})
    ours = cw.Tokenizer(str(path))
    assert ours.count("") == 0
    assert ours.count("word " * 500) == 500
