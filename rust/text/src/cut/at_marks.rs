//! Cuts at marks of the caller's: each part of a text between two of them is cut as a text of its own.
//!
//! A mark is always a cut, whatever room there is: no chunk goes on over one, no overlap reaches back over one, and
//! no small chunk is joined over one. A part over the limit is cut by a strategy as usual. Strategies by meaning
//! compare the pieces of all parts, since what is usual in a text is told better by all of it, and cut at marks as
//! well.

use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
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
            let part_document = Document::new(text).written_in(document.markup());
            let found = cut(part_document, &measure)?;
            chunks.append_at(&found, part.start);
        }
        Ok(chunks)
    }
}
