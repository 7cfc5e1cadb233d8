//! The pulse, felt once for so much work.

use std::cell::Cell;

use crate::error::Result;
use crate::pulse::Pulse;

/// Asking a caller costs more than a chunk does.
const BEAT_BYTES: usize = 1 << 18;
/// What is done for a chunk, in bytes of text that take as long.
const BYTES_PER_CHUNK: usize = 256;

/// Calls a pulse once for so many bytes.
pub struct Beat<'p> {
    pulse: Pulse<'p>,
    left: Cell<usize>,
}

impl<'p> Beat<'p> {
    /// A beat whose first pulse is felt at once.
    pub const fn new(pulse: Pulse<'p>) -> Self {
        Self { pulse, left: Cell::new(0) }
    }

    /// The pulse itself.
    pub const fn pulse(&self) -> Pulse<'p> {
        self.pulse
    }

    /// Says that another `n_bytes` are about to be worked on.
    ///
    /// # Errors
    /// What the pulse says.
    pub fn after(&self, n_bytes: usize) -> Result<()> {
        let n_bytes = n_bytes.saturating_add(BYTES_PER_CHUNK);
        let left = self.left.get().checked_sub(n_bytes);
        self.left.set(left.unwrap_or(BEAT_BYTES));
        if left.is_none() {
            (self.pulse)()?;
        }
        Ok(())
    }
}
