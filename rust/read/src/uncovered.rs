//! Words of a table's text that none of its cells has.
//!
//! Partitioners give a table's text and its HTML, which come from different programs and need not agree. The
//! cells are taken for the text, since only they have places; words that no cell has stand behind, so that
//! nothing is lost.

use std::borrow::Cow;
use std::collections::HashSet;

use chunkwright_text::grid::Grid;
use chunkwright_text::offsets::count_chars;
use chunkwright_text::unicode::space::is_space;

/// Whether the cells hold less than half as many characters as `text`: they were not read, or are of
/// another table. O(n).
pub fn is_little(text: &str, grid: &Grid) -> bool {
    text != grid.texts && 2 * letters(&grid.texts) < letters(text)
}

/// The words of `text` that no cell says, a blank between two. O(n).
pub fn words(text: &str, grid: &Grid) -> String {
    if says_the_same(text, &grid.texts) {
        return String::new();
    }
    let mut said: HashSet<Cow<'_, str>> = each_word(&grid.texts).map(Cow::Borrowed).collect();
    said.extend(grid.cells.iter().flat_map(|cell| marked_up(&grid.html[cell.html.range()])));
    let missing: Vec<&str> = each_word(text).filter(|&word| !said.contains(word)).collect();
    missing.join(" ")
}

fn each_word(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Number of characters that are no whitespace.
fn letters(text: &str) -> usize {
    each_word(text).map(|word| count_chars(word.as_bytes())).sum()
}

/// Whether two texts differ in whitespace only.
fn says_the_same(text: &str, other: &str) -> bool {
    text == other || each_word(text).flat_map(str::bytes).eq(each_word(other).flat_map(str::bytes))
}

/// The words between tags: markup within a word ends it where texts are read off a page. What a comment holds, and
/// what a value of an attribute, is said nowhere.
fn marked_up(html: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = without_tail(html);
    let texts = std::iter::from_fn(move || {
        let tag = rest.find('<')?;
        let end = markup_end(&rest[tag..])?;
        rest = &rest[tag + end..];
        Some(&rest[..rest.find('<').unwrap_or(rest.len())])
    });
    texts.flat_map(each_word).map(unescaped)
}

/// The end of the tag or the comment that `html` begins with; none if it does not end.
fn markup_end(html: &str) -> Option<usize> {
    if let Some(comment) = html.strip_prefix("<!--") {
        let skipped = "<!--".len();
        if comment.starts_with('>') || comment.starts_with("->") {
            return Some(skipped + comment.find('>')? + 1);
        }
        let ends = ["-->", "--!>"].map(|end| comment.find(end).map(|at| skipped + at + end.len()));
        return ends.into_iter().flatten().min();
    }
    let mut quote = None;
    for (at, c) in html.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') if html[..at].trim_end().ends_with('=') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// An element without the text behind it.
fn without_tail(element: &str) -> &str {
    &element[..element.rfind('>').map_or(element.len(), |at| at + 1)]
}

fn unescaped(word: &str) -> Cow<'_, str> {
    if word.contains('&') {
        let plain = word.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        Cow::Owned(plain)
    } else {
        Cow::Borrowed(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::grid::Cell;
    use chunkwright_text::span::Span;

    fn cells(texts: &str, html: &str) -> Grid {
        let html = format!("<tr>{html}</tr>");
        let span = Span::new("<tr>".len(), html.len() - "</tr>".len());
        let text = Span::new(0, texts.len());
        let cell = Cell { text, html: span, colspan: 1, rowspan: Some(1) };
        Grid { texts: texts.into(), html, cells: vec![cell], ..Grid::default() }
    }

    #[test]
    fn neither_order_nor_whitespace_nor_markup_is_missed() {
        let html = "<td>a<b>b</b></td><td>c &amp;&lt;</td>";
        let grid = cells("ab c &<", html);
        for text in ["ab c &<", "a b\u{1c} c&<", "c b a &<", ""] {
            assert_eq!(words(text, &grid), "");
        }
        assert_eq!(words("Table 1 c d ab", &grid), "Table 1 d");
    }

    #[test]
    fn comments_and_attributes_say_nothing() {
        for html in [
            "<td>one<!--x> two</td>",
            "<td>one<!-- x > two --></td>",
            "<td title=\"a> two\">one</td>",
            "<td>one<!--> two<!--x--></td>",
        ] {
            let said = if html.contains("<!-->") { "" } else { "two" };
            assert_eq!(words("one two", &cells("one", html)), said, "{html}");
        }
    }

    #[test]
    fn few_characters_are_little() {
        assert!(is_little("abc", &cells("a", "")));
        assert!(!is_little("a b", &cells("c", "")));
        assert!(is_little("a", &cells("", "")));
        assert!(!is_little("", &cells("", "")));
    }
}
