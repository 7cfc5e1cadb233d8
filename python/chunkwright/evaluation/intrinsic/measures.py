"""Measures that need no questions: of a chunker over any documents, and of the runs of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkwright.document import Document
from chunkwright.evaluation.chunkers.adapter import chunker_name, chunker_text, cuts
from chunkwright.evaluation.chunkers.placing import (
    PlacedChunks,
    place,
    sources_for,
    warn_of_lost_structure,
)
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.intrinsic.shares import (
    Coverage,
    Share,
    SizeLimit,
    Sizes,
    coverage,
    cut_sentences,
    cut_tables,
    limit_of,
    parted_headings,
    parted_lead_ins,
    sizes_of,
)
from chunkwright.evaluation.intrinsic.structure import Ranges, Structure, structures_of
from chunkwright.evaluation.locating import Searched
from chunkwright.evaluation.run.plan import TOKENIZER
from chunkwright.tokens.tokenizer import TokenizerLike, as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwright.evaluation.run.plan import Plan, Run
    from chunkwright.evaluation.scores.result import Evaluation


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Measures of chunks that need no question.

    Parameters
    ----------
    name
        The name of the run.
    chunker
        The chunker, in words.
    n_chunks
        The number of chunks.
    n_unplaced
        The number of chunks whose text is not in the document.
    sizes
        Their sizes.
    limit
        The size limit; None if there is none, or it is not known.
    cut_sentences, cut_tables
        The sentences and the tables that no chunk contains whole.
    parted_headings
        The headings that are the last line of a chunk.
    parted_lead_ins
        The lines above a list, code or a table that end in a colon, and are the last line of a
        chunk.
    coverage
        The share of the texts that is in chunks.
    """

    name: str
    chunker: str
    n_chunks: int
    n_unplaced: int
    sizes: Sizes
    limit: SizeLimit | None
    cut_sentences: Share
    cut_tables: Share
    parted_headings: Share
    parted_lead_ins: Share
    coverage: Coverage

    def summary(self) -> dict[str, Any]:
        """Return all numbers as plain values for JSON; a share of nothing is None."""
        limit = None if self.limit is None else {"most": self.limit.most, "unit": self.limit.unit}
        sizes = self.sizes
        return {
            "n_chunks": self.n_chunks,
            "n_unplaced": self.n_unplaced,
            "tokens": {
                "min": sizes.least,
                "median": sizes.median,
                "mean": sizes.mean,
                "max": sizes.most,
            },
            "limit": limit,
            **{name: _as_json(share) for name, share in self.shares.items()},
        }

    @property
    def shares(self) -> dict[str, Share | None]:
        """All shares by name; those of the limit are None if there is no limit."""
        return {
            "within_limit": self.sizes.within_limit,
            "below_half_limit": self.sizes.below_half,
            "cut_sentences": self.cut_sentences,
            "cut_tables": self.cut_tables,
            "parted_headings": self.parted_headings,
            "parted_lead_ins": self.parted_lead_ins,
            "covered": self.coverage.covered,
            "repeated": self.coverage.repeated,
        }


def measure(  # noqa: PLR0913 - options, all by name
    chunker: object,
    documents: Dataset | Mapping[str, str | Document],
    *,
    name: str | None = None,
    tokenizer: TokenizerLike = TOKENIZER,
    size_limit: int | None = None,
    language: str = "en",
) -> Measures:
    r"""Cut documents, and measure the chunks without a question.

    Chunks are placed as by `evaluate`: where their chunker says, or where they are found in order.

    Parameters
    ----------
    chunker
        What :func:`chunkwright.evaluation.evaluate` takes.
    documents
        Texts or documents by name, or a dataset, whose questions are ignored.
    name
        The name of the run; by default that of the chunker.
    tokenizer
        What counts the tokens of chunks.
    size_limit
        The largest number of tokens that a chunk should have; None: the limit of the chunker, in
        its own unit, if it is a strategy of chunkwright.
    language
        The language of the sentences; see :func:`chunkwright.split_sentences`.

    Raises
    ------
    ConfigError
        If an option makes no sense, or the chunker fails or returns something other than texts;
        names the chunker and the document.
    TokenizerError
        If the tokenizer fails.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import measure
    >>> text = "# Mills\n\nThe mill was built in 1743. It burnt down twice.\n"
    >>> found = measure(cw.Window(max_chars=20), {"mills": text})
    >>> found.cut_sentences, found.parted_headings, found.coverage.covered.share
    (Share(n=2, of=3), Share(n=0, of=1), 1.0)
    """
    dataset = documents if isinstance(documents, Dataset) else Dataset(documents, ())
    counter = as_tokenizer(tokenizer)
    return measure_chunks(
        _cut(chunker, dataset, counter),
        structures_of(dataset, language=language),
        name=chunker_name(chunker) if name is None else name,
        chunker=chunker_text(chunker),
        limit=limit_of(chunker, size_limit, counter),
    )


