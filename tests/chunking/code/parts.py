"""Heads of definitions, and texts of several lines, that are expected of source code."""

HEADS: dict[str, tuple[str, list[str]]] = {
    "python": (
        "@a\nclass A(\n    B,\n):\n    def f(self):  # Says.\n        # More.\n        return 1\n",
        ["class A(\n    B,\n):", "def f(self):"],
    ),
    "java": (
        "@A(1) public final class C extends D {\n  @B\n  int f() throws E { }\n  int n;\n}\n",
        ["public final class C extends D", "int f() throws E", ""],
    ),
    "ts": (
        "@Component({ a: 1 })\nexport class C<T> implements D {\n  @x() f(): void {}\n}\n",
        ["export class C<T> implements D", "f(): void"],
    ),
    "cpp": (
        "template <typename T>\nclass A : B {};\nstatic int\nf(int a)\n{\n}\n",
        ["template <typename T>\nclass A : B", "static int\nf(int a)"],
    ),
    "rust": (
        "#[a]\npub fn f<T>(x: T) -> u8\nwhere\n    T: Copy,\n{\n    1\n}\n",
        ["pub fn f<T>(x: T) -> u8\nwhere\n    T: Copy,"],
    ),
    "go": (
        "type T struct {\n\tn int\n}\nfunc (t *T) F(a int) error {\n\treturn nil\n}\n",
        ["type T struct", "func (t *T) F(a int) error"],
    ),
    "csharp": (
        "[A]\npublic class C {\n  int N { get; set; }\n  int F() => 1;\n}\n",
        ["public class C", "int N", "int F()"],
    ),
    "ruby": (
        "class A < B\n  def f(x)\n    1\n  end\nend\n",
        ["class A < B", "def f(x)"],
    ),
    "kotlin": (
        "@A\nclass C(val n: Int) : B() {\n  fun f(): Int = 1\n}\n",
        ["class C(val n: Int) : B()", "fun f(): Int"],
    ),
    "css": (
        ".a,\n.b { x: y }\n",
        [".a,\n.b"],
    ),
    "yaml": (
        "on:\n  push:\n    a: 1\n",
        ["on:", "push:"],
    ),
    "hcl": (
        'resource "a" "b" {\n  x = 1\n}\n',
        ['resource "a" "b"'],
    ),
    "haskell": (
        "total :: Int -> Int\ntotal n = n\n",
        ["total :: Int -> Int"],
    ),
    "dart": (
        "int f(int a) {\n  return 1;\n}\n",
        ["int f(int a)"],
    ),
    "html": (
        '<div class="a"><p>b</p></div>\n',
        ['<div class="a">'],
    ),
}
WHOLES: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "python": (
        '"""One\ntwo."""\nx = "one line"\ny = f"""\n{x}\n"""\n',
        [(1, 2), (4, 6)],
    ),
    "js": (
        "/*\n * One.\n */\n// Two.\nconst x = `\n${y}\n`;\n",
        [(1, 3), (5, 7)],
    ),
    "rust": (
        '/* a\n b */\n/// c\n/// d\nconst X: &str = "a\nb";\nconst Y: &str = r#"\n"#;\n',
        [(1, 2), (5, 6), (7, 8)],
    ),
    "go": (
        "package a\n\nvar x = `\na`\n",
        [(3, 4)],
    ),
    "java": (
        '/**\n * A.\n */\nclass A { String s = """\n  a\n  """; }\n',
        [(1, 3), (4, 6)],
    ),
    "ruby": (
        "x = <<~A\n  a\n  b\nA\n=begin\nc\n=end\n",
        [(1, 4), (5, 7)],
    ),
    "bash": (
        "cat <<E\na\nb\nE\nx='a\nb'\n",
        [(2, 3), (5, 6)],
    ),
    "php": (
        "<?php\n$x = <<<A\na\nA;\n/* b\n*/\n",
        [(2, 4), (5, 6)],
    ),
    "yaml": (
        'a: |\n  b\n  c\nd: "e\n  f"\n',
        [(1, 3), (4, 5)],
    ),
    "toml": (
        'a = """\nb\n"""\n',
        [(1, 3)],
    ),
    "html": (
        "<p>a\nb</p>\n<!-- c\nd -->\n",
        [(1, 2), (3, 4)],
    ),
    "elixir": (
        'defmodule A do\n  @moduledoc """\n  b\n  """\nend\n',
        [(2, 4)],
    ),
    "hcl": (
        "a = <<E\nb\nE\n",
        [(1, 3)],
    ),
    "csharp": (
        'class A { string s = @"a\nb"; }\n/* c\n*/\n',
        [(1, 2), (3, 4)],
    ),
}
