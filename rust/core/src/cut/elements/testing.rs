//! Measure of a text with its ruler, for tests.

use crate::error::Result;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::span::Span;

/// A measure and its unit, of which the type is not known.
pub struct WithRuler<'r> {
    pub measure: &'r dyn Measure,
    pub ruler: &'r dyn Ruler,
}

impl Measure for WithRuler<'_> {
    fn size(&self, span: Span) -> Result<usize> {
        self.measure.size(span)
    }

    fn ruler(&self) -> Option<&dyn Ruler> {
        Some(self.ruler)
    }

    fn longest(&self, start: usize, max: usize) -> Result<usize> {
        self.measure.longest(start, max)
    }

    fn longest_back(&self, end: usize, max: usize) -> Result<usize> {
        self.measure.longest_back(end, max)
    }
}
