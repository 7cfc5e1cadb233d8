//! Front matter: the block of YAML or TOML between two lines of marks that begins a text.
//!
//! Static site generators begin a page with its metadata. It says more than any paragraph of what the page is on,
//! so it is kept, as code whose language is known.

use crate::span::Span;

/// The front matter at `start`, both lines of marks included, and its language.
///
/// That of YAML begins with `---` and ends with `---` or `...`, that of TOML is between two `+++`. The parser's own
/// option would find such blocks anywhere, where they are a rule and a heading. O(its length), or O(n) where
/// it does not end.
pub fn find(text: &str, start: usize) -> Option<(Span, &'static str)> {
    let mut lines = text[start..].split_inclusive('\n');
    let first = lines.next()?;
    let (language, closing): (_, &[&str]) = match first.trim_end() {
        "---" => ("yaml", &["---", "..."]),
        "+++" => ("toml", &["+++"]),
        _ => return None,
    };
    let mut end = start + first.len();
    for (i, line) in lines.enumerate() {
        let said = line.trim_end();
        if closing.contains(&said) {
            return Some((Span::new(start, end + said.len()), language));
        }
        // A rule, with a paragraph of its own below.
        if i == 0 && said.is_empty() {
            return None;
        }
        end += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_begins_a_text_and_ends() {
        let found = |text| find(text, 0).map(|(span, language)| (&text[span.range()], language));
        assert_eq!(found("---\na: 1\n---\nb"), Some(("---\na: 1\n---", "yaml")));
        assert_eq!(
            found("--- \r\na: 1\r\n\r\n...\r\nb"),
            Some(("--- \r\na: 1\r\n\r\n...", "yaml"))
        );
        assert_eq!(found("+++\na = 1\n---\n+++"), Some(("+++\na = 1\n---\n+++", "toml")));
        assert_eq!(found("---\n---\n"), Some(("---\n---", "yaml")));
        for text in
            ["", "---", "---\na", "---\n\na\n---", "----\na\n----", "a\n---\nb\n---", "+++\na\n---"]
        {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
