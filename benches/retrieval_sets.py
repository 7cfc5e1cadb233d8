"""Sets of questions made by rule from a folder of documents, for `chunkwright eval`.

Nobody writes these questions, and no model does, so none is made with a chunker or a retriever in
mind. Three rules:

- titles: the question is the title of a section, the answer the whole section up to the next title.
- sentences: a sentence is taken out of its paragraph and asked for; the answer is what is left of
  the paragraph (the inverse cloze task). Words recur as the author inflected them.
- docstrings: a docstring is taken out of its function; its first paragraph is the question, the
  function the answer.

Documents are HTML (manuals), LaTeX and R Markdown (articles) or Python. `benches/README.md` says
which packages of Debian hold them.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from lxml import etree, html

from chunkwright import split_sentences

ANSWER_CHARS = range(200, 3000)
PARAGRAPH_CHARS = range(300, 2000)
# Letters, so that characters that stand for words need fewer.
QUESTION_BYTES = range(12, 400)
SENTENCE_BYTES = range(50, 400)
LEAST_SENTENCES = 3
# `1.1.`, `Kapitel 3.`, `Глава 1.`, `第 2 章`, `A.3.`
NUMBERING = re.compile(
    r"^\s*(?:\w+\s+)?(?:[A-Z]\.)?\d+(?:\.\d+)*\.?\s+|^\s*\w+\s+[A-Z]\.\s+|^\s*第\s*\d+\s*\w\s*"
)


@dataclass
class Section:
    """A title, which may be empty, and the paragraphs up to the next one."""

    title: str
    paragraphs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Asked:
    """A question, and the place of its answer in the document."""

    question: str
    start: int
    end: int


def main() -> None:
    """Write corpora and questions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="gets corpora/ and questions.jsonl")
    parser.add_argument("folders", nargs="+", type=Path, help="where the documents are")
    parser.add_argument("--rule", choices=RULES, required=True)
    parser.add_argument("--suffix", nargs="+", default=[".html"])
    parser.add_argument("--without", default="$^", help="a pattern of names that are left out")
    parser.add_argument("--questions", type=int, default=400, help="at most")
    parser.add_argument("--marked", action="store_true", help="titles get a # of Markdown")
    arguments = parser.parse_args()
    corpora: dict[str, str] = {}
    asked: list[tuple[str, Asked]] = []
    for path in documents(arguments.folders, arguments.suffix, arguments.without):
        text, found = RULES[arguments.rule](path, arguments.marked)
        if text.strip() and text not in corpora.values():
            name = f"{len(corpora):04}-{path.stem}"
            corpora[name] = text
            asked += [(name, each) for each in found]
    write(arguments.out, corpora, chosen(asked, arguments.questions))


