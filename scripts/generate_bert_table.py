"""Write the table of what BERT's normaliser and pre-tokenizer do to each code point.

Run it again only when the peer's Unicode version changes::

    pip install tokenizers==0.23.3
    python scripts/generate_bert_table.py

Everything is read off Hugging Face's ``tokenizers`` (Apache-2.0) itself, code point by code point: it
mixes three Unicode versions, and those are the ones to be equal to.  Only the values of combining classes,
which never change between versions, are Python's.

The table, little-endian: a header (magic, number of blocks, of records, of code points in the pool), the
block number of each 128 code points, the blocks of record numbers, the records, and the pool that they
point into.  ``measure/wordpiece/chars.rs`` reads it in place.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import unicodedata
from pathlib import Path

import tokenizers
from tokenizers import normalizers, pre_tokenizers

TABLE = Path(__file__).resolve().parent.parent / "rust" / "core" / "data" / "bert_chars.bin"
PEER_VERSION = "0.23.3"
TABLE_SHA256 = "3e2b37eedecddf31636623e524016a79718cca885992ffc9ffb5ad0e25a2a839"

MAGIC = b"cwbert01"
BLOCK = 128

# Bits of a record; measure/wordpiece/chars.rs names the same ones.
CONTROL = 1  # removed by clean_text
SPACE = 2
PUNCTUATION = 4
CHINESE = 8
STRIPS = 16  # strip_accents changes it
LOWERS = 32
NONSTARTER = 64  # all of its decomposition has a combining class
HANGUL = 128  # a syllable, decomposed by arithmetic

HANGUL_SYLLABLES = range(0xAC00, 0xAC00 + 11172)
SURROGATES = range(0xD800, 0xE000)
CODE_POINTS = [c for c in range(sys.maxunicode + 1) if c not in SURROGATES]

NFD = normalizers.NFD()
WORDS = pre_tokenizers.BertPreTokenizer()


def only(**options: bool) -> normalizers.BertNormalizer:
    """BERT's normaliser with all steps off but one."""
    off = dict.fromkeys(["clean_text", "handle_chinese_chars", "strip_accents", "lowercase"], False)
    return normalizers.BertNormalizer(**off | options)


CLEAN = only(clean_text=True)
CHINESE_CHARS = only(handle_chinese_chars=True)
STRIP = only(strip_accents=True)
LOWER = only(lowercase=True)


def inside(normalizer: normalizers.Normalizer, c: str) -> str:
    """What ``c`` becomes between two letters."""
    text = normalizer.normalize_str(f"a{c}b")
    assert text[0] == "a"
    assert text[-1] == "b"
    return text[1:-1]


def is_reordered(c: str) -> bool:
    """Whether ``c`` changes places with the mark of the lowest or the highest class."""
    return inside(NFD, f"{c}\u0334")[0] == "\u0334" or inside(NFD, f"\u0345{c}")[-1] == "\u0345"


def combining_class(c: str) -> int:
    """The combining class of a code point that does not decompose."""
    return unicodedata.combining(c) if inside(NFD, c) == c and is_reordered(c) else 0


def word_class(c: str) -> int:
    """Whether ``c`` parts words."""
    words = [word for word, _ in WORDS.pre_tokenize_str(f"a{c}b")]
    return {("a", "b"): SPACE, ("a", c, "b"): PUNCTUATION, (f"a{c}b",): 0}[tuple(words)]


def record(code_point: int) -> tuple[int, int, str, str]:
    """Flags, combining class, and what stripping and lowercasing make of a code point."""
    c = chr(code_point)
    cleaned, stripped, lowered = inside(CLEAN, c), inside(STRIP, c), inside(LOWER, c)
    flags = word_class(c)
    if not cleaned:
        flags |= CONTROL
    else:
        assert cleaned == (" " if flags & SPACE else c)
    if CHINESE_CHARS.normalize_str(c) != c:
        flags |= CHINESE
    if lowered != c:
        flags |= LOWERS
    if all(combining_class(part) for part in inside(NFD, c)):
        flags |= NONSTARTER
    if code_point in HANGUL_SYLLABLES:
        assert stripped == unicodedata.normalize("NFD", c)
        return flags | HANGUL, 0, "", ""
    if stripped != c:
        flags |= STRIPS
    return (
        flags,
        combining_class(c),
        "" if stripped == c else stripped,
        "" if lowered == c else lowered,
    )


def check(records: dict[int, tuple[int, int, str, str]]) -> None:
    """What the core takes for granted."""
    parts_words = SPACE | PUNCTUATION
    for code_point, (flags, _, stripped, lowered) in records.items():
        n_bytes = len(chr(code_point).encode())
        for text in (stripped, lowered):
            # A code point gives no more tokens than it has bytes.
            assert len(text) <= n_bytes
            # What parts words stands alone, and keeps doing so in lower case.
            assert len(text) <= 1 or not any(records[ord(c)][0] & parts_words for c in text)
        if stripped and flags & (parts_words | CHINESE):
            assert records[ord(stripped)][0] & parts_words == flags & parts_words
        assert not stripped or not stripped[-1].isspace() or flags & SPACE
        assert not lowered or not flags & (parts_words | CHINESE)
        assert not flags & CHINESE or len(stripped) <= 1
        # Stripping and then lowercasing is lowercasing what stripping gives.
        both = LOWER.normalize_str(stripped)
        assert both == "".join(records[ord(c)][3] or c for c in stripped)
        assert len(both) <= n_bytes
    marks = [c for c, (flags, klass, _, _) in records.items() if klass and not flags & STRIPS]
    for first in marks:
        for second in marks:
            swaps = records[first][1] > records[second][1]
            pair = chr(first) + chr(second)
            assert inside(STRIP, pair) == (pair[::-1] if swaps else pair)


def table(records: dict[int, tuple[int, int, str, str]]) -> bytes:
    """Lay the records out."""
    pool: list[int] = []

    def pooled(text: str) -> int:
        at = len(pool)
        pool.extend(map(ord, text))
        return at if text else 0

    # The first record is that of a letter which nothing changes; surrogates have it too.
    numbers = {(0, 0, "", ""): 0}
    by_point = [
        numbers.setdefault(records.get(c, (0, 0, "", "")), len(numbers))
        for c in range(sys.maxunicode + 1)
    ]
    blocks: dict[bytes, int] = {}
    block_numbers = []
    for start in range(0, len(by_point), BLOCK):
        block = struct.pack(f"<{BLOCK}H", *by_point[start : start + BLOCK])
        block_numbers.append(blocks.setdefault(block, len(blocks)))
    packed = b"".join(
        struct.pack("<BBBBHH", flags, klass, len(strip), len(lower), pooled(strip), pooled(lower))
        for flags, klass, strip, lower in numbers
    )
    header = struct.pack("<8sIII", MAGIC, len(blocks), len(numbers), len(pool))
    return b"".join(
        [header, bytes(block_numbers), *blocks, packed, struct.pack(f"<{len(pool)}I", *pool)]
    )


def main() -> None:
    """Write the table."""
    if tokenizers.__version__ != PEER_VERSION:
        sys.exit(f"tokenizers is {tokenizers.__version__}, not {PEER_VERSION}")
    records = {c: record(c) for c in CODE_POINTS}
    check(records)
    content = table(records)
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 != TABLE_SHA256:
        sys.exit(f"the table's SHA-256 is {sha256}, not {TABLE_SHA256}")
    TABLE.write_bytes(content)


if __name__ == "__main__":
    main()
