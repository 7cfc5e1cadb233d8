"""Text of a slide's shape: its paragraphs, how deep they are, and their bullets and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from chunkwright.readers.office.line import Line, Links
from chunkwright.readers.office.lists import numeral
from chunkwright.readers.office.package import Relation, attribute, child, local

BULLETS = {"buNone", "buChar", "buAutoNum", "buBlip"}
_MAX_LEVEL = 8
_FORMS = {"arabic": "1", "alphaLc": "a", "alphaUc": "A", "romanLc": "i", "romanUc": "I"}


class SlideParagraph(NamedTuple):
    """A paragraph: its text and links, its depth from 0, and its marker if it is an item."""

    text: str
    links: Links
    level: int
    marker: str | None


def paragraphs_in(
    body: ET.Element | None,
    styles: Sequence[ET.Element],
    relations: Mapping[str, Relation],
    *,
    is_outline: bool = False,
) -> Iterator[SlideParagraph]:
    """Yield the paragraphs of a shape that say something.

    Parameters
    ----------
    body
        Its text.
    styles
        Styles of lists that it has its bullets from, the nearest first.
    relations
        What the slide refers to.
    is_outline
        Whether what is deeper than the first level is an item where no style says so.
    """
    if body is None:
        return
    own = [each for each in body if local(each.tag) == "lstStyle"]
    counts: dict[int, tuple[str, int]] = {}
    for paragraph in body:
        if local(paragraph.tag) != "p":
            continue
        line = line_of(paragraph, relations)
        if not line.text:
            continue
        properties = child(paragraph, "pPr")
        level = _number(properties, "lvl", 0)
        level = min(max(level, 0), _MAX_LEVEL)
        bullet = _bullet(properties, level, [*own, *styles])
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        marker = _marker(bullet, level, counts)
        if bullet is None and is_outline and level:
            marker = "-"
        yield SlideParagraph(line.text, tuple(line.links), level, marker)


def line_of(paragraph: ET.Element, relations: Mapping[str, Relation]) -> Line:
    """Return the text of a paragraph: a line end for each break, formulas as their letters."""
    line = Line()
    for piece in paragraph:
        name = local(piece.tag)
        if name == "br":
            line.end()
        elif name in {"r", "fld"}:
            _add_run(line, piece, relations)
        elif name not in {"pPr", "endParaRPr"}:
            _add_formula(line, piece)
    return line


def _add_run(line: Line, run: ET.Element, relations: Mapping[str, Relation]) -> None:
    link = child(run, "rPr", "hlinkClick")
    start = len(line)
    for i, part in enumerate(_text(run).split("\v")):
        if i:
            line.end()
        line.add(part)
    if link is not None:
        relation = relations.get(attribute(link, "id") or "")
        if relation is not None and relation.is_external:
            line.link(start, relation.target)


def _text(run: ET.Element) -> str:
    text = "".join(each.text or "" for each in run if local(each.tag) == "t")
    return text.replace("_x000B_", "\v").replace("_x000D_", "\n")


def _add_formula(line: Line, piece: ET.Element) -> None:
    """Add the letters of a formula; of two ways to show it the first."""
    shown = child(piece, "Choice") if local(piece.tag) == "AlternateContent" else piece
    for each in () if shown is None else shown.iter():
        if local(each.tag) == "t":
            line.add(each.text or "")


def _bullet(
    properties: ET.Element | None, level: int, styles: Sequence[ET.Element]
) -> ET.Element | None:
    """Return what says whether a paragraph has a bullet; None if nothing does."""
    places = [properties, *(child(style, f"lvl{level + 1}pPr") for style in styles)]
    found = (each for place in places if place is not None for each in place)
    return next((each for each in found if local(each.tag) in BULLETS), None)


def _marker(
    bullet: ET.Element | None, level: int, counts: dict[int, tuple[str, int]]
) -> str | None:
    kind = None if bullet is None else local(bullet.tag)
    if bullet is None or kind != "buAutoNum":
        counts.pop(level, None)
        return "-" if kind in {"buChar", "buBlip"} else None
    form, start = bullet.get("type", "arabicPeriod"), _number(bullet, "startAt", 1)
    before = counts.get(level)
    number = before[1] + 1 if before is not None and before[0] == form else start
    counts[level] = (form, number)
    said = next((f for name, f in _FORMS.items() if form.startswith(name)), "1")
    text = numeral(number, said)
    if form.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if form.endswith("ParenR") else f"{text}."


def _number(element: ET.Element | None, name: str, default: int) -> int:
    try:
        return default if element is None else int(element.get(name, default))
    except ValueError:
        return default
