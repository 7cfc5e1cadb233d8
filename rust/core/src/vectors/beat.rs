//! The pulse, felt once for so much work on vectors.

use crate::error::Result;
use crate::pulse::Pulse;

/// Vectors that are looked at in a few milliseconds.
const VECTORS: usize = 1 << 14;

/// Numbers that are looked at in a few milliseconds.
const NUMBERS: usize = 1 << 22;

/// Calls a pulse once for so many vectors, or numbers, that are looked at.
pub struct Beat<'p> {
    pulse: Pulse<'p>,
    period: usize,
    n_left: usize,
}

impl<'p> Beat<'p> {
    /// A beat for whom vectors are counted; its first pulse is felt at once.
    pub const fn of_vectors(pulse: Pulse<'p>) -> Self {
        Self { pulse, period: VECTORS, n_left: 0 }
    }

    /// A beat for whom numbers are counted; its first pulse is felt at once.
    pub const fn of_numbers(pulse: Pulse<'p>) -> Self {
        Self { pulse, period: NUMBERS, n_left: 0 }
    }

    /// Says that another `n` are about to be looked at.
    ///
    /// # Errors
    /// What the pulse says.
    pub fn before(&mut self, n: usize) -> Result<()> {
        let n_left = self.n_left.checked_sub(n.saturating_add(1));
        self.n_left = n_left.unwrap_or(self.period);
        if n_left.is_none() {
            (self.pulse)()?;
        }
        Ok(())
    }
}
