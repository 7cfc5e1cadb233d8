"""JSON values written in many ways, and put together again from the parts of their texts."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

import chunkwright as cw


class Object(list[tuple[str, Any]]):
    """Members in order, duplicates included."""


STRINGS = st.text(max_size=60) | st.text('ab c"\\\n漢e\u0301\U0001f600/~', max_size=80)
KEYS = st.sampled_from(["a", "b", "key"]) | st.text(max_size=12)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | STRINGS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=8) | st.lists(st.tuples(KEYS, inner), max_size=8).map(Object)
    ),
    max_leaves=40,
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Write a value: minified, indented, or with blanks anywhere; escaped or not."""
    value = draw(VALUES)
    is_ascii = draw(st.booleans())
    style = draw(st.sampled_from(["minified", "plain", "indented", "odd"]))
    space = st.sampled_from(["", " ", "\n", "\r\n\t"])

    def blank() -> str:
        return draw(space) if style == "odd" else ""

    def written(value: Any, indent: str) -> str:
        if isinstance(value, list):
            inner = indent + "  " if style == "indented" else ""
            is_object = isinstance(value, Object)
            colon = ":" if style == "minified" else ": "
            items = [
                written(item[0], inner) + blank() + colon + blank() + written(item[1], inner)
                if is_object
                else written(item, inner)
                for item in value
            ]
            comma = {"minified": ",", "indented": f",\n{inner}"}.get(style, ", ")
            first, last = (
                (f"\n{inner}", f"\n{indent}") if style == "indented" and items else ("", "")
            )
            body = f"{blank()}{comma}{blank()}".join(items)
            brackets = "{}" if is_object else "[]"
            return f"{brackets[0]}{first}{blank()}{body}{blank()}{last}{brackets[1]}"
        return json.dumps(value, ensure_ascii=is_ascii)

    return written(value, "")


def parsed(text: str) -> Any:
    """Parse JSON with all members of objects, numbers as they are written."""
    return json.loads(
        text, object_pairs_hook=Object, parse_int=Number, parse_float=Number, parse_constant=Number
    )


class Number(str):
    """A number as it is written."""

    __slots__ = ()


def joined(chunks: cw.Chunks) -> Any:
    """Put the parts of one value together by what each repeats in front."""
    whole: Any = None
    for chunk in chunks:
        part = parsed(chunk.text)
        path = [piece for piece in chunk.pieces if piece.role == "heading"]
        whole = part if not path else _merged(whole, part, len(path))
    return whole


def _merged(whole: Any, part: Any, depth: int) -> Any:
    """Add to the last value of ``whole``, ``depth`` levels down, what is in ``part``."""
    if isinstance(whole, str):
        assert depth == 1
        return whole + part
    assert type(whole) is type(part)
    if depth == 1:
        return type(whole)([*whole, *part])
    *before, last = whole
    first, *behind = part
    if isinstance(whole, Object):
        assert last[0] == first[0]
        merged: Any = (last[0], _merged(last[1], first[1], depth - 1))
    else:
        merged = _merged(last, first, depth - 1)
    return type(whole)([*before, merged, *behind])


def is_whole(chunks: cw.Chunks) -> bool:
    """Whether every chunk repeats the whole path to where it stands, all of it begun in another."""
    (text,) = chunks.sources
    pieces = [piece for chunk in chunks for piece in chunk.pieces]
    begun = {at for p in pieces if p.role == "body" for at in range(p.start, p.end)}
    if any(p.role == "heading" and p.start not in begun for p in pieces):
        return False
    for chunk, pointer in zip(chunks, cw.Json.pointers(chunks), strict=True):
        path = [piece for piece in chunk.pieces if piece.role == "heading"]
        goes_on = bool(path) and text[path[-1].end - 1] == '"'
        if len(path) != pointer.count("/") + goes_on:
            return False
    return True
