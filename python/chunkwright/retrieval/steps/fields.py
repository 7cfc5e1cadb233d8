"""Fields of chunks: what words are looked for in beside their texts, and what each counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from chunkwright import _core
from chunkwright.checks import checked_number
from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import is_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


PATH = "path"
SCOPE = "scope"
DOCUMENT = "document"
# As many texts as a segment of an index holds.
_SEGMENT_TEXTS = 65536
# The greatest weight, as the core has it.
_MOST = 1e6


class FieldWeights(dict[str, float]):
    """Weights of fields by their names, which do not change; made by :func:`checked_weights`."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FieldWeights, (dict(self),)

    def _refuse(self, *_given: object, **_named: object) -> NoReturn:
        raise TypeError("weights of fields do not change: make a new Retriever")

    __setitem__: Any = _refuse
    __delitem__: Any = _refuse
    __ior__: Any = _refuse
    clear: Any = _refuse
    pop: Any = _refuse
    popitem: Any = _refuse
    setdefault: Any = _refuse
    update: Any = _refuse


FIELD_WEIGHTS = FieldWeights({name: weight for name, weight, _ in _core.bm25_fields()})
"""What each field counts if nothing else is said; the text of a chunk counts 1."""


def checked_weights(given: object) -> FieldWeights:
    """Return weights of all fields; those that are not given count what they do by default.

    Raises
    ------
    ConfigError
        If they are no weights by name, there is no such field, or a weight is out of range.
    """
    if not isinstance(given, Mapping):
        raise ConfigError(f"field_weights must map fields to weights, got {given!r}")
    weights = dict(FIELD_WEIGHTS)
    for name, weight in given.items():
        if not isinstance(name, str):
            raise ConfigError(f"field_weights must map names of fields to weights, got {name!r}")
        # An unknown name is told before its weight.
        _core.check_field_weight(name, 0.0)
        label = f"field_weights[{name!r}]"
        weights[name] = checked_number(label, weight, least=0, most=_MOST)
    return FieldWeights(weights)


def scope_text(scope: str | None, name: str | None) -> str:
    """Return the text of the field of scopes for a chunk of that scope and name."""
    own = name if name and not f".{scope}".endswith(f".{name}") else ""
    return f"{scope or ''} {own}".strip()


@dataclass(frozen=True, eq=False)
class Fields:
    """Fields of chunks.

    Parameters
    ----------
    texts
        The text of each chunk by the name of the field; empty where a chunk has none.
    documents
        The number of each chunk's document; -1 for one whose words do not count together.
    """

    texts: Mapping[str, Sequence[str]]
    documents: NDArray[np.int64]

    @classmethod
    def of_names(
        cls, names: Iterable[object], scopes: Sequence[str] | None = None
    ) -> Fields | None:
        """Return the fields of chunks by the names of their documents; None if none is code.

        Parameters
        ----------
        names
            The name of each chunk's document. What is no name of a source file has no fields: in
            prose, names of files say little, and long documents are of many things.
        scopes
            The names of the definitions that each chunk is in, if they are known.
        """
        import numpy as np

        is_known: dict[object, bool] = {}
        numbers: dict[object, int] = {}
        paths: list[str] = []
        documents: list[int] = []
        for name in names:
            path = name if isinstance(name, str) else ""
            if path not in is_known:
                is_known[path] = is_code(path)
            is_source = is_known[path]
            paths.append(path if is_source else "")
            documents.append(numbers.setdefault(path, len(numbers)) if is_source else -1)
        if not numbers:
            return None
        texts: dict[str, Sequence[str]] = {PATH: paths}
        if scopes is not None:
            texts[SCOPE] = scopes
        return cls(texts, np.array(documents, np.int64))

    def are_of(self, n: int) -> bool:
        """Return whether they are the fields of so many chunks."""
        documents = self.documents
        are_numbers = documents.shape == (n,) and documents.dtype.str == "<i8"
        return are_numbers and all(len(texts) == n for texts in self.texts.values())

    def core(
        self, index: _core.Bm25, weights: Mapping[str, float], subwords: str | None
    ) -> _core.Bm25Fields | None:
        """Return what scores them beside the texts of an index; None if none counts."""
        segments = {
            name: [
                _core.Bm25Segment(list(texts[first : first + _SEGMENT_TEXTS]), subwords=subwords)
                for first in range(0, len(texts), _SEGMENT_TEXTS)
            ]
            for name, texts in self.texts.items()
            if weights[name] > 0
        }
        return core_fields(index, weights, segments, self.documents)


def core_fields(
    index: _core.Bm25,
    weights: Mapping[str, float],
    segments: Mapping[str, Sequence[_core.Bm25Segment]],
    documents: NDArray[np.int64],
) -> _core.Bm25Fields | None:
    """Return what scores fields beside the texts of an index; None if none counts.

    Parameters
    ----------
    index
        The index of the texts.
    weights
        What each field counts.
    segments
        Segments of the texts of fields by their names.
    documents
        As those of :class:`Fields`.
    """
    counted = [(name, [*of], weights[name]) for name, of in segments.items() if weights[name] > 0]
    together: Any = (documents, weights[DOCUMENT]) if weights[DOCUMENT] > 0 else None
    if not counted and together is None:
        return None
    return index.fields(counted, together)
