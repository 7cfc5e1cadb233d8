"""Trials of a run on samples of its inputs, and what they add up to over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.estimating.sampling import Sample, first_documents
from chunkwright.corpus.pipeline.cutting import Cutter, as_documents
from chunkwright.corpus.report import Counts
from chunkwright.llm import Estimate as ModelEstimate
from chunkwright.llm import Usage

if TYPE_CHECKING:
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.reading.batch import DocumentBatch

CONTEXTUAL = "contextual_"
"""How columns are called that are of texts with their contexts."""


@dataclass(frozen=True)
class Trial:
    """What was made of a sample.

    Parameters
    ----------
    sample
        The sample.
    counts
        What was done.
    tables
        A ``pyarrow.Table`` of the chunks of each batch.
    seconds
        Time that cutting took.
    model
        What a language model would be sent for it.
    """

    sample: Sample
    counts: Counts
    tables: Sequence[Any] = ()
    seconds: float = 0.0
    model: ModelEstimate | None = None

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return sum(table.num_rows for table in self.tables)

    @cached_property
    def columns(self) -> list[Any]:
        """The texts of each table: with their contexts, if they have any."""
        return [table[_called("text", table)] for table in self.tables]

    @cached_property
    def text_bytes(self) -> int:
        """Bytes of all texts."""
        import pyarrow.compute as pc

        return sum(pc.sum(pc.binary_length(column)).as_py() or 0 for column in self.columns)

    @cached_property
    def tokens(self) -> int | None:
        """Tokens of all texts; None if they were not counted."""
        import pyarrow.compute as pc

        names = [_called("n_tokens", table) for table in self.tables]
        if any(
            name not in table.schema.names for name, table in zip(names, self.tables, strict=True)
        ):
            return None
        return sum(
            pc.sum(table[name]).as_py() or 0 for name, table in zip(names, self.tables, strict=True)
        )


def _called(name: str, table: Any) -> str:
    with_context = f"{CONTEXTUAL}{name}"
    return with_context if with_context in table.schema.names else name


@dataclass(frozen=True)
class Trials:
    """Trials, and what they add up to over all inputs.

    Parameters
    ----------
    size
        Bytes of all inputs.
    of
        The trials.
    """

    size: int
    of: Sequence[Trial]

    @cached_property
    def scales(self) -> list[float]:
        """How often each trial stands for itself."""
        stands_for = sum(each.sample.stands_for for each in self.of)
        # Samples that were not taken are stood for by the others.
        factor = self.size / stands_for if stands_for else 0.0
        return [factor * each.sample.stands_for / each.sample.size for each in self.of]

    def total(self, value: Callable[[Trial], float]) -> float:
        """Return what a value of trials adds up to over all inputs."""
        return sum(scale * value(each) for scale, each in zip(self.scales, self.of, strict=True))

    @property
    def sampled(self) -> int:
        """Bytes of the inputs that the samples are."""
        return round(sum(each.sample.size for each in self.of))

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the number of chunks, as a share of it, if it can be told."""
        rates = [each.chunks / each.sample.size for each in self.of]
        share = self.sampled / max(1, self.size)
        if len(rates) == 1 or share >= 1 or not any(rates):
            return None
        return stdev(rates) / fmean(rates) / sqrt(len(rates)) * sqrt(1 - share)


def model_of(found: Sequence[tuple[float, Trial]]) -> ModelEstimate:
    """Return what a language model would be sent for trials, each as often as it stands for."""

    def total(value: Callable[[ModelEstimate], float]) -> float:
        return sum(scale * value(each.model) for scale, each in found if each.model is not None)

    usage = Usage(
        input_tokens=round(total(lambda model: model.usage.input_tokens)),
        cached_tokens=round(total(lambda model: model.usage.cached_tokens)),
        output_tokens=round(total(lambda model: model.usage.output_tokens)),
        written_tokens=round(total(lambda model: model.usage.written_tokens)),
    )
    has_costs = all(each.model is not None and each.model.cost is not None for _, each in found)
    return ModelEstimate(
        round(total(lambda model: model.n_requests)),
        round(total(lambda model: model.n_cached)),
        usage,
        total(lambda model: model.cost or 0.0) if found and has_costs else None,
    )


@dataclass
class Cutting:
    """Cuts samples, and takes the time.

    Parameters
    ----------
    job
        How they are cut.
    """

    job: Job
    _is_warm: bool = field(default=False, init=False)

    @cached_property
    def _cutter(self) -> Cutter:
        return Cutter(self.job)

    def __call__(self, sample: Sample) -> Trial:
        """Cut a sample."""
        counts, tables, seconds = Counts(), [], 0.0
        for batch in sample.batches:
            self._warm_up(batch)
            began = perf_counter()
            cut = self._cutter.cut(batch)
            seconds += perf_counter() - began
            counts.add(cut.counts)
            if cut.rows is not None:
                tables.append(cut.rows)
        return Trial(sample, counts, tables, seconds)

    def _warm_up(self, batch: DocumentBatch) -> None:
        """Cut a document, so that tokenizers and models are loaded, which is done once in a run."""
        if not self._is_warm and batch.n_documents:
            self._cutter.cut(first_documents(batch, 1))
            self._is_warm = True


@dataclass
class Asking:
    """Estimates what a language model would be sent for samples.

    Parameters
    ----------
    job
        How they are cut.
    """

    job: Job

    def __call__(self, sample: Sample) -> Trial:
        """Estimate it for a sample."""
        counts, documents = Counts(), []
        for batch in sample.batches:
            made = as_documents(batch, self.job.reading)
            counts.add(made.counts)
            documents += made.documents
        strategy: Any = self.job.strategy
        return Trial(sample, counts, model=strategy.estimate(documents))
