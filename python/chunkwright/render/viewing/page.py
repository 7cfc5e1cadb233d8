"""Page of a view: one file with all that it needs, which loads nothing and runs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any

from chunkwright.frames import without_surrogates
from chunkwright.render import check_pages, page
from chunkwright.render.viewing.assets import viewer_script, viewer_style
from chunkwright.render.viewing.data import view_of
from chunkwright.render.viewing.packing import packed_view

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

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
