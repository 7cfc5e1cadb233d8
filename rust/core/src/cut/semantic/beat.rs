//! The pulse, felt once for so many vectors.

use crate::error::Result;
use crate::options::Pulse;

/// Vectors that are looked at in a few milliseconds.
const BEAT_VECTORS: usize = 1 << 14;

/// Calls a pulse once for so many vectors that are looked at.
pub struct Beat<'p> {
    pulse: Pulse<'p>,
    n_left: usize,
}

impl<'p> Beat<'p> {
    /// A beat whose first pulse is felt at once.
    pub const fn new(pulse: Pulse<'p>) -> Self {
        Self { pulse, n_left: 0 }
    }

    /// Says that another `n_vectors` are about to be looked at.
    ///
    /// # Errors
    /// What the pulse says.
    pub fn before(&mut self, n_vectors: usize) -> Result<()> {
        let n_left = self.n_left.checked_sub(n_vectors.saturating_add(1));
        self.n_left = n_left.unwrap_or(BEAT_VECTORS);
        if n_left.is_none() {
            (self.pulse)()?;
        }
        Ok(())
    }
}
