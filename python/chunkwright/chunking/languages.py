"""Separators for programming and markup languages: the lists of LangChain, as facts about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from chunkwright import _core
from chunkwright.chunking.separators import Separator
from chunkwright.errors import ConfigError, OptionName

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import Markup

# What every text has: paragraphs, lines, words, characters.
_TEXT = ("\n\n", "\n", " ", "")


def _lines(keywords: str) -> tuple[str, ...]:
    """Keywords that begin a line."""
    return tuple(f"\n{keyword} " for keyword in keywords.split())


# Regular expressions of Python's `re`, the strongest first, under LangChain's names.
LANGUAGES: dict[str, tuple[str, ...]] = {
    "cpp": (
        *_lines("class void int float double if for while switch case"),
        *_TEXT,
    ),
    "go": (
        *_lines("func var const type if for switch case"),
        *_TEXT,
    ),
    "java": (
        *_lines("class public protected private static if for while switch case"),
        *_TEXT,
    ),
    "kotlin": (
        *_lines(
            "class public protected private internal companion fun val var if for while when else"
        ),
        *_TEXT,
    ),
    "js": (
        *_lines("function const let var class if for while switch case default"),
        *_TEXT,
    ),
    "ts": (
        *_lines("enum interface namespace type class function"),
        *_lines("const let var if for while switch case default"),
        *_TEXT,
    ),
    "php": (
        *_lines("function class if foreach while do switch case"),
        *_TEXT,
    ),
    "proto": (
        *_lines("message service enum option import syntax"),
        *_TEXT,
    ),
    "python": (
        *_lines("class def"),
        "\n\tdef ",
        *_TEXT,
    ),
    "r": (
        *_lines("function"),
        "\nsetClass\\(",
        "\nsetMethod\\(",
        "\nsetGeneric\\(",
        *_lines("if else for while repeat"),
        "\nlibrary\\(",
        "\nrequire\\(",
        *_TEXT,
    ),
    "rst": (
        "\n=+\n",
        "\n-+\n",
        "\n\\*+\n",
        "\n\n.. *\n\n",
        *_TEXT,
    ),
    "ruby": (
        *_lines("def class if unless while for do begin rescue"),
        *_TEXT,
    ),
    "rust": (
        *_lines("fn const let if while for loop match"),
        *_TEXT,
    ),
    "scala": (
        *_lines("class object def val var if for while match case"),
        *_TEXT,
    ),
    "swift": (
        *_lines("func class struct enum if for while do switch case"),
        *_TEXT,
    ),
    "markdown": (
        *_lines("#{1,6}"),
        "```\n",
        "\n\\*\\*\\*+\n",
        "\n---+\n",
        "\n___+\n",
        *_TEXT,
    ),
    "latex": (
        "\n\\\\chapter{",
        "\n\\\\section{",
        "\n\\\\subsection{",
        "\n\\\\subsubsection{",
        "\n\\\\begin{enumerate}",
        "\n\\\\begin{itemize}",
        "\n\\\\begin{description}",
        "\n\\\\begin{list}",
        "\n\\\\begin{quote}",
        "\n\\\\begin{quotation}",
        "\n\\\\begin{verse}",
        "\n\\\\begin{verbatim}",
        "\n\\\\begin{align}",
        "$$",
        "$",
        " ",
        "",
    ),
    "html": (
        "<body",
        "<div",
        "<p",
        "<br",
        "<li",
        "<h1",
        "<h2",
        "<h3",
        "<h4",
        "<h5",
        "<h6",
        "<span",
        "<table",
        "<tr",
        "<td",
        "<th",
        "<ul",
        "<ol",
        "<header",
        "<footer",
        "<nav",
        "<head",
        "<style",
        "<script",
        "<meta",
        "<title",
        "",
    ),
    "sol": (
        *_lines("pragma using contract interface library constructor type function event"),
        *_lines("modifier error struct enum if for while"),
        "\ndo while ",
        *_lines("assembly"),
        *_TEXT,
    ),
    "csharp": (
        *_lines("interface enum delegate event class abstract public protected private static"),
        *_lines("return if continue for foreach while switch break case else"),
        *_lines("try throw finally catch"),
        *_TEXT,
    ),
    "cobol": (
        "\nIDENTIFICATION DIVISION.",
        "\nENVIRONMENT DIVISION.",
        "\nDATA DIVISION.",
        "\nPROCEDURE DIVISION.",
        "\nWORKING-STORAGE SECTION.",
        "\nLINKAGE SECTION.",
        "\nFILE SECTION.",
        "\nINPUT-OUTPUT SECTION.",
        *_lines("OPEN CLOSE READ WRITE IF ELSE MOVE PERFORM UNTIL VARYING ACCEPT DISPLAY"),
        "\nSTOP RUN.",
        "\n",
        " ",
        "",
    ),
    "lua": (
        *_lines("local function if for while repeat"),
        *_TEXT,
    ),
    "haskell": (
        "\nmain :: ",
        "\nmain = ",
        *_lines("let in do where"),
        "\n:: ",
        "\n= ",
        *_lines("data newtype type module import qualified"),
        "\nimport qualified ",
        *_lines("class instance case"),
        "\n| ",
        "\n= {",
        "\n, ",
        *_TEXT,
    ),
    "elixir": (
        *_lines(
            "def defp defmodule defprotocol defmacro defmacrop if unless case cond with for do"
        ),
        *_TEXT,
    ),
    "powershell": (
        *_lines("function param if foreach for while switch class try catch finally"),
        *_TEXT,
    ),
    "visualbasic6": (
        "\\n(?!End\\s)(?:Public|Private|Friend|Global|Static)\\s+?Sub\\s+",
        "\\n(?!End\\s)(?:Public|Private|Friend|Global|Static)\\s+?Function\\s+",
        "\\n(?!End\\s)(?:Public|Private|Friend|Global|Static)\\s+?Property\\s+(?:Get|Let|Set)\\s+",
        "\\n(?!End\\s)(?:Public|Private|Friend|Global|Static)\\s+?Type\\s+",
        "\\n(?!End\\s)(?:Public|Private|Friend|Global|Static)\\s+?Enum\\s+",
        "\\n(?!End\\s)If\\s+",
        "\\nElseIf\\s+",
        "\\nElse\\s+",
        "\\nSelect\\s+Case\\s+",
        "\\nCase\\s+",
        "\\nFor\\s+",
        "\\nDo\\s+",
        "\\nWhile\\s+",
        "\\nWith\\s+",
        "\\n\\n",
        "\\n",
        " ",
        "",
    ),
}
LANGUAGES["c"] = LANGUAGES["cpp"]
_KNOWN = _core.code_languages()
NAMES = tuple(dict.fromkeys([*LANGUAGES, *(name for name, *_ in _KNOWN)]))
"""The languages: those that LangChain has a list for, and all others that the core knows."""
ALIASES = {
    **{alias: name for name, aliases, *_ in _KNOWN for alias in aliases},
    "md": "markdown",
    "restructuredtext": "rst",
}
"""Other names of languages, and the suffixes of their files: each is taken for ours."""
# What has no list of its own is cut at that of the language which it is a form of.
_FORMS = {"tsx": "ts"}

_ALIKE = 0.8
# Lists that hold regular expressions. In all others a pattern is the text that it matches.
_EXPRESSIONS = {"visualbasic6"}
# Lists that hold such texts with some signs escaped.
_ESCAPED = {"r", "latex"}

# Lists of our own: as LangChain has them, these cut below a title, and inside code.
_OWN = ("markdown", "rst")


def is_language(name: str) -> bool:
    """Whether it is the name of a language, in whatever case, or an alias of one."""
    return name.lower() in NAMES or name.lower() in ALIASES


def checked_language_name(option: str, name: object) -> str:
    """Return our name of a language.

    Raises
    ------
    ConfigError
        If there is no such language: names the option and the value, with the right name if it is
        misspelt, else all languages.
    """
    if isinstance(name, str) and is_language(name):
        return ALIASES.get(name.lower(), name.lower())
    from difflib import get_close_matches

    # Few letters are alike by chance: Klingon is no Kotlin.
    close = get_close_matches(str(name).lower(), [*NAMES, *ALIASES], n=1, cutoff=_ALIKE)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(NAMES)}"
    parts = "unknown ", OptionName(option), f" {name!r}: {hint}"
    raise ConfigError(*parts, value=name, allowed=NAMES)


def separators_for_language(language: str) -> tuple[Separator, ...]:
    """Return the separators of ``language``, the strongest first.

    Those of programming languages are LangChain's, or a plain text's where LangChain has none:
    paragraphs, lines, words. Those of Markdown and reStructuredText are our own: headings of both
    kinds, rules, paragraphs, lines, words.

    Parameters
    ----------
    language
        One of :data:`NAMES`, or of its :data:`ALIASES`.

    Raises
    ------
    ConfigError
        If the language is unknown.
    """
    language = checked_language_name("separators", language)
    if language in _OWN:
        own = _core.markup_separators(language)
        return *(Separator(pattern, regex=regex) for pattern, regex in own), Separator("")
    patterns = LANGUAGES.get(_FORMS.get(language, language), _TEXT)
    return tuple(_separator(language, pattern) for pattern in patterns)


def markup_of_language(language: str) -> Markup:
    """Return what a text in ``language`` is written in, by which some of it is kept together."""
    return cast("Markup", checked_language_name("separators", language))


def _separator(language: str, pattern: str) -> Separator:
    if language in _EXPRESSIONS:
        # The core knows no look-ahead, which changes nothing here: no keyword is "End".
        return Separator(pattern.replace(r"(?!End\s)", ""), regex=True)
    return Separator(re.sub(r"\\(.)", r"\1", pattern) if language in _ESCAPED else pattern)
