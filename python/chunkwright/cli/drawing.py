"""A chunk as it is shown: a line about it, and its text in colour."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from chunkwright.cli.plain import counted, printable_lines
from chunkwright.element_chunks import ElementChunk

if TYPE_CHECKING:
    from chunkwright.chunks import Chunk, Chunks

BACKGROUNDS = ("#dcebfa", "#fbeecb")
# Where there are only sixteen colours, pastel ones all become white.
FEW_BACKGROUNDS = ("cyan", "yellow")
BODY, OVERLAP = Style(color="#1f2937"), Style(color="#6b7280", italic=True)
FEW_BODY, FEW_OVERLAP = Style(color="black"), Style(color="black", dim=True, italic=True)
OVERLAP_MARKS = "⟪", "⟫"


def draw(chunks: "Chunks", console: Console) -> Iterator[RenderableType]:
    """Yield each chunk as something to print on that console."""
    for number, chunk in enumerate(chunks):
        about = _about(number, chunk)
        if console.no_color or not console.is_terminal:
            yield Group(about, _marked(chunk), "")
        else:
            few = console.color_system == "standard"
            yield Group(about, _coloured(number, chunk, few=few), "")


def _about(number: int, chunk: "Chunk") -> Text:
    facts = [counted(chunk.n_tokens, "token"), counted(chunk.n_chars, "character"), _where(chunk)]
    repeated = sum(end - start for role, start, end in chunk.pieces if role == "overlap")
    facts += [f"{counted(repeated, 'character')} repeated"] if repeated else []
    facts += ["over the limit"] if chunk.oversize else []
    return Text.assemble((f"{number}", "bold"), "  ", (" · ".join(facts), "dim"))


def _where(chunk: "Chunk") -> str:
    if isinstance(chunk, ElementChunk):
        pages = f" of page {', '.join(map(str, chunk.pages))}" if chunk.pages else ""
        return f"{chunk.kind}{pages}"
    if chunk.line_end > chunk.line_start:
        return f"lines {chunk.line_start}-{chunk.line_end}"
    return f"line {chunk.line_start}"


def _coloured(number: int, chunk: "Chunk", *, few: bool) -> Padding:
    backgrounds = FEW_BACKGROUNDS if few else BACKGROUNDS
    # What is repeated keeps the colour of the chunk that it is repeated from.
    before, own = (Style(bgcolor=backgrounds[(number + i) % 2]) for i in (1, 0))
    body = own + (FEW_BODY if few else BODY)
    overlap = before + (FEW_OVERLAP if few else OVERLAP)
    text = Text(style=body)
    for role, shown in _pieces(chunk):
        text.append(shown, overlap if role == "overlap" else body)
    return Padding(text, (0, 1), style=body)


def _marked(chunk: "Chunk") -> Text:
    text = Text()
    left, right = OVERLAP_MARKS
    for role, shown in _pieces(chunk):
        if role == "overlap":
            text.append(f"{left}{shown}{right}", "dim")
        else:
            text.append(shown)
    return text


def _pieces(chunk: "Chunk") -> Iterator[tuple[str, str]]:
    for role, text in chunk.piece_texts():
        yield role, printable_lines(text)
