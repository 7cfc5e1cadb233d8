//! Destination of a link in Markdown.

use std::fmt::Write;

use crate::docling::render::python::is_word;

/// Schemes that lead to no code.
const SAFE: [&str; 8] = ["http", "https", "ftp", "ftps", "sftp", "mailto", "tel", "file"];

/// Whether the target has no scheme, that of a drive, or one that leads to no code.
///
/// It is read as browsers do: tabs and line ends anywhere, and blanks and control characters before it, do not
/// count.
pub fn is_safe(target: &str) -> bool {
    let is_ignored = |c: char| matches!(c, '\t' | '\r' | '\n');
    let seen: String = target.chars().filter(|c| !is_ignored(*c)).collect();
    let seen = seen.trim_start_matches(|c: char| c <= ' ');
    let Some((scheme, _)) = seen.split_once(':') else { return true };
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-');
    let is_scheme = scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.bytes().all(is_inner);
    let is_known = || SAFE.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    !is_scheme || scheme.len() == 1 || is_known()
}

/// The target with what would end the link escaped.
pub fn destination(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    for (at, c) in target.char_indices() {
        let is_unsafe = matches!(c, '\0'..=' ' | '\x7f' | '(' | ')' | '<' | '>' | '"' | '\\');
        if c == '&' && begins_entity(&target[at + 1..]) {
            out.push_str("&amp;");
        } else if is_unsafe {
            // A string takes whatever is written.
            let _ = write!(out, "%{:02X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character reference goes on so behind its `&`.
fn begins_entity(rest: &str) -> bool {
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let behind = name.trim_start_matches(is_word);
    behind.len() < name.len() && behind.starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_that_run_code_are_unsafe() {
        for safe in ["a/b", "HTTPS://a.b", "c:/a", "#a:b", "mailto:a", "a b:c", ""] {
            assert!(is_safe(safe), "{safe}");
        }
        for unsafe_ in ["javascript:a", " java\nscript:a", "data:a", "\u{1}vbscript:"] {
            assert!(!is_safe(unsafe_), "{unsafe_}");
        }
    }

    #[test]
    fn destinations_do_not_end_the_link() {
        assert_eq!(destination("a (b)\\&lt;&x &#38;"), "a%20%28b%29%5C&amp;lt;&x%20&amp;#38;");
    }
}
