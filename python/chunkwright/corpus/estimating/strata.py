"""Strata of a corpus: inputs that are read alike, each sampled for itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from time import perf_counter
from typing import TYPE_CHECKING

from chunkwright.corpus.estimating.sampling import Sampler, text_size
from chunkwright.corpus.estimating.trials import Trial, Trials
from chunkwright.corpus.inputs.splitting import lacking_extras
from chunkwright.io.sources import suffix_of

if TYPE_CHECKING:
    from chunkwright.corpus.estimating.trials import Asking, Cutting
    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.corpus.planning.plan import Job

# So many samples are taken of a stratum, at least.
_LEAST_SPOTS = 2


@dataclass
class Stratum:
    """Inputs of one format, or files of one kind.

    Parameters
    ----------
    units
        The inputs.
    sampler
        Takes samples of them.
    """

    units: Sequence[Unit]
    sampler: Sampler
    of: list[Trial] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes of the inputs."""
        return sum(unit.size for unit in self.units)

    @property
    def trials(self) -> Trials:
        """The trials of the samples that were taken."""
        return Trials(self.size, self.of)

    @property
    def n_rows(self) -> int | None:
        """How many documents there are, with those that fail; None if only reading tells that."""
        rows = [1 if unit.format == "file" else unit.n_rows for unit in self.units]
        return None if None in rows else sum(n for n in rows if n is not None)

    def documents(self) -> tuple[float, float]:
        """Return about how many documents are read, and how many fail."""
        trials = self.trials
        done = trials.total(lambda each: each.counts.documents)
        failed = trials.total(lambda each: each.counts.failed)
        if (n_rows := self.n_rows) is None or not done + failed:
            return done, failed
        seen = sum(each.counts.documents + each.counts.failed for each in self.of)
        share = sum(each.counts.failed for each in self.of) / seen
        return n_rows * (1 - share), n_rows * share


@dataclass
class Strata:
    """All strata, and what they add up to."""

    of: list[Stratum]
    n_unreadable: int = 0

    def sample(self, make: Asking | Cutting, patience: float) -> None:
        """Take samples of all in turn, until all are taken or so many seconds have passed."""
        began = perf_counter()
        left = [(each, each.sampler.samples()) for each in self.of]
        while left:
            for pair in list(left):
                stratum, samples = pair
                if (sample := next(samples, None)) is None:
                    left.remove(pair)
                else:
                    stratum.of.append(make(sample))
                if perf_counter() - began > patience:
                    return

    @property
    def trials(self) -> list[Trial]:
        """The trials of all."""
        return [trial for each in self.of for trial in each.of]

    @property
    def scaled(self) -> list[tuple[float, Trial]]:
        """The trials of all, each with how often it stands for itself in all inputs."""
        pairs = (zip(each.trials.scales, each.of, strict=True) for each in self._sampled())
        return [(self._factor * scale, trial) for some in pairs for scale, trial in some]

    @property
    def sampled(self) -> int:
        """Bytes of the inputs that the samples are."""
        return sum(each.trials.sampled for each in self.of)

    def total(self, value: Callable[[Trial], float]) -> float:
        """Return what a value of trials adds up to over all inputs."""
        return sum(scale * value(trial) for scale, trial in self.scaled)

    def documents(self) -> tuple[int, int]:
        """Return about how many documents are read, and how many fail."""
        found = [each.documents() for each in self._sampled()]
        done = self._factor * sum(n_done for n_done, _ in found)
        failed = self._factor * sum(n_failed for _, n_failed in found)
        return round(done), round(failed) + self.n_unreadable

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the number of chunks, as a share of it, if it can be told."""
        known = [
            (each.trials.deviation, each.trials.total(lambda trial: trial.chunks))
            for each in self._sampled()
        ]
        chunks = sum(n for _, n in known)
        if not chunks or all(deviation is None for deviation, _ in known):
            return None
        return sqrt(sum(((deviation or 0.0) * n) ** 2 for deviation, n in known)) / chunks

    def _sampled(self) -> Iterator[Stratum]:
        yield from (each for each in self.of if each.of)

    @property
    def _factor(self) -> float:
        """What is sampled stands for what could not be."""
        sampled = sum(each.size for each in self._sampled())
        return sum(each.size for each in self.of) / sampled if sampled else 0.0


def strata_of(units: Sequence[Unit], job: Job, n_spots: int, most: int) -> Strata:
    """Return the strata of units; samples are shared out by bytes.

    Files that no reader is installed for are counted, and not sampled.

    Parameters
    ----------
    units
        All inputs.
    job
        How they are read.
    n_spots, most
        How many samples are taken of all, and bytes of text in each.
    """
    lacking = lacking_extras(units)
    readable = [unit for unit in units if unit.kind not in lacking]
    by_kind: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in readable:
        by_kind[_kind_of(unit)].append(unit)
    total = sum(map(text_size, readable)) or 1
    found = []
    for some in by_kind.values():
        share = sum(map(text_size, some)) / total
        n_own = n_spots if len(by_kind) == 1 else max(_LEAST_SPOTS, ceil(n_spots * share))
        found.append(Stratum(some, Sampler(some, job.reading, job.carried, n_own, most)))
    return Strata(found, len(units) - len(readable))


def _kind_of(unit: Unit) -> str:
    if unit.format != "file":
        return unit.format + suffix_of(unit.path)
    return unit.kind or suffix_of(unit.path)
