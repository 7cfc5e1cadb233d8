"""The pages of benchmarks: what benches print, how it is taken in, and how it is measured anew."""

import importlib
import json
import re
import shlex
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.markdown import ROOT

TABLE = ["| work | speed |", "| --- | --- |", "| count | 12.3 MB/s |"]
BENCH = """
import sys
print("\\nHow fast it is.\\n")
print("| a | b |\\n| --- | --- |\\n| 1 | 2 |", flush=True)
sys.exit(int(sys.argv[1]))
"""
OLD = {
    "machine": "small machine",
    "measured": "2026-01-01",
    "version": "0.0.1",
    "printed": TABLE,
}
PLACE = "<!-- run: {} -->\n<!-- end of run -->\n"
ROWS = "<!-- rows of {}\ncolumns: {}\nlike: {}\n-->\n<!-- end of rows -->\n"
WORKS = ["| a | b | c |", "| --- | --- | --- |", "| x | 1 | 2 |", "|  | 3 | 4 |", "| y | 5 | 6 |"]


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the writer of the page."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module("write_benchmarks")


@pytest.fixture
def runs(benchmarks: Any) -> dict[str, dict[str, Any]]:
    """Give the runs of the page."""
    kept: dict[str, dict[str, Any]] = json.loads(benchmarks.RUNS.read_text("utf-8"))["runs"]
    return kept


