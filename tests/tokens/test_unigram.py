"""Unigram counts are those of Hugging Face's tokenizers: whole texts, spans, and limits."""

import base64
import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer

import chunkwright as cw
from chunkwright.tokens.backends import HuggingFace
from tests.support.made_tokenizers import CORPUS, KINDS, changed, made, nmt_nfkc
from tests.support.texts import TEXTS

pytestmark = pytest.mark.differential

UNIGRAMS = [
    *("unigram", "xlm-roberta", "bge-m3", "t5", "albert"),
    *("unigram, first", "unigram, whole", "unigram, bytes"),
]
# What words are made of, what a map of characters changes, and what joins its neighbours.
PARTS = [
    *CORPUS[:6],
    *("<mask>", " <mask>", "<s>", "<unk>", "``", "''", "'", "\u2581", "\u2581the", "a \u2581 b"),
    *(" ", "  ", "\n", "\r\n", "\t", "\xa0", "\u3000", "\u200b", "\u2003", "\x00", "\x1f", "\xad"),
    *(
        "\u0301",
        "e\u0301",
        " \u0301",
        "\u0600",
        "\u0600 a",
        "\u200d",
        "\u1100\u1161\u11a8",
        "\ufdfa",
    ),
    *(
        "\ufb01",
        "\uff76\uff9e",
        "\xa8",
        "\u037a",
        "\u0958",
        "\u0915\u094d\u0937 \u0915",
        "a\u0301" * 9,
    ),
    *(
        "\U0001f600",
        "\U0001f468\u200d\U0001f469",
        "\U0001f1e9\U0001f1ea",
        "xyz",
        "a" * 40,
        "the " * 9,
    ),
    *(
        "漢字かな",
        "中文。\n下一行",
        "Straße",
        "ПРИВЕТ мир",
        "I am a b",
        "x",
        "\ue000",
        "\ue000\ue001",
    ),
]
TEXT = st.one_of(TEXTS, st.lists(st.sampled_from(PARTS), max_size=10).map("".join))


def ids_of(theirs: Tokenizer, text: str) -> list[int]:
    ids: list[int] = theirs.encode(text, add_special_tokens=False).ids
    return ids


@pytest.mark.parametrize("name", UNIGRAMS)
@given(text=TEXT)
def test_whole_texts(name: str, text: str) -> None:
    theirs, ours = made(name), cw.Tokenizer(made(name))
    ids = ids_of(theirs, text)
    assert ours.encode(text) == ids
    assert ours.count(text) == len(ids)
    assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("name", UNIGRAMS)
@given(text=TEXT, data=st.data())
def test_spans(name: str, text: str, data: st.DataObject) -> None:
    theirs, index = made(name), cw.Tokenizer(made(name)).index(text)
    for _ in range(5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == len(ids_of(theirs, text[start:end]))


@pytest.mark.parametrize("name", UNIGRAMS)
@given(text=TEXT.filter(lambda text: len(text) < 120), data=st.data())
def test_longest_prefix(name: str, text: str, data: st.DataObject) -> None:
    theirs, index = made(name), cw.Tokenizer(made(name)).index(text)
    start, most = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 12))
    fits = [
        end for end in range(start, len(text) + 1) if len(ids_of(theirs, text[start:end])) <= most
    ]
    found = index.longest(start, most)
    # Where a span is counted by itself, bisection may stop at an end before the last one.
    is_plain = "<" not in text
    assert found == max(fits) if is_plain else found in fits


LETTERS = st.text("ab\u2581cé", min_size=1, max_size=4)
# Few scores, so that ways tie, and some whose sums are rounded.
SCORES = st.sampled_from([-1.0, -2.0, -1.1, -2.2, -3.3000000000000003, 0.1, -7.25])


