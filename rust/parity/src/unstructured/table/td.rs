//! HTML of cells: made from a text, or taken from the source with other spans.

use chunkwright_text::cut::table::html::push_span;
use chunkwright_text::unicode::space::is_space;

/// What stands around a row that is a table by itself.
pub const OPEN: &str = "<table><tr>";
/// Its end.
pub const CLOSE: &str = "</tr></table>";

/// Which characters of a text are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// Markup and quotes, as in a cell that is written once.
    Quotes,
    /// Markup only, as where HTML was parsed and written again.
    Markup,
}

impl Escape {
    const fn of(self, c: char) -> Option<&'static str> {
        match (self, c) {
            (_, '&') => Some("&amp;"),
            (_, '<') => Some("&lt;"),
            (_, '>') => Some("&gt;"),
            (Self::Quotes, '"') => Some("&quot;"),
            (Self::Quotes, '\'') => Some("&#x27;"),
            _ => None,
        }
    }

    /// Adds `text` to `html`. O(n).
    fn push(self, html: &mut String, text: &str) {
        let mut done = 0;
        for (at, c) in text.char_indices() {
            if let Some(escaped) = self.of(c) {
                html.push_str(&text[done..at]);
                html.push_str(escaped);
                done = at + c.len_utf8();
            }
        }
        html.push_str(&text[done..]);
    }
}

/// Code points of `c` in a cell that is written once.
pub const fn escaped_len(c: char) -> usize {
    match Escape::Quotes.of(c) {
        Some(escaped) => escaped.len(),
        None => 1,
    }
}

/// Code points of a row by itself with one cell, whose escaped text has `n_chars`.
pub fn wrapped_len(n_chars: usize, colspan: usize) -> usize {
    let tag = if n_chars == 0 { "<td/>".len() } else { "<td></td>".len() };
    let attribute = if colspan > 1 { " colspan=\"\"".len() + digits(colspan) } else { 0 };
    OPEN.len() + tag + attribute + n_chars + CLOSE.len()
}

/// Code points of an empty cell.
pub fn blank_len(colspan: usize) -> usize {
    wrapped_len(0, colspan) - OPEN.len() - CLOSE.len()
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// Adds a cell that says `text`, a slice of a normalised one.
pub fn push(html: &mut String, text: &str, colspan: usize, rowspan: usize, escape: Escape) {
    html.push_str("<td");
    for (name, span) in [("colspan", colspan), ("rowspan", rowspan)] {
        if span > 1 {
            push_span(html, name, span);
        }
    }
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        html.push_str("/>");
    } else {
        html.push('>');
        escape.push(html, text);
        html.push_str("</td>");
    }
}

/// Adds an empty cell.
pub fn push_blank(html: &mut String, colspan: usize, rowspan: usize) {
    push(html, "", colspan, rowspan, Escape::Quotes);
}

/// What stands where an element without content has two tags, and between two closing tags.
pub const EMPTY: &str = "></";

/// Adds an element, in which those without content have one tag. O(n).
pub fn push_with_single_tags(html: &mut String, element: &str) {
    let mut done = 0;
    for (at, _) in element.match_indices(EMPTY) {
        // Texts and attributes are escaped, but a name may be as odd as `y<`.
        let behind = element[..at].rfind('>').map_or(0, |end| end + 1);
        let tag = element[behind..at].find('<').map_or("", |start| &element[behind + start..at]);
        let is_open = !tag.starts_with("</") && !tag.starts_with("<!") && !tag.ends_with('/');
        if let Some(length) = element[at + 1..].find('>').filter(|_| is_open) {
            html.push_str(&element[done..at]);
            html.push_str("/>");
            done = at + 1 + length + 1;
        }
    }
    html.push_str(&element[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn td(text: &str, colspan: usize, rowspan: usize) -> String {
        let mut html = String::new();
        push(&mut html, text, colspan, rowspan, Escape::Quotes);
        html
    }

    #[test]
    fn spans_of_one_and_empty_texts_take_no_room() {
        assert_eq!(td("a", 1, 1), "<td>a</td>");
        assert_eq!(td(" ", 2, 1), "<td colspan=\"2\"/>");
        assert_eq!(td("<'\"> ", 1, 3), "<td rowspan=\"3\">&lt;&#x27;&quot;&gt;</td>");
    }

    #[test]
    fn lengths_are_those_of_what_is_written() {
        for (text, colspan) in [("", 1), ("a&'b", 1), ("\"", 10), ("", 1000)] {
            let escaped = text.chars().map(escaped_len).sum();
            let html = format!("{OPEN}{}{CLOSE}", td(text, colspan, 1));
            assert_eq!(wrapped_len(escaped, colspan), html.len());
        }
        assert_eq!(blank_len(12), td("", 12, 1).len());
    }

    #[test]
    fn elements_without_content_have_one_tag() {
        let mut html = String::new();
        push_with_single_tags(&mut html, "<td><b a=\"1\"></b><i><p></p></i><br/><y<></y<></td>");
        assert_eq!(html, "<td><b a=\"1\"/><i><p/></i><br/><y</></td>");
        html.clear();
        push_with_single_tags(&mut html, "<td><y<>a</y<></td>");
        assert_eq!(html, "<td><y<>a</y<></td>");
    }
}
