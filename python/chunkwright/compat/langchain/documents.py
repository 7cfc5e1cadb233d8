"""LangChain's documents, or ours where it is not installed, and copies of their metadata."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentTransformer, Document
else:
    try:
        from langchain_core.documents import BaseDocumentTransformer, Document
    except ImportError:
        from .fallback import BaseDocumentTransformer, Document

__all__ = ["BaseDocumentTransformer", "Document", "copier"]

_ATOMS = frozenset({str, int, float, bool, type(None), bytes})


def copier(metadata: dict[Any, Any]) -> Callable[[], dict[Any, Any]]:
    """Return what makes deep copies; of flat metadata fast ones."""
    if type(metadata) is dict and _ATOMS.issuperset(map(type, chain(metadata, metadata.values()))):
        return metadata.copy
    return partial(copy.deepcopy, metadata)
