"""Manifest of a run: plain files that say which shards are done, and with what settings."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import (
    joined,
    place_of,
    read_bytes,
    write_bytes,
)
from chunkwright.corpus.output.parquet import FailureFile
from chunkwright.corpus.report import Counts
from chunkwright.errors import CorpusError

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard

# Readers of folders of Parquet files leave out what begins with an underscore.
RUN, ERRORS = "_run", "_errors"
_VERSION = 1


class Manifest:
    """What is known of a run beside its chunks.

    ``_run/settings.json`` says how it was cut, ``_run/plan.json`` what shards it has,
    ``_run/shards/`` has a file for each that is done, ``_run/run.json`` is the report, and
    ``_errors/`` has a Parquet file of the failures of each shard that has any.

    A shard is done when its file is there, which is written last: after its chunks and its errors.

    Parameters
    ----------
    folder
        The output: a path, or an address of a file system that fsspec knows.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._place = place_of(folder)

    @property
    def lock_path(self) -> str:
        """The file that a run locks."""
        return joined(self.folder, RUN, "lock")

    @property
    def hashes_path(self) -> str:
        """The folder of the hashes of documents, by which duplicates are found."""
        return joined(self.folder, RUN, "hashes")

    def settings(self) -> dict[str, Any] | None:
        """Return the settings of the run that was last; None if there was none.

        Raises
        ------
        CorpusError
            If another version of chunkwright wrote it in another way.
        """
        found = self._read("settings.json")
        if found is not None and found.get("version") != _VERSION:
            raise CorpusError(
                f"{self.folder} was written by another version of chunkwright, whose manifest this"
                f" one does not know: {found.get('version')!r}"
            )
        return None if found is None else dict(found["settings"])

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Write the settings of a run that begins."""
        self._write("settings.json", {"version": _VERSION, "settings": dict(settings)})

    def plan(self) -> list[tuple[str, int]]:
        """Return the names of the shards of the run that was last, with their bytes of input."""
        found = self._read("plan.json") or {"shards": []}
        return [(name, size) for name, size, *_ in found["shards"]]

    def files(self, names: Collection[str]) -> list[str]:
        """Return files of inputs of shards of that run, one of each folder that has any."""
        found = self._read("plan.json") or {"shards": []}
        return [path for name, _, *paths in found["shards"] if name in names for path in paths]

    def write_plan(self, shards: Sequence[Shard]) -> None:
        """Write what a run that begins will make."""
        rows = [[shard.name, shard.size, *shard.files] for shard in shards]
        self._write("plan.json", {"shards": rows})

    def done(self) -> set[str]:
        """Return the names of the shards that are marked as done."""
        files = self._place.sizes(joined(self.folder, RUN, "shards"))
        return {name.removesuffix(".json") for name in files if name.endswith(".json")}

    def whole(self, sizes: Mapping[str, int] | None) -> dict[str, Counts]:
        """Return what shards came to that are done, and whose files are as they were written.

        Parameters
        ----------
        sizes
            The bytes of shards that are there; None: all are.
        """
        failures = self._place.sizes(joined(self.folder, ERRORS))
        found = {}
        for name in self.done() if sizes is None else self.done() & sizes.keys():
            counts = self._counts(name)
            if counts is None or (counts.failed and _errors_file(name) not in failures):
                continue
            if sizes is None or counts.output_bytes == sizes[name]:
                found[name] = counts
        return found

    def counts(self, names: Collection[str]) -> Counts:
        """Return what shards that are done add up to."""
        return Counts.sum(filter(None, map(self._counts, names)))

    def _counts(self, name: str) -> Counts | None:
        """Return what a shard came to; None if it is not marked, or the mark is damaged."""
        try:
            found = self._read("shards", f"{name}.json")
            return None if found is None else Counts.of_dict(found)
        except CorpusError:
            return None

    def failures(self, shard: Shard) -> FailureFile:
        """Begin the file of a shard's failures."""
        return FailureFile(self._errors_path(shard.name))

    def finish(self, shard: Shard, counts: Counts) -> None:
        """Mark a shard as done, whose chunks and failures are in place.

        Raises
        ------
        CorpusError
            If that cannot be written.
        """
        self._write_file(("shards", f"{shard.name}.json"), counts.to_dict())

    def remove(self, names: Collection[str]) -> None:
        """Forget shards, and their errors."""
        for name in sorted(names):
            self._place.remove(joined(self.folder, RUN, "shards", f"{name}.json"))
            self._place.remove(self._errors_path(name))

    def tidy(self) -> None:
        """Remove what killed writers have left; only who holds the lock may call it."""
        for names in ((), (ERRORS,), (RUN,), (RUN, "shards")):
            self._place.tidy(joined(self.folder, *names))

    def write_report(self, report: Mapping[str, Any]) -> None:
        """Write ``run.json``."""
        self._write("run.json", report, indent=2)

    def report(self) -> dict[str, Any] | None:
        """Return what ``run.json`` says; None if no run has ended."""
        return self._read("run.json")

    def write_note(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a file beside the settings."""
        self._write(name, value)

    def note(self, name: str) -> dict[str, Any] | None:
        """Return what such a file says; None if there is none."""
        return self._read(name)

    def is_begun(self) -> bool:
        """Return whether a run was begun, even if it has done nothing yet."""
        return bool(self._place.sizes(joined(self.folder, RUN)))

    def _errors_path(self, name: str) -> str:
        return joined(self.folder, ERRORS, _errors_file(name))

    def _read(self, *names: str) -> dict[str, Any] | None:
        path = joined(self.folder, RUN, *names)
        data = read_bytes(self._place, path)
        if data is None:
            return None
        try:
            found: dict[str, Any] = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{path} is damaged: {error}") from error
        if not isinstance(found, dict):
            raise CorpusError(f"{path} is damaged: it holds no object of JSON")
        return found

    def _write(self, name: str, value: Mapping[str, Any], indent: int | None = None) -> None:
        self._write_file((name,), value, indent)

    def _write_file(
        self, names: tuple[str, ...], value: Mapping[str, Any], indent: int | None = None
    ) -> None:
        data = json.dumps(value, indent=indent, ensure_ascii=False).encode()
        write_bytes(self._place, joined(self.folder, RUN, *names), data)


def _errors_file(name: str) -> str:
    return f"part-{name}.parquet"
