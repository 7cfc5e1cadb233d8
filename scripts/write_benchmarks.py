"""Writer of the tables of the pages of benchmarks, from docs/benchmarks.json, which benches fill.

``docs/benchmarks-tables.md`` has every table as it was printed, ``docs/benchmarks.md`` the main
rows of some. To measure again, and to write both pages::

    python scripts/write_benchmarks.py --measure                  # every run; half an hour
    python scripts/write_benchmarks.py --measure elements many    # these
    python scripts/write_benchmarks.py                            # the pages alone

To take in what a bench has printed elsewhere; a new run needs its command and machine::

    python benches/peers.py --rounds 9 --json > /tmp/run.json
    python scripts/write_benchmarks.py peers /tmp/run.json --measured 2026-11-21

A run is the Markdown that a bench prints, or the JSON of ``benches/peers.py --json``. The file
holds no name of a machine, only its class. A bench that fails keeps its old run, and is named at
the end. A test fails while a page is not what this writes.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "docs" / "benchmarks.json"
PAGE = ROOT / "docs" / "benchmarks-tables.md"
RESULTS = ROOT / "docs" / "benchmarks.md"

sys.path.insert(0, str(ROOT / "benches"))

from lib.contenders import OURS, Line  # noqa: E402 - of the benches
from lib.table import MISSED, markdown  # noqa: E402

_PLACE = re.compile(r"(<!-- run: ([\w-]+) -->\n)(.*?)(<!-- end of run -->)", re.DOTALL)
_ROWS = re.compile(
    r"(<!-- rows of ([\w-]+)\ncolumns: ([^\n]+)\nlike: ([^\n]+)\n-->\n)(.*?)(<!-- end of rows -->)",
    re.DOTALL,
)
_TABLE_LINE = re.compile(r"^\|.*\|$", re.MULTILINE)


def page_of(page: str, runs: dict[str, Any]) -> str:
    """Return the page with the runs at their places.

    Raises
    ------
    KeyError
        If the page has a place for a run that is not there.
    """
    return _PLACE.sub(
        lambda place: f"{place[1]}\n{text_of(runs['runs'][place[2]])}\n{place[4]}", page
    )


def results_of(page: str, runs: dict[str, Any]) -> str:
    """Return the page of results with some rows and columns of the runs at their places.

    Raises
    ------
    KeyError
        If the page has a place for a run that is not there.
    ValueError
        If no row of a run is what a place asks for.
    """

    def place(found: re.Match[str]) -> str:
        columns = [name.strip() for name in found[3].split("|")]
        table = _main_rows(_tables_of(runs["runs"][found[2]]), columns, re.compile(found[4]))
        if not table:
            raise ValueError(f"no row of {found[2]!r} with {found[3]} is like {found[4]!r}")
        rule = f"|{'---|' * len(columns)}"
        lines = [_line_of(columns), rule, *map(_line_of, table)]
        return "\n".join([found[1], *lines, "", found[6]])

    return _ROWS.sub(place, page)


def _main_rows(
    tables: list[list[list[str]]], columns: list[str], like: re.Pattern[str]
) -> list[list[str]]:
    """Return the cells of some columns, of the rows that are like a pattern."""
    found = []
    for names, _, *rows in tables:
        if not set(columns) <= set(names):
            continue
        at = [names.index(column) for column in columns]
        first = ""
        for row in rows:
            # A row without a first cell is about the same as the one above it.
            first = row[0] or first
            cells = [first, *row[1:]]
            chosen = [cells[k] for k in at]
            if like.search("; ".join(cells)) and chosen not in found:
                found.append(chosen)
    return found


def _tables_of(run: dict[str, Any]) -> list[list[list[str]]]:
    """Return the cells of the tables that a run has printed: names, the rule, and the rows."""
    tables: list[list[list[str]]] = [[]]
    for line in text_of(run).splitlines():
        if _TABLE_LINE.match(line):
            tables[-1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif tables[-1]:
            tables.append([])
    return [table for table in tables if table]


def _line_of(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def text_of(run: dict[str, Any]) -> str:
    """Return when and where a run was measured, its command, and what it has printed."""
    said = f"Measured on {_where(run)}:"
    if "printed_by" in run:
        other = f"`{run['printed_by']}` printed it on {_where(run)}"
        said = f"Not measured by this command yet; {other}:"
    printed = "\n".join(run["printed"]) if "printed" in run else _table_of(run["lines"])
    return f"{said}\n\n```sh\n{run['command']}\n```\n\n{printed}\n"


def _where(run: dict[str, Any]) -> str:
    return f"{run['measured']} with {OURS} {run['version']}, on a {run['machine']}"


def _table_of(lines: list[dict[str, Any]]) -> str:
    return markdown([Line(**line) for line in lines])


def read_run(output: str) -> dict[str, Any]:
    """Read what a bench has printed.

    Raises
    ------
    ValueError
        If it is neither JSON nor Markdown with a table.
    """
    if output.lstrip().startswith("{"):
        return {"lines": json.loads(output)["lines"]}
    if not _TABLE_LINE.search(output):
        raise ValueError("the run holds neither JSON nor a Markdown table")
    return {"printed": output.strip().splitlines()}


def take_in(runs: dict[str, Any], options: argparse.Namespace) -> None:
    """Put a run in the place of the one before it; what is not said of it is as it was.

    Raises
    ------
    ValueError
        If neither the run before nor the options say what belongs to a run.
    """
    before = runs["runs"].get(options.name, {})
    said = {key: getattr(options, key) or before.get(key) for key in ("command", "machine")}
    missing = [f"--{key}" for key, value in said.items() if not value]
    if missing:
        raise ValueError(f"{options.name!r} is a new run, which needs {' and '.join(missing)}")
    found = read_run(options.file.read_text("utf-8"))
    if options.printed_by:
        found = {"printed_by": options.printed_by, **found}
    runs["runs"][options.name] = {**said, **_stamp(options.measured), **found}


def measure(runs: dict[str, Any], names: list[str]) -> list[str]:
    """Run the commands of some runs, and put what they print in place of what they printed before.

    Parameters
    ----------
    runs : dict
        What the file holds. It is written after each run, so that an end in between loses nothing.
    names : list of str
        Which runs; none: all.

    Returns
    -------
    list of str
        Names of those that failed, and why. They are as they were.
    """
    failed = []
    for name in names or list(runs["runs"]):
        run = runs["runs"][name]
        print(f"\n== {name}: {run['command']}", file=sys.stderr, flush=True)
        try:
            found = read_run(_output(run["command"]))
        except (OSError, ValueError) as error:
            failed.append(f"{name}: {error}")
            continue
        said = {key: run[key] for key in ("command", "machine")}
        runs["runs"][name] = {**said, **_stamp(datetime.now(UTC).date().isoformat()), **found}
        _write(runs)
    return failed


def _output(command: str) -> str:
    """Run a command, let its output through as it comes, and return it.

    Raises
    ------
    ValueError
        If it fails.
    """
    parts = [sys.executable if part == "python" else part for part in shlex.split(command)]
    printed = []
    with subprocess.Popen(  # noqa: S603 - a command of the benches
        parts, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            printed.append(line)
    if process.returncode not in (0, MISSED):
        raise ValueError(f"exit status {process.returncode}")
    return "".join(printed)


def _stamp(day: str) -> dict[str, str]:
    return {"measured": day, "version": version(OURS)}


def _write(runs: dict[str, Any]) -> None:
    RUNS.write_text(json.dumps(runs, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(page_of(PAGE.read_text("utf-8"), runs), "utf-8")
    RESULTS.write_text(results_of(RESULTS.read_text("utf-8"), runs), "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Measure or take in runs, write the pages, and return 1 if a bench has failed."""
    options = _options(arguments)
    runs = json.loads(RUNS.read_text("utf-8"))
    unknown = sorted({*(options.measure or ())} - {*runs["runs"]})
    if unknown:
        sys.exit(f"no run has the name {', '.join(unknown)}")
    failed = [] if options.measure is None else measure(runs, options.measure)
    if options.name is not None:
        take_in(runs, options)
    _write(runs)
    for line in failed:
        print(f"failed, and as it was before: {line}", file=sys.stderr)
    return 1 if failed else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="?", help="the run's name in the page")
    parser.add_argument("file", nargs="?", type=Path, help="what the bench has printed")
    parser.add_argument("--measured", help="the day of the run, such as 2026-11-21")
    parser.add_argument("--command", help="the command, if it is not that of the run before")
    parser.add_argument("--machine", help="the class of the machine, if it is another one")
    parser.add_argument("--printed-by", help="what has printed FILE, if not the command")
    parser.add_argument("--measure", nargs="*", metavar="NAME", help="run these, or all, anew")
    options = parser.parse_args(arguments)
    if options.name is not None and (options.file is None or options.measured is None):
        parser.error("a run needs its FILE and the day it was --measured")
    return options


if __name__ == "__main__":
    sys.exit(main())
