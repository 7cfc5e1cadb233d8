//! Tests of outlines: what they promise, for whatever text, and that hostile ones end.

use std::cell::Cell;
use std::sync::LazyLock;

use chunkwright_text::error::Error;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::syntax::code::outline::{Outline, Outliner};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::bounded::MAX_BYTES;
use crate::{Grammar, GrammarError, Grammars};

static GRAMMARS: LazyLock<Grammars> = LazyLock::new(|| {
    let mut grammars = Grammars::default();
    for (name, language) in [
        ("c", tree_sitter_c::LANGUAGE),
        ("go", tree_sitter_go::LANGUAGE),
        ("java", tree_sitter_java::LANGUAGE),
        ("js", tree_sitter_javascript::LANGUAGE),
        ("python", tree_sitter_python::LANGUAGE),
        ("rust", tree_sitter_rust::LANGUAGE),
    ] {
        grammars.add(name, Grammar::new(name, language.into()).unwrap());
    }
    grammars
});

/// A piece of code of each language, with most of what its rules know.
const CODE: &[(&str, &str)] = &[
    (
        "c",
        "#include <a.h>\n#define SIZE 3\n/* two\n lines */\ntypedef struct pair { int a; } pair_t;\n\
         enum { LOW = 1 };\nstatic int *\nfirst(int n)\n{\n  return 0;\n}\nint last(void);\n",
    ),
    (
        "go",
        "package a\n\nimport \"fmt\"\n\nconst (\n\tA = iota\n\tB\n)\n\ntype T struct{ n int }\n\n\
         func (t *T) Get() int { return t.n }\n\nvar text = `a\nb`\n",
    ),
    (
        "java",
        "import a.B;\n@Deprecated\npublic class C {\n  static final int N = 1;\n  @Override\n  \
         int get() { return new Object() { int z() { return 1; } }.z(); }\n}\n",
    ),
    (
        "js",
        "import a from 'a';\nexport class Cart { add = () => 1; get n() { return 0; } }\n\
         const f = async (x) => { function g() {} };\nmodule.exports = { k() {}, t: `a\nb` };\n",
    ),
    (
        "python",
        "import os\n\nLIMIT = 3\n\n@cached\nclass Cart:\n    \"\"\"Holds\n    wares.\"\"\"\n\n    \
         def add(self, ware):\n        def check(): pass\n        n = 1\n\nif LIMIT:\n    import sys\n",
    ),
    (
        "rust",
        "use a::b;\n/// Says ö.\n#[derive(Debug)]\npub struct S { n: u8 }\nimpl<T> From<T> for S {\n    \
         fn from(_: T) -> Self { const X: u8 = 1; Self { n: X } }\n}\nmod tests { fn t() {} }\n",
    ),
];

fn outline(language: &str, code: &str) -> Option<Outline> {
    GRAMMARS.outline(code, language, no_pulse()).unwrap()
}

/// Scope, kind, the first words, and the head of each definition.
fn shown(language: &str, code: &str) -> Vec<String> {
    let outline = outline(language, code).unwrap();
    let show = |number: usize| {
        let of = &outline.definitions[number];
        let head = code[of.head.range()].replace('\n', "|");
        format!("{} {} [{head}]", of.symbol.name(), outline.scope(number))
    };
    (0..outline.definitions.len()).map(show).collect()
}

/// What an outline promises of its spans.
fn check(code: &str, outline: &Outline) {
    let mut last = 0;
    for (number, of) in outline.definitions.iter().enumerate() {
        assert!(last <= of.span.start && of.span.start < of.span.end);
        last = of.span.start;
        assert!(of.span.start <= of.head.start && of.head.end <= of.span.end);
        assert!(code.get(of.span.range()).is_some() && code.get(of.head.range()).is_some());
        assert!(of.parent.is_none_or(|parent| parent < number));
        let around = of.parent.map(|parent| outline.definitions[parent].span);
        assert!(around.is_none_or(|on| on.start <= of.span.start && of.span.end <= on.end));
        // Those before it that do not hold it end before it begins.
        let path: Vec<usize> = outline.path(number).collect();
        let apart = (0..number).filter(|other| !path.contains(other));
        assert!(
            apart.map(|other| outline.definitions[other].span.end).all(|end| end <= of.span.start)
        );
    }
    for pair in outline.wholes.windows(2) {
        assert!(pair[0].end <= pair[1].start);
    }
    assert!(outline.wholes.iter().all(|whole| code[whole.range()].contains('\n')));
}

