"""Configuration file of an evaluation: its data, chunkers and retrievers, made into runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, time
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.registry import options_of, strategy_of
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.corpora import read_corpora, read_documents
from chunkwright.evaluation.cutoffs import parse
from chunkwright.evaluation.dataset import Dataset
from chunkwright.evaluation.metrics import check_placement
from chunkwright.evaluation.plan import CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.runs import model_of, tokenizer_of
from chunkwright.io.toml import Known, check_table, read_table
from chunkwright.objects import object_of
from chunkwright.retrieval import Retriever

if TYPE_CHECKING:
    import os

    from chunkwright.chunking import AnyStrategy

    MakeEmbedder = Callable[[str], EmbedderLike]

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
    "chunker": (list,),
}
DATA: Known = {
    "corpora": (str, list[str]),
    "documents": (str, list[str]),
    "questions": (str,),
    "name": (str,),
    "chroma_report": (str,),
    "language": (str,),
}
RETRIEVAL: Known = {each.name: () for each in fields(Retriever) if each.init}
# What a row has beside the options of its strategy.
ROW: Known = {"name": (str,), "retrieval": (dict,), "placement": (str,)}
OBJECT: Known = {"object": (str,), "options": (dict,), **ROW}
# Instead of the path of a model.
NAMES = ("lexical",)
NO_EMBEDDER = "none"
# What says that words have no subwords.
NO_SUBWORDS = "none"
# In an object's options, the embedder.
EMBEDDER = "{embedder}"


def read_plan(path: str | os.PathLike[str], *, embedder: MakeEmbedder = as_embedder) -> Plan:
    """Read the configuration of an evaluation.

    Parameters
    ----------
    path
        A file of TOML; `docs/choosing.md` shows one. Paths in it are relative to its folder.
    embedder
        Makes an embedder of ``"lexical"`` or a model's folder.

    Raises
    ------
    ConfigError
        If it cannot be read, or holds a key or value that makes no sense; names it.
    ReadError, ModelError
        If the corpora, the questions or a model cannot be read.
    """
    file = Path(path)
    table = read_table(file)
    check_table(str(file), table, TOP)
    runs = _Rows(file, table, embedder).runs()
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
    read = read_documents if key == "documents" else read_corpora
    if "questions" not in data:
        return Dataset(read(paths), (), name)
    questions = _path(file, data["questions"])
    return Dataset.read(read(paths, without=questions), questions, name=name)


def _path(file: Path, given: str) -> str:
    return str(file.parent / given)


def _tokenizer(file: Path, named: object) -> str:
    if not isinstance(named, str):
        raise ConfigError(f"tokenizer must be a string, got {named!r}")
    path = _path(file, named)
    return path if Path(path).is_file() else named


class _Rows:
    """Makes the runs of a file; an embedder that several use is made once."""

    def __init__(self, file: Path, table: Mapping[str, Any], make: MakeEmbedder) -> None:
        self._file = file
        self._table = table
        self._make = make
        self._made: dict[str, EmbedderLike] = {}
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
            return self._made_of(place, row)
        except ConfigError as error:
            if str(error).startswith(str(self._file)):
                raise
            raise ConfigError(f"{place}: {error}") from error

    def _made_of(self, place: str, row: Mapping[str, Any]) -> Run:
        own = {key: value for key, value in row.items() if key in ROW}
        check_table(place, own, ROW)
        if ("object" in row) == ("strategy" in row):
            raise ConfigError("one of strategy and object is needed")
        make = self._object if "object" in row else self._strategy
        chunker, described = make(place, {key: row[key] for key in row if key not in own})
        placement = own.get("placement", self._table.get("placement", "offsets"))
        check_placement(placement)
        return Run(
            name=own.get("name", _name(row)),
            chunker=chunker,
            retriever=self._retriever(place, own.get("retrieval", {})),
            placement=placement,
            described=described,
        )

    def _strategy(self, place: str, row: dict[str, Any]) -> tuple[AnyStrategy, dict[str, Any]]:
        del place
        table = {**row, **self._defaults(row["strategy"], row)}
        made = strategy_of(table, embedder=self._embedder)
        described = dict(table)
        if "embedder" in described:
            described["embedder"] = model_of(self._embedder(described["embedder"]))
        if "tokenizer" in described:
            described["tokenizer"] = tokenizer_of(described["tokenizer"])
        return made, described

    def _defaults(self, strategy: str, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return embedder and tokenizer, those of the row or of the file, for who has them."""
        names, defaults = options_of(strategy), {}
        if "embedder" in names:
            defaults["embedder"] = row.get("embedder", self._table.get("embedder", NAMES[0]))
        if "tokenizer" in names:
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
        return self._embedder(self._table["embedder"])

    def _retriever(self, place: str, own: Mapping[str, Any]) -> Retriever:
        check_table(f"{place}: retrieval", own, RETRIEVAL)
        options = {**self._table.get("retrieval", {}), **own}
        # TOML has no null.
        if options.get("subwords") == NO_SUBWORDS:
            options["subwords"] = None
        named = options.pop("embedder", self._table.get("embedder", NO_EMBEDDER))
        embedder = None if named == NO_EMBEDDER else self._embedder(named)
        return Retriever(**options, embedder=embedder)

    def _embedder(self, named: object) -> EmbedderLike:
        if not isinstance(named, str):
            raise ConfigError(f"embedder must be a string, got {named!r}")
        if named not in self._made:
            where = named if named in NAMES else _path(self._file, named)
            self._made[named] = self._make(where)
        return self._made[named]


def _name(row: Mapping[str, Any]) -> str:
    """Return what a row without a name is called: as a setting is in one word."""
    if "object" in row:
        name, options = str(row["object"]), row.get("options") or {}
    else:
        name = str(row["strategy"])
        options = {key: row[key] for key in row if key not in {*ROW, "strategy"}}
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
