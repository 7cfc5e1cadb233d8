"""Page of a view: one file with all that it needs, which loads nothing and runs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any

from chunkwright.frames import without_surrogates
from chunkwright.render import check_pages, page
from chunkwright.render.viewing.assets import viewer_script, viewer_style
from chunkwright.render.viewing.data import view_of

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks


# Numbers of the document as a whole, which a page does not show of each chunk.
_UNSHOWN = {
    *("document", "document_id", "doc_index", "byte_start", "byte_end", "headings_above"),
    *("first_element", "last_element"),
}
_ROLES = ("body", "overlap", "heading", "header", "speaker")
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


# Characters that could end a script, or a line of one, as JSON says them.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def page_of(chunks: Chunks, *, title: str | None = None, **shown: Any) -> str:
    """Return a page of HTML that shows the chunks of one document.

    Parameters
    ----------
    chunks
        The chunks; see :func:`view_of`.
    title
        The title; None: the name of the document.
    shown
        What else is shown, as :func:`view_of` takes it.

    Returns
    -------
    str
        A page that needs no other file. Its policy allows its own script and style alone.

    Raises
    ------
    ConfigError
        As :func:`view_of`.
    MissingExtraError
        If Jinja2 is not installed.
    """
    check_pages()
    return page_of_view(view_of(chunks, with_texts=False, **shown), title=title)


def page_of_view(view: Mapping[str, Any], *, title: str | None = None) -> str:
    """Return a page of what :func:`view_of` returned; as :func:`page_of`."""
    check_pages()
    from markupsafe import Markup

    script, style = viewer_script(), viewer_style()
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return page(
        "viewer.html",
        title=without_surrogates(title or view["document"]["name"] or "Chunks"),
        policy=policy,
        # These files are the library's own, and the JSON cannot end its element.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=Markup(json_in_html(packed_view(view))),  # noqa: S704
    )


def json_in_html(value: Any) -> str:
    r"""Return JSON that can stand in an element ``script`` of a page.

    Examples
    --------
    >>> json_in_html({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    json = dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return without_surrogates(json).translate(_ESCAPES)


def _hashed(source: str) -> str:
    digest = b64encode(sha256(source.encode()).digest()).decode()
    return f"'sha256-{digest}'"
