"""A ``tokenizer.json`` of cl100k_base for tokie, made from tiktoken's own vocabulary.

tokie reads the JSON of the ``tokenizers`` library, which keeps a BPE vocabulary as a list of
merges; tiktoken keeps ranks only. Each token's last merge is found by running BPE on the token
with every rank below its own.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from lib.corpus import data_folder

if TYPE_CHECKING:
    from pathlib import Path

    import tiktoken

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def tokenizer_json() -> Path:
    """Write the file once and return its path.

    Returns
    -------
    Path
        ``benches/.data/cl100k_base.json``, which git ignores.
    """
    path = data_folder() / "cl100k_base.json"
    if not path.exists():
        import tiktoken

        path.write_text(json.dumps(_document(tiktoken.get_encoding("cl100k_base"))))
    return path


def _document(encoding: tiktoken.Encoding) -> dict[str, object]:
    ranks = _ranks(encoding)
    letters = _byte_letters()
    spelled = {token: "".join(letters[byte] for byte in token) for token in ranks}
    merges = [
        [spelled.get(part) or _spell(part, letters) for part in _last_merge(token, ranks)]
        for token in sorted(ranks, key=ranks.__getitem__)
        if len(token) > 1
    ]
    vocabulary = {spelled[token]: rank for token, rank in ranks.items()}
    return _frame(
        {"type": "BPE", "dropout": None, "unk_token": None, "vocab": vocabulary, "merges": merges}
    )


def _ranks(encoding: tiktoken.Encoding) -> dict[bytes, int]:
    special = encoding.special_tokens_set
    plain = (t for t in encoding.token_byte_values() if t.decode("utf-8", "replace") not in special)
    return {token: encoding.encode_single_token(token) for token in plain}


def _frame(model: dict[str, object]) -> dict[str, object]:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    split = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Removed", "invert": True}
    steps = [split, byte_level | {"use_regex": False}]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "post_processor": None,
        "decoder": byte_level | {"use_regex": True},
        "model": model,
    }


def _spell(part: bytes, letters: dict[int, str]) -> str:
    return "".join(letters[byte] for byte in part)


def _byte_letters() -> dict[int, str]:
    """GPT-2's printable letter for each byte: itself where visible, else from U+0100 on."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in set(visible)]
    return {b: chr(b) for b in visible} | {b: chr(0x100 + n) for n, b in enumerate(hidden)}


def _last_merge(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:  # noqa: PLR2004 - the merge that is left is the token's own
        pairs = [ranks.get(a + b, len(ranks)) for a, b in itertools.pairwise(parts)]
        at = min(range(len(pairs)), key=pairs.__getitem__)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts
