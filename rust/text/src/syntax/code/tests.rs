//! Tests of what stands above code.

use std::fmt::Write;

use proptest::prelude::*;

use super::above::Above;
use super::languages::named;

/// Where what belongs to the line with `thing` begins, by the text from there on.
fn begins<'t>(language: &str, text: &'t str, thing: &str) -> &'t str {
    let at = text.find(thing).unwrap();
    let start = Above::new(text, named(language)).start(at);
    text[start..].lines().next().unwrap().trim()
}

#[test]
fn what_stands_above_begins_with_its_first_line() {
    for (language, text, first) in [
        ("python", "@app.route(\n    \"/a)\",  # )\n)\n@cached\nTHING", "@app.route("),
        ("python", "# a\n\n# b\n@c # d\n\nTHING", "# a"),
        ("python", "x = '''\n# no\n'''\nTHING", "THING"),
        ("python", "x = 1  # behind\nTHING", "THING"),
        ("python", "    # of the block above\nTHING", "THING"),
        ("python", "    # deeper\n# own\nTHING", "# own"),
        ("python", "# of the call\n)\nTHING", "THING"),
        ("python", "x = (a\n    @ b)\nTHING", "THING"),
        ("java", "/**\n * Says.\n */\n@Override\n@A(b = {1, 2})\nTHING", "/**"),
        ("java", "/* a */ int b;\nTHING", "THING"),
        ("java", "int b; /*\n@A\n*/\nTHING", "THING"),
        ("java", "@A class B {}\nTHING", "THING"),
        ("ts", "const a = `\n// no\n`;\nTHING", "THING"),
        ("ts", "@Component({\n  selector: 'a)',\n})\nTHING", "@Component({"),
        (
            "csharp",
            "/// <summary>a</summary>\n[Obsolete(\"[\")]\n[A, B(1)]\nTHING",
            "/// <summary>a</summary>",
        ),
        ("csharp", "x = [\n[1, 2],\n];\nTHING", "THING"),
        ("csharp", "var p = @\"C:\\\";\n// a\nTHING", "// a"),
        ("cpp", "// a\ntemplate <typename T, bool = (1 > 0)>\n[[nodiscard]]\nTHING", "// a"),
        ("cpp", "template void a<int>();\nTHING", "THING"),
        ("c", "/* a */\n__attribute__ ((noreturn))\nTHING", "/* a */"),
        ("c", "// a\n#endif\nTHING", "THING"),
        ("go", "// Add adds.\n//\n// It is quick.\nTHING", "// Add adds."),
        ("rust", "#![allow(a)]\nTHING", "THING"),
        ("rust", "/// a\n#[derive(\n    A,\n)]\n#[inline]\nTHING", "/// a"),
        ("rust", "let a = '\"'; // \"\n/// a\nTHING", "/// a"),
        ("ruby", "=begin\na\n=end\n# b\nTHING", "=begin"),
        ("ruby", "  # b\n  end\nTHING", "THING"),
        ("php", "/** a */\n#[Pure]\n# b\nTHING", "/** a */"),
        ("kotlin", "@file:JvmName(\"A\")\n@Get<A>(1)\nTHING", "@file:JvmName(\"A\")"),
        ("swift", "/// a\n@available(iOS 13, *)\nTHING", "/// a"),
        ("scala", "/** a */\n@tailrec\nTHING", "/** a */"),
        ("lua", "--[[ a\nb ]]\n-- c\nTHING", "--[[ a"),
        ("bash", "a() { b; }\n# c\nTHING", "# c"),
        ("bash", "# c\nfi\nTHING", "THING"),
        ("sql", "-- a\n/* b */\nTHING", "-- a"),
        ("julia", "\"\"\"\n    f(x)\n\"\"\"\nTHING", "\"\"\""),
        ("elixir", "@doc \"\"\"\na\n\"\"\"\n@spec a(b) ::\n        c\nTHING", "@doc \"\"\""),
        ("elixir", "@limit 3\nTHING", "THING"),
        ("haskell", "{- a\n-}\n-- | b\nTHING", "{- a"),
        ("perl", "=head1 A\n\n# a\n\n=cut\n\nTHING", "=head1 A"),
        ("powershell", "<#\na\n#>\n[CmdletBinding()]\nTHING", "<#"),
        ("powershell", "[string]$a\nTHING", "THING"),
        ("cobol", "      * a\nTHING", "THING"),
        ("cobol", "      * a\n       THING", "* a"),
        ("visualbasic6", "' a\nRem b\nTHING", "' a"),
        ("visualbasic6", "remote = 1\nTHING", "THING"),
        ("html", "<!-- a\n-->\nTHING", "<!-- a"),
        ("css", "/* a */\nTHING", "/* a */"),
        ("hcl", "# a\n// b\nTHING", "# a"),
        ("graphql", "\"\"\"a\"\"\"\nTHING", "\"\"\"a\"\"\""),
    ] {
        assert_eq!(begins(language, text, "THING"), first, "{language}: {text}");
    }
}

