//! Cut of one text by a strategy, on any thread.

use chunkwright_text::chunks::Chunks;
use chunkwright_text::document::Document;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::{Piece, Span};

/// The chunks of one text, and where they lie in it in code points.
#[derive(Debug, Default)]
pub struct Cut {
    /// The chunks, in bytes.
    pub chunks: Chunks,
    /// Starts in code points.
    pub starts: Vec<i64>,
    /// Ends in code points.
    pub ends: Vec<i64>,
    /// Boundaries between pieces in code points.
    pub boundaries: Vec<i64>,
    /// For each chunk whose pieces are not all adjacent, by ascending numbers: where each begins and ends,
    /// in code points.
    pub apart: Vec<(usize, Vec<[i64; 2]>)>,
}

impl Cut {
    /// Adds the code points by one sweep.
    pub fn new(document: Document<'_>, chunks: Chunks) -> Self {
        let mut sweep = document.char_sweep();
        let mut at = |byte| signed(sweep.at(byte));
        let places = chunks.spans().map(|span| (at(span.start), at(span.end))).unzip();
        Self::placed(document, chunks, places)
    }

    /// The same of chunks that hold much of what others hold: by a sweep over the starts, and one over the ends.
    pub fn of_overlapping(document: Document<'_>, chunks: Chunks) -> Self {
        let (mut starts, mut ends) = (document.char_sweep(), document.char_sweep());
        let places = |span: Span| (signed(starts.at(span.start)), signed(ends.at(span.end)));
        let places = chunks.spans().map(places).unzip();
        Self::placed(document, chunks, places)
    }

    fn placed(
        document: Document<'_>,
        chunks: Chunks,
        (starts, ends): (Vec<i64>, Vec<i64>),
    ) -> Self {
        let mut behind = document.char_sweep();
        let boundaries = chunks.boundaries().ats().iter().map(|&byte| signed(behind.at(byte)));
        let (boundaries, apart) = (boundaries.collect(), apart(document, &chunks));
        let chunks = match document.elements() {
            Some(elements) if chunks.origins().is_empty() => chunks.with_origins(elements),
            _ => chunks,
        };
        Self { chunks, starts, ends, boundaries, apart }
    }

    /// Adds the chunks of the next text.
    pub fn append(&mut self, next: &Self) {
        let n_chunks = self.chunks.len();
        self.chunks.append(&next.chunks);
        self.apart.extend(next.apart.iter().map(|(i, pieces)| (n_chunks + i, pieces.clone())));
        self.starts.extend_from_slice(&next.starts);
        self.ends.extend_from_slice(&next.ends);
        self.boundaries.extend_from_slice(&next.boundaries);
    }
}

fn apart(document: Document<'_>, chunks: &Chunks) -> Vec<(usize, Vec<[i64; 2]>)> {
    let mut rows = (0..chunks.len()).filter(|&i| !chunks.is_slice(i)).peekable();
    if rows.peek().is_none() {
        return Vec::new();
    }
    let text = document.text();
    let index = CharIndex::new(text, document.pairs());
    let at = |byte| signed(index.byte_to_char(text, byte));
    let place = |piece: &Piece| [at(piece.span.start), at(piece.span.end)];
    rows.map(|i| (i, chunks.pieces(i).iter().map(place).collect())).collect()
}

fn signed(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}
