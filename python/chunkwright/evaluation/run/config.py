"""Configuration file of an evaluation: its data, chunkers and retrievers, made into runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date, time
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.registry import strategy_class, strategy_of
from chunkwright.contextual import Contextual
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.data.corpora import STEM, read_documents
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.run.models import LEXICAL, PlanModels
from chunkwright.evaluation.run.plan import CUT_BY, CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.run.stored_runs import model_of, tokenizer_of
from chunkwright.evaluation.scores.cutoffs import parse
from chunkwright.evaluation.scores.metrics import check_placement
from chunkwright.io.toml import Known, PlacedError, check_table, read_table
from chunkwright.objects import object_of
from chunkwright.retrieval import Retriever

if TYPE_CHECKING:
    import os

    from chunkwright.chunking import AnyStrategy
    from chunkwright.evaluation.run.models import KeepScores, MakeEmbedder
    from chunkwright.llm.run.runner import Progress

TOP: Known = {
    "data": (dict,),
    "embedder": (str,),
    "tokenizer": (str,),
    "cutoffs": (list,),
    "placement": (str,),
    "baseline": (str,),
    "rank_by": (str,),
    "size_limit": (int,),
    "retrieval": (dict,),
    "llm": (dict,),
    "chunker": (list,),
}
DATA: Known = {
    "corpora": (str, list[str]),
    "documents": (str, list[str]),
    "questions": (str,),
    "name": (str,),
    "names": (str,),
    "chroma_report": (str,),
    "language": (str,),
}
RETRIEVAL: Known = {each.name: () for each in fields(Retriever) if each.init}
# What a row has beside the options of its strategy.
ROW: Known = {
    "name": (str,),
    "retrieval": (dict,),
    "placement": (str,),
    "contextual": (dict,),
}
# The strategy is the row's own, and the model the file's.
CONTEXTUAL: Known = {
    each.name: ()
    for each in fields(Contextual)
    if each.init and each.name not in {"strategy", "llm"}
}
OBJECT: Known = {"object": (str,), "options": (dict,), **ROW}
# The context that needs no model.
STRUCTURE = "structure"
# What says that there is no such model.
NO_MODEL = "none"
# What says that words have no subwords.
NO_SUBWORDS = "none"
# The name that stands for the embedder in an object's options.
EMBEDDER = "{embedder}"


def read_plan(
    path: str | os.PathLike[str],
    *,
    embedder: MakeEmbedder = as_embedder,
    reranker: KeepScores | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Read the configuration of an evaluation.

    Parameters
    ----------
    path
        A file of TOML; `docs/choosing.md` shows one. Paths in it are relative to its folder.
    embedder
        A function that makes an embedder from ``"lexical"`` or the folder of a model.
    reranker
        A function that gets each reranker and returns the one to use, for example one with a cache.
    progress
        A function that is called with the ledger of a language model.

    Returns
    -------
    Plan
        The runs of the file; :func:`chunkwright.evaluation.with_twins` adds those for comparison.

    Raises
    ------
    ConfigError
        If the file cannot be read, or a key or value makes no sense; names it.
    ReadError, ModelError
        If the corpora, the questions or a model cannot be read.
    """
    file = Path(path)
    table = read_table(file)
    check_table(str(file), table, TOP)
    models = PlanModels(
        file, table.get("llm"), embedder=embedder, reranker=reranker, progress=progress
    )
    runs = _Rows(file, table, models).runs()
    baseline = table.get("baseline")
    names = [run.name for run in runs]
    if baseline is not None and baseline not in names:
        raise ConfigError(f"{file}: no chunker is called {baseline!r}; {nearest(baseline, names)}")
    cutoffs = parse(table.get("cutoffs", CUTOFFS))
    return Plan(
        dataset=_dataset(file, table.get("data", {})),
        runs=runs,
        cutoffs=cutoffs,
        tokenizer=_tokenizer(file, table.get("tokenizer", TOKENIZER)),
        baseline=baseline,
        rank_by=table.get("rank_by"),
        size_limit=table.get("size_limit"),
        language=table.get("data", {}).get("language", "en"),
        asks=bool({"questions", "chroma_report"} & table.get("data", {}).keys()),
        settings=_as_json(table),
    )