#[test]
fn without_a_language_only_common_signs_are_known() {
    for (text, first) in
        [("# a\n@b\nTHING", "# a"), ("/* a */\n#[b]\nTHING", "/* a */"), ("--i;\nTHING", "THING")]
    {
        let start = Above::new(text, None).start(text.find("THING").unwrap());
        assert!(text[start..].starts_with(first), "{text}");
    }
}

#[test]
fn a_place_inside_belongs_to_all_of_it() {
    let text = "a = 1\n\n# b\n# c d\n\n@e\ndef f():\n    # g\n";
    let above = Above::new(text, named("python"));
    let first = text.find("# b").unwrap();
    for inside in ["\n# c", "c d", "d\n", "\n\n@e", "@e", "\ndef", "def"] {
        assert_eq!(above.start(text.find(inside).unwrap()), first, "{inside:?}");
    }
    for outside in ["a = 1", "\n\n# b", "# b", "ef f", "():", "# g"] {
        let at = text.find(outside).unwrap();
        assert_eq!(above.start(at), at, "{outside:?}");
    }
}

#[test]
fn hostile_texts_are_read_once() {
    let n = 200_000;
    let nested = format!("{}{}", "@a(\n".repeat(n), ")\n".repeat(n));
    let mut texts = vec![nested, "@a(".repeat(n), "\"".repeat(n), "'\\".repeat(n)];
    for sign in
        ["# a\n", "# a\n\n", "@a\n", "/*\n", "`\n", "\"\"\"\n", "=begin\n", " ", "[[", "<\n"]
    {
        texts.push(sign.repeat(n));
    }
    for text in &mut texts {
        writeln!(text, "\nTHING").unwrap();
        for language in ["python", "ts", "csharp", "cpp", "ruby", "lua", "elixir"] {
            let above = Above::new(text, named(language));
            assert!((0..text.len()).step_by(97).all(|at| above.start(at) <= at));
        }
    }
}

/// The same, found by looking at each line from the place on: of lines that are what they begin with.
fn twin(lines: &[&str], of: usize) -> usize {
    let bare = |i: usize| lines[i].trim_start();
    let indent = |i: usize| lines[i].len() - bare(i).len();
    let (comment, mark) =
        (|i: usize| bare(i).starts_with('#'), |i: usize| bare(i).starts_with('@'));
    let below = (of..lines.len()).find(|&i| !bare(i).is_empty() && !comment(i) && !mark(i));
    let Some(thing) = below.filter(|&i| !bare(i).starts_with(')')) else { return of };
    let mut first = thing;
    for i in (0..thing).rev() {
        if bare(i).is_empty() {
            continue;
        }
        if !(mark(i) || comment(i) && indent(i) <= indent(thing)) {
            break;
        }
        first = i;
    }
    first.min(of)
}

proptest! {
    #[test]
    fn the_start_is_that_of_the_twin(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "", " ", "# a", "  # a", "    # b", "@c", "  @c.d(1)", "e = 1", "  f()", "    g()", ")", "  )",
            ]),
            0..24,
        ),
    ) {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let above = Above::new(&text, named("python"));
        let starts: Vec<usize> = lines.iter().scan(0, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some(start)
        }).collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let sign = starts[i] + line.len() - line.trim_start().len();
            let expected = twin(&lines, i);
            let expected = if expected == i { sign } else { starts[expected] };
            prop_assert_eq!(above.start(sign), expected, "{:?} {}", text, i);
        }
    }

    #[test]
    fn any_text_in_any_language_has_starts_before_its_places(
        text in "([@#/*\\-\\[\\]()<>{}\"'`=!\\\\ \n\ta漢]|\"\"\"|=begin|=cut|template<|end|@doc|\\*/|--\\[\\[){0,60}",
        language in (0..super::languages::LANGUAGES.len()),
    ) {
        let above = Above::new(&text, Some(&super::languages::LANGUAGES[language]));
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let start = above.start(at);
            prop_assert!(start <= at && text.is_char_boundary(start));
            prop_assert_eq!(above.start(start), start);
        }
    }
}
