"""Staging of an output: new shards stand aside until all of them take the place of the old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.corpus.arrow.vectors import embedded_column
from chunkwright.corpus.inputs.places import LocalPlace, joined, place_of
from chunkwright.corpus.output.manifest import ERRORS, RUN, Manifest
from chunkwright.corpus.output.parquet import part_path, shard_name
from chunkwright.corpus.planning.plan import FROM_INPUTS, differences
from chunkwright.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chunkwright.corpus.planning.plan import Plan
    from chunkwright.embed import EmbedderLike

NEXT = "_next"
"""The folder of an output in which the next one is made."""
_SWITCH = "switch.json"
_VECTORS = "vectors"
# Rows of an old output that are read at once.
_ROWS = 4096


class ChangedSettingsError(CorpusError):
    """An output was made with other settings, and nobody has said that it may be replaced.

    Parameters
    ----------
    folder
        The output.
    changes
        Which settings have changed, in words.
    """

    def __init__(self, folder: str, changes: Sequence[str]) -> None:
        self.folder: str = folder
        self.changes: tuple[str, ...] = tuple(changes)
        super().__init__(
            f"{folder} was made with other settings, and is left as it is ({'; '.join(changes)}):"
            " to have it replaced when all is made anew say force=True, or name another folder"
        )


class Staging:
    """The next output in a folder of the one that is there.

    The switch is noted before it begins: whoever holds the lock next ends one that was cut off.

    Parameters
    ----------
    folder
        The output.
    """

    def __init__(self, folder: str) -> None:
        self._folder, self._place = folder, place_of(folder)
        self.manifest: Manifest = Manifest(joined(folder, NEXT))

    def switch(self, old: Collection[str]) -> None:
        """Have the next output take the place of the one that is there.

        Parameters
        ----------
        old
            The names of the shards that are replaced.
        """
        self.manifest.write_note(_SWITCH, {"old": sorted(old)})
        self.end_switch()

    @property
    def is_switching(self) -> bool:
        """Whether a switch was begun, and has not ended."""
        return self.manifest.note(_SWITCH) is not None

    def end_switch(self) -> None:
        """End a switch that was begun; do nothing if there is none."""
        noted = self.manifest.note(_SWITCH)
        if noted is None:
            self._place.remove_folder(self.manifest.folder)
            return
        current = Manifest(self._folder)
        for folder in (ERRORS, ""):
            self._move_files(folder)
        self._move_files(RUN, "shards")
        for name in noted["old"]:
            self._place.remove(part_path(self._folder, name))
        current.remove(noted["old"])
        for name in ("plan.json", "settings.json"):
            self._move(joined(RUN, name))
        self.remove_vectors()
        self._place.remove(joined(self.manifest.folder, RUN, "run.json"))
        self._place.remove(joined(self.manifest.folder, RUN, _SWITCH))
        self._place.remove_folder(self.manifest.folder)

    def _move_files(self, *names: str) -> None:
        """Move the files of shards in a folder, each in one step."""
        folder = joined(self.manifest.folder, *filter(None, names))
        for file in sorted(self._place.sizes(folder)):
            if shard_name(file) is not None or names == (RUN, "shards"):
                self._move(joined(*filter(None, names), file))

    def _move(self, name: str) -> None:
        self._place.move(joined(self.manifest.folder, name), joined(self._folder, name))

    def remembering(
        self, embedder: EmbedderLike, name: str | None, column: str, shards: Collection[str]
    ) -> EmbedderLike:
        """Return an embedder that knows the vectors of the output that is there.

        Parameters
        ----------
        embedder
            The model, which is that of the output.
        name
            Names it, if it has no fingerprint.
        column
            The column of the vectors.
        shards
            The shards that have them.
        """
        import pyarrow.parquet as pq

        from chunkwright.embed import Cached, as_embedder

        if not isinstance(self._place, LocalPlace):
            return embedder
        own = as_embedder(embedder)
        folder = joined(self.manifest.folder, RUN, _VECTORS)
        found = Cached(own, folder=folder, name=None if own.fingerprint else name)
        for shard in sorted(shards):
            with self._place.open(part_path(self._folder, shard)) as file:
                table = pq.ParquetFile(file)
                if column not in table.schema_arrow.names:
                    return embedder
                text = embedded_column(table.schema_arrow)
                for batch in table.iter_batches(_ROWS, columns=[text, column]):
                    _remember(found, batch, text, column)
        return found

    def remove_vectors(self) -> None:
        """Remove what :meth:`remembering` has kept."""
        folder = joined(self.manifest.folder, RUN, _VECTORS)
        for name in self._place.sizes(folder):
            self._place.remove(joined(folder, name))


def changed(folder: str, plan: Plan, *, force: bool) -> list[str]:
    """Return which settings of an output have changed since it was made, in words.

    Raises
    ------
    ChangedSettingsError
        If it may not be replaced, and has no other beside it that was begun with these settings.
    """
    manifest, now = Manifest(folder), dict(plan.job.settings)
    before = manifest.settings()
    if before is None or not (found := differences(before, now)):
        return []
    options = [name for name in {*before, *now} - FROM_INPUTS if before.get(name) != now.get(name)]
    if force or not options or now["store"] is not None:
        # A store keeps what it has, whatever it was imported with.
        return found
    is_begun = Manifest(joined(folder, NEXT)).settings() == now
    if not is_begun and any(map(shard_name, place_of(folder).sizes(folder))):
        raise ChangedSettingsError(folder, found)
    return found


def _remember(found: Any, batch: Any, text: str, column: str) -> None:
    rows = batch.filter(batch.column(column).is_valid())
    if rows.num_rows:
        vectors = rows.column(column)
        matrix = vectors.flatten().to_numpy().reshape(rows.num_rows, -1)
        found.remember(rows.column(text).to_pylist(), matrix)