@pytest.fixture
def small(benchmarks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a writer of a page of its own, whose benches only print."""
    for name, value in {
        "ROOT": "",
        "RUNS": "runs.json",
        "PAGE": "page.md",
        "RESULTS": "results.md",
    }.items():
        monkeypatch.setattr(benchmarks, name, tmp_path / value)
    (tmp_path / "bench.py").write_text(BENCH)
    statuses = {"good": 0, "missed": benchmarks.MISSED, "bad": 1}
    kept = {
        name: {"command": f"python bench.py {status}", **OLD} for name, status in statuses.items()
    }
    kept["gone"] = {"command": "no-such-program", **OLD}
    benchmarks.RUNS.write_text(json.dumps({"runs": kept}))
    benchmarks.PAGE.write_text("".join(map(PLACE.format, kept)))
    benchmarks.RESULTS.write_text("# Results\n")
    return benchmarks


def read(small: Any) -> dict[str, dict[str, Any]]:
    kept: dict[str, dict[str, Any]] = json.loads(small.RUNS.read_text("utf-8"))["runs"]
    return kept


def test_the_page_is_what_the_runs_say(benchmarks: Any, runs: dict[str, Any]) -> None:
    page = benchmarks.PAGE.read_text("utf-8")
    assert benchmarks.page_of(page, {"runs": runs}) == page


def test_the_results_are_rows_of_the_runs(benchmarks: Any, runs: dict[str, Any]) -> None:
    page = benchmarks.RESULTS.read_text("utf-8")
    assert benchmarks.results_of(page, {"runs": runs}) == page
    assert page.count("<!-- rows of ") == page.count("<!-- end of rows -->") > 10


def test_rows_are_those_that_are_asked_for(benchmarks: Any) -> None:
    runs = {"runs": {"work": {**OLD, "command": "x", "printed": [*TABLE, "", *WORKS]}}}
    page = benchmarks.results_of(ROWS.format("work", "c | a", "^x"), runs)
    assert "\n| c | a |\n|---|---|\n| 2 | x |\n| 4 | x |\n\n<!-- end" in page
    with pytest.raises(ValueError, match="no row of 'work' with a is like 'z'"):
        benchmarks.results_of(ROWS.format("work", "a", "z"), runs)
    with pytest.raises(KeyError, match="gone"):
        benchmarks.results_of(ROWS.format("gone", "a", "x"), runs)


def test_every_run_has_one_place_in_the_page_and_every_place_a_run(
    benchmarks: Any, runs: dict[str, Any]
) -> None:
    places = re.findall(r"<!-- run: ([\w-]+) -->", benchmarks.PAGE.read_text("utf-8"))
    assert sorted(places) == sorted(runs)


def test_commands_of_runs_name_programs_that_exist_and_nothing_of_one_machine(
    runs: dict[str, Any],
) -> None:
    for name, run in runs.items():
        parts = shlex.split(run["command"])
        bench = parts[parts.index("python") + 1]
        assert (ROOT / bench).is_file(), name
        assert [part for part in parts if "/" in part] == [bench], name
        datetime.strptime(run["measured"], "%Y-%m-%d").replace(tzinfo=UTC)


def test_every_bench_of_the_page_is_listed_in_the_readme_of_benches(
    runs: dict[str, Any],
) -> None:
    readme = (ROOT / "benches" / "README.md").read_text("utf-8")
    for run in runs.values():
        bench = next(part for part in shlex.split(run["command"]) if part.endswith(".py"))
        assert f"python {bench}" in readme


def test_json_of_a_bench_is_read_as_lines(benchmarks: Any) -> None:
    names = {"row": "a", "title": "count", "label": "call", "package": "chunkwright"}
    line = {**names, "version": "1", "speed": 12.345}
    printed = json.dumps({"about": "somewhere", "lines": [line]})
    assert benchmarks.read_run(printed) == {"lines": [line]}
    text = benchmarks.text_of({**OLD, "command": "x", "printed": TABLE})
    assert "| count | 12.3 MB/s |" in text
    run = {key: value for key, value in OLD.items() if key != "printed"}
    text = benchmarks.text_of({**run, "command": "x", "lines": [line]})
    assert "| count | chunkwright 1 | call | 12.3 MB/s |" in text


def test_markdown_of_a_bench_is_kept_whole(benchmarks: Any) -> None:
    printed = "\nWhat it is.\n\n" + "\n".join(TABLE) + "\n\nWhat it means.\n"
    found = benchmarks.read_run(printed)
    assert found == {"printed": ["What it is.", "", *TABLE, "", "What it means."]}
    text = benchmarks.text_of({**OLD, "command": "python x.py", **found})
    assert text.startswith("Measured on 2026-01-01 with chunkwright 0.0.1, on a small machine:\n")
    assert "```sh\npython x.py\n```\n\nWhat it is.\n\n| work |" in text


def test_what_is_no_run_is_refused(benchmarks: Any) -> None:
    with pytest.raises(ValueError, match="neither JSON nor a Markdown table"):
        benchmarks.read_run("Traceback")


def test_what_another_command_has_printed_is_not_said_to_be_measured(benchmarks: Any) -> None:
    run = {**OLD, "command": "python x.py", "printed_by": "python x.py --few", "printed": TABLE}
    text = benchmarks.text_of(run)
    assert text.startswith("Not measured by this command yet; `python x.py --few` printed it on")
    assert "Measured on" not in text


def test_a_new_run_needs_a_command_and_a_machine(benchmarks: Any, tmp_path: Path) -> None:
    file = tmp_path / "run.md"
    file.write_text("\n".join(TABLE))
    asked = {"name": "new", "file": file, "measured": "2026-01-02", "printed_by": None}
    runs: dict[str, Any] = {"runs": {}}
    with pytest.raises(ValueError, match="needs --machine"):
        benchmarks.take_in(runs, SimpleNamespace(**asked, command="python x.py", machine=None))
    assert runs == {"runs": {}}
    benchmarks.take_in(runs, SimpleNamespace(**asked, command="python x.py", machine="m"))
    assert runs["runs"]["new"]["printed"] == TABLE
    benchmarks.take_in(runs, SimpleNamespace(**asked, command=None, machine=None))
    assert runs["runs"]["new"]["command"] == "python x.py"


def test_runs_are_measured_anew_and_failures_stay_as_they_were(
    small: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    before = read(small)
    assert small.main(["--measure"]) == 1
    after = read(small)
    assert {name: after[name] for name in ("bad", "gone")} == {
        name: before[name] for name in ("bad", "gone")
    }
    for name in ("good", "missed"):
        assert after[name]["printed"][0] == "How fast it is."
        assert after[name]["measured"] == datetime.now(UTC).date().isoformat()
        assert after[name]["version"] == version("chunkwright")
        assert after[name]["machine"] == "small machine"
    out, said = capfd.readouterr()
    assert out.count("| 1 | 2 |") == 3
    assert "as it was before: bad: exit status 1\n" in said
    assert "as it was before: gone: " in said
    assert small.PAGE.read_text("utf-8").count("| 1 | 2 |") == 2


def test_only_the_runs_that_are_named_are_measured(small: Any) -> None:
    before = read(small)
    assert small.main(["--measure", "good"]) == 0
    after = read(small)
    assert after.pop("good") != before.pop("good")
    assert after == before


def test_what_is_measured_anew_is_printed_by_the_command(small: Any) -> None:
    kept = read(small)
    kept["good"]["printed_by"] = "python bench.py"
    small.RUNS.write_text(json.dumps({"runs": kept}))
    assert small.main(["--measure", "good"]) == 0
    assert "printed_by" not in read(small)["good"]


def test_names_of_no_run_are_refused_before_anything_is_measured(small: Any) -> None:
    before = small.RUNS.read_text("utf-8")
    with pytest.raises(SystemExit, match="no run has the name godo"):
        small.main(["--measure", "good", "godo"])
    assert small.RUNS.read_text("utf-8") == before


def test_tables_of_benches_are_markdown_of_as_many_cells(
    benchmarks: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = importlib.import_module("lib.table")
    assert benchmarks.MISSED == tables.MISSED
    table = tables.Table("a", "b (s)")
    table.row("x | y", 1)
    assert capsys.readouterr().out == "\n| a | b (s) |\n| --- | --- |\n| x \\| y | 1 |\n"
    with pytest.raises(ValueError, match="3 cells in a table of 2 columns"):
        table.row(1, 2, 3)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(125, "125 s"), (1.5, "1.50 s"), (0.1, "0.10 s"), (0.0123, "12.3 ms"), (2e-5, "20.0 µs")],
)
def test_times_are_shown_with_their_unit(benchmarks: Any, seconds: float, shown: str) -> None:
    assert benchmarks is not None
    assert importlib.import_module("lib.table").duration(seconds) == shown


@pytest.mark.parametrize(
    ("given", "least", "most"),
    [
        ((8, 9.1, "×"), "8 ×: yes", "8 × at most: no"),
        ((8, 8.0, "×"), "8 ×: yes", "8 × at most: yes"),
        ((8, 7.9, "×"), "8 ×: no", "8 × at most: yes"),
        ((None, 7.9, "×"), "-", "-"),
    ],
)
def test_goals_are_said_to_be_reached_or_not(
    benchmarks: Any, given: tuple[Any, ...], least: str, most: str
) -> None:
    assert benchmarks is not None
    tables = importlib.import_module("lib.table")
    assert (tables.at_least(*given), tables.at_most(*given)) == (least, most)
