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

__all__ = ["BaseDocumentTransformer", "Document", "copier", "made"]

_ATOMS = frozenset({str, int, float, bool, type(None), bytes})


def copier(metadata: dict[Any, Any]) -> Callable[[], dict[Any, Any]]:
    """Return what makes deep copies; of flat metadata fast ones."""
    if type(metadata) is dict and _ATOMS.issuperset(map(type, chain(metadata, metadata.values()))):
        return metadata.copy
    return partial(copy.deepcopy, metadata)


# What pydantic keeps of an object beside its fields; ours has nothing else.
_SLOTS = tuple(
    name for name in getattr(Document, "__slots__", ()) if name.startswith("__pydantic_")
)
_SET = "__pydantic_fields_set__"


def made(chunk: str, metadata: dict[Any, Any]) -> Document:
    """Return a document, as its constructor leaves it.

    Of a `str` and a `dict` it needs no validation, which takes more time than to split the text.
    """
    if type(chunk) is not str or type(metadata) is not dict or not _SLOTS:
        return Document(page_content=chunk, metadata=metadata)
    document = object.__new__(Document)
    fields = _EMPTY.__dict__ | {"page_content": chunk, "metadata": metadata}
    object.__setattr__(document, "__dict__", fields)
    for name in _SLOTS:
        value = set(_EMPTY.__pydantic_fields_set__) if name == _SET else getattr(_EMPTY, name)
        object.__setattr__(document, name, value)
    return document


_EMPTY: Any = Document(page_content="", metadata={})
