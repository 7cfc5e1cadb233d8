"""`chunkwright view`: chunks as a person sees them."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path

from .commandline import COMMAND, Run

TEXT = "One two three. Four five six. Seven eight nine."
SETTINGS = ("--max-chars", "20", "--overlap", "8", "--strategy", "window")
ESCAPE = "\x1b"


def test_plain_text_where_nobody_looks(here: Run) -> None:
    Path("x.txt").write_text(TEXT)
    result = here("view", "x.txt", "--max-chars", "20")
    assert result.code == 0
    assert result.out.splitlines()[:4] == [
        "x.txt: 3 chunks of 3 to 5 tokens, 4 on average",
        "recursive, max_chars=20, tokenizer='cl100k_base'",
        "",
        "0  5 tokens · 19 characters · line 1",
    ]
    assert ESCAPE not in result.out


def test_long_lines_stay_whole_where_nobody_looks(here: Run) -> None:
    Path("x.txt").write_text("word " * 200)
    assert ("word " * 200).strip() in here("view", "x.txt").out


def test_overlap_is_marked_without_colours(here: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = here("view", "x.txt", *SETTINGS).out
    marked = re.findall("⟪(.*?)⟫", out)
    assert marked
    assert all(part in TEXT for part in marked)
    assert f"{len(marked[0])} characters repeated" in out


def test_colours_alternate_and_overlap_keeps_the_colour_before(on_terminal: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = on_terminal("view", "x.txt", *SETTINGS, COLORTERM="truecolor").out
    backgrounds = re.findall(r"48;2;([\d;]+)m", out)
    assert len(set(backgrounds)) == 2
    assert "⟪" not in out
    # The second chunk's overlap, in italics, has the background of the first chunk.
    italic = re.search(r"\x1b\[3;[\d;]*48;2;([\d;]+)m", out)
    assert italic is not None
    assert italic[1] == backgrounds[0]


def test_sixteen_colours_differ_too(on_terminal: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = on_terminal("view", "x.txt", *SETTINGS, TERM="xterm-16color", COLORTERM="").out
    assert {"46", "43"} <= set(re.findall(r"\x1b\[[\d;]*?(4\d)m", out))


def test_no_color_has_no_colours_but_marks(on_terminal: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = on_terminal("view", "x.txt", *SETTINGS, NO_COLOR="1", COLORTERM="truecolor").out
    assert "⟪" in out
    assert not re.search(r"\x1b\[[\d;]*[34]8;", out)


def test_the_pager_gets_colours(on_terminal: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = on_terminal("view", "x.txt", *SETTINGS, PAGER="sed s/^/PAGED/").out
    assert out.startswith("PAGED")
    assert ESCAPE in out


def test_a_pager_that_is_left_early_ends_it_quietly(on_terminal: Run) -> None:
    Path("x.txt").write_text("word " * 50_000)
    result = on_terminal("view", "x.txt", "--max-tokens", "8", PAGER="head -n 1")
    assert (result.code, len(result.out.splitlines())) == (0, 1)


def test_nothing_in_a_text_steers_the_terminal(here: Run) -> None:
    Path("x.txt").write_bytes(b"a\x1b[31mb\x07c\r\nd\re\xc2\x9bf")
    out = here("view", "x.txt").out
    assert "a␛[31mb␇c\nd␍e\ufffdf" in out


def test_an_empty_text(here: Run) -> None:
    Path("x.txt").write_text("")
    assert here("view", "x.txt").out.startswith("x.txt: no chunks\n")


def test_standard_input(spawn: Run) -> None:
    assert spawn("view", "-", stdin=b"one").out.startswith("standard input: 1 chunk of 1 token\n")


def test_lone_surrogates_are_shown(here: Run) -> None:
    Path("x.txt").write_bytes(b"caf\xe9!")
    options = ("--encoding", "utf-8", "--errors", "surrogateescape")
    assert "caf\ufffd!" in here("view", "x.txt", *options).out


def test_what_cannot_be_read_is_named(here: Run) -> None:
    result = here("view", "none.txt")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Failed: none.txt: No such file or directory\n"


def test_an_interrupt_is_the_pagers(folder: Path) -> None:
    (folder / "x.txt").write_text(TEXT)
    # What it is given is written where an interrupt does nothing.
    lines = ("read -r first", "touch started", "while [ ! -e go_on ]; do sleep 0.05; done")
    (folder / "pager.sh").write_text("\n".join([*lines, '{ echo "$first"; cat; } >shown', ""]))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "view", "x.txt"],
        cwd=folder,
        stdout=theirs,
        env={**os.environ, "TERM": "xterm", "PAGER": "sh pager.sh"},
    )
    os.close(theirs)
    try:
        while not (folder / "started").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        (folder / "go_on").touch()
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        os.close(ours)
    assert "One two three" in (folder / "shown").read_text(encoding="utf-8")


def test_elements_have_lines_and_headings(here: Run) -> None:
    text = "# Guide\n\n## Install > run\n\nType it.\n\nWait for it.\n\n|a|b|\n|-|-|\n|1|2|\n"
    Path("g.md").write_text(text)
    shown = here("view", "g.md", "--strategy", "hybrid", "--max-chars", "40").out.splitlines()
    assert any(re.fullmatch(r"\d+  .* characters · table · lines \d+-\d+", line) for line in shown)
    assert "Guide > Install > run" in shown
    pages = [{"type": "Title", "text": "Rain", "metadata": {"page_number": 3}}]
    Path("p.json").write_text(json.dumps(pages))
    assert "1 token · 4 characters · page 3 · line 1" in here("view", "p.json").out


def test_the_separators_that_a_document_has_are_shown(here: Run) -> None:
    Path("guide.md").write_text("# Guide\n\nIt says a little.\n")
    shown = here("view", "guide.md", "--max-tokens", "40").out
    assert "recursive, max_tokens=40, separators='markdown'" in shown
    told = here("view", "guide.md", "--max-tokens", "40", "--input-format", "text").out
    assert "separators" not in told.split("\n\n")[0]
