//! Rows with the spans of their cells changed: headers repeated in front of parts, and their originals.

use std::borrow::Cow;

use super::lexer::{Attribute, Dialect};
use super::rows::SPANS;
use super::spans;
use super::strict::{Events, Shape, walk};
use super::write::Verbatim;

/// The row with that source as a header of which `max_rowspan` rows, this one included, are left: `td` as
/// `th`, no cell reaching further, all else as it was. None if text stands behind the row.
///
/// O(n).
///
/// ```
/// use chunkwright_text::syntax::html::header_row;
///
/// let row = r#"<tr><td class="c" rowspan="3">stone</td></tr>"#;
/// let header = header_row(row, 1).unwrap();
/// assert!(header.contains("<th") && header.contains(r#"class="c""#) && !header.contains("rowspan"));
/// ```
pub fn header_row(source: &str, max_rowspan: usize) -> Option<String> {
    let clip = |attributes: &mut Vec<_>| clip(attributes, max_rowspan);
    rewritten(source, Rewriter { is_header: true, ..Rewriter::new(clip) })
}

/// The row with that source, its cells (`td` and `th`) with those values of `colspan` and `rowspan`, as far
/// as there are any. O(n).
pub fn respanned<'a>(
    source: &str,
    mut spans: impl Iterator<Item = &'a [Option<String>; 2]>,
) -> String {
    let give =
        |attributes: &mut Vec<_>| spans.next().into_iter().for_each(|spans| set(attributes, spans));
    rewritten(source, Rewriter::new(give)).unwrap_or_else(|| source.to_owned())
}

fn rewritten<F: FnMut(&mut Vec<Attribute<'static>>)>(
    source: &str,
    mut rewriter: Rewriter<F>,
) -> Option<String> {
    match walk(source, Dialect::Written, &mut rewriter) {
        Ok(Shape::One) => Some(rewriter.out),
        _ => None,
    }
}

/// Writes a row, what is done to the attributes of its cells included.
struct Rewriter<F> {
    change: F,
    /// Whether `td` becomes `th`, and cells are all children of the row.
    is_header: bool,
    depth: usize,
    writer: Verbatim,
    out: String,
}

impl<F> Rewriter<F> {
    fn new(change: F) -> Self {
        Self { change, is_header: false, depth: 0, writer: Verbatim::default(), out: String::new() }
    }

    /// What the element `name` at this depth is called now.
    fn name<'a>(&self, name: &'a str) -> &'a str {
        if self.is_header && self.depth == 1 && name == "td" { "th" } else { name }
    }
}

impl<F: FnMut(&mut Vec<Attribute<'static>>)> Events for Rewriter<F> {
    fn open(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        let now = self.name(name);
        if self.depth == 1 && (self.is_header || matches!(name, "td" | "th")) {
            let mut attributes = attributes.iter().map(owned).collect();
            (self.change)(&mut attributes);
            self.writer.open(&mut self.out, now, &attributes);
        } else {
            self.writer.open(&mut self.out, now, attributes);
        }
        self.depth += 1;
    }

    fn close(&mut self, name: &str) {
        self.depth -= 1;
        let now = self.name(name);
        self.writer.close(&mut self.out, now);
    }

    fn text(&mut self, text: &str) {
        self.writer.text(&mut self.out, text);
    }

    fn comment(&mut self, text: &str) {
        self.writer.comment(&mut self.out, text);
    }
}

fn owned(attribute: &Attribute<'_>) -> Attribute<'static> {
    let Attribute { name, value } = attribute.clone();
    Attribute { name: Cow::Owned(name.into_owned()), value: Cow::Owned(value.into_owned()) }
}

/// Lets a cell span `max` rows at most.
fn clip(attributes: &mut Vec<Attribute<'static>>, max: usize) {
    let is_rowspan = |attribute: &Attribute<'_>| attribute.name == "rowspan";
    let Some(at) = attributes.iter().position(is_rowspan) else { return };
    if spans::rowspan(Some(&attributes[at].value)).is_some_and(|rows| rows <= max) {
        return;
    }
    if max <= 1 {
        attributes.remove(at);
    } else {
        attributes[at].value = Cow::Owned(max.to_string());
    }
}

/// Gives a cell these values of `colspan` and `rowspan`, or none.
fn set(attributes: &mut Vec<Attribute<'static>>, values: &[Option<String>; 2]) {
    for (name, value) in SPANS.into_iter().zip(values) {
        let at = attributes.iter().position(|attribute| attribute.name == name);
        match (at, value) {
            (Some(at), None) => drop(attributes.remove(at)),
            (Some(at), Some(value)) => attributes[at].value = Cow::Owned(value.clone()),
            (None, Some(value)) => attributes
                .push(Attribute { name: Cow::Borrowed(name), value: Cow::Owned(value.clone()) }),
            (None, None) => {}
        }
    }
}
