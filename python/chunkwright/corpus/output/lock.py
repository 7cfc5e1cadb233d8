"""Lock of an output, so that two runs do not write it at once."""

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
from typing import TYPE_CHECKING

from chunkwright.corpus.inputs.places import (
    LocalPlace,
    place_of,
    read_bytes,
    unwritable,
    write_bytes,
)
from chunkwright.errors import CorpusError

if TYPE_CHECKING:
    from typing import IO

    from chunkwright.corpus.inputs.places import Place

if sys.platform != "win32":
    import fcntl

# Seconds between two looks at a lock that another run has, and at one that is only asked for.
_LOOK, _MOMENT = 0.2, 0.005
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
                return None if _locks(file, shared=True) else _words(file.read())
        except FileNotFoundError:
            return None
    said = read_bytes(place, path)
    return None if said is None or _age(said) > _DEAD else _words(said)


@contextmanager
def _by_system(path: str, *, waits: bool) -> Iterator[None]:
    with _lock_file(path) as file:
        while not _locks(file):
            # Those who ask who has it share it for a moment, and a run does not.
            is_asked_for = _locks(file, shared=True)
            if is_asked_for:
                # Two runs that begin would keep each other from it for ever.
                _unlock(file)
            elif not waits:
                file.seek(0)
                raise _taken(path, file.read())
            time.sleep(_MOMENT if is_asked_for else _LOOK)
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


def _locks(file: IO[bytes], *, shared: bool = False) -> bool:
    """Lock a file, alone or beside others who share it; return whether that was possible."""
    assert sys.platform != "win32"  # noqa: S101 - for the type checker
    how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file.fileno(), how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: nobody can be told to wait.
        return True
    return True


def _unlock(file: IO[bytes]) -> None:
    assert sys.platform != "win32"  # noqa: S101 - for the type checker
    with suppress(OSError):
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)


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
