//! Encoders that wait for their next text, warm.

use std::sync::{Mutex, PoisonError};

use chunkwright_core::measure::{Bpe, Encoder};

/// Encoders of one vocabulary: one for each thread that has needed one at a time.
#[derive(Debug)]
pub struct Pool {
    bpe: Bpe,
    idle: Mutex<Vec<Encoder>>,
}

impl Pool {
    /// A pool without encoders.
    pub const fn new(bpe: Bpe) -> Self {
        Self { bpe, idle: Mutex::new(Vec::new()) }
    }

    /// The vocabulary.
    pub const fn bpe(&self) -> Bpe {
        self.bpe
    }

    /// Lends an encoder to `work`.
    pub fn with<T>(&self, work: impl FnOnce(&mut Encoder) -> T) -> T {
        // A poisoned list of encoders is as good as any: nothing is left half-done in it.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut encoder = idle.unwrap_or_else(|| Encoder::new(self.bpe));
        let result = work(&mut encoder);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(encoder);
        result
    }
}
