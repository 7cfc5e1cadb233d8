//! Units that are counted without Python, on any thread.

use chunkwright_core::document::Document;
use chunkwright_core::error::Result;
use chunkwright_core::measure::bpe::parts::{Part, parts};
use chunkwright_core::measure::{Bpe, Bytes, Chars, Measure, TokenIndex, Tokens};
use chunkwright_core::options::Pulse;
use chunkwright_core::span::Span;

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

    /// The parts of at least `n_bytes` that `text` can be indexed in; none if there is no index to make.
    pub fn parts(&self, text: &str, n_bytes: usize) -> Vec<Span> {
        match self {
            Self::Tokens(_) => parts(text, n_bytes),
            Self::Chars | Self::Bytes => Vec::new(),
        }
    }

    /// Indexes one of the [`Native::parts`] of `text`; nothing if there is no index to make.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn index_part(&self, text: &str, part: Span, pulse: Pulse<'_>) -> Result<Option<Part>> {
        match self {
            Self::Tokens(pool) => {
                pool.with(|encoder| encoder.index_part(text, part, pulse)).map(Some)
            }
            Self::Chars | Self::Bytes => Ok(None),
        }
    }

    /// [`Native::with_measure`], with the index that all `parts` of the document make.
    ///
    /// # Errors
    /// Those of `work`, and what `pulse` says.
    pub fn with_parts<T>(
        &self,
        document: Document<'_>,
        parts: &[Part],
        pulse: Pulse<'_>,
        work: impl FnOnce(&dyn Measure, Pulse<'_>) -> Result<T>,
    ) -> Result<T> {
        let text = document.text();
        match self {
            Self::Tokens(pool) => {
                let index = TokenIndex::join(pool.bpe(), text.len(), parts);
                work(&Tokens::new(text, &index), pulse)
            }
            Self::Chars | Self::Bytes => self.with_measure(document, pulse, work),
        }
    }
}
