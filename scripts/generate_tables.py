"""Write the tables that the core reads in place: token vocabularies and Unicode classes.

Run it again only when a vocabulary or a Unicode version changes::

    python scripts/generate_tables.py --vocabularies FOLDER

``FOLDER`` holds ``r50k_base.tiktoken``, ``cl100k_base.tiktoken`` and ``o200k_base.tiktoken``, or
the same files under the names of tiktoken's cache.  They are OpenAI's, MIT-licensed, and verified
here by SHA-256.  ``p50k_base.tiktoken`` does in place of ``r50k_base.tiktoken``: it begins with
all lines of that file.
The Unicode classes are read off tiktoken itself, code point by code point, so that they are of the
Unicode version that its regular expressions use.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import struct
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "rust" / "text" / "data"

VOCABULARIES = {
    "r50k_base": (
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4",
    ),
    "cl100k_base": (
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    ),
    "o200k_base": (
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
    ),
}

# Files that begin with all lines of another one: their names, and how many lines these are.
LONGER = {
    "r50k_base": (("p50k_base.tiktoken", "ec7223a39ce59f226a68acc30dc1af2788490e15"), 50_256),
}

# Bits of a class; measure/bpe/classes.rs names the same ones.
CLASSES = {
    1: r"\p{L}",
    2: r"[\p{Lu}\p{Lt}]",
    4: r"\p{Ll}",
    8: r"\p{M}",
    16: r"\p{N}",
    32: r"\s",
    64: r"[\r\n]",
}

MASK = (1 << 64) - 1
HASH_MULTIPLIER = 0x9E37_79B9_7F4A_7C15
EMPTY_SLOT = 0xFFFF_FFFF
RANK_BITS = 18
TAG_BITS = 32 - RANK_BITS
TAG_SHIFT = 20
PAIR_BYTES = 2
REACH_BYTES = 3
SURROGATES = range(0xD800, 0xE000)
MAGIC = b"cwbpe002"
# So many bytes may be read from the start of any token.
TOKEN_PADDING = 16


def hash_bytes(token: bytes) -> int:
    """Hash as ``vocabulary::hash`` does."""
    h = (len(token) * HASH_MULTIPLIER) & MASK
    for i in range(0, len(token), 8):
        word = int.from_bytes(token[i : i + 8].ljust(8, b"\0"), "little")
        mixed = h ^ word
        h = (((mixed << 23) | (mixed >> 41)) & MASK) * HASH_MULTIPLIER & MASK
    return h


def read_vocabulary(name: str, folder: Path) -> list[bytes]:
    """Read tokens in rank order from a hash-verified ``.tiktoken`` file."""
    sha256, cache_name = VOCABULARIES[name]
    longer, n_lines = LONGER.get(name, ((), None))
    names = {f"{name}.tiktoken": None, cache_name: None} | dict.fromkeys(longer, n_lines)
    path = next((folder / file for file in names if (folder / file).exists()), None)
    if path is None:
        sys.exit(f"{name}: {folder} has none of {', '.join(names)}")
    content = b"".join(path.read_bytes().splitlines(keepends=True)[: names[path.name]])
    if hashlib.sha256(content).hexdigest() != sha256:
        sys.exit(f"{path}: SHA-256 is not {sha256}")
    pairs = (line.split() for line in content.splitlines() if line)
    ranks = {int(rank): base64.b64decode(token) for token, rank in pairs}
    if sorted(ranks) != list(range(len(ranks))):
        sys.exit(f"{path}: ranks are not contiguous")
    return [ranks[i] for i in range(len(ranks))]


def hash_slots(tokens: list[bytes], bits: int) -> list[int]:
    """Fill an open-addressing table: each slot is a rank below a tag of the hash, or empty."""
    slots = [EMPTY_SLOT] * (1 << bits)
    for rank, token in enumerate(tokens):
        h = hash_bytes(token)
        at = h >> (64 - bits)
        while slots[at] != EMPTY_SLOT:
            at = (at + 1) % len(slots)
        slots[at] = ((h >> TAG_SHIFT) & ((1 << TAG_BITS) - 1)) << RANK_BITS | rank
    return slots


def reach_table(tokens: list[bytes]) -> bytes:
    """For each hash of three bytes: the length of the longest token that begins with them."""
    reach = bytearray(1 << 16)
    for token in tokens:
        if len(token) >= REACH_BYTES:
            word = int.from_bytes(token[:REACH_BYTES], "little")
            at = ((word * HASH_MULTIPLIER) & MASK) >> 48
            reach[at] = max(reach[at], len(token))
    return bytes(reach)


def pair_table(tokens: list[bytes]) -> list[int]:
    """For each two bytes, the first one counting 256: their rank, or that of no token."""
    pairs = [EMPTY_SLOT] * (1 << 16)
    for rank, token in enumerate(tokens):
        if len(token) == PAIR_BYTES:
            pairs[int.from_bytes(token, "big")] = rank
    return pairs


def vocabulary_table(tokens: list[bytes]) -> bytes:
    """Lay a vocabulary out as ``measure/bpe/vocabulary.rs`` reads it."""
    bits = (2 * len(tokens)).bit_length()
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    header = struct.pack("<8sIIII", MAGIC, len(tokens), bits, max(map(len, tokens)), offsets[-1])
    pairs = pair_table(tokens)
    slots = hash_slots(tokens, bits)
    return b"".join(
        [
            header,
            reach_table(tokens),
            struct.pack(f"<{len(pairs)}I", *pairs),
            struct.pack(f"<{len(slots)}I", *slots),
            struct.pack(f"<{len(offsets)}I", *offsets),
            *tokens,
            bytes(TOKEN_PADDING),
        ]
    )


def unicode_classes() -> bytes:
    """Classify every code point with tiktoken's own regular expressions."""
    import tiktoken

    single_bytes = {bytes([i]): i for i in range(256)}
    classes = bytearray(0x110000)
    for bit, pattern in CLASSES.items():
        probe = tiktoken.Encoding(
            f"probe{bit}", pat_str=pattern, mergeable_ranks=single_bytes, special_tokens={}
        )
        for code_point in range(0x110000):
            if code_point not in SURROGATES and probe.encode_ordinary(chr(code_point)):
                classes[code_point] |= bit
    return bytes(classes)


def two_stage(classes: bytes) -> bytes:
    """Share equal blocks of 256 code points: 4,352 block numbers, then the blocks."""
    blocks: dict[bytes, int] = {}
    numbers = bytearray()
    for start in range(0, len(classes), 256):
        block = bytes(classes[start : start + 256])
        numbers.append(blocks.setdefault(block, len(blocks)))
    return bytes(numbers) + b"".join(blocks)


def main() -> None:
    """Write all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocabularies", type=Path, required=True)
    folder = parser.parse_args().vocabularies
    DATA.mkdir(exist_ok=True)
    for name in VOCABULARIES:
        table = vocabulary_table(read_vocabulary(name, folder))
        (DATA / f"{name}.bin").write_bytes(table)
    (DATA / "unicode_classes.bin").write_bytes(two_stage(unicode_classes()))


if __name__ == "__main__":
    main()
