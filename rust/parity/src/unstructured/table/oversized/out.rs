//! Output cells of a fragment, before it is known how many rows follow.

use chunkwright_text::span::Span;

/// A cell of a fragment.
#[derive(Clone, Copy, Debug)]
pub enum Out {
    /// One of the table, with the rows it reaches.
    Own(usize, usize),
    /// A text from above, with its columns and rows.
    Label(Span, usize, usize),
    /// Nothing, with its columns and rows.
    Blank(usize, usize),
    /// Nothing, as the cover has it.
    Run(usize),
}
