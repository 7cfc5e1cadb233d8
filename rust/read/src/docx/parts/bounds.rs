//! Bounds of the tags of a part, since the parser compares all attributes of one, and all prefixes that it may use.

use std::collections::HashSet;

use memchr::{memchr, memchr_iter, memchr3, memmem};

/// An element has no more attributes; Word's have some 40.
const MAX_ATTRIBUTES: usize = 256;
/// The shortest attribute: ` a=""`.
const MIN_BYTES: usize = 5;
/// Prefixes of namespaces are compared no more often in a part.
const MAX_COMPARED: usize = 500_000_000;
/// What declares a namespace.
const DECLARES: &[u8] = b"xmlns";

/// What is wrong with the tags of a part that has so many nodes, if these are too much for the parser. O(n).
pub fn check(text: &str, n_nodes: usize) -> Result<(), String> {
    let bytes = text.as_bytes();
    let is_long = |tag: &&[u8]| tag.len() > MAX_ATTRIBUTES * MIN_BYTES;
    if tags(bytes).filter(is_long).any(|tag| n_attributes(tag) > MAX_ATTRIBUTES) {
        return Err(format!("an element with more than {MAX_ATTRIBUTES} attributes"));
    }
    let (mut prefixes, mut n_declaring) = (HashSet::new(), 0_usize);
    if memmem::find_iter(bytes, DECLARES).nth(MAX_ATTRIBUTES).is_some() {
        let declares = memmem::Finder::new(DECLARES);
        for tag in tags(bytes) {
            let n_before = n_declaring;
            for at in declares.find_iter(tag) {
                let rest = &tag[at + DECLARES.len()..];
                prefixes.insert(&rest[..memchr(b'=', rest).unwrap_or(rest.len())]);
                n_declaring = n_before + 1;
            }
        }
    }
    // Each element that declares a prefix takes over the others, and each name is looked for among them.
    let per_prefix = n_declaring.saturating_mul(prefixes.len()).saturating_add(n_nodes);
    if prefixes.len().saturating_mul(per_prefix) > MAX_COMPARED {
        return Err(format!("{} namespace prefixes, which are too many", prefixes.len()));
    }
    Ok(())
}

/// The tags, each with the text behind it.
fn tags(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts = memchr_iter(b'<', bytes).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(&bytes[start..starts.peek().copied().unwrap_or(bytes.len())])
    })
}

/// The number of quoted values in a tag. O(n).
fn n_attributes(tag: &[u8]) -> usize {
    let (mut n, mut rest) = (0, tag);
    while let Some(at) = memchr3(b'"', b'\'', b'>', rest).filter(|&at| rest[at] != b'>') {
        let value = &rest[at + 1..];
        n += 1;
        rest = memchr(rest[at], value).map_or(&[], |end| &value[end + 1..]);
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_prefixes_are_bounded() {
        let each = |n, written: fn(i32) -> String| (0..n).map(written).collect::<Vec<_>>().concat();
        let attributes = |n| each(n, |i| format!(" a{i}='>'"));
        assert!(check(&format!("<a{}>{}</a>", attributes(256), attributes(999)), 9).is_ok());
        assert!(check(&format!("<a{}/>", attributes(257)), 9).is_err());
        let declared = |n| each(n, |i| format!(" xmlns:p{i}='u'"));
        let nested = |n| format!("<a{}>{}</a>", declared(250), "<b xmlns:p0='v'/>".repeat(n));
        assert!(check(&nested(1000), 2250).is_ok() && check(&nested(9000), 18_250).is_err());
        assert!(check(&"<w:p xmlns:w='w'/>".repeat(500_000), 1_000_000).is_ok());
    }
}
