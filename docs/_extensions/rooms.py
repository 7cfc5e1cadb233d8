"""Rooms of the API reference: which packages each shows, and which names of which modules."""  # noqa: INP001

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby


@dataclass(frozen=True, kw_only=True)
class Room:
    """A page of the reference.

    Parameters
    ----------
    name
        The page's file, without its suffix.
    title
        The page's heading.
    about
        What the page's names are for, in reStructuredText.
    homes
        Where the names of ``chunkwright`` itself are defined that the page shows: beginnings of
        modules' names.
    packages
        Packages whose ``__all__`` the page shows, and modules without one, of which it shows what
        they define.
    names
        Further names, with their modules; those of a module stand together.
    """

    name: str
    title: str
    about: str
    homes: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


ROOMS = (
    Room(
        name="strategies",
        title="Strategies",
        about="Classes that cut texts and documents, and what they are made of.",
        homes=("chunkwright.chunking",),
        packages=("chunkwright.chunking", "chunkwright.chunking.plugins"),
        names=(
            "chunkwright.chunking.bases.options.Sizes",
            "chunkwright.chunking.languages.NAMES",
        ),
    ),
    Room(
        name="chunks",
        title="Chunks",
        about="What strategies return.",
        homes=("chunkwright.chunk_view", "chunkwright.chunks"),
        names=("chunkwright.columns.Columns",),
    ),
    Room(
        name="documents",
        title="Documents and readers",
        about="Functions that read files, bytes and objects, and the documents they return.",
        homes=("chunkwright.document", "chunkwright.elements", "chunkwright.readers"),
        names=(
            "chunkwright.readers.kinds.KINDS",
            "chunkwright.readers.kinds.FILES",
            "chunkwright.readers.text.ERROR_HANDLERS",
            "chunkwright.readers.text.decode",
            "chunkwright.io.sources.SUFFIXES",
        ),
    ),
    Room(
        name="tokens",
        title="Tokens and sentences",
        about="Exact counts of texts and of their spans, and sentences.",
        homes=("chunkwright.tokens", "chunkwright.sentences"),
    ),
    Room(
        name="embedders",
        title="Embedders",
        about="Models that make vectors of texts, and vectors that are kept.",
        homes=("chunkwright.embed",),
        packages=("chunkwright.embed",),
    ),
    Room(
        name="retrieval",
        title="Retrieval",
        about="Search over chunks in memory, by words and by vectors.",
        homes=("chunkwright.retrieval",),
        packages=("chunkwright.retrieval", "chunkwright.retrieval.rerank"),
    ),
    Room(
        name="store",
        title="Store",
        about="Documents, blocks and vectors in SQLite or PostgreSQL, and citations of them.",
        homes=("chunkwright.store",),
        packages=("chunkwright.store",),
    ),
    Room(
        name="corpus",
        title="Corpus",
        about="Runs over more documents than memory holds, and chunks as Arrow tables.",
        packages=("chunkwright.corpus",),
        names=(
            "chunkwright.corpus.ray_data.chunk_dataset",
            "chunkwright.corpus.spark_frames.chunk_frame",
        ),
    ),
    Room(
        name="evaluation",
        title="Evaluation",
        about="Measures of how well chunks answer questions, and how sure a difference is.",
        packages=(
            "chunkwright.evaluation",
            "chunkwright.evaluation.confidence",
            "chunkwright.evaluation.intrinsic",
            "chunkwright.evaluation.report",
            "chunkwright.evaluation.synthetic",
        ),
        names=("chunkwright.evaluation.data.corpora.read_corpora",),
    ),
    Room(
        name="models",
        title="Contextual chunks and language models",
        about="Snippets in front of chunks, and the models that write them.",
        homes=("chunkwright.contextual",),
        packages=("chunkwright.contextual", "chunkwright.llm"),
    ),
    Room(
        name="compat",
        title="Drop-ins for other libraries",
        about="Modules with the names, arguments and results of other libraries.",
        packages=(
            "chunkwright.compat.langchain",
            "chunkwright.compat.langchain_experimental",
            "chunkwright.compat.unstructured",
            "chunkwright.compat.docling",
            "chunkwright.compat.semchunk",
            "chunkwright.compat.chroma",
            "chunkwright.compat.contextual",
        ),
    ),
    Room(
        name="adapters",
        title="Adapters for frameworks",
        about="Strategies and stores as components of other frameworks.",
        packages=(
            "chunkwright.adapters.langchain",
            "chunkwright.adapters.llama_index",
            "chunkwright.adapters.haystack",
            "chunkwright.adapters.docling",
            "chunkwright.adapters.unstructured",
        ),
        names=(
            "chunkwright.adapters.langchain.filters.filter_of",
            "chunkwright.adapters.splitting.Splitting",
        ),
    ),
    Room(
        name="server",
        title="Server",
        about="The service as an ASGI application.",
        packages=("chunkwright.server",),
    ),
    Room(
        name="errors",
        title="Errors",
        about="Every exception that chunkwright raises on purpose.",
        homes=("chunkwright.errors",),
        packages=("chunkwright.errors",),
    ),
)


def sections(room: Room) -> Iterator[tuple[str, list[str]]]:
    """Give the parts of a room: a module, and the names that are documented as that module's.

    A name stands once: where ``chunkwright`` itself has it, else in the first package.
    """
    seen = {id(getattr(import_module("chunkwright"), name)) for name in root_names()}
    yield "chunkwright", [name for name in root_names() if _is_at_home(name, room)]
    for package in room.packages:
        module = import_module(package)
        new = [name for name in names_of(package) if id(getattr(module, name)) not in seen]
        seen |= {id(getattr(module, name)) for name in new}
        yield package, new
    for module_name, paths in groupby(room.names, key=lambda path: path.rpartition(".")[0]):
        yield module_name, [path.rpartition(".")[2] for path in paths]


def root_names() -> list[str]:
    """Return the public names of ``chunkwright``, without those of its making."""
    return [name for name in names_of("chunkwright") if not name.startswith("__")]


def names_of(package: str) -> list[str]:
    """Return a package's ``__all__``, or what a module without one defines."""
    module = import_module(package)
    given: list[str] | None = getattr(module, "__all__", None)
    if given is not None:
        return list(given)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == package
    ]


def _is_at_home(name: str, room: Room) -> bool:
    home: str = getattr(import_module("chunkwright"), name).__module__
    return any(home == each or home.startswith(f"{each}.") for each in room.homes)
