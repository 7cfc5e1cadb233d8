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
    """A document, or a part of an input, that has no chunks because something went wrong.

    Parameters
    ----------
    unit
        The input, or the part of it.
    place
        Where in it: a row as ``name:12``, or a byte.
    stage
        What failed: ``"read"``, ``"cut"``, ``"embed"`` or ``"write"``.
    kind
        The class of the error.
    message
        What it says.
    document, document_id
        The document's name and id, as far as they are known.
    parts
        The message with the options that it names; see :class:`chunkwright.ChunkwrightError`.
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
        """Return the failure that an error is."""
        message = " ".join(str(error).split()) or repr(error)
        parts = error.parts if isinstance(error, ChunkwrightError) else (message,)
        # An input that needs an extra is told as one that cannot be read.
        first = error.__cause__ if isinstance(error.__cause__, MissingExtraError) else error
        kinds = (kind.__name__ for kind in type(first).__mro__)
        public = next(name for name in kinds if not name.startswith("_"))
        return cls(unit, place or unit, stage, public, message, parts=parts)

    def step(self) -> Step[Failure]:
        """Return it as the step of a run."""
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
    """What was done: numbers that add up.

    Attributes
    ----------
    shards
        Shards that were made whole.
    documents
        Documents that were read, those that failed left out.
    empty, duplicates, failed
        How many of all had no chunks because they say nothing, were left out or marked since they
        are the same as one before, or failed, units included.
    chunks
        Rows that were written.
    text_bytes, tokens
        The sum over chunks: bytes of their texts, and tokens where these are counted.
    input_bytes, output_bytes
        Bytes of files.
    seconds
        Time that each stage was busy; stages run at once.
    sizes
        How many chunks have up to so many tokens, or bytes where tokens are not counted: powers of
        two.
    reasons
        Why boundaries are where they are, for strategies that say so.
    confidence
        How many files were parsed with a confidence of up to so much.
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
        """Return them as the step of a run that did this."""
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
        """Count the confidence of a file that was parsed, if its reader says any."""
        if confidence is not None:
            step = min(_STEPS, int(confidence * _STEPS) + 1)
            self.confidence[f"{step / _STEPS:.1f}"] += 1

    def count_anew(self, rows: Any) -> None:
        """Count a table of chunks in place of those that were counted before."""
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
        """Return the counts as JSON knows them, small sizes first."""
        found = {name: _plain(value) for name, value in vars(self).items()}
        found["sizes"] = dict(sorted(self.sizes.items(), key=lambda each: int(each[0])))
        return found

    @classmethod
    def sum(cls, some: Iterable[Counts]) -> Counts:
        """Return what counts add up to."""
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
    """What a run is about to do.

    Attributes
    ----------
    n_shards, n_done, n_removed
        How many shards there are; how many of them are done; and how many others are removed,
        since inputs or settings have changed.
    size, size_done
        The bytes of all inputs, and of those that are done.
    changes
        Which settings have changed since the last run, in words.
    is_staged
        Whether those that are removed stay until all others are there.
    lacking
        Extras that are not installed, with how many files each of them would read: all of these
        fail.
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
        """Return it as the step of a run: the first, before the run does anything."""
        return Step(about=self)


CorpusProgress: TypeAlias = Progress[Beginning | Counts | Failure]
"""Is told first of the run's beginning, then of what was done, and of what failed.

Of a shard the first hundred failures are told.
"""
