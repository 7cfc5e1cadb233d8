//! Choice of a strategy for each document, by what the document is.
//!
//! Elements come first, then the kind that the caller tells (a language of source code, YAML), then JSON by how
//! the text begins; all else is plain text. O(1), but for whitespace in front.

use crate::document::Document;

/// Cutters by kind of document.
///
/// ```
/// use chunkwright_text::cut::by_kind::ByKind;
/// use chunkwright_text::document::Document;
///
/// let cutters = ByKind { elements: "hybrid", json: "json", told: vec!["yaml"], text: "recursive" };
/// assert_eq!(*cutters.of(Document::new("Rain fell.")), "recursive");
/// assert_eq!(*cutters.of(Document::new(" {\"rain\": 3}")), "json");
/// assert_eq!(*cutters.of(Document::new("rain: 3").with_kind(Some(0))), "yaml");
/// assert_eq!(*cutters.of(Document::new("Rain").with_elements(&[])), "hybrid");
/// ```
#[derive(Clone, Debug)]
pub struct ByKind<C> {
    /// For documents with elements.
    pub elements: C,
    /// For texts that begin as JSON does.
    pub json: C,
    /// For the [kinds](Document::kind) that callers tell, by their numbers.
    pub told: Vec<C>,
    /// For all other texts, and for those that are not what they seem to be.
    pub text: C,
}

impl<C> ByKind<C> {
    /// The cutter of `document`.
    pub fn of(&self, document: Document<'_>) -> &C {
        if document.elements().is_some() {
            return &self.elements;
        }
        let told = document.kind().and_then(|kind| self.told.get(kind));
        let by_content = || if begins_as_json(document.text()) { &self.json } else { &self.text };
        told.unwrap_or_else(by_content)
    }
}

/// Whether a text begins with an object or an array.
fn begins_as_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: fn() -> ByKind<&'static str> =
        || ByKind { elements: "elements", json: "json", told: vec!["yaml", "code"], text: "text" };

    #[test]
    fn each_kind_has_its_own() {
        let of = |document| *KINDS().of(document);
        assert_eq!(of(Document::new("\u{feff}\n [1, 2]")), "json");
        assert_eq!(of(Document::new("{")), "json");
        assert_eq!(of(Document::new("{").with_kind(Some(0))), "yaml");
        assert_eq!(of(Document::new("A text.").with_kind(Some(1))), "code");
        assert_eq!(of(Document::new("A text.").with_kind(Some(2))), "text");
        assert_eq!(of(Document::new("A text.")), "text");
        assert_eq!(of(Document::new("")), "text");
        assert_eq!(of(Document::new("[]").with_elements(&[])), "elements");
    }
}
