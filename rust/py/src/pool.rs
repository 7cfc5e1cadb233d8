//! Encoders that wait for their next text, warm.

use std::sync::{Mutex, PoisonError};

use chunkwright_core::measure::{Bpe, Encoder};

/// Encoders of one vocabulary: one for each thread that has needed one at a time.
#[derive(Debug)]
pub struct Pool<V = Bpe, E = Encoder> {
    vocabulary: V,
    new: fn(V) -> E,
    idle: Mutex<Vec<E>>,
}

impl<V: Clone, E> Pool<V, E> {
    /// A pool without encoders, which are made by `new`.
    pub const fn new(vocabulary: V, new: fn(V) -> E) -> Self {
        Self { vocabulary, new, idle: Mutex::new(Vec::new()) }
    }

    /// The vocabulary.
    pub const fn vocabulary(&self) -> &V {
        &self.vocabulary
    }

    /// Lends an encoder to `work`.
    pub fn with<T>(&self, work: impl FnOnce(&mut E) -> T) -> T {
        // A poisoned list of encoders is as good as any: nothing is left half-done in it.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut encoder = idle.unwrap_or_else(|| (self.new)(self.vocabulary.clone()));
        let result = work(&mut encoder);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(encoder);
        result
    }
}
