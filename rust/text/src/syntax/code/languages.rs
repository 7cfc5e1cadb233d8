//! Languages of source files, by their names and by those of their files.

pub use super::language::{CodeLanguage, Files};
pub(crate) use super::table::GUESSED;
pub use super::table::LANGUAGES;

/// The language with that name or alias, in any case.
///
/// ```
/// use chunkwright_text::syntax::code::languages::named;
///
/// assert_eq!(named("JavaScript").map(|language| language.name), Some("js"));
/// assert!(named("klingon").is_none());
/// ```
pub fn named(name: &str) -> Option<&'static CodeLanguage> {
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    LANGUAGES.iter().find(|language| is(&language.name) || language.aliases.iter().any(&is))
}

/// The language of a file: by how its name ends, by its name, else by the interpreter that the first line of `head`
/// names, where its text begins.
///
/// ```
/// use chunkwright_text::syntax::code::languages::of_file;
///
/// let language = |name, head| of_file(name, head).map(|language| language.name);
/// assert_eq!(language("src/main.rs", ""), Some("rust"));
/// assert_eq!(language("Dockerfile.dev", ""), Some("dockerfile"));
/// assert_eq!(language("bin/deploy", "#!/usr/bin/env -S python3.12 -u\n"), Some("python"));
/// assert_eq!(language("notes.txt", "A text.\n"), None);
/// ```
pub fn of_file(name: &str, head: &str) -> Option<&'static CodeLanguage> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    // A name that is a suffix alone has none: `.py`.
    let suffix = name.rfind('.').filter(|&dot| !name[..dot].trim_matches('.').is_empty());
    let by_suffix = suffix.and_then(|dot| with_suffix(&name[dot..]));
    by_suffix.or_else(|| with_file_name(&name)).or_else(|| of_shebang(head))
}

fn with_suffix(suffix: &str) -> Option<&'static CodeLanguage> {
    LANGUAGES.iter().find(|language| language.suffixes.contains(&suffix))
}

fn with_file_name(name: &str) -> Option<&'static CodeLanguage> {
    let is = |known: &&str| {
        name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    LANGUAGES.iter().find(|language| language.file_names.iter().any(&is))
}

/// The language of the interpreter that the first line of a text names.
pub fn of_shebang(head: &str) -> Option<&'static CodeLanguage> {
    let line = head.strip_prefix('\u{feff}').unwrap_or(head).strip_prefix("#!")?;
    let line = line.split(['\n', '\r']).next().unwrap_or(line);
    let mut words = line.split_ascii_whitespace();
    let program = base_name(words.next()?);
    // `env` has options and variables in front of the program.
    let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
    let program = if program == "env" { words.find(is_program).map(base_name)? } else { program };
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LANGUAGES.iter().find(|language| {
        language.interpreters.contains(&program) || language.interpreters.contains(&bare)
    })
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn language(name: &str, head: &str) -> Option<&'static str> {
        of_file(name, head).map(|language| language.name)
    }

    #[test]
    fn names_suffixes_file_names_and_interpreters_are_those_of_one_language() {
        let mut seen = HashSet::new();
        for language in LANGUAGES {
            let names = language.aliases.iter().map(|it| ("name", *it));
            let all = names
                .chain([("name", language.name)])
                .chain(language.suffixes.iter().map(|it| ("suffix", *it)))
                .chain(language.file_names.iter().map(|it| ("file", *it)))
                .chain(language.interpreters.iter().map(|it| ("interpreter", *it)));
            for (kind, it) in all {
                assert_eq!(it, it.to_lowercase(), "{kind}");
                assert_eq!(kind == "suffix", it.starts_with('.') && kind != "file", "{it}");
                assert!(seen.insert((kind, it)), "{kind} {it}");
            }
        }
    }

    #[test]
    fn files_are_told_by_suffix_then_name_then_first_line() {
        for (name, head, expected) in [
            ("a.PY", "", Some("python")),
            ("a/b.py/c", "", None),
            ("C:\\src\\view.tsx", "", Some("tsx")),
            (".py", "", None),
            ("py", "", None),
            ("a.c", "", Some("c")),
            ("a.h", "", Some("cpp")),
            ("Makefile", "", Some("make")),
            ("containerfile", "", Some("dockerfile")),
            ("web.Dockerfile", "", Some("dockerfile")),
            ("Dockerfiles", "", None),
            (".bashrc", "", Some("bash")),
            ("index.html", "#!/bin/sh", Some("html")),
            ("run", "#! /bin/sh -e\nexit", Some("bash")),
            ("run", "\u{feff}#!/usr/bin/env node\r\n", Some("js")),
            ("run", "#!/usr/bin/env -S A=1 ruby -w", Some("ruby")),
            ("run", "#!/usr/local/bin/perl5.36.0", Some("perl")),
            ("run", "#!/usr/bin/env", None),
            ("run", "#!", None),
            ("run", " #!/bin/sh", None),
            ("", "", None),
            ("...", "", None),
        ] {
            assert_eq!(language(name, head), expected, "{name:?} {head:?}");
        }
    }

    #[test]
    fn languages_are_named_in_any_case() {
        for (name, expected) in
            [("Python", "python"), ("C#", "csharp"), ("c", "c"), ("HCL", "hcl"), ("Golang", "go")]
        {
            assert_eq!(named(name).map(|language| language.name), Some(expected));
        }
        assert!(named("").is_none());
    }
}
