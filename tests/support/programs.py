"""Programs to be cut: one whose parts are known, things with what stands above, generated ones."""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

PYTHON = '''\
"""Carts."""

import os
from decimal import Decimal


class Cart(Base):
    """A cart."""

    def __init__(self):
        self.items = []
        self.total = 0

    # Prices are in cents.
    @logged
    def add(self, item, price):
        self.items.append((item, price))


# The sum of all carts.
@cache
def total(carts):
    return sum(cart.total for cart in carts)
'''

ABOVE = {
    "python": [
        "import os",
        '# Serves A.\n@app.route(\n    "/a",\n)\ndef a():\n    return 1',
        "@dataclass\nclass B:\n    x: int = 0",
    ],
    "java": [
        "import java.util.List;",
        "/**\n * Adds.\n */\n@Override\npublic class A {\n    int x;\n}",
        "// Says b.\n@Deprecated\nclass B {\n    int y;\n}",
    ],
    "js": [
        "import a from 'a'",
        "/** Adds. */\nfunction add(x, y) {\n  return x + y\n}",
        "// A thing.\nexport class B {\n  b() {}\n}",
    ],
    "ts": [
        "import a from 'a'",
        "/** Adds. */\nexport function add(x: number) {\n  return x\n}",
        "@Component({\n  selector: 'b',\n})\nexport class B {\n  b = 1\n}",
    ],
    "csharp": [
        "using System;",
        '[Obsolete("no")]\npublic class A {\n    int x;\n}',
        "/// <summary>B.</summary>\n[Serializable]\npublic class B {\n    int y;\n}",
    ],
    "kotlin": [
        "import a.b",
        "/** Adds. */\n@JvmStatic\nfun add(x: Int): Int {\n    return x\n}",
        "@Serializable\ndata class B(\n    val b: Int,\n)",
    ],
    "go": [
        "package main",
        "// Add adds.\n// It is fast.\nfunc Add(x int) int {\n\treturn x\n}",
        "// B is a thing.\ntype B struct {\n\tb int\n}",
    ],
    "ruby": [
        "require 'a'",
        "# Adds.\ndef add(x)\n  x + 1\nend",
        "# A thing.\nclass B\n  attr_reader :b\nend",
    ],
    "php": [
        "<?php\nuse A\\B;",
        "#[Pure]\nfunction add($x) {\n    return $x;\n}",
        "/**\n * A thing.\n */\nclass B {\n    public $b;\n}",
    ],
    "cpp": [
        "#include <vector>",
        "// Adds.\ntemplate <typename T>\nT add(T x) {\n    return x;\n}",
        "[[nodiscard]]\nint b() {\n    return 1;\n}",
    ],
    "rust": [
        "use std::fmt;",
        "/// Adds.\n#[inline]\npub fn add(x: i32) -> i32 {\n    x\n}",
        "#[derive(\n    Debug,\n)]\nstruct B {\n    b: i32,\n}",
    ],
    "scala": [
        "import a.b",
        "/** Adds. */\n@tailrec\ndef add(x: Int): Int = {\n  x\n}",
        "// A thing.\ncase class B(\n  b: Int\n)",
    ],
    "swift": [
        "import Foundation",
        "/// Adds.\n@discardableResult\nfunc add(x: Int) -> Int {\n    return x\n}",
        "@objc\nclass B {\n    var b = 1\n}",
    ],
}
"""Things of thirteen languages with comments, decorators, annotations and attributes above them."""


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a program of Python, and its definitions with what stands above each."""
    parts, definitions = [], []
    for number in range(draw(st.integers(1, 6))):
        if draw(st.booleans()):
            part = draw(_functions(f"f{number}"))
            definitions.append(part)
        elif draw(st.booleans()):
            members = [draw(_functions(f"m{n}")) for n in range(draw(st.integers(1, 4)))]
            inner = [indent(each, "    ") for each in members]
            part = f"class C{number}:\n" + "\n\n".join(inner)
            definitions += [part, *inner]
        else:
            part = "\n".join(f"x{n} = {n}" for n in range(draw(st.integers(1, 5))))
        parts.append(part)
    gap = draw(st.sampled_from(["\n\n\n", "\n\n", "\n"]))
    return gap.join(parts) + "\n", definitions


@st.composite
def _functions(draw: st.DrawFn, name: str) -> str:
    above = draw(
        st.lists(st.sampled_from(["# Says a thing.", "@cached", "@route('/a')"]), max_size=2)
    )
    body = [f"    y{n} = {n}" for n in range(draw(st.integers(1, 6)))]
    return "\n".join([*sorted(above), f"def {name}(self):", *body])
