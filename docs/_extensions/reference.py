"""Pages of the API reference, written before Sphinx reads: one for each room."""  # noqa: INP001

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rooms import ROOMS, Room, sections
from sphinx.util.inspect import stringify_signature

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = "reference"


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the pages written when a build begins."""
    app.connect("builder-inited", write)
    app.connect("autodoc-process-signature", _signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write(app: Sphinx) -> None:
    """Write a page for each room, and one that lists them; a page that is as it was stays."""
    folder = Path(app.srcdir, FOLDER)
    folder.mkdir(exist_ok=True)
    pages = {room.name: page_of(room) for room in ROOMS} | {"index": _index()}
    for file in folder.glob("*.rst"):
        if file.stem not in pages:
            file.unlink()
    for name, text in pages.items():
        file = folder / f"{name}.rst"
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")


def _signature(  # noqa: PLR0913, PLR0917 - Sphinx calls it
    app: Sphinx, what: str, name: str, value: Any, options: Any, given: str, returned: str
) -> tuple[str, str] | None:
    """Return a data class's own signature, where it checks in ``__new__`` what it is given."""
    del app, name, options, given
    if what != "class" or not is_dataclass(value):
        return None
    return stringify_signature(inspect.signature(value), show_annotation=False), returned


def page_of(room: Room) -> str:
    """Return a room's page in reStructuredText."""
    parts = [_heading(room.title, "="), room.about]
    for module, names in sections(room):
        if names:
            parts += _section(module, names)
    return "\n\n".join(parts) + "\n"


def _section(module: str, names: list[str]) -> Iterator[str]:
    own = [name for name in names if _is_ours(module, name)]
    if module != "chunkwright":  # which many rooms have a part of
        yield f".. py:module:: {module}"
    yield _heading(f"``{module}``", "-")
    if len(own) < len(names):
        others = ", ".join(f"``{name}``" for name in sorted(set(names) - set(own)))
        yield f"The peer's own, passed on: {others}."
    for name in own:
        yield "\n".join(_directive(module, name))


def _directive(module: str, name: str) -> Iterator[str]:
    value = getattr(import_module(module), name)
    if inspect.isclass(value):
        is_error = issubclass(value, BaseException)
        yield f".. {'autoexception' if is_error else 'autoclass'}:: {module}.{name}"
        yield "   :members:"
        yield f"   :inherited-members: {','.join(_shown_elsewhere(value)) or 'object'}"
        yield "   :show-inheritance:"
        yield "   :special-members: __call__"
    elif inspect.isroutine(value):
        yield f".. autofunction:: {module}.{name}"
    elif getattr(value, "__module__", "").startswith("chunkwright"):
        yield f".. autodata:: {module}.{name}"
        yield "   :no-value:"
    else:
        yield f".. py:data:: {name}"
        yield f"   :module: {module}"
        yield from _of_plain_value(value)


def _shown_elsewhere(value: type) -> list[str]:
    """Return the bases of a class whose members are not repeated: others' and those shown."""
    shown = {id(each) for room in ROOMS for each in _values(room)}
    return [
        base.__name__
        for base in value.__mro__[1:]
        if id(base) in shown or not base.__module__.startswith("chunkwright")
    ]


@cache
def _values(room: Room) -> list[Any]:
    modules = ((import_module(module), names) for module, names in sections(room))
    return [getattr(module, name) for module, names in modules for name in names]


def _of_plain_value(value: object) -> Iterator[str]:
    """Describe a value of Python's own types, whose docstring would be that of its type."""
    if isinstance(value, dict):
        yield f"\n   A dict of {', '.join(f'``{key}``' for key in value)}."
    else:
        yield f"   :value: {' '.join(str(value).split())}"


def _is_ours(module: str, name: str) -> bool:
    value: Any = getattr(import_module(module), name)
    home = getattr(value, "__module__", None) or module
    return not inspect.isclass(value) or home.startswith("chunkwright")


def _index() -> str:
    names = "\n".join(f"   {room.name}" for room in ROOMS)
    return f"{_heading('API reference', '=')}\n\n.. toctree::\n   :maxdepth: 1\n\n{names}\n"


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}"
