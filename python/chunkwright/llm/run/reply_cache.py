"""Cache of a model's replies, by what was asked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkwright.files.disk_cache import DiskCache, cache_folder_of
from chunkwright.llm.adapters.adapter import reply_of
from chunkwright.llm.protocol import Reply, Schema, Usage

KIND = "replies"
# Values of an entry: the text, four counts of tokens, and whether it was cut off.
_LENGTH = 6
# No reply has so many tokens: what they cost could not be computed.
_TOO_MANY = 1 << 53


def replies_folder() -> Path:
    """Return the default folder of replies, which need not exist.

    It is ``replies`` in the folder that the environment variable ``CHUNKWRIGHT_CACHE`` names, or
    else in the system's folder for caches of the user.

    Raises
    ------
    MissingExtraError
        If the library platformdirs is needed and not installed.
    """
    return cache_folder_of(KIND)


class Replies:
    """Replies of one model in a folder, by the keys of their requests.

    They are kept as they came, with their tokens. Keys are hashes: of a request nothing is kept.

    Parameters
    ----------
    folder
        Where.
    fingerprint
        That of the model.
    """

    def __init__(self, folder: str | os.PathLike[str], fingerprint: str) -> None:
        self._disk = DiskCache(Path(folder), KIND, fingerprint)

    def get(self, asked: Mapping[bytes, Schema | None]) -> dict[bytes, Reply]:
        """Return the replies that are there.

        Parameters
        ----------
        asked
            The schemas that were asked for, by the keys of their requests.
        """
        found = self._disk.get(list(asked))
        replies = {key: _decoded(value, asked[key]) for key, value in found.items()}
        return {key: reply for key, reply in replies.items() if reply is not None}

    def put(self, replies: Mapping[bytes, Reply]) -> None:
        """Keep some replies."""
        self._disk.put({key: _encoded(reply) for key, reply in replies.items()})


def _encoded(reply: Reply) -> bytes:
    usage = reply.usage
    numbers = [
        usage.input_tokens,
        usage.cached_tokens,
        usage.output_tokens,
        usage.written_tokens,
    ]
    return json.dumps([reply.text, *numbers, reply.truncated]).encode()


def _decoded(value: bytes, schema: Schema | None) -> Reply | None:
    """Return the reply that an entry holds; None if it is not one that was written here."""
    try:
        entry = json.loads(value)
    except (ValueError, RecursionError):
        return None
    if not _is_entry(entry):
        return None
    text, *numbers, truncated = entry
    reply = reply_of(text, schema)
    return Reply(reply.text, reply.parsed, Usage(*numbers), truncated)


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, list) or len(entry) != _LENGTH:
        return False
    text, *numbers, truncated = entry
    are_counts = all(type(number) is int and 0 <= number < _TOO_MANY for number in numbers)
    return isinstance(text, str) and isinstance(truncated, bool) and are_counts
