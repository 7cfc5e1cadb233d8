"""Vocabularies of tiktoken without network: its files, written from the tables of the core."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chunkwright import _core
from tests.support.long_texts import NO_SHARED_DATA, shared_data

FILES = ("r50k_base", "cl100k_base", "o200k_base")
"""Encodings that tiktoken reads from a file of their name."""
# Has the tokens of r50k_base, and two files that say so in another way.
GPT2 = "gpt2"
BUILT_IN = (*FILES, GPT2)
# Is in no table of the core: it is tested where its file is.
OTHER = "p50k_base"
# An encoding that neither library has by itself.
OWN = "own_base"
_N_OWN = 20_000


def content_of(name: str) -> bytes:
    """Return a vocabulary as tiktoken's file has it: a token and its rank to a line."""
    tokens = tokens_of(name)
    return b"".join(b"%b %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens))


def tokens_of(name: str) -> list[bytes]:
    """Return the tokens of a vocabulary in the order of their ranks."""
    table = _core.Tokenizer.named(name)
    return [table.decode([rank]) for rank in range(table.max_id + 1)]


def gpt2_files() -> dict[str, bytes]:
    """Return the files of GPT-2 as its owner has them, made of the core's table.

    They are written in GPT-2's letters, which stand for bytes; one has the tokens with their ids,
    the other two tokens to a line, by their rank, which are joined to the next one.
    """
    tokens = tokens_of(GPT2)
    ranks = {token: rank for rank, token in enumerate(tokens)}
    letters = _letters_of_bytes()
    written = ["".join(letters[byte] for byte in token) for token in tokens]
    ids = {token: rank for rank, token in enumerate([*written, "<|endoftext|>"])}
    parts = ([tokens[i] for i in pair] for pair in _merges(tokens, ranks))
    lines = (" ".join("".join(letters[byte] for byte in part) for part in two) for two in parts)
    merges = "".join(f"{line}\n" for line in ["#version: 0.2", *lines])
    return {"encoder.json": json.dumps(ids).encode(), "vocab.bpe": merges.encode()}


def _letters_of_bytes() -> dict[int, str]:
    """Return the letter that stands for each byte: itself, or one behind all bytes."""
    shown = [byte for byte in range(256) if chr(byte).isprintable() and byte != ord(" ")]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {byte: chr(byte) for byte in shown} | {
        byte: chr(256 + i) for i, byte in enumerate(hidden)
    }


def _merges(tokens: list[bytes], ranks: dict[bytes, int]) -> Iterator[list[int]]:
    """Yield the ranks of the two tokens that each token of more than a byte is joined of."""
    for token in tokens[256:]:
        parts = [token[i : i + 1] for i in range(len(token))]
        while len(parts) > 2:
            joined = [ranks.get(one + two, len(ranks)) for one, two in itertools.pairwise(parts)]
            at = joined.index(min(joined))
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        yield [ranks[part] for part in parts]


def cached_name(name: str, folder: str = "encodings") -> str:
    """Return what tiktoken calls the file in its cache."""
    file = name if "." in name else f"{name}.tiktoken"
    url = f"https://openaipublic.blob.core.windows.net/{folder}/{file}"
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


def downloaded(name: str) -> Path | None:
    """Return tiktoken's own file, where the folder of shared test data has it."""
    folder = shared_data()
    file = folder and folder / "data" / "tiktoken-cache" / cached_name(name)
    return file if file and file.is_file() else None


def write_cache(folder: Path) -> None:
    """Make a cache of tiktoken's, which takes no file of another SHA-256 than its own."""
    for name in FILES:
        (folder / cached_name(name)).write_bytes(content_of(name))
    for name, content in gpt2_files().items():
        (folder / cached_name(name, "gpt-2/encodings/main")).write_bytes(content)
    if file := downloaded(OTHER):
        # A copy: tiktoken removes what it finds damaged.
        (folder / cached_name(OTHER)).write_bytes(file.read_bytes())


needs_other = pytest.mark.skipif(downloaded(OTHER) is None, reason=NO_SHARED_DATA)


def encodings_not_built_in() -> list[str]:
    """Return the names of encodings that tiktoken has and the core has not.

    The first one is made here, of the pattern and some tokens of two others.
    """
    from tiktoken import registry

    # Finds what is installed; without that, a name that is added would hide it.
    registry.list_encoding_names()
    registry.ENCODING_CONSTRUCTORS[OWN] = _own  # type: ignore[index]
    return [OWN, *([OTHER] if downloaded(OTHER) else [])]


def _own() -> dict[str, Any]:
    from tiktoken_ext.openai_public import ENDOFTEXT, r50k_pat_str

    ranks = {token: rank for rank, token in enumerate(tokens_of("cl100k_base")[:_N_OWN])}
    return {
        "name": OWN,
        "pat_str": r50k_pat_str,
        "mergeable_ranks": ranks,
        "special_tokens": {ENDOFTEXT: _N_OWN},
    }
