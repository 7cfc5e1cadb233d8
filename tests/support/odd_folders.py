"""Folders as nobody would make them: loops of links, pipes, locked folders, names of any bytes."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

LONG = 240
STEMS = [
    *("a", "b", "notes"),
    *("two\nlines", "tab\there", "\x1b[31mred", "\x9b32m", "bell\x07", "\u202egnp", "a\u2028b"),
    *("[a]", "*", "**", "?", "{a}", "-", "--out", "-o", "~", " ", "$(ls)", "a;b", "'", '"'),
    *(os.fsdecode(b"caf\xe9"), os.fsdecode(b"\xff\xfe"), os.fsdecode(b"\xed\xa0\x80")),
    *("é" * ((LONG - 4) // 2), "日" * ((LONG - 4) // 3), "x" * (LONG - 4)),
]
LINKS = [".", "..", "../..", "nowhere", "/nowhere", "a", "b", "a.txt", "notes.md", "/dev/null"]


@dataclass(frozen=True)
class Odd:
    """Something in a folder.

    Parameters
    ----------
    kind
        ``"file"``, ``"folder"``, ``"locked"`` (a folder that nobody may read), ``"unsearchable"``
        (one that can only be listed), ``"fifo"``, ``"socket"``, ``"link"`` or ``"itself"`` (a link
        to itself).
    inside
        What a folder holds, by name.
    target
        Where a link leads.
    """

    kind: str
    inside: Mapping[str, "Odd"] = field(default_factory=dict)
    target: str = ""


def odd_folders() -> st.SearchStrategy[Odd]:
    """Return a strategy for folders, up to a few levels deep."""
    leaves = st.one_of(
        st.sampled_from(["file", "file", "fifo", "socket", "itself"]).map(Odd),
        st.sampled_from(LINKS).map(lambda target: Odd("link", target=target)),
    )
    everything = st.recursive(leaves, _folders, max_leaves=12)
    return st.dictionaries(_names(), everything, max_size=6).map(
        lambda inside: Odd("folder", inside)
    )


def _folders(inside: st.SearchStrategy[Odd]) -> st.SearchStrategy[Odd]:
    kinds = st.sampled_from(["folder", "folder", "folder", "locked", "unsearchable"])
    return st.builds(Odd, kinds, st.dictionaries(_names(), inside, max_size=4))


def _names() -> st.SearchStrategy[str]:
    suffixes = st.sampled_from(["", ".txt", ".txt", ".md", ".png"])
    return st.builds("{}{}".format, st.sampled_from(STEMS), suffixes)


def make(odd: Odd, path: Path) -> None:
    """Make it, with all that is in it."""
    if odd.kind == "file":
        path.write_text("Some words.")
    elif odd.kind == "fifo":
        os.mkfifo(path)
    elif odd.kind == "socket":
        os.mknod(path, stat.S_IFSOCK | 0o600)
    elif odd.kind in {"link", "itself"}:
        path.symlink_to(odd.target or path.name)
    else:
        path.mkdir()
        for name, inside in odd.inside.items():
            make(inside, path / name)
        path.chmod({"locked": 0, "unsearchable": 0o400}.get(odd.kind, 0o700))


def unlock(path: Path) -> None:
    """Let everybody who made it remove it."""
    for folder in folders_in(path):
        folder.chmod(0o700)


def folders_in(path: Path) -> Iterator[Path]:
    """Yield a folder and those in it, each before it is looked into."""
    yield path
    for inside in list(path.iterdir()):
        if inside.is_dir() and not inside.is_symlink():
            yield from folders_in(inside)
