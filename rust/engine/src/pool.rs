//! Pool of encoders that wait for their next text, warm.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::yield_now;

use chunkwright_text::measure::{Bpe, Encoder};

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
        let idle = locked(&self.idle).and_then(|mut idle| idle.pop());
        let mut encoder = idle.unwrap_or_else(|| (self.new)(self.vocabulary.clone()));
        let result = work(&mut encoder);
        if let Some(mut idle) = locked(&self.idle) {
            idle.push(encoder);
        }
        result
    }
}

/// A lock that nobody holds for long is tried so often.
const MAX_TRIES: usize = 100;

/// What is behind a lock that is held for moments only, and that one can do without; none if it cannot be
/// had: then a thread held it when the process was forked, which the child does not have.
pub fn locked<T>(lock: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..MAX_TRIES {
        match lock.try_lock() {
            Ok(guard) => return Some(guard),
            // Nothing is left half-done behind such locks.
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => yield_now(),
        }
    }
    None
}
