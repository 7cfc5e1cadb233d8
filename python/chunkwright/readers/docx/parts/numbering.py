"""Numbers of paragraphs: the label that each gets from the numbering of its list."""

from __future__ import annotations

import re
from typing import NamedTuple

from chunkwright.readers.docx.parts.names import Node, attribute, child, full, is_on, number, value
from chunkwright.readers.docx.parts.numerals import numeral
from chunkwright.readers.docx.parts.styles import Styles

N_LEVELS = 9
BULLET = "-"
_MAX_LABEL = 100
_PLACE = re.compile(r"%([1-9])")


class Level(NamedTuple):
    """A level of a numbering: first number, form, text with ``%1`` for numbers, and more.

    Attributes
    ----------
    restart
        The level from 1 behind which it begins anew; 0: behind none; None: behind any above it.
    is_legal
        Whether all numbers in it are decimal.
    style
        The style of paragraphs that have this level.
    """

    start: int = 1
    form: str = "decimal"
    text: str = ""
    restart: int | None = None
    is_legal: bool = False
    style: str | None = None


class _List(NamedTuple):
    """A numbering as paragraphs name it: the one it counts with, and what it changes in it."""

    counted: str
    levels: dict[int, Level]
    starts: dict[int, int]


class Numbering:
    """The numberings of a document, and the numbers reached so far.

    Parameters
    ----------
    root
        The part of numberings; None if there is none.
    styles
        The styles, some of which stand for a numbering.
    """

    def __init__(self, root: Node | None, styles: Styles) -> None:
        nodes = [] if root is None else root
        self._abstract = {
            attribute(node, "w:abstractNumId") or "": node
            for node in nodes
            if node.tag == full("w:abstractNum")
        }
        self._nums = {
            attribute(node, "w:numId") or "": node for node in nodes if node.tag == full("w:num")
        }
        self._styles = styles
        self._lists: dict[str, _List | None] = {}
        self._levels: dict[str, dict[int, Level]] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()

    def level_of(self, num_id: str, style: str | None) -> int | None:
        """Return the level that a numbering has for paragraphs of a style; None if none."""
        found = self._list(num_id)
        levels = {} if found is None or style is None else found.levels
        return next((at for at, level in levels.items() if level.style == style), None)

    def counted(self, num_id: str) -> str:
        """Return the numbering whose numbers it counts on."""
        found = self._list(num_id)
        return num_id if found is None else found.counted

    def label(self, num_id: str, at: int) -> str | None:
        """Return the label of the next paragraph of a level from 0; None if it has none.

        That of a bullet is a dash.
        """
        found, at = self._list(num_id), min(max(at, 0), N_LEVELS - 1)
        if found is None or at not in found.levels:
            return None
        counts = self._counted(num_id, found, at)
        level = found.levels[at]
        if level.form == "bullet":
            return BULLET

        def shown(place: re.Match[str]) -> str:
            of = int(place[1]) - 1
            form = "decimal" if level.is_legal else found.levels.get(of, level).form
            return numeral(counts[of] or 0, form) if of <= at else ""

        return _PLACE.sub(shown, level.text).strip()[:_MAX_LABEL] or None

    def _counted(self, num_id: str, found: _List, at: int) -> list[int | None]:
        """Count a paragraph, and return the numbers of all levels."""
        counts = self._counts.setdefault(found.counted, [None] * N_LEVELS)
        if num_id not in self._begun:
            self._begun.add(num_id)
            for each in found.starts:
                counts[each] = None

        def start(of: int) -> int:
            return found.starts.get(of, found.levels.get(of, Level()).start)

        for above in range(at):
            if counts[above] is None:
                counts[above] = start(above)
        counts[at] = start(at) if counts[at] is None else (counts[at] or 0) + 1
        for below in range(at + 1, N_LEVELS):
            restart = found.levels.get(below, Level()).restart
            if restart is None or at < restart:
                counts[below] = None
        return counts

    def _list(self, num_id: str) -> _List | None:
        if num_id not in self._lists:
            # What leads back to itself is none.
            self._lists[num_id] = None
            self._lists[num_id] = self._found(num_id)
        return self._lists[num_id]

    def _found(self, num_id: str) -> _List | None:
        node = self._nums.get(num_id)
        abstract_id = None if node is None else value(node, "w:abstractNumId")
        abstract = self._abstract.get(abstract_id or "")
        if node is None or abstract is None:
            return None
        link = value(abstract, "w:numStyleLink")
        of_style = None if link is None else self._styles.of(link).num_id
        linked = None if of_style in {None, num_id} else self._list(of_style or "")
        counted = (abstract_id or "") if linked is None else linked.counted
        if counted not in self._levels:
            self._levels[counted] = _levels(abstract)
        levels, starts = dict(self._levels[counted]), {}
        for change in node.iterchildren(full("w:lvlOverride")):
            at = number(attribute(change, "w:ilvl"))
            start = value(change, "w:startOverride")
            if start is not None and 0 <= at < N_LEVELS:
                starts[at] = number(start, 1)
            levels |= _levels(change)
        return _List(counted, levels, starts)


def _levels(node: Node) -> dict[int, Level]:
    levels = {
        number(attribute(level, "w:ilvl"), -1): _level(level)
        for level in node.iterchildren(full("w:lvl"))
    }
    return {at: level for at, level in levels.items() if 0 <= at < N_LEVELS}


def _level(node: Node) -> Level:
    restart = value(node, "w:lvlRestart")
    # A bullet that is a picture has no form of its own.
    is_picture = child(node, "w:lvlPicBulletId") is not None
    return Level(
        start=number(value(node, "w:start"), 0 if child(node, "w:start") is None else 1),
        form="bullet" if is_picture else value(node, "w:numFmt") or "decimal",
        text=(value(node, "w:lvlText") or "")[:_MAX_LABEL],
        restart=None if restart is None else number(restart),
        is_legal=is_on(node, "w:isLgl"),
        style=value(node, "w:pStyle"),
    )
