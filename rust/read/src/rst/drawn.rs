//! Tables as they are drawn: their cells, each with its lines in the source.

use chunkwright_text::syntax::grid_table::GridCell;

/// A table as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// How many rows it has.
    pub n_rows: usize,
    /// How many of them lead it as its header.
    pub n_header_rows: usize,
    /// Its cells, row by row.
    pub cells: Vec<GridCell>,
}
