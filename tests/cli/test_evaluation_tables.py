"""The tables of an evaluation on terminals of any width: whole numbers, whole names."""

import io
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.cli.show.evaluation_tables import show
from chunkwright.evaluation.report.score_tables import Column, ReportCell, ReportTable

from .commandline import Run
from .test_eval import EXAMPLE, ROWS

LEAST = 40
NUMBERS = ("7.2", "100.0", "−39.8 [−68.5, −10.5]", "+12.4 [0.0, +33.1]", "1,234,567", "–")


@pytest.fixture
def example(folder: Path) -> None:
    shutil.copytree(EXAMPLE, folder / "mine")


class Terminal(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        return True


def shown(table: ReportTable, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", str(width))
    show(table, terminal)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    return [line.rstrip() for line in plain.split("\n")]


def made(names: Sequence[str], columns: Sequence[tuple[str, str, Sequence[str]]]) -> ReportTable:
    return ReportTable(
        "Runs",
        tuple(names),
        tuple(
            Column(title, title, tuple(ReportCell(text) for text in cells), group)
            for title, group, cells in columns
        ),
    )


@given(data=st.data(), width=st.integers(10, 200))
def test_nothing_is_cut_off_at_any_width(
    monkeypatch: pytest.MonkeyPatch, data: st.DataObject, width: int
) -> None:
    names = data.draw(st.lists(st.sampled_from(["a", "long name " * 9, "x" * 70]), min_size=1))
    cells = st.tuples(*[st.sampled_from(NUMBERS)] * len(names))
    titles = st.sampled_from(["R@3", "IoU@1000t", "Δ recall@200t"])
    columns = data.draw(
        st.lists(st.tuples(titles, st.sampled_from(["", "g", "h"]), cells), min_size=1)
    )
    lines = shown(made(names, columns), width, monkeypatch)
    text = "\n".join(lines)
    assert "…" not in text
    for number in NUMBERS:
        assert text.count(number) >= sum(list(cells).count(number) for _, _, cells in columns)
    # Below that there is no room for a name beside the widest number.
    assert width < LEAST or max(map(len, lines)) <= width


@pytest.mark.slow
@pytest.mark.usefixtures("example")
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_the_example_is_whole_at_any_width(on_terminal: Run, width: int) -> None:
    values = on_terminal("eval", "mine/config.toml", streams="out", COLUMNS="1000", NO_COLOR="1")
    shown = on_terminal("eval", "mine/config.toml", COLUMNS=str(width), NO_COLOR="1")
    assert shown.code == 0
    assert "…" not in shown.out
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.out)
    numbers = re.compile(r"[−+]?\d[\d,.]*")
    of_wide = numbers.findall("\n".join(rows(values.out)))
    assert of_wide
    assert set(of_wide) <= set(numbers.findall(plain))
    assert max(map(len, re.split(r"[\r\n]", plain))) <= width


def rows(shown: str) -> list[str]:
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    return [line for line in plain.splitlines() if line.strip().startswith(tuple(ROWS))]