@st.composite
def models(draw: st.DrawFn) -> str:
    """Draw a Unigram tokenizer of few letters."""
    pieces = draw(st.dictionaries(LETTERS, SCORES, max_size=12))
    vocab: list[list[Any]] = [["<unk>", draw(SCORES)], *map(list, pieces.items())]
    bytes_ = draw(st.booleans())
    if bytes_:
        vocab += [[f"<0x{byte:02X}>", -1.0] for byte in range(256)]
    scheme = draw(st.sampled_from(["always", "first", "never"]))
    metaspace: Any = {
        "type": "Metaspace",
        "replacement": "\u2581",
        "prepend_scheme": scheme,
        "split": draw(st.booleans()),
    }
    if draw(st.booleans()):
        both = [
            {"type": "WhitespaceSplit"},
            {**metaspace, "prepend_scheme": "always", "split": True},
        ]
        metaspace = {"type": "Sequence", "pretokenizers": both}
    charsmap = base64.b64encode(nmt_nfkc()).decode()
    steps: list[Any] = [
        {"type": "Precompiled", "precompiled_charsmap": charsmap},
        {"type": "NFKC"},
        {"type": "NFD"},
        {"type": "Lowercase"},
        {"type": "StripAccents"},
        {"type": "Nmt"},
        {"type": "Strip", "strip_left": True, "strip_right": False},
        {"type": "Strip", "strip_left": False, "strip_right": True},
        {"type": "Prepend", "prepend": "\u2581"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "c"},
        {"type": "Replace", "pattern": {"String": "c"}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
    ]
    chosen = draw(st.lists(st.sampled_from(steps), max_size=4))
    model = {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": bytes_}
    return (
        changed(
            "unigram",
            added_tokens=[],
            normalizer=None,
            pre_tokenizer=None,
            model=model,
        )
        .replace(
            '"normalizer": null',
            f'"normalizer": {json.dumps({"type": "Sequence", "normalizers": chosen})}',
        )
        .replace('"pre_tokenizer": null', f'"pre_tokenizer": {json.dumps(metaspace)}')
    )


def _joins(step: dict[str, Any]) -> bool:
    return not step["content"] or len(step["pattern"].get("String", "")) > 1


def _tells_first(source: str) -> bool:
    """Return whether the text as it is normalized tells which word of a model's is the first.

    The library tells it by the place in the raw text, which what removes letters shifts.
    """
    said = json.loads(source)
    steps = (said["normalizer"] or {}).get("normalizers", [])
    removes = any(
        step["type"] in {"StripAccents", "Nmt"}
        or step.get("strip_left")
        or (step["type"] == "Replace" and _joins(step))
        for step in steps
    )
    is_first = (said["pre_tokenizer"] or {}).get("prepend_scheme") == "first"
    return not (is_first and removes)


@given(
    source=models(), text=st.text("aabbcé xX\n\u0301\u2581\xa0\u0600", max_size=30), data=st.data()
)
def test_any_model(source: str, text: str, data: st.DataObject) -> None:
    theirs, ours = Tokenizer.from_str(source), cw.Tokenizer(source)
    core = getattr(ours._backend, "core", None)
    assert core is None or core.kind == "unigram"
    # Steps that together may make a text far longer are the library's, too.
    n_steps = len((json.loads(source)["normalizer"] or {}).get("normalizers", []))
    if not _tells_first(source) or n_steps <= 1:
        assert (core is not None) == _tells_first(source)
    assert ours.encode(text) == ids_of(theirs, text)
    index = ours.index(text)
    for _ in range(4):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        count = len(ids_of(theirs, text[start:end]))
        assert ours.count(text[start:end]) == count
        assert index.count(start, end) == count


@pytest.mark.slow
def test_every_code_point_in_context() -> None:
    theirs = made("bge-m3")
    ours = cw.Tokenizer(theirs)
    # From plane 3 on there are ideographs, tags and private use only, in long stretches.
    numbers = [*range(0xD800), *range(0xE000, 0x20000), *range(0x20000, sys.maxunicode + 1, 61)]
    points = [chr(c) for c in numbers]
    for context in ("{0}", "a{0}b", "a {0}"):
        for block in range(0, len(points), 4096):
            text = "\n".join(context.format(c) for c in points[block : block + 4096])
            assert ours.encode(text) == ids_of(theirs, text), (context, hex(block))


@pytest.mark.parametrize(
    "unit", ["a", "漢", "\u0301", "\x00", "a\u0301", " ", "-", "\ue000", "하", "क्"]
)
def test_a_text_without_boundary(unit: str) -> None:
    for name in ("bge-m3", "unigram, bytes"):
        theirs = made(name)
        text = "x" + unit * (20_000 // len(unit))
        index = cw.Tokenizer(theirs).index(text)
        assert index.count(0, len(text)) == len(ids_of(theirs, text))
        for start, end in [(1, 90), (0, 101), (len(text) - 100, len(text)), (5_000, 9_000)]:
            assert index.count(start, end) == len(ids_of(theirs, text[start:end]))
        end = index.longest(1, 50)
        assert index.count(1, end) <= 50
        chunks = cw.chunk(text, max_tokens=100, tokenizer=theirs)
        assert max(chunks.n_tokens) <= 100


def test_special_tokens() -> None:
    theirs = made("xlm-roberta")
    special = cw.Tokenizer(theirs, special_tokens=True)
    text = "words of a sentence"
    assert special.encode(text) == theirs.encode(text).ids
    assert special.index(text).count(0, 5) == len(theirs.encode(text[:5]).ids)


def told_first(steps: list[dict[str, Any]], added: list[AddedToken] | None = None) -> Tokenizer:
    tokenizer = Tokenizer.from_str(KINDS["unigram, first"][1]().to_str())
    normalizer = {"type": "Sequence", "normalizers": steps}
    whole = json.loads(tokenizer.to_str())
    tokenizer = Tokenizer.from_str(json.dumps({**whole, "normalizer": normalizer}))
    tokenizer.add_tokens(added or [])
    return tokenizer


@pytest.mark.parametrize("text", ['"``the"', "ab", "  a", "½ab 1½", "``a``", "a ``"])
def test_the_first_word_behind_what_is_joined(text: str) -> None:
    for pattern, content in (("``", '"'), ("ab", "abc"), (" a", "b"), ("½", "1/2")):
        step = {"type": "Replace", "pattern": {"String": pattern}, "content": content}
        theirs = told_first([step])
        assert cw.Tokenizer(theirs).encode(text) == ids_of(theirs, text)
    theirs = told_first([{"type": "NFKD"}], [AddedToken("1", normalized=True)])
    assert cw.Tokenizer(theirs).encode(text) == ids_of(theirs, text)


def test_an_added_token_is_decoded_to_what_is_looked_for() -> None:
    theirs = Tokenizer.from_str(
        json.dumps(
            {**json.loads(KINDS["unigram"][1]().to_str()), "normalizer": {"type": "Lowercase"}}
        )
    )
    theirs.add_tokens([AddedToken("<NEW>", normalized=True), AddedToken("<OLD>", normalized=False)])
    ids = ids_of(theirs, "hi<NEW><OLD> x")
    assert cw.Tokenizer(theirs).encode("hi<NEW><OLD> x") == ids
    assert cw.Tokenizer(theirs).decode(ids) == theirs.decode(ids, skip_special_tokens=False)


def test_a_piece_that_no_training_gives_is_left_to_the_library() -> None:
    whole = json.loads(KINDS["unigram"][1]().to_str())
    whole["model"]["vocab"].append(["a" * 2_000, -1.0])
    tokenizer = cw.Tokenizer(json.dumps(whole))
    assert tokenizer.count("a" * 2_000) == len(
        ids_of(Tokenizer.from_str(json.dumps(whole)), "a" * 2_000)
    )
    assert isinstance(tokenizer._backend, HuggingFace)
