"""The strategies, and :func:`chunk`, which calls one by its name.

A strategy is imported when it is asked for. What type checkers know of this package is written into
its stub by ``scripts/generate_option_types.py``.
"""

from importlib import import_module

from chunkwright._strategies import CLASSES, MODULES

_MODULES = {
    **{kind: MODULES[name] for name, kind in CLASSES.items()},
    **dict.fromkeys(["ALL_STRATEGIES", "ELEMENT_STRATEGIES", "STRATEGIES"], "registry"),
    **dict.fromkeys(["chunk", "make_strategy"], "registry"),
    "Chunker": "bases.chunker",
    "ElementStrategy": "strategies.elements",
    "SectionStrategy": "strategies.sections",
    "Separator": "separators",
    "Strategy": "bases.strategy",
    "TablePart": "table_splitter",
    "split_table": "table_splitter",
}
__all__ = sorted(_MODULES)  # noqa: PLE0605 - a list


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
