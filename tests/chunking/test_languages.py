"""The presets for languages."""

import tomllib
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.chunking.languages import ALIASES, LANGUAGES, NAMES
from chunkwright.errors import ConfigError

DATA = Path(__file__).parents[1] / "data"
CODE = tomllib.loads((DATA / "langchain_code.toml").read_text("utf-8"))
STARTS = tomllib.loads((DATA / "presets.toml").read_text("utf-8"))

MARKDOWN = """\
---
title: A manual
---

# Pumps

What pumps are for.

Kinds of pumps
==============

There are two kinds
of them: large and small.

***

The rule above is no title.

### Starting one

1. Turn it on:

   ```sh
   # as root
   pump --on

   pump --status
   ```

2. Wait.

Small ones
----------

- - -

They are small.

~~~
# no heading

## nor this
~~~

## Stopping ##

Turn it off.
"""

RST = """\
=====
Pumps
=====

What pumps are for.

Kinds
-----

There are two of them::

    large = 1

    small = 2

----

Use
===

.. note::

   Not under water.

.. code-block:: sh

   pump --on

   pump --off

Parts
~~~~~

They have parts.
"""


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


def test_every_preset_has_its_cuts() -> None:
    assert {*STARTS, "markdown", "rst"} == {*LANGUAGES}


@pytest.mark.parametrize("language", STARTS)
def test_code_is_cut_where_definitions_begin(language: str) -> None:
    code = str(CODE[language]).lstrip("\n")
    chunks = cw.Recursive.for_language(language, max_chars=120)(code)
    assert [chunk.text.split("\n")[0] for chunk in chunks] == STARTS[language]


def test_markdown_is_cut_before_headings_and_rules() -> None:
    chunks = cw.Recursive.for_language("markdown", max_chars=110)(MARKDOWN).texts()
    assert [chunk.split("\n")[0] for chunk in chunks] == [
        "---",
        "Kinds of pumps",
        "### Starting one",
        "Small ones",
    ]
    assert "".join("".join(chunks).split()) == "".join(MARKDOWN.split())
    # With less room, there are cuts at rules, too; code stays whole.
    chunks = cw.Recursive.for_language("markdown", max_chars=60)(MARKDOWN).texts()
    assert [chunk.split("\n")[0] for chunk in chunks] == [
        "---",
        "Kinds of pumps",
        "There are two kinds",
        "***",
        "### Starting one",
        "```sh",
        "2. Wait.",
        "Small ones",
        "~~~",
        "## Stopping ##",
    ]
    assert all(chunk.count("```") in {0, 2} and chunk.count("~~~") in {0, 2} for chunk in chunks)


def test_restructuredtext_is_cut_above_titles() -> None:
    chunks = cw.Recursive.for_language("rst", max_chars=90)(RST).texts()
    assert [chunk.split("\n")[0] for chunk in chunks] == [
        "=====",
        "Kinds",
        "Use",
        "Parts",
    ]
    assert "There are two of them::\n\n    large = 1\n\n    small = 2" in chunks[1]


@pytest.mark.parametrize(("underline", "is_title"), [("===", True), ("---", True), ("***", False)])
def test_a_rule_is_no_underline(underline: str, is_title: bool) -> None:
    text = f"Some text stands here.\n\nLine\n{underline}\n\nMore text."
    chunks = cw.Recursive.for_language("markdown", max_chars=32)(text).texts()
    first = "Some text stands here." + ("" if is_title else "\n\nLine")
    assert chunks[0] == first


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("md", "markdown"),
        ("py", "python"),
        ("javascript", "js"),
        ("typescript", "ts"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("golang", "go"),
        ("Python", "python"),
        ("tex", "latex"),
    ],
)
def test_other_names_of_languages(alias: str, name: str) -> None:
    assert cw.Recursive(separators=alias) == cw.Recursive(separators=name)
    assert cw.Recursive.for_language(alias) == cw.Recursive.for_language(name)


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_is_that_of_a_language(alias: str) -> None:
    assert ALIASES[alias] in NAMES
    assert alias not in NAMES


def test_languages_that_there_are_not() -> None:
    with pytest.raises(ConfigError) as caught:
        cw.Recursive(separators="klingon")
    known = ", ".join(NAMES)
    assert str(caught.value) == f"unknown separators 'klingon': known are {known}"
    with pytest.raises(ConfigError, match=r"unknown separators 'pyton': did you mean 'python'\?"):
        cw.Recursive(separators="pyton")
    with pytest.raises(ConfigError, match="unknown language 'klingon': known are"):
        cw.Recursive.for_language("klingon")
