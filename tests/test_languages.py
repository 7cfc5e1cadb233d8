"""The presets for languages."""

import tomllib
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.chunking.languages import LANGUAGES

CODE = tomllib.loads((Path(__file__).parent / "data" / "langchain_code.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_is_cut_within_the_limit(language: str) -> None:
    code = str(CODE[language]) * 3
    chunks = cw.Recursive.for_language(language, max_chars=80)(code)
    assert max(map(len, chunks.texts())) <= 80
    assert "".join("".join(chunks.texts()).split()) == "".join(code.split())


def test_definitions_stay_whole() -> None:
    code = "import os\n\nclass A:\n    x = 1\n\n    y = 2\n\nclass B:\n    pass\n"
    chunks = cw.Recursive.for_language("python", max_chars=36)(code)
    assert chunks.texts() == ["import os", "class A:\n    x = 1\n\n    y = 2", "class B:\n    pass"]


def test_signs_are_taken_as_themselves() -> None:
    chunks = cw.Recursive.for_language("latex", max_chars=8)("one two$x^2$ end")
    assert chunks.texts() == ["one two", "$x^2", "$ end"]
