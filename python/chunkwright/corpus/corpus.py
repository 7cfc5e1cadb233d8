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
        Paths of files and folders, globs, and URLs that fsspec knows, such as
        ``s3://bucket/folder``: Parquet, Arrow and JSON lines (also ``.gz`` and ``.zst``) with a
        document in each row, and files of all kinds that :func:`chunkwright.read` reads.
    strategy
        The strategy that cuts, or its name.
    text_column, id_column
        The columns of tables with the texts, by default ``"text"``, and with the documents' ids.
        Without the latter, the id of a document is derived from its text. Ids do not depend on the
        position of a document.
    kind
        What the texts of tables are read as: ``"markdown"``, ``"html"``, ``"elements"``,
        ``"docling"`` and others of :data:`chunkwright.readers.kinds.KINDS`. None: strategies over
        elements recognise the kind of each text, others take texts as they are.
    drop_columns
        Columns of the inputs to leave out of the output.
    embedder
        The model of a column of vectors; see :func:`chunkwright.embed.as_embedder`.
    vector_column
        The name of that column.
    duplicates
        How to deduplicate documents whose text, whitespace aside, equals that of an earlier one:
        ``"keep"``, ``"drop"``, or ``"mark"``, which writes the id of the earlier one into a column
        ``duplicate_of``. ``"drop"`` and ``"mark"`` read the inputs twice.
    n_tokens
        Whether to count the tokens of chunks; by default if the limit is in tokens.
    reading
        How files are read: other options of :class:`chunkwright.io.sources.Reading` by name. An
        option that is also passed by itself is an error.
    root
        The folder that names of local files are relative to; by default the input folder.
    shard_bytes
        The largest number of input bytes for one output file.
    workers
        Threads that cut; by default one for each available processor.
    fingerprint
        A name for what the strategy or the embedder does, if they have none of their own: for a
        function that counts tokens, say. Another name rebuilds all shards.

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
            The output folder. Its files are not inputs, and it keeps the hashes for deduplication;
            without it, duplicates are not looked for.

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
        """Estimate what a run would make, take and cost, from a sample; nothing is written.

        Up to 8 MiB of documents are cut, from 32 places that are spread evenly over the bytes of
        the inputs, the same ones each time; a strategy that compares texts by a model's vectors
        cuts 64 KiB, from 8 places. This takes some seconds. Duplicates are not looked for. A
        language model is not asked; what it would be sent is counted.

        Parameters
        ----------
        out
            The output folder, whose files are not inputs.
        price
            The embedder's price for a million tokens.

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
        """Cut all documents, and write their chunks; resume an earlier run.

        Each finished shard is a checkpoint, and is skipped. Shards whose inputs have changed are
        made again, and those whose inputs are gone are removed. If an option has changed,
        ``force=True`` rebuilds everything beside the old output, which stays until the new one is
        complete. Vectors of equal texts are taken from the old output.

        Parameters
        ----------
        out
            The output folder, a path or a URL: Parquet files of chunks, those of errors in
            ``_errors``, and the state of the run in ``_run``.
        store
            A store to import the documents into, instead of writing files of chunks. It cuts and
            embeds them itself; ``out`` holds the rest.
        engine
            ``"local"``: this machine. ``"ray"``, ``"spark"``: the machines of a cluster, all of
            which reach inputs and output by the same paths.
        max_errors
            How many documents may fail; one more ends the run. By default there is no limit.
        waits
            Whether to wait while another run writes the output, instead of raising an error.
        force
            Whether to replace an output of other options, and to remove shards even if an input
            cannot be read.
        progress
            A function that is called with each step of the run, a
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
