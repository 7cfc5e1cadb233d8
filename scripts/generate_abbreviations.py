"""Write the table of abbreviations and sentence openers that the sentence splitter reads in place.

Run it again only when a source changes::

    pip download --no-deps --no-binary :all: sentencex==1.0.32
    pip download --no-deps --only-binary :all: spacy==3.8.18
    git clone https://github.com/unicode-org/cldr-json && git -C cldr-json checkout b08a82b582
    python scripts/generate_abbreviations.py sentencex-1.0.32.tar.gz spacy-3.8.18-*.whl cldr-json

The lists are data of sentencex (MIT), of spaCy (MIT: abbreviations, and the frequent words that are
none) and of the Unicode CLDR (Unicode License v3: suppressions of sentence breaks, names of months
and days).  What is read is verified here by SHA-256.  Our own judgement is in
``abbreviation_marks.py``: which abbreviations never end a sentence, which of them are words as
well, and the openers of languages for which we wrote them.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import abbreviation_marks as marks

DATA = Path(__file__).resolve().parent.parent / "rust" / "text" / "data"
SENTENCEX = "322b2501ceada10fc44d356216955047714e2a46d7c253d5281a9b6a834fe86c"
SPACY = "c076d6caab1aae5b3c0fd5ecba9f1265ad1e1824ced3e0352193ca30994ac115"
CLDR = "0cb690064b7f5cef7a3b51a9eee33c6192ba0dc4b15d11524e2e7a2e9dc4b57a"
LISTS = "src/languages/abbrev/"
OPENERS = "src/languages/starters/en.txt"
# Longer keys are compounds whose last part is listed as well; segment/sentence/words.rs knows this.
MAX_KEY_BYTES = 24
# A longer word is no unlisted abbreviation: segment/sentence/words.rs asks for no longer ones.
MAX_WORD_LETTERS = 4
MAX_OPENER_LETTERS = 5
# Languages with capitals whose short words are told from abbreviations.
WITH_WORDS = """af bg ca cs da de el es et fi fr hr hu id is it lt lv nb nl pl pt ro ru sk sl sr sv
    tr uk vi"""
# Languages of which spaCy has abbreviations and sentencex none.
FROM_SPACY = "ca hu id nb nn ro sl sr sv tr"


def verify(name: str, contents: Iterable[bytes], expected: str) -> None:
    """Stop if the SHA-256 of ``contents`` is not ``expected``."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content)
    if digest.hexdigest() != expected:
        sys.exit(f"{name}: SHA-256 is {digest.hexdigest()}, not {expected}")


def read_sentencex(path: Path) -> dict[str, str]:
    """Read the lists from the archive: text by path inside it."""
    verify(path.name, [path.read_bytes()], SENTENCEX)
    texts = {}
    with tarfile.open(path) as archive:
        for member in archive:
            name = "/".join(PurePosixPath(member.name).parts[1:])
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and (name.startswith(LISTS) or name == OPENERS):
                texts[name] = content.read().decode()
    return texts


def string_constants(source: str) -> Iterator[str]:
    """Yield the strings of a Python module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def read_spacy(path: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Read abbreviations and frequent words, by language."""
    verify(path.name, [path.read_bytes()], SPACY)
    abbreviations, words = {}, {}
    with zipfile.ZipFile(path) as wheel:
        for language in FROM_SPACY.split():
            source = wheel.read(f"spacy/lang/{language}/tokenizer_exceptions.py").decode()
            abbreviations[language] = {
                text for text in string_constants(source) if text.endswith(".") and " " not in text
            }
        for language in WITH_WORDS.split():
            source = wheel.read(f"spacy/lang/{language}/stop_words.py").decode()
            texts = string_constants(source)
            words[language] = {word.lower() for text in texts for word in text.split()}
    return abbreviations, words


