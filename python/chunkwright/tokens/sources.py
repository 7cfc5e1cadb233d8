"""Tokenizer sources: names, files, objects and callables, and the backend that counts for each."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from stat import S_ISCHR
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.errors import ConfigError, OptionName, TokenizerError
from chunkwright.tokens.backends import (
    Backend,
    Counter,
    HuggingFace,
    Native,
    Tiktoken,
    Transformers,
)
from chunkwright.tokens.shipped import SHIPPED, tokenizer_json

if TYPE_CHECKING:
    from pathlib import Path

    import tiktoken


# Models and their encodings, as far as these are built in.
MODELS = {
    "cl100k_base": frozenset({
        "gpt-4", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo", "davinci-002", "babbage-002",
        "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large",
    }),
    "o200k_base": frozenset({"o1", "o3", "o4-mini", "gpt-5", "gpt-4.1", "gpt-4o"}),
    "gpt2": frozenset({"gpt2", "gpt-2"}),
    "r50k_base": frozenset({
        "davinci", "curie", "babbage", "ada",
        "text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001",
        "text-similarity-davinci-001", "text-similarity-curie-001",
        "text-similarity-babbage-001", "text-similarity-ada-001",
        "text-search-davinci-doc-001", "text-search-curie-doc-001",
        "text-search-babbage-doc-001", "text-search-ada-doc-001",
        "code-search-babbage-code-001", "code-search-ada-code-001",
    }),
}  # fmt: skip

# What the names of their versions begin with. In this order: the first that fits decides.
_PREFIXES = (
    (("o1-", "o3-", "o4-mini-", "gpt-5", "gpt-4.5-", "gpt-4.1-", "chatgpt-4o-"), "o200k_base"),
    (("gpt-4o-",), "o200k_base"),
    (("gpt-4-", "gpt-3.5-turbo-", "gpt-35-turbo-"), "cl100k_base"),
    (("ft:gpt-4o",), "o200k_base"),
    (("ft:gpt-4", "ft:gpt-3.5-turbo", "ft:davinci-002", "ft:babbage-002"), "cl100k_base"),
)

NOT_BUILT_IN = ("p50k_base", "p50k_edit", "o200k_harmony")
"""tiktoken's other encodings."""


def encoding_of(model: str) -> str | None:
    """Name the built-in encoding of a model of OpenAI's, as tiktoken does.

    Parameters
    ----------
    model
        For example ``"gpt-4o"``, ``"gpt-4o-2024-08-06"`` or ``"text-embedding-3-small"``.

    Returns
    -------
    str | None
        For example ``"cl100k_base"``; None if the model is unknown or has another one.
    """
    exact = (name for name, models in MODELS.items() if model in models)
    prefixed = (name for prefixes, name in _PREFIXES if model.startswith(prefixes))
    return next(exact, None) or next(prefixed, None)


# Characters of a value that is no tokenizer, in a message.
_SHOWN = 80

# Sizes that are no tokens, but can be asked for wherever tokens can.
PLAIN_UNITS = ("chars", "bytes")

BUILT_IN = {name: name for name in _core.Tokenizer.names()} | {
    model: encoding for encoding, models in MODELS.items() for model in models
}
"""Names of encodings, and of OpenAI's models, with their encodings."""

NAMED = frozenset((*BUILT_IN, *SHIPPED, *PLAIN_UNITS))
"""All names that need neither a file nor another library."""

# An owner and a model, such as sentence-transformers/all-MiniLM-L6-v2.
HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w.-]*(?<!\.json)")


def backend_of(source: Any) -> Backend:
    """Return what counts for ``source``.

    Parameters
    ----------
    source
        What :class:`chunkwright.Tokenizer` takes, another tokenizer excepted.

    Raises
    ------
    ConfigError
        If it is a name that is unknown.
    TokenizerError
        If it is no tokenizer, or cannot be read.
    """
    # Objects are looked at by name, so that none of their libraries is imported.
    if isinstance(source, (str, os.PathLike)):
        return _of_str(source) if isinstance(source, str) else _of_path(source)
    if is_of(source, "tiktoken", "Encoding"):
        return _of_tiktoken(source)
    if is_of(source, "tokenizers") and hasattr(source, "to_str"):
        return _of_hugging_face(source, f"a {_type_name(source)}")
    if is_of(source, "transformers", "PreTrainedTokenizerBase"):
        return _of_transformers(source)
    if isinstance(source, type):
        raise TokenizerError(f"tokenizer must be an object, got the class {source.__name__}")
    if callable(source):
        return Counter(source, getattr(source, "__name__", _type_name(source)))
    known = (
        "a name, a tokenizer.json, an object of tokenizers, transformers or tiktoken, or a callable"
    )
    raise TokenizerError(f"{repr(source)[:_SHOWN]} is no tokenizer: {known} is needed")


def _type_name(source: object) -> str:
    return type(source).__name__


def is_of(source: object, library: str, name: str | None = None) -> bool:
    """Return whether an object is of a class of ``library``; the library is not imported."""
    kinds = (kind for kind in type(source).__mro__ if kind.__module__.split(".")[0] == library)
    return any(name in (None, kind.__name__) for kind in kinds)


def _of_str(source: str) -> Backend:
    if source.lstrip()[:1] == "{":
        return _of_json(source, "the JSON text")
    if source in NAMED:
        return _of_name(source)
    if _is_path(source):
        return _of_path(source)
    # A version of a model: its name only begins with a known one, as a path's may.
    encoding = encoding_of(source)
    if encoding is not None:
        return Native(_core.Tokenizer.named(encoding), source)
    advice = f" {source!r}: {_advice(source)}"
    raise ConfigError("unknown ", OptionName("tokenizer"), advice, value=source)


