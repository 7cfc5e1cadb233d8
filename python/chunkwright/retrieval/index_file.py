"""File of an index: a header of JSON with the texts, behind it the bytes of arrays, and a checksum.

Nothing in it is run: of a file that somebody else wrote comes an index or an error. Vectors, which
cost a model, are in it; words are indexed anew, which gives the same scores.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from chunkwright import _core
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.context import Context
from chunkwright.document import Labels
from chunkwright.errors import ConfigError, ReadError, TokenizerError
from chunkwright.files.atomic import replacing
from chunkwright.origin import Origin
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.options import Options
from chunkwright.retrieval.steps.fields import FIELD_WEIGHTS, Fields
from chunkwright.rows import OF_SHADOWS
from chunkwright.tokens.sources import NAMED
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.indexed_chunks import Range
    from chunkwright.rows import Shadows
    from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike

    Arrays = dict[str, NDArray[Any]]

_MAGIC = b"chunkwright index\n"
# Of the layout, and of what options mean.
VERSION = 3
# Version and length of the header; the checksum of all before.
_LENGTHS, _CHECKSUM = struct.Struct("<IQ"), struct.Struct("<I")
_KINDS = ("<f4", "<i8", "|u1")
# The arrays of fields.
_FIELD, _FIELD_DOCUMENTS = "field ", "fields"
# Models are not in the file.
_MODELS = ("embedder", "reranker")
# Of what a file says, so much is shown.
_SHOWN = 80


def write_index(
    path: Path, options: Options, given: IndexedChunks, matrix: NDArray[np.float32] | None
) -> None:
    """Write an index; the file is there whole or not at all.

    Raises
    ------
    ConfigError
        If nothing can be written there.
    """
    parts = {"documents": given.documents, "n_tokens": given.n_tokens, "vectors": matrix}
    arrays: Arrays = {name: each for name, each in parts.items() if each is not None}
    names = [field.name for field in fields(Options) if field.name not in _MODELS]
    header: dict[str, Any] = {
        "options": {name: getattr(options, name) for name in names},
        **{name: _fingerprint(getattr(options, name)) for name in _MODELS},
    }
    if isinstance(given.searched, Chunks):
        header["chunks"] = _described(given.searched, arrays)
        arrays["table_rows"] = _table_rows(given, given.searched)
    else:
        header["texts"] = given.texts()
    if given.fields is not None:
        header["fields"] = _described_fields(given.fields, arrays)
    header["arrays"] = {name: [each.dtype.str, each.shape] for name, each in arrays.items()}
    # Escaped, so that lone surrogates come back.
    head = json.dumps(header).encode("ascii")
    crc = 0
    with replacing(path) as file:
        start = _MAGIC + _LENGTHS.pack(VERSION, len(head))
        for part in (start, head, *(each.tobytes() for each in arrays.values())):
            crc = crc32(part, crc)
            file.write(part)
        file.write(_CHECKSUM.pack(crc))


def read_index(
    path: Path, models: dict[str, Any], tokenizer: TokenizerLike | None, chunks: Chunks | None
) -> tuple[Options, IndexedChunks, NDArray[np.float32] | None]:
    """Read what :func:`write_index` wrote.

    Raises
    ------
    ReadError
        If the file cannot be read, is damaged, or of another version.
    ConfigError
        If a model, the tokenizer or the chunks are not those that it was written with.
    """
    header, arrays = _unpacked(path)
    try:
        options = _options(path, header, models)
        given = _indexed_chunks(header, arrays, tokenizer, chunks)
        matrix = arrays.get("vectors")
        _check_vectors(matrix, len(given), header["embedder"] is not None)
    except (ConfigError, TokenizerError):
        raise
    except Exception as error:  # what odd values raise is no closed list
        raise _damaged(path, str(error) or type(error).__name__) from error
    return options, given, matrix


# ---------------------------------------------------------------------- the file


def _unpacked(path: Path) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a file whose checksum is right."""
    import numpy as np

    try:
        # A device or a pipe might never end.
        if path.exists() and not path.is_file():
            raise ReadError(f"cannot read {path}: it is no file")
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror or error}") from error
    if not data.startswith(_MAGIC):
        raise ReadError(f"{path} is no index: it does not begin as one")
    begin = len(_MAGIC) + _LENGTHS.size
    body, crc = memoryview(data)[: -_CHECKSUM.size], data[-_CHECKSUM.size :]
    if len(body) < begin or _CHECKSUM.unpack(crc)[0] != crc32(body):
        raise _damaged(path, "it is not what was written")
    version, n_head = _LENGTHS.unpack_from(data, len(_MAGIC))
    if version != VERSION:
        raise ReadError(
            f"{path} is an index of version {version}, and version {VERSION} is read: make and "
            "save the index again"
        )
    try:
        header, at = json.loads(bytes(body[begin : begin + n_head])), begin + n_head
        arrays: Arrays = {}
        for name, (kind, shape) in header["arrays"].items():
            n_bytes = math.prod(shape) * np.dtype(kind).itemsize
            if kind not in _KINDS or min(shape, default=0) < 0 or n_bytes > len(body) - at:
                raise ValueError(f"the array {name} is not of the size that it says")  # noqa: TRY301
            arrays[name] = np.frombuffer(body[at : at + n_bytes], kind).reshape(shape).copy()
            at += n_bytes
        if at != len(body):
            raise ValueError("more follows the arrays")  # noqa: TRY301
    except Exception as error:  # as above
        raise _damaged(path, str(error) or type(error).__name__) from error
    return header, arrays


