//! Marks of a table that are no words: tags, bars and frames, which a part is neither cut in nor made of alone.

use crate::span::Span;

/// Where a part of `rest`, a cell over the limit, ends that may end at `end`: not inside a tag, nor so that marks alone
/// are left for the next part.
pub fn whole_end(text: &str, rest: Span, end: usize) -> usize {
    let own = &text[rest.start..end];
    let tag =
        own.rfind('<').filter(|&tag| tag > 0 && is_tag(&own[tag..]) && !own[tag..].contains('>'));
    let mut end = tag.map_or(end, |tag| rest.start + tag);
    let left = text[end..rest.end].trim();
    if !left.is_empty() && !has_words(left) {
        let own = text[rest.start..end].trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = own.rfind(char::is_whitespace).filter(|&word| has_words(&own[..word]));
        end = word.map_or(end, |word| rest.start + word);
    }
    end
}

/// Whether `text` begins as a tag does.
fn is_tag(text: &str) -> bool {
    let name = text.strip_prefix('<').map(|tag| tag.strip_prefix('/').unwrap_or(tag));
    name.is_some_and(|name| name.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether a text has words beside tags.
pub fn has_words(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        if rest[..at].contains(char::is_alphanumeric) {
            return true;
        }
        let end = if is_tag(&rest[at..]) { rest[at..].find('>') } else { Some(0) };
        rest = end.map_or("", |end| &rest[at + end + 1..]);
    }
    rest.contains(char::is_alphanumeric)
}

/// Where the line break before the border begins that closes a simple table of reStructuredText, if `table` is one.
pub fn simple_border(table: &str) -> Option<usize> {
    let is_border =
        |line: &str| line.starts_with('=') && line.bytes().all(|byte| matches!(byte, b'=' | b' '));
    let (above, border) = (table.find('\n')?, table.rfind('\n')?);
    let ends = [&table[..above], &table[border + 1..]].map(str::trim_ascii);
    let start = if table[..border].ends_with('\r') { border - 1 } else { border };
    (above < border && ends.into_iter().all(is_border)).then_some(start)
}
