//! Tables as they are drawn: their cells, each with its lines in the source.

use chunkwright_text::span::Span;
use chunkwright_text::syntax::grid_table::GridCell;

/// A table as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// For each row its lines in the source, with what is drawn below it; with the first one what is drawn above.
    pub rows: Vec<Span>,
    /// How many of them lead it as its header.
    pub n_header_rows: usize,
    /// Its cells, row by row.
    pub cells: Vec<GridCell>,
}
