"""Links of guides to files beside the guides, which the site has no pages of: files to load."""  # noqa: INP001

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_LINK = re.compile(r"\[(?P<text>[^\[\]]+)\]\((?P<path>(?:\.\./)+[^()\s#]+)(?:#[^()\s]*)?\)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the links rewritten as pages are read."""
    app.connect("source-read", rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    """Make links to files beside the guides links to copies of them, and links to folders names."""
    folder = Path(app.env.doc2path(page)).parent
    source[0] = _LINK.sub(lambda link: _instead(link, folder, Path(app.srcdir)), source[0])


def _instead(link: re.Match[str], folder: Path, root: Path) -> str:
    text, path = link["text"], link["path"]
    target = (folder / path).resolve()
    if target.is_relative_to(root):
        return link[0]
    if target.is_file():
        return f"{{download}}`{text.replace('`', '')} <{path}>`"
    return text
