"""Trips through the package: the files, functions and turns that a warm call takes, by flow.

With a flow's name it prints the files that the flow enters, and how many calls lead into each.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import chunkwright as cw
from chunkwright import cli
from chunkwright.corpus import Corpus

PACKAGE = str(Path(cw.__file__).parent) + os.sep
RAIN = "# Rain\n\nIt rained on Monday. The river rose.\n\n## North\n\nIt shone there.\n"
SUN = "# Sun\n\nIt shone on Tuesday. Nobody went out.\n\n- one thing\n- another thing\n"


@dataclass
class Trip:
    """What a call has entered.

    Attributes
    ----------
    calls
        Calls into each file of the package from another one, or from outside.
    functions
        The functions.
    n_turns
        Calls from one file of the package into another one.
    n_returns
        Those of them into a file that was entered before.
    depth
        The most functions of the package that stood on one another.
    """

    calls: Counter[str] = field(default_factory=Counter)
    functions: set[CodeType] = field(default_factory=set)
    n_turns: int = 0
    n_returns: int = 0
    depth: int = 0

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Take down a call; what :func:`sys.setprofile` calls."""
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        file, before = frame.f_code.co_filename, list(_callers(frame))
        self.functions.add(frame.f_code)
        self.depth = max(self.depth, len(before) + 1)
        if before and before[0] == file:
            return
        if before:
            self.n_turns += 1
            self.n_returns += file in self.calls
        self.calls[file] += 1


def _callers(frame: FrameType) -> Iterator[str]:
    """Give the files of the package that functions around one are in, the nearest first."""
    around = frame.f_back
    while around is not None:
        if around.f_code.co_filename.startswith(PACKAGE):
            yield around.f_code.co_filename
        around = around.f_back


def trip_of(flow: Callable[[], object]) -> Trip:
    """Return what a call enters that has run before."""
    flow()
    trip = Trip()
    threading.setprofile(trip.note)
    sys.setprofile(trip.note)
    try:
        flow()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return trip


class Flows:
    """Calls that are measured, each again and again over the same two files.

    Parameters
    ----------
    folder
        An empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._sources = folder, folder / "sources"
        self._sources.mkdir()
        (self._sources / "rain.txt").write_text(RAIN, "utf-8")
        (self._sources / "sun.txt").write_text(SUN, "utf-8")
        self._n_outputs = 0

    def _new(self, suffix: str = "") -> Path:
        self._n_outputs += 1
        return self._folder / f"output{self._n_outputs}{suffix}"

    def _chunk(self) -> None:
        cw.chunk(RAIN, "recursive", max_tokens=16)

    def _add(self) -> None:
        with cw.Store.open(self._new(".db")) as store:
            self._add_to(store)

    def _add_to(self, store: cw.Store) -> None:
        store.add(self._sources, strategy=cw.Recursive(max_tokens=16))

    def _corpus(self) -> None:
        Corpus(str(self._sources), strategy=cw.Recursive(max_tokens=16)).write(str(self._new()))

    def _command(self) -> None:
        paths = [str(self._sources / name) for name in ("rain.txt", "sun.txt")]
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
            cli.run(["chunk", *paths, "--strategy", "recursive", "--max-tokens", "16"])

    def all(self, store: cw.Store) -> dict[str, Callable[[], object]]:
        """Return the flows by their names.

        Parameters
        ----------
        store
            One that is open and has both files.
        """
        self._add_to(store)
        return {
            "cw.chunk(text, recursive)": self._chunk,
            "Store.open + add(folder, 2 files)": self._add,
            "Store.add again": lambda: store.add(
                self._sources, strategy=cw.Recursive(max_tokens=16)
            ),
            "store.search": lambda: store.search("When did it rain?"),
            "Corpus.write (2 files)": self._corpus,
            "CLI chunk (2 files)": self._command,
        }


def main() -> None:
    """Print a table of all flows, or the files of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flow", nargs="?", help="the beginning of a flow's name")
    wanted = parser.parse_args().flow
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with cw.Store.open(folder / "kb.db") as store:
            flows = Flows(folder).all(store)
            if wanted is None:
                _print_table({name: trip_of(flow) for name, flow in flows.items()})
                return
            for title, flow in flows.items():
                if title.startswith(wanted):
                    _print_files(title, trip_of(flow))


def _print_table(trips: dict[str, Trip]) -> None:
    print("| flow | files | functions | calls between files | returns | depth |")
    print("|---|---|---|---|---|---|")
    for name, trip in trips.items():
        counts = (len(trip.calls), len(trip.functions), trip.n_turns, trip.n_returns, trip.depth)
        print(f"| {name} | {' | '.join(map(str, counts))} |")


def _print_files(title: str, trip: Trip) -> None:
    print(f"{title}: {len(trip.calls)} files")
    for file, n_calls in sorted(trip.calls.items()):
        print(f"{n_calls:6} {file.removeprefix(PACKAGE)}")


if __name__ == "__main__":
    main()
