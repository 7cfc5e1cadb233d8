"""Runs from a file: what is cut, how it is cut and found, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, time
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.chunking import ALL_STRATEGIES, make_strategy
from chunkwright.chunking.recursive import Recursive
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.cutoffs import parse
from chunkwright.evaluation.dataset import Dataset
from chunkwright.evaluation.metrics import check_placement
from chunkwright.evaluation.objects import chunker_of
from chunkwright.evaluation.plan import CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.runs import model_of, tokenizer_of
from chunkwright.io.toml import read_table
from chunkwright.retrieval import Retriever

if TYPE_CHECKING:
    import os

    from chunkwright.chunking import AnyStrategy

    MakeEmbedder = Callable[[str], EmbedderLike]

TOP = {
    "data": dict,
    "embedder": str,
    "tokenizer": str,
    "cutoffs": list,
    "placement": str,
    "baseline": str,
    "retrieval": dict,
    "chunker": list,
}
DATA = {"corpora": (str, list), "questions": str, "name": str, "chroma_report": str}
RETRIEVAL = {each.name: None for each in fields(Retriever) if each.init}
# What a row has beside the options of its strategy.
ROW = {"name": str, "retrieval": dict, "placement": str}
OBJECT = {"object": str, "options": dict, **ROW}
KINDS = {str: "a string", list: "a list", dict: "a table", (str, list): "a string or a list"}
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
    _check(str(file), table, TOP)
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
        settings=_as_json(table),
    )


def _check(place: str, table: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in known:
            raise ConfigError(f"{place}: unknown key {key!r}; {nearest(key, list(known))}")
        kind = known[key]
        if kind is not None and not isinstance(value, kind):
            raise ConfigError(f"{place}: {key} must be {KINDS[kind]}, got {value!r}")


def _dataset(file: Path, data: Mapping[str, Any]) -> Dataset:
    place = f"{file}: [data]"
    _check(place, data, DATA)
    if "chroma_report" in data:
        if others := sorted(data.keys() - {"chroma_report"}):
            raise ConfigError(f"{place}: chroma_report takes the place of {others[0]}: give one")
        return Dataset.chroma_report(file.parent / data["chroma_report"])
    for key in ("corpora", "questions"):
        if key not in data:
            raise ConfigError(f"{place}: {key} is missing")
    given = data["corpora"]
    if isinstance(given, str):
        corpora: Any = _path(file, given)
    else:
        corpora = [_path(file, _string(place, "corpora", each)) for each in given]
    return Dataset.read(corpora, _path(file, data["questions"]), name=data.get("name", file.stem))


def _path(file: Path, given: str) -> str:
    return str(file.parent / given)


def _tokenizer(file: Path, named: object) -> str:
    if not isinstance(named, str):
        raise ConfigError(f"tokenizer must be a string, got {named!r}")
    path = _path(file, named)
    return path if Path(path).is_file() else named


def _string(place: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{place}: {key} must be a string or a list of them, got {value!r}")
    return value


class _Rows:
    """Makes the runs of a file; an embedder that several use is made once."""

    def __init__(self, file: Path, table: Mapping[str, Any], make: MakeEmbedder) -> None:
        self._file = file
        self._table = table
        self._make = make
        self._made: dict[str, EmbedderLike] = {}
        _check(f"{file}: [retrieval]", table.get("retrieval", {}), RETRIEVAL)

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
        _check(place, own, ROW)
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
        strategy, options = row.pop("strategy"), dict(row)
        described = {"strategy": strategy, **options}
        kind = ALL_STRATEGIES.get(strategy) if isinstance(strategy, str) else None
        known = () if kind is None else [each.name for each in fields(kind)]
        if "embedder" in known:
            named = options.get("embedder", self._table.get("embedder", NAMES[0]))
            options["embedder"] = self._embedder(named)
            described["embedder"] = model_of(options["embedder"])
        if "tokenizer" in known:
            named = options.get("tokenizer", self._table.get("tokenizer", TOKENIZER))
            options["tokenizer"] = _tokenizer(self._file, named)
            described["tokenizer"] = tokenizer_of(options["tokenizer"])
        if strategy == "recursive" and "language" in options:
            return Recursive.for_language(options.pop("language"), **options), described
        return make_strategy(strategy, options), described

    def _object(self, place: str, row: Mapping[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        _check(place, row, OBJECT)
        options = row.get("options")
        if options is None:
            return chunker_of(row["object"], None, self._file.parent)
        filled = {key: self._filled(value) for key, value in options.items()}
        chunker, described = chunker_of(row["object"], filled, self._file.parent)
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
        _check(f"{place}: retrieval", own, RETRIEVAL)
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
