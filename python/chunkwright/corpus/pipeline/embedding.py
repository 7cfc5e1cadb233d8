"""Embedding of chunks on their way to the output."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkwright.corpus.arrow.vectors import Vectors, embedded_column, vector_column

if TYPE_CHECKING:
    from chunkwright.corpus.pipeline.items import Cut
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.report import Failure
    from chunkwright.embed import EmbedderLike
    from chunkwright.errors import ModelError


class Embedding:
    """Embeds chunks, the documents of a batch in as few calls as may be.

    Parameters
    ----------
    embedder
        See :func:`chunkwright.embed.as_embedder`.
    job
        What is done.
    """

    def __init__(self, embedder: EmbedderLike, job: Job) -> None:
        self._vectors, self._job = Vectors(embedder, collects=True), job

    def add(self, cut: Cut) -> None:
        """Add a column of vectors to the rows; documents that cannot be embedded are failures.

        Raises
        ------
        ModelError
            If the embedder refuses all requests, or gives vectors of other dimensions than before.
        """
        import numpy as np

        assert cut.rows is not None and cut.numbers is not None  # noqa: S101, PT018
        text = embedded_column(cut.rows.schema)
        vectors, why = self._vectors.of_documents(cut.rows[text].to_pylist(), cut.numbers)
        has = ~np.isin(cut.numbers, list(why))
        if why:
            cut.failures += self._failures(cut, why)
            cut.rows = cut.rows.filter(has)
            cut.numbers, vectors = cut.numbers[has], vectors[has]
            cut.counts.failed += len(why)
            cut.counts.documents -= len(why)
            cut.counts.count_anew(cut.rows)
        column = vector_column(vectors, np.ones(len(vectors), np.bool_))
        at = self._job.schema.get_field_index(self._job.vector_column)
        cut.rows = cut.rows.add_column(at, self._job.schema.field(at), column)

    def _failures(self, cut: Cut, why: dict[int, ModelError]) -> list[Failure]:
        assert cut.numbers is not None  # noqa: S101 - there are rows
        failures = []
        for number, error in sorted(why.items()):
            row = int(cut.numbers.searchsorted(number))
            ids = cut.rows.slice(row, 1).select(["document", "document_id"]).to_pylist()[0]
            failures.append(replace(cut.failure(error, "embed", number), **ids))
        return failures
