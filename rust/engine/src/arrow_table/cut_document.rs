//! Document of a table that was cut: its chunks, what is known of them, or why there are none.

use std::ops::Range;

use chunkwright_core::boundaries::Ending;
use chunkwright_core::error::Error;
use chunkwright_core::sections::Sections;
use chunkwright_core::source_map::SourcePlace;

use crate::cut::Cut;

/// A document that was cut.
pub struct CutDocument {
    /// Its row in the table.
    pub row: usize,
    /// The chunks.
    pub cut: Cut,
    /// Their ids, if these are wanted.
    pub ids: Vec<String>,
    /// How the chunks end, if that is known.
    pub endings: Vec<Ending>,
    /// The texts of the chunks, where they do not stand in the table.
    pub texts: Vec<String>,
    /// The headings of its elements, and their pages, if these are wanted.
    pub sections: Sections,
    /// The lines, from 1, on which each chunk begins and ends.
    pub lines: Vec<[usize; 2]>,
    /// Where each chunk stands in what was read, if that is known.
    pub sources: Vec<Option<SourcePlace>>,
    /// Why it could not be cut.
    pub error: Option<String>,
}

impl CutDocument {
    /// Rows that it has: one for each chunk, and one where it could not be cut.
    pub fn n_rows(&self) -> usize {
        if self.error.is_some() { 1 } else { self.cut.chunks.len() }
    }

    /// The numbers of the elements of a chunk; none of a plain text's.
    pub fn elements(&self, chunk: usize) -> Option<Range<usize>> {
        self.cut.chunks.origins().get(chunk).map(|origin| origin.first..origin.end)
    }

    /// The headings of the section that a chunk is from, the outermost first.
    pub fn headings(&self, chunk: usize) -> Vec<&str> {
        self.elements(chunk).map_or_else(Vec::new, |elements| self.sections.headings(elements))
    }

    /// The headings above a chunk's first element, the outermost first.
    pub fn headings_above(&self, chunk: usize) -> Vec<&str> {
        let elements = self.elements(chunk).filter(|elements| !elements.is_empty());
        elements.map_or_else(Vec::new, |elements| self.sections.headings_above(elements.start))
    }

    /// A document that could not be cut, and why.
    pub fn failed(row: usize, error: &Error) -> Self {
        Self {
            row,
            cut: Cut::default(),
            ids: Vec::new(),
            endings: Vec::new(),
            texts: Vec::new(),
            sections: Sections::default(),
            lines: Vec::new(),
            sources: Vec::new(),
            error: Some(error.to_string()),
        }
    }
}
