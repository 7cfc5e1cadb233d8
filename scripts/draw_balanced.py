"""Draws ``docs/balanced.svg``: what a size costs, and cuts before and after an edit.

``python scripts/draw_balanced.py TEXT`` cuts the first 24,000 characters of a file; the committed
picture shows ``finance.md`` of Chroma's chunking report.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import chunkwright as cw

OUT = Path(__file__).parents[1] / "docs" / "balanced.svg"
CHARS = 24_000
MAX_TOKENS, TARGET = 512, 384
EDIT = 1_500  # at this character a sentence is inserted
SENTENCE = "A sentence of fourteen words is inserted here, and nothing else has been changed. "

WIDTH, LEFT, RIGHT = 760, 150, 20
CURVE_HEIGHT, CURVE_MOST = 150, 1.5
ROW, BAR = 40, 22
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.axis, .curve { fill: none; stroke: #57606a } .curve { stroke: #0969da; stroke-width: 2 }
.target { stroke: #57606a; stroke-dasharray: 4 3 } .limit { stroke: #cf222e }
.same { fill: #9ec5f0 } .changed { fill: #f0883e } .number { font-size: 9px; fill: #24292f }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .axis, .target { stroke: #8b949e } .curve { stroke: #58a6ff }
  .limit { stroke: #ff7b72 } .same { fill: #79a8dc } .number { fill: #0d1117 }
}
"""


def main(path: str) -> None:
    """Write the picture."""
    text = Path(path).read_text(encoding="utf-8")[:CHARS]
    at = text.index(". ", EDIT) + 2
    edited = text[:at] + SENTENCE + text[at:]
    parts = [*_curve(), *_cuts(text, edited)]
    height = CURVE_HEIGHT + 100 + 4 * ROW
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    title = "<title>The cost of a size, and cuts before and after an edit</title>"
    OUT.write_text("\n".join([svg, title, f"<style>{STYLE}</style>", *parts, "</svg>"]) + "\n")


def _curve() -> list[str]:
    """Draw the cost of a chunk over its size."""
    top, bottom = 20, 20 + CURVE_HEIGHT

    def x(size: float) -> float:
        return round(LEFT + size / MAX_TOKENS * (WIDTH - LEFT - RIGHT), 1)

    def y(cost: float) -> float:
        return round(bottom - cost / CURVE_MOST * CURVE_HEIGHT, 1)

    costs = [
        (size, (size - TARGET) ** 2 / (size * TARGET)) for size in range(90, MAX_TOKENS + 1, 4)
    ]
    points = " ".join(f"{x(size)},{y(cost)}" for size, cost in costs if cost <= CURVE_MOST)
    return [
        f'<path class="axis" d="M{LEFT} {top}V{bottom}H{WIDTH - RIGHT}"/>',
        f'<path class="target" d="M{x(TARGET)} {top}V{bottom}"/>',
        f'<path class="limit" d="M{x(MAX_TOKENS)} {top}V{bottom}"/>',
        f'<polyline class="curve" points="{points}"/>',
        *(_text(LEFT - 8, y(cost) + 4, f"{cost}", "end") for cost in (0, 0.5, 1, 1.5)),
        *(_text(x(size), bottom + 16, f"{size}") for size in (0, 128, 192, 256)),
        _text(x(TARGET), bottom + 16, f"target {TARGET}"),
        _text(x(MAX_TOKENS), bottom + 16, f"limit {MAX_TOKENS}", "end"),
        _text(8, top + 12, "cost of a size", "start"),
    ]


def _cuts(text: str, edited: str) -> list[str]:
    """Draw the chunks of both strategies, before and after the edit, as bars of their tokens."""
    parts: list[str] = []
    strategies = {
        "Recursive": cw.Recursive(max_tokens=MAX_TOKENS),
        "Balanced": cw.Balanced(max_tokens=MAX_TOKENS),
    }
    top = CURVE_HEIGHT + 70
    for name, strategy in strategies.items():
        before = strategy(text)
        known = Counter(before.texts())
        for chunks, title in ((before, name), (strategy(edited), "after an edit")):
            parts.append(_text(8, top + BAR - 6, title, "start"))
            parts += _bars(chunks, known, top)
            top += ROW
    note = "numbers are tokens; orange: a chunk that the edit has changed"
    return [*parts, _text(LEFT, top + 10, note, "start")]


def _bars(chunks: cw.Chunks, known: Counter[str], top: int) -> list[str]:
    scale = (WIDTH - LEFT - RIGHT) / (sum(chunks.n_tokens.tolist()) + 1)
    at, parts = float(LEFT), []
    for chunk in chunks:
        width = chunk.n_tokens * scale
        kind = "same" if known[chunk.text] else "changed"
        box = f'x="{at:.1f}" y="{top}" width="{width - 1.5:.1f}" height="{BAR}" rx="2"'
        parts.append(f'<rect class="{kind}" {box}/>')
        parts.append(_text(at + width / 2 - 1, top + BAR - 8, str(chunk.n_tokens), kind="number"))
        at += width
    return parts


def _text(x: float, y: float, text: str, anchor: str = "middle", *, kind: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{text}</text>'


if __name__ == "__main__":
    main(sys.argv[1])