#[test]
fn definitions_have_names_kinds_and_heads() {
    let shown: Vec<Vec<String>> =
        CODE.iter().map(|(language, code)| shown(language, code)).collect();
    let expected: [&[&str]; 6] = [
        &[
            "import a.h []",
            "constant SIZE []",
            "class pair_t [typedef struct pair]",
            "constant LOW [enum]",
            "function first [static int *|first(int n)]",
            "function last []",
        ],
        &[
            "import fmt []",
            "constant A []",
            "constant B []",
            "class T [type T struct]",
            "method T.Get [func (t *T) Get() int]",
            "constant text []",
        ],
        &[
            "import a.B []",
            "class C [public class C]",
            "constant C.N []",
            "method C.get [int get()]",
            "method C.get.z [int z()]",
        ],
        &[
            "import a []",
            "class Cart [export class Cart]",
            "method Cart.add [add = () =>]",
            "method Cart.n [get n()]",
            "function f [const f = async (x) =>]",
            "function f.g [function g()]",
            "constant exports []",
            "function exports.k [k()]",
        ],
        &[
            "import os []",
            "constant LIMIT []",
            "class Cart [class Cart:]",
            "method Cart.add [def add(self, ware):]",
            "function Cart.add.check [def check():]",
            "import sys []",
        ],
        &[
            "import a::b []",
            "class S [pub struct S]",
            "class S [impl<T> From<T> for S]",
            "method S.from [fn from(_: T) -> Self]",
            "module tests [mod tests]",
            "function tests.t [fn t()]",
        ],
    ];
    assert_eq!(shown, expected);
}

#[test]
fn decorators_and_wrappers_belong_to_the_definition() {
    let starts = |language: &str, code: &'static str| -> Vec<&'static str> {
        let definitions = outline(language, code).unwrap().definitions;
        definitions.iter().map(|of| code[of.span.range()].lines().next().unwrap()).collect()
    };
    assert_eq!(starts("python", "@a\n@b\ndef f(): pass\n"), ["@a"]);
    assert_eq!(
        starts("rust", "// c\n#[a]\n// d\n#[b]\nfn f() {}\nfn g() {}\n"),
        ["#[a]", "fn g() {}"]
    );
    assert_eq!(
        starts("js", "export default class A {}\nvar a = 1, b = 2;\n"),
        ["export default class A {}", "a = 1", "b = 2;"]
    );
}

#[test]
fn texts_and_comments_of_several_lines_are_wholes() {
    for (language, wholes) in
        [("c", 1), ("go", 1), ("java", 0), ("js", 1), ("python", 1), ("rust", 0)]
    {
        let code = CODE.iter().find(|(name, _)| *name == language).unwrap().1;
        assert_eq!(outline(language, code).unwrap().wholes.len(), wholes, "{language}");
    }
}

#[test]
fn what_does_not_parse_has_no_outline() {
    assert_eq!(outline("python", "This is no code, but prose: it has a (bracket.\n"), None);
    // A small error leaves the rest.
    let code = format!("{}\n)\n", "def f():\n    return 1\n".repeat(20));
    assert_eq!(outline("python", &code).unwrap().definitions.len(), 20);
    assert_eq!(outline("cobol", "MOVE A TO B."), None);
    assert_eq!(outline("python", ""), Some(Outline::default()));
}

#[test]
fn what_is_too_long_has_no_outline() {
    assert_eq!(outline("python", &"x = 1\n".repeat(MAX_BYTES / 6 + 1)), None);
}

#[test]
fn the_pulse_stops_the_work() {
    let stop = || Err(Error::Interrupted);
    let stopped = GRAMMARS.outline("x = 1\n", "python", &stop);
    assert!(matches!(stopped, Err(Error::Interrupted)));
}

