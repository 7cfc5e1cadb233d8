"""A chunk as it is shown: a line about it, and its text in colour."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from chunkwright.messages.terminal_text import counted, printable, printable_lines

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.cli.show.reasons import Reasons

BACKGROUNDS = ("#dcebfa", "#fbeecb")
# Where there are only sixteen colours, pastel ones all become white.
FEW_BACKGROUNDS = ("cyan", "yellow")
BODY, OVERLAP = Style(color="#1f2937"), Style(color="#6b7280", italic=True)
FEW_BODY, FEW_OVERLAP = Style(color="black"), Style(color="black", dim=True, italic=True)
SCORE, FEW_SCORE = Style(color="#b42318"), Style(color="red")
ENDINGS = {
    "score": "bold red",
    "limit": "bold yellow",
    "given": "bold red",
    "structure": "bold green",
    "end": "dim",
}
OVERLAP_MARKS = "⟪", "⟫"


def draw(
    chunks: "Chunks", console: Console, reasons: "Reasons | None" = None
) -> Iterator[RenderableType]:
    """Yield each chunk as something to print on that console, and why it ends, if that is known."""
    plain = console.no_color or not console.is_terminal
    few = console.color_system == "standard"
    for number, chunk in enumerate(chunks):
        pieces = chunk.piece_texts() if reasons is None else reasons.inside(chunk)
        shown = [(role, printable_lines(text)) for role, text in pieces]
        text = _marked(shown) if plain else _coloured(number, shown, few=few)
        ending = [] if reasons is None else [_ending(number, reasons)]
        yield Group(_about(number, chunk), text, *ending, "")


def _about(number: int, chunk: "Chunk") -> Text:
    facts = [counted(chunk.n_tokens, "token"), counted(chunk.n_chars, "character"), _where(chunk)]
    repeated = sum(end - start for role, start, end in chunk.pieces if role == "overlap")
    facts += [f"{counted(repeated, 'character')} repeated"] if repeated else []
    facts += ["over the limit"] if chunk.oversize else []
    about = Text.assemble((f"{number}", "bold"), "  ", (" · ".join(facts), "dim"))
    if chunk.headings:
        about.append(f"\n{' > '.join(map(printable, chunk.headings))}", "bold dim")
    return about


def _where(chunk: "Chunk") -> str:
    kind = ["table"] if chunk.kind == "table" else []
    pages = ", ".join(map(str, chunk.pages))
    of_pages = [f"{'pages' if len(chunk.pages) > 1 else 'page'} {pages}"] if pages else []
    return " · ".join([*kind, *of_pages, _lines(chunk)])


def _lines(chunk: "Chunk") -> str:
    if chunk.line_end > chunk.line_start:
        return f"lines {chunk.line_start}-{chunk.line_end}"
    return f"line {chunk.line_start}"


def _ending(number: int, reasons: "Reasons") -> Text:
    reason, words = reasons.ending(number)
    return Text(words, ENDINGS[reason])


def _coloured(number: int, pieces: list[tuple[str, str]], *, few: bool) -> Padding:
    backgrounds = FEW_BACKGROUNDS if few else BACKGROUNDS
    # What is repeated keeps the colour of the chunk that it is repeated from.
    before, own = (Style(bgcolor=backgrounds[(number + i) % 2]) for i in (1, 0))
    body = own + (FEW_BODY if few else BODY)
    styles = {
        "overlap": before + (FEW_OVERLAP if few else OVERLAP),
        "score": own + (FEW_SCORE if few else SCORE),
    }
    text = Text(style=body)
    for role, shown in pieces:
        text.append(shown, styles.get(role, body))
    return Padding(text, (0, 1), style=body)


def _marked(pieces: list[tuple[str, str]]) -> Text:
    text = Text()
    left, right = OVERLAP_MARKS
    for role, shown in pieces:
        if role == "overlap":
            text.append(f"{left}{shown}{right}", "dim")
        else:
            text.append(shown)
    return text
