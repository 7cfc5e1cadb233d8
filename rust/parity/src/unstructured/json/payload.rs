//! Payloads of chunks: the elements that they are made of, as JSON, compressed, in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;
use flate2::{Compress, Compression, FlushCompress, Status};

/// Bytes of JSON that are compressed between two looks for signals.
pub const WINDOW: usize = 1 << 20;

/// Compresses one text after another.
pub struct Deflater {
    compress: Compress,
    compressed: Vec<u8>,
}

impl Default for Deflater {
    fn default() -> Self {
        Self { compress: Compress::new(Compression::fast(), true), compressed: Vec::new() }
    }
}

impl Deflater {
    /// Adds base64 of a zlib stream of `json` to `payload`.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn add(&mut self, payload: &mut String, json: &[u8], pulse: Pulse<'_>) -> Result<()> {
        self.compress.reset();
        self.compressed.clear();
        let mut rest = json;
        loop {
            let (part, behind) = rest.split_at(rest.len().min(WINDOW));
            let flush = if behind.is_empty() { FlushCompress::Finish } else { FlushCompress::None };
            self.compressed.reserve(part.len() / 2 + 64);
            let before = self.compress.total_in();
            let status = self.compress.compress_vec(part, &mut self.compressed, flush);
            if status.map_err(|error| Error::read(error.to_string()))? == Status::StreamEnd {
                STANDARD.encode_string(&self.compressed, payload);
                return Ok(());
            }
            let taken = usize::try_from(self.compress.total_in() - before).unwrap_or(part.len());
            rest = &rest[taken..];
            pulse()?;
        }
    }
}
