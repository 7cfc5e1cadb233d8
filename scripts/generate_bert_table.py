"""Write the table of what BERT's normaliser and pre-tokenizer do to each code point.

Run it again only when the peer's Unicode version changes::

    pip install tokenizers==0.23.3
    python scripts/generate_bert_table.py

Everything is read off Hugging Face's ``tokenizers`` (Apache-2.0) itself, code point by code
point: it mixes three Unicode versions, and those are the ones to be equal to.  Only the values of
combining classes, which never change between versions, are Python's.

The table, little-endian: a header (magic, number of blocks, of records, of code points in the
pool), the block number of each 128 code points, the blocks of record numbers, the records, and the
pool that they point into.  ``measure/wordpiece/chars.rs`` reads it in place.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import unicodedata
from pathlib import Path

import tokenizers
from tokenizers import normalizers, pre_tokenizers

TABLE = Path(__file__).resolve().parent.parent / "rust" / "text" / "data" / "bert_chars.bin"
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


def require(holds: bool, what: str) -> None:
    """Exit unless what the table is built on holds."""
    if not holds:
        sys.exit(f"{what}: the table cannot say so")


def inside(normalizer: normalizers.Normalizer, c: str) -> str:
    """Normalise ``c`` between two letters."""
    text = normalizer.normalize_str(f"a{c}b")
    require(text[0] == "a" and text[-1] == "b", f"{c!r} changes what is beside it")
    return text[1:-1]


def is_reordered(c: str) -> bool:
    """Whether ``c`` changes places with the mark of the lowest or the highest class."""
    return inside(NFD, f"{c}\u0334")[0] == "\u0334" or inside(NFD, f"\u0345{c}")[-1] == "\u0345"


def combining_class(c: str) -> int:
    """Tell the combining class of a code point; 0 if it decomposes."""
    return unicodedata.combining(c) if inside(NFD, c) == c and is_reordered(c) else 0


def word_class(c: str) -> int:
    """Whether ``c`` parts words."""
    words = [word for word, _ in WORDS.pre_tokenize_str(f"a{c}b")]
    return {("a", "b"): SPACE, ("a", c, "b"): PUNCTUATION, (f"a{c}b",): 0}[tuple(words)]


def record(code_point: int) -> tuple[int, int, str, str]:
    """Describe a code point: flags, combining class, stripped form, and lower case."""
    c = chr(code_point)
    cleaned, stripped, lowered = inside(CLEAN, c), inside(STRIP, c), inside(LOWER, c)
    flags = word_class(c)
    if not cleaned:
        flags |= CONTROL
    else:
        require(cleaned == (" " if flags & SPACE else c), f"{c!r} is cleaned to {cleaned!r}")
    if CHINESE_CHARS.normalize_str(c) != c:
        flags |= CHINESE
    if lowered != c:
        flags |= LOWERS
    if all(combining_class(part) for part in inside(NFD, c)):
        flags |= NONSTARTER
    if code_point in HANGUL_SYLLABLES:
        require(stripped == unicodedata.normalize("NFD", c), f"{c!r} becomes {stripped!r}")
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
    """Check what the core takes for granted."""
    apart = SPACE | PUNCTUATION
    for code_point, (flags, _, stripped, lowered) in records.items():
        c = chr(code_point)
        both = LOWER.normalize_str(stripped)
        parts = "".join(records[ord(part)][3] or part for part in stripped)
        longest = max(map(len, (stripped, lowered, both)))
        require(longest <= len(c.encode()), f"{c!r} becomes more code points than it has bytes")
        require(both == parts, f"{stripped!r} is lowercased to {both!r}")
        kinds = [records[ord(part)][0] & apart for part in (*stripped, *lowered)]
        if flags & (apart | CHINESE):
            require(not lowered and len(stripped) <= 1, f"{c!r} becomes more than one word")
            require(all(kind == flags & apart for kind in kinds), f"{c!r} becomes another kind")
        require(longest <= 1 or not any(kinds), f"{c!r} becomes more than one word")
        require(SPACE not in kinds or bool(flags & SPACE), f"{c!r} becomes a space")
    marks = [c for c, (flags, klass, _, _) in records.items() if klass and not flags & STRIPS]
    for first in marks:
        for second in marks:
            pair = chr(first) + chr(second)
            sorted_pair = pair[::-1] if records[first][1] > records[second][1] else pair
            require(inside(STRIP, pair) == sorted_pair, f"the marks {pair!r} change places")


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
