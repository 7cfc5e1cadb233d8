"""Counts of a run, which add up over shards, and who is told of them while it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from chunkwright.errors import ChunkwrightError, MissingExtraError, ReadError
from chunkwright.io.progress import Progress, Step

Stage = Literal["read", "cut", "embed", "write"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or a part of an input, that failed and has no chunks.

    Parameters
    ----------
    unit
        The input, or the part of it.
    place
        The place in it: a row such as ``name:12``, or a byte.
    stage
        The stage that failed: ``"read"``, ``"cut"``, ``"embed"`` or ``"write"``.
    kind
        The class of the error.
    message
        The message of the error.
    document, document_id
        The document's name and id, if known.
    parts
        The message, and the options that it names; see :class:`chunkwright.ChunkwrightError`.
    """

    unit: str
    place: str
    stage: Stage
    kind: str
    message: str
    document: str | None = None
    document_id: str | None = None
    parts: tuple[object, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.parts:
            object.__setattr__(self, "parts", (self.message,))

    @classmethod
    def of(cls, error: BaseException, stage: Stage, unit: str, place: str | None = None) -> Failure:
        """Return an error as a failure."""
        message = " ".join(str(error).split()) or repr(error)
        parts = error.parts if isinstance(error, ChunkwrightError) else (message,)
        # An input that needs an extra is told as one that cannot be read.
        first = error.__cause__ if isinstance(error.__cause__, MissingExtraError) else error
        kinds = (kind.__name__ for kind in type(first).__mro__)
        public = next(name for name in kinds if not name.startswith("_"))
        return cls(unit, place or unit, stage, public, message, parts=parts)

    def step(self) -> Step[Failure]:
        """Return it as a step of a run."""
        return Step(name=self.place, error=ReadError(*self.parts), about=self)


def failure_schema() -> Any:
    """Return the columns of a table of failures."""
    import pyarrow as pa

    names = ("document", "document_id", "unit", "place", "stage", "kind", "message")
    return pa.schema([(name, pa.string()) for name in names])


def failure_table(failures: Sequence[Failure]) -> Any:
    """Return failures as a table."""
    import pyarrow as pa

    rows = [asdict(failure) for failure in failures]
    return pa.Table.from_pylist(rows, schema=failure_schema())


STAGES = ("read", "cut", "embed", "write")
"""What is done with a document, in order."""
# Confidence of parsing, from 0 to 1, is counted in so many steps.
_STEPS = 10


@dataclass(eq=False)
class Counts:
    """The numbers of what was done; counts of shards and runs add up.

    Attributes
    ----------
    shards
        Shards that are complete.
    documents
        Documents that were read, without failed ones.
    empty, duplicates, failed
        Documents without text; documents that were dropped or marked as duplicates of an earlier
        one; and documents and units that failed.
    chunks
        Rows that were written.
    text_bytes, tokens
        The sums over chunks of the bytes of their texts, and of their tokens if these are counted.
    input_bytes, output_bytes
        Bytes of files.
    seconds
        The busy time of each stage; stages run at the same time.
    sizes
        A histogram of chunks by tokens, or by bytes if tokens are not counted; each key, a power of
        two, is an upper bound.
    reasons
        The number of boundaries by their reason, for strategies that give reasons.
    confidence
        A histogram of parsed files by confidence; each key is an upper bound.
    """

    shards: int = 0
    documents: int = 0
    empty: int = 0
    duplicates: int = 0
    failed: int = 0
    chunks: int = 0
    text_bytes: int = 0
    tokens: int = 0
    input_bytes: int = 0
    output_bytes: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    sizes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    confidence: Counter[str] = field(default_factory=Counter)

    def step(self) -> Step[Counts]:
        """Return them as a step of a run."""
        return Step(n_documents=self.documents, about=self)

    def add(self, other: Counts) -> None:
        """Add other counts to these."""
        for name, value in vars(other).items():
            own = getattr(self, name)
            if isinstance(own, dict):
                for key, number in value.items():
                    own[key] = own.get(key, 0) + number
            else:
                setattr(self, name, own + value)

    def add_confidence(self, confidence: float | None) -> None:
        """Count the confidence of a parsed file, if its reader states one."""
        if confidence is not None:
            step = min(_STEPS, int(confidence * _STEPS) + 1)
            self.confidence[f"{step / _STEPS:.1f}"] += 1

    def count_anew(self, rows: Any) -> None:
        """Count a table of chunks instead of those that were counted before."""
        self.chunks = self.text_bytes = self.tokens = 0
        self.sizes.clear()
        self.reasons.clear()
        self.add_rows(rows)

    def add_rows(self, rows: Any) -> None:
        """Count a ``pyarrow.Table`` of chunks."""
        import pyarrow.compute as pc

        if not rows.num_rows:
            return
        lengths = pc.binary_length(rows["text"])
        self.chunks += rows.num_rows
        self.text_bytes += pc.sum(lengths).as_py() or 0
        sizes = lengths
        if "n_tokens" in rows.schema.names:
            sizes = rows["n_tokens"]
            self.tokens += pc.sum(sizes).as_py() or 0
        self.sizes.update(_by_power(sizes))
        if "reason" in rows.schema.names:
            for each in pc.value_counts(rows["reason"].combine_chunks()).to_pylist():
                self.reasons[str(each["values"])] += each["counts"]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain values for JSON, small sizes first."""
        found = {name: _plain(value) for name, value in vars(self).items()}
        found["sizes"] = dict(sorted(self.sizes.items(), key=lambda each: int(each[0])))
        return found

    @classmethod
    def sum(cls, some: Iterable[Counts]) -> Counts:
        """Return the sum of several counts."""
        total = cls()
        for counts in some:
            total.add(counts)
        return total

    @classmethod
    def of_dict(cls, found: Mapping[str, Any]) -> Counts:
        """Return the counts that :meth:`to_dict` gave."""
        counts = cls()
        for name, value in found.items():
            own = getattr(counts, name, None)
            if isinstance(own, dict):
                own.update(value)
            else:
                setattr(counts, name, value)
        return counts


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: round(n, 3) if isinstance(n, float) else n for key, n in sorted(value.items())}


def _by_power(sizes: Any) -> dict[str, int]:
    """Return how many sizes are up to each power of two, and above the one before."""
    import numpy as np

    values = np.asarray(sizes.to_numpy(), np.float64)
    powers = np.ceil(np.log2(np.maximum(values, 1))).astype(np.int64)
    counts = np.bincount(powers)
    return {str(2**power): int(n) for power, n in enumerate(counts) if n}


class Beginning(NamedTuple):
    """The first report of a run: what it is about to do.

    Attributes
    ----------
    n_shards, n_done, n_removed
        The number of all shards, of finished ones, and of old ones that are removed because inputs
        or settings have changed.
    size, size_done
        The bytes of all inputs, and of those that are done.
    changes
        The settings that have changed since the last run, in words.
    is_staged
        Whether the old shards stay until all new ones are complete.
    lacking
        Missing extras, each with the number of files that need it; all of these files fail.
    """

    n_shards: int
    n_done: int
    n_removed: int
    size: int
    size_done: int
    changes: Sequence[str]
    is_staged: bool = False
    lacking: Mapping[str, int] = MappingProxyType({})

    def step(self) -> Step[Beginning]:
        """Return it as the first step of a run."""
        return Step(about=self)


CorpusProgress: TypeAlias = Progress[Beginning | Counts | Failure]
"""Is told first of the run's beginning, then of what was done, and of what failed.

Of a shard the first hundred failures are told.
"""