def _damaged(path: Path, why: str) -> ReadError:
    shown = why[:_SHOWN] if why.isprintable() else ascii(why)[:_SHOWN]
    return ReadError(f"{path} is damaged: {shown}")


# ---------------------------------------------------------------------- options and models


def _fingerprint(model: Any) -> str | None:
    """Return what a model is known by, empty if that is not known; None without a model."""
    return None if model is None else str(model.fingerprint)


def _options(path: Path, header: dict[str, Any], models: dict[str, Any]) -> Options:
    """Return the options of an index, with the models that are given again.

    Raises
    ------
    ConfigError
        If a model is missing, too many, or another one.
    """
    words = header["options"].pop("words")
    try:
        options = Options(**header["options"])
    except ConfigError as error:
        raise ValueError(str(error)) from error
    if not isinstance(words, bool):
        raise ValueError("its option words is no flag")  # noqa: TRY004 - the file's fault
    options = replace(options, words=words, **models)
    for name in _MODELS:
        known, own = header[name], _fingerprint(getattr(options, name))
        if known is None and own is not None:
            raise ConfigError(f"{path} has no {name}, got {models[name]!r}")
        if known is not None and own is None:
            raise ConfigError(f"{path} needs its {name} again: {known[:_SHOWN]!r}")
        if known and own and known != own:
            raise ConfigError(
                f"{path} was made with the {name} {known[:_SHOWN]!r}, got {own[:_SHOWN]!r}"
            )
    return options


# ---------------------------------------------------------------------- chunks


def _described(chunks: Chunks, arrays: Arrays) -> dict[str, Any]:
    """Return what JSON has of chunks; the arrays get the rest."""
    import numpy as np

    columns, rows = chunks.columns, chunks.rows
    arrays["columns"] = np.frombuffer(columns.core.to_bytes(elements=False), np.uint8)
    source = columns.tokenizer.source
    is_named = isinstance(source, str) and source in NAMED
    return {
        "sources": columns.sources(),
        "names": columns.origin.names,
        "of_batch": columns.origin.of_batch,
        "provenance": dict(columns.origin.provenance),
        "labels": [of and [of.id, dict(of.metadata), of.encoding] for of in columns.origin.labels],
        "columns": list(columns.origin.columns),
        "contexts": None if columns.contexts is None else [list(each) for each in columns.contexts],
        "shadows": columns.shadows,
        "rows": [rows.start, rows.stop, rows.step],
        "sizes_are_tokens": columns.sizes_are_tokens,
        "tokenizer": source if is_named else None,
    }


def _indexed_chunks(
    header: dict[str, Any],
    arrays: Arrays,
    tokenizer: TokenizerLike | None,
    chunks: Chunks | None,
) -> IndexedChunks:
    """Return what the index was made of."""
    if not isinstance(chunks, Chunks | None):
        raise ConfigError(f"chunks must be Chunks or None, got {type(chunks).__name__}")
    documents, n_tokens = arrays.get("documents"), arrays.get("n_tokens")
    searched: Any = header.get("texts")
    if chunks is not None and tokenizer is None:
        tokenizer = chunks.columns.tokenizer
    if "chunks" in header:
        searched = _restored(header["chunks"], arrays, _tokenizer(header["chunks"], tokenizer))
    elif not isinstance(searched, list) or not all(isinstance(each, str) for each in searched):
        raise ValueError("its texts are no texts")
    own_fields = _fields(header["fields"], arrays) if "fields" in header else None
    rows = _known_rows(arrays.get("table_rows"))
    given = IndexedChunks(searched, documents, n_tokens, rows, fields=own_fields)
    shapes = {None if each is None else each.shape for each in (documents, n_tokens)}
    if shapes not in ({None}, {(len(given),)}):
        raise ValueError("its documents or sizes are not those of its chunks")
    if own_fields is not None and not own_fields.are_of(len(given)):
        raise ValueError("its fields are not those of its chunks")
    if chunks is not None:
        if chunks.contextual_texts() != given.texts():
            raise ConfigError("chunks are not those that the index was made of: texts differ")
        if isinstance(searched, Chunks) and chunks.ids != searched.ids:
            raise ConfigError("chunks are not those that the index was made of: documents differ")
        return IndexedChunks(chunks, documents, n_tokens, fields=own_fields)
    return given


def _described_fields(given: Fields, arrays: Arrays) -> dict[str, list[str]]:
    """Return what JSON has of fields, each text once; the arrays get which chunk has which."""
    import numpy as np

    arrays[_FIELD_DOCUMENTS] = given.documents
    described: dict[str, list[str]] = {}
    for name, texts in given.texts.items():
        numbers: dict[str, int] = {}
        each = [numbers.setdefault(text, len(numbers)) for text in texts]
        arrays[f"{_FIELD}{name}"] = np.array(each, np.int64)
        described[name] = list(numbers)
    return described


