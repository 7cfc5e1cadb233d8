"""What is read of a folder: files whose names end like those of texts."""

PROSE = """
    .adoc .asciidoc .htm .html .log .markdown .md .mdx .org .rst .srt .tex .text .txt .vtt
    .xhtml
"""
DATA = """
    .cfg .csv .ini .json .proto .sql .toml .tsv .xml .yaml .yml
"""
CODE = """
    .c .cc .cpp .cs .css .cxx .ex .exs .go .h .hpp .hs .java .js .jsx .kt .kts .lua .php .pl
    .ps1 .py .pyi .r .rb .rs .scala .sh .sol .swift .ts .tsx
"""
SUFFIXES = frozenset(f"{PROSE} {DATA} {CODE}".split())