def _dataset(file: Path, data: Mapping[str, Any]) -> Dataset:
    place = f"{file}: [data]"
    check_table(place, data, DATA)
    if "chroma_report" in data:
        if others := sorted(data.keys() - {"chroma_report", "language"}):
            raise ConfigError(f"{place}: chroma_report takes the place of {others[0]}: give one")
        return Dataset.chroma_report(file.parent / data["chroma_report"])
    if {"corpora", "documents"} <= data.keys():
        raise ConfigError(f"{place}: documents takes the place of corpora: give one")
    key = "documents" if "documents" in data else "corpora"
    if key not in data:
        raise ConfigError(f"{place}: corpora is missing")
    given: str | list[str] = data[key]
    paths = [_path(file, each) for each in ([given] if isinstance(given, str) else given)]
    name = data.get("name", file.stem)
    questions = _path(file, data["questions"]) if "questions" in data else None
    naming = data.get("names", STEM)
    # A folder by itself is what its files are called from.
    source = paths[0] if len(paths) == 1 else paths
    if key == "documents":
        read = read_documents(source, without=questions, names=naming)
        return Dataset.read(read, questions, name=name)
    return Dataset.read(source, questions, name=name, names=naming)


def _path(file: Path, given: str) -> str:
    return str(file.parent / given)


def _tokenizer(file: Path, named: object) -> str:
    if not isinstance(named, str):
        raise ConfigError(f"tokenizer must be a string, got {named!r}")
    path = _path(file, named)
    return path if Path(path).is_file() else named


