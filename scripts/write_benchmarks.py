"""Writer of the tables in docs/benchmarks.md, from docs/benchmarks.json, which benches filled.

To take in a new run, and to write the page::

    python benches/peers.py --rounds 9 --json > /tmp/run.json
    python scripts/write_benchmarks.py corpora /tmp/run.json --measured 2026-11-21
    python scripts/write_benchmarks.py

A run is the JSON of ``benches/peers.py --json``, or the Markdown table that another bench prints.
The file holds no name of a machine, only its class. A test fails while the page is not what this
writes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "docs" / "benchmarks.json"
PAGE = ROOT / "docs" / "benchmarks.md"

sys.path.insert(0, str(ROOT / "benches"))

from lib.contenders import Line  # noqa: E402 - of the benches
from lib.table import markdown  # noqa: E402

_PLACE = re.compile(r"(<!-- run: ([\w-]+) -->\n)(.*?)(<!-- end of run -->)", re.DOTALL)
_TABLE_LINE = re.compile(r"^\|.*\|$", re.MULTILINE)


def page_of(page: str, runs: dict[str, Any]) -> str:
    """Return the page with the tables of the runs at their places.

    Raises
    ------
    KeyError
        If the page has a place for a run that is not there.
    """
    return _PLACE.sub(
        lambda place: f"{place[1]}\n{text_of(runs['runs'][place[2]])}\n{place[4]}", page
    )


def text_of(run: dict[str, Any]) -> str:
    """Return a run's command, its day, and its table."""
    lines = run.get("lines")
    table = run["table"] if lines is None else markdown([Line(**line) for line in lines])
    said = f"Measured on {run['measured']}, on a {run['machine']}:"
    return f"{said}\n\n```sh\n{run['command']}\n```\n\n{table}\n"


def read_run(output: str) -> dict[str, Any]:
    """Read what a bench has printed.

    Raises
    ------
    ValueError
        If it is neither JSON nor a Markdown table.
    """
    if output.lstrip().startswith("{"):
        return {"lines": json.loads(output)["lines"]}
    table = _TABLE_LINE.findall(output)
    if not table:
        raise ValueError("the run holds neither JSON nor a Markdown table")
    return {"table": "\n".join(table)}


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
    runs["runs"][options.name] = {**said, "measured": options.measured, **found}


def main() -> None:
    """Take in a run, or write the page."""
    options = _options()
    runs = json.loads(RUNS.read_text("utf-8"))
    if options.name is None:
        PAGE.write_text(page_of(PAGE.read_text("utf-8"), runs), "utf-8")
    else:
        take_in(runs, options)
        RUNS.write_text(json.dumps(runs, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", help="the run's name in the page")
    parser.add_argument("file", nargs="?", type=Path, help="what the bench has printed")
    parser.add_argument("--measured", help="the day of the run, such as 2026-11-21")
    parser.add_argument("--command", help="the command, if it is not that of the run before")
    parser.add_argument("--machine", help="the class of the machine, if it is another one")
    options = parser.parse_args()
    if options.name is not None and (options.file is None or options.measured is None):
        parser.error("a run needs its FILE and the day it was --measured")
    return options


if __name__ == "__main__":
    main()
