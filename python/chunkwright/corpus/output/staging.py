"""Staging of an output, whose new shards stand aside until all are made, and its lock."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.arrow.vectors import embedded_column
from chunkwright.corpus.inputs.places import (
    LocalPlace,
    joined,
    place_of,
    read_bytes,
    unwritable,
    write_bytes,
)
from chunkwright.corpus.output.manifest import ERRORS, RUN, Manifest
from chunkwright.corpus.output.parquet import part_path, shard_name
from chunkwright.corpus.planning.plan import FROM_INPUTS, differences
from chunkwright.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import IO

    from chunkwright.corpus.inputs.places import Place
    from chunkwright.corpus.planning.plan import Plan
    from chunkwright.embed import EmbedderLike

if sys.platform != "win32":
    import fcntl

# Seconds between two looks at a lock that another run has.
_LOOK = 0.2
# So many looks are had, at least: whoever asks for a run's state has its lock for a moment, too.
_LOOKS = 3
# A run writes that it is alive every so many seconds; one that has not for many is taken for dead.
_BEAT, _DEAD = 10.0, 120.0
# What a lock raises that says nothing of a run.
_ODD = (ValueError, KeyError, TypeError, OverflowError, RecursionError)


@contextmanager
def locked(path: str, *, waits: bool = False) -> Iterator[None]:
    """Hold a lock while the block runs.

    On this machine's file systems, network ones included, the system gives it back when the process
    ends, however it does. Elsewhere a file says every ten seconds that the run is alive, and one
    that has said nothing for two minutes is taken over.

    Parameters
    ----------
    path
        The file that is locked.
    waits
        Whether to wait while another run has it.

    Raises
    ------
    CorpusError
        If another run has it, and it is not waited for; says which one. If nothing can be written
        there.
    """
    place = place_of(path)
    is_file = isinstance(place, LocalPlace) and sys.platform != "win32"
    with _by_system(path, waits=waits) if is_file else _by_heartbeat(place, path, waits=waits):
        yield


def holder(path: str) -> str | None:
    """Return which run has a lock, in words; None if none has."""
    place = place_of(path)
    if isinstance(place, LocalPlace) and sys.platform != "win32":
        try:
            with Path(path).open("rb") as file:
                return None if _locks(file) else _words(file.read())
        except FileNotFoundError:
            return None
    said = read_bytes(place, path)
    return None if said is None or _age(said) > _DEAD else _words(said)


@contextmanager
def _by_system(path: str, *, waits: bool) -> Iterator[None]:
    with _lock_file(path) as file:
        n_looks = 0
        while not _locks(file):
            file.seek(0)
            n_looks += 1
            if n_looks == _LOOKS and not waits:
                raise _taken(path, file.read())
            time.sleep(_LOOK)
        try:
            file.truncate(0)
            file.write(_said())
            file.flush()
        except OSError as error:
            # What was not written would be tried again when the file is closed.
            with suppress(OSError):
                file.close()
            raise unwritable(path, error) from error
        yield


def _lock_file(path: str) -> IO[bytes]:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return Path(path).open("a+b")
    except OSError as error:
        raise unwritable(path, error) from error


def _locks(file: IO[bytes]) -> bool:
    """Lock a file, and return whether that was possible."""
    assert sys.platform != "win32"  # noqa: S101 - for the type checker
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: nobody can be told to wait.
        return True
    return True


@contextmanager
def _by_heartbeat(place: Place, path: str, *, waits: bool) -> Iterator[None]:
    while not place.create(path, _said()):
        said = read_bytes(place, path)
        if said is not None and _age(said) > _DEAD:
            place.remove(path)
        elif said is not None and not waits:
            raise _taken(path, said)
        elif said is not None:
            time.sleep(_LOOK)
    is_over = Event()
    beating = Thread(target=_beat, args=(place, path, is_over), daemon=True)
    beating.start()
    try:
        yield
    finally:
        is_over.set()
        beating.join()
        place.remove(path)


def _beat(place: Place, path: str, is_over: Event) -> None:
    while not is_over.wait(_BEAT):
        # One beat more or less: the next one may reach it.
        with suppress(CorpusError, OSError):
            write_bytes(place, path, _said())


def _said() -> bytes:
    said = {"host": socket.gethostname(), "process": os.getpid(), "time": time.time()}
    return json.dumps(said).encode()


def _age(said: bytes) -> float:
    try:
        return time.time() - float(json.loads(said)["time"])
    except _ODD:
        # Half written: its run is alive, or the next look says more.
        return 0.0


def _words(said: bytes) -> str:
    try:
        found = json.loads(said)
        return f"process {found['process']} on {found['host']}"
    except _ODD:
        return "another run"


def _taken(path: str, said: bytes) -> CorpusError:
    folder = path.rsplit("/", 2)[0]
    return CorpusError(f"{folder} is written by {_words(said)}: wait until it is done, or stop it")


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