def documents(folders: list[Path], suffixes: list[str], without: str) -> Iterator[Path]:
    """Give the files with these endings, in the order of their paths."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in suffixes and not re.search(without, str(path.relative_to(folder))):
                yield path


def chosen(asked: list[tuple[str, Asked]], most: int) -> list[tuple[str, Asked]]:
    """Return questions that are asked once only; of too many those with the least hashes."""
    count: dict[str, int] = {}
    for _, each in asked:
        count[each.question.lower()] = count.get(each.question.lower(), 0) + 1
    once = [each for each in asked if count[each[1].question.lower()] == 1]
    kept = sorted(once, key=lambda each: sha256(each[1].question.encode()).digest())[:most]
    return sorted(kept, key=once.index)


def write(out: Path, corpora: dict[str, str], asked: list[tuple[str, Asked]]) -> None:
    """Write a set as `chunkwright eval` reads it."""
    folder = out / "corpora"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name, text in corpora.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    with (out / "questions.jsonl").open("w", encoding="utf-8") as file:
        for name, each in asked:
            excerpt = {
                "text": corpora[name][each.start : each.end],
                "start": each.start,
                "end": each.end,
            }
            row = {"question": each.question, "corpus": name, "excerpts": [excerpt]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    size = sum(len(text.encode()) for text in corpora.values()) / 1e6
    print(f"{out.name}: {len(corpora)} documents, {size:.2f} MB, {len(asked)} questions")


# ---------------------------------------------------------------------- rules


def titles(path: Path, marked: bool) -> tuple[str, list[Asked]]:
    """Ask for each section by its title."""
    text, asked = "", []
    for section in sections(path):
        if section.title:
            text += f"{'## ' * marked}{section.title}\n\n"
        start = len(text)
        text += "".join(f"{paragraph}\n\n" for paragraph in section.paragraphs)
        end = len(text.rstrip())
        question = NUMBERING.sub("", section.title).strip()
        if end - start in ANSWER_CHARS and len(question.encode()) in QUESTION_BYTES:
            asked.append(Asked(question, start, end))
    return text, asked


def sentences(path: Path, marked: bool) -> tuple[str, list[Asked]]:
    """Ask for a paragraph by its second sentence, which is taken out, of every other paragraph."""
    text, asked, is_turn = "", [], False
    for section in sections(path):
        if section.title:
            text += f"{'## ' * marked}{section.title}\n\n"
        for paragraph in section.paragraphs:
            parts = split_sentences(paragraph)
            is_prose = len(parts) >= LEAST_SENTENCES and "\n" not in paragraph
            is_turn = is_prose and len(paragraph.encode()) in PARAGRAPH_CHARS and not is_turn
            question = parts[1].strip() if is_turn else ""
            if len(question.encode()) in SENTENCE_BYTES:
                kept = (parts[0] + "".join(parts[2:])).strip()
                asked.append(Asked(question, len(text), len(text) + len(kept)))
                text += f"{kept}\n\n"
            else:
                text += f"{paragraph}\n\n"
    return text, asked


def docstrings(path: Path, _: bool) -> tuple[str, list[Asked]]:
    """Ask for a function by its docstring, which is taken out."""
    source = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return "", []
    lines = source.splitlines(keepends=True)
    asked: list[Asked] = []
    gone: set[int] = set()
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    told = [node for node in functions if len(node.body) > 1 and ast.get_docstring(node)]
    for node in told:
        first = node.body[0]
        gone.update(range(first.lineno - 1, first.end_lineno or first.lineno))
    kept = ["" if i in gone else line for i, line in enumerate(lines)]
    begins = [0]
    for line in kept:
        begins.append(begins[-1] + len(line))
    text = "".join(kept)
    for node in told:
        question = re.split(r"\n\s*\n", ast.get_docstring(node) or "")[0]
        question = " ".join(question.split())
        start, end = begins[node.lineno - 1], begins[node.end_lineno or node.lineno]
        if end - start in ANSWER_CHARS and len(question.encode()) in SENTENCE_BYTES:
            asked.append(Asked(question, start, len(text[:end].rstrip())))
    return text, asked


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
RULES: dict[str, Callable[[Path, bool], tuple[str, list[Asked]]]] = {
    rule.__name__: rule for rule in (titles, sentences, docstrings)
}


# ---------------------------------------------------------------------- readers


def sections(path: Path) -> list[Section]:
    """Return the sections of a document."""
    source = path.read_text(encoding="utf-8", errors="replace")
    return html_sections(source) if path.suffix == ".html" else article_sections(source)


def html_sections(source: str) -> list[Section]:
    """Return the sections of a page: titles are h1 to h6, what leads elsewhere is left out."""
    body = html.fromstring(source.encode(), parser=html.HTMLParser(encoding="utf-8")).find("body")
    found = [Section("")]
    if body is None:
        return found
    for part in body.xpath(f".//script | .//style | .//*[{ELSEWHERE}]"):
        part.drop_tree()
    for tag, raw in blocks(body):
        text = raw.strip("\n").rstrip() if tag == "pre" else " ".join(raw.split())
        if not text.strip():
            continue
        if tag in TITLES:
            found.append(Section(text))
        else:
            found[-1].paragraphs.append(text)
    return found


def blocks(body: html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Give the texts between the edges of block elements, and the element that each is in."""
    within, text = [""], ""
    for event, element in etree.iterwalk(body, events=("start", "end", "comment")):
        if event == "comment":
            text += element.tail or ""
            continue
        is_block = element.tag in BLOCKS and "pre" not in within[:-1]
        if is_block:
            yield within[-1], text
            text = ""
        if event == "start":
            within += [element.tag] if is_block else []
            text += element.text or ""
        else:
            within = within[:-1] if is_block else within
            text += element.tail or ""
    yield within[-1], text


TITLES = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = (*TITLES, "p", "pre", "div", "ul", "ol", "dl", "li", "dt", "dd", "table", "tr", "td", "th")
ELSEWHERE = " or ".join(
    f"contains(concat(' ', @class, ' '), ' {name} ')"
    for name in (
        "navheader",
        "navfooter",
        "toc",
        "docnav",
        "sphinxsidebar",
        "related",
        "headerlink",
    )
)


def article_sections(source: str) -> list[Section]:
    """Return the sections of an article in LaTeX or R Markdown, its code left out."""
    source = re.sub(r"(?ms)^<<.*?>>=.*?^@.*?$|^```.*?^```|^---\n.*?^---$", "", source)
    source = re.sub(r"(?<!\\)%.*", "", source)
    source = source.split(r"\begin{document}")[-1].split(r"\end{document}")[0]
    source = re.sub(r"(?m)^#+ +(.*?)(?: \{.*\})?$", r"\\section{\1}", source)
    parts = re.split(r"\\(?:sub)*section\*?\{((?:[^{}]|\{[^{}]*\})*)\}", source)
    found = [Section("", paragraphs_of(parts[0]))]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        found.append(Section(" ".join(plain(title).split()), paragraphs_of(body)))
    return found


def paragraphs_of(source: str) -> list[str]:
    """Return the paragraphs of a section, each on a line."""
    texts = (" ".join(plain(part).split()) for part in re.split(r"\n\s*\n", source))
    return [text for text in texts if text]


def plain(source: str) -> str:
    """Return what is read of LaTeX: commands give their last argument."""
    source = re.sub(
        r"\\(?:begin|end|label|ref|cite\w*|vspace|bibliography\w*)\*?(?:\[.*?\])?\{.*?\}",
        " ",
        source,
    )
    for _ in range(3):
        source = re.sub(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?\{([^{}]*)\}", r"\1", source)
    return re.sub(r"\\item\b|\\\\|[{}~]", " ", source).replace("``", '"').replace("''", '"')


if __name__ == "__main__":
    main()