def _fields(described: dict[str, list[str]], arrays: Arrays) -> Fields:
    """Return the fields of chunks."""
    texts = {}
    for name, known in described.items():
        if name not in FIELD_WEIGHTS or not all(isinstance(each, str) for each in known):
            raise ValueError("its fields are none")
        numbers = arrays[f"{_FIELD}{name}"].tolist()
        if numbers and not 0 <= min(numbers) <= max(numbers) < len(known):
            raise ValueError("its fields have other texts")
        texts[name] = [known[number] for number in numbers]
    return Fields(texts, arrays[_FIELD_DOCUMENTS])


def _table_rows(given: IndexedChunks, chunks: Chunks) -> NDArray[np.int64]:
    """Return a row for each row of a table: the number of its chunk, where it starts and ends."""
    import numpy as np

    numbers = range(len(chunks)) if chunks.columns.origin.elements else given.known_rows
    rows = [(number, *row) for number in numbers for row in given.table_rows(number)]
    return np.array(rows, np.int64).reshape(-1, 3)


def _known_rows(rows: NDArray[np.int64] | None) -> dict[int, list[Range]]:
    """Return rows of tables by the numbers of their chunks."""
    known: dict[int, list[Range]] = {}
    for number, start, end in () if rows is None else rows.tolist():
        known.setdefault(number, []).append((start, end))
    return known


def _tokenizer(described: dict[str, Any], tokenizer: TokenizerLike | None) -> Tokenizer:
    known = described["tokenizer"]
    if tokenizer is not None:
        return as_tokenizer(tokenizer)
    if known is None:
        raise ConfigError("the index needs the tokenizer of its chunks again: tokenizer=...")
    # A file names no tokenizer that would have to be read from another one.
    if known not in NAMED:
        raise ValueError("its tokenizer is none by name")
    return as_tokenizer(known)


def _restored(described: dict[str, Any], arrays: Arrays, tokenizer: Tokenizer) -> Chunks:
    """Return chunks of texts, at their places; without elements, which the file has not."""
    core = _core.Columns.from_bytes(arrays["columns"].tobytes(), described["sources"])
    names, view = described["names"], range(*described["rows"])
    are_names = isinstance(names, list) and all(isinstance(each, str | None) for each in names)
    if not are_names or len(names) != len(described["sources"]):
        raise ValueError("its names are not those of its texts")
    ends_of_view = {view[0], view[-1]} if view else set()
    if not all(0 <= row < len(core) for row in ends_of_view) or len(view) > len(core):
        raise ValueError("it has fewer chunks than it says")
    if not all(isinstance(each, str) for each in described["provenance"].values()):
        raise ValueError("its provenance is no text")
    labels, contexts, shadows = _beside(described, len(names), len(core))
    origin = Origin(
        names,
        of_batch=described["of_batch"] is True,
        provenance=dict(described["provenance"]),
        labels=labels,
        columns=described.get("columns", ()),
    )
    is_counted = described["sizes_are_tokens"] is True
    columns = Columns(
        core,
        tokenizer=tokenizer,
        sizes_are_tokens=is_counted,
        origin=origin,
        contexts=contexts,
        shadows=shadows,
    )
    return Chunks(columns, view)


def _beside(
    described: dict[str, Any], n_documents: int, n_chunks: int
) -> tuple[list[Labels | None], list[Context] | None, list[Shadows] | None]:
    """Return ids and metadata of documents, and the contexts and shadows of chunks."""
    labels, contexts = described.get("labels", []), described.get("contexts")
    shadows = described.get("shadows")
    if len(labels) not in {0, n_documents}:
        raise ValueError("its ids and metadata are not those of its texts")
    if contexts is not None and len(contexts) != n_chunks:
        raise ValueError("its contexts are not those of its chunks")
    if shadows is not None and (len(shadows) != n_chunks or not all(map(_are_shadows, shadows))):
        raise ValueError("its shadows are not those of its chunks")
    return (
        [None if of is None else Labels(*of) for of in labels],
        None if contexts is None else [Context(*each) for each in contexts],
        None if shadows is None else [(before, behind) for before, behind in shadows],
    )


def _are_shadows(both: Any) -> bool:
    return len(both) == len(OF_SHADOWS) and all(isinstance(each, str | None) for each in both)


def _check_vectors(matrix: NDArray[np.float32] | None, n: int, is_wanted: bool) -> None:
    """Raise unless there is a finite vector for each chunk, or none is wanted."""
    import numpy as np

    if not is_wanted and matrix is None:
        return
    if matrix is None or matrix.ndim != 2 or matrix.dtype != np.dtype("<f4"):  # noqa: PLR2004
        raise ValueError("its vectors are none")
    if len(matrix) != n or not np.isfinite(matrix).all():
        raise ValueError("its vectors are not those of its chunks")