def read_cldr(folder: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Read suppressions, and short names of months and days, by language."""
    packages = folder / "cldr-json"
    languages = sorted({*WITH_WORDS.split(), *FROM_SPACY.split()})
    segments = sorted((packages / "cldr-segments-full" / "segments").glob("[a-z][a-z]/*.json"))
    dates = [
        packages / "cldr-dates-full" / "main" / each / "ca-gregorian.json" for each in languages
    ]
    dates = [path for path in dates if path.exists()]
    verify("CLDR", (path.read_bytes() for path in [*segments, *dates]), CLDR)
    suppressions, names = {}, {}
    for path in segments:
        breaks = json.loads(path.read_bytes())["segments"]["segmentations"]
        suppressions[path.parent.name] = {
            each["suppression"] for each in breaks.get("SentenceBreak", {}).get("standard", ())
        }
    for path in dates:
        main = json.loads(path.read_bytes())["main"][path.parent.name]
        calendar = main["dates"]["calendars"]["gregorian"]
        names[path.parent.name] = {
            name
            for part in ("months", "days")
            for context in ("format", "stand-alone")
            for name in calendar[part][context]["abbreviated"].values()
        }
    return suppressions, names


def entries(text: str) -> list[str]:
    """Return the entries of a list, without comments and the dots behind them."""
    lines = (line.split("//")[0].strip().removesuffix(".") for line in text.splitlines())
    return [line.replace(". ", ".") for line in lines if line]


def keys(names: Iterable[str]) -> set[str]:
    """Return abbreviations as they are looked up: one word, in lower case, without its last dot."""
    lowered = (name.removesuffix(".").replace(". ", ".").lower() for name in names)
    return {key for key in lowered if is_key(key)}


def is_key(key: str) -> bool:
    """Tell whether ``key`` may be asked for: letters, with dots and hyphens among them."""
    return (
        key != ""
        and key[0].isalpha()
        and all(c.isalpha() or not c.isascii() or c in ".-" for c in key)
        and len(key.encode()) <= MAX_KEY_BYTES
    )


def kinds_of(language: str, names: Iterable[str]) -> dict[str, str]:
    """Return our marks for a language; what says most of a word counts."""
    kinds = dict.fromkeys(names, marks.NUMBERED)
    if language == "en":
        kinds |= dict.fromkeys(keys(marks.TITLES_OF_ALL.split()), marks.TITLE)
        kinds |= {word: kind for kind, words in marks.ENGLISH.items() for word in words.split()}
        return kinds
    kinds |= dict.fromkeys(marks.NUMBERED_OF.get(language, "").split(), marks.NUMBERED)
    kinds |= dict.fromkeys(marks.CAPITAL_OF.get(language, "").split(), marks.CAPITAL)
    kinds |= dict.fromkeys(marks.LOWER_OF.get(language, "").split(), marks.LOWER)
    kinds |= dict.fromkeys(marks.TRAILING_OF.get(language, "").split(), marks.TRAILING)
    titles = (marks.LEADING.get(language, "") + " " + marks.TITLES.get(language, "")).split()
    return kinds | dict.fromkeys(titles, marks.TITLE)


def abbreviations(language: str, found: set[str], kinds: dict[str, str]) -> list[str]:
    """Return the sorted lines of a language: a key, and its kind unless that is the plain one."""
    if language == "en":
        found = (found | set(marks.ENGLISH_MORE.split())) - marks.ENGLISH_WORDS
        found |= set(kinds)
    else:
        # What a source lists is an abbreviation before other words, too.
        kinds = {
            key: kind for key, kind in kinds.items() if kind != marks.NUMBERED or key not in found
        }
    # Single letters are initials, which need no list.
    found = {
        key for key in found | set(kinds) if len(key) > 1 or (language == "en" and key in kinds)
    }
    ordered = sorted(found, key=str.encode)
    return [f"{key} {kinds[key]}" if key in kinds else key for key in ordered]


def is_short(word: str) -> bool:
    """Tell whether the rules ask if ``word`` is one that no list has."""
    return len(word) <= MAX_WORD_LETTERS


def openers(language: str, texts: dict[str, str], words: set[str]) -> list[str]:
    """Return the words that open sentences, sorted: our own, or else the frequent ones."""
    own = set(marks.OWN_OPENERS.get(language, "").split())
    if language == "en":
        own |= {word for word in entries(texts[OPENERS]) if word.isalpha()} - marks.NOT_OPENERS
    short = {word.capitalize() for word in words if len(word) <= MAX_OPENER_LETTERS}
    return sorted(own or short, key=str.encode)


def sections(language: str, lines: list[str], starts: list[str], words: list[str]) -> Iterator[str]:
    """Yield the parts of the table for a language."""
    yield "\n".join([f"={language}", *lines])
    if starts:
        yield "\n".join([f"={language} openers", *starts])
    if words:
        yield "\n".join([f"={language} words", *words])


def main() -> None:
    """Write the table: English first, because most texts ask for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentencex", type=Path, help="sentencex-1.0.32.tar.gz")
    parser.add_argument("spacy", type=Path, help="a wheel of spaCy 3.8.18")
    parser.add_argument("cldr", type=Path, help="a checkout of unicode-org/cldr-json")
    options = parser.parse_args()
    texts = read_sentencex(options.sentencex)
    spacy, frequent = read_spacy(options.spacy)
    suppressions, names = read_cldr(options.cldr)
    found: dict[str, set[str]] = defaultdict(set)
    for name, text in texts.items():
        if name.startswith(LISTS):
            found[PurePosixPath(name).stem] |= keys(entries(text))
    # English is ours to judge: there CLDR lists words such as "to" and "has".
    del suppressions["en"]
    for source in (spacy, suppressions):
        for language, listed in source.items():
            found[language] |= keys(listed)
    found = defaultdict(set, {language: listed for language, listed in found.items() if listed})
    parts: list[str] = []
    others = {*found, *names, *marks.TITLES, *marks.NUMBERED_OF} - {"en"}
    for language in ["en", *sorted(others)]:
        common = {word for word in frequent.get(language, ()) if word.isalpha()}
        kinds = kinds_of(language, keys(names.get(language, ())) - common)
        own = set(marks.PLAIN_OF.get(language, "").split())
        everyday = set(marks.WORDS_OF.get(language, "").split())
        plain = {word for word in (common | everyday) - set(kinds) - own if is_short(word)}
        lines = abbreviations(language, (found[language] | own) - plain - everyday, kinds)
        short = sorted((word for word in plain if len(word) > 1), key=str.encode)
        parts.extend(sections(language, lines, openers(language, texts, common), short))
    (DATA / "abbreviations.txt").write_text("\n".join([*parts, "="]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
