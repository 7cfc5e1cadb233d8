"""Vectors of texts: embedders of chunkwright, and of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.embed.lexical import Lexical
from chunkwright.embed.protocol import (
    Embedder,
    EmbedderLike,
    as_embedder,
    core_embedder,
    core_embedders,
)

if TYPE_CHECKING:
    from chunkwright.embed.cache import (
        Cached,
        CachedModel,
        cache_folder,
        cached_models,
        clear_cache,
    )
    from chunkwright.embed.onnx import Onnx
    from chunkwright.embed.openai import OpenAICompatible
    from chunkwright.embed.static import Static
else:
    # What needs a model is imported when it is asked for: most who import chunkwright need none.
    _MODULES = {
        "Cached": "cache",
        "CachedModel": "cache",
        "Onnx": "onnx",
        "OpenAICompatible": "openai",
        "Static": "static",
        "cache_folder": "cache",
        "cached_models": "cache",
        "clear_cache": "cache",
    }

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "Cached",
    "CachedModel",
    "Embedder",
    "EmbedderLike",
    "Lexical",
    "Onnx",
    "OpenAICompatible",
    "Static",
    "as_embedder",
    "cache_folder",
    "cached_models",
    "clear_cache",
    "core_embedder",
    "core_embedders",
]
