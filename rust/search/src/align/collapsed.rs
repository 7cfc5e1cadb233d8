//! A text with each run of whitespace as one blank, and where its parts stand in the source.

use std::borrow::Cow;

use chunkwright_text::error::Result;
use chunkwright_text::identity::collapse;
use chunkwright_text::pulse::Beat;
use chunkwright_text::span::Span;

/// A text as it is compared.
pub struct Collapsed<'t> {
    text: Cow<'t, str>,
    /// Where parts begin: here, and in the source.
    parts: Vec<(usize, usize)>,
}

impl<'t> Collapsed<'t> {
    /// Collapses `source`. O(n); nothing is copied if there is nothing to collapse.
    pub fn new(source: &'t str, beat: &Beat<'_>) -> Result<Self> {
        beat.after(source.len())?;
        let (mut text, mut parts) = (Cow::Borrowed(""), Vec::new());
        collapse(source, |part| {
            if parts.is_empty() {
                parts.push((0, part.start));
                text = Cow::Borrowed(&source[part]);
            } else {
                let text = text.to_mut();
                text.push(' ');
                parts.push((text.len(), part.start));
                text.push_str(&source[part]);
            }
        });
        Ok(Self { text, parts })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place in the source of a span that neither begins nor ends with a blank. O(log n).
    pub fn source_span(&self, span: Span) -> Span {
        let source = |at: usize| {
            let part = self.parts.partition_point(|part| part.0 <= at).saturating_sub(1);
            let (start, source) = self.parts[part];
            source + (at - start)
        };
        Span::new(source(span.start), source(span.end - 1) + 1)
    }
}
