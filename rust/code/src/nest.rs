//! Nesting of definitions: from what a walk found to what an outline promises.

use chunkwright_text::span::Span;
use chunkwright_text::syntax::code::outline::{Definition, Outline};

/// An outline of definitions and wholes in whatever order. A definition that begins in one and ends behind it is left
/// out.
pub fn nested(mut found: Vec<Definition>, mut wholes: Vec<Span>, text: &str) -> Outline {
    found.sort_by_key(|of| (of.span.start, usize::MAX - of.span.end));
    let mut definitions: Vec<Definition> = Vec::with_capacity(found.len());
    for mut of in found {
        let mut around = definitions.len().checked_sub(1);
        while let Some(number) = around.filter(|&n| definitions[n].span.end <= of.span.start) {
            around = definitions[number].parent;
        }
        of.parent = around;
        let limit = around.map_or(text.len(), |number| definitions[number].span.end);
        if of.span.end > limit {
            continue;
        }
        if of.span.end < limit && text[of.span.end..].starts_with(';') {
            of.span.end += 1;
        }
        definitions.push(of);
    }
    wholes.sort_unstable();
    wholes.dedup_by(|next, last| next.start < last.end);
    Outline { definitions, wholes }
}
