"""`chunkwright compare`: two settings side by side."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.cli.differences import Summary, boundaries, histogram
from chunkwright.cli.spec import settings_of

from .commandline import GUIDE, Run

TEXT = "One two three.\n\nFour five six seven.\nEight nine.\n"
ESCAPE = "\x1b"


def table(out: str) -> dict[str, list[str]]:
    """The sizes: a row's name, and its values in A and B."""
    rows = (
        re.match(r" *(chunks|mean|min|p50|p90|max) +(\S+) +(\S+)\s*$", line)
        for line in out.splitlines()
    )
    return {row[1]: [row[2], row[3]] for row in rows if row}


def test_sizes_are_those_of_the_chunks(here: Run) -> None:
    result = here("compare", "docs/guide.md", "recursive:max_tokens=40", "window:max_chars=50")
    assert (result.code, result.err) == (0, "")
    a, b = cw.chunk(GUIDE, max_tokens=40).n_tokens, cw.chunk(GUIDE, "window", max_chars=50).n_tokens
    rows = table(result.out)
    assert rows["chunks"] == [str(len(a)), str(len(b))]
    assert rows["mean"] == [f"{a.mean():.1f}", f"{b.mean():.1f}"]
    assert rows["min"] == [str(a.min()), str(b.min())]
    assert rows["max"] == [str(a.max()), str(b.max())]
    head = result.out.splitlines()[:3]
    assert head == [
        "docs/guide.md",
        "A  recursive, max_tokens=40, tokenizer='cl100k_base'",
        "B  window, max_chars=50, tokenizer='cl100k_base'",
    ]
    assert ESCAPE not in result.out


def test_boundaries_that_differ_are_shown_with_line_and_context(here: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = here(
        "compare", "x.txt", "max_chars=21,separator=\\n", "separator=\\n\\n,max_chars=40"
    ).out
    shown = out[out.index("boundaries:") :].splitlines()
    assert shown == [
        "boundaries: 1 shared (50% of all), 1 only in A, 0 only in B",
        "A  line 4  wo three.␊␊Four five six seven.␊│Eight nine.␊",
    ]


def test_the_same_settings_have_no_differences(here: Run) -> None:
    out = here("compare", "docs/guide.md", "recursive", "recursive", "--max-tokens", "40").out
    assert out.rstrip().endswith("shared (100% of all), 0 only in A, 0 only in B")


def test_flags_and_files_hold_for_both_and_a_setting_goes_before(here: Run) -> None:
    Path("chunkwright.toml").write_text(
        "max_tokens = 70\noverlap = 8\n[small]\nmax_tokens = 20\n[other]\nstrategy = 'window'\n"
    )
    out = here("compare", "docs/guide.md", "small", "other:overlap=3", "--overlap", "5").out
    assert out.splitlines()[1:3] == [
        "A  recursive, max_tokens=20, overlap=5, tokenizer='cl100k_base'",
        "B  window, max_tokens=70, overlap=3, tokenizer='cl100k_base'",
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("recursiv", "did you mean 'recursive'?"),
        ("smal", "did you mean 'small'?"),
        ("", "'' is neither a strategy nor a table"),
        (":max_tokens=3", "'' is neither a strategy nor a table"),
        ("recursive:max_token=3", "unknown key 'max_token'; did you mean 'max_tokens'?"),
        ("recursive:quiet=true", "unknown key 'quiet'"),
        ("recursive:max_tokens", "'max_tokens' is not KEY=VALUE"),
        ("recursive:max_tokens=x", "max_tokens must be an integer, got 'x'"),
        ("recursive:max_tokens=0", "max_tokens must be"),
        ("recursive:max_tokens=5,max_chars=5", "exactly one of"),
        ("wrong", "table 'wrong': unknown key 'max'"),
        ("odd", "table 'odd': max_tokens must be an integer, got '5'"),
        ("recursive:tokenizer=cl100k", "did you mean 'cl100k_base'?"),
    ],
)
def test_a_wrong_setting_is_wrong_usage(here: Run, spec: str, message: str) -> None:
    Path("chunkwright.toml").write_text(
        "[small]\nmax_tokens = 9\n[wrong]\nmax = 9\n[odd]\nmax_tokens = '5'\n"
    )
    for pair in ((spec, "window"), ("window", spec)):
        result = here("compare", "docs/guide.md", *pair)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert len(result.err.splitlines()) == 1


