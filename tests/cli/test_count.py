"""`chunkwright count`: what it counts and how it says it."""

from pathlib import Path

import chunkwright as cw

from .commandline import GUIDE, NOTES, Run

HEADER = "tokens\tcharacters\tbytes\tlines\tdocument"


def line(text: str, name: str, tokenizer: str = "cl100k_base", lines: int = 0) -> str:
    tokens = cw.count_tokens(text, tokenizer)
    return f"{tokens}\t{len(text)}\t{len(text.encode())}\t{lines}\t{name}"


def test_one_input_has_no_total(here: Run) -> None:
    result = here("count", "docs/deep/notes.txt")
    assert result.code == 0
    assert result.out.splitlines() == [HEADER, line(NOTES, "docs/deep/notes.txt", lines=4)]


def test_more_inputs_have_a_total(here: Run) -> None:
    result = here("count", "docs", "--tokenizer", "o200k_base")
    tokenizer = "o200k_base"
    lines = result.out.splitlines()
    assert lines[:3] == [
        HEADER,
        line(GUIDE, "docs/guide.md", tokenizer, 61),
        line(NOTES, "docs/deep/notes.txt", tokenizer, 4),
    ]
    numbers = [[int(value) for value in row.split("\t")[:4]] for row in lines[1:]]
    assert numbers[2] == [a + b for a, b in zip(numbers[0], numbers[1], strict=True)]
    assert lines[3].endswith("\ttotal")


def test_lines_with_and_without_an_end(here: Run) -> None:
    for i, text in enumerate(["", "a", "a\n", "a\nb", "\n\n"]):
        Path(f"{i}.txt").write_text(text)
    lines = here("count", *(f"{i}.txt" for i in range(5))).out.splitlines()[1:6]
    assert [int(row.split("\t")[3]) for row in lines] == [0, 1, 1, 2, 2]


def test_bytes_are_those_of_the_file(here: Run) -> None:
    Path("x.txt").write_bytes("é€".encode("utf-16"))
    row = here("count", "x.txt", "--encoding", "utf-16").out.splitlines()[1]
    assert row.split("\t")[1:3] == ["2", "6"]


def test_failures_are_named(here: Run) -> None:
    Path("bad.txt").write_bytes(b"ok \xff")
    result = here("count", "bad.txt", "docs/guide.md")
    assert result.code == 1
    assert result.err.startswith("Failed: bad.txt: not valid utf-8 at byte 3 (0xff")
    assert [row.split("\t")[-1] for row in result.out.splitlines()] == ["document", "docs/guide.md"]


def test_an_unknown_tokenizer_is_wrong_usage(here: Run) -> None:
    result = here("count", "docs", "--tokenizer", "o200k")
    assert result.code == 2
    assert "did you mean 'o200k_base'?" in result.err


def test_a_name_cannot_break_the_table(here: Run) -> None:
    Path("a\tb\n.txt").write_text("x")
    assert here("count", "a\tb\n.txt").out.splitlines()[1] == "1\t1\t1\t1\ta␉b␊.txt"


def test_standard_input(spawn: Run) -> None:
    result = spawn("count", "-", stdin=NOTES.encode())
    assert result.out.splitlines()[1] == line(NOTES, "-", lines=4)


def test_a_terminal_gets_a_table(on_terminal: Run) -> None:
    shown = on_terminal("count", "docs", streams="out").out
    assert "\t" not in shown
    assert f"{len(GUIDE) + len(NOTES):,}" in shown
    assert "total" in shown
