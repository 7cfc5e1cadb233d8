"""Pictures of ``docs/pipeline.md``: elements, blocks, merged blocks and shadows of its PDF.

``python scripts/draw_pipeline.py`` writes ``docs/pipeline/*.png``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pypdfium2
from matplotlib.patches import Patch, Rectangle
from PIL import Image, ImageColor

import chunkwright as cw

mpl.use("Agg")
from matplotlib import pyplot as plt

FOLDER = Path(__file__).parents[1] / "docs" / "pipeline"
PDF = FOLDER / "rain.pdf"
# As docs/pipeline.md has them.
MERGE_AT, SHADOW, SHADOWED = 0.115, 25, "The glass is narrower"

# The share of each page that is shown: the last one has only its left column.
SHOWN = (1.0, 1.0, 0.52)
SCALE, DPI = 1.6, 120
INK = "#24292f"
LINE = 0.19  # inches

# Told apart by the colour-blind, on white.
KINDS = {
    "heading": "#cf222e",
    "paragraph": "#0072b2",
    "list item": "#009e73",
    "table": "#cc79a7",
    "figure": "#56b4e9",
    "caption": "#e69f00",
    "footnote": "#7b4fa3",
    "page header": "#8c8c8c",
    "page footer": "#8c8c8c",
}
BLOCKS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b")
VERDICTS = {
    "whole": ("#0072b2", "merged"),
    "score": ("#d55e00", "cut: not alike"),
    "limit": ("#cc79a7", "cut: too large together"),
    "structure": ("#a9b1ba", "cut: another heading, or a table"),
}


def main() -> None:
    """Write all pictures."""
    document = cw.read_pdf(PDF)
    blocks = cw.Structural(max_tokens=512)(document)
    merged = cw.Structural(max_tokens=512, embedder="lexical", merge_at=MERGE_AT)(document)
    elements(document)
    numbered(blocks)
    cosines(blocks, merged)
    shadows(blocks)


def elements(document: cw.Document) -> None:
    """Draw the elements on their pages, coloured by their kind."""
    figure, axes = pages()
    seen: set[str] = set()
    for element in document.elements:
        for box in element.boxes:
            seen.add(element.kind)
            frame(axes[box.page], box, KINDS[element.kind])
    kinds = {colour: kind for kind, colour in reversed(KINDS.items()) if kind in seen}
    kinds["#8c8c8c"] = "page header or footer"
    patches = [Patch(color=colour, label=kind) for colour, kind in reversed(kinds.items())]
    figure.legend(
        handles=patches, loc="lower center", ncols=len(patches), frameon=False, fontsize=8
    )
    save(figure, "elements")


def numbered(blocks: cw.Chunks) -> None:
    """Draw the blocks on their pages, with their numbers."""
    figure, axes = pages()
    for block, colour in zip(blocks, cycle(BLOCKS), strict=False):
        for box in columns_of(block):
            frame(axes[box.page], box, colour)
            number = {"fontsize": 5.5, "weight": "bold", "color": colour, "va": "top"}
            axes[box.page].text(box.left - 3, box.top + 1, str(block.index), ha="right", **number)
    save(figure, "blocks")


def columns_of(block: cw.Chunk) -> Iterator[cw.Box]:
    """Return the boxes of a block, those below each other in a column as one."""
    last: cw.Box | None = None
    for box in block.boxes:
        if last and last.page == box.page and box.top >= last.top and box.left < last.right:
            last = last._replace(
                left=min(last.left, box.left),
                right=max(last.right, box.right),
                bottom=max(last.bottom, box.bottom),
            )
            continue
        if last:
            yield last
        last = box
    if last:
        yield last


def cosines(blocks: cw.Chunks, merged: cw.Chunks) -> None:
    """Draw the cosines of neighbouring blocks, and which of them were merged."""
    boundaries: Any = merged.boundaries
    scores, verdicts = 1 - boundaries.scores, boundaries.verdicts
    figure, axis = plt.subplots(figsize=(9, 3.2))
    places = range(len(scores))
    axis.bar(places, scores, color=[VERDICTS[verdict][0] for verdict in verdicts], width=0.72)
    axis.axhline(MERGE_AT, color=INK, linewidth=1, linestyle="--")
    axis.text(len(scores) - 0.4, MERGE_AT, f"merge_at\n{MERGE_AT}", va="center", fontsize=8)
    labels = [f"{first.index}\n{first.index + 1}" for first in blocks[:-1]]
    axis.set_xticks(places, labels, fontsize=7)
    axis.set_xlim(-0.6, len(scores) - 0.4)
    axis.set_ylabel("cosine")
    axis.set_xlabel("neighbouring blocks, by the numbers of the picture above")
    axis.spines[["top", "right"]].set_visible(False)
    used = [pair for verdict, pair in VERDICTS.items() if verdict in verdicts]
    patches = [Patch(color=colour, label=label) for colour, label in used]
    axis.legend(handles=patches, frameon=False, fontsize=8, ncols=len(patches), loc="upper left")
    axis.set_ylim(0, max(scores) * 1.2)
    figure.subplots_adjust(0.07, 0.2, 0.92, 0.98)
    save(figure, "cosines")


def shadows(blocks: cw.Chunks) -> None:
    """Draw a block between its shadows."""
    block = next(
        chunk for chunk in cw.shadows(blocks, tokens=SHADOW) if chunk.text.startswith(SHADOWED)
    )
    parts = (
        ("prefix_shadow", block.prefix_shadow, "#e8edf2", "#57606a"),
        (f"text of block {block.index}", block.text, "#cfe3f5", INK),
        ("suffix_shadow", block.suffix_shadow, "#e8edf2", "#57606a"),
    )
    texts = [textwrap.wrap((text or "").replace("\n", " "), 108) for _, text, _, _ in parts]
    n_lines = sum(len(lines) + 1.2 for lines in texts)
    figure, axis = plt.subplots(figsize=(9, n_lines * LINE))
    axis.set_axis_off()
    axis.set_xlim(0, 100)
    axis.set_ylim(n_lines - 0.3, -0.1)
    figure.subplots_adjust(0.005, 0.01, 0.995, 0.99)
    y = 0.0
    for (name, _, ground, ink), lines in zip(parts, texts, strict=True):
        height = len(lines) + 0.8
        axis.add_patch(Rectangle((17, y), 83, height, color=ground))
        axis.text(15.5, y + 0.45, name, ha="right", va="top", fontsize=9, color=INK)
        axis.text(18, y + 0.45, "\n".join(lines), va="top", fontsize=9, color=ink, linespacing=1.55)
        y += height + 0.4
    save(figure, "shadows")


def pages() -> tuple[Any, dict[int | None, Any]]:
    """Return a figure with the pages of the file side by side, in points, and these by number."""
    pdf = pypdfium2.PdfDocument(PDF)
    figure, axes = plt.subplots(1, len(pdf), figsize=(10.4, 5.9), width_ratios=SHOWN)
    for axis, page, share in zip(axes, pdf, SHOWN, strict=True):
        width, height = page.get_size()
        picture = page.render(scale=SCALE, grayscale=True).to_pil()
        axis.imshow(picture, cmap="gray", extent=(0, width, height, 0), interpolation="antialiased")
        axis.set_xlim(0, width * share)
        axis.set_xticks([])
        axis.set_yticks([])
        for spine in axis.spines.values():
            spine.set_color("#d0d7de")
    figure.subplots_adjust(0.005, 0.05, 0.995, 0.995, wspace=0.02)
    return figure, dict(enumerate(axes, start=1))


def frame(axis: Any, box: cw.Box, colour: str) -> None:
    """Draw a box, filled so lightly that the text in it can be read."""
    place = (box.left - 1.5, box.top - 1.5), box.right - box.left + 3, box.bottom - box.top + 3
    axis.add_patch(Rectangle(*place, facecolor=colour, alpha=0.16, lw=0, aa=False))
    axis.add_patch(Rectangle(*place, fill=False, edgecolor=colour, lw=0.9, aa=False))


def save(figure: Any, name: str) -> None:
    """Write a picture of few colours, on white: it shows in light and in dark."""
    path, data = FOLDER / f"{name}.png", BytesIO()
    figure.savefig(data, dpi=DPI, facecolor="white")
    picture = Image.open(data).convert("RGB")
    picture.quantize(palette=palette(), dither=Image.Dither.NONE).save(path, optimize=True)
    plt.close(figure)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def palette() -> Image.Image:
    """Return greys, and the colours of the pictures: full, as grounds, and as grounds of text."""
    colours = {*KINDS.values(), *BLOCKS, *(colour for colour, _ in VERDICTS.values())}
    values = [level for level in (0, 36, 85, 128, 170, 208, 236, 255) for _ in range(3)]
    values += [207, 227, 245, 232, 237, 242]
    for colour in sorted(colours):
        for share, ink in ((1, 0), (0.16, 0), (0.16, 0.4), (0.16, 0.75)):
            rgb = ImageColor.getrgb(colour)
            values += [round((255 - share * (255 - value)) * (1 - ink)) for value in rgb]
    made = Image.new("P", (1, 1))
    made.putpalette(values)
    return made


if __name__ == "__main__":
    main()
