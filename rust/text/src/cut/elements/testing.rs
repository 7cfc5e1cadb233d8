//! Measure of a text with its ruler, and elements over one text, for tests.

use crate::elements::{Element, Kind};
use crate::error::Result;
use crate::grid::Grid;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::span::Span;
use crate::unicode::space::is_space;

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

/// Elements over one text, as readers of element lists make it: single blanks between words but in code, a blank
/// line between two elements.
#[derive(Default)]
pub struct Joined {
    pub text: String,
    pub elements: Vec<Element>,
}

impl Joined {
    /// Adds an element, which is empty if `text` has no words.
    pub fn push(&mut self, kind: Kind, text: &str, page: Option<i64>) {
        let words = text.split(is_space).filter(|word| !word.is_empty());
        let own = match kind {
            Kind::Code => text.to_owned(),
            _ => words.collect::<Vec<_>>().join(" "),
        };
        if !self.text.is_empty() && !own.is_empty() {
            self.text.push_str("\n\n");
        }
        let start = self.text.len();
        self.text.push_str(&own);
        let span = Span::new(start, self.text.len());
        self.elements.push(Element { kind, span, page, ..Element::default() });
    }

    /// Adds a table whose text is that of its cells, and `more` behind them.
    pub fn push_table(&mut self, mut grid: Box<Grid>, more: &str) {
        self.push(Kind::Table, &format!("{} {more}", grid.texts), None);
        if let Some(element) = self.elements.last_mut() {
            grid.place_at(element.span.start);
            element.grid = Some(grid);
        }
    }
}
