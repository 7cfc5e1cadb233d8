"""Names of models, by which a store tells their vectors apart."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING
from weakref import finalize

from chunkwright.embed.protocol import as_embedder, core_embedder
from chunkwright.embed.wrapped import Wrapped

if TYPE_CHECKING:
    from chunkwright.embed.protocol import EmbedderLike

_NAMES = ("model", "model_name", "model_id", "deployment")
# Attributes by which a model is reached; they do not change its vectors.
_OPERATIONAL = re.compile(
    "key|token|secret|password|url|base|timeout|retr|batch|chunk|progress|cache|client|proxy"
    "|header|request|thread|worker|device|allowed|disallowed|organi|verbose|limit"
)
_PROBE = "Rain fell on the hills, and nobody counted the drops."
# Of models that had to be asked, by their ids while they live: many have no hash.
_samples: dict[int, str] = {}


def name_of(model: EmbedderLike) -> str:
    """Return what tells a model from others.

    It is the model's fingerprint. Where it has none, it is the name of its class, what it calls its
    model, and the options that it was made with, such as its dimensions; of a model that calls
    itself nothing also what it makes of a sentence, which is asked once.

    Raises
    ------
    ConfigError
        If it is no model.
    ModelError
        If it fails.
    """
    embedder = as_embedder(model)
    return embedder.fingerprint or _described(
        embedder.source if isinstance(embedder, Wrapped) else embedder
    )


def _described(model: EmbedderLike) -> str:
    kind = type(model)
    called = next((of for name in _NAMES if (of := getattr(model, name, None))), "")
    parts = [f"{kind.__module__}.{kind.__qualname__}:{called}", *_options(model)]
    return ":".join(parts if called else [*parts, _sample(model)])


def _options(model: object) -> list[str]:
    """Return the options that a model was made with, as JSON; none if it was made without."""
    own = getattr(model, "model_fields_set", None)
    names = own if own is not None else getattr(model, "__dict__", {})
    values = {name: getattr(model, name, None) for name in names if isinstance(name, str)}
    kept = {
        name: value
        for name, value in values.items()
        if name not in _NAMES
        and not name.startswith("_")
        and not _OPERATIONAL.search(name.lower())
        and isinstance(value, str | int | float | dict | list | tuple)
    }
    return [json.dumps(kept, sort_keys=True, default=repr)] if kept else []


def _sample(model: EmbedderLike) -> str:
    """Return what tells a model by its vectors: how many numbers, and a hash of some."""
    import numpy as np

    key = id(model)
    if key in _samples:
        return _samples[key]
    vector = np.asarray(core_embedder(model).embed([_PROBE]), np.float64)[0]
    # The last digits differ from machine to machine.
    rounded = np.round(vector / (np.abs(vector).max() or 1.0), 2) + 0.0
    sample = f"{vector.size}-{sha256(rounded.tobytes()).hexdigest()[:16]}"
    # Objects that take no weak reference are asked each time.
    with suppress(TypeError):
        finalize(model, _samples.pop, key, None)
        _samples[key] = sample
    return sample
