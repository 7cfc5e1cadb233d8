//! Cuts at marks of the caller's: each part of a text between two of them is cut as a text of its own.
//!
//! A mark is always a cut, whatever room there is: no chunk goes on over one, no overlap reaches back over one, and
//! no small chunk is joined over one. A part over the limit is cut by a strategy as usual. Strategies by meaning
//! compare the pieces of all parts, since what is usual in a text is told better by all of it, and cut at marks as
//! well.
//!
//! A part keeps the elements of its document that stand in it, such as tables, whose headers its chunks repeat. A table
//! with a mark inside is none any more.

use crate::chunks::Chunks;
use crate::document::Document;
use crate::elements::{Element, Parent};
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::Measure;
use crate::measure::part::PartMeasure;
use crate::segment::separator::Separator;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// A strategy, of the type `C`, that also cuts at marks.
#[derive(Clone, Debug)]
pub struct AtMarks<C> {
    /// The marks.
    pub marks: Vec<Separator>,
    /// What cuts the parts between them.
    pub inner: C,
}

impl<C> AtMarks<C> {
    /// The parts of `text` between marks that say anything, in order. O(n) for each mark.
    ///
    /// Of marks that overlap the first one counts, and of those that begin at one place the first of the list.
    ///
    /// ```
    /// use chunkwright_text::cut::at_marks::AtMarks;
    /// use chunkwright_text::segment::separator::{Keep, Separator};
    ///
    /// let marks = vec![Separator::literal("%%%", Keep::Drop)?, Separator::pattern(r"^§\d+", Keep::Start)?];
    /// let text = "Rain%%%Sun\n§1 Wind%%% %%%";
    /// let parts = AtMarks { marks, inner: () }.parts(text);
    /// let texts: Vec<_> = parts.iter().map(|part| &text[part.range()]).collect();
    /// assert_eq!(texts, ["Rain", "Sun\n", "§1 Wind"]);
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    pub fn parts(&self, text: &str) -> Vec<Span> {
        let (mut parts, mut start) = (Vec::new(), 0);
        let mut add = |start: usize, end: usize| {
            if skip_space(&text[..end], start) < end {
                parts.push(Span::new(start, end));
            }
        };
        for boundary in Separator::all(&self.marks, text) {
            add(start, boundary.cut);
            start = boundary.next;
        }
        add(start, text.len());
        parts
    }

    /// The chunks of all parts, each cut by itself: `cut` makes those of a part.
    ///
    /// # Errors
    /// Those of `cut`.
    pub fn cut(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        cut: impl Fn(Document<'_>, &dyn Measure) -> Result<Chunks>,
    ) -> Result<Chunks> {
        let mut chunks = Chunks::default();
        for part in self.parts(document.text()) {
            let text = &document.text()[part.range()];
            let measure = PartMeasure::new(measure, part);
            let elements = elements_of(document, part);
            let mut part_document = Document::new(text).written_in(document.markup());
            if let Some(elements) = &elements {
                part_document = part_document.with_elements(elements);
            }
            let found = cut(part_document, &measure)?;
            chunks.append_at(&found, part.start);
        }
        Ok(chunks)
    }
}

/// The elements of a document that stand within `part`, as those of a text of its own; none if the document has none,
/// or a mark parts a table of Markdown, of which each side may be one: it is looked for in the text. O(those).
fn elements_of(document: Document<'_>, part: Span) -> Option<Vec<Element>> {
    let elements = document.elements()?;
    let first = elements.partition_point(|element| element.span.end <= part.start);
    let last = first + elements[first..].partition_point(|element| element.span.start < part.end);
    let is_within =
        |element: &&Element| part.start <= element.span.start && element.span.end <= part.end;
    let met = &elements[first..last];
    let is_parted = |element: &Element| element.grid.is_some() && !is_within(&element);
    if document.markup() == Markup::Markdown && met.iter().any(is_parted) {
        return None;
    }
    let own = |element: &Element| Element {
        parent: Parent::default(),
        span: element.span.moved_back(part.start),
        grid: element.grid.as_ref().map(|grid| Box::new(grid.moved_back(part.start))),
        ..*element
    };
    Some(met.iter().filter(is_within).map(own).collect())
}
