"""Packed rows of a page: chunks, boundaries and elements, without what they repeat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from typing import Any

# Numbers of the document as a whole, which a page does not show of each chunk.
_UNSHOWN = {
    *("document", "document_id", "doc_index", "byte_start", "byte_end", "headings_above"),
    *("first_element", "last_element"),
}
_ROLES = ("body", "overlap", "heading", "header")
_SHADOWS = ("prefix_shadow", "suffix_shadow")
_PACKED = ("boundaries", "elements")
# So much whitespace may stand between a chunk and its neighbour.
_REACH = 16


def packed_view(view: Mapping[str, Any], text: str | None = None) -> dict[str, Any]:
    """Return a view whose rows are packed; the script of the viewer unpacks them.

    Parameters
    ----------
    view
        What :func:`view_of` returned.
    text
        The text, where the view has none as it is another one's ``other``.
    """
    whole = view["text"] if text is None else text
    packed = dict(view) | {name: packed_rows(view[name]) for name in _PACKED if name in view}
    packed["chunks"] = packed_rows([_chunk_row(row, whole) for row in view["chunks"]])
    if "other" in view:
        packed["other"] = packed_view(view["other"], whole)
    return packed


def packed_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows by columns.

    Returns
    -------
    dict
        ``n``, the number of rows; ``same``, the values that all rows have; ``columns``, for each
        other name the values, or if few are different ``of``, these, and ``at``, for each row the
        number of its own. A row that lacks a name has None.

    Examples
    --------
    >>> packed_rows([{"a": 1, "b": 2, "c": "x"}, {"a": 3, "b": 2, "c": "y"}])
    {'n': 2, 'same': {'b': 2}, 'columns': {'a': [1, 3], 'c': ['x', 'y']}}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    same: dict[str, Any] = {}
    columns: dict[str, Any] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        keys = {dumps(value): value for value in values}
        if len(keys) == 1:
            same[name] = values[0]
        elif isinstance(values[0], int | float) or 2 * len(keys) > len(values):
            columns[name] = values
        else:
            numbers = {key: number for number, key in enumerate(keys)}
            at = [numbers[dumps(value)] for value in values]
            columns[name] = {"of": list(keys.values()), "at": at}
    return {"n": len(rows), "same": same, "columns": columns}


def _chunk_row(row: Mapping[str, Any], text: str) -> dict[str, Any]:
    own = {name: value for name, value in row.items() if name not in _UNSHOWN}
    own["pieces"] = [
        value
        for piece in row["pieces"]
        for value in (_ROLES.index(piece["role"]), piece["start"], piece["end"])
    ]
    bodies = [piece for piece in row["pieces"] if piece["role"] == "body"]
    for name in _SHADOWS:
        if own.get(name):
            own[name] = _place(own[name], name, bodies, text)
    return own


def _place(
    shadow: str, name: str, bodies: Sequence[Mapping[str, Any]], text: str
) -> str | list[int]:
    """Return where a shadow stands in the text, if it stands right beside the chunk's own."""
    if not bodies:
        return shadow
    start, end = bodies[0]["start"], bodies[-1]["end"]
    if name == "prefix_shadow":
        end = len(text[max(0, start - _REACH) : start].rstrip()) + max(0, start - _REACH)
        start = end - len(shadow)
    else:
        behind = text[end : end + _REACH]
        start = end + len(behind) - len(behind.lstrip())
        end = start + len(shadow)
    return [start, end] if start >= 0 and text[start:end] == shadow else shadow
