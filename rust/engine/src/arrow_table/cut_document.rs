//! Document of a table that was cut: its chunks, what is known of them, or why there are none.

use chunkwright_core::boundaries::Ending;
use chunkwright_core::error::Error;

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
    /// The lines, from 1, on which each chunk begins and ends.
    pub lines: Vec<[usize; 2]>,
    /// Why it could not be cut.
    pub error: Option<String>,
}

impl CutDocument {
    /// Rows that it has: one for each chunk, and one where it could not be cut.
    pub fn n_rows(&self) -> usize {
        if self.error.is_some() { 1 } else { self.cut.chunks.len() }
    }

    pub fn failed(row: usize, error: &Error) -> Self {
        Self {
            row,
            cut: Cut::default(),
            ids: Vec::new(),
            endings: Vec::new(),
            texts: Vec::new(),
            lines: Vec::new(),
            error: Some(error.to_string()),
        }
    }
}
