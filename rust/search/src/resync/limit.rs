//! The limit of chunks.

use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;

use super::chunk::Chunk;
use super::version::Version;

/// How large chunks may be.
#[derive(Clone, Copy)]
pub struct Limit<'r> {
    /// The largest chunk.
    pub most: usize,
    /// What sizes are measured with.
    pub ruler: &'r dyn Ruler,
}

impl Limit<'_> {
    /// `chunk` with the size that it has in `text`.
    pub(super) fn measured(&self, chunk: Chunk, text: Version<'_>) -> Result<Chunk> {
        let size = self.size_of(&chunk, text)?;
        Ok(Chunk { size, ..chunk })
    }

    /// The size of `chunk` of `text`.
    pub(super) fn size_of(&self, chunk: &Chunk, text: Version<'_>) -> Result<usize> {
        match &*chunk.pieces {
            [piece] => self.ruler.size(text.part(piece.span)),
            pieces => {
                let parts = pieces.iter().map(|piece| text.part(piece.span));
                self.ruler.size(&parts.collect::<String>())
            }
        }
    }
}