def test_what_cannot_be_read_is_named(here: Run) -> None:
    result = here("compare", "none.txt", "recursive", "window")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Failed: none.txt: No such file or directory\n"


@pytest.mark.parametrize("arguments", [[], ["docs/guide.md"], ["docs/guide.md", "recursive"]])
def test_all_three_are_needed(here: Run, arguments: list[str]) -> None:
    assert here("compare", *arguments).code == 2


def test_an_empty_text(here: Run) -> None:
    Path("x.txt").write_text(" \n")
    out = here("compare", "x.txt", "recursive", "window").out
    assert table(out)["mean"] == ["-", "-"]
    assert "boundaries: 0 shared, 0 only in A, 0 only in B" in out


def test_nothing_in_a_text_steers_the_terminal(here: Run) -> None:
    Path("x.txt").write_bytes(b"a\x1b[31mb\x07c d\re [bold]f\xc2\x9bg" * 9)
    out = here("compare", "x.txt", "max_chars=9", "window:max_chars=7").out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", out)
    assert "[bold]" in out


def test_standard_input_and_a_pager(spawn: Run, on_terminal: Run) -> None:
    out = spawn("compare", "-", "recursive", "window", stdin=b"one").out
    assert out.startswith("standard input\n")
    paged = on_terminal("compare", "docs/guide.md", "max_tokens=9", "window", PAGER="sed s/^/P/")
    assert paged.out.startswith("P")
    assert ESCAPE in paged.out


@given(st.text(alphabet="ab \n\u3000", max_size=60), st.integers(1, 9), st.integers(0, 4))
def test_boundaries_are_where_bodies_begin(text: str, size: int, overlap: int) -> None:
    chunks = cw.chunk(text, "window", max_chars=size, overlap=min(overlap, size - 1))
    found = boundaries(text, chunks)
    assert found == sorted(set(found))
    assert all(not text[position].isspace() and text[:position].strip() for position in found)
    assert len(found) == max(0, len(chunks) - 1)


def test_boundaries_in_one_gap_are_the_same() -> None:
    text = "one    two"
    cuts = [boundaries(text, cw.chunk(text, "window", max_chars=n)) for n in (5, 6, 7)]
    assert cuts == [[7]] * 3


@given(st.lists(st.integers(1, 10_000), min_size=1))
def test_a_histogram_counts_every_size_once(sizes: list[int]) -> None:
    bins = histogram([sizes, []])
    assert len(bins) <= 11
    assert sum(counts[0] for _, _, counts in bins) == len(sizes)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(bins))


@given(st.lists(st.integers(1, 99), min_size=1))
def test_a_summary_says_sizes_that_are_there(sizes: list[int]) -> None:
    summary = Summary.of(sizes)
    assert {summary.least, summary.median, summary.p90, summary.most} <= set(sizes)
    assert summary.p90 is not None
    assert sum(size <= summary.p90 for size in sizes) >= 0.9 * len(sizes)
    assert (summary.least, summary.most) == (min(sizes), max(sizes))


def test_settings_in_one_word() -> None:
    assert settings_of("window", {}) == [{"strategy": "window"}]
    assert settings_of("max_chars=5", {}) == [{"max_chars": 5}]
    assert settings_of(r"recursive:separator=\n\n,separator=\,,separator=:", {}) == [
        {"strategy": "recursive"},
        {"separators": ["\n\n", ",", ":"]},
    ]
    assert settings_of("t:overlap=5", {"t": {"strategy": "window"}}) == [
        {"strategy": "window"},
        {"overlap": 5},
    ]
