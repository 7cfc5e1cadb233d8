//! Units that are counted without Python, on any thread.

use chunkwright_core::document::Document;
use chunkwright_core::error::Result;
use chunkwright_core::measure::{Bpe, Bytes, Chars, Measure, Tokens};
use chunkwright_core::options::Pulse;

use crate::pool::Pool;

/// Code points, bytes, or the tokens of a vocabulary.
#[derive(Debug)]
pub enum Native {
    Chars,
    Bytes,
    Tokens(Pool),
}

impl Native {
    /// The unit of that name: `chars`, `bytes`, or a built-in vocabulary.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "chars" => Some(Self::Chars),
            "bytes" => Some(Self::Bytes),
            _ => Bpe::named(name).map(|bpe| Self::Tokens(Pool::new(bpe))),
        }
    }

    /// Runs `work` with this unit's measure of `document`.
    ///
    /// # Errors
    /// Those of `work`, and what `pulse` says.
    pub fn with_measure<T>(
        &self,
        document: Document<'_>,
        pulse: Pulse<'_>,
        work: impl FnOnce(&dyn Measure, Pulse<'_>) -> Result<T>,
    ) -> Result<T> {
        let text = document.text();
        match self {
            Self::Chars => work(&Chars::new(document), pulse),
            Self::Bytes => work(&Bytes::new(text), pulse),
            Self::Tokens(pool) => {
                let index = pool.with(|encoder| encoder.index(text, pulse))?;
                work(&Tokens::new(text, &index), pulse)
            }
        }
    }
}
