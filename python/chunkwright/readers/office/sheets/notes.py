"""Notes on the cells of a workbook (XLSX): comments, and threads of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.package import Package, Relation, child, local
from chunkwright.readers.office.sheets.cells import place_of
from chunkwright.readers.office.sheets.sheet import Budget, Note
from chunkwright.readers.office.sheets.sheet_rows import unescaped


def notes_of(package: Package, relations: Iterable[Relation], budget: Budget) -> list[Note]:
    """Return what is remarked on the cells of a sheet, by rows; of a thread the answers, too.

    Parameters
    ----------
    package
        The workbook.
    relations
        What the sheet refers to.
    budget
        What the sheets may still say.

    Raises
    ------
    ReadError
        If a part is damaged or too large.
    """
    plain: dict[tuple[int, int], list[str]] = {}
    threads: dict[tuple[int, int], list[str]] = {}
    for relation in relations:
        root = None
        if relation.kind in {"comments", "threadedComment"}:
            root = package.find(relation.target)
        for place, text in () if root is None else _texts(root):
            into = plain if relation.kind == "comments" else threads
            into.setdefault(place, []).append(text)
            budget.take(1, len(text))
    # Of a thread older programs have a copy among the comments.
    return [Note(*place, "\n".join(said)) for place, said in sorted((plain | threads).items())]


def _texts(root: ET.Element) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield places and texts of comments, as either kind of part has them."""
    listed = child(root, "commentList")
    for each in root if listed is None else listed:
        place, said = place_of(each.get("ref", "")), child(each, "text")
        text = "" if said is None else _text(said)
        if place is not None and text:
            yield place, text


def _text(said: ET.Element) -> str:
    """Return the text of a comment: its lines, without how they are pronounced."""
    pieces = [said.text or ""]
    for run in said:
        if local(run.tag) == "t":
            pieces.append(run.text or "")
        elif local(run.tag) == "r":
            pieces += [each.text or "" for each in run if local(each.tag) == "t"]
    lines = map(unescaped, "".join(pieces).replace("_x000D_", "").split("\n"))
    return "\n".join(filter(None, map(on_one_line, lines)))