class _Rows:
    """Makes the runs of a file."""

    def __init__(self, file: Path, table: Mapping[str, Any], models: PlanModels) -> None:
        self._file = file
        self._table = table
        self._models = models
        check_table(f"{file}: [retrieval]", table.get("retrieval", {}), RETRIEVAL)

    def runs(self) -> tuple[Run, ...]:
        rows = self._table.get("chunker", [])
        if not rows:
            raise ConfigError(f"{self._file}: there is no [[chunker]] to evaluate")
        return tuple(self._run(number, row) for number, row in enumerate(rows, 1))

    def _run(self, number: int, row: object) -> Run:
        place = f"{self._file}: chunker {number}"
        if not isinstance(row, dict):
            raise ConfigError(f"{place} must be a table, got {row!r}")
        if isinstance(row.get("name"), str):
            place += f" ({row['name']})"
        try:
            return self._run_of(place, row)
        except PlacedError:
            raise
        except ConfigError as error:
            raise PlacedError(place, error, option=error.option) from error

    def _run_of(self, place: str, row: Mapping[str, Any]) -> Run:
        own = {key: value for key, value in row.items() if key in ROW}
        check_table(place, own, ROW)
        if ("object" in row) == ("strategy" in row):
            raise ConfigError("one of strategy and object is needed")
        make = self._object if "object" in row else self._strategy
        chunker, described = make(place, {key: row[key] for key in row if key not in own})
        if "contextual" in own:
            if "object" in row:
                given = f"the object {row['object']!r}"
                raise ConfigError(f"contextual is for strategies, not for {given}")
            chunker, described = self._contextual(place, own["contextual"], chunker, described)
        placement = own.get("placement", self._table.get("placement", "offsets"))
        check_placement(placement)
        return Run(
            name=own.get("name", _name(row)),
            chunker=chunker,
            retriever=self._retriever(place, own.get("retrieval", {})),
            placement=placement,
            described=described,
        )

    def _contextual(
        self,
        place: str,
        table: Mapping[str, Any],
        strategy: Any,
        described: Mapping[str, Any] | None,
    ) -> tuple[Contextual, dict[str, Any]]:
        """Return a chunker that puts contexts in front of what a strategy cuts."""
        check_table(f"{place}: contextual", table, CONTEXTUAL)
        options = dict(table)
        if "prompt" in options:
            options["prompt"] = self._models.prompt(options["prompt"])
        if options.get("context") != STRUCTURE:
            options["llm"] = self._models.runner()
        try:
            made = Contextual(strategy, **options)
        except ConfigError as error:
            raise ConfigError(f"contextual: {error}", option=error.option) from error
        return made, {CUT_BY: described, "contextual": _described(options)}

    def _strategy(self, place: str, row: dict[str, Any]) -> tuple[AnyStrategy, dict[str, Any]]:
        del place
        table = {**row, **self._defaults(row["strategy"], row)}
        made = strategy_of(table, embedder=self._models.embedder)
        described = _described(table)
        if "embedder" in described:
            described["embedder"] = model_of(self._models.embedder(described["embedder"]))
        if "tokenizer" in described:
            described["tokenizer"] = tokenizer_of(described["tokenizer"])
        return made, described

    def _defaults(self, strategy: str, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the models and the tokenizer, of the row or of the file, for who has them."""
        models = strategy_class(strategy).models
        defaults: dict[str, Any] = {}
        if "llm" in models:
            if "llm" in row:
                raise ConfigError(
                    f"the language model is that of the table [llm], got {row['llm']!r}"
                )
            defaults["llm"] = self._models.runner()
            if "prompt" in row:
                defaults["prompt"] = self._models.prompt(row["prompt"])
        if "embedder" in models:
            defaults["embedder"] = row.get("embedder", self._table.get("embedder", LEXICAL))
        named = row.get("tokenizer", self._table.get("tokenizer", TOKENIZER))
        defaults["tokenizer"] = _tokenizer(self._file, named)
        return defaults

    def _object(self, place: str, row: Mapping[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        check_table(place, row, OBJECT)
        options = row.get("options")
        if options is None:
            return object_of(row["object"], None, self._file.parent)
        filled = {key: self._filled(value) for key, value in options.items()}
        chunker, described = object_of(row["object"], filled, self._file.parent)
        return chunker, {**described, "options": _as_json(self._fingerprints(options))}

    def _filled(self, value: object) -> object:
        return self._common_embedder() if value == EMBEDDER else value

    def _fingerprints(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: model_of(self._common_embedder()) if value == EMBEDDER else value
            for key, value in options.items()
        }

    def _common_embedder(self) -> EmbedderLike:
        if "embedder" not in self._table:
            raise ConfigError(f"{EMBEDDER} stands for the embedder of the file, which names none")
        return self._models.embedder(self._table["embedder"])

    def _retriever(self, place: str, own: Mapping[str, Any]) -> Retriever:
        check_table(f"{place}: retrieval", own, RETRIEVAL)
        options = {**self._table.get("retrieval", {}), **own}
        # TOML has no null.
        if options.get("subwords") == NO_SUBWORDS:
            options["subwords"] = None
        named = options.pop("embedder", self._table.get("embedder", NO_MODEL))
        embedder = None if named == NO_MODEL else self._models.embedder(named)
        given = options.pop("reranker", NO_MODEL)
        reranker = None if given == NO_MODEL else self._models.reranker(given)
        return Retriever(**options, embedder=embedder, reranker=reranker)


def _described(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with what names them in the place of models and prompts."""
    return {key: getattr(value, "fingerprint", value) for key, value in options.items()}


def _name(row: Mapping[str, Any]) -> str:
    """Return what a row without a name is called: as a setting is in one word."""
    if "object" in row:
        name, options = str(row["object"]), row.get("options") or {}
    else:
        name = str(row["strategy"])
        options = {key: row[key] for key in row if key not in {*ROW, "strategy"}}
        options |= row.get("contextual", {})
    shown = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{name}:{shown}" if shown else name


def _as_json(value: Any) -> Any:
    """Write as text what TOML has and JSON has not: times, infinities, and what is no number."""
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, float) and not isfinite(value) else value
