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
}

impl Cut {
    /// Adds the code points by one sweep.
    pub fn new(document: Document<'_>, chunks: Chunks) -> Self {
        let mut sweep = document.char_sweep();
        let mut at = |byte| i64::try_from(sweep.at(byte)).unwrap_or(i64::MAX);
        let (starts, ends) = chunks.spans().map(|span| (at(span.start), at(span.end))).unzip();
        Self { chunks, starts, ends }
    }

    /// Adds the chunks of the next text.
    pub fn append(&mut self, next: &Self) {
        self.chunks.append(&next.chunks);
        self.starts.extend_from_slice(&next.starts);
        self.ends.extend_from_slice(&next.ends);
    }
}
