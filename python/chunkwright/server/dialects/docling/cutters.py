"""Cutter of a job: the tokenizer that its options name, and the limit that its model has."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from chunkwright import Tokenizer
from chunkwright.server.models.named import Models
from chunkwright.server.problems import Problem

from .chunks import Cutter
from .options import DEFAULT_TOKENIZER, HybridOptions
from .requests import Job

_LENGTHS = "sentence_bert_config.json"
# The model's own, where there is only its tokenizer.json.
_DEFAULT_LENGTH = 256


def cutter_of(job: Job, models: Models) -> Cutter | None:
    """Return what cuts the documents of a job; None if they are not cut.

    Parameters
    ----------
    job
        The job.
    models
        The tokenizers that requests may name.

    Raises
    ------
    Problem
        If the service has no such tokenizer, or nothing says how long a chunk may be.
    """
    options = job.cuts
    if options is None:
        return None
    if not isinstance(options, HybridOptions):
        return Cutter(options, None, 0)
    tokenizer = models.tokenizer(options.tokenizer, field=f"{job.at}tokenizer")
    most = options.max_tokens or _length(tokenizer, options.tokenizer)
    if most is None:
        message = f"the tokenizer {options.tokenizer!r} states no limit of its model: give one"
        raise Problem(422, "invalid_value", message, field=f"{job.at}max_tokens")
    return Cutter(options, tokenizer, most)


def _length(tokenizer: Tokenizer, name: str) -> int | None:
    """Return how many tokens the tokenizer's model takes, as a file beside it says."""
    if isinstance(tokenizer.source, str | PathLike):
        path = Path(tokenizer.source)
        file = (path if path.is_dir() else path.parent) / _LENGTHS
        try:
            found = json.loads(file.read_bytes())["max_seq_length"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            found = None
        if isinstance(found, int) and found > 0:
            return found
    return _DEFAULT_LENGTH if name == DEFAULT_TOKENIZER else None
