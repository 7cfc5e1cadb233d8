"""How often chunks part what belongs together: headings from their sections, and code blocks.

``python benches/structure.py [FOLDER ...]`` cuts the Markdown files of some folders, by default
our own and those of ``CHUNKWRIGHT_SHARED``, and prints a Markdown table. For each strategy:
chunks, the share of those but the last of a text that end in a heading, and the share of cuts that
lie inside a fenced code block. Headings and blocks are found here by reading lines, as Markdown's
specification has them; bare headings are short lines between blank ones that end as no sentence,
but for those right above a marked heading, and for three and more in a row, which are a list.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lib.table import Table, named_version, say, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

REPOSITORY = Path(__file__).parent.parent
MAX_TOKENS = (128, 256, 512)
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
MARKED = re.compile(r" {0,3}[#=]{1,6} ")
UNDERLINE = re.compile(r" {0,3}(={3,}|-{3,})\s*$")
ITEM = re.compile(r"([-*+•]|\(?\w{1,3}[.)])\s")
CLOSERS = "\"'”’»)]}*_`"
ENDS = tuple(".!?:;,。！？：；，、…")
MAX_RUN = 8
MAX_BARE = 2
BARE = range(3, 71)

Spans: TypeAlias = "list[tuple[int, int]]"
Cutter: TypeAlias = "Callable[[str], Iterable[tuple[int, int]]]"


def main(folders: list[str]) -> None:
    """Print a row for each strategy and limit."""
    texts = [file.read_text("utf-8", "replace") for file in _files(folders)]
    n_chars = sum(map(len, texts))
    say(f"{versions()}. {len(texts)} files of Markdown, {n_chars:,} characters.")
    table = Table("strategy", "tokens", "chunks", "end in a heading", "cuts inside a fence")
    for limit in MAX_TOKENS:
        for name, cut in _strategies(limit).items():
            table.row(name, limit, *_row(cut, texts))


def _files(folders: list[str]) -> Iterator[Path]:
    shared = os.environ.get("CHUNKWRIGHT_SHARED")
    roots = [Path(folder) for folder in folders]
    if not roots:
        yield REPOSITORY / "README.md"
        roots = [REPOSITORY / "docs", REPOSITORY / "benches"]
        roots += [Path(shared) / "data" / "chroma-report"] if shared else []
    for root in roots:
        yield from sorted(root.rglob("*.md"))


def _strategies(limit: int) -> dict[str, Cutter]:
    import chunkwright as cw

    def ours(splitter: Callable[[str], cw.Chunks]) -> Cutter:
        return lambda text: [(chunk.start, chunk.end) for chunk in splitter(text)]

    rows: dict[str, Cutter] = {
        "`Recursive`": ours(cw.Recursive(max_tokens=limit)),
        "`Recursive`, Markdown": ours(cw.Recursive(separators="markdown", max_tokens=limit)),
        "`Sentence`": ours(cw.Sentence(max_tokens=limit)),
        "`Balanced`": ours(cw.Balanced(max_tokens=limit)),
    }
    try:
        from langchain_text_splitters import MarkdownTextSplitter
    except ImportError:
        return rows
    theirs = MarkdownTextSplitter(
        chunk_size=limit, chunk_overlap=0, length_function=cw.count_tokens
    )
    name = f"{named_version('langchain-text-splitters')}, Markdown"
    return {**rows, name: lambda text: _placed(text, theirs.split_text(text))}


def _placed(text: str, chunks: list[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for chunk in chunks:
        at = text.index(chunk, at)
        yield at, at + len(chunk)
        at += 1


def _row(cut: Cutter, texts: list[str]) -> list[str]:
    n_chunks = n_ends = n_headings = n_inside = 0
    for text in texts:
        fences = _fences(text)
        headings = _headings(text, fences)
        chunks = list(cut(text))
        n_chunks += len(chunks)
        n_ends += max(0, len(chunks) - 1)
        for _, end in chunks[:-1]:
            cut_at = len(text[:end].rstrip())
            n_headings += any(start < cut_at <= last for start, last in headings)
            n_inside += any(start < cut_at < last for start, last in fences)
    share = [100 * n / max(1, n_ends) for n in (n_headings, n_inside)]
    return [f"{n_chunks:,}", *(f"{part:.1f} %" for part in share)]


def _lines(text: str) -> list[tuple[int, str]]:
    at, lines = 0, []
    for line in text.split("\n"):
        lines.append((at, line))
        at += len(line) + 1
    return lines


def _fences(text: str) -> Spans:
    blocks, mark, start = [], "", 0
    for at, line in _lines(text):
        found = FENCE.match(line)
        if not mark and found:
            mark, start = found[1], at
        elif mark and found and found[1].startswith(mark) and line.strip() == found[1]:
            blocks.append((start, at + len(line)))
            mark = ""
    return [*blocks, (start, len(text))] if mark else blocks


def _headings(text: str, fences: Spans) -> Spans:
    """Return the headings that something follows, but for those of long lists."""
    lines = _lines(text)
    words = [line.strip() for _, line in lines]
    found: Spans = []
    bare: Spans = []
    for i, (at, line) in enumerate(lines):
        above, below = (words[i - 1] if i else ""), (words[i + 1] if i + 1 < len(lines) else "")
        if any(start <= at < end for start, end in fences) or not words[i]:
            continue
        if MARKED.match(line):
            found.append((at, at + len(line)))
        elif below and UNDERLINE.match(below) and not above and _is_title(line):
            found.append((at, lines[i + 1][0] + len(lines[i + 1][1])))
        elif not above and not below and _is_title(line) and _is_bare(words[i]):
            bare.append((at, at + len(line)))
    titles = [span for run in _runs(text, bare) if len(run) <= MAX_BARE for span in run]
    starts = {start for start, _ in found}
    found += [span for span in titles if _next(text, span) not in starts]
    return [span for run in _runs(text, sorted(found)) if len(run) <= MAX_RUN for span in run]


def _next(text: str, span: tuple[int, int]) -> int:
    """Return where the line begins that stands below a span and is not blank."""
    behind = text[span[1] :]
    words = len(text) - len(behind.lstrip())
    return text.rfind("\n", 0, words) + 1


def _runs(text: str, found: Spans) -> Iterator[Spans]:
    run: list[tuple[int, int]] = []
    for span in found:
        if run and text[run[-1][1] : span[0]].strip():
            yield run
            run = []
        run.append(span)
    if run and text[run[-1][1] :].strip():
        yield run


def _is_title(line: str) -> bool:
    words = line.strip()
    is_code = line.startswith(("    ", "\t"))
    return not (is_code or ITEM.match(words)) and bool(re.search(r"\w", words))


def _is_bare(words: str) -> bool:
    begins = words[0].isalnum() or words[0] in "*_(\"'“‘„«§¿¡"
    ends = words.rstrip(CLOSERS).endswith(ENDS) or words.endswith("|")
    ends = ends or bool(re.search(r"[.!?] ", words))
    return len(words) in BARE and begins and not ends


if __name__ == "__main__":
    main(sys.argv[1:])
