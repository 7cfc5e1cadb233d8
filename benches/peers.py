"""Ours and the peers in one run: the same input, one thread, speed beside correctness.

Run ``python benches/peers.py --help`` for the options; ``benches/README.md`` says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

ONE_THREAD = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
os.environ.update(ONE_THREAD)  # before any library starts its threads

from lib.contenders import OURS, TIMES, Contender, Line, Row, verdict  # noqa: E402
from lib.corpus import MEGABYTE, prefix, text_of  # noqa: E402
from lib.measure import Runs, over_limit, race, wrong_offsets  # noqa: E402
from lib.memory import extra_peak  # noqa: E402
from lib.rows import MEMORY, ROWS  # noqa: E402
from lib.special import help_line, import_lines, memory_lines, span_lines  # noqa: E402
from lib.table import markdown, show  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS = (*(row.key for row in ROWS), "span", MEMORY.key, "import")
SPAN_TEXT = 10.0  # megabytes; a span's time does not depend on the text's length


def main() -> None:
    """Parse the options, run the rows, print the table."""
    options = _parser().parse_args()
    text = text_of(options.size)
    header = _header(text, options)
    if not options.json:
        print(header, end="\n\n")
    lines = list(_lines(text, options))
    if options.json:
        print(json.dumps({"about": header, "lines": [asdict(line) for line in lines]}, indent=1))
    elif options.markdown:
        print(markdown(lines))
    else:
        show(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--size", type=float, help="megabytes of text (default: the corpora, 1.45 MB)"
    )
    parser.add_argument(
        "--rows", nargs="+", choices=KEYS, default=KEYS, metavar="ROW", help=", ".join(KEYS)
    )
    parser.add_argument("--rounds", type=int, default=5, help="turns of each library (default: 5)")
    parser.add_argument(
        "--budget",
        type=float,
        default=10,
        help="CPU seconds for a library in a row (default: 10)",
    )
    parser.add_argument(
        "--memory-size", type=float, default=100, help="megabytes of the memory row (default: 100)"
    )
    parser.add_argument(
        "--same-text", action="store_true", help="give all runs the same str object"
    )
    parser.add_argument("--no-memory", action="store_true", help="leave out each line's memory")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--json", action="store_true", help="print every figure as JSON")
    return parser


def _header(text: str, options: argparse.Namespace) -> str:
    size = len(text.encode()) / MEGABYTE
    return (
        f"{size:.2f} MB of text, one thread, CPU time, best of {options.rounds} rounds; "
        f"Python {platform.python_version()}, {_processor()}"
    )


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _lines(text: str, options: argparse.Namespace) -> Iterator[Line]:
    for row in ROWS:
        if row.key in options.rows:
            yield from _race_lines(row, text, options)
    if "span" in options.rows:
        yield from span_lines(prefix(text, SPAN_TEXT), options.rounds)
    if MEMORY.key in options.rows:
        yield from memory_lines(options.memory_size)
    if "import" in options.rows:
        yield from import_lines()
        yield help_line()


def _race_lines(row: Row, text: str, options: argparse.Namespace) -> list[Line]:
    missing = [contender.missing for contender in row.contenders]
    present = [c for c, reason in zip(row.contenders, missing, strict=True) if not reason]
    entries = [(contender, prefix(text, contender.cap)) for contender in present]
    runs = race(entries, rounds=options.rounds, budget=options.budget, same_text=options.same_text)
    ours = next((run for run in runs if run.contender.package == OURS), None)
    lines = {run.contender: _measured(row, run, ours, text) for run in runs if not run.failure}
    if not options.no_memory:
        for contender, line in lines.items():
            line.memory = extra_peak(row, contender, options.size)
    for run in runs:
        if run.failure:
            lines[run.contender] = _empty(row, run.contender, run.failure)
    return [
        lines.get(contender) or _empty(row, contender, reason)
        for contender, reason in zip(row.contenders, missing, strict=True)
    ]


def _empty(row: Row, contender: Contender, note: str = "") -> Line:
    return Line(
        row=row.key,
        title=row.title,
        label=contender.label,
        package=contender.package,
        version=contender.version,
        note=note,
    )


def _measured(row: Row, run: Runs, ours: Runs | None, text: str) -> Line:
    line = _empty(row, run.contender)
    outcome = run.contender.outcome(run.text, run.result)
    notes = [outcome.note]
    line.speed = run.speed
    line.chunks = None if outcome.texts is None else len(outcome.texts)
    line.over = over_limit(row, outcome)
    line.wrong = wrong_offsets(run.text, outcome)
    if len(run.text) < len(text):
        notes.append(f"first {run.contender.cap:g} MB")
    if ours is not None and run is not ours:
        _compare(line, run, ours)
        if row.identical:
            same = ours.contender.make()(run.text) == run.result
            notes.append("the same chunks as ours" if same else "other chunks than ours")
    line.note = "; ".join(filter(None, notes))
    return line


def _compare(line: Line, run: Runs, ours: Runs) -> None:
    line.ratio = ours.speed / run.speed
    wanted = run.contender.wanted
    if wanted is not None:
        line.wanted = verdict(f"{wanted:g} {TIMES}", reached=line.ratio >= wanted)


if __name__ == "__main__":
    main()
