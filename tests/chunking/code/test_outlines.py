"""Outlines of source code by grammars: names, kinds, places and heads, language by language."""

import pytest

from chunkwright import ConfigError, _core
from chunkwright.chunking import grammars
from tests.chunking.code.compiled import COMPILED
from tests.chunking.code.markup import MARKUP
from tests.chunking.code.parts import HEADS, WHOLES
from tests.chunking.code.scripts import SCRIPTS

CASES = COMPILED | SCRIPTS | MARKUP

Definition = tuple[int, int, int, int, str, str, int | None]


def outline(code: str, language: str) -> tuple[list[Definition], list[tuple[int, int]]]:
    if not grammars.load(language):
        pytest.skip(f"the grammar of {language} is not installed")
    found = _core.outline(code, language)
    assert found is not None
    return found


def scope(definitions: list[Definition], number: int | None) -> str:
    names: list[str] = []
    while number is not None:
        names.insert(0, definitions[number][4])
        number = definitions[number][6]
    return ".".join(name for name in names if name)


def lines(code: str, start: int, end: int) -> tuple[int, int]:
    utf8 = code.encode()
    return utf8.count(b"\n", 0, start) + 1, utf8.count(b"\n", 0, end) + 1


@pytest.mark.parametrize("language", CASES)
def test_definitions(language: str) -> None:
    code, expected = CASES[language]
    definitions, _ = outline(code, language)
    found = [
        (scope(definitions, number), symbol, lines(code, start, end)[0])
        for number, (start, end, _, _, _, symbol, _) in enumerate(definitions)
    ]
    assert found == expected


@pytest.mark.parametrize("language", HEADS)
def test_heads(language: str) -> None:
    code, heads = HEADS[language]
    utf8 = code.encode()
    definitions, _ = outline(code, language)
    assert [utf8[start:end].decode() for _, _, start, end, *_ in definitions] == heads


@pytest.mark.parametrize("language", WHOLES)
def test_wholes(language: str) -> None:
    code, expected = WHOLES[language]
    assert [lines(code, start, end) for start, end in outline(code, language)[1]] == expected


@pytest.mark.parametrize("language", grammars.PACKAGES)
def test_grammars_have_the_kinds_that_rules_name(language: str) -> None:
    if not grammars.load(language):
        pytest.skip(f"the grammar of {language} is not installed")
    grammar = grammars.grammar_of(language)
    assert _core.add_grammar(language, grammar) == []


def test_every_language_has_cases() -> None:
    assert CASES.keys() == grammars.PACKAGES.keys()


def test_places_are_bytes_of_utf8() -> None:
    definitions, _ = outline("ö = 'ä'\ndef f(): pass\n", "python")
    assert [of[:2] for of in definitions] == [(0, 9), (10, 23)]


def test_a_language_without_a_grammar_has_no_outline() -> None:
    assert not grammars.load("cobol")
    assert _core.outline("MOVE A TO B.", "cobol") is None


def test_prose_has_no_outline() -> None:
    if grammars.load("python"):
        assert _core.outline("This is (prose, and no code: at all.\n", "python") is None


@pytest.mark.parametrize("capsule", [None, 1, "x", object()])
def test_what_is_no_capsule_is_refused(capsule: object) -> None:
    with pytest.raises(TypeError, match="PyCapsule"):
        _core.add_grammar("python", capsule)


def test_a_capsule_of_another_name_is_refused() -> None:
    import datetime as dt

    with pytest.raises(ValueError, match="name"):
        _core.add_grammar("python", dt.datetime_CAPI)


def test_a_language_without_rules_is_refused() -> None:
    if not grammars.load("python"):
        pytest.skip("the grammar of python is not installed")
    with pytest.raises(ConfigError, match='no rules for outlines of "cobol"'):
        _core.add_grammar("cobol", grammars.grammar_of("python"))


def test_versions_name_what_is_installed() -> None:
    found = grammars.versions()
    packages = {package.distribution for package in grammars.PACKAGES.values()}
    assert found.keys() <= packages
    assert all(version[0].isdigit() for version in found.values())
    assert grammars.versions() is found
