"""Displays of notebooks in a browser: as light or as dark as the notebook around them."""

from __future__ import annotations

import pytest

import chunkwright as cw
from chunkwright.render.viewing.assets import colours
from tests.pages.browser import Browser, watched

# What JupyterLab and VS Code say of their themes, and whether these are dark.
THEMES = (
    ('data-jp-theme-light="false"', True),
    ('data-jp-theme-light="true"', False),
    ('class="vscode-dark"', True),
    ('class="vscode-light"', False),
    ('class="vscode-high-contrast vscode-high-contrast-light"', False),
)


def _ground(name: str, *, is_dark: bool) -> str:
    colour = colours()[name]
    shades = bytes.fromhex((colour.dark if is_dark else colour.light)[1:])
    return f"rgb({', '.join(map(str, shades))})"


@pytest.mark.parametrize("dark", [False, True], ids=["light system", "dark system"])
def test_a_display_is_as_dark_as_its_notebook(browser: Browser, *, dark: bool) -> None:
    shown = cw.chunk("One.")[0]._repr_html_()
    with watched(browser, dark=dark) as found:
        for around, is_dark in (*THEMES, ("", dark)):
            found.page.set_content(f"<body {around}>{shown}</body>")
            ground = found.page.eval_on_selector(
                ".chunkwright-card", "each => getComputedStyle(each).backgroundColor"
            )
            assert ground == _ground("paper", is_dark=is_dark), around
