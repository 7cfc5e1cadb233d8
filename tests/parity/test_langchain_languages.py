"""`compat.langchain` splits code as LangChain does."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import Language

from .langchain_inputs import KEEPS, limits
from .langchain_pair import same, same_chunks

RECURSIVE = "RecursiveCharacterTextSplitter"
CODE: dict[str, str] = tomllib.loads(
    Path(__file__).parents[1].joinpath("data", "langchain_code.toml").read_text("utf-8")
)
# PERL has no separators: it is tested for its error.
LANGUAGES = [language for language in Language if language is not Language.PERL]


def test_there_is_code_of_every_language() -> None:
    assert sorted(CODE) == sorted(language.value for language in LANGUAGES)


@pytest.mark.parametrize("language", [*Language, "python", "nonsense", "", None, 5, ["python"]])
def test_separators(language: Any) -> None:
    def separators(module: Any) -> Any:
        return module.RecursiveCharacterTextSplitter.get_separators_for_language(language)

    same(separators)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("keep", [True, False, "end"])
@pytest.mark.parametrize("size", [12, 60, 200, 900])
def test_code(language: Language, keep: Any, size: int) -> None:
    code = CODE[language.value] * 3
    kwargs = {"chunk_size": size, "chunk_overlap": size // 5, "keep_separator": keep}
    assert same_chunks(RECURSIVE, code, language, maker="from_language", **kwargs)


@given(st.sampled_from(LANGUAGES), st.data(), limits(60), KEEPS)
def test_code_in_any_order(language: Language, data: st.DataObject, sizes: Any, keep: Any) -> None:
    lines = CODE[language.value].splitlines(keepends=True)
    code = "".join(data.draw(st.lists(st.sampled_from(lines), max_size=20)))
    kwargs = {**sizes, "keep_separator": keep}
    same_chunks(RECURSIVE, code, language, maker="from_language", **kwargs)
