//! Names of tags: those of HTML, and others that can be nothing else.

use std::collections::HashSet;

use memchr::memmem;

/// Elements that begin a line of their own.
pub const BLOCK: [&[u8]; 46] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"br",
    b"caption",
    b"center",
    b"col",
    b"colgroup",
    b"dd",
    b"details",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hr",
    b"html",
    b"li",
    b"main",
    b"nav",
    b"ol",
    b"p",
    b"pre",
    b"section",
    b"summary",
    b"table",
    b"tbody",
    b"td",
    b"tfoot",
    b"th",
    b"thead",
    b"tr",
    b"ul",
];

/// Elements within lines.
pub const INLINE: [&[u8]; 37] = [
    b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"button", b"cite", b"code", b"data",
    b"del", b"dfn", b"em", b"font", b"i", b"img", b"input", b"ins", b"kbd", b"label", b"mark",
    b"q", b"s", b"samp", b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"time", b"tt",
    b"u", b"var", b"wbr", b"picture",
];

/// Names of tags that HTML does not have, as those of custom elements, in one text.
#[derive(Default)]
pub struct OtherNames {
    /// Names that tags end, of the whole text, in lower case.
    ended: Option<HashSet<Vec<u8>>>,
    /// Names of tags that were taken out.
    begun: HashSet<Vec<u8>>,
}

impl OtherNames {
    /// Whether a tag is markup of `source`, and no words in angle brackets: it ends or is ended, it has values in
    /// quotation marks, or it closes itself.
    pub fn is_tag(&mut self, source: &str, name: &[u8], is_end: bool, attributes: &[u8]) -> bool {
        if is_end {
            return self.begun.contains(name);
        }
        let has_values =
            [&b"=\""[..], b"='"].iter().any(|sign| memmem::find(attributes, sign).is_some());
        let is_bare = attributes.iter().all(u8::is_ascii_whitespace);
        let is_self_closed = attributes
            .strip_suffix(b"/")
            .is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace));
        let ended = self.ended.get_or_insert_with(|| names_ended(source.as_bytes()));
        let is_markup = has_values || is_self_closed || is_bare && ended.contains(name);
        if is_markup {
            self.begun.insert(name.to_vec());
        }
        is_markup
    }
}

fn names_ended(source: &[u8]) -> HashSet<Vec<u8>> {
    let behind = memmem::find_iter(source, b"</").map(|at| &source[at + 2..]);
    behind.map(|rest| rest[..name_len(rest)].to_ascii_lowercase()).collect()
}

/// Bytes of the name at the start of what stands in a tag.
pub fn name_len(text: &[u8]) -> usize {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-:._".contains(byte);
    text.iter().take_while(is_of_name).count()
}
