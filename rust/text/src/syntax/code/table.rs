//! Table of languages: a row for each, with its names, those of its files, and its comments.

use super::language::{CodeLanguage, Files};

/// What a row has that says nothing else.
const BARE: CodeLanguage = CodeLanguage {
    name: "",
    aliases: &[],
    suffixes: &[],
    file_names: &[],
    interpreters: &[],
    line_comments: &[],
    block_comments: &[],
    marks: &[],
    strings: &[],
    files: Files::Code,
};

/// What the languages have whose comments are those of C.
const LIKE_C: CodeLanguage =
    CodeLanguage { line_comments: &["//"], block_comments: &[("/*", "*/")], ..BARE };

/// What the languages have whose comments are those of a shell.
const LIKE_SHELL: CodeLanguage = CodeLanguage { line_comments: &["#"], ..BARE };

/// What most languages have in common, for a text in one that is not known.
pub static GUESSED: CodeLanguage = CodeLanguage {
    line_comments: &["//", "# ", "##", "#!", "-- "],
    block_comments: &[("/*", "*/"), ("<!--", "-->")],
    marks: &["@", "#["],
    strings: &[("\"\"\"", "\"\"\"")],
    ..BARE
};

/// The languages.
pub static LANGUAGES: &[CodeLanguage] = &[
    CodeLanguage {
        name: "python",
        aliases: &["py", "python3"],
        suffixes: &[".py", ".pyi", ".pyw"],
        file_names: &["sconstruct", "sconscript"],
        interpreters: &["python", "pypy", "uv"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "js",
        aliases: &["javascript", "jsx", "node"],
        suffixes: &[".js", ".jsx", ".mjs", ".cjs"],
        interpreters: &["node", "nodejs"],
        marks: &["@"],
        strings: &[("`", "`")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "ts",
        aliases: &["typescript"],
        suffixes: &[".ts", ".mts", ".cts"],
        interpreters: &["deno", "bun", "ts-node"],
        marks: &["@"],
        strings: &[("`", "`")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "tsx",
        aliases: &["typescriptreact"],
        suffixes: &[".tsx"],
        interpreters: &["tsx"],
        marks: &["@"],
        strings: &[("`", "`")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "java",
        suffixes: &[".java"],
        interpreters: &["java"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_C
    },
    CodeLanguage { name: "c", suffixes: &[".c"], marks: &["[[", "__attribute__"], ..LIKE_C },
    CodeLanguage {
        name: "cpp",
        aliases: &["c++", "cc", "cxx"],
        suffixes: &[".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"],
        marks: &["[[", "template<", "template <", "__attribute__"],
        ..LIKE_C
    },
    CodeLanguage {
        name: "csharp",
        aliases: &["c#", "cs"],
        suffixes: &[".cs"],
        marks: &["["],
        strings: &[("\"\"\"", "\"\"\""), ("@\"", "\"")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "go",
        aliases: &["golang"],
        suffixes: &[".go"],
        strings: &[("`", "`")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "rust",
        aliases: &["rs"],
        suffixes: &[".rs"],
        marks: &["#["],
        strings: &[("r#\"", "\"#")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "ruby",
        aliases: &["rb"],
        suffixes: &[".rb", ".rake", ".gemspec"],
        file_names: &["gemfile", "rakefile", "vagrantfile", "podfile"],
        interpreters: &["ruby", "jruby"],
        block_comments: &[("=begin", "=end")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "php",
        suffixes: &[".php", ".phtml"],
        interpreters: &["php"],
        line_comments: &["//", "#"],
        block_comments: &[("/*", "*/")],
        marks: &["#["],
        ..BARE
    },
    CodeLanguage {
        name: "kotlin",
        aliases: &["kt"],
        suffixes: &[".kt", ".kts"],
        interpreters: &["kotlin"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "swift",
        suffixes: &[".swift"],
        interpreters: &["swift"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "scala",
        suffixes: &[".scala", ".sc"],
        interpreters: &["scala"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "lua",
        suffixes: &[".lua"],
        interpreters: &["lua", "luajit"],
        line_comments: &["--"],
        block_comments: &[("--[[", "]]"), ("--[=[", "]=]")],
        strings: &[("[[", "]]")],
        ..BARE
    },
    CodeLanguage {
        name: "bash",
        aliases: &["sh", "shell", "zsh", "ksh"],
        suffixes: &[".sh", ".bash", ".zsh", ".ksh"],
        file_names: &[".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv"],
        interpreters: &["sh", "bash", "zsh", "dash", "ksh", "ash"],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "sql",
        aliases: &["mysql", "postgresql", "plsql"],
        suffixes: &[".sql"],
        line_comments: &["--"],
        block_comments: &[("/*", "*/")],
        ..BARE
    },
    CodeLanguage {
        name: "html",
        aliases: &["htm", "xhtml"],
        suffixes: &[".html", ".htm", ".xhtml"],
        block_comments: &[("<!--", "-->")],
        files: Files::Document,
        ..BARE
    },
    CodeLanguage {
        name: "css",
        aliases: &["scss", "less"],
        suffixes: &[".css", ".scss", ".less"],
        ..LIKE_C
    },
    CodeLanguage {
        name: "yaml",
        aliases: &["yml"],
        suffixes: &[".yaml", ".yml"],
        files: Files::Document,
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "toml",
        suffixes: &[".toml"],
        file_names: &["cargo.lock", "poetry.lock", "uv.lock", "pipfile"],
        strings: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "dockerfile",
        aliases: &["docker", "containerfile"],
        suffixes: &[".dockerfile"],
        file_names: &["dockerfile", "containerfile"],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "make",
        aliases: &["makefile"],
        suffixes: &[".mk", ".mak"],
        file_names: &["makefile", "gnumakefile"],
        interpreters: &["make"],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "hcl",
        aliases: &["terraform", "tf"],
        suffixes: &[".hcl", ".tf", ".tfvars"],
        line_comments: &["#", "//"],
        block_comments: &[("/*", "*/")],
        ..BARE
    },
    CodeLanguage {
        name: "dart",
        suffixes: &[".dart"],
        interpreters: &["dart"],
        marks: &["@"],
        strings: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
        ..LIKE_C
    },
    CodeLanguage {
        name: "julia",
        aliases: &["jl"],
        suffixes: &[".jl"],
        interpreters: &["julia"],
        block_comments: &[("#=", "=#"), ("\"\"\"", "\"\"\"")],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "r",
        suffixes: &[".r"],
        file_names: &[".rprofile"],
        interpreters: &["rscript"],
        ..LIKE_SHELL
    },
    CodeLanguage { name: "zig", suffixes: &[".zig"], line_comments: &["//"], ..BARE },
    CodeLanguage {
        name: "elixir",
        aliases: &["ex", "exs"],
        suffixes: &[".ex", ".exs"],
        interpreters: &["elixir"],
        marks: &[
            "@doc",
            "@typedoc",
            "@spec",
            "@impl",
            "@deprecated",
            "@since",
            "@tag",
            "@describetag",
        ],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "haskell",
        aliases: &["hs"],
        suffixes: &[".hs"],
        interpreters: &["runghc", "runhaskell", "stack"],
        line_comments: &["--"],
        block_comments: &[("{-", "-}")],
        ..BARE
    },
    CodeLanguage { name: "sol", aliases: &["solidity"], suffixes: &[".sol"], ..LIKE_C },
    CodeLanguage { name: "proto", aliases: &["protobuf"], suffixes: &[".proto"], ..LIKE_C },
    CodeLanguage {
        name: "graphql",
        aliases: &["gql"],
        suffixes: &[".graphql", ".gql", ".graphqls"],
        block_comments: &[("\"\"\"", "\"\"\"")],
        strings: &[("\"\"\"", "\"\"\"")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "vue",
        suffixes: &[".vue"],
        line_comments: &["//"],
        block_comments: &[("<!--", "-->"), ("/*", "*/")],
        strings: &[("`", "`")],
        ..BARE
    },
    CodeLanguage {
        name: "svelte",
        suffixes: &[".svelte"],
        line_comments: &["//"],
        block_comments: &[("<!--", "-->"), ("/*", "*/")],
        strings: &[("`", "`")],
        ..BARE
    },
    CodeLanguage {
        name: "powershell",
        aliases: &["ps1", "pwsh"],
        suffixes: &[".ps1", ".psm1", ".psd1"],
        interpreters: &["pwsh", "powershell"],
        block_comments: &[("<#", "#>")],
        marks: &["["],
        strings: &[("@\"", "\"@"), ("@'", "'@")],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "perl",
        aliases: &["pl"],
        suffixes: &[".pl", ".pm"],
        interpreters: &["perl"],
        block_comments: &[
            ("=pod", "=cut"),
            ("=head", "=cut"),
            ("=begin", "=cut"),
            ("=over", "=cut"),
            ("=item", "=cut"),
            ("=encoding", "=cut"),
        ],
        ..LIKE_SHELL
    },
    CodeLanguage {
        name: "cobol",
        aliases: &["cob", "cbl"],
        suffixes: &[".cob", ".cbl", ".cpy"],
        line_comments: &["*", "*>"],
        ..BARE
    },
    CodeLanguage {
        name: "visualbasic6",
        aliases: &["vb6", "vb"],
        suffixes: &[".bas", ".frm"],
        line_comments: &["'", "rem"],
        ..BARE
    },
    CodeLanguage {
        name: "latex",
        aliases: &["tex"],
        suffixes: &[".tex"],
        line_comments: &["%"],
        files: Files::Prose,
        ..BARE
    },
];
