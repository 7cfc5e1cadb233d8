"""Tokenizer of Hugging Face for Docling's chunkers, without transformers, and counts of any."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import ConfigDict, PrivateAttr, model_validator

from chunkwright import _core
from chunkwright.tokens.tokenizer import Tokenizer

from .native import Counting, of_file, of_hugging_face_object, of_tiktoken
from .peer import BaseTokenizer, OpenAITokenizer

_DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_LENGTHS = "sentence_bert_config.json"
_NO_LENGTH = "max_tokens could not be determined automatically; please set explicitly."

# What the hub's client takes as well as transformers; any other option is one of a model.
_HUB_OPTIONS = {"cache_dir", "force_download", "local_files_only", "revision", "token"}


class HuggingFaceTokenizer(BaseTokenizer):
    """Tokenizer of Hugging Face, counted natively where chunkwright knows its kind.

    Parameters
    ----------
    tokenizer
        A tokenizer of transformers or of tokenizers, a :class:`chunkwright.Tokenizer`, or the path
        of a ``tokenizer.json`` or of the folder that holds it.
    max_tokens
        Most tokens of a chunk. None looks it up in the model's ``sentence_bert_config.json``,
        beside the file or on the hub.

    Raises
    ------
    RuntimeError
        If `max_tokens` is None and cannot be looked up.
    TokenizerError
        If `tokenizer` is none.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(arbitrary_types_allowed=True)

    tokenizer: Any
    max_tokens: int = None  # type: ignore[assignment]

    _counts: Tokenizer = PrivateAttr()

    @model_validator(mode="after")
    def _look_up(self) -> Self:
        self._counts = Tokenizer(self.tokenizer)
        if self.max_tokens is None:
            try:
                file = _length_file(self.tokenizer)
                self.max_tokens = int(json.loads(file.read_text("utf-8"))["max_seq_length"])
            except Exception as error:
                raise RuntimeError(_NO_LENGTH) from error
        return self

    @classmethod
    def from_pretrained(
        cls, model_name: str | PathLike[str], max_tokens: int | None = None, **kwargs: Any
    ) -> Self:
        """Return the tokenizer of a model, of a local folder or of the hub.

        Parameters
        ----------
        model_name
            A folder, or the model's name on the hub.
        max_tokens
            As above.
        **kwargs
            Options of ``AutoTokenizer.from_pretrained``; transformers is loaded for those that are
            not just about where files are.
        """
        given = {} if max_tokens is None else {"max_tokens": max_tokens}
        file = None if kwargs.keys() - _HUB_OPTIONS else _tokenizer_file(model_name, kwargs)
        if file is None:
            from transformers import AutoTokenizer

            return cls(tokenizer=AutoTokenizer.from_pretrained(model_name, **kwargs), **given)
        return cls(tokenizer=str(file), **given)

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of ``text``, special ones not added."""
        return self._counts.count(text)

    def get_max_tokens(self) -> int:
        """Return the most tokens of a chunk."""
        return self.max_tokens

    def get_tokenizer(self) -> Any:
        """Return the tokenizer as given, or one of transformers where a file was given."""
        if isinstance(self.tokenizer, (str, PathLike)):
            from transformers import PreTrainedTokenizerFast

            make: Any = PreTrainedTokenizerFast
            return make(tokenizer_file=str(_file_of(self.tokenizer)))
        if isinstance(self.tokenizer, Tokenizer):
            return self.tokenizer.count
        return self.tokenizer


def get_default_tokenizer() -> HuggingFaceTokenizer:
    """Return the tokenizer of all-MiniLM-L6-v2, which Docling takes if none is given."""
    return HuggingFaceTokenizer.from_pretrained(_DEFAULT_MODEL)


def _file_of(path: str | PathLike[str]) -> Path:
    path = Path(path)
    return path / "tokenizer.json" if path.is_dir() else path


def _tokenizer_file(model: str | PathLike[str], options: dict[str, Any]) -> Path | None:
    """Return the model's ``tokenizer.json``, if it has one."""
    if Path(model).is_dir():
        file = _file_of(model)
        return file if file.exists() else None
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError

    try:
        return Path(hf_hub_download(repo_id=str(model), filename="tokenizer.json", **options))
    except EntryNotFoundError:
        return None


def _length_file(tokenizer: Any) -> Path:
    """Return the file that says how long the model's texts may be."""
    if isinstance(tokenizer, Tokenizer):
        tokenizer = tokenizer.source
    if isinstance(tokenizer, (str, PathLike)):
        beside = _file_of(tokenizer).with_name(_LENGTHS)
        return beside if beside.exists() else _of_snapshot(beside)
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(repo_id=tokenizer.name_or_path, filename=_LENGTHS))


def _of_snapshot(beside: Path) -> Path:
    """Fetch a file of the model that the hub's client keeps a ``snapshots/<revision>/`` of."""
    from huggingface_hub import hf_hub_download

    folder = beside.parent.parent.parent.name
    kind, owner, name = folder.split("--")
    if kind != "models":
        raise FileNotFoundError(beside)
    revision = beside.parent.name
    return Path(hf_hub_download(repo_id=f"{owner}/{name}", filename=_LENGTHS, revision=revision))


_HUGGING_FACE = "docling_core.transforms.chunker.tokenizer.huggingface"


def counting_of(tokenizer: BaseTokenizer) -> Counting:
    """Return what counts as ``tokenizer`` does."""
    return _native(tokenizer) or asking(tokenizer)


def asking(tokenizer: BaseTokenizer) -> Counting:
    """Return what asks ``tokenizer`` itself."""

    def count(text: str) -> int:
        return tokenizer.count_tokens(text=text)

    return Counting(_core.Unit.counter(count))


def _native(tokenizer: BaseTokenizer) -> Counting | None:
    kind = type(tokenizer)
    given: Any = getattr(tokenizer, "tokenizer", None)
    if kind is OpenAITokenizer:
        return of_tiktoken(given)
    if kind is HuggingFaceTokenizer:
        given = given.source if isinstance(given, Tokenizer) else given
        if isinstance(given, (str, PathLike)):
            return of_file(given)
        return of_hugging_face_object(given)
    if kind.__module__ == _HUGGING_FACE and kind.__name__ == "HuggingFaceTokenizer":
        return of_hugging_face_object(given)
    return None
