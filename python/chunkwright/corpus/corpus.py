"""Corpus: documents that outgrow memory, cut shard by shard, in runs that resume."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chunkwright.checks import (
    checked_callable,
    checked_flag,
    checked_int,
    checked_number,
    each_once,
)
from chunkwright.chunking.registry import make_strategy
from chunkwright.corpus.execution import Execution, engine_of
from chunkwright.corpus.output.lock import locked
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.output.parquet import ParquetFolder
from chunkwright.corpus.output.staging import Staging, changed
from chunkwright.corpus.output.store import StoreSink
from chunkwright.corpus.planning.duplicates import HashFiles
from chunkwright.corpus.planning.plan import Options, Plan, plan_of
from chunkwright.corpus.settings import LOCAL, SHARD_BYTES, CorpusSettings, Duplicates
from chunkwright.errors import ConfigError
from chunkwright.io.sources import Reading
from chunkwright.io.table_files import pyarrow

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.corpus.estimate import Estimate
    from chunkwright.corpus.report import CorpusProgress
    from chunkwright.corpus.result import Result
    from chunkwright.embed import EmbedderLike
    from chunkwright.store import Store


class Corpus:
    """Documents of files, however many, and how they are cut.

    Parameters
    ----------
    inputs
        Paths of files and folders, globs, and addresses that fsspec knows, such as
        ``s3://bucket/folder``: Parquet, Arrow and JSON lines (also ``.gz`` and ``.zst``) with a
        document in each row, and files of all kinds that :func:`chunkwright.read` reads.
    strategy
        What cuts, or the name of it with its defaults.
    text_column, id_column
        The columns of tables with the texts, by default ``"text"``, and with the documents' ids.
        Without the latter, the id of a document is derived from its text. Neither depends on where
        a document stands.
    kind
        What the texts of tables are read as: ``"markdown"``, ``"html"``, ``"elements"``,
        ``"docling"`` and others of :data:`chunkwright.readers.kinds.KINDS`. None: strategies over
        elements tell it by what a text looks like, others take texts as they are.
    drop_columns
        Columns that chunks do not carry.
    embedder
        The model of a column of vectors; see :func:`chunkwright.embed.as_embedder`.
    vector_column
        The name of that column.
    duplicates
        What is done with documents whose text, but for whitespace, is that of one before them:
        ``"keep"``, ``"drop"``, or ``"mark"``, which writes the id of that one into a column
        ``duplicate_of``. All but the first read the inputs twice.
    n_tokens
        Whether tokens of chunks are counted; by default where the limit is in tokens.
    reading
        How files are read, other options of :class:`chunkwright.io.sources.Reading` by name. One
        that is given by itself, too, is an error.
    root
        The folder that names of local files are relative to; by default the one that was named.
    shard_bytes
        Bytes of input that make one file of the output, at most.
    workers
        Threads that cut; by default one for each processor that may be used.
    fingerprint
        Names what the strategy or the embedder depends on, where that cannot be told otherwise: a
        function that counts tokens, say. Another name makes all shards anew.

    Raises
    ------
    ConfigError
        If an option makes no sense; names it.
    MissingExtraError
        If pyarrow is not installed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import chunkwright as cw
    >>> from chunkwright.corpus import Corpus
    >>> folder = TemporaryDirectory()
    >>> corpus = Corpus("examples/evaluation/corpora", cw.Recursive(max_tokens=200))
    >>> result = corpus.write(folder.name)
    >>> result.counts.documents, result.is_whole
    (3, True)
    >>> corpus.write(folder.name).n_made
    0
    >>> folder.cleanup()
    """

    def __init__(  # noqa: PLR0913 - options, all by name
        self,
        inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        strategy: Chunker | str = "recursive",
        *,
        text_column: str | None = None,
        id_column: str | None = None,
        kind: str | None = None,
        drop_columns: Sequence[str] | None = None,
        embedder: EmbedderLike | None = None,
        vector_column: str = CorpusSettings.vector_column,
        duplicates: Duplicates = CorpusSettings.duplicates,
        n_tokens: bool | None = None,
        reading: Mapping[str, Any] | None = None,
        root: str | os.PathLike[str] | None = None,
        shard_bytes: int = SHARD_BYTES,
        workers: int | None = None,
        fingerprint: str | None = None,
    ) -> None:
        pyarrow("a corpus")
        given = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
        self._inputs = [os.fspath(each) for each in given]
        made = make_strategy(strategy, {}) if isinstance(strategy, str) else strategy
        self._options = Options(
            strategy=made,
            reading=_reading(
                made,
                reading or {},
                text_column=text_column,
                id_column=id_column,
                text_kind=kind,
                drop_columns=None if drop_columns is None else tuple(drop_columns),
            ),
            n_tokens=n_tokens,
            embedder=embedder,
            vector_column=vector_column,
            duplicates=duplicates,
            root=None if root is None else os.fspath(root),
            shard_bytes=shard_bytes,
            workers=workers,
            fingerprint=fingerprint,
        )

    def plan(self, out: str | os.PathLike[str] | None = None) -> Plan:
        """Return what a run would read, and which shards it would make.

        Parameters
        ----------
        out
            The output, whose files are no inputs, and which keeps the hashes that duplicates are
            found by. Without, these are not looked for.

        Raises
        ------
        ConfigError
            If there are no inputs, or an option makes no sense.
        """
        return self._plan(None if out is None else os.fspath(out), self._options)

    def _plan(self, folder: str | None, options: Options) -> Plan:
        cache = None if folder is None else HashFiles(Manifest(folder).hashes_path)
        return plan_of(self._inputs, options, cache, folder)

    def estimate(
        self, out: str | os.PathLike[str] | None = None, *, price: float | None = None
    ) -> Estimate:
        """Return what a run would make, take and cost, told by a sample; nothing is written.

        Up to 8 MiB of documents are cut, from 32 places that are spread evenly over the bytes of
        the inputs, the same ones each time; a strategy that compares texts by a model's vectors
        cuts 64 KiB, from 8 places. It takes some seconds. Documents that are the same as others
        are not looked for. A language model is not asked; what it would be sent is counted.

        Parameters
        ----------
        out
            The output, whose files are no inputs.
        price
            What an embedder takes for a million tokens.

        Raises
        ------
        ConfigError
            If there are no inputs, or an option makes no sense.
        ModelError
            If the embedder fails.
        """
        from chunkwright.corpus.estimate import estimate_of

        if price is not None:
            checked_number("price", price, least=0)
        folder = None if out is None else os.fspath(out)
        plan = plan_of(self._inputs, self._options, None, folder)
        changes = [] if folder is None else changed(folder, plan, force=True)
        return replace(estimate_of(plan, price), changes=changes)

    def write(  # noqa: PLR0913 - options, all by name
        self,
        out: str | os.PathLike[str],
        *,
        store: Store | None = None,
        engine: str = LOCAL,
        max_errors: int | None = None,
        waits: bool = False,
        force: bool = False,
        progress: CorpusProgress | None = None,
    ) -> Result:
        """Cut all documents, and write their chunks; resume where an earlier run has ended.

        A shard that is done is skipped: each is a checkpoint. One whose inputs have changed is
        made anew, and shards of inputs that are not named any more are removed. Where an option
        has changed, all is made anew if you say ``force=True``: beside the old output, which stays
        until the new one is whole. Vectors of equal texts are taken from the old one.

        Parameters
        ----------
        out
            The folder of the output, a path or an address: Parquet files of chunks, those of
            errors in ``_errors``, and what is known of the run in ``_run``.
        store
            A store that documents are imported into, in place of files of chunks. It cuts and
            embeds them itself; ``out`` holds the rest.
        engine
            ``"local"``: this machine. ``"ray"``, ``"spark"``: the machines of a cluster, all of
            which reach inputs and output by the same paths.
        max_errors
            So many documents may fail; one more ends the run. By default all may.
        waits
            Whether to wait while another run writes the output; else that is an error.
        force
            Whether an output of other options is replaced, and shards are removed although an
            input could not be read.
        progress
            A function that is told each step of the run, a
            :class:`~chunkwright.io.progress.Step`.

        Returns
        -------
        Result
            What was done, and what the output holds.

        Raises
        ------
        ConfigError
            If there are no inputs, or an option makes no sense.
        CorpusError
            If another run writes the output, if it is of other options and not to be replaced, if
            it cannot be written, or if too many documents fail. What is done stays.
        ModelError
            If a model fails for all documents.
        """
        run, folder = engine_of(engine), os.fspath(out)
        if max_errors is not None:
            checked_int("max_errors", max_errors, least=0)
        checked_flag("force", force)
        if progress is not None:
            checked_callable("progress", progress)
        manifest, options = Manifest(folder), self._options
        if store is not None:
            sink: Any = StoreSink(store, options.strategy, options.embedder)
            options = replace(options, store=sink.name)
        with locked(manifest.lock_path, waits=waits):
            staging = Staging(folder)
            staging.end_switch()
            plan = self._plan(folder, options)
            changes = changed(folder, plan, force=force)
            told, old = progress or (lambda _: None), None
            if store is None:
                sink = ParquetFolder(folder, plan.job.schema)
                old = manifest.done() | sink.sizes().keys() if changes else None
            if not old:
                execution = Execution(
                    plan, sink, manifest, told, max_errors, folder=folder, changes=changes,
                    force=force,
                )  # fmt: skip
                return execution.run(run)
            if engine == LOCAL:
                plan = self._remembering(staging, plan, old, manifest.settings() or {})
            sink = ParquetFolder(staging.manifest.folder, plan.job.schema)
            execution = Execution(
                plan, sink, staging.manifest, told, max_errors, folder=folder, replaced=old,
                changes=changes, force=force,
            )  # fmt: skip
            result = execution.run(run)
            if result.has_all:
                staging.switch(old - {shard.name for shard in plan.shards})
                result = replace(result, is_pending=False)
                manifest.write_report(result.to_dict(plan.job))
            return result

    def _remembering(
        self, staging: Staging, plan: Plan, old: Collection[str], before: Mapping[str, Any]
    ) -> Plan:
        """Return a plan whose embedder knows the vectors of the output that is replaced."""
        embedder, options = plan.job.embedder, self._options
        if embedder is None or before.get("embedder") != plan.job.settings["embedder"]:
            return plan
        found = staging.remembering(embedder, options.fingerprint, options.vector_column, old)
        return replace(plan, job=replace(plan.job, embedder=found))


def _reading(strategy: Chunker, options: Mapping[str, Any], **own: Any) -> Reading:
    """Return how inputs are read.

    Raises
    ------
    ConfigError
        If there is no such option, or one is given twice.
    """
    takes = getattr(strategy, "takes", ())
    told = {
        "by_content": "elements" in takes,
        "elements_for": None if "text" in takes or not takes else _name(strategy),
    }
    given = {name: value for name, value in own.items() if value is not None}
    once = each_once(given, options, place="reading", names={"text_kind": "kind"})
    try:
        return Reading(**{**told, **once})
    except TypeError as error:
        raise ConfigError(f"reading: {error}", option="reading") from error


def _name(strategy: Chunker) -> str:
    return str(getattr(strategy, "spec", {}).get("strategy", type(strategy).__name__))
