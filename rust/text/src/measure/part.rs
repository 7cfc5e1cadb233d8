//! Measure of a part of a text, whose places count from where the part begins.

use super::Measure;
use super::ruler::Ruler;
use crate::error::Result;
use crate::span::Span;

/// What measures a part by what measures the whole.
pub struct PartMeasure<'m> {
    whole: &'m dyn Measure,
    part: Span,
}

impl<'m> PartMeasure<'m> {
    /// The measure of `part` of the text that `whole` measures.
    pub const fn new(whole: &'m dyn Measure, part: Span) -> Self {
        Self { whole, part }
    }
}

impl Measure for PartMeasure<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        let start = self.part.start;
        self.whole.size(Span::new(start + span.start, start + span.end))
    }

    fn ruler(&self) -> Option<&dyn Ruler> {
        self.whole.ruler()
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        let at = self.part.start + start;
        // A longer text may have fewer units: what reaches beyond the end may be within, and less not.
        for less in std::iter::once(0).chain((0..usize::BITS).map(|doubled| 1_usize << doubled)) {
            let Some(max) = max.checked_sub(less) else { break };
            let end = self.whole.longest(at, max)?;
            if end <= self.part.end {
                return Ok(end - self.part.start);
            }
            if self.whole.size(Span::new(at, self.part.end))? <= max {
                return Ok(self.part.end - self.part.start);
            }
        }
        Ok(start)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        let start = self.whole.longest_back(self.part.start + end, max)?;
        Ok(start.max(self.part.start) - self.part.start)
    }

    fn is_quick(&self) -> bool {
        self.whole.is_quick()
    }
}
