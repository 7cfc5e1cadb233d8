"""The rows of the benchmark: the work, who does it, and how much faster ours should be."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lib import ours, theirs
from lib.contenders import OURS, Check, Contender, Row, Work

if TYPE_CHECKING:
    from collections.abc import Callable

TIKTOKEN = "tiktoken"
TOKTOK = "toktok-rs"
LANGCHAIN = "langchain-text-splitters"
CHROMA = "chunking_evaluation"
SEMCHUNK = "semchunk"
CHONKIE = "chonkie"
CHUNKR = "chunkr-rs"
KONAN = "konan"
LLAMA_INDEX = "llama-index-core"
TOKENIZERS = "tokenizers"
SLOW = 10.0  # megabytes for libraries that need seconds for each
FULL = "Recursive"


def _count(name: str) -> Row:
    return Row(
        key=f"count-{name.partition('_')[0]}",
        title=f"count {name}",
        contenders=(
            Contender("count_tokens", OURS, partial(ours.count, name), theirs.counted(name)),
            Contender(
                "encode_ordinary",
                TIKTOKEN,
                partial(theirs.tiktoken_count, name),
                theirs.counted(name),
                cap=SLOW,
                wanted=8,
            ),
            Contender(
                "batch_count",
                TOKTOK,
                partial(theirs.toktok_count, name),
                theirs.counted(name),
                wanted=1,
            ),
            *(_tokie() if name == theirs.ENCODING else ()),
        ),
    )


def _tokie() -> tuple[Contender, ...]:
    check = theirs.counted(theirs.ENCODING)
    return (Contender("count_tokens", "tokie", theirs.tokie_count, check),)


def _recursive_tokens(overlap: int) -> Row:
    return Row(
        key=f"tokens-{overlap}",
        title=f"recursive, 512 tokens, overlap {overlap}, list[str]",
        limit=512,
        contenders=(
            _recursive(max_tokens=512, overlap=overlap),
            _langchain("tokens", 512, overlap, wanted=40),
            *(_chonkie_overlap() if overlap else _chonkie()),
        ),
    )


def _chonkie() -> tuple[Contender, ...]:
    make = partial(theirs.chonkie_recursive, 512)
    return (
        Contender("RecursiveChunker + tokie", CHONKIE, make, theirs.indexed, cap=SLOW, wanted=3),
    )


def _chonkie_overlap() -> tuple[Contender, ...]:
    return (
        *_chonkie(),
        Contender(
            "RecursiveChunker (448) + OverlapRefinery (64)",
            CHONKIE,
            partial(theirs.chonkie_overlapping, 512, 64),
            theirs.indexed,
            cap=SLOW,
        ),
    )


def _texts() -> Row:
    return Row(
        key="characters",
        title="recursive, 1000 characters, list[str]",
        limit=1000,
        unit="characters",
        contenders=(
            _recursive(max_chars=1000),
            _langchain("characters", 1000, 0, wanted=20),
            _chunkr("RecursiveChunker, .content", theirs.chunkr_texts, theirs.strings, 1),
            _chunkr("RecursiveChunker", theirs.chunkr_documents, theirs.contents, None),
            _konan("RecursiveChunker, .text", theirs.konan_texts, theirs.strings),
        ),
    )


def _offsets() -> Row:
    return Row(
        key="offsets",
        title="recursive, 1000 characters, offsets only",
        limit=1000,
        unit="characters",
        contenders=(
            Contender(
                FULL, OURS, partial(ours.offsets, ours.recursive, max_chars=1000), ours.chunked
            ),
            _chunkr("RecursiveChunker (no offsets)", theirs.chunkr_documents, theirs.contents, 1.5),
            _konan("RecursiveChunker", theirs.konan_chunks, theirs.placed),
        ),
    )


def _windows() -> Row:
    check = ours.texts_of(ours.window, max_tokens=512, overlap=64)
    make = partial(ours.texts, ours.window, max_tokens=512, overlap=64)
    chonkie = partial(theirs.chonkie_window, 512, 64)
    chunkr = partial(theirs.chunkr_window, 512, 64)
    konan = partial(theirs.konan_window, 512, 64)
    return Row(
        key="window",
        title="windows, 512 tokens, overlap 64, list[str]",
        limit=512,
        contenders=(
            Contender("Window", OURS, make, check),
            _langchain("windows", 512, 64, wanted=8),
            Contender("TokenChunker + tokie", CHONKIE, chonkie, theirs.indexed, cap=SLOW),
            Contender("TokenChunker", CHUNKR, chunkr, theirs.contents, cap=SLOW),
            Contender("TokenChunker, .text", KONAN, konan, theirs.strings, cap=SLOW),
        ),
    )


def _compat(kind: str, size: int, overlap: int, wanted: float) -> Row:
    return Row(
        key=f"compat-{kind}-{overlap}",
        title=f"compat.langchain, {size} {kind}, overlap {overlap}",
        limit=size,
        unit=kind,
        identical=True,
        contenders=(
            Contender(
                _CLASS[kind],
                OURS,
                partial(theirs.langchain, kind, size, overlap, ours.COMPAT),
                theirs.langchain_indexed(kind, size, overlap, ours.COMPAT),
            ),
            _langchain(kind, size, overlap, wanted=wanted),
        ),
    )


def _compat_headers(form: str, wanted: float) -> Row:
    label = f"{form}HeaderTextSplitter"
    make = partial(theirs.langchain_headers, form)
    return Row(
        key=f"compat-{form.lower()}-headers",
        title=f"compat.langchain, {form} at headings",
        identical=True,
        contenders=(
            Contender(label, OURS, partial(make, ours.COMPAT), theirs.documents),
            Contender(label, LANGCHAIN, make, theirs.documents, cap=SLOW, wanted=wanted),
        ),
    )


def _count_word_pieces() -> Row:
    check = theirs.counted_word_pieces
    return Row(
        key="count-minilm",
        title="count word pieces, all-MiniLM-L6-v2",
        contenders=(
            Contender("Tokenizer.count", OURS, ours.count_word_pieces, check),
            Contender("encode", TOKENIZERS, theirs.tokenizers_count, check, cap=SLOW, wanted=25),
        ),
    )


def _recursive_word_pieces() -> Row:
    make = partial(theirs.langchain_word_pieces, 256)
    chonkie = partial(theirs.chonkie_word_pieces, 256)
    label = f"{_CLASS['characters']}.from_huggingface_tokenizer"
    return Row(
        key="minilm",
        title="recursive, 256 word pieces, list[str]",
        limit=256,
        unit="word pieces",
        contenders=(
            _strategy(FULL, ours.recursive_word_pieces, max_tokens=256),
            Contender(label, LANGCHAIN, make, theirs.strings, cap=SLOW, wanted=200),
            Contender(
                "RecursiveChunker + tokie", CHONKIE, chonkie, theirs.indexed, cap=SLOW, wanted=3
            ),
        ),
    )


def _sentences() -> Row:
    llama_index = partial(theirs.llama_index_sentences, 512)
    chonkie = partial(theirs.chonkie_sentences, 512)
    return Row(
        key="sentence-tokens",
        title="sentences, 512 tokens, list[str]",
        limit=512,
        contenders=(
            _strategy("Sentence", ours.sentence, max_tokens=512),
            Contender(
                "SentenceSplitter", LLAMA_INDEX, llama_index, theirs.strings, cap=SLOW, wanted=40
            ),
            Contender(
                "SentenceChunker + tokie", CHONKIE, chonkie, theirs.indexed, cap=SLOW, wanted=10
            ),
        ),
    )


def _sentence_characters() -> Row:
    return Row(
        key="sentence-characters",
        title="sentences, 1000 characters, list[str]",
        limit=1000,
        unit="characters",
        contenders=(
            _strategy("Sentence", ours.sentence, max_chars=1000),
            Contender(
                "SentenceChunker(7), .content",
                CHUNKR,
                partial(theirs.chunkr_sentences, 7),
                theirs.strings,
                wanted=1,
            ),
        ),
    )


def _balanced() -> Row:
    return Row(
        key="balanced",
        title="balanced, 512 tokens, list[str]",
        limit=512,
        contenders=(
            _strategy("Balanced", ours.balanced, max_tokens=512),
            _strategy(FULL, ours.recursive, wanted=0.5, max_tokens=512),
        ),
    )


_SIZES = {
    "characters": "{} characters",
    "tokens": "{} tokens",
    "windows": "windows of {} tokens",
}
_CLASS = {
    "characters": "RecursiveCharacterTextSplitter",
    "tokens": "RecursiveCharacterTextSplitter.from_tiktoken_encoder",
    "windows": "TokenTextSplitter",
}


def _recursive(**options: Any) -> Contender:
    return _strategy(FULL, ours.recursive, **options)


def _strategy(
    label: str, strategy: ours.Strategy, *, wanted: float | None = None, **options: Any
) -> Contender:
    make = partial(ours.texts, strategy, **options)
    check = ours.texts_of(strategy, **options)
    return Contender(f"{label}, .texts()", OURS, make, check, wanted=wanted)


def _chroma(kind: str, size: int, overlap: int) -> Row:
    label = "FixedTokenChunker" if kind == "windows" else "RecursiveTokenChunker"
    make = partial(theirs.chroma, kind, size, overlap)
    return Row(
        key=f"chroma-{kind}-{overlap}",
        title=f"compat.chroma, {_SIZES[kind].format(size)}, overlap {overlap}",
        limit=size,
        unit="characters" if kind == "characters" else "tokens",
        identical=True,
        contenders=(
            Contender(label, OURS, partial(make, ours.CHROMA), theirs.strings),
            Contender(label, CHROMA, make, theirs.strings, cap=SLOW),
        ),
    )


def _semchunk(size: int) -> Row:
    make = partial(theirs.semchunk, size)
    return Row(
        key="compat-semchunk",
        title=f"compat.semchunk, {size} tokens",
        limit=size,
        identical=True,
        contenders=(
            Contender("chunkerify", OURS, partial(make, ours.SEMCHUNK), theirs.strings),
            Contender("chunkerify", SEMCHUNK, make, theirs.strings, cap=SLOW, wanted=15),
        ),
    )


def _langchain(kind: str, size: int, overlap: int, *, wanted: float | None = None) -> Contender:
    return Contender(
        _CLASS[kind],
        LANGCHAIN,
        partial(theirs.langchain, kind, size, overlap),
        theirs.langchain_indexed(kind, size, overlap),
        cap=SLOW,
        wanted=wanted,
    )


def _chunkr(
    label: str, make: Callable[[int], Work], check: Check, wanted: float | None
) -> Contender:
    return Contender(label, CHUNKR, partial(make, 1000), check, wanted=wanted)


def _konan(label: str, make: Callable[[int], Work], check: Check) -> Contender:
    return Contender(label, KONAN, partial(make, 1000), check, cap=SLOW, wanted=5)


MEMORY = Row(
    key="memory",
    title="peak memory, recursive, 512 tokens",
    limit=512,
    contenders=(
        Contender(FULL, OURS, partial(ours.offsets, ours.recursive, max_tokens=512), ours.chunked),
        _recursive(max_tokens=512),
        _langchain("tokens", 512, 0),
        *_chonkie(),
    ),
)
ROWS = (
    _count("cl100k_base"),
    _count("o200k_base"),
    _recursive_tokens(0),
    _recursive_tokens(64),
    _texts(),
    _offsets(),
    _windows(),
    _count_word_pieces(),
    _recursive_word_pieces(),
    _sentences(),
    _sentence_characters(),
    _balanced(),
    _compat("characters", 1000, 0, 10),
    _compat("characters", 1000, 200, 10),
    _compat("tokens", 512, 0, 30),
    _compat("tokens", 512, 64, 30),
    _compat_headers("Markdown", 2),
    _compat_headers("HTML", 2),
    _chroma("characters", 1000, 0),
    _chroma("tokens", 200, 0),
    _chroma("windows", 250, 125),
    _semchunk(512),
)