def measure_run(run: Run, plan: Plan, structures: Sequence[Structure]) -> Measures:
    """Cut the corpora of a plan by one of its runs, and measure the chunks.

    Parameters
    ----------
    run, plan
        The run, and the plan that it is of.
    structures
        Those of the plan's corpora.

    Raises
    ------
    ConfigError, ModelError, TokenizerError
        As :func:`chunkwright.evaluation.measure`.
    """
    warn_of_lost_structure(run.name, run.chunker, plan.dataset)
    chunks = _cut(run.chunker, plan.dataset, plan.tokenizer)
    return measure_chunks(
        chunks,
        structures,
        name=run.name,
        chunker=chunker_text(run.chunker),
        limit=limit_of(run.chunker, plan.size_limit, plan.tokenizer),
    )


def measure_evaluation(
    evaluation: Evaluation, run: Run, plan: Plan, structures: Sequence[Structure]
) -> Measures:
    """Measure the chunks that were evaluated.

    Chunks that were placed where their texts stand first are placed in order again: what is
    measured is where they came from.

    Parameters
    ----------
    evaluation
        What was made of the run.
    run, plan, structures
        See :func:`measure_run`.

    Raises
    ------
    ConfigError
        If texts that begin alike cannot be found in reasonable time.
    """
    chunks = evaluation.chunks
    if evaluation.placement == "first_occurrence":
        chunks = _in_order(chunks, list(plan.dataset.corpora.values()))
    return measure_chunks(
        chunks,
        structures,
        name=evaluation.name,
        chunker=evaluation.chunker,
        limit=limit_of(run.chunker, plan.size_limit, plan.tokenizer),
    )


def _cut(chunker: object, dataset: Dataset, tokenizer: TokenizerLike) -> PlacedChunks:
    made = list(cuts(chunker, sources_for(chunker, dataset)))
    return place(made, dataset.corpora, "offsets", tokenizer)


def _in_order(chunks: PlacedChunks, corpora: Sequence[str]) -> PlacedChunks:
    """Return chunks where they are found one behind the other in what they were cut from."""
    places = []
    for corpus, text in enumerate(corpora):
        numbers = np.flatnonzero(chunks.cut_from == corpus).tolist()
        places += Searched(text).in_order(chunks.texts[i] for i in numbers)
    ranges = [found or (0, 0) for found in places]
    starts, ends = np.array(ranges, dtype=np.int64).reshape(-1, 2).T.copy()
    is_found = np.array([found is not None for found in places], dtype=np.bool_)
    return replace(
        chunks, corpora=np.where(is_found, chunks.cut_from, -1), starts=starts, ends=ends
    )


def measure_chunks(
    chunks: PlacedChunks,
    structures: Sequence[Structure],
    *,
    name: str,
    chunker: str,
    limit: SizeLimit | None,
) -> Measures:
    """Measure chunks that have places; see :func:`measure`.

    Parameters
    ----------
    chunks
        The chunks of all texts.
    structures
        Those of the texts, in the order in which `chunks` numbers them.
    name, chunker
        What the run is called, and what cut the texts.
    limit
        The limit of sizes.
    """
    placed = list(zip(structures, _ranges(chunks, len(structures)), strict=True))
    covered = [coverage(structure, ranges) for structure, ranges in placed]
    return Measures(
        name=name,
        chunker=chunker,
        n_chunks=len(chunks),
        n_unplaced=int(np.sum(chunks.corpora < 0)),
        sizes=sizes_of(chunks.texts, chunks.n_tokens, limit),
        limit=limit,
        cut_sentences=Share.total(cut_sentences(*shares) for shares in placed),
        cut_tables=Share.total(cut_tables(*shares) for shares in placed),
        parted_headings=Share.total(parted_headings(*shares) for shares in placed),
        parted_lead_ins=Share.total(parted_lead_ins(*shares) for shares in placed),
        coverage=Coverage(
            Share.total(shares.covered for shares in covered),
            Share.total(shares.repeated for shares in covered),
        ),
    )


def _ranges(chunks: PlacedChunks, n_corpora: int) -> Iterable[Ranges]:
    for corpus in range(n_corpora):
        is_here = chunks.corpora == corpus
        yield Ranges(chunks.starts[is_here], chunks.ends[is_here])


def _as_json(share: Share | None) -> dict[str, Any] | None:
    return None if share is None else {**share._asdict(), "share": share.share}
