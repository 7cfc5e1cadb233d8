"""Auto strategy: each document is cut by the strategy that its kind wants."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from chunkwright import _core
from chunkwright.chunking.bases.options import Sizes, Takes, set_derived
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.batch import CoreSource
from chunkwright.chunking.grammars import load
from chunkwright.chunking.languages import markup_of_language, separators_for_language
from chunkwright.chunking.separators import as_data
from chunkwright.chunking.strategies.json import log_unplaced
from chunkwright.chunking.strategies.sections import Hybrid
from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.readers.kinds import LANGUAGES, MARKUPS, is_yaml, language_of
from chunkwright.rows import OF_ELEMENTS

# What names tell: YAML, and the languages that separators are known of. The core knows the numbers.
_YAML = "yaml"
# What is said of marks is refused under this strategy's own name.
_MARKS = {"split_at", "keep_mark"}
_NOT_TOLD = {"language", *_MARKS}
_SHARED = [each.name for each in fields(Sizes) if each.init and each.name not in _MARKS]
_TOLD = (_YAML, *sorted({*LANGUAGES.values(), *MARKUPS}))
_CODE = {name for name, _, _, files in _core.code_languages() if files == "code"}
_NUMBERS = {kind: number for number, kind in enumerate(_TOLD)}


@cache
def _told(kind: str) -> dict[str, Any]:
    """Return what the spec for documents of a kind has beside the sizes."""
    if kind == _YAML:
        # What is repeated would be there twice.
        return {"strategy": "json", "syntax": "yaml", "overlap": 0}
    if kind in _CODE:
        return {"strategy": "code", "language": kind}
    separators = list(map(as_data, separators_for_language(kind)))
    return {
        "strategy": "recursive",
        "separators": separators,
        "markup": markup_of_language(kind),
    }


@dataclass(frozen=True, kw_only=True)
class Auto(Strategy):
    r"""Cut each document by the strategy for its kind, for folders with files of all kinds.

    ==============================  ===============================================================
    Strategy                        Document
    ==============================  ===============================================================
    :class:`chunkwright.Hybrid`     with elements: what :func:`chunkwright.read` makes of Markdown,
                                    reStructuredText, HTML, CSV, a DoclingDocument or
                                    Unstructured's elements, or a list of these
    :class:`chunkwright.Json`       a text that is JSON or JSON Lines, by its content: it begins
                                    with an object or an array; with ``syntax="yaml"`` a text
                                    whose name ends in ``.yaml`` or ``.yml``
    :class:`chunkwright.Code`       source code, by the name, such as ``main.rs`` and ``view.tsx``,
                                    or by a first line such as ``#!/bin/bash``
    :class:`chunkwright.Recursive`  any other text
    ==============================  ===============================================================

    A file that is not what its name says, such as a ``.json`` file with comments, is cut as any
    other text: no document fails because of its kind. A plain text is cut at its paragraphs, and
    not between sentences as by ``hybrid``, so that headings, lists and code in it stay together.

    Tables have no names of files, so :meth:`chunkwright.chunking.Strategy.arrow` cuts YAML and
    source code as any other text.

    The options are those that all of these strategies share, and the ``language`` of documents with
    elements. An ``overlap`` is for texts and documents: chunks of JSON and YAML have none, since
    what is repeated would be there twice.

    Parameters
    ----------
    language
        The language of documents with elements, as :func:`chunkwright.split_sentences` takes it.
        Other texts are not cut between sentences.
    split_at
        Not for this strategy: only strategies over text cut at marks that you choose.
    keep_mark
        Not for this strategy: only strategies over text cut at marks that you choose.
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> splitter = cw.Auto(max_chars=24)
    >>> splitter('{"tea": [1, 2, 3], "milk": [4, 5]}').texts()
    ['{"tea": [1, 2, 3]}', '{"milk": [4, 5]}']
    >>> code = "import os\n\ndef f():\n    pass\n\ndef g():\n    return 1\n"
    >>> splitter(code, name="tools.py").texts()
    ['import os', 'def f():\n    pass', 'def g():\n    return 1']
    >>> page = cw.read(b"<h1>Rain</h1><p>It rained.<p>For days.", name="rain.html")
    >>> splitter(page)[0].text
    'Rain\n\nIt rained.'
    """

    name = "auto"
    takes: ClassVar[tuple[Takes, ...]] = ("text", "elements", "json")
    columns = OF_ELEMENTS
    _tells_kinds = True

    language: str = "en"

    _hybrid: Hybrid = field(init=False, repr=False, compare=False)

    def _beside(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in _SHARED}
        # It reads documents with elements.
        set_derived(self, "_hybrid", Hybrid(**{**own, "tokenizer": self._tokenizer}))
        sizes = {name: value for name, value in self._data().items() if name not in _NOT_TOLD}
        return {"told": [{**sizes, **_told(kind)} for kind in _TOLD]}

    def _read(self, source: object, at: int | None = None) -> Document:
        return self._hybrid._read(source, at)  # noqa: SLF001

    def _log(self, chunks: Chunks) -> Chunks:
        log_unplaced(chunks, lambda document: document.elements is None and is_yaml(document.name))
        return chunks

    def _told(self, source: str | _core.Elements, name: str | None) -> CoreSource:
        if not isinstance(source, str):
            return source
        kind = _YAML if is_yaml(name) else language_of(name, source)
        if kind is None:
            return source
        if kind in _CODE:
            load(kind)
        return source, _NUMBERS[kind]