#[test]
fn the_pulse_stops_the_work_in_the_middle() {
    let text = "def f(a, b):\n    return a + b\n".repeat(10_000);
    let calls = Cell::new(0);
    let until = |last: usize| {
        calls.set(0);
        let pulse = || {
            calls.set(calls.get() + 1);
            if calls.get() > last { Err(Error::Interrupted) } else { Ok(()) }
        };
        GRAMMARS.outline(&text, "python", &pulse)
    };
    assert!(until(usize::MAX).unwrap().is_some());
    let all = calls.get();
    assert!(all > 3, "asked {all} times");
    for last in [1, all / 2, all - 1] {
        assert!(matches!(until(last), Err(Error::Interrupted)), "after {last} of {all}");
        assert_eq!(calls.get(), last + 1);
    }
}

#[test]
fn a_grammar_needs_rules() {
    let error = Grammar::new("cobol", tree_sitter_c::LANGUAGE.into()).unwrap_err();
    assert_eq!(error, GrammarError::Language("cobol".into()));
    // Rules of another language: their kinds are unknown, and said to be.
    let grammar = Grammar::new("python", tree_sitter_go::LANGUAGE.into()).unwrap();
    assert!(grammar.unknown_kinds().contains(&"class_definition"));
}

#[test]
fn rules_name_kinds_that_the_grammars_have() {
    for (language, _) in CODE {
        let unknown: &[&str] = &[];
        assert_eq!(GRAMMARS.get(language).unwrap().unknown_kinds(), unknown, "{language}");
    }
}

/// Texts that make parsers slow, or run out of stack, of about `n` characters.
fn hostile(n: usize) -> Vec<String> {
    let noise: String =
        (0..n).map(|i| char::from(b"(){}[]<>\"'`#|;:=a \n"[i * i % 101 % 19])).collect();
    let mut texts: Vec<String> =
        ["(", "{", "[", "\"", "'", "`", "/*", "#if A\n", "{{", "<a>", "a.", "f(", "!"]
            .iter()
            .map(|unit| unit.repeat(n / unit.len()))
            .collect();
    texts.extend([
        noise,
        "x = (".repeat(n / 5),
        "def f(): ".repeat(n / 9),
        "class A {".repeat(n / 9),
    ]);
    texts.extend(["fn f() {".repeat(n / 8), "if (a) { } else ".repeat(n / 16), "a ".repeat(n / 2)]);
    texts.extend([
        "#if A\nint f() {\n#else\nint g() {\n#endif\n".repeat(n / 40),
        "'\"`".repeat(n / 3),
    ]);
    texts
}

#[test]
fn hostile_texts_end() {
    for text in hostile(20_000) {
        for (language, _) in CODE {
            if let Some(found) = outline(language, &text) {
                check_nesting(&found);
            }
        }
    }
}

/// As [`check`], for outlines that are as deep as long.
fn check_nesting(outline: &Outline) {
    for of in &outline.definitions {
        let around = of.parent.map(|parent| outline.definitions[parent].span);
        assert!(around.is_none_or(|on| on.start <= of.span.start && of.span.end <= on.end));
    }
}

proptest! {
    #[test]
    fn outlines_keep_their_promises(
        first in any::<Index>(),
        edits in prop::collection::vec((any::<Index>(), 0..12usize, "[ \\n(){}\"'a-f:=ö@#;.]{0,4}"), 0..6),
    ) {
        let (language, code) = CODE[first.index(CODE.len())];
        let mut text = code.to_owned();
        for (at, n, put) in edits {
            let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let from = at.index(chars.len());
            let to = (from + n).min(chars.len() - 1);
            text.replace_range(chars[from]..chars[to], &put);
        }
        if let Some(found) = outline(language, &text) {
            check(&text, &found);
        }
    }

    #[test]
    fn outlines_of_any_text_keep_their_promises(text in "\\PC{0,80}", first in any::<Index>()) {
        let (language, _) = CODE[first.index(CODE.len())];
        if let Some(found) = outline(language, &text) {
            check(&text, &found);
        }
    }
}
