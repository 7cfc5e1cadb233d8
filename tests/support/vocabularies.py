"""Vocabularies of tiktoken without network: its files, written from the tables of the core."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from chunkwright import _core
from tests.support.long_texts import NO_SHARED_DATA, shared_data

BUILT_IN = ("cl100k_base", "o200k_base")
# Is in no table of the core: it is tested where its file is.
OTHER = "p50k_base"
# An encoding that neither library has by itself.
OWN = "own_base"
_N_OWN = 20_000


def content_of(name: str) -> bytes:
    """Return a vocabulary as tiktoken's file has it: a token and its rank to a line."""
    table = _core.Tokenizer.named(name)
    tokens = (table.decode([rank]) for rank in range(table.max_id + 1))
    return b"".join(b"%b %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens))


def cached_name(name: str) -> str:
    """Return what tiktoken calls the file in its cache."""
    url = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


def downloaded(name: str) -> Path | None:
    """Return tiktoken's own file, where the folder of shared test data has it."""
    folder = shared_data()
    file = folder and folder / "data" / "tiktoken-cache" / cached_name(name)
    return file if file and file.is_file() else None


def write_cache(folder: Path) -> None:
    """Make a cache of tiktoken's, which takes no file of another SHA-256 than its own."""
    for name in BUILT_IN:
        (folder / cached_name(name)).write_bytes(content_of(name))
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

    table = _core.Tokenizer.named(BUILT_IN[0])
    return {
        "name": OWN,
        "pat_str": r50k_pat_str,
        "mergeable_ranks": {table.decode([rank]): rank for rank in range(_N_OWN)},
        "special_tokens": {ENDOFTEXT: _N_OWN},
    }
