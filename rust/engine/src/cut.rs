//! What a strategy makes of one text, on any thread.

use chunkwright_core::chunks::Chunks;
use chunkwright_core::document::Document;

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
}

impl Cut {
    /// Adds the code points by one sweep.
    pub fn new(document: Document<'_>, chunks: Chunks) -> Self {
        let (mut sweep, mut behind) = (document.char_sweep(), document.char_sweep());
        let mut at = |byte| signed(sweep.at(byte));
        let (starts, ends) = chunks.spans().map(|span| (at(span.start), at(span.end))).unzip();
        let boundaries = chunks.boundaries().ats().iter().map(|&byte| signed(behind.at(byte)));
        Self { starts, ends, boundaries: boundaries.collect(), chunks }
    }

    /// Adds the chunks of the next text.
    pub fn append(&mut self, next: &Self) {
        self.chunks.append(&next.chunks);
        self.starts.extend_from_slice(&next.starts);
        self.ends.extend_from_slice(&next.ends);
        self.boundaries.extend_from_slice(&next.boundaries);
    }
}

fn signed(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}
