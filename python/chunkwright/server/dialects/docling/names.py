"""Names that DoclingDocuments have for languages of code and kinds of files."""

from __future__ import annotations

LANGUAGES = {
    "bash": "Bash",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "css": "CSS",
    "go": "Go",
    "haskell": "Haskell",
    "html": "HTML",
    "java": "Java",
    "javascript": "JavaScript",
    "js": "JavaScript",
    "json": "JSON",
    "kotlin": "Kotlin",
    "latex": "Latex",
    "lua": "Lua",
    "perl": "Perl",
    "php": "PHP",
    "py": "Python",
    "python": "Python",
    "rb": "Ruby",
    "ruby": "Ruby",
    "rs": "Rust",
    "rust": "Rust",
    "scala": "Scala",
    "sh": "Bash",
    "sql": "SQL",
    "swift": "Swift",
    "ts": "TypeScript",
    "typescript": "TypeScript",
    "xml": "XML",
    "yaml": "YAML",
    "yml": "YAML",
}
"""Docling's names of languages, by those that sources state."""

MIME_TYPES = {
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "elements": "application/json",
    "html": "text/html",
    "markdown": "text/markdown",
    "pdf": "application/pdf",
    "text": "text/plain",
    "tsv": "text/tab-separated-values",
}
"""Media types, by the kinds that our readers tell."""
