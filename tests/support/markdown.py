"""Markdown pages of the repository: their links, headings, code blocks and tables."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^(```+)(\S*)[^\n]*\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?)[ #]*$", re.MULTILINE)
_CODE_SPAN = re.compile(r"`[^`\n]+`")


def pages() -> list[Path]:
    """Return all pages that a reader of the repository is sent to."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for folder in ("benches", "examples"):
        found += [path for path in (ROOT / folder).rglob("*.md") if path.name == "README.md"]
    return sorted(found)


def blocks(text: str, language: str) -> list[str]:
    """Return the contents of the fenced code blocks in a language."""
    return [found[3] for found in _FENCE.finditer(text) if found[2] == language]


def without_code(text: str) -> str:
    """Return the page without its fenced blocks and code spans."""
    return _CODE_SPAN.sub("", _FENCE.sub("", text))


def links(text: str) -> list[str]:
    """Return the targets of the links and pictures of a page."""
    return _LINK.findall(without_code(text))


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    made: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        numbered = (f"{slug}-{n}" if n else slug for n in range(len(made) + 1))
        made.add(next(anchor for anchor in numbered if anchor not in made))
    return made


def section(text: str, heading: str) -> str:
    """Return what stands under a heading, up to the next one of the same level or above."""
    start = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    assert start, f"no heading {heading!r}"
    behind = text[start.end() :]
    end = re.search(rf"^#{{1,{len(start[1])}}} ", _hidden(behind), re.MULTILINE)
    return behind[: end.start()] if end else behind


def bullets(text: str) -> list[str]:
    """Return the items of the lists in a text, each on one line."""
    items = re.findall(r"^- (.+(?:\n  .+)*)", text, re.MULTILINE)
    return [re.sub(r"\s+", " ", item) for item in items]


def _hidden(text: str) -> str:
    # Blocks keep their length, so that offsets stay, but hold no `#` that looks like a heading.
    return _FENCE.sub(lambda found: found[0].replace("#", " "), text)