def _of_name(name: str) -> Backend:
    if name in PLAIN_UNITS:
        return Counter(len if name == "chars" else _n_bytes, name, _core.Unit.named(name))
    if name in SHIPPED:
        return _of_shipped(name)
    return Native(_core.Tokenizer.named(BUILT_IN[name]), name)


@lru_cache(maxsize=len(SHIPPED))
def _of_shipped(name: str) -> Backend:
    return _of_json(tokenizer_json(), name)


def _advice(name: str) -> str:
    """Say what could be given instead of an unknown name."""
    from difflib import get_close_matches

    if name in NOT_BUILT_IN:
        return f"it is not built in, pass tiktoken.get_encoding({name!r})"
    known = [*_core.Tokenizer.names(), SHIPPED[0], *PLAIN_UNITS]
    # Names of models are alike: only one that differs by a slip is a hint.
    # OpenAI's first models are left out: what is named like them has another encoding.
    models = sorted(BUILT_IN.keys() - MODELS["r50k_base"])
    likely = get_close_matches(name, [*models, *PLAIN_UNITS, *NOT_BUILT_IN], 1, 0.85)
    likely += get_close_matches(name, [*known, *NOT_BUILT_IN], 1)
    if likely:
        return f"did you mean {likely[0]!r}?"
    return (
        f"built in are {', '.join(map(repr, known))}, and OpenAI's models by name, such as "
        f"'gpt-4o'; else give the path of a tokenizer.json, or an object, such as "
        f"transformers.AutoTokenizer.from_pretrained({name!r}) or "
        f"tiktoken.encoding_for_model({name!r})"
    )


def _n_bytes(text: str) -> int:
    # As strategies see the text: surrogates that make a pair joined, others replaced.
    return len(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())


def _is_path(source: str) -> bool:
    """Return whether a name is that of a file: it ends as one, or has folders, or there is one."""
    separators = {os.sep, os.altsep or os.sep}
    if source.endswith(".json") or any(separator in source for separator in separators):
        return True
    return bool(source) and "\0" not in source and os.path.exists(source)  # noqa: PTH110 - without pathlib


def _of_path(source: str | os.PathLike[str]) -> Backend:
    from pathlib import Path

    path = Path(source)
    try:
        file = path / "tokenizer.json" if path.is_dir() else path
        # A file is read again once it has changed.
        status = file.stat()
        if S_ISCHR(status.st_mode):
            raise TokenizerError(f"{str(path)!r} cannot be read: it is a device")
        return _of_file(file, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError) as error:
        hint = ""
        if isinstance(error, FileNotFoundError) and HUB_NAME.fullmatch(path.as_posix()):
            model = f"transformers.AutoTokenizer.from_pretrained({path.as_posix()!r})"
            hint = (
                f"; a model of the Hugging Face hub is given by its tokenizer.json, or as {model}"
            )
        raise TokenizerError(f"{str(path)!r} cannot be read: {error}{hint}") from error


@lru_cache(maxsize=16)
def _of_file(file: Path, _mtime_ns: int, _size: int) -> Backend:
    return _of_json(file.read_text("utf-8"), str(file))


def _of_json(json: str, name: str) -> Backend:
    native = _core.Tokenizer.from_json(name, json)
    return _foreign(json, name) if native is None else Native(native, name)


@lru_cache(maxsize=16)
def _foreign(json: str, name: str) -> Backend:
    return HuggingFace.from_json(json, name)


def _of_hugging_face(tokenizer: Any, name: str) -> Backend:
    if getattr(tokenizer, "encode_special_tokens", False):
        raise TokenizerError(
            f"{name} with encode_special_tokens=True cannot be used: a callable that counts can"
        )
    try:
        json = tokenizer.to_str()
    except Exception as error:
        raise TokenizerError(f"{name} cannot be written as JSON: {error}") from error
    return _of_json(json, name)


def _of_transformers(tokenizer: Any) -> Backend:
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is None:
        return Transformers(tokenizer)
    return _of_hugging_face(fast, f"a {_type_name(tokenizer)}")


def _of_tiktoken(encoding: Any) -> Backend:
    # A class derived from tiktoken's may encode in a way of its own.
    return _of_encoding(encoding) if _type_name(encoding) == "Encoding" else Tiktoken(encoding)


@lru_cache(maxsize=8)
def _of_encoding(encoding: tiktoken.Encoding) -> Backend:
    ranks, pattern = encoding._mergeable_ranks, encoding._pat_str  # noqa: SLF001 - shown nowhere else
    if encoding.name in _core.Tokenizer.names():
        core = _core.Tokenizer.named(encoding.name)
        if _is_the_same(core, ranks, pattern):
            return Native(core, encoding.name)
    tokens = sorted(ranks, key=ranks.__getitem__)
    made = _core.Tokenizer.from_ranks(
        encoding.name, pattern, tokens, [ranks[token] for token in tokens]
    )
    return Tiktoken(encoding) if made is None else Native(made, encoding.name)


def _is_the_same(core: _core.Tokenizer, ranks: dict[bytes, int], pattern: str) -> bool:
    """Return whether an encoding has the tokens of the built-in one of its name."""
    last = core.max_id
    return (
        len(ranks) == last + 1
        and core.pattern == pattern
        and all(ranks.get(core.decode([rank])) == rank for rank in range(last + 1))
    )
